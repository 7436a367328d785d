"""Every guard of a SQLite file taken away in turn: what it alone refuses then gets through.

A trigger here says several things; each of its sentences is taken away alone. The books are copied
as text into a file in memory, without the guard, and attacked there. PostgreSQL has a test of its
own in `tests/services`, where the same attacks run.
"""

from __future__ import annotations

import re
import sqlite3
from typing import Final

import pytest
from django.db import connection

from tests.ledger.attacks import (
    CHECKS,
    DECIDE,
    HELD,
    MOMENT,
    Attack,
    account,
    cash,
    entry,
    filled,
    header,
    journal,
    line,
)
from tests.ledger.books import Books

_TRIGGER: Final = r"CREATE TRIGGER {} .*?; END;"
_SENTENCE: Final = re.compile(r"SELECT RAISE\(ABORT, 'ledger:(\w+)'\)[^;]*;")
_CHECK: Final = re.compile(r'CONSTRAINT "(\w+)" CHECK ')
_BARE: Final = re.compile(r'"(\w+)" [a-z ]+ NOT NULL CHECK \(')
_BAREST: Final = ' CHECK ("{}" >= 0)'
_UNIQUE: Final = re.compile(r'CONSTRAINT "(\w+)" UNIQUE \([^)]*\)')
_INDEX: Final = re.compile(r'CREATE UNIQUE INDEX "(ledger_\w+)" [^;]*;')
_TABLE: Final = re.compile(r'CREATE TABLE "(ledger_\w+)" .*?\);\n', re.DOTALL)

CHECKPOINT: Final = (
    "{} INTO ledger_checkpoint (id, taken_at, occasion, tree, root, seal, previous_id) SELECT {},"
    " taken_at, 'forged', tree, root, seal, {} FROM ledger_checkpoint WHERE previous_id IS NOT NULL"
)
DECIDED: Final = "(SELECT request_id FROM ledger_cashdecision)"
TAKEN: Final = "REPLACE"

ASKED: Final = (
    "{} INTO ledger_reversalrequest (entry_id, key, reason, needs_second, asked_by, asked_at)"
    " SELECT entry_id, {}, reason, needs_second, asked_by, asked_at FROM ledger_reversalrequest"
    " WHERE key = 'back'"
)
ANSWERED: Final = (
    "{} INTO ledger_reversaldecision (request_id, decided_by, decided_at, note)"
    " SELECT id, {}, asked_at, '' FROM ledger_reversalrequest WHERE key = {}"
)
CHECKED: Final = (
    "{} INTO ledger_bookscheck (id, at, faults, entries, transfers, seconds, root, report)"
    " SELECT {}, at, {}, entries, transfers, seconds, root, report FROM ledger_bookscheck"
)

