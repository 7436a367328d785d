"""Checkpoints: what the owner of the database can rewrite, the seals still show."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from ledger import chain, merkle
from ledger.audit import Code
from ledger.errors import LedgerError
from ledger.models import Checkpoint, Entry, Journal
from ledger.services import open_journal, prove_journal, take_checkpoint
from ledger.tasks import release_expired_holds
from ledger.tasks import take_checkpoint as hourly
from tests.ledger.books import NOW, Books
from tests.ledger.test_books import tamper


@pytest.fixture
def sealed(books: Books) -> Books:
    """Three entries, a checkpoint, two more entries, a checkpoint."""
    open_journal(code="table:1")
    for amount in (10, 20, 30):
        books.fund(books.anna, amount)
    take_checkpoint(occasion="hourly", now=NOW)
    books.pay(books.anna, books.ben, 5)
    books.pay(books.anna, books.ben, 6, journal="table:1")
    take_checkpoint(occasion="hourly", now=NOW + timedelta(hours=1))
    assert books.faults() == []
    return books


def rewrite(books: Books, seq: int, amount: int) -> None:
    """Change an entry's amount and every hash, head and balance after it, so that all fits."""
    journal = Journal.objects.get(code="house")
    entry = Entry.objects.get(journal=journal, seq=seq)
    line = entry.transfers.get()
    change = amount - line.amount
    moved = "UPDATE ledger_balance SET {0} = {0} + {1} WHERE account_id = {2}"
    tamper(
        f"UPDATE ledger_transfer SET amount = {amount} WHERE id = {line.id}",
        moved.format("credits", change, line.credit_id),
        moved.format("debits", change, line.debit_id),
    )
    head = bytes(entry.prev_hash)
    for later in Entry.objects.filter(journal=journal, seq__gte=seq).order_by("seq"):
        lines = [
            (t.line, "post", t.debit_id, t.credit_id, t.amount, None, None)
            for t in later.transfers.order_by("line")
        ]
        sides = {
            account
            for t in later.transfers.select_related("debit", "credit")
            for account in (t.debit, t.credit)
        }
        content = chain.entry_content(
            journal="house",
            seq=later.seq,
            kind=later.kind,
            key=later.key,
            actor=later.actor,
            reference=later.reference,
            reason=later.reason,
            at=later.at,
            reverses=None,
            lines=lines,
            parties=[
                (a.id, a.asset_id, a.owner, a.purpose, a.rule)
                for a in sorted(sides, key=lambda account: account.id)
            ],
        )
        request = ["house", later.kind, later.key, "", "", None, [line[1:] for line in lines]]
        new = chain.entry_hash(head, content)
        tamper(
            f"UPDATE ledger_entry SET prev_hash = {blob(head)}, hash = {blob(new)},"
            f" fingerprint = {blob(chain.fingerprint(request))} WHERE id = {later.id}"
        )
        head = new
    tamper(f"UPDATE ledger_journal SET head_hash = {blob(head)} WHERE id = {journal.id}")


def blob(value: bytes) -> str:
    """Bytes as a literal of this database."""
    return f"x'{value.hex()}'" if connection.vendor == "sqlite" else f"'\\x{value.hex()}'::bytea"


def test_a_journal_rewritten_so_that_all_hashes_fit_is_found_by_its_checkpoints(
    sealed: Books,
) -> None:
    rewrite(sealed, seq=2, amount=21)
    assert set(sealed.faults()) == {Code.CHECKPOINT_DIFFERS}


def test_without_a_checkpoint_such_a_rewriting_would_pass(books: Books) -> None:
    """So the test above shows what checkpoints are for."""
    for amount in (10, 20, 30):
        books.fund(books.anna, amount)
    rewrite(books, seq=2, amount=21)
    assert books.faults() == []


