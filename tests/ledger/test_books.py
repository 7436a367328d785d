"""The audit finds every change that the owner of the database can make behind our back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from ledger import guards
from ledger.audit import Code, check_books
from ledger.lines import Line
from ledger.models import Entry
from tests.ledger.books import NOW, Books

IN_A_CENTURY = NOW + timedelta(days=36_525)


@pytest.fixture
def history(books: Books) -> Books:
    """Some of everything: transfers, open and resolved holds, two journals, three entries each."""
    books.fund(books.anna, 1_000)
    books.fund(books.ben, 500)
    captured = books.hold(books.anna, books.escrow, 300)
    released = books.hold(books.ben, books.escrow, 100)
    books.hold(books.anna, books.escrow, 50, until=IN_A_CENTURY)
    books.post(Line.capture(captured, amount=200), Line.release(released))
    books.pay(books.anna, books.chitra, 20)
    books.pay(books.escrow, books.ben, 20, reason="a prize")
    assert books.faults() == []
    return books


def tamper(*statements: str) -> None:
    """Change rows as their owner can: without guards, constraints kept."""
    settle()
    guards.remove(connection)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    settle()
    guards.install(connection)


def settle() -> None:
    """Check what waits for the commit now: PostgreSQL alters no table while checks are pending."""
    if connection.vendor == "postgresql":
        connection.check_constraints()


LAST = "(SELECT max(id) FROM ledger_transfer)"
LAST_ENTRY = "(SELECT max(id) FROM ledger_entry)"
ANNA = "(SELECT id FROM ledger_account WHERE owner = 'player:1')"
BEN = "(SELECT id FROM ledger_account WHERE owner = 'player:2')"
CHITRA = "(SELECT id FROM ledger_account WHERE owner = 'player:3')"


@pytest.mark.parametrize(
    ("code", "statements"),
    [
        (
            Code.BALANCE_DIFFERS,
            [f"UPDATE ledger_balance SET credits = 9000 WHERE account_id = {ANNA}"],
        ),
        (
            # Two changes that cancel: the trial balance alone would not notice.
            Code.BALANCE_DIFFERS,
            [
                f"UPDATE ledger_balance SET credits = credits + 9 WHERE account_id = {ANNA}",
                f"UPDATE ledger_balance SET credits = credits - 9 WHERE account_id = {BEN}",
            ],
        ),
        (
            Code.UNBALANCED_ASSET,
            [f"UPDATE ledger_balance SET credits = credits + 9 WHERE account_id = {ANNA}"],
        ),
        (
            Code.BALANCE_DIFFERS,
            [f"UPDATE ledger_balance SET rule = 'unbounded' WHERE account_id = {ANNA}"],
        ),
        (Code.NO_BALANCE, [f"DELETE FROM ledger_balance WHERE account_id = {CHITRA}"]),
        (
            # An amount, and the balances to fit it.
            Code.CONTENT_CHANGED,
            [
                f"UPDATE ledger_transfer SET amount = amount - 5 WHERE id = {LAST}",
                f"UPDATE ledger_balance SET credits = credits - 5 WHERE account_id = {BEN}",
                "UPDATE ledger_balance SET debits = debits - 5 WHERE account_id ="
                f" (SELECT debit_id FROM ledger_transfer WHERE id = {LAST})",
            ],
        ),
        (
            # A payment sent to somebody else, and the balances to fit it.
            Code.CONTENT_CHANGED,
            [
                f"UPDATE ledger_transfer SET credit_id = {CHITRA} WHERE id = {LAST}",
                f"UPDATE ledger_balance SET credits = credits - 20 WHERE account_id = {BEN}",
                f"UPDATE ledger_balance SET credits = credits + 20 WHERE account_id = {CHITRA}",
            ],
        ),
        # A wallet given to somebody else.
        (Code.CONTENT_CHANGED, [f"UPDATE ledger_account SET owner = 'x' WHERE id = {BEN}"]),
        (Code.CONTENT_CHANGED, [f"UPDATE ledger_account SET purpose = 'x' WHERE id = {BEN}"]),
        *(
            (Code.CONTENT_CHANGED, [f"UPDATE ledger_entry SET {change} WHERE id = {LAST_ENTRY}"])
            for change in (
                "reason = 'a gift'",
                "kind = 'gift'",
                "actor = 'nobody'",
                "reference = 'tournament:8'",
                "key = 'another'",
                "at = '2020-01-01 00:00:00+00:00'",
                "fingerprint = prev_hash",
            )
        ),
        (Code.HEAD_DIFFERS, [f"UPDATE ledger_entry SET hash = prev_hash WHERE id = {LAST_ENTRY}"]),
        (Code.HEAD_DIFFERS, ["UPDATE ledger_journal SET head_seq = head_seq - 1"]),
        (
            Code.CHAIN_BROKEN,
            [f"UPDATE ledger_entry SET prev_hash = hash WHERE id = {LAST_ENTRY} - 2"],
        ),
        (
            Code.SEQUENCE_GAP,
            [
                f"DELETE FROM ledger_transfer WHERE entry_id = {LAST_ENTRY} - 1",
                f"DELETE FROM ledger_entry WHERE id = {LAST_ENTRY} - 1",
            ],
        ),
        (Code.LINES_MISSING, [f"DELETE FROM ledger_transfer WHERE id = {LAST}"]),
        (
            Code.HOLD_DIFFERS,
            ["UPDATE ledger_transfer SET amount = amount + 300 WHERE mode = 3"],
        ),
        (
            Code.HOLD_RESOLVED_TWICE,
            [
                "DROP INDEX ledger_transfer_hold_once",
                "UPDATE ledger_transfer SET hold_id ="
                " (SELECT min(hold_id) FROM ledger_transfer) WHERE mode = 4",
            ],
        ),
        (
            Code.ASSET_MISMATCH,
            [
                "INSERT INTO ledger_asset (code, kind, scale) VALUES ('INR', 'currency', 2)",
                f"UPDATE ledger_account SET asset_id = 'INR' WHERE id = {ANNA}",
            ],
        ),
        (
            Code.CONTENT_CHANGED,
            [
                "UPDATE ledger_transfer SET expires_at = NULL WHERE expires_at IS NOT NULL",
            ],
        ),
    ],
)
def test_tampering_is_found(history: Books, code: Code, statements: Sequence[str]) -> None:
    tamper(*statements)
    assert code in history.faults()


def test_an_orphan_transfer_is_found(history: Books) -> None:
    """Its header deleted, the journal's head wound back."""
    last = Entry.objects.order_by("id").last()
    assert last is not None
    if connection.vendor == "postgresql":  # its own foreign keys cannot be put off
        tamper("ALTER TABLE ledger_entry DISABLE TRIGGER ALL")
    tamper(
        f"UPDATE ledger_journal SET head_seq = {last.seq - 1}, head_hash ="
        f" (SELECT prev_hash FROM ledger_entry WHERE id = {last.id})",
        f"DELETE FROM ledger_entry WHERE id = {last.id}",
    )
    assert history.faults() == [Code.ORPHAN_TRANSFER]
    tamper(f"DELETE FROM ledger_transfer WHERE entry_id = {last.id}")


