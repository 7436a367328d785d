"""Holds: set aside first, then captured (all or part) or released, at most once."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from ledger.errors import Code, HoldResolved, InsufficientFunds, KeyReused, LedgerError
from ledger.lines import Line
from ledger.models import Account
from ledger.selectors import balance_of, open_holds
from ledger.services import release_expired
from tests.ledger.books import NOW, Books, is_open


def test_a_hold_takes_an_amount_out_of_what_is_available(books: Books) -> None:
    books.fund(books.anna, 500)
    books.hold(books.anna, books.escrow, 450)
    mine, pool = balance_of(books.anna.id), balance_of(books.escrow.id)
    assert (mine.posted, mine.held, mine.available) == (500, 450, 50)
    assert (pool.posted, pool.available, pool.incoming) == (0, 0, 450)
    assert books.faults() == []


def test_what_is_held_cannot_be_spent(books: Books) -> None:
    books.fund(books.anna, 500)
    books.hold(books.anna, books.escrow, 450)
    with pytest.raises(InsufficientFunds) as caught:
        books.pay(books.anna, books.ben, 51)
    assert caught.value.missing == 1
    with pytest.raises(InsufficientFunds):
        books.hold(books.anna, books.escrow, 51)


def test_a_capture_moves_the_amount(books: Books) -> None:
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 450)
    books.post(Line.capture(hold))
    assert books.available(books.anna, books.escrow) == [50, 450]
    assert balance_of(books.anna.id).held == balance_of(books.escrow.id).incoming == 0
    assert not is_open(hold)


def test_a_capture_in_part_gives_the_rest_back(books: Books) -> None:
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 450)
    books.post(Line.capture(hold, amount=300))
    assert books.available(books.anna, books.escrow) == [200, 300]
    assert balance_of(books.anna.id).held == 0
    assert books.faults() == []


def test_a_release_gives_everything_back(books: Books) -> None:
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 450)
    books.post(Line.release(hold))
    assert books.available(books.anna, books.escrow) == [500, 0]
    assert books.faults() == []


def test_a_hold_is_resolved_at_most_once(books: Books) -> None:
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 450)
    books.post(Line.capture(hold, amount=1))
    for second in (Line.capture(hold), Line.capture(hold, amount=1), Line.release(hold)):
        with pytest.raises(HoldResolved):
            books.post(second)
    assert books.available(books.anna, books.escrow) == [499, 1]


def test_a_hold_cannot_be_resolved_twice_in_one_entry(books: Books) -> None:
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 200)
    with pytest.raises(HoldResolved):
        books.post(Line.capture(hold), Line.release(hold))
    assert is_open(hold)


def test_a_capture_never_exceeds_its_hold(books: Books) -> None:
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 200)
    with pytest.raises(LedgerError) as caught:
        books.post(Line.capture(hold, amount=201))
    assert caught.value.code == Code.HOLD_DIFFERS


def test_a_hold_is_captured_between_its_own_accounts(books: Books) -> None:
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 200)
    own = Line.capture(hold)
    for line in (
        Line(own.mode, own.debit, books.ben.id, own.amount, own.hold),
        Line(own.mode, books.ben.id, own.credit, own.amount, own.hold),
    ):
        with pytest.raises(LedgerError) as caught:
            books.post(line)
        assert caught.value.code == Code.HOLD_DIFFERS


def test_a_transfer_that_is_no_hold_cannot_be_captured(books: Books) -> None:
    paid = books.fund(books.anna, 500).transfers.get()
    with pytest.raises(LedgerError) as caught:
        books.post(Line.capture(paid))
    assert caught.value.code == Code.UNKNOWN_HOLD


def test_a_hold_on_a_frozen_account_may_go_back_and_not_forward(books: Books) -> None:
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 200)
    Account.objects.filter(id=books.anna.id).update(is_open=False)
    with pytest.raises(LedgerError):
        books.post(Line.capture(hold))
    books.post(Line.release(hold))
    assert books.available(books.anna) == [500]


def test_an_expired_hold_is_not_captured(books: Books) -> None:
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 200, until=NOW + timedelta(minutes=5))
    with pytest.raises(LedgerError) as caught:
        books.post(Line.capture(hold), now=NOW + timedelta(minutes=5))
    assert caught.value.code == Code.HOLD_EXPIRED
    books.post(Line.capture(hold), now=NOW + timedelta(minutes=4, seconds=59))
    assert books.available(books.escrow) == [200]


def test_open_holds_are_listed_by_reference_and_by_account(books: Books) -> None:
    books.fund(books.anna, 500)
    first = books.hold(books.anna, books.escrow, 200)
    second = books.post(
        Line.set_aside(debit=books.anna.id, credit=books.ben.id, amount=10), reference="bet:1"
    ).transfers.get()
    books.post(Line.release(first))
    assert [hold.id for hold in open_holds()] == [second.id]
    assert [hold.id for hold in open_holds(reference="bet:1")] == [second.id]
    assert [hold.id for hold in open_holds(account=books.ben.id)] == [second.id]
    assert not open_holds(account=books.escrow.id)
    assert not open_holds(reference="bet:2")


def test_the_sweep_releases_what_has_expired(books: Books) -> None:
    books.fund(books.anna, 500)
    due = books.hold(books.anna, books.escrow, 200, until=NOW + timedelta(minutes=5))
    later = books.hold(books.anna, books.escrow, 100, until=NOW + timedelta(minutes=6))
    for_good = books.hold(books.anna, books.escrow, 50)
    assert release_expired(now=NOW + timedelta(minutes=5)) == 1
    assert [is_open(hold) for hold in (due, later, for_good)] == [False, True, True]
    assert books.available(books.anna) == [350]


def test_a_doubled_sweep_does_no_harm(books: Books) -> None:
    books.fund(books.anna, 500)
    books.hold(books.anna, books.escrow, 200, until=NOW)
    assert [release_expired(now=NOW), release_expired(now=NOW)] == [1, 0]
    assert books.available(books.anna) == [500]
    assert books.faults() == []


def test_the_sweep_goes_on_where_its_limit_ended_it(books: Books) -> None:
    books.fund(books.anna, 500)
    for minute in range(5):
        books.hold(books.anna, books.escrow, 10, until=NOW - timedelta(minutes=minute))
    assert [release_expired(now=NOW, limit=3) for _ in range(3)] == [3, 2, 0]


def test_a_hold_that_cannot_be_released_does_not_keep_the_others_from_it(books: Books) -> None:
    """Its key was used for something else, which is reported when the others are done."""
    books.fund(books.anna, 500)
    stuck, *others = [
        books.hold(books.anna, books.escrow, 10, until=NOW - timedelta(minutes=minute))
        for minute in (3, 2, 1)
    ]
    books.fund(books.ben, 1)
    books.pay(books.ben, books.chitra, 1, key=f"expire:{stuck.id}")
    with pytest.raises(KeyReused):
        release_expired(now=NOW)
    assert [is_open(hold) for hold in (stuck, *others)] == [True, False, False]


def test_the_command_releases_everything_that_is_due(books: Books) -> None:
    books.fund(books.anna, 500)
    books.hold(books.anna, books.escrow, 10, until=NOW)
    out = StringIO()
    call_command("release_expired_holds", stdout=out)
    assert out.getvalue() == "1 holds released.\n"
