"""The fixed SQL statements of a posting, for both databases.

The ORM would cost more than half of the speed here. Everything runs on Django's own connection and
so inside whatever transaction is open. Statements take lists as one parameter each, so their text
does not grow with the number of lines. A round trip to PostgreSQL costs as much as the statement
itself, so there the locks go out as one message and the inserts as another.
"""

# The statements are put together from the constants of this module; values are parameters.
# ruff: noqa: S608

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from django.db import connection
from django.db.backends.utils import CursorWrapper

from ledger.lines import Posting
from ledger.models import Entry
from ledger.plan import AccountState, HoldState
from ledger.terms import SEQ_BITS

LOCK_MILLISECONDS: Final = 10_000
"""How long a posting waits for a row that another transaction has locked (PostgreSQL)."""

_ENTRY_FIELDS: Final = tuple(field.attname for field in Entry._meta.concrete_fields)
_ACCOUNT_COLUMNS: Final = (
    "b.account_id, a.asset_id, a.owner, a.purpose, a.is_open, b.rule, b.debits, b.credits,"
    " b.debits_held, b.credits_held, (SELECT id FROM ledger_entry WHERE key = %s)"
    " FROM ledger_balance b JOIN ledger_account a ON a.id = b.account_id"
)
_HOLD_COLUMNS: Final = (
    "h.id, h.debit_id, h.credit_id, h.amount, h.expires_at, r.id IS NOT NULL"
    " FROM ledger_transfer h LEFT JOIN ledger_transfer r ON r.hold_id = h.id WHERE h.mode = 2"
)
_TRANSFER_COLUMNS: Final = (
    "INSERT INTO ledger_transfer"
    " (entry_id, line, mode, debit_id, credit_id, amount, hold_id, expires_at)"
)
_ONE_OF: Final = {"postgresql": "= ANY(%s)", "sqlite": "IN (SELECT value FROM json_each(%s))"}

_JOURNAL: Final = {
    # The timeout is set before the row is reached, in the same round trip.
    "postgresql": (
        "SELECT j.id, j.head_seq, j.head_hash"
        " FROM (SELECT set_config('lock_timeout', %s, true) AS timeout) g"
        " CROSS JOIN ledger_journal j WHERE j.code = %s FOR UPDATE OF j"
    ),
    "sqlite": "SELECT id, head_seq, head_hash FROM ledger_journal WHERE %s <> '' AND code = %s",
}
_BALANCES: Final = {
    "postgresql": (
        f"SELECT {_ACCOUNT_COLUMNS} WHERE b.account_id {_ONE_OF['postgresql']}"
        " ORDER BY b.account_id FOR UPDATE OF b"
    ),
    "sqlite": f"SELECT {_ACCOUNT_COLUMNS} WHERE b.account_id {_ONE_OF['sqlite']}",
}
_HOLDS: Final = {
    vendor: f"SELECT {_HOLD_COLUMNS} AND h.id {one_of}" for vendor, one_of in _ONE_OF.items()
}
_TRANSFERS: Final = {
    "postgresql": (
        f"{_TRANSFER_COLUMNS} SELECT %s, l.* FROM unnest(%s::smallint[], %s::smallint[],"
        " %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::timestamptz[]) l"
    ),
    "sqlite": (
        f"{_TRANSFER_COLUMNS} SELECT %s, "
        + ", ".join(f"json_extract(value, '$[{column}]')" for column in range(7))
        + " FROM json_each(%s)"
    ),
}
_ENTRY: Final = (
    f"INSERT INTO ledger_entry ({', '.join(_ENTRY_FIELDS)})"
    f" VALUES ({', '.join(['%s'] * len(_ENTRY_FIELDS))})"
)

Statement = tuple[str, list[Any]]


class Head(msgspec.Struct, frozen=True):
    """A locked journal: its id, the number of its newest entry and that entry's hash."""

    journal_id: int
    seq: int
    hash: bytes


class Locked(msgspec.Struct, frozen=True):
    """What is known under the locks. `taken` is the entry that used the same key before."""

    head: Head | None
    accounts: dict[int, AccountState]
    taken: int | None
    holds: dict[int, HoldState]