ATTACKS: Final = [
    # What is asked to be moved back, the answers, and the checks of the books.
    Attack("ledger_undo_named", ASKED.format("INSERT", "''")),
    Attack("ledger_undo_requests_stay_replace 0 append_only", ASKED.format(TAKEN, "key")),
    Attack(
        "ledger_undo_requests_stay_update 0 append_only",
        "UPDATE ledger_reversalrequest SET asked_by = 'x'",
    ),
    Attack(
        "ledger_undo_requests_stay_delete 0 append_only",
        "DELETE FROM ledger_reversalrequest WHERE key = 'back again'",
    ),
    Attack("ledger_undo_decision_named", ANSWERED.format("INSERT", "''", "'back again'")),
    Attack(
        "ledger_undo_decisions_stay_replace 0 append_only", ANSWERED.format(TAKEN, "'x'", "'back'")
    ),
    Attack(
        "ledger_undo_decisions_stay_update 0 append_only",
        "UPDATE ledger_reversaldecision SET decided_by = 'x'",
    ),
    Attack(
        "ledger_undo_decisions_stay_delete 0 append_only", "DELETE FROM ledger_reversaldecision"
    ),
    Attack("ledger_bookscheck_faults_check", CHECKED.format("INSERT", "id + 1", "-1")),
    Attack("ledger_checks_stay_replace 0 append_only", CHECKED.format(TAKEN, "id", "7")),
    Attack("ledger_checks_stay_update 0 append_only", "UPDATE ledger_bookscheck SET faults = 7"),
    Attack("ledger_checks_stay_delete 0 append_only", "DELETE FROM ledger_bookscheck"),
    *CHECKS,
    Attack(
        "ledger_balance_counters",
        "UPDATE ledger_balance SET debits_held = -1 WHERE account_id = {issuer}",
        lifted=("ledger_balance_by_transfer",),
    ),
    Attack(
        "ledger_balance_not_above_zero",
        line(credit_id="{bank}"),
        lifted=("ledger_balance_by_transfer 1 insufficient_funds",),
    ),
    Attack(
        "ledger_balance_not_below_zero",
        line(debit_id="{nobody}"),
        lifted=("ledger_balance_by_transfer 1 insufficient_funds",),
    ),
    Attack(
        "ledger_entry_numbered",
        f"{line(entry_id='17')}; {header(id='17')}",
        lifted=("ledger_journal_by_entry",),
    ),
    Attack(
        "ledger_transfer_mode_check",
        line(mode="-1"),
        lifted=("ledger_transfer_mode", "ledger_transfer_applied"),
    ),
    Attack(
        "ledger_transfer_two_sides",
        line(debit_id="{anna}"),
        lifted=("ledger_balance_by_transfer 2 guarded",),
    ),
    # Unique keys. REPLACE would get round them; the triggers below refuse it.
    Attack("ledger_account_once", account("player:1", "unbounded"), ("ledger_account_not_taken",)),
    Attack("ledger_cash_key_once", cash(key="'asked'"), ("ledger_cashrequest_not_taken",)),
    Attack(
        "ledger_checkpoint_previous_id_key",
        CHECKPOINT.format("INSERT", "NULL", "previous_id"),
        ("ledger_checkpoint_not_taken",),
    ),
    Attack("ledger_entry_key_once", entry(key="'undo'"), ("ledger_entry_not_taken",)),
    Attack(
        "ledger_entry_reversed_once",
        f"{line(debit_id='{ben}', credit_id='{issuer}')}; {header(reverses_id='{reversed}')}",
        ("ledger_entry_not_taken",),
    ),
    Attack("ledger_journal_once", journal("house", 0), ("ledger_journal_not_taken",)),
    Attack("ledger_transfer_line_once", f"{line()}; {line()}", ("ledger_transfer_not_taken",)),
    Attack(
        "ledger_transfer_hold_once",
        line(mode="3", hold_id="{settled}", amount="30", **HELD),
        ("ledger_transfer_not_taken", "ledger_balance_by_transfer", "ledger_balance_counters"),
    ),
    # Rows that stand in the way of others.
    Attack(
        "ledger_asset_not_taken 0 taken", "REPLACE INTO ledger_asset VALUES ('PLAY', 'play', 2)"
    ),
    Attack(
        "ledger_account_not_taken 0 taken",
        "REPLACE INTO ledger_account SELECT id, 'player:666', purpose, rule, is_open, asset_id"
        " FROM ledger_account WHERE id = {anna}",
        lifted=("ledger_balance_not_taken",),
    ),
    Attack("ledger_account_not_taken 1 taken", account("player:1", "unbounded", TAKEN)),
    Attack(
        "ledger_balance_not_taken 0 taken",
        "REPLACE INTO ledger_balance SELECT account_id, rule, 0, 0, 0, 0, 0 FROM ledger_balance"
        " WHERE account_id = {anna}",
    ),
    Attack(
        "ledger_journal_not_taken 0 taken",
        "REPLACE INTO ledger_journal SELECT id, 'other', 0, zeroblob(32) FROM ledger_journal"
        " WHERE code = 'house'",
    ),
    Attack("ledger_journal_not_taken 1 taken", journal("house", 0, TAKEN)),
    Attack(
        "ledger_entry_not_taken 0 taken",
        header(TAKEN, id="id", seq="seq", prev_hash="prev_hash"),
        lifted=("ledger_entry_chained", "ledger_entry_not_taken 1 taken"),
    ),
    Attack("ledger_entry_not_taken 1 taken", f"{line()}; {header(TAKEN, key='key')}"),
    Attack(
        "ledger_entry_not_taken 2 taken",
        f"{line(debit_id='{ben}', credit_id='{issuer}')};"
        f" {header(TAKEN, reverses_id='{reversed}')}",
    ),
    Attack(
        "ledger_transfer_not_taken 0 taken",
        line(TAKEN, id="{hold}"),
        lifted=("ledger_balance_by_transfer 2 guarded",),
    ),
    Attack("ledger_transfer_not_taken 1 taken", f"{line(TAKEN)}; {line(TAKEN)}"),
    Attack(
        "ledger_transfer_not_taken 2 taken",
        line(TAKEN, mode="3", hold_id="{settled}", amount="30", **HELD),
        lifted=("ledger_balance_counters",),
    ),
    Attack("ledger_checkpoint_not_taken 0 taken", CHECKPOINT.format(TAKEN, "id", "NULL")),
    Attack("ledger_checkpoint_not_taken 1 taken", CHECKPOINT.format(TAKEN, "99", "previous_id")),
    Attack(
        "ledger_accountchange_not_taken 0 taken",
        "REPLACE INTO ledger_accountchange SELECT id, is_open, 'x', reason, at, account_id"
        " FROM ledger_accountchange",
    ),
    Attack("ledger_cashrequest_not_taken 0 taken", cash(TAKEN, id="{request}")),
    Attack("ledger_cashrequest_not_taken 1 taken", cash(TAKEN, key="'asked'")),
    Attack(
        "ledger_cashdecision_not_taken 0 taken",
        f"{DECIDE} VALUES ({DECIDED}, 'x', {MOMENT}, '', NULL)".replace("INSERT", TAKEN),
    ),
    # Changes and deletions.
    *(
        Attack(f"ledger_{table}_no_delete 0 append_only", f"DELETE FROM ledger_{table}")
        for table in (
            *("asset", "account", "balance", "journal", "entry", "transfer", "checkpoint"),
            *("accountchange", "cashrequest", "cashdecision"),
        )
    ),
    *(
        Attack(f"ledger_{table}_no_update 0 append_only", f"UPDATE ledger_{table} SET {change}")
        for table, change in (
            ("asset", "scale = 3"),
            ("entry", "reason = 'nothing to see'"),
            ("transfer", "amount = amount + 1"),
            ("checkpoint", "occasion = 'forged'"),
            ("accountchange", "actor = 'somebody'"),
            ("cashrequest", "asked_by = 'somebody'"),
            ("cashdecision", "decided_by = 'somebody'"),
        )
    ),
    # What keeps a rule.
    Attack(
        "ledger_account_only_open 0 append_only",
        "UPDATE ledger_account SET owner = 'x' WHERE id = {anna}",
    ),
    Attack(
        "ledger_balance_from_account 0 guarded",
        "INSERT INTO ledger_balance SELECT account_id + 5000, rule, 0, 9000, 0, 0, 0"
        " FROM ledger_balance WHERE account_id = {anna}",
    ),
    Attack(
        "ledger_balance_by_transfer 0 overflow",
        "UPDATE ledger_balance SET debits = 9223372036854775807 + 1 WHERE account_id = {issuer}",
        lifted=("ledger_balance_by_transfer 2 guarded",),
    ),
    Attack(
        "ledger_balance_by_transfer 1 insufficient_funds",
        line("INSERT OR IGNORE", debit_id="{nobody}"),
    ),
    Attack(
        "ledger_balance_by_transfer 2 guarded",
        "UPDATE ledger_balance SET credits = 9000 WHERE account_id = {anna}",
    ),
    Attack("ledger_transfer_applied 0 bad_type", line(line="'first'")),
    Attack(
        "ledger_transfer_applied 0 bad_type",
        line(amount="1.5"),
        lifted=("ledger_balance_by_transfer",),
    ),
    Attack("ledger_transfer_applied 1 entry_closed", line(entry_id="{last}", line="9")),
    Attack("ledger_transfer_applied 2 asset_mismatch", line(credit_id="{practice}")),
    Attack("ledger_transfer_applied 2 asset_mismatch", line(credit_id="999999")),
    Attack("ledger_transfer_applied 3 account_closed", line(credit_id="{frozen}")),
    Attack(
        "ledger_transfer_applied 4 hold_differs",
        line(mode="3", hold_id="{hold}", amount="41", **HELD),
    ),
    Attack(
        "ledger_transfer_applied 4 hold_differs",
        line(mode="4", hold_id="{hold}", amount="39", **HELD),
    ),
    Attack("ledger_entry_chained 0 bad_type", entry(hash="'short'")),
    Attack("ledger_entry_chained 1 line_count", entry(line_count="2")),
    Attack(
        "ledger_entry_chained 2 chain",
        entry(prev_hash="prev_hash"),
        lifted=("ledger_journal_by_entry",),
    ),
    Attack("ledger_entry_chained 3 not_reversible", entry(reverses_id="{last}")),
    Attack("ledger_journal_empty 0 guarded", journal("forged", 7)),
    Attack(
        "ledger_journal_by_entry 0 guarded", "UPDATE ledger_journal SET head_seq = head_seq + 1"
    ),
    Attack(
        "ledger_cashdecision_by_another 0 four_eyes",
        f"{DECIDE} VALUES ({{request}}, 'operator:1', {MOMENT}, '', {{last}})",
    ),
]


