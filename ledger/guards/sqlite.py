"""The guards for SQLite: row triggers.

Three peculiarities are answered here. REPLACE deletes the row in its way without firing delete
triggers, so rows must not exist before they are inserted. A column takes a value of any type, so
the types of numbers are checked. There is no way to ask for the depth of triggers, so a balance may
only move by exactly what its next transfer says, and a journal's head only to its next entry.
"""

# The statements are put together from the constants of this module.
# ruff: noqa: S608

from __future__ import annotations

import re
from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

_FROZEN: Final = (
    "ledger_asset",
    "ledger_entry",
    "ledger_transfer",
    "ledger_checkpoint",
    "ledger_accountchange",
    "ledger_cashrequest",
    "ledger_cashdecision",
)

# What counts as "the same row" when something is inserted, each looked up by its own index.
_TAKEN: Final = {
    "ledger_asset": ("code = NEW.code",),
    "ledger_account": (
        "id = NEW.id",
        "owner = NEW.owner AND purpose = NEW.purpose AND asset_id = NEW.asset_id",
    ),
    "ledger_balance": ("account_id = NEW.account_id",),
    "ledger_journal": ("id = NEW.id", "code = NEW.code"),
    "ledger_entry": ("id = NEW.id", "key = NEW.key", "reverses_id = NEW.reverses_id"),
    "ledger_transfer": (
        "id = NEW.id",
        "entry_id = NEW.entry_id AND line = NEW.line",
        "hold_id = NEW.hold_id",
    ),
    "ledger_checkpoint": ("id = NEW.id", "previous_id = NEW.previous_id"),
    "ledger_accountchange": ("id = NEW.id",),
    "ledger_cashrequest": ("id = NEW.id", "key = NEW.key"),
    "ledger_cashdecision": ("request_id = NEW.request_id",),
}


def _trigger(name: str, when: str, table: str, body: str) -> str:
    return f"CREATE TRIGGER {name} {when} ON {table} FOR EACH ROW BEGIN {body} END"


def _refuse(code: str, condition: str) -> str:
    return f"SELECT RAISE(ABORT, 'ledger:{code}') WHERE {condition};"


_NEVER: Final = "SELECT RAISE(ABORT, 'ledger:append_only');"


def _append_only() -> dict[str, str]:
    triggers: dict[str, str] = {}
    for table, ways in _TAKEN.items():
        name = f"{table}_no_delete"
        triggers[name] = _trigger(name, "BEFORE DELETE", table, _NEVER)
        name = f"{table}_not_taken"
        body = "".join(
            _refuse("taken", f"EXISTS (SELECT 1 FROM {table} WHERE {way})") for way in ways
        )
        triggers[name] = _trigger(name, "BEFORE INSERT", table, body)
    for table in _FROZEN:
        name = f"{table}_no_update"
        triggers[name] = _trigger(name, "BEFORE UPDATE", table, _NEVER)
    return triggers


_ACCOUNT_UPDATE: Final = _trigger(
    "ledger_account_only_open",
    "BEFORE UPDATE",
    "ledger_account",
    _refuse(
        "append_only",
        "NEW.id <> OLD.id OR NEW.asset_id <> OLD.asset_id OR NEW.owner <> OLD.owner"
        " OR NEW.purpose <> OLD.purpose OR NEW.rule <> OLD.rule OR NEW.is_open NOT IN (0, 1)",
    ),
)

_ACCOUNT_BALANCE: Final = _trigger(
    "ledger_account_balance",
    "AFTER INSERT",
    "ledger_account",
    "INSERT INTO ledger_balance"
    " (account_id, rule, debits, credits, debits_held, credits_held, last_transfer)"
    " VALUES (NEW.id, NEW.rule, 0, 0, 0, 0, 0);",
)

_BALANCE_INSERT: Final = _trigger(
    "ledger_balance_from_account",
    "AFTER INSERT",
    "ledger_balance",
    _refuse(
        "guarded",
        "NEW.debits <> 0 OR NEW.credits <> 0 OR NEW.debits_held <> 0 OR NEW.credits_held <> 0"
        " OR NEW.last_transfer <> 0 OR NOT EXISTS (SELECT 1 FROM ledger_account"
        " WHERE id = NEW.account_id AND rule = NEW.rule)",
    ),
)

