"""Tournaments of thousands: what an entrant costs, and whether that grows with their number.

For SQLite and, where `--postgresql ADDRESS` names a server, for PostgreSQL, each in a database of
its own that is dropped afterwards:
- registering, in entries a second, beside raw inserts of the same rows through the driver, in turns
  within the same run;
- the start and the first round's tables, closing that round by results from score sheets, and
  settling the prizes of a quarter of the field: seconds, and queries a table or prize;
- the whole of a tournament, from the first entry to paid prizes, in milliseconds, milliseconds on
  a processor and queries per entrant, and their ratios to the smallest field; time also in paces,
  a fixed piece of Python timed again and again within the run, because a shared processor gives
  what is over at once more of itself than what lasts;
- lobby, tournament and round pages: queries for 10 entrants and for the largest field, and pages a
  second beside a view that says hello, through the same client and middleware.

No card is played: results go the way of every scorer's sheet, through the same match logs, chips
and ledger. The ratios are the claims. Time on a processor is the process's own, without the
database server's, and the one figure that no neighbour on the machine disturbs.

Run: python -m benchmarks.tournaments [--json] [--quick] [--full] [--repeats 3] [--format points]
     [--postgresql postgres://…]
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.common import in_own_process, report

FIELDS = {"quick": [60, 240], "default": [100, 1000], "full": [100, 1000, 10_000]}

COSTS = ("ms_per_entrant", "paces_per_entrant", "cpu_ms_per_entrant", "queries_per_entrant")
"""Of an entrant, that are set beside those of the smallest field."""

Figures = dict[str, Any]


def main() -> None:
    """Measure each database in processes of their own and print what was found."""
    options = _options()
    size = "quick" if options.quick else "full" if options.full else "default"
    plan: Figures = {"fields": FIELDS[size], "repeats": options.repeats, "format": options.format}
    found: Figures = {"load_before": os.getloadavg(), "format": options.format}
    with tempfile.TemporaryDirectory() as folder:
        found["sqlite"] = _measured(plan, "", lambda name: str(Path(folder) / f"{name}.sqlite3"))
    if options.postgresql.startswith("postgres"):
        found["postgresql"] = _on_server(plan, options.postgresql)
    report(found | {"load_after": os.getloadavg()}, as_json=options.json)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="60 and 240 entrants")
    parser.add_argument("--full", action="store_true", help="10,000 entrants as well")
    parser.add_argument("--repeats", type=int, default=3, help="of every field, in turns")
    parser.add_argument("--format", default="points", help="deals plays for chips, too")
    parser.add_argument("--postgresql", default=os.environ.get("DATABASE_URL", ""))
    return parser.parse_args()


def _on_server(plan: Figures, address: str) -> Figures:
    made: list[str] = []
    with psycopg.connect(address, autocommit=True) as server:

        def make(name: str) -> str:
            made.append(f"tournaments_benchmark_{os.getpid()}_{name}")
            server.execute(f"CREATE DATABASE {made[-1]}")
            return made[-1]

        try:
            return _measured(plan, address, make)
        finally:
            for name in made:
                server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _measured(plan: Figures, address: str, make: Any) -> Figures:
    """Every field in turns, each time in a database of its own; then the pages of the largest."""
    runs: dict[int, list[Figures]] = {field: [] for field in plan["fields"]}
    last = ""
    for repeat in range(plan["repeats"]):
        for field in plan["fields"]:
            last = make(f"{field}_{repeat}")
            job = {"job": "tournament", "entrants": field, "seed": f"benchmark {repeat}"}
            runs[field].append(_child(job | {"name": last, "format": plan["format"]}, address))
    figures = _summary(runs)
    figures["pages"] = _child({"job": "pages", "name": last, "format": plan["format"]}, address)
    return figures


def _child(job: Figures, address: str) -> Figures:
    """Run a job in a fresh process on the database it names; its figures."""
    return in_own_process("benchmarks.tournament_parts.inside", job, database_url=address)


def _summary(runs: dict[int, list[Figures]]) -> Figures:
    """Medians of every field, and what an entrant costs beside the smallest field."""
    fields = {field: _medians(ran) for field, ran in runs.items()}
    smallest = next(iter(fields.values()))
    for figures in fields.values():
        whole, least = figures["whole"], smallest["whole"]
        for name in COSTS:
            whole[f"{name}_ratio"] = round(whole[name] / least[name], 3)
    return {f"{field} entrants": figures for field, figures in fields.items()}


def _medians(ran: list[Figures]) -> Figures:
    found: Figures = {}
    for part in ran[0]:
        found[part] = {
            name: round(sorted(run[part][name] for run in ran)[len(ran) // 2], 3)
            for name in ran[0][part]
        }
    return found


if __name__ == "__main__":
    main()