def test_entries_cut_off_at_the_end_are_found(sealed: Books) -> None:
    last = Entry.objects.filter(journal__code="house").order_by("seq").last()
    assert last is not None
    head = blob(bytes(last.prev_hash))
    tamper(
        f"DELETE FROM ledger_transfer WHERE entry_id = {last.id}",
        f"DELETE FROM ledger_entry WHERE id = {last.id}",
        f"UPDATE ledger_journal SET head_seq = {last.seq - 1}, head_hash = {head}"
        f" WHERE id = {last.journal_id}",
    )
    assert Code.CHECKPOINT_DIFFERS in sealed.faults()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_checkpoint SET root = seal",
        "UPDATE ledger_checkpoint SET seal = root",
        "UPDATE ledger_checkpoint SET occasion = 'close' WHERE previous_id IS NULL",
        "UPDATE ledger_checkpoint SET taken_at = '2020-01-01 00:00:00' WHERE previous_id IS NULL",
        "UPDATE ledger_checkpoint SET tree = '[]'",
        "UPDATE ledger_checkpoint SET tree = 'nonsense'",
        # The first taken out, and the second made to look like the first.
        "UPDATE ledger_checkpoint SET previous_id = NULL",
    ],
)
def test_a_checkpoint_that_was_changed_is_found(sealed: Books, statement: str) -> None:
    tamper(statement)
    assert Code.CHECKPOINT_DIFFERS in sealed.faults()


def test_a_checkpoint_taken_out_is_found(sealed: Books) -> None:
    tamper(
        "UPDATE ledger_checkpoint SET previous_id = NULL",
        "DELETE FROM ledger_checkpoint WHERE id = (SELECT min(id) FROM ledger_checkpoint)",
    )
    assert Code.CHECKPOINT_DIFFERS in sealed.faults()


def test_a_seal_needs_the_key_which_the_database_does_not_hold(sealed: Books) -> None:
    with override_settings(RUMMY_LEDGER_KEY="a forger's key"):
        take_checkpoint(occasion="forged", now=NOW)
        assert Code.CHECKPOINT_DIFFERS in sealed.faults()
    assert sealed.faults() == [Code.CHECKPOINT_DIFFERS]


def test_old_seals_are_still_ours_after_a_change_of_key(books: Books) -> None:
    with override_settings(RUMMY_LEDGER_KEY="old"):
        take_checkpoint(occasion="hourly", now=NOW)
    with override_settings(RUMMY_LEDGER_KEY="new", RUMMY_LEDGER_KEY_FALLBACKS=["old"]):
        take_checkpoint(occasion="hourly", now=NOW)
        assert books.faults() == []


def test_a_journal_is_proven_to_whoever_holds_the_root(sealed: Books) -> None:
    """Without seeing any other journal."""
    checkpoint = Checkpoint.objects.latest("id")
    proof = prove_journal(checkpoint=checkpoint, journal="table:1")
    leaf = chain.canonical([proof["journal"], proof["entries"], proof["head"]])
    steps = [(str(side), str(neighbour)) for side, neighbour in proof["steps"]]  # type: ignore[attr-defined]
    assert proof["entries"] == 1
    assert merkle.is_proven(leaf, steps, checkpoint.root)
    assert not merkle.is_proven(leaf + b" ", steps, checkpoint.root)
    with pytest.raises(LedgerError):
        prove_journal(checkpoint=checkpoint, journal="table:2")


def test_the_command_prints_the_root_to_be_kept_elsewhere(books: Books) -> None:
    out = StringIO()
    call_command("ledger_checkpoint", "--occasion", "close of tournament:7", stdout=out)
    checkpoint = Checkpoint.objects.get()
    assert out.getvalue().endswith(f"{checkpoint.root}\n")
    assert checkpoint.occasion == "close of tournament:7"


def test_the_alarms_do_their_work(books: Books) -> None:
    books.fund(books.anna, 10)
    books.hold(books.anna, books.ben, 10, until=NOW - timedelta(days=1))
    assert release_expired_holds() == 1
    assert hourly() == Checkpoint.objects.get().root


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=40), st.data())
def test_every_leaf_of_a_tree_is_proven_and_no_other(
    leaves: list[bytes], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    steps = merkle.proof(leaves, index)
    assert merkle.is_proven(leaves[index], steps, merkle.root(leaves))
    assert not merkle.is_proven(leaves[index] + b"x", steps, merkle.root(leaves))
    assert len(steps) <= 6


@given(st.lists(st.binary(max_size=4), max_size=12), st.lists(st.binary(max_size=4), max_size=12))
def test_different_lists_have_different_roots(one: list[bytes], other: list[bytes]) -> None:
    assert (merkle.root(one) == merkle.root(other)) is (one == other)
