"""The operators' pages of payouts: whom they are for, what they show, and what they save."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from rummy_site.roles import ARBITERS, ORGANISERS, SUPPORT
from staff.models import StaffAction
from tests.pages import page_of, queries_of
from tests.staff.helpers import member
from tests.tournaments.helpers import NOW, run_out, started, terms
from tests.tournaments.test_payout_audit import audit_page, guaranteed, operator, settled
from tests.tournaments.test_payouts import for_rupees
from tournaments import money, services
from tournaments.models import PayoutState, Shape, Tournament
from tournaments.money import auditing
from tournaments.money.auditing import Figure
from tournaments.payout_audit import report_of

pytestmark = pytest.mark.django_db

__all__ = ["operator"]


def test_the_audit_says_who_held_approved_and_paid_when(
    settings: Settings, operator: Client
) -> None:
    tournament = for_rupees(settings)
    html = page_of(operator, audit_page(tournament))
    assert "Held: waits for approval" in html
    services.approve_payout(tournament_id=tournament.pk, actor="Meera", now=NOW)
    html = page_of(operator, audit_page(tournament))
    assert "Meera" in html
    assert "desk-state is-paid" in html
    assert "Everything adds up" in html
    assert "₹9.00" in html


@pytest.mark.parametrize("figure", list(Figure))
def test_each_figure_leads_to_transfers_that_add_up_to_it(operator: Client, figure: Figure) -> None:
    tournament = guaranteed()
    address = reverse("payouts:behind", args=[tournament.public_id, figure.value])
    html = page_of(operator, address)
    behind = report_of(tournament).figures[figure]
    assert html.count("/admin/books/entries/") >= behind.transfers
    lines = auditing.lines_behind(tournament, figure)
    assert sum(one.amount for one in lines.behind) == behind.amount
    assert len(lines.behind) == behind.transfers


def test_the_flow_is_drawn_with_words_for_who_does_not_see_it(operator: Client) -> None:
    html = page_of(operator, audit_page(guaranteed()))
    assert html.count('class="band') >= 5
    assert "Top-up to the guarantee" in html
    assert "Rank 1: 1,000 play points" in html


@pytest.mark.parametrize("role", ["", ORGANISERS, ARBITERS, SUPPORT, "player", "visitor"])
def test_nobody_but_operators_looks_at_payouts(client: Client, role: str) -> None:
    tournament = settled()
    if role == "player":
        client.force_login(User.objects.create_user("pia"))
    elif role != "visitor":
        client.force_login(member("nina", role))
    expected = 302 if role in ("player", "visitor") else 403
    assert client.get(reverse("payouts:list")).status_code == expected
    # An organiser could have an audit, that of his own (see test_payout_own); this one he has not.
    of_one = 404 if role == ORGANISERS else expected
    for name, parts in [("audit", []), ("behind", ["pool"])]:
        address = reverse(f"payouts:{name}", args=[tournament.public_id, *parts])
        assert client.get(address).status_code == of_one
    saved = client.get(reverse("payouts:export", args=["csv"]))
    assert saved.status_code == (200 if role == ORGANISERS else expected)
    assert tournament.public_id not in saved.content.decode()
    pay = reverse("payouts:pay", args=[tournament.public_id])
    assert client.post(pay).status_code == expected


def test_unknown_tournaments_figures_and_forms_are_not_there(operator: Client) -> None:
    tournament = settled()
    addresses = [
        reverse("payouts:audit", args=["none"]),
        reverse("payouts:behind", args=[tournament.public_id, "nothing"]),
        reverse("payouts:export", args=["exe"]),
    ]
    assert [operator.get(address).status_code for address in addresses] == [404, 404, 404]


def test_payouts_are_listed_by_state_and_name(settings: Settings, operator: Client) -> None:
    held = for_rupees(settings)
    paid = settled(name="Paid cup")
    listing = reverse("payouts:list")
    html = page_of(operator, listing)
    assert held.public_id in html
    assert paid.public_id in html
    only = page_of(operator, f"{listing}?state={PayoutState.AWAITING}")
    assert held.public_id in only
    assert paid.public_id not in only
    assert held.public_id not in page_of(operator, f"{listing}?q=paid")


def test_an_export_is_harmless_and_its_numbers_are_numbers(operator: Client) -> None:
    tournament = settled(3, "60,40", name="=1+1 +1 -1 @x")
    winner = tournament.entries.get(rank=1).player
    User.objects.filter(pk=winner.pk).update(username="@x")
    csv = operator.get(reverse("payouts:export", args=["csv"])).content.decode()
    assert "'=1+1 +1 -1 @x" in csv
    assert ",'@x,prize,900,0," in csv
    xlsx = operator.get(reverse("payouts:export", args=["xlsx"]))
    assert xlsx["Content-Disposition"] == 'attachment; filename="payouts.xlsx"'
    assert xlsx.content.startswith(b"PK")


def test_who_saved_which_payments_is_in_the_audit_log(operator: Client) -> None:
    settled(3, "60,40", name="Cup")
    operator.get(reverse("payouts:export", args=["csv"]), {"q": "Cup", "state": "paid"})
    line = StaffAction.objects.get(action="payouts.export")
    assert (line.subject_kind, line.subject, line.after["filters"]) == (
        "payouts",
        "csv",
        {"q": "Cup", "state": "paid"},
    )
    assert line.after["payments"] == 2
    assert operator.get(reverse("payouts:export", args=["pdf"])).status_code == 404
    assert StaffAction.objects.filter(action="payouts.export").count() == 1


def test_the_audit_takes_as_many_queries_for_many_entrants_as_for_few(operator: Client) -> None:
    few, many = settled(3, "50,30,20"), _large(180)
    money.books_of(few), money.books_of(many)
    for name, parts in (("audit", []), ("behind", ["entries"])):
        counts = [
            len(queries_of(operator, reverse(f"payouts:{name}", args=[one.public_id, *parts])))
            for one in (few, many)
        ]
        assert counts[0] == counts[1], name


def _large(entrants: int) -> Tournament:
    """A knock-out with many prizes."""
    prizes = ",".join(["4", *["1"] * 96])
    tournament = started(Shape.KNOCKOUT, entrants, terms=terms("deals", prizes=prizes))
    run_out(tournament)
    return services.complete(tournament_id=tournament.pk, now=NOW)
