"""Emptying the tables between transactional tests, which the product never does.

The guards of the ledger and of decisions refuse DELETE and TRUNCATE, so they are lifted around
Django's flush and put back. This lives with the tests: nothing in the product can lift a guard
except a migration.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from django.db.backends.base.operations import BaseDatabaseOperations

from ledger import guards
from tournaments import decision_guards


@contextmanager
def flush_allowed() -> Iterator[None]:
    """While this is open, `flush` lifts the guards for the time of its own statements."""
    flush = BaseDatabaseOperations.execute_sql_flush

    def lifted(self: Any, sql_list: list[str]) -> None:
        tables = self.connection.introspection.table_names()
        installed = "ledger_entry" in tables
        decisions = decision_guards.TABLE in tables
        if decisions:
            decision_guards.remove(self.connection)
        if installed:
            guards.remove(self.connection)
        try:
            flush(self, sql_list)
        finally:
            if installed:
                guards.install(self.connection)
            if decisions:
                decision_guards.install(self.connection)

    with mock.patch.object(BaseDatabaseOperations, "execute_sql_flush", lifted):
        yield
