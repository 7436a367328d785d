"""Going round the code with raw SQL: the database itself refuses.

Each case is a way to make, change or lose an amount that no service offers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from ledger import guards
from ledger.audit import Code
from ledger.models import Asset, Balance, Entry, Journal, Transfer
from ledger.services import CashKind, take_checkpoint
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import freeze_account, request_cash

ON_SQLITE = connection.vendor == "sqlite"

FORBIDDEN = [
    "UPDATE ledger_transfer SET amount = amount + 1",
    "UPDATE ledger_transfer SET amount = 1 WHERE id = {transfer}",
    "DELETE FROM ledger_transfer",
    "UPDATE ledger_entry SET reason = 'nothing to see'",
    "UPDATE ledger_entry SET hash = prev_hash",
    "DELETE FROM ledger_entry",
    "UPDATE ledger_asset SET scale = 3",
    "DELETE FROM ledger_asset",
    "UPDATE ledger_account SET owner = 'player:666' WHERE id = {anna}",
    "UPDATE ledger_account SET rule = 'unbounded' WHERE id = {anna}",
    "UPDATE ledger_account SET purpose = 'bonus' WHERE id = {anna}",
    "UPDATE ledger_account SET id = id + 1000 WHERE id = {anna}",
    "DELETE FROM ledger_account WHERE id = {ben}",
    "UPDATE ledger_balance SET credits = credits + 100 WHERE account_id = {anna}",
    "UPDATE ledger_balance SET rule = 'unbounded' WHERE account_id = {anna}",
    "UPDATE ledger_balance SET last_transfer = last_transfer + 1 WHERE account_id = {anna}",
    "DELETE FROM ledger_balance WHERE account_id = {ben}",
    "UPDATE ledger_journal SET head_seq = 0",
    "UPDATE ledger_journal SET head_seq = head_seq + 1",
    "UPDATE ledger_journal SET code = 'mansion'",
    "DELETE FROM ledger_journal",
    "UPDATE ledger_checkpoint SET occasion = 'forged'",
    "DELETE FROM ledger_checkpoint",
    "UPDATE ledger_accountchange SET actor = 'somebody'",
    "DELETE FROM ledger_accountchange",
    "UPDATE ledger_cashrequest SET asked_by = 'somebody'",
    "DELETE FROM ledger_cashrequest",
    "UPDATE ledger_cashdecision SET decided_by = 'somebody'",
    "DELETE FROM ledger_cashdecision",
    "INSERT INTO ledger_balance SELECT account_id + 5000, rule, 0, 9000, 0, 0, 0"
    " FROM ledger_balance WHERE account_id = {anna}",
    "INSERT INTO ledger_journal (code, head_seq, head_hash)"
    " SELECT 'forged', 7, head_hash FROM ledger_journal",
    # A new line under an old entry.
    "INSERT INTO ledger_transfer (entry_id, line, mode, debit_id, credit_id, amount)"
    " VALUES ({entry}, 9, 1, {issuer}, {anna}, 100)",
    # Overdraft, self-transfer, amounts that cannot be, unknown accounts and modes.
    *(
        "INSERT INTO ledger_transfer (entry_id, line, mode, debit_id, credit_id, amount)"
        f" VALUES ({{entry}} + 1, 0, {values})"
        for values in (
            "1, {anna}, {ben}, 501",
            "2, {anna}, {ben}, 501",
            "1, {anna}, {anna}, 5",
            "1, {issuer}, {anna}, 0",
            "1, {issuer}, {anna}, -5",
            "1, {issuer}, {anna}, 9007199254740992",
            "1, {issuer}, 999999, 5",
            "7, {issuer}, {anna}, 5",
            "3, {anna}, {ben}, 5",
            "1, {issuer}, {practice}, 5",
            "1, {anna}, {frozen}, 5",
        )
    ),
    # A hold that is not one; a hold of other accounts; more than was held; part of a release.
    *(
        "INSERT INTO ledger_transfer (entry_id, line, mode, debit_id, credit_id, amount, hold_id)"
        f" VALUES ({{entry}} + 1, 0, {values})"
        for values in (
            "3, {issuer}, {anna}, 500, {transfer}",
            "3, {chitra}, {ben}, 5, {hold}",
            "3, {chitra}, {escrow}, 41, {hold}",
            "4, {chitra}, {escrow}, 39, {hold}",
            "1, {chitra}, {escrow}, 5, {hold}",
        )
    ),
]

ONLY_SQLITE = [
    "REPLACE INTO ledger_transfer SELECT * FROM ledger_transfer WHERE id = {transfer}",
    "REPLACE INTO ledger_transfer (id, entry_id, line, mode, debit_id, credit_id, amount)"
    " VALUES ({transfer}, {entry} + 1, 0, 1, {issuer}, {anna}, 1)",
    "REPLACE INTO ledger_entry SELECT * FROM ledger_entry",
    "REPLACE INTO ledger_account SELECT * FROM ledger_account WHERE id = {anna}",
    "REPLACE INTO ledger_balance SELECT account_id, rule, 0, 9000, 0, 0, 0 FROM ledger_balance"
    " WHERE account_id = {anna}",
    "REPLACE INTO ledger_journal SELECT * FROM ledger_journal",
    "REPLACE INTO ledger_asset VALUES ('PLAY', 'currency', 2)",
    "UPDATE OR REPLACE ledger_transfer SET amount = 1",
    "UPDATE OR IGNORE ledger_balance SET credits = 9000",
    # A conflict clause may get round a CHECK, not round a guard.
    *(
        f"INSERT OR {clause} INTO ledger_transfer"
        " (entry_id, line, mode, debit_id, credit_id, amount)"
        " VALUES ({entry} + 1, 0, 1, {anna}, {ben}, 501)"
        for clause in ("IGNORE", "FAIL", "REPLACE", "ABORT")
    ),
    # SQLite would store these as they are.
    "INSERT INTO ledger_transfer (entry_id, line, mode, debit_id, credit_id, amount)"
    " VALUES ({entry} + 1, 0, 1, {issuer}, {anna}, 1.5)",
    "INSERT INTO ledger_transfer (entry_id, line, mode, debit_id, credit_id, amount)"
    " VALUES ({entry} + 1, 0, 1, {issuer}, {anna}, 'five')",
]

# Deletes the row in the way; with this pragma off, and only then, no delete trigger fires.
REPLACING = [
    "REPLACE INTO ledger_asset VALUES ('PLAY', 'currency', 2)",
    "REPLACE INTO ledger_account SELECT * FROM ledger_account WHERE id = {anna}",
    "REPLACE INTO ledger_account (asset_id, owner, purpose, rule, is_open)"
    " VALUES ('PLAY', 'player:1', 'wallet', 'unbounded', 1)",
    "REPLACE INTO ledger_balance SELECT account_id, rule, 0, 0, 0, 0, 0 FROM ledger_balance"
    " WHERE account_id = {anna}",
    "REPLACE INTO ledger_journal SELECT id, code, 0, zeroblob(32) FROM ledger_journal",
    "REPLACE INTO ledger_journal (code, head_seq, head_hash) VALUES ('house', 0, zeroblob(32))",
    "REPLACE INTO ledger_entry SELECT * FROM ledger_entry",
    "REPLACE INTO ledger_transfer SELECT * FROM ledger_transfer",
    "REPLACE INTO ledger_transfer (entry_id, line, mode, debit_id, credit_id, amount)"
    " SELECT {entry}, 0, 1, {issuer}, {anna}, 1",
    "REPLACE INTO ledger_checkpoint SELECT id, taken_at, 'forged', tree, root, seal, previous_id"
    " FROM ledger_checkpoint",
    "REPLACE INTO ledger_accountchange SELECT id, is_open, 'x', reason, at, account_id"
    " FROM ledger_accountchange",
    "REPLACE INTO ledger_cashrequest SELECT * FROM ledger_cashrequest",
    "REPLACE INTO ledger_cashdecision SELECT * FROM ledger_cashdecision",
]


ONLY_POSTGRESQL = [
    "TRUNCATE ledger_transfer CASCADE",
    "TRUNCATE ledger_entry CASCADE",
    "TRUNCATE ledger_balance",
    "TRUNCATE ledger_journal CASCADE",
    "TRUNCATE ledger_account CASCADE",
    "TRUNCATE ledger_asset CASCADE",
    "INSERT INTO ledger_balance SELECT * FROM ledger_balance WHERE account_id = {anna}"
    " ON CONFLICT (account_id) DO UPDATE SET credits = 9000",
    "INSERT INTO ledger_asset VALUES ('PLAY', 'currency', 2)"
    " ON CONFLICT (code) DO UPDATE SET scale = 3",
    "MERGE INTO ledger_transfer t USING ledger_account a ON a.id = t.credit_id"
    " WHEN MATCHED THEN UPDATE SET amount = 1",
    # A replication role silences ordinary triggers; these are always on.
    "SET LOCAL session_replication_role = replica; UPDATE ledger_transfer SET amount = 1",
    "SET LOCAL session_replication_role = replica; DELETE FROM ledger_entry",
    "SET LOCAL session_replication_role = replica; UPDATE ledger_balance SET credits = credits + 1",
    "SET LOCAL session_replication_role = replica;"
    " INSERT INTO ledger_transfer (entry_id, line, mode, debit_id, credit_id, amount)"
    " VALUES ({entry} + 1, 0, 1, {anna}, {ben}, 501)",
]


@pytest.fixture
def names(books: Books) -> dict[str, int]:
    """Books with something to attack, and the ids that the statements name."""
    Asset.objects.create(code="PRACTICE", kind="practice", scale=0)
    practice = books.account("player:1", asset="PRACTICE")
    frozen = books.account("player:9")
    words: dict[str, Any] = {"actor": "operator:1", "reason": "a test", "now": NOW}
    freeze_account(account=frozen.id, **words)
    request_cash(kind=CashKind.ADJUSTMENT, account=books.ben.id, amount=5, key="k", **words)
    take_checkpoint(occasion="hourly", now=NOW)
    books.fund(books.chitra, 40)
    hold = books.hold(books.chitra, books.escrow, 40)
    entry = books.fund(books.anna, 500)
    if not ON_SQLITE:  # else TRUNCATE is refused because foreign keys wait for the commit
        connection.check_constraints()
    return {
        "entry": entry.id,
        "transfer": entry.transfers.get().id,
        "hold": hold.id,
        "practice": practice.id,
        "frozen": frozen.id,
        "issuer": books.issuer.id,
        "escrow": books.escrow.id,
        "anna": books.anna.id,
        "ben": books.ben.id,
        "chitra": books.chitra.id,
    }


@pytest.mark.parametrize("statement", FORBIDDEN + (ONLY_SQLITE if ON_SQLITE else ONLY_POSTGRESQL))
def test_the_database_refuses(books: Books, names: dict[str, int], statement: str) -> None:
    before = list(Balance.objects.order_by("account_id").values())
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(**names))
    assert list(Balance.objects.order_by("account_id").values()) == before
    assert books.faults() == []


UPSERTS = [
    "INSERT INTO ledger_asset VALUES ('PLAY', 'play', 0)"
    " ON CONFLICT (code) DO UPDATE SET scale = 3",
    "INSERT INTO ledger_entry SELECT * FROM ledger_entry"
    " ON CONFLICT (key) DO UPDATE SET kind = 'x'",
    "INSERT INTO ledger_transfer SELECT * FROM ledger_transfer"
    " ON CONFLICT (id) DO UPDATE SET amount = 1",
]


@pytest.mark.parametrize("statement", REPLACING if ON_SQLITE else UPSERTS)
def test_nothing_is_replaced_by_what_is_inserted(
    books: Books, names: dict[str, int], statement: str
) -> None:
    refusal = "ledger:taken" if ON_SQLITE else "ledger:append_only"
    with connection.cursor() as cursor:
        if ON_SQLITE:
            cursor.execute("PRAGMA recursive_triggers = OFF")
        with pytest.raises(IntegrityError, match=refusal), transaction.atomic():
            cursor.execute(statement.format(**names))
        if ON_SQLITE:
            cursor.execute("PRAGMA recursive_triggers = ON")
    assert books.faults() == []


@pytest.mark.parametrize(
    "write",
    [
        lambda row: type(row).objects.filter(pk=row.pk).update(amount=1),
        lambda row: type(row).objects.filter(pk=row.pk)._raw_delete(using="default"),
        lambda row: type(row).objects.bulk_create(
            [row], update_conflicts=True, unique_fields=["id"], update_fields=["amount"]
        ),
        lambda row: row.save(),
    ],
    ids=["update", "delete", "bulk_create", "save"],
)
def test_models_are_refused_as_well(
    books: Books, names: dict[str, int], write: Callable[[Transfer], object]
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        write(Transfer.objects.get(id=names["transfer"]))
    assert books.faults() == []


def test_lines_without_a_header_fail_at_commit(committed_books: Books) -> None:
    """The transfers' foreign key is deferred, so only the commit can tell."""
    books = committed_books
    with pytest.raises(IntegrityError), transaction.atomic():
        Transfer.objects.create(
            entry_id=12345, line=0, mode=1, debit=books.issuer, credit=books.anna, amount=5
        )
    assert books.available(books.anna) == [0]