_BALANCE_UPDATE: Final = _trigger(
    "ledger_balance_by_transfer",
    "BEFORE UPDATE",
    "ledger_balance",
    _refuse(
        "overflow",
        "typeof(NEW.debits) <> 'integer' OR typeof(NEW.credits) <> 'integer'"
        " OR typeof(NEW.debits_held) <> 'integer' OR typeof(NEW.credits_held) <> 'integer'"
        " OR typeof(NEW.debits + NEW.debits_held) <> 'integer'"
        " OR typeof(NEW.credits + NEW.credits_held) <> 'integer'",
    )
    # The CHECKs say this too, but INSERT OR IGNORE and INSERT OR FAIL get round a CHECK.
    + _refuse(
        "insufficient_funds",
        "(NEW.rule = 'never_negative' AND NEW.credits < NEW.debits + NEW.debits_held)"
        " OR (NEW.rule = 'never_positive' AND NEW.debits < NEW.credits + NEW.credits_held)",
    )
    + _refuse(
        "guarded",
        "NEW.account_id <> OLD.account_id OR NEW.rule <> OLD.rule"
        " OR NEW.last_transfer <= OLD.last_transfer OR NOT EXISTS ("
        "SELECT 1 FROM ledger_transfer t LEFT JOIN ledger_transfer h ON h.id = t.hold_id"
        " WHERE t.id = NEW.last_transfer"
        " AND NEW.debits - OLD.debits"
        " = (t.debit_id = OLD.account_id) * (t.mode IN (1, 3)) * t.amount"
        " AND NEW.credits - OLD.credits"
        " = (t.credit_id = OLD.account_id) * (t.mode IN (1, 3)) * t.amount"
        " AND NEW.debits_held - OLD.debits_held = (t.debit_id = OLD.account_id)"
        " * CASE t.mode WHEN 1 THEN 0 WHEN 2 THEN t.amount ELSE -h.amount END"
        " AND NEW.credits_held - OLD.credits_held = (t.credit_id = OLD.account_id)"
        " * CASE t.mode WHEN 1 THEN 0 WHEN 2 THEN t.amount ELSE -h.amount END)",
    ),
)

_TRANSFER_APPLIED: Final = _trigger(
    "ledger_transfer_applied",
    "AFTER INSERT",
    "ledger_transfer",
    _refuse(
        "bad_type",
        "typeof(NEW.amount) <> 'integer' OR typeof(NEW.mode) <> 'integer'"
        " OR typeof(NEW.line) <> 'integer'",
    )
    + _refuse("entry_closed", "EXISTS (SELECT 1 FROM ledger_entry WHERE id = NEW.entry_id)")
    + _refuse(
        "asset_mismatch",
        "NOT EXISTS (SELECT 1 FROM ledger_account d, ledger_account c WHERE d.id = NEW.debit_id"
        " AND c.id = NEW.credit_id AND d.asset_id = c.asset_id)",
    )
    + _refuse(
        "account_closed",
        "NEW.mode <> 4 AND EXISTS (SELECT 1 FROM ledger_account"
        " WHERE id IN (NEW.debit_id, NEW.credit_id) AND NOT is_open)",
    )
    + _refuse(
        "hold_differs",
        "NEW.hold_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ledger_transfer h"
        " WHERE h.id = NEW.hold_id AND h.mode = 2 AND h.debit_id = NEW.debit_id"
        " AND h.credit_id = NEW.credit_id AND (h.amount = NEW.amount"
        " OR (NEW.mode = 3 AND NEW.amount < h.amount)))",
    )
    + "".join(
        f"UPDATE ledger_balance SET {side} = {side} + (NEW.mode IN (1, 3)) * NEW.amount,"
        f" {side}_held = {side}_held + CASE NEW.mode WHEN 1 THEN 0 WHEN 2 THEN NEW.amount"
        " ELSE -(SELECT amount FROM ledger_transfer WHERE id = NEW.hold_id) END,"
        f" last_transfer = NEW.id WHERE account_id = NEW.{account};"
        for side, account in (("debits", "debit_id"), ("credits", "credit_id"))
    ),
)

