"""A process that posts on its own, for tests of several at once and of sudden death.

`python -m tests.ledger.worker '{"database": …, "job": …}'` prints one JSON object: how often each
outcome came. It opens the database of the test that started it, by name.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

NOW = datetime(2026, 5, 1, 18, 30, tzinfo=UTC)

Job = dict[str, Any]


def start(database: str, job: Job) -> subprocess.Popen[str]:
    """Start one worker on the database named."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.ledger.worker", json.dumps(job | {"database": database})],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ.copy(),
    )


def run_all(database: str, jobs: Sequence[Job]) -> Counter[str]:
    """Run workers at the same time; the sum of their outcomes."""
    total: Counter[str] = Counter()
    for process in [start(database, job) for job in jobs]:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        total.update(json.loads(out))
    return total


def spend(job: Job) -> Counter[str]:
    """Pay `amount` from one account to another, `times` times, each under a key of its own."""
    from ledger.services import Line

    line = Line.post(debit=job["debit"], credit=job["credit"], amount=job["amount"])
    keys = [f"{job['name']}:{number}" for number in range(job["times"])]
    return Counter(_post(job, key, [line]) for key in keys)


def one_key(job: Job) -> Counter[str]:
    """Post the same content under one key, `times` times."""
    from ledger.services import Line

    line = Line.post(debit=job["debit"], credit=job["credit"], amount=job["amount"])
    return Counter(_post(job, job["key"], [line]) for _ in range(job["times"]))


def ring(job: Job) -> Counter[str]:
    """Entries of several lines among `accounts`, each line on from where the last one ended."""
    from ledger.services import Line

    chance = random.Random(job["seed"])
    outcomes: Counter[str] = Counter()
    for number in range(job["times"]):
        stops = chance.sample(job["accounts"], 4)
        lines = [
            Line.post(debit=here, credit=there, amount=chance.randint(1, 30))
            for here, there in itertools.pairwise(stops)
        ]
        outcomes[_post(job, f"{job['name']}:{number}", lines)] += 1
    return outcomes


def settle(job: Job) -> Counter[str]:
    """Capture one hold under a key of its own."""
    from ledger.models import Transfer
    from ledger.services import Line

    return Counter([_post(job, job["name"], [Line.capture(Transfer.objects.get(id=job["hold"]))])])


def undo(job: Job) -> Counter[str]:
    """Reverse one entry under a key of its own."""
    from ledger.errors import LedgerError
    from ledger.services import reverse

    try:
        reverse(entry=job["entry"], key=job["name"], actor="worker", reason="storm", now=NOW)
    except LedgerError as error:
        return Counter([error.code])
    return Counter(["posted"])


def batches(job: Job) -> Counter[str]:
    """Numbered batches of three lines; run again, the same keys say the same."""
    from ledger.services import Line

    outcomes: Counter[str] = Counter()
    for number in range(job["times"]):
        lines = [
            Line.post(debit=job["debit"], credit=account, amount=1 + (number + place) % 7)
            for place, account in enumerate(job["accounts"])
        ]
        outcomes[_post(job, f"batch:{number}", lines)] += 1
    return outcomes


def _post(job: Job, key: str, lines: Sequence[Any]) -> str:
    """Post one entry; "posted", "replayed" or the code of the refusal."""
    from ledger.errors import LedgerError
    from ledger.services import post

    try:
        entry = post(
            journal=job.get("journal", "house"),
            kind="test",
            key=key,
            lines=lines,
            actor="worker",
            now=NOW,
        )
    except LedgerError as error:
        return error.code
    return "replayed" if entry.replayed else "posted"


def main(text: str) -> None:
    """Open the database and do the job."""
    import django

    django.setup()
    from django.db import connection

    job: Job = json.loads(text)
    connection.settings_dict["NAME"] = job["database"]
    if "bytes" in job:  # no file may grow beyond; a write that would fails
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["bytes"], job["bytes"]))
    jobs = {work.__name__: work for work in (spend, one_key, ring, settle, undo, batches)}
    sys.stdout.write(json.dumps(jobs[job["job"]](job)))
    connection.close()


if __name__ == "__main__":
    main(sys.argv[1])
