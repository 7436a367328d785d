"""A posting's statements on SQLite, where a statement costs little and BEGIN IMMEDIATE locks."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from ledger import chain
from ledger.lines import Posting

_LOCK: Final = (
    "SELECT j.id, j.head_seq, j.head_hash, (SELECT id FROM ledger_entry WHERE key = %s),"
    " b.account_id, a.asset_id, a.owner, a.purpose, a.is_open, b.rule,"
    " b.debits, b.credits, b.debits_held, b.credits_held"
    " FROM ledger_balance b JOIN ledger_account a ON a.id = b.account_id"
    " LEFT JOIN ledger_journal j ON j.code = %s"
    " WHERE b.account_id IN (SELECT value FROM json_each(%s))"
)
_HOLDS: Final = (
    "SELECT h.id, h.debit_id, h.credit_id, h.amount, h.expires_at, r.id IS NOT NULL"
    " FROM ledger_transfer h LEFT JOIN ledger_transfer r ON r.hold_id = h.id"
    " WHERE h.mode = 2 AND h.id IN (SELECT value FROM json_each(%s))"
)
_TRANSFERS: Final = (
    "INSERT INTO ledger_transfer"
    " (entry_id, line, mode, debit_id, credit_id, amount, hold_id, expires_at) SELECT %s,"
    " json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),"
    " json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'),"
    " json_extract(value, '$[6]') FROM json_each(%s)"
)
_ENTRY: Final = (
    "INSERT INTO ledger_entry (id, journal_id, seq, kind, key, fingerprint, line_count, actor,"
    " reference, reason, at, reverses_id, prev_hash, hash)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
)


class Cursor(sqlite3.Cursor):
    """Rewrites the placeholders of a statement once, and not each time as Django's own does."""

    def __init__(self, database: BaseDatabaseWrapper) -> None:
        super().__init__(database.connection)

    def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        """Execute a statement whose text never changes."""
        super().execute(_marked(sql), parameters)
        return self


@lru_cache(maxsize=16)
def _marked(sql: str) -> str:
    return sql.replace("%s", "?")


def _json(values: Sequence[object]) -> str:
    return chain.canonical(values).decode()


def lock(cursor: CursorWrapper, posting: Posting, accounts: Sequence[int]) -> list[tuple[Any, ...]]:
    """A row for each account: journal's id, head and hash, entry of the key, then the balance."""
    cursor.execute(_LOCK, [posting.key, posting.journal, _json(accounts)])
    return list(cursor.fetchall())


def holds(cursor: CursorWrapper, ids: Sequence[int]) -> list[tuple[Any, ...]]:
    """Id, sides, amount and expiry of each hold, and whether it is resolved."""
    cursor.execute(_HOLDS, [_json(ids)])
    return [(*row[:4], _moment(row[4]), bool(row[5])) for row in cursor.fetchall()]


def write(cursor: CursorWrapper, posting: Posting, values: dict[str, Any]) -> None:
    """Insert the lines in their order, then the header."""
    adapt = cursor.db.ops.adapt_datetimefield_value
    rows = [
        (
            number,
            line.mode.value,
            line.debit,
            line.credit,
            line.amount,
            line.hold,
            adapt(line.expires_at),
        )
        for number, line in zip(posting.numbers, posting.lines, strict=True)
    ]
    cursor.execute(_TRANSFERS, [values["id"], _json(rows)])
    cursor.execute(_ENTRY, list((values | {"at": adapt(values["at"])}).values()))


def _moment(value: datetime | None) -> datetime | None:
    """SQLite keeps UTC and does not say so."""
    return None if value is None else value.replace(tzinfo=UTC)
