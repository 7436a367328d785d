"""The fixed SQL of a posting: one call that locks and reads, one that writes.

The ORM would cost more than half of the speed here. Everything runs on Django's own connection and
so inside whatever transaction is open. Nothing here judges; see `ledger.plan`.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

import msgspec
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from ledger.lines import Posting
from ledger.models import Entry
from ledger.plan import AccountState, HoldState
from ledger.store import postgresql, sqlite
from ledger.terms import SEQ_BITS

_FIELDS: Final = tuple(field.attname for field in Entry._meta.concrete_fields)


class Head(msgspec.Struct, frozen=True):
    """A locked journal: its id, the number of its newest entry and that entry's hash."""

    journal_id: int
    seq: int
    hash: bytes


class Locked(msgspec.Struct, frozen=True):
    """What is known under the locks.

    `head` is None where the journal or all accounts are unknown. `taken` is the entry that used the
    same key before.
    """

    head: Head | None
    accounts: dict[int, AccountState]
    taken: int | None
    holds: dict[int, HoldState]


def lock(posting: Posting) -> Locked:
    """Lock the journal, then the balances in the order of their ids; read what they resolve.

    The key is looked up after the journal is locked, so whatever a competitor with the same key has
    just committed there is seen.
    """
    database = connections[DEFAULT_DB_ALIAS]
    accounts = sorted({side for line in posting.lines for side in (line.debit, line.credit)})
    holds = [line.hold for line in posting.lines if line.hold is not None]
    vendor = _vendor(database)
    with _cursor(database) as cursor:
        rows = vendor.lock(cursor, posting, accounts)
        held = vendor.holds(cursor, holds) if holds else []
    head: Head | None = None
    taken: int | None = None
    if rows:
        journal_id, seq, newest, taken = rows[0][:4]
        head = None if journal_id is None else Head(journal_id, seq, bytes(newest))
    return Locked(
        head=head,
        accounts={row[4]: _account(row[4:]) for row in rows},
        taken=taken,
        holds={row[0]: HoldState(*row) for row in held},
    )


def write(posting: Posting, values: dict[str, Any]) -> Entry:
    """Insert all lines, which a trigger applies to the balances, then the header.

    The header comes last: a trigger checks it against its lines, chains it to its journal, and from
    then on refuses further lines.
    """
    database = connections[DEFAULT_DB_ALIAS]
    with _cursor(database) as cursor:
        _vendor(database).write(cursor, posting, values)
    return Entry.from_db(database.alias, _FIELDS, [values[name] for name in _FIELDS])


def _vendor(database: BaseDatabaseWrapper) -> ModuleType:
    return postgresql if database.vendor == "postgresql" else sqlite


def _cursor(database: BaseDatabaseWrapper) -> CursorWrapper:
    """A cursor for these fixed statements; wrappers, logs and errors are Django's as ever."""
    database.ensure_connection()
    own = _vendor(database).Cursor(database)
    if database.queries_logged:
        return database.make_debug_cursor(own)
    return database.make_cursor(own)


def entry_id(journal_id: int, seq: int) -> int:
    """The primary key of the entry with this number."""
    return (journal_id << SEQ_BITS) + seq


def _account(row: tuple[Any, ...]) -> AccountState:
    return AccountState(
        id=row[0],
        asset=row[1],
        owner=row[2],
        purpose=row[3],
        is_open=bool(row[4]),
        rule=row[5],
        debits=row[6],
        credits=row[7],
        debits_held=row[8],
        credits_held=row[9],
    )
