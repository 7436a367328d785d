"""Pages are kept only as long as they are true, and never show one player what is another's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.template import loader
from django.test import Client

from tests.pages import logged_in, page_of, queries_of, text_of
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    leave,
    next_round,
    open_tables,
    players,
    run_out,
    started,
)
from tournaments import fragments, services
from tournaments.models import Entry, EntryState, Shape, Tournament
from tournaments.offers import Known, offers_of
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db


def address(tournament: Tournament, part: str = "") -> str:
    return f"/tournaments/{tournament.public_id}/{part}"


# What is kept


def test_every_change_shows_at_once_on_the_pages_and_in_the_list(client: Client) -> None:
    tournament = a_tournament(Shape.KNOCKOUT, capacity=6)
    seen: list[str] = []

    def changed(part: str) -> None:
        text = text_of(page_of(client, address(tournament, part)))
        assert text not in seen
        seen.append(text)

    people = players(6)
    changed("entrants/")
    join(tournament, *people)
    changed("entrants/")
    leave(tournament, people[0])
    changed("entrants/")
    join(tournament, *players(1))
    changed("entrants/")
    close_and_start(tournament)
    changed("")
    assert "Being played" in text_of(page_of(client, "/"))
    next_round(tournament)
    changed("rounds/")
    for table in open_tables(tournament):
        finish(table)
        changed("rounds/")
    services.pause(tournament_id=tournament.pk, actor="Meera", reason="storm", now=NOW)
    changed("log/")
    assert "Paused" in text_of(page_of(client, "/"))


def test_a_finished_tournament_shows_its_prizes_at_once(client: Client) -> None:
    tournament = started(Shape.HEADS_UP, 4)
    run_out(tournament)
    before = page_of(client, address(tournament, "entrants/"))
    services.complete(tournament_id=tournament.pk, now=NOW)
    after = text_of(page_of(client, address(tournament, "entrants/")))
    assert "Standings" in after
    assert "Why this rank" not in before
    winner = tournament.entries.select_related("player").get(rank=1)
    assert f"Won by {winner.player.username}" in after


def test_a_page_that_is_kept_takes_fewer_queries(client: Client) -> None:
    tournament = started(Shape.KNOCKOUT, 8)
    next_round(tournament)
    for part in ("", "entrants/", "rounds/", "rounds/1/", "prizes/"):
        first = len(queries_of(client, address(tournament, part)))
        again = len(queries_of(client, address(tournament, part)))
        assert again < first or part == ""
        assert again <= 4


def test_a_change_at_one_table_draws_that_table_alone_anew(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = started(Shape.KNOCKOUT, 24)
    next_round(tournament)
    page_of(client, address(tournament, "rounds/"))
    drawn: list[Any] = []
    render = loader.render_to_string

    def noted(name: str, context: dict[str, Any]) -> str:
        drawn.extend([context["it"].number] if "it" in context else [])
        return str(render(name, context))

    monkeypatch.setattr(fragments, "render_to_string", noted)
    table = open_tables(tournament)[1]
    finish(table)
    assert "goes on" in page_of(client, address(tournament, "rounds/"))
    assert drawn == [table.number]


def test_nothing_of_one_player_stands_on_the_page_of_another() -> None:
    tournament = a_tournament()
    [one, other] = players(2)
    join(tournament, one)
    his, hers = logged_in(one), logged_in(other)
    for _ in range(2):
        assert "You are in." in page_of(his, address(tournament))
        page = page_of(hers, address(tournament))
        assert "You are in." not in page
        assert one.username not in page
        assert "Join for 500 play points" in page
    assert "You are in" in page_of(his, "/")
    assert "You are in" not in page_of(hers, "/")


def test_who_asks_again_is_told_that_nothing_is_new(client: Client) -> None:
    tournament = a_tournament()
    for part in ("live/", "you/", "screen/part/"):
        first = client.get(address(tournament, part))
        name = first["ETag"].strip('"')
        assert client.get(f"{address(tournament, part)}?seen={name}").status_code == 204
        same = client.get(address(tournament, part), headers={"If-None-Match": f'"{name}"'})
        assert same.status_code == 304
    seen = client.get(address(tournament, "live/"))["ETag"].strip('"')
    join(tournament, *players(1))
    assert client.get(f"{address(tournament, 'live/')}?seen={seen}").status_code == 200


# The buttons


@pytest.mark.parametrize("entry", [None, *EntryState])
@pytest.mark.parametrize("state", [state for state in State if state is not State.DRAFT])
@pytest.mark.parametrize("seats_free", [0, 3])
def test_everybody_is_told_something_and_only_what_can_be_done_is_offered(
    entry: EntryState | None, state: State, seats_free: int
) -> None:
    known = Known(
        state=state,
        now=NOW,
        fee="500 points",
        rules=EntryRules(late_until_round=1, reentries=1),
        entry=entry,
        seats_free=seats_free,
        rank=1,
    )
    told = offers_of(known)
    assert told.sentence
    acts = {offer.act.value for offer in told.offers}
    may_leave = entry in ("applied", "waiting", "entered") and state is State.REGISTERING
    may_leave |= entry == "waiting" and state is State.CLOSED
    assert ("withdraw" in acts) is may_leave
    outside = entry in (None, "withdrawn") or (entry == "not_seated" and state is State.REGISTERING)
    takes_in = state in (State.REGISTERING, State.RUNNING, State.PAUSED)
    assert ("join" in acts) is (outside and takes_in)
    assert ("come-back" in acts) is (entry == "out" and state in (State.RUNNING, State.PAUSED))
    for offer in told.offers:
        assert entry == "waiting" or "500 points" in offer.words


def test_check_in_is_offered_in_its_window_only() -> None:
    window = (NOW, NOW + timedelta(minutes=10))
    known = Known(
        state=State.CLOSED, now=NOW, fee="", rules=EntryRules(), entry=EntryState.ENTERED,
        check_in=window,
    )  # fmt: skip

    def acts(**changes: Any) -> list[str]:
        return [offer.act.value for offer in offers_of(known._replace(**changes)).offers]

    assert acts() == ["check-in"]
    assert acts(now=NOW - timedelta(seconds=1)) == []
    assert acts(now=window[1]) == []
    assert acts(is_checked_in=True) == []


def test_conditions_that_are_not_met_take_the_place_of_the_button() -> None:
    rules = EntryRules(conditions=Conditions(code="kite"))
    known = Known(state=State.REGISTERING, now=NOW, fee="", rules=rules, seats_free=1)
    assert offers_of(known).offers[0].asks_code
    refused = offers_of(known._replace(problems=("Only members may enter.",)))
    assert refused.offers == ()
    assert refused.problems == ("Only members may enter.",)


def test_joining_and_withdrawing_by_the_buttons() -> None:
    tournament = a_tournament()
    [person] = players(1)
    client = logged_in(person)
    assert client.post(address(tournament, "do/join/")).status_code == 302
    assert Entry.objects.get(player=person).state == EntryState.ENTERED
    page = text_of(page_of(client, address(tournament)))
    assert f"Withdraw, get {FEE} play points back" in page
    answer = client.post(address(tournament, "do/withdraw/"), headers={"HX-Request": "true"})
    assert answer["HX-Trigger"] == "tournament-changed"
    assert "Join for 500 play points" in answer.content.decode()


def test_a_refusal_stands_beside_the_button() -> None:
    tournament = a_tournament()
    [person] = players(1, points=0)
    client = logged_in(person)
    refused = client.post(address(tournament, "do/join/"))
    assert refused.status_code == 409
    assert "is missing" in refused.content.decode()
    part = client.post(address(tournament, "do/join/"), headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert 'role="alert"' in part.content.decode()
    assert not Entry.objects.exists()


def test_nobody_acts_without_a_login_and_unknown_acts_are_not_found(client: Client) -> None:
    tournament = a_tournament()
    answer = client.post(address(tournament, "do/join/"))
    assert answer.status_code == 302
    assert "next=" in answer["Location"]
    assert client.post(address(tournament, "do/steal/")).status_code == 404
    assert client.get(address(tournament, "do/join/")).status_code == 405
