"""What the database itself refuses, whoever asks.

The guards are triggers: entries, transfers, assets and checkpoints are never changed or deleted,
accounts change only in `is_open`, balances and journal heads move only as the consequence of a new
transfer or entry. `missing` compares what is installed with what belongs there.

On SQLite Django alters a table by building it anew, which loses its triggers: a migration that
alters a table of the ledger ends with `install`.
"""

from __future__ import annotations

from typing import Protocol

from django.db import NotSupportedError
from django.db.backends.base.base import BaseDatabaseWrapper

from ledger.guards import postgresql, sqlite


class Guards(Protocol):
    """What the module of one database offers; `EXPECTED` maps a guard's name to its text."""

    CREATE: list[str]
    DROP: list[str]
    EXPECTED: dict[str, str]

    def installed(self, connection: BaseDatabaseWrapper) -> dict[str, str]:
        """Guards found in the database, by name, in the form of `EXPECTED`."""
        ...


def of(connection: BaseDatabaseWrapper) -> Guards:
    """The guards written for this database; raises `NotSupportedError` for any other."""
    if connection.vendor == "sqlite":
        return sqlite
    if connection.vendor == "postgresql":
        return postgresql
    raise NotSupportedError("The ledger is guarded on PostgreSQL and SQLite only.")


def install(connection: BaseDatabaseWrapper) -> None:
    """Create every guard, replacing those that are there."""
    remove(connection)
    _run(connection, of(connection).CREATE)


def remove(connection: BaseDatabaseWrapper) -> None:
    """Drop every guard; only migrations do this."""
    _run(connection, of(connection).DROP)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of guards that are absent, disabled or not the text we wrote, in alphabetical order."""
    guards = of(connection)
    found = guards.installed(connection)
    return sorted(name for name, text in guards.EXPECTED.items() if found.get(name) != text)


def _run(connection: BaseDatabaseWrapper, statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
