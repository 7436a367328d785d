"""Whole tournaments through the database: seconds and queries per entrant must not grow.

Each field plays a multi-table knock-out in a SQLite file of its own, from registration to paid
prizes, with the bots and services of `manage.py simulate_tournament`. Fields are played interleaved
and the medians compared with the smallest field; the ratio is the claim.

Run: python -m benchmarks.simulation [--json] [--fields 36,216,1296] [--repeats 3] [--format points]
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings.test")

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from benchmarks.common import report  # noqa: E402
from tournaments import play  # noqa: E402
from tournaments.management import simulation  # noqa: E402
from tournaments.models import Shape  # noqa: E402
from tournaments.play import bots  # noqa: E402
from tournaments.structure.prize_text import read_prizes  # noqa: E402


class QueryCount:
    """Counts the statements that go through a connection."""

    def __init__(self) -> None:
        self.statements = 0

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        self.statements += 1
        return execute(*args)


def plan_of(entrants: int, format_name: str, seed: str) -> simulation.Plan:
    """A knock-out of so many, at 10.00 each, three prizes."""
    terms = play.simulated_terms(
        format_name=format_name, profile_name=None, prizes=read_prizes("50,30,20")
    )
    return simulation.Plan(
        shape=Shape.KNOCKOUT,
        terms=play.fitted(Shape.KNOCKOUT, terms),
        entrants=entrants,
        fee=1000,
        house_fee=100,
        seed=seed,
        name="Benchmark",
        strength=bots.Strength.STEADY,
    )


def run_in_fresh_database(folder: Path, plan: simulation.Plan) -> dict[str, float]:
    """One tournament alone in its file; migrating is not counted."""
    connection.close()
    connection.settings_dict["NAME"] = str(folder / f"{plan.entrants}-{plan.seed}.sqlite3")
    call_command("migrate", verbosity=0)
    count = QueryCount()
    with connection.execute_wrapper(count):
        result = simulation.run(plan, lambda: None)
    if not result.books_balanced:
        raise SystemExit(f"The books do not balance: {result.faults}")
    return {
        "seconds": result.seconds,
        "queries": float(count.statements),
        "commands": float(result.commands),
        "tables": float(result.tables),
    }


def measure(fields: list[int], repeats: int, format_name: str) -> dict[str, Any]:
    """Medians per entrant of every field, and their ratios to the first."""
    runs: dict[int, list[dict[str, float]]] = {field: [] for field in fields}
    with tempfile.TemporaryDirectory() as folder:
        for repeat in range(repeats):
            for field in fields:
                plan = plan_of(field, format_name, f"bench-{repeat}")
                runs[field].append(run_in_fresh_database(Path(folder), plan))
        connection.close()
    figures = {
        field: {
            "seconds": median(run["seconds"] for run in ran),
            "tables": median(run["tables"] for run in ran),
            "ms_per_entrant": 1000 * median(run["seconds"] / field for run in ran),
            "queries_per_entrant": median(run["queries"] / field for run in ran),
            "commands_per_entrant": median(run["commands"] / field for run in ran),
            "ms_per_command": 1000 * median(run["seconds"] / run["commands"] for run in ran),
        }
        for field, ran in runs.items()
    }
    smallest = figures[fields[0]]
    for figure in figures.values():
        for name in ("ms_per_entrant", "queries_per_entrant", "ms_per_command"):
            figure[f"{name}_ratio"] = figure[name] / smallest[name]
    return {"format": format_name, "repeats": repeats, "fields": figures}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--fields", default="36,216,1296")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--format", default="points")
    options = parser.parse_args()
    fields = [int(field) for field in options.fields.split(",")]
    report(measure(fields, options.repeats, options.format), as_json=options.json)


if __name__ == "__main__":
    main()