def write_entry(header: dict[str, Any], line: dict[str, Any]) -> None:
    """One line and its header, past all services."""
    Transfer.objects.create(entry_id=header["id"], **line)
    Entry.objects.create(**header)


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("seq", 3),
        ("line_count", 2),
        ("prev_hash", bytes(32)),
        ("hash", b"short"),
        ("key", "auto:1"),
        ("id", 17),
        ("actor", ""),
    ],
)
def test_a_header_that_does_not_follow_is_refused(
    books: Books, names: dict[str, int], change: str, value: object
) -> None:
    last = Entry.objects.get(id=names["entry"])
    fields = {field.attname: getattr(last, field.attname) for field in Entry._meta.concrete_fields}
    fields |= {"id": last.id + 1, "seq": last.seq + 1, "key": "forged", "prev_hash": last.hash}
    line: dict[str, Any] = {
        "line": 0,
        "mode": 1,
        "debit": books.issuer,
        "credit": books.anna,
        "amount": 5,
    }

    with pytest.raises(IntegrityError), transaction.atomic():
        write_entry(fields | {change: value}, line)
    assert Journal.objects.get(code="house").head_seq == last.seq
    write_entry(fields, line)
    assert Journal.objects.get(code="house").head_seq == last.seq + 1


def test_a_mass_reversal_cannot_be_more_than_what_it_reverses(
    books: Books, names: dict[str, int]
) -> None:
    """Raw lines that claim to reverse an entry mirror it line by line."""
    last = Entry.objects.get(id=names["entry"])
    fields = {field.attname: getattr(last, field.attname) for field in Entry._meta.concrete_fields}
    fields |= {"id": last.id + 1, "seq": last.seq + 1, "key": "forged", "prev_hash": last.hash}
    books.fund(books.ben, 900)
    head = Entry.objects.order_by("seq").last()
    assert head is not None
    fields |= {"id": head.id + 1, "seq": head.seq + 1, "prev_hash": head.hash}
    fields["reverses_id"] = last.id
    for debit, credit, amount, line in (
        (books.anna, books.issuer, 500, 1),
        (books.ben, books.issuer, 500, 0),
        (books.issuer, books.anna, 500, 0),
    ):
        row = {"line": line, "mode": 1, "debit": debit, "credit": credit, "amount": amount}
        with pytest.raises(IntegrityError), transaction.atomic():
            write_entry(fields, row)
    assert not Entry.objects.filter(reverses=last).exists()


def test_every_guard_is_installed(db: None) -> None:
    assert guards.missing(connection) == []
    assert len(guards.of(connection).EXPECTED) > 20


@pytest.mark.django_db(transaction=True)
def test_the_guards_come_and_go_with_their_migration() -> None:
    """Migrated back and forth again, all of them are there."""
    try:
        call_command("migrate", "ledger", "0001", verbosity=0)
        assert guards.missing(connection) == sorted(guards.of(connection).EXPECTED)
        call_command("migrate", "ledger", "zero", verbosity=0)
    finally:
        call_command("migrate", "ledger", verbosity=0)
    assert guards.missing(connection) == []


@pytest.mark.parametrize("name", sorted(guards.of(connection).EXPECTED))
def test_a_guard_that_was_lifted_is_reported(books: Books, name: str) -> None:
    everything = guards.of(connection)
    drops = [drop for drop in everything.DROP if re.search(rf"\b{name}\b", drop)]
    assert drops
    with connection.cursor() as cursor:
        cursor.execute(drops[0] + (" CASCADE" if "FUNCTION" in drops[0] else ""))
    assert name in guards.missing(connection)
    assert Code.GUARD_MISSING in books.faults()
