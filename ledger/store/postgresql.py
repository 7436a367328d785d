"""A posting's statements on PostgreSQL: two calls of functions that live in the database.

A round trip costs as much as a statement, and planning a statement as much as running it. The
functions (see `ledger.guards.postings`) are one round trip each and planned once a connection, and
so are the statements that call them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import psycopg
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from ledger.lines import Posting

LOCK_TIMEOUT: Final = "10s"
"""How long a posting waits for a row that another transaction has locked."""

_LOCK: Final = "SELECT * FROM ledger_lock(%s, %s, %s, %s::bigint[])"
_HOLDS: Final = (
    "SELECT h.id, h.debit_id, h.credit_id, h.amount, h.expires_at, r.id IS NOT NULL"
    " FROM ledger_transfer h LEFT JOIN ledger_transfer r ON r.hold_id = h.id"
    " WHERE h.mode = 2 AND h.id = ANY(%s::bigint[])"
)
_WRITE: Final = (
    "SELECT ledger_write(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,"
    " %s::smallint[], %s::smallint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[],"
    " %s::timestamptz[])"
)


class Cursor(psycopg.Cursor[Any]):
    """Has the server keep what it executes prepared, which Django's own cursor never does."""

    def __init__(self, database: BaseDatabaseWrapper) -> None:
        super().__init__(database.connection)

    def execute(self, query: Any, params: Any = None) -> Cursor:  # type: ignore[override]
        """Execute a statement whose text never changes."""
        return super().execute(query, params, prepare=True)


def lock(cursor: CursorWrapper, posting: Posting, accounts: Sequence[int]) -> list[tuple[Any, ...]]:
    """A row for each account: journal's id, head and hash, entry of the key, then the balance."""
    cursor.execute(_LOCK, [LOCK_TIMEOUT, posting.journal, posting.key, _array(accounts)])
    return list(cursor.fetchall())


def holds(cursor: CursorWrapper, ids: Sequence[int]) -> list[tuple[Any, ...]]:
    """Id, sides, amount and expiry of each hold, and whether it is resolved."""
    cursor.execute(_HOLDS, [_array(ids)])
    return list(cursor.fetchall())


def write(cursor: CursorWrapper, posting: Posting, values: dict[str, Any]) -> None:
    """Insert the lines in their order, then the header."""
    lines = posting.lines
    columns: list[Sequence[object]] = [
        posting.numbers,
        [line.mode.value for line in lines],
        [line.debit for line in lines],
        [line.credit for line in lines],
        [line.amount for line in lines],
        [line.hold for line in lines],
        [line.expires_at for line in lines],
    ]
    cursor.execute(_WRITE, [*values.values(), *map(_array, columns)])


def _array(values: Sequence[object]) -> str:
    """Numbers and moments as PostgreSQL writes an array; quicker than the driver's own way."""
    return "{" + ",".join(["NULL" if value is None else f'"{value}"' for value in values]) + "}"