def lock(posting: Posting) -> Locked:
    """Lock the journal, then the balances in the order of their ids; read what they resolve.

    The key is looked up by the statement that locks the balances: it begins when the journal is
    locked, so it sees whatever a competitor with the same key has just committed there.
    """
    vendor = connection.vendor
    accounts = sorted({side for line in posting.lines for side in (line.debit, line.credit)})
    holds = [line.hold for line in posting.lines if line.hold is not None]
    statements: list[Statement] = [
        (_JOURNAL[vendor], [str(LOCK_MILLISECONDS), posting.journal]),
        (_BALANCES[vendor], [posting.key, _many(accounts)]),
    ]
    if holds:
        statements.append((_HOLDS[vendor], [_many(holds)]))
    with connection.cursor() as cursor:
        heads, balances, *held = _results(cursor, statements)
    return Locked(
        head=Head(heads[0][0], heads[0][1], bytes(heads[0][2])) if heads else None,
        accounts={row[0]: _account(row) for row in balances},
        taken=balances[0][10] if balances else None,
        holds={row[0]: _hold(row) for rows in held for row in rows},
    )


def write(posting: Posting, values: dict[str, Any]) -> Entry:
    """Insert all lines, which a trigger applies to the balances, then the header.

    The header comes last: a trigger checks it against its lines, chains it to its journal, and from
    then on refuses further lines.
    """
    row = [values[name] for name in _ENTRY_FIELDS]
    header = [_stored(value) if isinstance(value, datetime) else value for value in row]
    with connection.cursor() as cursor:
        _results(cursor, [_transfers(values["id"], posting), (_ENTRY, header)])
    return Entry.from_db(connection.alias, _ENTRY_FIELDS, row)


def entry_id(journal_id: int, seq: int) -> int:
    """The primary key of the entry with this number."""
    return (journal_id << SEQ_BITS) + seq


def _transfers(entry: int, posting: Posting) -> Statement:
    rows = [
        (number, int(line.mode), line.debit, line.credit, line.amount, line.hold, line.expires_at)
        for number, line in zip(posting.numbers, posting.lines, strict=True)
    ]
    if connection.vendor == "postgresql":
        columns = [list(column) for column in zip(*rows, strict=True)]
        return _TRANSFERS["postgresql"], [entry, *columns]
    stored = [[*row[:6], _stored(row[6])] for row in rows]
    return _TRANSFERS["sqlite"], [entry, json.dumps(stored)]


def _results(cursor: CursorWrapper, statements: Sequence[Statement]) -> list[list[tuple]]:
    """The rows of each statement, in order; one round trip on PostgreSQL."""
    options = connection.settings_dict.get("OPTIONS", {})
    if connection.vendor == "postgresql" and not options.get("server_side_binding"):
        text = "; ".join(sql for sql, _ in statements)
        cursor.execute(text, [value for _, values in statements for value in values])
        found = [_rows(cursor)]
        while cursor.nextset():
            found.append(_rows(cursor))
        return found
    found = []
    for sql, values in statements:
        cursor.execute(sql, values)
        found.append(_rows(cursor))
    return found


def _rows(cursor: CursorWrapper) -> list[tuple]:
    return cursor.fetchall() if cursor.description else []


def _account(row: tuple) -> AccountState:
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


def _hold(row: tuple) -> HoldState:
    return HoldState(
        id=row[0],
        debit=row[1],
        credit=row[2],
        amount=row[3],
        expires_at=_aware(row[4]),
        resolved=bool(row[5]),
    )


def _many(values: Sequence[int]) -> Any:
    """A list of numbers as one parameter."""
    return list(values) if connection.vendor == "postgresql" else json.dumps(list(values))


def _stored(value: datetime | None) -> Any:
    """A moment as this database's driver takes it."""
    return connection.ops.adapt_datetimefield_value(value)


def _aware(value: Any) -> datetime | None:
    """A moment as this database's driver gives it, in UTC; SQLite's has no time zone."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return None
