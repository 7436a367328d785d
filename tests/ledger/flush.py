"""Emptying the tables between transactional tests, which the product never does.

The guards of the ledger and of append-only tables refuse DELETE and TRUNCATE, so they are lifted
around Django's flush and put back. This lives with the tests: nothing in the product can lift a
guard except a migration.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

from django.db.backends.base.operations import BaseDatabaseOperations

from ledger import guards
from ledger.guards import operators
from staff.guards import ACTIONS
from tables.log_guards import LOGS
from tournaments.decision_guards import DECISIONS

APPEND_ONLY: Final = (ACTIONS, DECISIONS, *LOGS, *operators.ALL)


@contextmanager
def flush_allowed() -> Iterator[None]:
    """While this is open, `flush` lifts the guards for the time of its own statements."""
    flush = BaseDatabaseOperations.execute_sql_flush

    def lifted(self: Any, sql_list: list[str]) -> None:
        installed = "ledger_entry" in self.connection.introspection.table_names()
        others = [guard for guard in APPEND_ONLY if guard.is_there(self.connection)]
        for guard in others:
            guard.remove(self.connection)
        if installed:
            guards.remove(self.connection)
        try:
            flush(self, sql_list)
        finally:
            if installed:
                guards.install(self.connection)
            for guard in others:
                guard.install(self.connection)

    with mock.patch.object(BaseDatabaseOperations, "execute_sql_flush", lifted):
        yield