def dump() -> str:
    """The whole database as statements."""
    connection.ensure_connection()
    return "\n".join(connection.connection.iterdump())


def guards_in(script: str) -> set[str]:
    """The names of all CHECKs, unique keys and sentences of triggers of the ledger's tables."""
    found = set(_INDEX.findall(script))
    for table in _TABLE.finditer(script):
        text = table[0]
        found |= set(_CHECK.findall(text)) | set(_UNIQUE.findall(text))
        found |= {f"{table[1]}_{column}_check" for column in _BARE.findall(text)}
        if " NULL UNIQUE " in text:
            found.add(f"{table[1]}_previous_id_key")
    for name in re.findall(r"CREATE TRIGGER (ledger_\w+) ", script):
        trigger = re.search(_TRIGGER.format(name), script, re.DOTALL)
        assert trigger is not None
        codes = _SENTENCE.findall(trigger[0])
        found |= {f"{name} {number} {code}" for number, code in enumerate(codes)}
    return found


def without(script: str, guard: str) -> str:
    """The statements without one guard: a whole trigger, one of its sentences, or a constraint."""
    name, *sentence = guard.split()
    trigger = re.search(_TRIGGER.format(name), script, re.DOTALL)
    if trigger is not None:
        said = [each[0] for each in _SENTENCE.finditer(trigger[0])]
        kept = trigger[0].replace(said[int(sentence[0])], "SELECT 1;") if sentence else ""
        return script.replace(trigger[0], kept)
    if name.endswith("_previous_id_key"):
        return script.replace(" NULL UNIQUE ", " NULL ")
    for cut in (_cut_index, _cut_constraint, _cut_bare):
        shorter = cut(script, name)
        if shorter != script:
            return shorter
    raise AssertionError(guard)


