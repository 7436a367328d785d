"""Tournaments over HTTP: who may do what, what a page costs, and what programs are told."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from rummy_site.roles import ORGANISERS
from tests.programs import api, staff
from tests.tournaments.helpers import (
    a_tournament,
    close_and_start,
    join,
    next_round,
    players,
    started,
    terms,
)
from tournaments.models import Placing, Shape
from tournaments.structure.conditions import Conditions, EntryRules

pytestmark = pytest.mark.django_db

PARTS = ("", "entrants/", "standings/", "prizes/", "rounds/")
OWN = ("/api/me/entries/", "/api/me/calls/", "/api/me/matches/", "/api/quick/")
ACTS = ("join/", "withdraw/", "check-in/", "re-enter/", "rebuy/")


def test_the_schema_has_no_fault_and_no_warning() -> None:
    said = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=said)
    assert "/api/tournaments/{public_id}/join/" in said.getvalue()


@pytest.mark.parametrize("part", PARTS)
def test_everybody_reads_a_tournament_and_nobody_a_draft(part: str) -> None:
    shown = started(Shape.KNOCKOUT, 6)
    draft = a_tournament(opened=False)
    readers = [None, *players(1), staff(ORGANISERS), staff("operators")]
    for reader in readers:
        assert api(reader).get(f"/api/tournaments/{shown.public_id}/{part}").status_code == 200
        missing = api(reader).get(f"/api/tournaments/{draft.public_id}/{part}")
        assert (missing.status_code, missing.json()["code"]) == (404, "unknown_tournament")


@pytest.mark.parametrize("address", OWN)
def test_what_is_ones_own_is_for_who_has_logged_in(address: str) -> None:
    answer = api().get(address)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_authenticated")
    for reader in (*players(1), staff(ORGANISERS), staff("operators")):
        assert api(reader).get(address).status_code == 200


@pytest.mark.parametrize("act", ACTS)
def test_a_visitor_can_do_nothing(act: str) -> None:
    made = a_tournament()
    answer = api().post(f"/api/tournaments/{made.public_id}/{act}")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_authenticated")


def test_a_player_joins_and_withdraws_and_others_do_not_see_it_as_theirs() -> None:
    made = a_tournament()
    asha, bilal = players(2)
    address = f"/api/tournaments/{made.public_id}"
    assert api(asha).post(f"{address}/join/", {}).json()["state"] == "entered"
    assert api(asha).get(f"{address}/").json()["mine"]["state"] == "entered"
    assert api(bilal).get(f"{address}/").json()["mine"] is None
    assert api(bilal).post(f"{address}/withdraw/").json()["code"] == "not_entered"
    assert [row["tournament"] for row in api(asha).get(OWN[0]).json()["results"]] == [
        made.public_id
    ]
    assert api(bilal).get(OWN[0]).json()["results"] == []
    assert api(asha).post(f"{address}/withdraw/").json()["state"] == "withdrawn"


def test_a_refusal_has_a_code_a_sentence_and_a_field() -> None:
    made = a_tournament()
    (poor,) = players(1, points=0)
    answer = api(poor).post(f"/api/tournaments/{made.public_id}/join/", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "insufficient_funds")
    assert set(answer.json()) == {"code", "detail", "field"}


def test_somebody_elses_ticket_is_unknown() -> None:
    (asha,) = players(1)
    answer = api(asha).post("/api/tickets/use/", {"ticket": 7})
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_ticket")


def test_the_entry_code_is_not_told_with_the_terms() -> None:
    rules = EntryRules(conditions=Conditions(code="open-sesame"))
    made = a_tournament(terms=terms(entering=rules))
    answer = api().get(f"/api/tournaments/{made.public_id}/")
    assert "open-sesame" not in answer.content.decode()
    assert answer.json()["terms"]["entering"]["conditions"]["needs_code"] is True


def test_the_list_is_filtered_as_the_lobby_and_comes_in_stretches() -> None:
    made = [a_tournament(name=f"Cup {number}").public_id for number in range(26)]
    seen: list[str] = []
    address = "/api/tournaments/?sort=new&q=cup"
    while address:
        page = api().get(address).json()
        seen += [row["id"] for row in page["results"]]
        address = page["next"]
    assert seen == made[::-1]
    assert api().get("/api/tournaments/?q=nothing").json()["results"] == []
    bad = api().get("/api/tournaments/?state=lost")
    assert (bad.status_code, bad.json()["field"]) == (400, "state")


@pytest.mark.parametrize("part", PARTS)
def test_a_page_takes_the_same_queries_for_few_and_for_many(
    part: str, django_assert_max_num_queries: Any
) -> None:
    for size in (6, 60):
        made = started(Shape.KNOCKOUT, size)
        next_round(made)
        with django_assert_max_num_queries(12):
            api().get(f"/api/tournaments/{made.public_id}/{part}")
        with django_assert_max_num_queries(12):
            api().get(f"/api/tournaments/{made.public_id}/rounds/1/")


def test_pages_of_entrants_are_bounded_and_complete() -> None:
    made = a_tournament(capacity=7)
    join(made, *players(7))
    seen: list[int] = []
    address = f"/api/tournaments/{made.public_id}/entrants/?limit=3"
    while address:
        page = api().get(address).json()
        assert len(page["results"]) <= 3
        seen += [row["number"] for row in page["results"]]
        address = page["next"]
    assert seen == [1, 2, 3, 4, 5, 6, 7]


def test_calls_matches_and_deals_are_the_players_own() -> None:
    made = a_tournament(Shape.SINGLE, capacity=2)
    asha, bilal = players(2)
    (other,) = players(1)
    join(made, asha, bilal)
    close_and_start(made)
    next_round(made)
    (call,) = api(asha).get(OWN[1]).json()
    (match,) = api(asha).get(OWN[2]).json()["results"]
    assert call["table"] == match["table"]
    assert Placing.objects.count() == 2
    assert api(other).get(OWN[1]).json() == []
    assert api(other).get(OWN[2]).json()["results"] == []


def test_a_quick_table_is_opened_joined_and_left() -> None:
    asha, bilal = players(2)
    wish = {"format": "points", "seats": 3}
    mine = api(asha).post("/api/quick/", wish).json()
    assert (mine["taken"], mine["table"]) == (1, "")
    assert api(bilal).get(f"/api/quick/{mine['id']}/").status_code == 404
    assert api(bilal).post(f"/api/quick/{mine['id']}/leave/").status_code == 404
    assert api(asha).post(f"/api/quick/{mine['id']}/leave/").status_code == 204
    begun = api(asha).post("/api/quick/", {"with_bots": True})
    assert begun.status_code == 201
    assert begun.json()["table"]
    bad = api(asha).post("/api/quick/", {"seats": 9})
    assert (bad.status_code, bad.json()["field"]) == (400, "seats")