_ENTRY_CHAINED: Final = _trigger(
    "ledger_entry_chained",
    "AFTER INSERT",
    "ledger_entry",
    _refuse(
        "bad_type",
        "typeof(NEW.hash) <> 'blob' OR length(NEW.hash) <> 32"
        " OR typeof(NEW.fingerprint) <> 'blob' OR length(NEW.fingerprint) <> 32",
    )
    + _refuse(
        "line_count",
        "NEW.line_count <> (SELECT count(*) FROM ledger_transfer WHERE entry_id = NEW.id)",
    )
    + _refuse(
        "chain",
        "NOT EXISTS (SELECT 1 FROM ledger_journal WHERE id = NEW.journal_id"
        " AND head_seq + 1 = NEW.seq AND head_hash = NEW.prev_hash)",
    )
    + _refuse(
        "not_reversible",
        "NEW.reverses_id IS NOT NULL AND (EXISTS (SELECT 1 FROM ledger_entry"
        " WHERE id = NEW.reverses_id AND reverses_id IS NOT NULL)"
        " OR EXISTS (SELECT 1 FROM ledger_transfer t WHERE t.entry_id = NEW.id AND NOT EXISTS ("
        "SELECT 1 FROM ledger_transfer o WHERE o.entry_id = NEW.reverses_id AND o.line = t.line"
        " AND o.mode IN (1, 3) AND t.mode = 1 AND o.debit_id = t.credit_id"
        " AND o.credit_id = t.debit_id AND t.amount <= o.amount)))",
    )
    + "UPDATE ledger_journal SET head_seq = NEW.seq, head_hash = NEW.hash"
    " WHERE id = NEW.journal_id;",
)

_JOURNAL_EMPTY: Final = _trigger(
    "ledger_journal_empty",
    "AFTER INSERT",
    "ledger_journal",
    _refuse("guarded", "NEW.head_seq <> 0 OR NEW.head_hash <> zeroblob(32)"),
)

_JOURNAL_BY_ENTRY: Final = _trigger(
    "ledger_journal_by_entry",
    "AFTER UPDATE",
    "ledger_journal",
    _refuse(
        "guarded",
        "NEW.id <> OLD.id OR NEW.code <> OLD.code OR NEW.head_seq <> OLD.head_seq + 1"
        " OR NOT EXISTS (SELECT 1 FROM ledger_entry WHERE journal_id = OLD.id"
        " AND id = OLD.id * 4294967296 + NEW.head_seq"
        " AND hash = NEW.head_hash AND prev_hash = OLD.head_hash)",
    ),
)

_DECISION_BY_ANOTHER: Final = _trigger(
    "ledger_cashdecision_by_another",
    "AFTER INSERT",
    "ledger_cashdecision",
    _refuse(
        "four_eyes",
        "NEW.entry_id IS NOT NULL AND EXISTS (SELECT 1 FROM ledger_cashrequest"
        " WHERE id = NEW.request_id AND needs_second"
        " AND lower(trim(asked_by)) = lower(trim(NEW.decided_by)))",
    ),
)


def _name(statement: str) -> str:
    found = re.match(r"CREATE TRIGGER (\w+)", statement)
    assert found is not None  # noqa: S101
    return found[1]


EXPECTED: Final[dict[str, str]] = _append_only() | {
    _name(text): text
    for text in (
        _ACCOUNT_UPDATE,
        _ACCOUNT_BALANCE,
        _BALANCE_INSERT,
        _BALANCE_UPDATE,
        _TRANSFER_APPLIED,
        _ENTRY_CHAINED,
        _JOURNAL_EMPTY,
        _JOURNAL_BY_ENTRY,
        _DECISION_BY_ANOTHER,
    )
}

CREATE: Final[list[str]] = list(EXPECTED.values())
DROP: Final[list[str]] = [f"DROP TRIGGER IF EXISTS {name}" for name in EXPECTED]


def installed(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """The triggers on the ledger's tables with their text."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            " AND tbl_name LIKE 'ledger\\_%' ESCAPE '\\'"
        )
        return dict(cursor.fetchall())
