"""One database measured: services and driver in turns.

Run by `benchmarks.ledger` as `python -m benchmarks.ledger_parts.inside PLAN`, PLAN being JSON;
prints one JSON object.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from benchmarks.ledger_parts.raw import NOW, Raw  # noqa: E402
from ledger import services  # noqa: E402
from ledger.audit import check_books  # noqa: E402
from ledger.models import Entry  # noqa: E402
from ledger.selectors import balance_of  # noqa: E402
from ledger.services import Line, post  # noqa: E402

REPEATS = 5
WORKERS = 4
PLAYERS = 200
WARMING = 10

Figures = dict[str, Any]
Work = Callable[[int], object]


def main(text: str) -> None:
    """Open the database that the plan names and measure, or be one of several workers."""
    plan: Figures = json.loads(text)
    connection.settings_dict["NAME"] = plan["name"]
    if connection.vendor == "sqlite":
        command = connection.settings_dict["OPTIONS"]["init_command"]
        full = command.replace("synchronous = OFF", "synchronous = FULL")
        connection.settings_dict["OPTIONS"]["init_command"] = full
    found = _worker(plan) if "worker" in plan else _measure(plan)
    sys.stdout.write(json.dumps(found))


class _Bench:
    """A filled ledger, and the same rows for the driver."""

    def __init__(self, plan: Figures) -> None:
        call_command("migrate", verbosity=0)
        self.plan = plan
        self.vendor = connection.vendor
        services.ensure_asset(code="PLAY", kind=services.AssetKind.PLAY)
        self.house = services.open_account(
            asset="PLAY",
            owner="house",
            purpose=services.Purpose.ISSUANCE,
            rule=services.Rule.UNBOUNDED,
        ).id
        players = services.open_accounts(
            asset="PLAY",
            owners=[f"player:{number}" for number in range(PLAYERS)],
            purpose=services.Purpose.WALLET,
            rule=services.Rule.NEVER_NEGATIVE,
        )
        self.players = [account.id for account in players.values()]
        for number in range(WORKERS + 1):
            services.open_journal(code=f"journal:{number}")
        issuers = services.open_accounts(
            asset="PLAY",
            owners=[f"journal:{number}" for number in range(WORKERS)],
            purpose=services.Purpose.ISSUANCE,
            rule=services.Rule.UNBOUNDED,
        )
        self.issuers = [account.id for account in issuers.values()]
        self.number = 0
        self.raw = Raw(plan["name"], self.vendor)
        self.prepared = Raw(plan["name"], self.vendor, prepared=True)

    def post(self, lines: int) -> None:
        """One entry from the house to `lines` players, through the service."""
        self.number += 1
        _post(f"bench:{self.number}", "journal:0", self.house, self.credits(lines))

    def insert(self, lines: int) -> None:
        """The rows of such an entry, through the driver."""
        self.number += 1
        self.raw.insert(self.number, self.house, self.credits(lines))

    def insert_prepared(self, lines: int) -> None:
        """The same with statements that the driver keeps prepared."""
        self.number += 1
        self.prepared.insert(self.number, self.house, self.credits(lines))

    def credits(self, lines: int) -> list[int]:
        """Players in turn."""
        return [self.players[(self.number + place) % PLAYERS] for place in range(lines)]


def _post(key: str, journal: str, house: int, players: Sequence[int]) -> None:
    post(
        journal=journal,
        kind="benchmark",
        key=key,
        lines=[Line.post(debit=house, credit=player, amount=10) for player in players],
        actor="benchmark",
        reference="tournament:1",
        now=NOW,
    )


def _measure(plan: Figures) -> Figures:
    bench = _Bench(plan)
    bench.raw.create()
    figures: Figures = {}
    for lines in (1, 2, 8):
        figures[f"one process, {lines} lines"] = _beside(bench, lines, plan["entries"])
    figures |= _several(bench, plan)
    figures["audit"] = _audits(bench, plan["audit"])
    figures["payout, 200 winners"] = _beside(bench, 200, max(5, plan["entries"] // 10))
    figures["balance read"] = _reads(bench, plan["reads"])
    return figures


def _beside(bench: _Bench, lines: int, entries: int) -> Figures:
    """The service and the driver in turns; ratios by the name under which they are printed."""
    ways: dict[str, Work] = {"ours": bench.post, "ratio": bench.insert}
    if bench.vendor == "postgresql":
        ways["ratio_to_prepared"] = bench.insert_prepared
    rounds: list[dict[str, list[float]]] = [
        {name: _timed(work, lines, entries) for name, work in ways.items()}
        for _ in range(REPEATS + 1)
    ][1:]  # the first round warms up
    ours, raw = ([each for found in rounds for each in found[name]] for name in ("ours", "ratio"))
    ratios = {
        name: round(statistics.median(sum(found[name]) / sum(found["ours"]) for found in rounds), 3)
        for name in list(ways)[1:]
    }
    return _percentiles(ours) | {
        "entries_a_second": round(len(ours) / sum(ours), 1),
        "transfers_a_second": round(lines * len(ours) / sum(ours), 1),
        "raw_entries_a_second": round(len(raw) / sum(raw), 1),
        "raw_ms_median": round(statistics.median(raw) * 1e3, 3),
        **ratios,
    }


def _timed(work: Work, lines: int, entries: int) -> list[float]:
    found = []
    for _ in range(entries):
        begun = time.perf_counter()
        work(lines)
        found.append(time.perf_counter() - begun)
    return found


def _percentiles(seconds: Sequence[float]) -> Figures:
    ordered = sorted(seconds)
    return {
        "ms_median": round(statistics.median(ordered) * 1e3, 3),
        "ms_p99": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1e3, 3),
    }


def _several(bench: _Bench, plan: Figures) -> Figures:
    """Four processes at once: on one journal and account, on their own of both, and the driver."""
    jobs = {
        "4 processes, one hot account, one journal": {"way": "post", "journals": 1},
        "4 processes, a journal and accounts each": {"way": "post", "journals": WORKERS},
        "4 processes, raw": {"way": "insert", "journals": 1},
    }
    found: Figures = {name: [] for name in jobs}
    for repeat in range(3):
        for name, job in jobs.items():
            found[name].append(_at_once(bench, plan, job | {"repeat": repeat}))
    figures: Figures = {}
    for name, runs in found.items():
        middle = sorted(runs, key=lambda run: run["entries_a_second"])[len(runs) // 2]
        figures[name] = middle
    yardstick = figures["4 processes, raw"]["entries_a_second"]
    for name in jobs:
        figures[name]["ratio"] = round(figures[name]["entries_a_second"] / yardstick, 3)
    hot, own, _ = (figures[name] for name in jobs)
    own["to_one_journal"] = round(own["entries_a_second"] / hot["entries_a_second"], 3)
    return figures


def _at_once(bench: _Bench, plan: Figures, job: Figures) -> Figures:
    workers = []
    for number in range(WORKERS):
        house = bench.house if job["journals"] == 1 else bench.issuers[number]
        text = plan | job | {"worker": number, "house": house, "players": bench.players}
        command = [sys.executable, "-m", "benchmarks.ledger_parts.inside", json.dumps(text)]
        workers.append(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )
    for worker in workers:  # each says when it is ready, then all begin together
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    outs = [json.loads(worker.communicate()[0]) for worker in workers]
    seconds = [each for out in outs for each in out["seconds"]]
    spent = max(out["until"] for out in outs) - min(out["since"] for out in outs)
    return _percentiles(seconds) | {"entries_a_second": round(len(seconds) / spent, 1)}


def _worker(plan: Figures) -> Figures:
    """Post or insert entries of two lines; the hot account is the house, where it is shared."""
    number, repeat = plan["worker"], plan["repeat"]
    journal = f"journal:{number % plan['journals']}"
    raw = Raw(plan["name"], connection.vendor)
    own = plan["players"][number::WORKERS]
    seconds: list[float] = []
    since = 0.0
    for entry in range(WARMING + plan["entries"]):
        if entry == WARMING:
            sys.stdout.write("ready\n")
            sys.stdout.flush()
            sys.stdin.readline()
            seconds, since = [], time.monotonic()
        players = [own[entry % len(own)], own[(entry + 1) % len(own)]]
        begun = time.perf_counter()
        if plan["way"] == "post":
            key = f"{plan['journals']}:{repeat}:{number}:{entry}"
            _post(key, journal, plan["house"], players)
        else:
            unique = 10_000_000 * (1 + number) + 100_000 * repeat + entry
            raw.insert(unique, plan["house"], players)
        seconds.append(time.perf_counter() - begun)
    return {"seconds": seconds, "since": since, "until": time.monotonic()}


def _reads(bench: _Bench, sizes: Sequence[int]) -> Figures:
    """One account's balance after so many transfers."""
    found: Figures = {}
    account = bench.players[0]
    done = 0
    for size in sizes:
        while done < size:
            bench.number += 1
            _post(f"read:{bench.number}", "journal:1", bench.house, [account] * 1_000)
            done += 1_000
        _analyze()
        seconds = _timed(lambda _: balance_of(account), 0, 400)
        found[f"{size} transfers"] = _percentiles(seconds)
    first, *_, last = [found[f"{size} transfers"]["ms_median"] for size in sizes]
    found["last_to_first"] = round(last / first, 3)
    return found


def _audits(bench: _Bench, sizes: Sequence[int]) -> Figures:
    """The whole audit, once for each size, after posting entries of two lines up to it."""
    found: Figures = {}
    for size in sizes:
        while Entry.objects.count() < size:
            for _ in range(100):
                bench.post(2)
        _analyze()
        begun = time.perf_counter()
        findings = check_books(now=NOW)
        spent = time.perf_counter() - begun
        assert findings.is_sound, findings.found[:3]
        found[f"{findings.entries} entries, {findings.transfers} transfers"] = {
            "entries_a_second": round(findings.entries / spent, 1),
            "transfers_a_second": round(findings.transfers / spent, 1),
        }
    return found


def _analyze() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


if __name__ == "__main__":
    main(sys.argv[1])
