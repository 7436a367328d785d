"""The yardstick: the rows of an entry, written by the driver into tables of the same shape.

Same columns, keys, indexes and CHECKs; no trigger and no foreign key. All lines go in one INSERT,
then the header, then COMMIT.
"""

# The statements are put together from the constants of this module; values are parameters.
# ruff: noqa: S608

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import psycopg
from django.db import connection

NOW = datetime(2026, 5, 1, 18, 30, tzinfo=UTC)

_LINE = ("entry_id", "line", "mode", "debit_id", "credit_id", "amount", "hold_id", "expires_at")
_HEADER = (
    *("id", "journal_id", "seq", "kind", "key", "fingerprint", "line_count", "actor"),
    *("reference", "reason", "at", "reverses_id", "prev_hash", "hash"),
)


class Raw:
    """The yardstick: tables of the same shape without triggers, written by the driver.

    On PostgreSQL the driver's connection is opened as Django opens its own: statements are not
    kept prepared, unless `prepared` asks for it. SQLite's driver always keeps them.
    """

    def __init__(self, name: str, vendor: str, *, prepared: bool = False) -> None:
        self.vendor = vendor
        self.mark = "?" if vendor == "sqlite" else "%s"
        self.driver: Any
        if vendor == "sqlite":
            self.driver = sqlite3.connect(name, timeout=20, isolation_level=None)
            self.driver.execute("PRAGMA journal_mode = WAL")
            self.driver.execute("PRAGMA synchronous = FULL")
        else:
            parameters = {**connection.get_connection_params(), "cursor_factory": psycopg.Cursor}
            parameters["prepare_threshold"] = 0 if prepared else None
            self.driver = psycopg.connect(**parameters, autocommit=False)

    def create(self) -> None:
        """Make the two tables; every index and CHECK of the originals, no trigger, no key to
        another table."""
        for table in ("ledger_transfer", "ledger_entry"):
            copy = table.replace("ledger", "raw")
            if self.vendor == "postgresql":
                shape = (
                    "INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING INDEXES INCLUDING CONSTRAINTS"
                )
                self.driver.execute(f"CREATE TABLE {copy} (LIKE {table} {shape})")
                continue
            query = "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND type <> 'trigger'"
            for (sql,) in self.driver.execute(query, [table]).fetchall():
                if sql:
                    self.driver.execute(_without_keys(sql.replace("ledger_", "raw_")))
        if self.vendor == "postgresql":
            self.driver.commit()

    def insert(self, number: int, house: int, players: Sequence[int]) -> None:
        """One transaction: all lines in one statement, then the header."""
        entry = (1 << 32) + number
        values: list[object] = []
        for place, player in enumerate(players):
            values += [entry, place, 1, house, player, 10, None, None]
        row = f"({', '.join([self.mark] * len(_LINE))})"
        lines = f"INSERT INTO raw_transfer ({', '.join(_LINE)}) VALUES "
        header = f"INSERT INTO raw_entry ({', '.join(_HEADER)}) VALUES "
        header += f"({', '.join([self.mark] * len(_HEADER))})"
        at = NOW if self.vendor == "postgresql" else "2026-05-01 18:30:00"
        hashes = bytes([number % 256]) * 32
        fields = [entry, 1, number, "benchmark", f"raw:{number}", hashes, len(players), "benchmark"]
        fields += ["tournament:1", "", at, None, hashes, hashes]
        if self.vendor == "sqlite":
            self.driver.execute("BEGIN IMMEDIATE")
        self.driver.execute(lines + ", ".join([row] * len(players)), values)
        self.driver.execute(header, fields)
        self.driver.execute("COMMIT") if self.vendor == "sqlite" else self.driver.commit()


def _without_keys(sql: str) -> str:
    """The statement without REFERENCES clauses."""
    return re.sub(r' REFERENCES "\w+" \("\w+"\) DEFERRABLE INITIALLY DEFERRED', "", sql)
