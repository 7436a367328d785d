"""Operators: with a reason, written down, and with a second pair of eyes above a limit."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import override_settings

from ledger.errors import Code, InsufficientFunds, KeyReused, LedgerError
from ledger.models import Account, CashDecision, CashRequest
from ledger.selectors import balance_of, cash_requests, journal_of
from ledger.services import AssetKind, CashKind, ensure_asset, refuse_cash
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import approve_cash, freeze_account, request_cash

ASKING = {"actor": "operator:1", "reason": "paid at the desk", "attachment": "slip 17", "now": NOW}


@pytest.fixture
def wallet(books: Books) -> Account:
    """A wallet in rupees; 1,000.00 may be moved by one person alone."""
    ensure_asset(code="INR", kind=AssetKind.CURRENCY)
    return books.account("player:1", asset="INR")


def ask(kind: CashKind, account: Account, amount: int, **words: Any) -> CashRequest:
    request: dict[str, Any] = ASKING | {"key": f"{kind}:{amount}"} | words
    return request_cash(kind=kind, account=account.id, amount=amount, **request)


def available(account: Account) -> int:
    return balance_of(account.id).available


def test_a_small_deposit_is_carried_out_at_once(wallet: Account, books: Books) -> None:
    request = ask(CashKind.DEPOSIT, wallet, 100_000)
    assert available(wallet) == 100_000
    assert request.decision.decided_by == "operator:1"
    assert (request.reason, request.attachment) == ("paid at the desk", "slip 17")
    assert books.faults() == []


def test_a_large_deposit_waits_for_somebody_else(wallet: Account, books: Books) -> None:
    request = ask(CashKind.DEPOSIT, wallet, 100_001)
    assert available(wallet) == 0
    assert list(cash_requests(is_waiting=True)) == [request]
    with pytest.raises(LedgerError) as caught:
        approve_cash(request=request.id, actor="operator:1", now=NOW)
    assert caught.value.code == Code.NEEDS_APPROVAL
    decision = approve_cash(request=request.id, actor="operator:2", note="seen", now=NOW)
    assert available(wallet) == 100_001
    assert (decision.decided_by, decision.note) == ("operator:2", "seen")
    assert not cash_requests(is_waiting=True)
    (entry,) = journal_of(f"cash:{request.id}")
    assert (entry.actor, entry.kind) == ("operator:2", "deposit")
    assert books.faults() == []


def test_an_amount_split_by_one_person_needs_somebody_else_from_where_it_passes_the_limit(
    wallet: Account, books: Books
) -> None:
    assert not ask(CashKind.DEPOSIT, wallet, 60_000, key="d1").needs_second
    assert not ask(CashKind.DEPOSIT, wallet, 40_000, key="d2").needs_second
    for key, actor in (("d3", "operator:1"), ("d4", " Operator:1")):
        assert ask(CashKind.DEPOSIT, wallet, 1, key=key, actor=actor).needs_second
    assert ask(CashKind.WITHDRAWAL, wallet, 1, key="w1").needs_second
    assert available(wallet) == 99_999
    assert ask(CashKind.DEPOSIT, wallet, 60_000, key="d1").decision.decided_by == "operator:1"
    assert books.faults() == []


def test_what_others_asked_or_approved_or_was_long_ago_or_elsewhere_counts_for_nobody(
    wallet: Account, books: Books
) -> None:
    large = ask(CashKind.DEPOSIT, wallet, 200_000)
    approve_cash(request=large.id, actor="operator:2", now=NOW)
    assert not ask(CashKind.DEPOSIT, wallet, 100_000, key="d1").needs_second
    assert not ask(CashKind.DEPOSIT, wallet, 100_000, key="d2", actor="operator:2").needs_second
    other = books.account("player:2", asset="INR")
    assert not ask(CashKind.DEPOSIT, other, 100_000, key="d3").needs_second
    soon, later = NOW + timedelta(hours=23, minutes=59), NOW + timedelta(hours=24)
    assert ask(CashKind.DEPOSIT, wallet, 1, key="d4", now=soon).needs_second
    assert not ask(CashKind.DEPOSIT, wallet, 100_000, key="d5", now=later).needs_second


def test_the_limit_is_set_per_asset(wallet: Account) -> None:
    with override_settings(RUMMY_LEDGER_FOUR_EYES={"INR": 0}):
        assert ask(CashKind.DEPOSIT, wallet, 1).needs_second


def test_a_large_withdrawal_is_held_until_it_is_decided(wallet: Account, books: Books) -> None:
    ask(CashKind.DEPOSIT, wallet, 90_000, key="d1")
    ask(CashKind.DEPOSIT, wallet, 90_000, key="d2", actor="operator:3")
    request = ask(CashKind.WITHDRAWAL, wallet, 150_000)
    assert available(wallet) == 30_000
    with pytest.raises(InsufficientFunds):
        ask(CashKind.WITHDRAWAL, wallet, 30_001)
    approve_cash(request=request.id, actor="operator:2", now=NOW)
    view = balance_of(wallet.id)
    assert (view.posted, view.held) == (30_000, 0)
    assert books.faults() == []


def test_a_refused_withdrawal_gives_everything_back(wallet: Account, books: Books) -> None:
    ask(CashKind.DEPOSIT, wallet, 90_000, key="d1")
    ask(CashKind.DEPOSIT, wallet, 90_000, key="d2", actor="operator:3")
    request = ask(CashKind.WITHDRAWAL, wallet, 150_000)
    decision = refuse_cash(request=request.id, actor="operator:1", note="a mistake", now=NOW)
    assert decision.entry is None
    assert available(wallet) == 180_000
    assert books.faults() == []


def test_nobody_withdraws_more_than_is_there(wallet: Account) -> None:
    with pytest.raises(InsufficientFunds):
        ask(CashKind.WITHDRAWAL, wallet, 1)
    assert not CashRequest.objects.exists()


def test_a_decision_stands(wallet: Account) -> None:
    request = ask(CashKind.DEPOSIT, wallet, 200_000)
    first = approve_cash(request=request.id, actor="operator:2", now=NOW)
    again = approve_cash(request=request.id, actor="operator:3", now=NOW)
    assert (again.decided_by, available(wallet)) == (first.decided_by, 200_000)
    with pytest.raises(LedgerError) as caught:
        refuse_cash(request=request.id, actor="operator:2", note="no", now=NOW)
    assert caught.value.code == Code.ALREADY_DECIDED


def test_the_same_key_asks_once(wallet: Account) -> None:
    first = ask(CashKind.DEPOSIT, wallet, 500, key="slip 17")
    assert ask(CashKind.DEPOSIT, wallet, 500, key="slip 17").id == first.id
    assert available(wallet) == 500
    with pytest.raises(KeyReused):
        ask(CashKind.DEPOSIT, wallet, 501, key="slip 17")


def test_play_points_are_adjusted_and_neither_bought_nor_cashed(books: Books) -> None:
    for kind in (CashKind.DEPOSIT, CashKind.WITHDRAWAL):
        with pytest.raises(LedgerError) as caught:
            ask(kind, books.anna, 500)
        assert (caught.value.code, caught.value.field) == (Code.BAD_ASSET, "account")
    ask(CashKind.ADJUSTMENT, books.anna, 500)
    ask(CashKind.ADJUSTMENT, books.anna, 200, outwards=True)
    assert books.available(books.anna, books.issuer) == [300, -300]


def test_tournament_chips_are_not_the_cashiers(books: Books) -> None:
    ensure_asset(code="CHIPS:7", kind=AssetKind.CHIPS)
    with pytest.raises(LedgerError) as caught:
        ask(CashKind.ADJUSTMENT, books.account("player:1", asset="CHIPS:7"), 5)
    assert caught.value.code == Code.BAD_ASSET


def test_money_is_adjusted_against_an_account_of_its_own(wallet: Account) -> None:
    request = ask(CashKind.ADJUSTMENT, wallet, 700)
    assert (request.debit.owner, request.debit.purpose) == ("house", "adjustments")


def test_an_approval_that_cannot_be_posted_leaves_the_request_open(wallet: Account) -> None:
    request = ask(CashKind.DEPOSIT, wallet, 200_000)
    freeze_account(account=wallet.id, actor="operator:3", reason="a question", now=NOW)
    with pytest.raises(LedgerError):
        approve_cash(request=request.id, actor="operator:2", now=NOW)
    assert not CashDecision.objects.exists()


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ({"reason": ""}, "reason"),
        ({"actor": ""}, "actor"),
        ({"key": ""}, "key"),
        ({"attachment": "x" * 201}, "attachment"),
        ({"now": None}, "now"),
    ],
)
def test_a_request_without_who_or_why_is_refused(
    wallet: Account, words: dict[str, Any], field: str
) -> None:
    with pytest.raises(LedgerError) as caught:
        ask(CashKind.DEPOSIT, wallet, 5, **words)
    assert caught.value.field == field


@pytest.mark.parametrize("amount", [0, -1, 1.5, True, 2**53])
def test_an_amount_is_positive_and_whole(wallet: Account, amount: Any) -> None:
    with pytest.raises(LedgerError) as caught:
        ask(CashKind.DEPOSIT, wallet, amount)
    assert (caught.value.code, caught.value.field) == (Code.BAD_AMOUNT, "amount")


def test_unknown_accounts_and_requests_are_refused(books: Books) -> None:
    with pytest.raises(LedgerError) as caught:
        request_cash(
            kind=CashKind.DEPOSIT, account=0, amount=5, key="k", actor="o", reason="r", now=NOW
        )
    assert caught.value.code == Code.UNKNOWN_ACCOUNT
    for answer in (approve_cash, refuse_cash):
        with pytest.raises(LedgerError) as caught:
            answer(request=0, actor="operator:2", note="n", now=NOW)
        assert caught.value.code == Code.UNKNOWN_REQUEST


def test_the_database_itself_asks_for_four_eyes(wallet: Account, books: Books) -> None:
    request = ask(CashKind.DEPOSIT, wallet, 200_000)
    entry = books.fund(books.anna, 5)
    decision: dict[str, Any] = {"request": request, "decided_at": NOW, "entry": entry}
    with pytest.raises(IntegrityError), transaction.atomic():
        CashDecision.objects.create(decided_by="operator:1", **decision)
    CashDecision.objects.create(decided_by="operator:2", **decision)


def test_requests_and_decisions_are_never_changed(wallet: Account) -> None:
    request = ask(CashKind.DEPOSIT, wallet, 500)
    decision = CashDecision.objects.get(request=request)
    for change in (
        lambda: CashRequest.objects.update(reason="another"),
        lambda: CashRequest.objects.all().delete(),
        lambda: CashDecision.objects.update(decided_by="operator:9"),
        decision.delete,
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()
