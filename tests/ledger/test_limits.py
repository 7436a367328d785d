"""Numbers, ids and moments at and beyond the edges of what the columns hold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.db import transaction

from ledger.audit import beancount_lines
from ledger.errors import BadLine, Code, LedgerError
from ledger.models import Account
from ledger.selectors import (
    balance_of,
    moved_by_kind,
    statement,
    statement_sheet,
    totals_by_kind,
    trial_balance,
)
from ledger.services import Line, Mode, Purpose, Rule, open_account
from ledger.sheets import to_csv
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import freeze_account

LARGEST = 2**53 - 1
FULL = 1_000
"""So many of the largest amounts are just below 64 bits on one account."""


def issue(books: Books, issuer: Account, account: Account, lines: int = FULL) -> None:
    books.post(*[Line.post(debit=issuer.id, credit=account.id, amount=LARGEST)] * lines)


@pytest.fixture
def rich(books: Books) -> Books:
    """Two issuers have each issued nearly what one account can count."""
    other = open_account(asset="PLAY", owner="mint", purpose=Purpose.ISSUANCE, rule=Rule.UNBOUNDED)
    issue(books, books.issuer, books.anna)
    issue(books, other, books.ben)
    return books


def test_totals_beyond_64_bits_are_exact(rich: Books) -> None:
    """One account stays below; an asset, a reason and a reference need not."""
    whole = 2 * FULL * LARGEST
    assert whole > 2**63
    (totals,) = trial_balance()
    assert (totals.debits, totals.credits, totals.is_balanced) == (whole, whole, True)
    (total,) = totals_by_kind()
    assert (total.transfers, total.amount) == (2 * FULL, whole)
    assert moved_by_kind("") == {"test": whole}


def test_books_beyond_64_bits_are_audited_and_exported(rich: Books) -> None:
    assert rich.faults() == []
    assert sum(line.count(" * ") for line in beancount_lines()) == 2


def test_a_statement_opens_exactly_however_much_went_through_the_account(rich: Books) -> None:
    rich.post(*[Line.post(debit=rich.anna.id, credit=rich.ben.id, amount=LARGEST)] * 20)
    found = statement(account=rich.anna.id, since=NOW + timedelta(days=1))
    assert found.opening == balance_of(rich.anna.id).posted == (FULL - 20) * LARGEST
    assert f"closing,{found.closing}" in to_csv(statement_sheet(found))


def test_a_full_account_refuses_one_more_and_stays_usable(rich: Books) -> None:
    """Posted and held count together; what is refused leaves the transaction as it was."""
    issue(rich, rich.issuer, rich.anna, lines=24)
    with transaction.atomic():
        for mode in (Line.post, Line.set_aside):
            with pytest.raises(LedgerError) as caught:
                rich.post(mode(debit=rich.issuer.id, credit=rich.chitra.id, amount=LARGEST))
            assert caught.value.code == Code.OVERFLOW
        rich.post(Line.post(debit=rich.issuer.id, credit=rich.chitra.id, amount=1_023))
    assert rich.available(rich.chitra) == [1_023]
    assert balance_of(rich.issuer.id).posted == -(2**63 - 1)
    assert rich.faults() == []


@pytest.mark.parametrize("strange", [2**63, 2**70, 0, -1, True, 1.0, "1", None])
def test_an_id_that_no_row_can_have_is_refused_before_the_database_sees_it(
    books: Books, strange: Any
) -> None:
    """A caller's transaction goes on, which it would not after an error of the database."""
    books.fund(books.anna, 10)
    anna, ben = books.anna.id, books.ben.id
    with transaction.atomic():
        for line in (
            Line(Mode.POST, strange, anna, 1),
            Line(Mode.POST, anna, strange, 1),
            Line(Mode.CAPTURE, anna, ben, 1, strange),
            Line(Mode.RELEASE, anna, ben, 1, strange),
        ):
            with pytest.raises(BadLine):
                books.post(line)
        books.pay(books.anna, books.ben, 10)
    assert books.available(books.ben) == [10]


@pytest.mark.parametrize("strange", [1, 2**70, 0, True, "1", 1.0])
def test_a_line_that_resolves_nothing_names_no_hold(books: Books, strange: Any) -> None:
    for mode in (Mode.POST, Mode.HOLD):
        with pytest.raises(BadLine):
            books.post(Line(mode, books.issuer.id, books.anna.id, 1, strange))


BEYOND = [
    datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-5))),
    datetime(1, 1, 1, 0, 0, tzinfo=timezone(timedelta(hours=5))),
]


@pytest.mark.parametrize("moment", BEYOND)
def test_a_moment_that_is_none_in_utc_is_refused(books: Books, moment: datetime) -> None:
    books.fund(books.anna, 10)
    calls = (
        lambda: books.pay(books.anna, books.ben, 1, now=moment),
        lambda: books.hold(books.anna, books.ben, 1, until=moment),
        lambda: freeze_account(account=books.anna.id, actor="x", reason="x", now=moment),
    )
    for call in calls:
        with pytest.raises(LedgerError) as caught:
            call()
        assert caught.value.code == Code.BAD_TIME


@pytest.mark.parametrize(
    "moment", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, tzinfo=UTC)]
)
def test_the_first_and_the_last_moment_are_kept_and_audited(books: Books, moment: datetime) -> None:
    books.post(Line.set_aside(debit=books.issuer.id, credit=books.anna.id, amount=1), now=moment)
    assert books.faults() == []
