"""Every guard of the ledger's tables taken away in turn: what it alone refuses then gets through.

So no refusal is owed to another guard than the one it is written down for, none is there for
nothing, and a new one has to be attacked here. On PostgreSQL, where tables can be altered within a
transaction that is rolled back.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction

from ledger.audit import Code
from tests.ledger.attacks import (
    CHECKS,
    DECIDE,
    HELD,
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

pytestmark = pytest.mark.services


ASK = (
    "INSERT INTO ledger_reversalrequest"
    " (entry_id, key, reason, needs_second, asked_by, asked_at)"
    " SELECT entry_id, {key}, reason, needs_second, asked_by, asked_at FROM ledger_reversalrequest"
)

ATTACKS = [
    # CHECK constraints.
    *CHECKS,
    Attack(
        "ledger_balance_counters",
        "UPDATE ledger_balance SET debits_held = -1 WHERE account_id = {issuer}",
        lifted=("ledger_balance_by_trigger",),
    ),
    Attack("ledger_balance_not_above_zero", line(credit_id="{bank}")),
    Attack("ledger_balance_not_below_zero", line(debit_id="{nobody}")),
    Attack("ledger_entry_numbered", f"{line(entry_id='17')}; {header(id='17')}"),
    Attack(
        "ledger_transfer_mode_check",
        line(mode="-1"),
        lifted=("ledger_transfer_mode", "ledger_transfer_applied"),
    ),
    Attack("ledger_transfer_two_sides", line(debit_id="{anna}")),
    # Unique keys.
    Attack("ledger_account_once", account("player:1", "unbounded")),
    Attack("ledger_cash_key_once", cash(key="'asked'")),
    Attack(
        "ledger_checkpoint_previous_id_key",
        "INSERT INTO ledger_checkpoint (taken_at, occasion, tree, root, seal, previous_id)"
        " SELECT taken_at, 'forked', tree, root, seal, previous_id FROM ledger_checkpoint"
        " WHERE previous_id IS NOT NULL",
    ),
    Attack("ledger_entry_key_once", entry(key="'undo'")),
    Attack(
        "ledger_entry_reversed_once",
        f"{line(debit_id='{ben}', credit_id='{issuer}')}; {header(reverses_id='{reversed}')}",
    ),
    Attack("ledger_journal_once", journal("house", 0)),
    Attack("ledger_transfer_line_once", f"{line()}; {line()}"),
    Attack("ledger_transfer_hold_once", line(mode="3", hold_id="{settled}", **HELD)),
    # What is asked to be moved back, the answers, and the checks of the books.
    Attack("ledger_undo_named", ASK.format(key="''") + " WHERE key = 'back'"),
    Attack("ledger_reversalrequest_key_key", ASK.format(key="key") + " WHERE key = 'back'"),
    Attack(
        "ledger_undo_decision_named",
        "INSERT INTO ledger_reversaldecision (request_id, decided_by, decided_at, note)"
        " SELECT id, '', now(), '' FROM ledger_reversalrequest WHERE key = 'back again'",
    ),
    Attack("ledger_undo_requests_stay_rows", "UPDATE ledger_reversalrequest SET asked_by = 'x'"),
    Attack(
        "ledger_undo_requests_stay_truncate",
        "TRUNCATE ledger_reversalrequest, ledger_reversaldecision",
        lifted=("ledger_undo_decisions_stay_truncate",),
    ),
    Attack("ledger_undo_decisions_stay_rows", "DELETE FROM ledger_reversaldecision"),
    Attack("ledger_undo_decisions_stay_truncate", "TRUNCATE ledger_reversaldecision"),
    Attack(
        "ledger_bookscheck_faults_check",
        "INSERT INTO ledger_bookscheck (at, faults, entries, transfers, seconds, root, report)"
        " VALUES (now(), -1, 0, 0, 0, '', '')",
    ),
    Attack("ledger_checks_stay_rows", "UPDATE ledger_bookscheck SET faults = 7"),
    Attack("ledger_checks_stay_truncate", "TRUNCATE ledger_bookscheck"),
    # Triggers that refuse every change.
    Attack("ledger_asset_frozen", "UPDATE ledger_asset SET scale = 3"),
    Attack("ledger_entry_frozen", "UPDATE ledger_entry SET reason = 'nothing to see'"),
    Attack("ledger_transfer_frozen", "UPDATE ledger_transfer SET amount = amount + 1"),
    Attack("ledger_checkpoint_frozen", "UPDATE ledger_checkpoint SET occasion = 'forged'"),
    Attack("ledger_accountchange_frozen", "DELETE FROM ledger_accountchange"),
    Attack("ledger_cashrequest_frozen", "UPDATE ledger_cashrequest SET asked_by = 'somebody'"),
    Attack("ledger_cashdecision_frozen", "DELETE FROM ledger_cashdecision"),
    Attack("ledger_account_kept", "DELETE FROM ledger_account WHERE id = {nobody}"),
    Attack("ledger_balance_kept", "DELETE FROM ledger_balance WHERE account_id = {nobody}"),
    Attack("ledger_journal_kept", "DELETE FROM ledger_journal"),
    # Triggers that keep a rule.
    Attack(
        "ledger_balance_by_trigger",
        "UPDATE ledger_balance SET credits = 9000 WHERE account_id = {anna}",
    ),
    Attack("ledger_journal_by_trigger", "UPDATE ledger_journal SET head_seq = head_seq + 1"),
    Attack("ledger_account_only_open", "UPDATE ledger_account SET owner = 'x' WHERE id = {anna}"),
    Attack("ledger_journal_empty", journal("forged", 7)),
    Attack("ledger_transfer_applied", line(entry_id="{last}", line="9")),
    Attack("ledger_transfer_applied", line(credit_id="999999")),
    Attack("ledger_transfer_applied", line(credit_id="{practice}")),
    Attack("ledger_transfer_applied", line(credit_id="{frozen}")),
    Attack("ledger_transfer_applied", line(mode="3", hold_id="{hold}", amount="41", **HELD)),
    Attack("ledger_transfer_applied", line(mode="4", hold_id="{hold}", amount="39", **HELD)),
    Attack("ledger_transfer_applied", line(mode="3", hold_id="{hold}")),
    Attack(
        "ledger_entry_chained",
        f"{line(entry_id='{last} + 2')}; {header(id='id + 2', seq='seq + 2')}",
    ),
    Attack("ledger_entry_chained", entry(prev_hash="prev_hash")),
    Attack("ledger_entry_chained", entry(line_count="2")),
    Attack("ledger_entry_chained", entry(hash="'short'")),
    Attack("ledger_entry_chained", entry(reverses_id="{last}")),
    Attack(
        "ledger_cashdecision_by_another",
        f"{DECIDE} VALUES ({{request}}, 'operator:1', now(), '', {{last}})",
    ),
]


@pytest.fixture
def books(db: None) -> Books:
    """Fresh books."""
    return Books()


@pytest.fixture
def names(books: Books) -> Iterator[dict[str, int]]:
    """Books with something of everything; the ids that statements name. All of it is undone."""
    with transaction.atomic():
        yield filled(books)
        transaction.set_rollback(True)


def guards_of_tables() -> dict[str, str]:
    """Every CHECK, unique key and trigger of a table of the ledger; the statement that drops it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT o.conname, format('ALTER TABLE %I DROP CONSTRAINT %I', c.relname, o.conname)"
            " FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid"
            " WHERE o.contype IN ('c', 'u') AND c.relname LIKE 'ledger\\_%'"
            " UNION ALL SELECT x.relname, format('DROP INDEX %I', x.relname)"
            " FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid"
            " JOIN pg_class x ON x.oid = i.indexrelid"
            " WHERE i.indisunique AND i.indpred IS NOT NULL AND c.relname LIKE 'ledger\\_%'"
            " UNION ALL SELECT t.tgname, format('DROP TRIGGER %I ON %I', t.tgname, c.relname)"
            " FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " WHERE NOT t.tgisinternal AND c.relname LIKE 'ledger\\_%'"
        )
        return dict(cursor.fetchall())


def run(statement: str) -> None:
    """Run it in a savepoint of its own."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.guard)
def test_what_a_guard_refuses_gets_through_without_it(
    names: dict[str, int], attack: Attack
) -> None:
    drops = guards_of_tables()
    statement = attack.statement.format(**names)
    for other in attack.lifted:
        run(drops[other])
    with pytest.raises(IntegrityError) as caught:
        run(statement)
    cause = caught.value.__cause__
    assert isinstance(cause, psycopg.Error)
    assert cause.diag.constraint_name == attack.guard or "ledger:" in str(cause)
    run(drops[attack.guard])
    run(statement)


def test_every_guard_is_attacked(db: None) -> None:
    """The one that gives an account its balance refuses nothing; see below."""
    attacked = {attack.guard for attack in ATTACKS} | {"ledger_account_balance"}
    assert attacked == set(guards_of_tables())


def test_without_its_trigger_an_account_has_no_balance(names: dict[str, int], books: Books) -> None:
    run(guards_of_tables()["ledger_account_balance"])
    books.account("player:77")
    assert Code.NO_BALANCE in books.faults()
