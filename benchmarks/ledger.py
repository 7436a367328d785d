"""The ledger beside a raw insert of the same rows through the driver, in one run.

For SQLite and, where `--postgresql ADDRESS` names a server, for PostgreSQL:
- entries and transfers a second of one process, 1, 2 and 8 lines an entry, and of 4 processes on
  one hot account with one journal, and with a journal and accounts each, beside raw inserts of the
  same rows;
- a payout to 200 winners in one entry;
- the time of a balance read when the account has 1 thousand, 100 thousand (`--full`: 1 million)
  transfers behind it;
- the audit, in entries a second, and its linearity.

The raw yardstick writes the rows of an entry into tables of the same columns, keys, indexes and
CHECKs without triggers and foreign keys: all lines in one INSERT, then the header, then COMMIT. On
PostgreSQL its connection is opened as Django opens one; `ratio_to_prepared` is the ratio to a
driver that keeps its statements prepared, as the ledger does. Repeats are interleaved; medians and
p99 are printed, and the ratio, which is the claim.

Run: python -m benchmarks.ledger [--json] [--full] [--quick] [--postgresql postgres://…]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.common import in_own_process

Figures = dict[str, Any]


def main() -> None:
    """Run each database in a process of its own and print what they found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="a tenth of the entries")
    parser.add_argument("--full", action="store_true", help="balance reads after 1 million as well")
    parser.add_argument("--postgresql", default=os.environ.get("DATABASE_URL", ""))
    options = parser.parse_args()
    size = 20 if options.quick else 200
    plan: Figures = {"entries": size, "reads": [1_000, 100_000], "audit": [size * 10, size * 50]}
    if options.quick:
        plan |= {"reads": [1_000, 10_000]}
    if options.full:
        plan["reads"].append(1_000_000)
    found: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        found["sqlite"] = _child(plan | {"name": str(Path(folder) / "ledger.sqlite3")}, "")
    if options.postgresql.startswith("postgres"):
        with _Scratch(options.postgresql) as name:
            found["postgresql"] = _child(plan | {"name": name}, options.postgresql)
    sys.stdout.write(json.dumps(found, indent=2) + "\n" if options.json else _text(found))


class _Scratch:
    """A PostgreSQL database for the time of a run."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.name = f"ledger_benchmark_{os.getpid()}"

    def __enter__(self) -> str:
        self._execute(f"CREATE DATABASE {self.name}")
        return self.name

    def __exit__(self, *_: object) -> None:
        self._execute(f"DROP DATABASE {self.name} WITH (FORCE)")

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self.address, autocommit=True) as server:
            server.execute(statement)


def _child(plan: Figures, address: str) -> Figures:
    """Run `plan` in a fresh process on the database of `address`; its figures."""
    return in_own_process("benchmarks.ledger_parts.inside", plan, database_url=address)


def _text(found: Figures) -> str:
    lines = []
    for database, figures in found.items():
        lines.append(database)
        for name, values in figures.items():
            lines.append(f"  {name}")
            lines += [f"    {key}: {value}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
