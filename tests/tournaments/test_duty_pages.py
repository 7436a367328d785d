"""The page on which an organiser names the staff of his tournament."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from rummy_site.roles import ARBITERS, ORGANISERS
from staff.models import StaffAction
from tests.pages import logged_in, page_of
from tests.staff.helpers import member
from tests.tournaments.control_helpers import organiser_of
from tests.tournaments.helpers import a_tournament, players
from tournaments.models import StaffRole, Tournament, TournamentStaff

pytestmark = pytest.mark.django_db


def _page(tournament: Tournament) -> str:
    return f"/admin/tournaments/tournament/{tournament.pk}/staff/"


def _people(tournament: Tournament) -> list[tuple[str, str]]:
    rows = TournamentStaff.objects.filter(tournament=tournament).order_by("role", "user__username")
    return list(rows.values_list("user__username", "role"))


def test_an_organiser_appoints_an_arbiter_who_then_has_the_control_room() -> None:
    """By his name in any case; the audit log says who had a duty before and after."""
    tournament = a_tournament()
    client = organiser_of(tournament)
    arun = member("arun", ARBITERS)
    room = f"/admin/tournaments/tournament/{tournament.pk}/control/"
    assert logged_in(arun).get(room).status_code == 404
    answer = client.post(_page(tournament), {"username": "ARUN", "role": "arbiter", "_appoint": ""})
    assert answer.status_code == 302
    assert logged_in(arun).get(room).status_code == 200
    line = StaffAction.objects.get(action="tournaments.appoint")
    assert (line.before["arbiter"], line.after["arbiter"]) == ([], ["arun"])
    assert "arun" in page_of(client, _page(tournament))


def test_a_duty_is_taken_away_but_not_from_the_last_organiser() -> None:
    """Refused in words, and nothing written."""
    tournament = a_tournament()
    client = organiser_of(tournament)
    olga = User.objects.get(username="olga")
    TournamentStaff.objects.filter(tournament=tournament).exclude(user=olga).delete()
    arun = member("arun", ARBITERS)
    TournamentStaff.objects.create(tournament=tournament, user=arun, role=StaffRole.ARBITER)
    sent = {"username": "arun", "role": "arbiter", "_dismiss": ""}
    assert client.post(_page(tournament), sent).status_code == 302
    assert _people(tournament) == [("olga", "organiser")]
    html = client.post(
        _page(tournament), {"username": "olga", "role": "organiser", "_dismiss": ""}
    ).content.decode()
    assert "Appoint another organiser first" in html
    assert _people(tournament) == [("olga", "organiser")]
    assert StaffAction.objects.filter(action="tournaments.dismiss").count() == 1


def test_a_duty_is_taken_from_somebody_whose_account_is_closed_but_not_given_to_him() -> None:
    """Who has left the staff still stands in the list."""
    tournament = a_tournament()
    client = organiser_of(tournament)
    before, arun = _people(tournament), member("arun", ARBITERS)
    TournamentStaff.objects.create(tournament=tournament, user=arun, role=StaffRole.ARBITER)
    User.objects.filter(pk=arun.pk).update(is_active=False)
    sent = {"username": "arun", "role": "arbiter"}
    assert client.post(_page(tournament), sent | {"_dismiss": ""}).status_code == 302
    assert _people(tournament) == before
    html = client.post(_page(tournament), sent | {"_appoint": ""}).content.decode()
    assert "Only a member of the staff can be given a duty." in html
    assert _people(tournament) == before


@pytest.mark.parametrize("name", ["nobody-here", "", "player"])
def test_only_somebody_of_the_staff_can_be_given_a_duty(name: str) -> None:
    """An unknown name, none, and a player: each is told beside the field."""
    tournament = a_tournament()
    client = organiser_of(tournament)
    name = players(1)[0].username if name == "player" else name
    before = _people(tournament)
    answer = client.post(_page(tournament), {"username": name, "role": "arbiter"})
    assert 'id="id_username_error"' in answer.content.decode()
    assert _people(tournament) == before


def test_another_organiser_s_tournament_has_no_such_page() -> None:
    """Neither to look at nor to send to."""
    tournament = a_tournament()
    other = logged_in(member("otto", ORGANISERS))
    assert other.get(_page(tournament)).status_code == 404
    sent = {"username": "otto", "role": "organiser"}
    assert other.post(_page(tournament), sent).status_code == 404