def test_a_hold_past_its_expiry_is_found_after_a_grace(history: Books) -> None:
    assert history.faults(IN_A_CENTURY + timedelta(minutes=59)) == []
    assert history.faults(IN_A_CENTURY + timedelta(minutes=60)) == [Code.HOLD_OVERDUE]


def test_the_command_reports_sound_books_as_json(history: Books) -> None:
    out = StringIO()
    call_command("check_books", "--json", stdout=out)
    report = json.loads(out.getvalue())
    assert report["sound"] is True
    assert (report["entries"], report["transfers"], report["faults"]) == (8, 9, 0)
    assert report["assets"] == [
        {
            "asset": "PLAY",
            "debits": 1_740,
            "credits": 1_740,
            "debits_held": 50,
            "credits_held": 50,
        }
    ]


def test_the_command_names_faults_and_exits_non_zero(history: Books) -> None:
    tamper("UPDATE ledger_entry SET reason = 'nothing to see' WHERE seq = 2")
    out = StringIO()
    with pytest.raises(SystemExit) as exit_:
        call_command("check_books", stdout=out)
    assert exit_.value.code == 1
    assert "content_changed at entry" in out.getvalue()
    assert "number 2" in out.getvalue()


def test_an_audit_reads_one_moment_outside_a_transaction(committed_books: Books) -> None:
    committed_books.fund(committed_books.anna, 5)
    findings = check_books(now=NOW)
    assert findings.is_sound
    assert findings.entries == 1
    assert not connection.in_atomic_block
    committed_books.fund(committed_books.anna, 5)
