"""Reversal: a new entry, once, never more than it was; nothing old is touched."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ledger.errors import Code, InsufficientFunds, LedgerError
from ledger.lines import Line
from ledger.models import Entry
from ledger.services import reverse
from tests.ledger.books import NOW, Books


def undo(entry: Entry, key: str = "undo", **words: Any) -> Entry:
    """Reverse an entry as an operator would."""
    request: dict[str, Any] = {"actor": "operator", "reason": "a mistake", "now": NOW}
    return reverse(entry=entry.id, key=key, **(request | words))


def test_a_reversal_moves_everything_back_and_points_at_the_entry(books: Books) -> None:
    books.fund(books.anna, 500)
    paid = books.pay(books.anna, books.escrow, 120, reference="tournament:7")
    reversal = undo(paid)
    assert books.available(books.anna, books.escrow) == [500, 0]
    assert (reversal.reverses_id, reversal.reference) == (paid.id, "tournament:7")
    assert books.faults() == []


def test_an_entry_is_reversed_at_most_once(books: Books) -> None:
    books.fund(books.anna, 500)
    books.fund(books.escrow, 500)
    paid = books.pay(books.anna, books.escrow, 120)
    undo(paid)
    with pytest.raises(LedgerError) as caught:
        undo(paid, key="undo again")
    assert caught.value.code == Code.ALREADY_REVERSED
    assert books.available(books.anna) == [500]


def test_the_key_of_a_reversal_gives_the_reversal_again(books: Books) -> None:
    books.fund(books.anna, 500)
    paid = books.pay(books.anna, books.escrow, 120)
    first = undo(paid)
    again = undo(paid, now=NOW + timedelta(days=1))
    assert (again.id, again.replayed) == (first.id, True)


def test_a_reversed_operation_retried_with_its_old_key_is_not_done_again(books: Books) -> None:
    """Paying again needs a new key."""
    books.fund(books.escrow, 500)
    paid = books.pay(books.escrow, books.anna, 500, key="payout:7:1")
    undo(paid)
    retried = books.pay(books.escrow, books.anna, 500, key="payout:7:1")
    assert (retried.id, retried.replayed) == (paid.id, True)
    assert books.available(books.escrow, books.anna) == [500, 0]
    books.pay(books.escrow, books.anna, 500, key="payout:7:2")
    assert books.available(books.escrow, books.anna) == [0, 500]


def test_what_was_spent_cannot_be_reversed(books: Books) -> None:
    books.fund(books.anna, 500)
    paid = books.pay(books.anna, books.ben, 120)
    books.pay(books.ben, books.chitra, 100)
    with pytest.raises(InsufficientFunds) as caught:
        undo(paid)
    assert caught.value.missing == 100
    books.fund(books.ben, 100)
    undo(paid)
    assert books.available(books.anna, books.ben) == [500, 0]


def test_amounts_that_were_passed_on_in_the_entry_come_back_in_order(books: Books) -> None:
    books.fund(books.anna, 100)
    passed_on = books.post(
        Line.post(debit=books.anna.id, credit=books.ben.id, amount=100),
        Line.post(debit=books.ben.id, credit=books.chitra.id, amount=100),
    )
    undo(passed_on)
    assert books.available(books.anna, books.ben, books.chitra) == [100, 0, 0]
    assert books.faults() == []


def test_a_capture_is_reversed_by_what_it_captured(books: Books) -> None:
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 450)
    captured = books.post(Line.capture(hold, amount=300))
    undo(captured)
    assert books.available(books.anna, books.escrow) == [500, 0]


def test_holds_releases_and_reversals_are_not_reversed(books: Books) -> None:
    funded = books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 450)
    released = books.post(Line.release(hold))
    for entry in (hold.entry, released, undo(funded)):
        with pytest.raises(LedgerError) as caught:
            undo(entry, key=f"undo:{entry.id}")
        assert caught.value.code == Code.NOT_REVERSIBLE


def test_an_unknown_entry_is_refused(db: None) -> None:
    with pytest.raises(LedgerError) as caught:
        reverse(entry=5, key="undo", actor="operator", reason="a mistake", now=NOW)
    assert (caught.value.code, caught.value.field) == (Code.UNKNOWN_ENTRY, "entry")


def test_a_reversal_above_the_limit_needs_a_second_person_whom_it_names(books: Books) -> None:
    books.fund(books.anna, 100_001)
    paid = books.pay(books.anna, books.escrow, 100_001)
    for second in ("", " ", "operator", " Operator"):
        with pytest.raises(LedgerError) as caught:
            undo(paid, approved_by=second)
        assert (caught.value.code, caught.value.field) == (Code.NEEDS_APPROVAL, "approved_by")
    assert books.available(books.anna) == [0]
    reversal = undo(paid, approved_by="operator:2")
    assert reversal.reason == "a mistake (approved by operator:2)"
    assert undo(paid, approved_by="operator:2").replayed
    assert books.available(books.anna) == [100_001]
    assert books.faults() == []


def test_a_reversal_up_to_the_limit_or_that_follows_from_a_result_needs_nobody_else(
    books: Books,
) -> None:
    books.fund(books.anna, 200_001)
    undo(books.pay(books.anna, books.escrow, 100_000, key="a"), key="undo a")
    undo(books.pay(books.anna, books.escrow, 200_001, key="b"), key="undo b", follows=True)
    assert books.available(books.anna) == [200_001]
