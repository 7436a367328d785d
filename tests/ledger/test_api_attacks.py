"""What a curious player sends to the API: other people's accounts never come back, nor faults."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from rest_framework.test import APIClient

from ledger.models import Account
from tests.ledger.books import Books

pytestmark = pytest.mark.urls("tests.ledger.urls")

SECRET = 7_654_321


@pytest.fixture
def curious(books: Books) -> APIClient:
    """A player with a wallet of her own, which another player has paid 3 into."""
    user = get_user_model().objects.create_user("asha", password="x")
    wallet = books.account(f"player:{user.pk}")
    found = APIClient()
    found.force_authenticate(user)
    found.wallet = wallet  # type: ignore[attr-defined]
    return found


@pytest.fixture
def victim(books: Books, curious: Any) -> Account:
    """Somebody whose owner, purpose and balance are to stay his own."""
    account = books.account("player:990099", "victims_wallet")
    books.fund(account, SECRET + 3)
    books.pay(account, curious.wallet, 3, reference="table:5")
    return account


def test_no_address_and_no_filter_shows_another_players_account(
    curious: Any, victim: Account, books: Books
) -> None:
    names = ("ledger-account-detail", "ledger-account-transfers", "ledger-account-statement")
    theirs = [reverse(name, args=[victim.pk]) for name in names]
    filters: tuple[str, ...] = (
        f"owner={victim.owner}",
        "purpose=victims_wallet",
        "asset=PLAY",
        "limit=200",
    )
    filters += (f"owner=player:1&owner={victim.owner}", "search=victim", "ordering=owner", "id=1")
    forms = [""] + [f"?form={form}" for form in ("csv", "json", "xlsx")]
    for address, form in itertools.product(theirs, forms):
        assert curious.get(address + form).status_code == 404
    for query in filters:
        answer = curious.get(f"{reverse('ledger-account-list')}?{query}")
        assert answer.status_code in (200, 400)
        assert str(SECRET) not in answer.content.decode()
        assert victim.owner not in answer.content.decode()


def test_a_players_own_pages_do_not_say_who_paid(curious: Any, victim: Account) -> None:
    for name in ("ledger-account-transfers", "ledger-account-statement"):
        answer = curious.get(reverse(name, args=[curious.wallet.pk]))
        assert "table:5" in answer.content.decode()
        assert "990099" not in answer.content.decode()
    sheet = reverse("ledger-account-statement", args=[curious.wallet.pk])
    assert "990099" not in curious.get(f"{sheet}?form=csv").content.decode()


@pytest.mark.parametrize(
    "name", ["ledger-entry-list", "ledger-checkpoint-list", "ledger-trial-balance"]
)
def test_what_is_the_operators_is_refused_whatever_is_asked(
    curious: Any, victim: Account, name: str
) -> None:
    for query in ("", "?reference=table:5", "?limit=1", "?cursor=x", "?format=json"):
        assert curious.get(reverse(name) + query).status_code in (403, 404)


@pytest.mark.parametrize(
    "query",
    [
        "cursor=x",
        "cursor=cD0tMQ==",
        "cursor=bz05OTk5OTk5OTk5OTk5OTk5OTk5OTk=",
        "limit=-1",
        "limit=99999999999999999999",
        "limit=x",
        "is_open=maybe",
        "asset=%00",
        "owner=%00",
        "form=exe",
        "since=yesterday",
        "since=0001-01-01T00:00:00%2B14:00",
        "until=9999-12-31T23:59:59-14:00",
        "since=2026-02-30T00:00:00Z",
        "since=2026-05-02T00:00:00Z&until=2026-05-01T00:00:00Z",
    ],
)
def test_strange_values_are_answered_and_are_no_faults(curious: Any, query: str) -> None:
    """The client of the tests raises what would be a fault."""
    own = curious.wallet.pk
    for address in (
        reverse("ledger-account-list"),
        reverse("ledger-account-transfers", args=[own]),
        reverse("ledger-account-statement", args=[own]),
    ):
        assert curious.get(f"{address}?{query}").status_code in (200, 400, 404)


@pytest.mark.parametrize("key", ["0", "-1", "x", "99999999999999999999", "%00", "'--"])
def test_an_account_by_a_strange_key_does_not_exist(curious: Any, key: str) -> None:
    status = 400 if key == "%00" else 404  # a NUL is refused at the door
    assert curious.get(f"{reverse('ledger-account-list')}{key}/").status_code == status
    assert curious.get(f"{reverse('ledger-account-list')}{key}/statement/").status_code == status


@pytest.mark.parametrize("way", ["post", "put", "patch", "delete"])
def test_nothing_is_written_through_any_address(curious: Any, way: str, books: Books) -> None:
    own = curious.wallet.pk
    for address in (
        reverse("ledger-account-list"),
        reverse("ledger-account-detail", args=[own]),
        reverse("ledger-account-transfers", args=[own]),
        reverse("ledger-account-statement", args=[own]),
        reverse("ledger-entry-list"),
        reverse("ledger-trial-balance"),
    ):
        answer = getattr(curious, way)(address, {"is_open": False, "amount": 1}, format="json")
        assert answer.status_code in (403, 405)
    assert Account.objects.get(pk=own).is_open