def _cut_index(script: str, name: str) -> str:
    return re.sub(rf'CREATE UNIQUE INDEX "{name}" [^;]*;', "", script)


def _cut_constraint(script: str, name: str) -> str:
    begin = script.find(f', CONSTRAINT "{name}" ')
    if begin < 0:
        return script
    end = script.index("(", begin)
    depth = 1
    while depth:
        end += 1
        depth += {"(": 1, ")": -1}.get(script[end], 0)
    return script[:begin] + script[end + 1 :]


def _cut_bare(script: str, name: str) -> str:
    table, column = next(
        (table[0], column)
        for table in _TABLE.finditer(script)
        for column in _BARE.findall(table[0])
        if f"{table[1]}_{column}_check" == name
    )
    return script.replace(table, table.replace(_BAREST.format(column), ""))


def attack(script: str, statement: str) -> None:
    """Run it on a copy; raises `sqlite3.IntegrityError` where a guard refuses."""
    with sqlite3.connect(":memory:", isolation_level=None) as copy:
        copy.executescript(script)
        for each in statement.split("; "):
            copy.execute(each)
    copy.close()


@pytest.fixture
def books(db: None) -> Books:
    """Fresh books."""
    return Books()


@pytest.mark.parametrize("made", ATTACKS, ids=lambda made: made.guard)
def test_what_a_guard_refuses_gets_through_without_it(books: Books, made: Attack) -> None:
    statement = made.statement.format(**filled(books))
    script = dump()
    for other in made.lifted:
        script = without(script, other)
    with pytest.raises(sqlite3.IntegrityError) as caught:
        attack(script, statement)
    said = made.guard.split()[-1]
    assert said in str(caught.value) or "constraint failed" in str(caught.value)
    attack(without(script, made.guard), statement)


def test_every_guard_is_attacked(db: None) -> None:
    assert {made.guard for made in ATTACKS} == guards_in(dump())


def test_without_its_trigger_an_account_has_no_balance(books: Books) -> None:
    """The only trigger that refuses nothing."""
    script = dump()
    check = "INSERT INTO ledger_balance SELECT a.id, a.rule, 0, 0, 0, 0, 0 FROM ledger_account a"
    check += " WHERE a.owner = 'player:7'"
    with pytest.raises(sqlite3.IntegrityError, match="taken"):
        attack(script, f"{account('player:7', 'unbounded')}; {check}")
    bare = without(script, "ledger_account_balance")
    attack(bare, f"{account('player:7', 'unbounded')}; {check}")
