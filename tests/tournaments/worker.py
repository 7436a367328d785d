"""A process that acts on tournaments on its own, for tests of several at once.

`python -m tests.tournaments.worker '{"database": …, "calls": [[name, {…}], …]}'` says it is ready,
waits for a line on its input, makes the calls one after the other, and prints a JSON list of what
came of each: the state of the entry, a number, or the code of the refusal.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any

Calls = Sequence[tuple[str, dict[str, Any]]]


def run_all(database: str, jobs: Sequence[Calls]) -> list[list[Any]]:
    """Let every process make its calls, all beginning together; the outcomes of each."""
    processes = [_start(database, calls) for calls in jobs]
    _begin(processes)
    results = []
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        results.append(json.loads(out))
    return results


def begin(database: str, calls: Calls) -> subprocess.Popen[str]:
    """A process that makes its calls from now on, for tests that kill it."""
    process = _start(database, calls)
    _begin([process])
    return process


def _begin(processes: Sequence[subprocess.Popen[str]]) -> None:
    """Wait until all are ready, and let them go together."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()


def _start(database: str, calls: Calls) -> subprocess.Popen[str]:
    job = json.dumps({"database": database, "calls": calls})
    return subprocess.Popen(
        [sys.executable, "-m", "tests.tournaments.worker", job],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ.copy(),
    )


def _call(name: str, arguments: dict[str, Any]) -> Any:
    from tournaments import services

    arguments["now"] = datetime.fromisoformat(arguments["now"])
    try:
        made = getattr(services, name)(**arguments)
    except Exception as refusal:
        code = getattr(refusal, "code", None)
        if code is None:
            raise
        return str(code)
    if isinstance(made, list):
        return len(made)
    return made if isinstance(made, int) else [made.pk, made.state]


def main() -> None:
    """Open the test's database and do the job."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings.test")
    import django
    from django.conf import settings

    job = json.loads(sys.argv[1])
    settings.DATABASES["default"]["NAME"] = job["database"]
    django.setup()
    from django.db import connection

    connection.ensure_connection()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    outcomes = [_call(name, arguments) for name, arguments in job["calls"]]
    connection.close()
    sys.stdout.write(json.dumps(outcomes))


if __name__ == "__main__":
    main()
