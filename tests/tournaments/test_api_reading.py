"""What pages show of tournaments, players and months, as programs read it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.programs import api
from tests.showcase import Showcase, make_showcase
from tests.tournaments.helpers import a_tournament, join, players
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def showcase() -> Showcase:
    return make_showcase()


def at(tournament: Tournament, part: str) -> str:
    """An address under a tournament."""
    return f"/api/tournaments/{tournament.public_id}/{part}"


def test_the_log_says_what_happened(showcase: Showcase) -> None:
    lines = api().get(at(showcase.tournaments["paused"], "log/")).json()
    assert lines[-1]["action"] == "pause"
    assert (lines[-1]["after"], lines[-1]["reason"]) == ("paused", "Fire alarm")


def test_the_waitlist_comes_in_the_order_of_waiting() -> None:
    made = a_tournament(capacity=2)
    people = players(6)
    join(made, *people)
    seen: list[str] = []
    address = at(made, "waitlist/?limit=2")
    while address:
        page = api().get(address).json()
        assert len(page["results"]) <= 2
        seen += [row["player"] for row in page["results"]]
        address = page["next"]
    assert seen == [person.username for person in people[2:]]


def test_seating_and_bracket_name_tables_and_players(showcase: Showcase) -> None:
    [table] = api().get(at(showcase.tournaments["running"], "seating/")).json()
    assert (table["table"], len(table["names"])) == (showcase.table, 3)
    pairings = api().get(at(showcase.tournaments["played"], "bracket/")).json()
    assert [one["round"] for one in pairings] == [1, 1, 2]
    assert pairings[-1]["winner_seed"] in (
        pairings[-1]["first"]["seed"],
        pairings[-1]["second"]["seed"],
    )
    none = api().get(at(showcase.tournaments["running"], "bracket/"))
    assert (none.status_code, none.json()["code"]) == (404, "unknown_tournament")


def test_a_draw_can_be_computed_again(showcase: Showcase) -> None:
    found = api().get(at(showcase.tournaments["played"], "draws/1/")).json()
    commitment, draw = found["checks"][:2]
    assert commitment["kind"] == "commitment"
    assert sorted(draw["items"]) == sorted(draw["found"]) == [1, 2, 3, 4]
    assert api().get(at(showcase.tournaments["played"], "draws/9/")).status_code == 404


def test_chips_are_there_where_somebody_plays_for_them(showcase: Showcase) -> None:
    found = api().get(at(showcase.tournaments["running"], "chips/")).json()
    assert found == {"pages": 1, "results": []}


def test_a_month_and_a_player_are_read_by_everybody(showcase: Showcase) -> None:
    month = f"{datetime.now(UTC):%Y-%m}"
    board = api().get(f"/api/leaderboards/?month={month}").json()
    assert [line["value"] for line in board["lines"]] == [1]
    winner = board["lines"][0]["username"]
    profile = api().get(f"/api/players/{winner}/").json()
    assert (profile["won"], profile["best"]) == (1, 1)
    assert profile["results"][0]["name"] == "Played cup"
    assert not {"email", "prize", "net"} & profile.keys()


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("month=soon", "month"),
        ("month=2026-13", "month"),
        ("month=0001-01", "month"),
        ("by=luck", "by"),
        ("page=x", "page"),
        ("page=-1", "page"),
    ],
)
def test_a_month_that_is_none_is_refused_with_its_field(query: str, field: str) -> None:
    answer = api().get(f"/api/leaderboards/?{query}")
    assert (answer.status_code, answer.json()["field"]) == (400, field)


@pytest.mark.parametrize(
    "address",
    ["leaderboards/?month=soon", "leaderboards/?by=luck", "leaderboards/?page=x", "players/none/"],
)
def test_what_the_edge_refuses_is_told_in_the_language_asked_for(address: str) -> None:
    english = api().get(f"/api/{address}").json()
    hindi = api().get(f"/api/{address}", headers={"accept-language": "hi"}).json()
    assert english["detail"].isascii()
    assert not hindi["detail"].isascii()
    assert (hindi["code"], hindi["field"]) == (english["code"], english["field"])


def test_nobody_is_told_of_who_has_left(showcase: Showcase) -> None:
    player = showcase.people["player"]
    assert api().get(f"/api/players/{player.username}/").status_code == 200
    player.is_active = False
    player.save()
    assert api().get(f"/api/players/{player.username}/").status_code == 404
    assert api().get("/api/players/nobody-at-all/").json()["code"] == "not_found"


def test_offers_say_what_can_be_done_and_where(showcase: Showcase) -> None:
    other, tournament = showcase.people["other"], showcase.tournaments["open"]
    told = api(other).get(at(tournament, "you/")).json()
    [join_offer] = told["offers"]
    assert join_offer["do"] == "join"
    assert "500 play points" in join_offer["words"]
    assert api(other).post(join_offer["address"], {}).json()["state"] == "entered"
    [out] = api(other).get(at(tournament, "you/")).json()["offers"]
    assert api(other).post(out["address"]).json()["state"] == "withdrawn"
    seated = api(showcase.people["player"]).get(at(showcase.tournaments["running"], "you/"))
    assert seated.json()["table"] == showcase.table


def test_a_result_is_ones_own(showcase: Showcase) -> None:
    played = showcase.tournaments["played"]
    address = f"/api/me/results/{played.public_id}/"
    mine = api(showcase.people["player"]).get(address).json()
    entry = Entry.objects.get(tournament=played, player=showcase.people["player"])
    assert mine["entry"]["rank"] == entry.rank
    assert mine["tables"][0]["round"] == 1
    assert mine["net"]
    assert api(showcase.people["other"]).get(address).status_code == 404
    assert api(showcase.people["other"]).get(f"{address}history/").status_code == 404


def test_hand_histories_are_for_who_played(showcase: Showcase) -> None:
    running = showcase.tournaments["running"]
    for address in (
        f"/api/me/results/{running.public_id}/history/",
        f"/api/tables/{showcase.table}/history/",
    ):
        mine = api(showcase.people["player"]).get(address).json()
        assert mine["format"] == "rummy-hand-history"
        assert len(mine["deals"]) == 2
        assert api(showcase.people["other"]).get(address).status_code == 404


def test_the_calendars_address_opens_the_own_calendar_without_a_key(showcase: Showcase) -> None:
    address = api(showcase.people["player"]).get("/api/me/calendar/").json()["address"]
    answer = api().get(address)
    assert answer.status_code == 200
    assert answer.content.startswith(b"BEGIN:VCALENDAR")


def test_a_table_is_seen_as_ones_seat_may_see_it(showcase: Showcase) -> None:
    mine = api(showcase.people["player"]).get(f"/api/tables/{showcase.table}/").json()
    assert (mine["type"], mine["deal"]) == ("snapshot", showcase.live_deal)
    hands = {one["seat"]: one["hand"] for one in mine["state"]["seats"]}
    assert "??" not in hands[mine["seat"]]
    theirs = api(showcase.people["other"]).get(f"/api/tables/{showcase.table}/").json()
    assert (theirs["seat"], theirs["deal"]) == (None, showcase.played_deal)
    assert api(showcase.people["other"]).get("/api/tables/none/").status_code == 404


def test_a_finished_deal_is_explained_and_a_running_one_is_not(showcase: Showcase) -> None:
    other = api(showcase.people["other"])
    told = other.get(f"/api/deals/{showcase.played_deal}/result/").json()
    assert len(told["hands"]) == 3
    for hand in told["hands"]:
        cards = [card for group in hand["groups"] for card in group["cards"]]
        assert sum(c["points"] for c in cards if c["counts"]) == hand["counted"]
        assert all(len(card["card"]) == 2 for card in cards)
    for reader in (other, api(showcase.people["player"])):
        assert reader.get(f"/api/deals/{showcase.live_deal}/result/").status_code == 404
        assert reader.get(f"/api/deals/{showcase.live_deal}/checks/").json()["checks"] == []
    kinds = {
        c["kind"] for c in other.get(f"/api/deals/{showcase.played_deal}/checks/").json()["checks"]
    }
    assert {"commitment", "order"} <= kinds


def test_a_hint_is_given_where_the_table_gives_hints(showcase: Showcase) -> None:
    address = f"/api/tables/{showcase.table}/hint/"
    refused: Any = api(showcase.people["player"]).get(address)
    assert (refused.status_code, refused.json()["code"]) == (403, "no_hints")
    assert api(showcase.people["other"]).get(address).json()["code"] == "not_a_player"
