"""Cases from the practice of tournaments, told in transfers; splits are in `test_money`."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.errors import Code, HoldResolved, InsufficientFunds, KeyReused, LedgerError
from ledger.lines import Line
from ledger.services import reverse
from tests.ledger.books import NOW, Books


def settle(books: Books) -> list[bool]:
    """Pay two prizes of 500 and 300, each under a key of its own; which were paid before."""
    winners = [(books.anna, 500), (books.ben, 300)]
    return [
        books.pay(books.escrow, winner, amount, key=f"prize:7:{place}").replayed
        for place, (winner, amount) in enumerate(winners, start=1)
    ]


def test_a_settlement_that_ended_half_way_pays_the_rest_and_nothing_twice(books: Books) -> None:
    """The first prize was paid, then the worker died; it is settled again, and once more."""
    books.fund(books.escrow, 800)
    books.pay(books.escrow, books.anna, 500, key="prize:7:1")
    assert settle(books) == [True, False]
    assert settle(books) == [True, True]
    assert books.available(books.escrow, books.anna, books.ben) == [0, 500, 300]
    assert books.faults() == []


def test_a_prize_that_was_paid_cannot_be_settled_at_another_amount(books: Books) -> None:
    books.fund(books.escrow, 800)
    books.pay(books.escrow, books.anna, 400, key="prize:7:1")
    with pytest.raises(KeyReused):
        settle(books)
    assert books.available(books.escrow, books.anna, books.ben) == [400, 400, 0]


def test_a_hold_is_not_settled_after_a_part_of_it_was_paid_out(books: Books) -> None:
    """The rest went back with the first settlement."""
    books.fund(books.escrow, 800)
    hold = books.hold(books.escrow, books.anna, 800)
    books.post(Line.capture(hold, amount=500))
    with pytest.raises(HoldResolved):
        books.post(Line.capture(hold, amount=300))
    assert books.available(books.escrow, books.anna) == [300, 500]
    assert books.faults() == []


def test_no_more_is_refunded_than_was_received(books: Books) -> None:
    """A reversal is of what was paid, whatever the fee is today; a second one is refused."""
    words: dict[str, Any] = {"actor": "operator", "reason": "cancelled", "now": NOW}
    books.fund(books.anna, 1_000)
    fee = books.pay(books.anna, books.escrow, 200, reference="tournament:7")
    assert reverse(entry=fee.id, key="refund:7:1:1", **words).transfers.get().amount == 200
    books.fund(books.escrow, 5_000)
    with pytest.raises(LedgerError) as caught:
        reverse(entry=fee.id, key="refund:7:1:2", **words)
    assert caught.value.code == Code.ALREADY_REVERSED
    assert books.available(books.anna, books.escrow) == [1_000, 5_000]


def test_an_escrow_never_refunds_more_than_it_holds(books: Books) -> None:
    books.fund(books.anna, 200)
    books.pay(books.anna, books.escrow, 200)
    with pytest.raises(InsufficientFunds) as caught:
        books.pay(books.escrow, books.anna, 250)
    assert (caught.value.missing, books.available(books.escrow, books.anna)) == (50, [200, 0])
