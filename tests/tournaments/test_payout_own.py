"""An organiser reads the payout audit of his own tournaments: all of it, and no other books."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from rummy_site.roles import ARBITERS, ORGANISERS
from tests.pages import logged_in, page_of, queries_of
from tests.staff.helpers import member
from tests.tournaments.desk_helpers import change_of, in_charge, organiser
from tests.tournaments.test_payout_audit import audit_page, settled
from tests.tournaments.test_payouts import for_rupees
from tournaments.models import StaffRole, Tournament
from tournaments.money.auditing import Figure
from tournaments.services import duties

pytestmark = pytest.mark.django_db


def behind(tournament: Tournament, figure: str = "pool") -> str:
    """The address of the transfers behind a figure."""
    return reverse("payouts:behind", args=[tournament.public_id, figure])


@pytest.fixture
def own() -> Tournament:
    """A tournament that was paid."""
    return settled()


@pytest.fixture
def olga(own: Tournament) -> Client:
    """The browser of who organised it."""
    return in_charge(organiser(), own)


def test_an_organiser_reads_the_whole_audit_of_his_own_and_finds_the_way_to_it(
    olga: Client, own: Tournament
) -> None:
    assert f'href="{audit_page(own)}"' in page_of(olga, change_of(own))
    html = page_of(olga, audit_page(own))
    assert "Everything adds up" in html
    assert "Rank 1: 750 play points" in html
    assert f'href="{change_of(own)}"' in html
    for figure in Figure:
        page_of(olga, behind(own, figure.value))


def test_no_link_of_it_leads_to_where_he_may_not_go(olga: Client, own: Tournament) -> None:
    """Accounts and entries are named; only operators can open them."""
    for address in (audit_page(own), behind(own, "entries")):
        html = page_of(olga, address)
        assert "/admin/books/" not in html
        assert "/admin/approvals/" not in html
        assert f'href="{reverse("payouts:list")}"' not in html
    assert "wallet" in page_of(olga, behind(own, "entries"))


def test_he_reads_and_does_nothing(settings: Settings) -> None:
    """Prizes that wait are approved by operators, whoever organised it."""
    held = for_rupees(settings)
    client = in_charge(organiser(), held)
    html = page_of(client, audit_page(held))
    assert "Held: waits for approval" in html
    assert "<form" not in html.partition('class="desk-card"')[2]
    assert client.post(reverse("payouts:pay", args=[held.public_id])).status_code == 403
    assert client.post(audit_page(held)).status_code == 405


def test_of_others_tournaments_there_is_no_audit(olga: Client) -> None:
    """Nor is it told that there is such a tournament."""
    other = settled(name="Elsewhere")
    for address in (audit_page(other), behind(other)):
        assert olga.get(address).status_code == 404
    assert olga.get(reverse("payouts:list")).status_code == 403


def test_what_he_saves_has_the_payments_of_his_own_alone(olga: Client, own: Tournament) -> None:
    other = settled(name="Elsewhere")
    csv = olga.get(reverse("payouts:export", args=["csv"])).content.decode()
    assert own.public_id in csv
    assert other.public_id not in csv
    asked = reverse("payouts:export", args=["csv"]) + f"?tournament={other.public_id}"
    assert other.public_id not in olga.get(asked).content.decode()


@pytest.mark.parametrize("role", list(StaffRole))
def test_an_arbiter_is_called_to_tables_and_not_to_money(own: Tournament, role: StaffRole) -> None:
    """Whatever his duty: the permission to run tournaments is what he lacks."""
    arbiter = member("arne", ARBITERS)
    duties.appoint(tournament_id=own.pk, user_id=arbiter.pk, role=role)
    assert logged_in(arbiter).get(audit_page(own)).status_code == 403


def test_an_organiser_who_is_only_arbiter_here_reads_no_money(own: Tournament) -> None:
    omar = member("omar", ORGANISERS)
    duties.appoint(tournament_id=own.pk, user_id=omar.pk, role=StaffRole.ARBITER)
    client = logged_in(omar)
    assert client.get(audit_page(own)).status_code == 404
    assert audit_page(own) not in client.get(change_of(own)).content.decode()


def test_who_was_dismissed_reads_it_no_more(olga: Client, own: Tournament) -> None:
    other, olga_user = organiser("omar"), User.objects.get(username="olga")
    duties.appoint(tournament_id=own.pk, user_id=other.pk, role=StaffRole.ORGANISER)
    duties.dismiss(tournament_id=own.pk, user_id=olga_user.pk, role=StaffRole.ORGANISER)
    assert olga.get(audit_page(own)).status_code == 404


def test_it_takes_him_as_many_queries_for_many_entrants_as_for_few() -> None:
    olga = organiser()
    few, many = settled(2, "100"), settled(6, "40,20,10,10,10,10", name="Larger")
    client = in_charge(olga, few)
    in_charge(olga, many)
    for address in (audit_page, behind):
        page_of(client, address(few))
        counts = [len(queries_of(client, address(one))) for one in (few, many)]
        assert counts[0] == counts[1], address
