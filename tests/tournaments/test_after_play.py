"""A player's own pages: what waits for him, what he has played, leaders, profiles, draws."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tables import services as table_services
from tables.rules.commands import Drop
from tables.rules.shoe import commitment_of, shuffled
from tests.pages import Addresses, logged_in, page_of, queries_of, text_of
from tests.tables.sheet_helpers import enter
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
    secret_for,
    started,
    terms,
)
from tests.tournaments.round_helpers import tie_breaks
from tests.tournaments.sheets import match_of, table_of
from tests.tournaments.test_tie_breaks import a_tie
from tournaments import play, services
from tournaments.models import Entry, Placing, Round, Shape, Tournament
from tournaments.selectors.mine import MyPlay, my_play
from tournaments.structure.due import StartKind, Times
from tournaments.structure.seating import seat_by_seed, seeded_order

pytestmark = pytest.mark.django_db


def mine(person: User, now: datetime = NOW) -> MyPlay:
    return my_play(player_id=person.pk, now=now)


def played(*people: User, **changes: Any) -> Tournament:
    """A single table that is over, the first seat having won."""
    tournament = a_tournament(Shape.SINGLE, capacity=len(people), **changes)
    join(tournament, *people)
    close_and_start(tournament)
    run_out(tournament)
    services.complete(tournament_id=tournament.pk, now=NOW)
    return tournament


def player_at(table: Any, seat: int) -> User:
    return table.placings.select_related("entry__player").get(seat=seat).entry.player


# My play


def test_pages_of_ones_own_are_for_those_who_logged_in() -> None:
    tournament = played(*players(2))
    own = f"/my/{tournament.public_id}/"
    for address in ("/my/", own, f"{own}history.json"):
        assert Client().get(address).status_code == 302
    stranger = logged_in(players(1)[0])
    assert stranger.get(own).status_code == 404
    assert stranger.get(f"{own}history.txt").status_code == 404


def test_somebody_new_is_told_what_to_do() -> None:
    text = text_of(page_of(logged_in(players(1)[0]), "/my/"))
    assert "You have entered nothing at the moment. Find a tournament" in text
    assert "Nothing yet." in text


def test_an_entry_counts_down_to_its_start_and_a_waitlist_place_is_told() -> None:
    times = Times(kind=StartKind.FIXED_TIME, starts_at=NOW + timedelta(hours=2))
    tournament = a_tournament(capacity=2, times=times)
    people = players(5)
    join(tournament, *people)
    [coming] = mine(people[0]).coming
    assert coming.seconds_left == 7200
    assert [mine(person).waiting[0].place for person in people[2:]] == [1, 2, 3]
    leave(tournament, people[2])
    assert mine(people[3]).waiting[0].place == 1
    assert mine(people[2]).waiting == ()


def test_a_check_in_that_is_open_waits_for_the_player_until_he_is_there() -> None:
    starts = NOW + timedelta(hours=2)
    times = Times(
        kind=StartKind.FIXED_TIME,
        starts_at=starts,
        check_in_opens_at=starts - timedelta(minutes=30),
        check_in_closes_at=starts - timedelta(minutes=5),
    )
    tournament = a_tournament(times=times)
    [person] = players(1)
    join(tournament, person)
    assert mine(person).needs == ()
    opened = starts - timedelta(minutes=20)
    [need] = mine(person, opened).needs
    assert "say that you are there" in need.sentence
    assert need.seconds_left == 15 * 60
    assert need.address == f"/tournaments/{tournament.public_id}/"
    services.check_in(tournament_id=tournament.pk, player_id=person.pk, actor="x", now=opened)
    assert mine(person, opened).needs == ()


def test_a_table_that_is_open_waits_and_is_listed_with_its_score() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("points"))
    next_round(tournament)
    table = table_of(tournament)
    found = mine(player_at(table, 0))
    [need] = found.needs
    assert (need.button, need.address) == (
        "Take your seat",
        f"/tables/{table.match.table.public_id}/",
    )
    [running] = found.running
    assert running.note.startswith("Round 1, table 1: place")
    assert running.table == table.match.table.public_id


def test_the_question_of_coming_back_stands_before_the_table_for_who_is_asked_alone() -> None:
    tournament = a_tournament(Shape.SINGLE, capacity=3, terms=terms("pool101"), in_person=True)
    join(tournament, *players(3, points=2 * FEE))
    close_and_start(tournament)
    next_round(tournament)
    table = table_of(tournament)
    enter(match_of(table), 0, {1: 80, 2: 20})
    enter(match_of(table), 0, {1: 30, 2: 5})
    [need] = mine(player_at(table, 1)).needs
    assert "Do you buy in again?" in need.sentence
    assert need.button == "Answer"
    assert all("buy in" not in need.sentence for need in mine(player_at(table, 2)).needs)
    text = text_of(page_of(logged_in(player_at(table, 1)), "/my/"))
    assert "Waiting for you Spring cup: you are out. Do you buy in again?" in text


def test_who_is_out_or_waits_for_his_next_table_is_told_so() -> None:
    tournament = started(Shape.HEADS_UP, 4)
    next_round(tournament)
    table = open_tables(tournament)[0]
    finish(table)
    winner, loser = player_at(table, 0), player_at(table, 1)
    assert mine(winner).running[0].note == "You go on; your next table is not open yet."
    assert mine(loser).running[0].note.startswith("You are out;")


def test_what_is_over_stands_with_rank_prize_and_net() -> None:
    people = players(2)
    tournament = played(*people, terms=terms("deals", prizes="winner"))
    first = Entry.objects.get(tournament=tournament, rank=1).player
    [line] = mine(first).past
    assert (line.rank, line.prize, line.net) == (1, "1,000 play points", "+500 play points")
    [other] = [person for person in people if person != first]
    [line] = mine(other).past
    assert (line.rank, line.prize) == (2, "")
    assert line.net == "−500 play points"
    assert not line.is_gain


def test_what_is_over_comes_in_pages_with_as_many_queries_for_many_as_for_few() -> None:
    person, other = players(2, points=100 * FEE)
    counts = []
    for number in (2, 21):
        for _ in range(number):
            played(person, other)
        counts.append(len(queries_of(logged_in(person), "/my/")))
    assert counts[0] == counts[1] <= 14
    first, second = mine(person), my_play(player_id=person.pk, page=2, now=NOW)
    assert (len(first.past), len(second.past)) == (20, 3)


# One tournament of mine


def with_deals() -> tuple[Tournament, User]:
    """A single table of two whose deal is over, as the first player dropped; and one of them."""
    tournament = started(Shape.SINGLE, 2, terms=terms("points"))
    next_round(tournament)
    table = table_of(tournament)
    deal, state = table_services.deal_next(match_id=table.match_id, secret_for=secret_for, now=NOW)
    assert state.turn is not None
    table_services.play(deal_id=deal.pk, command=Drop(state.turn), command_id="drop", now=NOW)
    return tournament, player_at(table, 0)


def test_my_result_leads_to_every_deal_again() -> None:
    tournament, person = with_deals()
    html = page_of(logged_in(person), f"/my/{tournament.public_id}/")
    [deal] = table_of(tournament).match.deals.all()
    assert f"/deals/{deal.public_id}/replay/" in html
    assert f"/deals/{deal.public_id}/verify/" in html
    kept = logged_in(person).get(f"/my/{tournament.public_id}/history.json")
    assert [one["deal"] for one in json.loads(kept.content)["deals"]] == [deal.public_id]
    text = logged_in(person).get(f"/my/{tournament.public_id}/history.txt").content.decode()
    assert "Secret of the shuffle:" in text
    assert logged_in(person).get(f"/my/{tournament.public_id}/history.exe").status_code == 404


def test_my_result_takes_as_many_queries_for_many_tables_as_for_one() -> None:
    counts = set()
    for entrants in (2, 8):
        tournament = started(Shape.HEADS_UP, entrants)
        run_out(tournament)
        services.complete(tournament_id=tournament.pk, now=NOW)
        winner = Entry.objects.get(tournament=tournament, rank=1).player
        html = page_of(logged_in(winner), f"/my/{tournament.public_id}/")
        assert "Rank 1" in text_of(html)
        counts.add(len(queries_of(logged_in(winner), f"/my/{tournament.public_id}/")))
    assert len(counts) == 1


# Leaders and profiles


def test_leaders_are_listed_by_month_and_measure_and_lead_to_their_profiles() -> None:
    people = players(2)
    tournament = played(*people, terms=terms("deals", prizes="winner"))
    first = Entry.objects.get(tournament=tournament, rank=1).player
    html = page_of(Client(), "/leaderboards/?month=2026-03&by=prizes")
    assert f"/players/{first.username}/" in html
    assert "1,000 play points" in text_of(html)
    assert "Leaders of March 2026" in text_of(html)
    assert "Nobody yet" in text_of(page_of(Client(), "/leaderboards/?month=2026-04"))
    for odd in ("?month=x", "?by=x", "?month=2026-13", "?page=x", "?month=²"):
        assert page_of(Client(), f"/leaderboards/{odd}")
    assert Client().get("/leaderboards/?month=1990-01").status_code == 404


def test_a_profile_shows_results_and_no_amount() -> None:
    people = players(2)
    tournament = played(*people)
    first = Entry.objects.get(tournament=tournament, rank=1).player
    text = text_of(page_of(Client(), f"/players/{first.username}/"))
    assert "Tournaments 1 Won 1 Best rank 1" in text
    assert "Spring cup" in text
    assert "play points" not in text
    assert Client().get("/players/nobody/").status_code == 404
    User.objects.filter(pk=first.pk).update(is_active=False)
    assert Client().get(f"/players/{first.username}/").status_code == 404


def test_leaders_and_profiles_take_as_many_queries_for_many_as_for_few() -> None:
    person, other = players(2, points=100 * FEE)
    counts: dict[str, set[int]] = {}
    for number in (2, 6):
        for _ in range(number):
            played(person, other)
        played(*players(2))
        for address in ("/leaderboards/?month=2026-03", f"/players/{person.username}/"):
            counts.setdefault(address, set()).add(len(queries_of(Client(), address)))
    assert all(len(found) == 1 for found in counts.values())


# Draws


def checks_of(tournament: Tournament, number: int = 1) -> list[dict[str, Any]]:
    html = page_of(Client(), f"/tournaments/{tournament.public_id}/draws/{number}/verify/")
    found = re.search(r'data-checks="([^"]*)"', html)
    assert found is not None
    return json.loads(unescape(found[1]))


def is_right(check: dict[str, Any]) -> bool:
    """A check computed as a browser does, by the rules in Python."""
    secret = bytes.fromhex(check["secret"])
    if check["kind"] == "commitment":
        return commitment_of(secret) == check["published"]
    order = shuffled(check["items"], secret, *check["context"])
    if "ratings" in check:
        order = seeded_order(order, dict(check["ratings"]))
        if "sizes" in check:
            order = tuple(e for t in seat_by_seed(order, check["sizes"]) for e in t)
    return list(order[: check.get("first", len(order))]) == check["found"]


@pytest.mark.parametrize("seeding", play.Seeding)
@pytest.mark.parametrize("shape", [Shape.HEADS_UP, Shape.KNOCKOUT])
def test_a_draw_gives_a_browser_all_it_needs(shape: Shape, seeding: play.Seeding) -> None:
    wanted = terms("points", seeding=seeding, prizes="winner")
    tournament = started(shape, 7, terms=wanted)
    next_round(tournament)
    checks = checks_of(tournament)
    assert [check["id"] for check in checks] == ["commitment", "draw"]
    assert all(map(is_right, checks))
    checks[1]["found"][:2] = checks[1]["found"][1::-1]
    assert not is_right(checks[1])


def test_seats_that_were_changed_behind_the_draws_back_are_wrong() -> None:
    tournament = started(Shape.KNOCKOUT, 7, terms=terms("points", prizes="winner"))
    next_round(tournament)
    here = list(Placing.objects.filter(table__round__tournament=tournament).order_by("pk"))
    one, other = here[0], here[-1]
    Placing.objects.filter(pk=one.pk).update(seat=9)
    for placing, table, seat in (
        (other, one.table_id, one.seat),
        (one, other.table_id, other.seat),
    ):
        Placing.objects.filter(pk=placing.pk).update(table=table, seat=seat)
    checks = checks_of(tournament)
    assert is_right(checks[0])
    assert not is_right(checks[1])
    address = f"/tournaments/{tournament.public_id}/draws/1/verify/"
    assert "found that it does not match" in text_of(page_of(Client(), address))


def test_a_later_round_of_a_bracket_draws_nothing() -> None:
    tournament = started(Shape.HEADS_UP, 4)
    run_out(tournament)
    assert [check["kind"] for check in checks_of(tournament, 2)] == ["commitment"]
    address = f"/tournaments/{tournament.public_id}/draws/2/verify/"
    assert "Nothing was drawn for this round" in text_of(page_of(Client(), address))


def test_the_secret_of_lots_is_not_shown_before_its_round_is_closed() -> None:
    tournament = started(Shape.KNOCKOUT, 7, terms=terms("points", prizes="winner"))
    next_round(tournament)
    one = Round.objects.get(tournament=tournament)
    assert one.lot_secret
    html = page_of(Client(), f"/tournaments/{tournament.public_id}/draws/1/verify/")
    assert one.lot_secret not in html
    assert Client().get(f"/tournaments/{tournament.public_id}/draws/2/verify/").status_code == 404
    assert Client().get("/tournaments/nothing/draws/1/verify/").status_code == 404


def test_tie_breaks_and_lots_of_a_closed_round_are_given_too() -> None:
    tournament, _numbers = a_tie()
    for _stage in range(3):
        next_round(tournament)
        finish(tie_breaks(tournament)[0], 0, 0, places=(1, 1))
    next_round(tournament)
    checks = checks_of(tournament)
    assert [check["id"] for check in checks] == [
        "commitment", "draw", "lot-commitment", "tie-1", "tie-2", "tie-3", "lot-1",
    ]  # fmt: skip
    assert all(map(is_right, checks))
    assert checks[-1]["first"] == 1


# All of them


def test_pages_hold_nothing_inline_and_load_nothing_from_elsewhere() -> None:
    tournament, person = with_deals()
    addresses = ["/my/", f"/my/{tournament.public_id}/", "/leaderboards/"]
    addresses += [f"/players/{person.username}/"]
    addresses += [f"/tournaments/{tournament.public_id}/draws/1/verify/"]
    for address in addresses:
        found = Addresses(page_of(logged_in(person), address))
        assert found.inline == []
        assert [a for a in found.addresses if not a.startswith(("/", "#", "?"))] == []
