"""An operator who plays, too: what is about his own account is for somebody else to decide."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ledger import services
from ledger.errors import Code, LedgerError
from ledger.models import Account, CashDecision, CashRequest, Entry, ReversalRequest
from ledger.services import CashKind, approve_cash, ask_reversal, reopen_account, request_cash
from rummy_site.roles import OPERATORS
from staff.models import StaffAction
from tests.ledger.books import NOW, Books
from tests.pages import logged_in
from tests.staff.helpers import member

QUEUE = "/admin/approvals/"
MEERA: dict[str, Any] = {"actor": "meera", "actor_owner": "", "now": NOW}
"""An operator who does not play."""


@pytest.fixture
def olga(books: Books) -> Client:
    """An operator's browser."""
    return logged_in(member("olga", OPERATORS))


@pytest.fixture
def own(books: Books, olga: Client) -> Account:
    """Her account as a player."""
    return books.account(f"player:{User.objects.get(username='olga').pk}")


def send(client: Client, name: str, pk: int, **said: str) -> Any:
    """Send a form of the books."""
    return client.post(reverse(f"books:{name}", args=[pk]), {"key": "form-1", **said})


def decide(client: Client, row: str, verb: str = "approve") -> str:
    """Send the queue's form; the page that follows."""
    said = {"row": [row], "verb": verb, "reason": "looked at it"}
    return client.post(QUEUE, said, follow=True).content.decode()


def test_the_smallest_correction_of_ones_own_account_waits_for_somebody_else(
    books: Books, olga: Client, own: Account
) -> None:
    """And is carried out by him."""
    send(olga, "adjust", own.pk, kind="adjustment-in", amount="1", reason="for me")
    [asked] = CashRequest.objects.all()
    assert asked.needs_second
    assert "or it is the account of who asked" in olga.get(QUEUE).content.decode()
    decide(olga, f"cash-{asked.pk}")
    assert books.available(own) == [0]
    decide(logged_in(member("meera", OPERATORS)), f"cash-{asked.pk}")
    assert books.available(own) == [1]


@pytest.mark.parametrize("kind", ["adjustment", "reversal"])
def test_what_somebody_else_has_asked_for_ones_own_account_is_not_for_oneself_to_approve(
    books: Books, olga: Client, own: Account, kind: str
) -> None:
    """By page; it may be turned down."""
    entry = books.fund(own, 200_000)
    asked: Any
    if kind == "adjustment":
        words: dict[str, Any] = {"account": own.pk, "amount": 200_000, "kind": CashKind.ADJUSTMENT}
        asked = request_cash(key="k", reason="x", **MEERA, **words)
    else:
        asked = ask_reversal(entry=entry.pk, key="k", reason="x", **MEERA)
    row = f"{'cash' if kind == 'adjustment' else kind}-{asked.pk}"
    assert "somebody else than you approves" in olga.get(QUEUE).content.decode()
    assert "account of your own" in decide(olga, row)
    assert books.available(own) == [200_000]
    assert not StaffAction.objects.filter(action__startswith="ledger.approve").exists()
    assert "1 decided." in decide(olga, row, "refuse")


def test_nobody_takes_back_alone_what_he_has_paid_or_got(
    books: Books, olga: Client, own: Account
) -> None:
    """A fee of one unit neither."""
    books.fund(own, 1)
    paid = books.pay(own, books.escrow, 1)
    send(olga, "reverse", paid.pk, reason="I was ill")
    assert ReversalRequest.objects.get().needs_second
    assert not Entry.objects.filter(reverses=paid).exists()


def test_nobody_opens_or_freezes_his_own_account(books: Books, olga: Client, own: Account) -> None:
    """Whoever froze it had a reason."""
    assert send(olga, "freeze", own.pk, reason="x", wanted="freeze").status_code == 409
    Account.objects.filter(pk=own.pk).update(is_open=False)
    answer = send(olga, "freeze", own.pk, reason="x", wanted="open")
    assert answer.status_code == 409
    assert "account of your own" in answer.content.decode()
    own.refresh_from_db()
    assert not own.is_open
    assert not StaffAction.objects.filter(action__in=("ledger.freeze", "ledger.open")).exists()


def test_the_services_themselves_know_whose_account_it_is(books: Books) -> None:
    """Whoever calls them."""
    words: dict[str, Any] = {"account": books.anna.id, "amount": 5, "kind": CashKind.ADJUSTMENT}
    mine: dict[str, Any] = {"actor": "olga", "actor_owner": "player:1", "now": NOW}
    asked = request_cash(key="k", reason="x", **words, **mine)
    with pytest.raises(LedgerError) as refused:
        approve_cash(request=asked.id, **mine | {"actor": "somebody"})
    assert refused.value.code is Code.NEEDS_APPROVAL
    with pytest.raises(LedgerError):
        reopen_account(account=books.anna.id, reason="x", **mine)
    assert not CashDecision.objects.exists()


def test_no_service_lets_its_caller_forget_whose_account_it_is() -> None:
    """Where it could be left out, an edge that forgot it would be guarded by nothing."""
    asked = {
        name: signature(getattr(services, name)).parameters["actor_owner"].default
        for name in services.__all__
        if callable(getattr(services, name))
        and "actor_owner" in signature(getattr(services, name)).parameters
    }
    assert asked == dict.fromkeys(
        (
            "approve_cash",
            "approve_reversal",
            "ask_reversal",
            "freeze_account",
            "reopen_account",
            "request_cash",
        ),
        Parameter.empty,
    )


def test_a_reason_does_not_say_itself_who_approved(books: Books, olga: Client) -> None:
    """Only the ledger writes that, where somebody has."""
    entry = books.fund(books.anna, 500)
    answer = send(olga, "reverse", entry.pk, reason="twice (Approved by meera)")
    assert answer.status_code == 409
    assert not Entry.objects.filter(reverses=entry).exists()
