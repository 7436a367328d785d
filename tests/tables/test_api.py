"""Deals over HTTP: each reader gets what he may know of them, and not more."""

from __future__ import annotations

import pytest

from rummy_site.roles import OPERATORS, ORGANISERS
from tables.rules.bots import Strength
from tests.programs import api, staff
from tests.tables.helpers import a_match, dealt, play_out, players

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("part", ["", "history/"])
def test_a_running_deal_is_there_for_its_players_only(part: str) -> None:
    match = a_match()
    deal, _state = dealt(match)
    address = f"/api/deals/{deal.public_id}/{part}"
    for seat in match.seats.all():
        assert api(seat.player).get(address).status_code == 200
    for other in (*players(1), staff(ORGANISERS), staff(OPERATORS)):
        answer = api(other).get(address)
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_deal")
    visitor = api().get(address)
    assert (visitor.status_code, visitor.json()["code"]) == (403, "not_authenticated")


def test_a_player_sees_his_own_cards_and_nobody_elses() -> None:
    match = a_match()
    deal, _state = dealt(match)
    for seat in match.seats.all():
        found = api(seat.player).get(f"/api/deals/{deal.public_id}/").json()
        assert found["seat"] == seat.number
        assert found["state"]["secret"] == ""
        for one in found["state"]["seats"]:
            assert ("??" in one["hand"]) is (one["seat"] != seat.number)
        assert set(found["state"]["closed"]) == {"??"}


def test_a_finished_deal_is_read_by_who_has_logged_in() -> None:
    match = a_match(bot=Strength.STEADY)
    play_out(match)
    deal = match.deals.get(number=1)
    for reader in (*players(1), staff(ORGANISERS), staff(OPERATORS)):
        assert api(reader).get(f"/api/deals/{deal.public_id}/").json()["is_over"] is True
