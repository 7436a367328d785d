"""Operators who press at the same moment, each in a browser of his own, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from ledger.models import CashRequest, Transfer
from rummy_site.roles import OPERATORS
from staff.models import StaffAction
from tests.ledger.books import Books
from tests.pages import logged_in
from tests.services.test_tables_postgresql import at_once
from tests.staff.helpers import member
from tests.tournaments.helpers import FEE
from tests.tournaments.test_payouts import for_rupees
from tournaments import money
from tournaments.models import Payout

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

NAMES = ("olga", "meera", "ravi", "otto")


def browsers() -> list[Client]:
    """Two of each operator; none of the players is one."""
    people = [member(name, OPERATORS, pk=901 + number) for number, name in enumerate(NAMES)]
    return [logged_in(person) for person in people for _ in range(2)]


def _send(client: Client, address: str, said: dict[str, Any]) -> int:
    return client.post(address, said).status_code


def posts(address: str, *said: dict[str, Any]) -> list[Callable[[], int | Exception]]:
    """Everybody sends his form."""
    return [
        partial(_send, client, address, said[number % len(said)])
        for number, client in enumerate(browsers())
    ]


def test_eight_who_approve_prizes_at_once_pay_them_once_and_one_of_them_has_approved(
    settings: Settings,
) -> None:
    tournament = for_rupees(settings)
    said = {"row": [f"payout-{tournament.pk}"], "verb": "approve"}
    assert set(at_once(posts(reverse("approvals"), said))) == {302}
    payout = Payout.objects.get(tournament=tournament)
    line = StaffAction.objects.get(action="tournaments.approve_payout")
    assert (payout.state, payout.approved_by) == ("paid", line.actor_name)
    assert money.totals_of(tournament).paid == 3 * FEE
    assert money.pool_of(tournament) == 0
    assert Transfer.objects.filter(entry__kind="payout").count() == 2


def test_prizes_approved_and_put_back_at_once_are_one_of_the_two(settings: Settings) -> None:
    tournament = for_rupees(settings)
    usual = {"row": [f"payout-{tournament.pk}"], "reason": "disputed"}
    said = [usual | {"verb": "approve"}, usual | {"verb": "refuse"}]
    assert set(at_once(posts(reverse("approvals"), *said))) == {302}
    payout = Payout.objects.get(tournament=tournament)
    [action] = StaffAction.objects.filter(subject=tournament.public_id).values_list(
        "action", "reason"
    )
    if payout.state == "held":
        assert action == ("tournaments.put_back_payout", "disputed")
        assert money.pool_of(tournament) == 3 * FEE
    else:
        assert (payout.state, action[0]) == ("paid", "tournaments.approve_payout")
        assert money.pool_of(tournament) == 0


def test_one_form_sent_by_eight_at_once_moves_once_and_is_one_line() -> None:
    books = Books()
    said = {"key": "form-1", "kind": "adjustment-in", "amount": "50", "reason": "gift"}
    found = at_once(posts(reverse("books:adjust", args=[books.anna.id]), said))
    assert set(found) == {302}
    assert books.available(books.anna) == [50]
    assert CashRequest.objects.count() == 1
    assert StaffAction.objects.filter(action="ledger.adjust").count() == 1


def test_an_entry_that_eight_move_back_at_once_is_moved_back_once() -> None:
    books = Books()
    entry = books.fund(books.anna, 500)
    said = [{"key": f"form-{number}", "reason": "twice"} for number in range(8)]
    found = at_once(posts(reverse("books:reverse", args=[entry.pk]), *said))
    assert sorted(map(str, found)) == ["302", *["409"] * 7]
    assert books.available(books.anna) == [0]
    assert StaffAction.objects.filter(action="ledger.reverse").count() == 1
    assert books.faults() == []
