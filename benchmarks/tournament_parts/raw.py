"""The yardstick of registering: the rows that an entry leaves behind, written by the driver.

Tables of the same columns, keys, indexes and CHECKs, without triggers and without keys to other
tables. A registration is a transaction of: the tournament's row updated, the entry, the lines of
its fee in one INSERT, and their header.
"""

# The statements are put together from the constants of this module; values are parameters.
# ruff: noqa: S608

from __future__ import annotations

import re
import sqlite3
from typing import Any, Final

import psycopg
from django.db import connection

TABLES: Final = (
    "tournaments_tournament",
    "tournaments_entry",
    "ledger_transfer",
    "ledger_entry",
)


class Raw:
    """The rows of registrations that the services made, written again by the driver.

    On PostgreSQL the driver's connection is opened as Django opens its own: statements are not
    kept prepared. SQLite's driver always keeps them.
    """

    def __init__(self, tournament_id: int) -> None:
        self.mark = "?" if connection.vendor == "sqlite" else "%s"
        self.driver: Any
        if connection.vendor == "sqlite":
            self.driver = sqlite3.connect(
                connection.settings_dict["NAME"], timeout=20, isolation_level=None
            )
            self.driver.execute("PRAGMA journal_mode = WAL")
            self.driver.execute("PRAGMA synchronous = FULL")
        else:
            parameters = connection.get_connection_params()
            wanted = {**parameters, "cursor_factory": psycopg.Cursor, "prepare_threshold": None}
            self.driver = psycopg.connect(**wanted, autocommit=False)
        self._create()
        self._copy_tournament(tournament_id)

    def _create(self) -> None:
        for table in TABLES:
            copy = _copy_of(table)
            if connection.vendor == "postgresql":
                like = "INCLUDING DEFAULTS INCLUDING INDEXES INCLUDING CONSTRAINTS"
                self.driver.execute(f"CREATE TABLE IF NOT EXISTS {copy} (LIKE {table} {like})")
                continue
            query = "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND type <> 'trigger'"
            for (sql,) in self.driver.execute(query, [table]).fetchall():
                if sql:
                    self.driver.execute(_renamed(sql))
        self._commit()

    def _copy_tournament(self, tournament_id: int) -> None:
        source = "tournaments_tournament"
        self.driver.execute(
            f"INSERT INTO {_copy_of(source)} SELECT * FROM {source} WHERE id = {self.mark}",
            [tournament_id],
        )
        self._commit()

    def insert(self, rows: dict[str, list[tuple[Any, ...]]], tournament_id: int) -> None:
        """One registration: `rows` by table, as `rows_of` gave them."""
        if connection.vendor == "sqlite":
            self.driver.execute("BEGIN IMMEDIATE")
        entry = rows["tournaments_entry"][0]
        self.driver.execute(
            f"UPDATE {_copy_of('tournaments_tournament')} SET numbers_given = {self.mark} "
            f"WHERE id = {self.mark}",
            [entry[0], tournament_id],
        )
        for table in TABLES[1:]:
            self._insert(table, rows[table])
        self._commit()

    def _insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        row = f"({', '.join([self.mark] * len(rows[0]))})"
        self.driver.execute(
            f"INSERT INTO {_copy_of(table)} VALUES {', '.join([row] * len(rows))}",
            [value for values in rows for value in values],
        )

    def _commit(self) -> None:
        if connection.vendor == "postgresql":
            self.driver.commit()
        elif self.driver.in_transaction:
            self.driver.execute("COMMIT")

    def close(self) -> None:
        """Let go of the driver's connection."""
        self.driver.close()


def rows_of(entry_id: int, key: str) -> dict[str, list[tuple[Any, ...]]]:
    """The rows that registering this entry has left, by table; `key` is its fee's in the ledger."""
    with connection.cursor() as cursor:

        def rows(table: str, where: str, value: Any) -> list[tuple[Any, ...]]:
            cursor.execute(f"SELECT * FROM {table} WHERE {where}", [value])
            return [tuple(row) for row in cursor.fetchall()]

        headers = rows("ledger_entry", "key = %s", key)
        return {
            "tournaments_entry": rows("tournaments_entry", "id = %s", entry_id),
            "ledger_entry": headers,
            "ledger_transfer": rows("ledger_transfer", "entry_id = %s", headers[0][0]),
        }


def _copy_of(table: str) -> str:
    return f"raw_{table}"


def _renamed(sql: str) -> str:
    """The statement for the copy, without keys to other tables."""
    sql = re.sub(r' REFERENCES "\w+" \("\w+"\) DEFERRABLE INITIALLY DEFERRED', "", sql)
    return re.sub(r'("?)((?:tournaments|ledger)_\w+)\1', r'"raw_\2"', sql)
