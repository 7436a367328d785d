"""The desk's lists take as many queries for 5,000 rows as for 10."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final, TypeVar

import pytest
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from players.models import Scope
from rummy_site.roles import OPERATORS
from tables.models import Deal
from tests.pages import logged_in, page_of, queries_of
from tests.programs import key_for
from tests.staff.helpers import member
from tests.tables.helpers import NOW, a_match, dealt
from tests.tournaments.test_payouts import for_rupees
from tournaments.models import Payout, Tournament

pytestmark = pytest.mark.django_db

FEW: Final = 10
MANY: Final = 5_000
M = TypeVar("M", bound=Model)


def copies(row: M, numbers: range, changed: Callable[[int], dict[str, Any]]) -> list[M]:
    """More rows like one, each changed as its number says."""
    kind = type(row)
    names = [field.attname for field in kind._meta.concrete_fields if not field.primary_key]
    usual = {name: getattr(row, name) for name in names}
    return kind._default_manager.bulk_create(
        [kind(**(usual | changed(number))) for number in numbers], batch_size=500
    )


def counts(client: Client, *addresses: str) -> list[int]:
    """Queries of each page, once what is kept is kept."""
    for address in addresses:
        page_of(client, address)
    return [len(queries_of(client, address)) for address in addresses]


@pytest.fixture
def olga() -> Client:
    """An operator's browser."""
    return logged_in(member("olga", OPERATORS))


def test_players_are_looked_up_among_5000_as_among_10(olga: Client) -> None:
    def more(numbers: range) -> None:
        User.objects.bulk_create([User(username=f"guest-{number}") for number in numbers])

    people = reverse("desk:people")
    addresses = (people, f"{people}?q=guest", f"{people}?q=guest&page=2")
    more(range(FEW))
    few = counts(olga, *addresses)
    more(range(FEW, MANY))
    assert counts(olga, *addresses) == few


def test_payouts_and_approvals_of_5000_tournaments_cost_as_much_as_of_10(
    settings: Settings, olga: Client
) -> None:
    """On the pages, and for a program."""
    first = Payout.objects.select_related("tournament").get(tournament=for_rupees(settings))
    key = key_for(User.objects.get(username="olga"), Scope.STAFF)
    program = Client(headers={"authorization": f"Token {key}"})

    def more(numbers: range) -> None:
        made = copies(first.tournament, numbers, lambda number: {"public_id": f"cup-{number}"})
        Payout.objects.bulk_create(
            [
                Payout(tournament=one, to_house=0, state="awaiting", asked_by="ravi", asked_at=NOW)
                for one in made
            ]
        )

    listing = reverse("payouts:list")
    pages = (listing, f"{listing}?state=awaiting&q=a", reverse("approvals"))
    asked = ("/api/desk/payouts/", "/api/desk/approvals/")
    more(range(FEW))
    few = [*counts(olga, *pages), *counts(program, *asked)]
    more(range(FEW, MANY))
    assert Tournament.objects.count() == MANY + 1
    assert [*counts(olga, *pages), *counts(program, *asked)] == few


def test_deals_are_found_among_5000_as_among_10(olga: Client) -> None:
    deal, _state = dealt(a_match())
    Deal.objects.filter(pk=deal.pk).update(over_at=NOW, phase="over")
    first = Deal.objects.get(pk=deal.pk)

    def more(numbers: range) -> None:
        copies(
            first,
            numbers,
            lambda number: {
                "public_id": f"deal-{number}",
                "number": number + 2,
                "opened_at": NOW + timedelta(minutes=number),
            },
        )

    listing, match = reverse("desk:deals"), reverse("desk:match", args=[first.match_id])
    player = first.match.seats.select_related("player").get(number=0).player.username
    person = reverse("desk:person", args=[player])
    addresses = (listing, f"{listing}?q={player}", match, person)
    more(range(FEW))
    few = counts(olga, *addresses)
    more(range(FEW, MANY))
    assert counts(olga, *addresses) == few
