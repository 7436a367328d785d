"""Pages of tournaments: the list, a tournament, a round, and the checks they show."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.pages import Addresses, page_of, queries_of, text_of
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    leave,
    next_round,
    players,
    run_out,
    secret_for,
    started,
    terms,
)
from tournaments import money, services
from tournaments.models import Entry, EntryState, Placing, Round, Shape, Tournament
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db

FULL_LIST = 500
PARTS = ("", "entrants/", "rounds/", "rounds/1/", "prizes/", "log/", "screen/", "seating/")
"""The pages of a tournament."""


def address_of(tournament: Tournament) -> str:
    return f"/tournaments/{tournament.public_id}/"


def sheet(client: Client, tournament: Tournament, part: str = "") -> str:
    """One of a tournament's pages: overview, entrants/, rounds/, rounds/1/, prizes/, log/."""
    return page_of(client, address_of(tournament) + part)


def played(shape: Shape = Shape.HEADS_UP, entrants: int = 5, **changes: Any) -> Tournament:
    """A tournament that is over."""
    tournament = started(shape, entrants, **changes)
    run_out(tournament)
    services.complete(tournament_id=tournament.pk, now=NOW)
    return Tournament.objects.get(pk=tournament.pk)


def running_with(entrants: int, name: str = "Big cup") -> Tournament:
    """A knock-out in its first round with so many players, made without registering each."""
    tournament = a_tournament(
        capacity=FULL_LIST, name=name, terms=terms("points"), entry_fee=0, house_fee=0
    )
    people = players(entrants, points=0)
    Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            player=person,
            number=number,
            state=EntryState.PLAYING,
            joined_at=NOW,
        )
        for number, person in enumerate(people, 1)
    )
    Tournament.objects.filter(pk=tournament.pk).update(state=State.RUNNING, started_at=NOW)
    assert next_round(tournament) is not None
    return tournament


# The list


def test_an_empty_site_says_what_to_do_next(client: Client) -> None:
    text = text_of(page_of(client, "/"))
    assert "There is no tournament yet." in text
    assert "make run" in text


def test_the_list_shows_state_entries_fee_and_pool(client: Client) -> None:
    tournament = a_tournament(capacity=6, house_fee=100, name="Spring cup")
    join(tournament, *players(2))
    text = text_of(page_of(client, "/"))
    assert "Open for registration" in text
    assert "Best of 2 deals · multi-table knock-out" in text
    assert "2 of 6" in text
    assert "500 play points" in text
    assert "800 play points" in text


def test_the_list_names_the_winner_of_what_is_over(client: Client) -> None:
    tournament = played()
    winner = tournament.entries.select_related("player").get(rank=1)
    text = text_of(page_of(client, "/"))
    assert f"Winner {winner.player.username}" in text


def test_a_draft_is_shown_to_nobody(client: Client) -> None:
    draft = a_tournament(opened=False, name="Secret plans")
    assert "Secret plans" not in page_of(client, "/")
    assert client.get(address_of(draft)).status_code == 404
    assert client.get(f"/owners/tournament:{draft.pk}/").status_code == 404


def test_the_list_takes_as_many_queries_for_ten_tournaments_as_for_one(client: Client) -> None:
    join(a_tournament(), *players(3))
    one = len(queries_of(client, "/"))
    for number in range(9):
        join(a_tournament(name=f"Cup {number}"), *players(2))
    assert len(queries_of(client, "/")) == one


def test_the_list_comes_in_pages(client: Client) -> None:
    for number in range(25):
        a_tournament(name=f"Cup {number:02}")
    first = page_of(client, "/")
    assert "Cup 24" in first
    assert "Cup 00" not in first
    after = re.search(r'rel="next" href="([^"]+)"', first)
    assert after is not None
    second = page_of(client, f"/{unescape(after[1])}")
    assert "Cup 00" in second
    assert "Cup 01" not in second
    assert "Cup 24" in page_of(client, "/?after=nonsense")


def test_terms_that_cannot_be_read_spoil_no_page(client: Client) -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(terms="{}")
    assert "Spring cup" in page_of(client, "/")
    assert "cannot be read" in text_of(sheet(client, tournament))
    assert client.get(f"{address_of(tournament)}prizes/").status_code == 404


# One tournament


def test_a_finished_tournament_shows_ranks_reasons_and_prizes(client: Client) -> None:
    tournament = played(house_fee=100)
    text = text_of(sheet(client, tournament, "entrants/"))
    for entry in tournament.entries.select_related("player"):
        assert entry.player.username in text
        assert entry.reason in text
        assert entry.prize_reason in text
        assert not entry.prize or f"{entry.prize:,} play points" in text


def test_a_finished_tournament_shows_that_every_point_went_somewhere(client: Client) -> None:
    text = text_of(sheet(client, played(house_fee=100), "prizes/"))
    assert "Received 2,500 play points" in text
    assert "Paid in prizes 2,000 play points" in text
    assert "Kept as the organiser's fee 500 play points" in text
    assert "What came in went out again, to the last unit." in text


def test_the_terms_are_told_in_words(client: Client) -> None:
    text = text_of(sheet(client, a_tournament(terms=terms("pool201", prizes="70,30"))))
    assert "Pool 201" in text
    assert "70 · 30 %" in text
    assert "Who reaches 201 points is out; the last one wins." in text


def test_prizes_are_shown_for_all_seats_taken_while_people_register(client: Client) -> None:
    tournament = a_tournament()
    join(tournament, *players(4))
    text = text_of(sheet(client, tournament))
    assert "Prizes with all 6 seats taken Rank 1 1,500 play points 50 %" in text


def test_a_rejoin_shows_in_the_prize_pool_of_page_and_list_at_once(client: Client) -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("pool101", prizes="winner"), house_fee=50)
    player = tournament.entries.all()[0].player_id
    money.grant(
        asset=tournament.asset, player_ids=[player], amount=FEE, key="more", actor="x", now=NOW
    )
    money.take_rejoin(tournament=tournament, player_id=player, number=1, now=NOW)
    assert "Prize pool 1,800 play points" in text_of(sheet(client, tournament))
    assert "1,800 play points" in text_of(page_of(client, "/"))


def test_those_who_wait_or_withdrew_are_folded_away(client: Client) -> None:
    tournament = a_tournament(capacity=2)
    people = players(5)
    join(tournament, *people)
    leave(tournament, people[0])
    html = sheet(client, tournament, "entrants/")
    assert "On the waitlist: 2" in text_of(html)
    assert "Withdrawn: 1" in text_of(html)
    folded = "".join(re.findall(r"<details>.*?</details>", html, re.DOTALL))
    assert all(person.username in folded for person in (people[0], people[3], people[4]))
    assert people[1].username not in folded


def test_the_log_tells_who_did_what(client: Client) -> None:
    tournament = a_tournament()
    services.cancel(tournament_id=tournament.pk, actor="Meera", reason="storm", now=NOW)
    text = text_of(sheet(client, tournament, "log/"))
    assert "Registration opened by organiser" in text
    assert "Cancelled by Meera: storm" in text


def test_a_name_with_markup_is_shown_as_text(client: Client) -> None:
    tournament = a_tournament(name="<script>alert(1)</script>")
    assert "<script>" not in sheet(client, tournament)


# Draws


def test_the_next_draw_is_committed_to_and_its_secret_kept(client: Client) -> None:
    tournament = started(Shape.KNOCKOUT, 8)
    next_round(tournament)
    tournament.refresh_from_db()
    for address in ("/", *(address_of(tournament) + part for part in PARTS)):
        assert tournament.next_secret not in page_of(client, address)
    assert tournament.next_commitment in sheet(client, tournament, "rounds/")


@pytest.mark.parametrize(("shape", "entrants"), [(Shape.HEADS_UP, 5), (Shape.KNOCKOUT, 13)])
def test_an_honest_draw_is_shown_with_its_order_and_matches(
    client: Client, shape: Shape, entrants: int
) -> None:
    tournament = played(shape, entrants)
    for one in tournament.rounds.all():
        html = sheet(client, tournament, f"rounds/{one.number}/")
        assert html.count("checked, it matches") == 1
        assert "does not match" not in html
        assert one.draw_secret in html
        assert one.draw_commitment in html
    first = page_of(client, f"{address_of(tournament)}rounds/1/")
    order = re.search(r"\d+(?:, \d+){2,}", text_of(first))
    assert order is not None
    assert sorted(map(int, order[0].split(", "))) == list(range(1, entrants + 1))


def test_players_who_changed_places_after_the_draw_are_noticed(client: Client) -> None:
    tournament = started(Shape.KNOCKOUT, 8)
    next_round(tournament)
    one, other = Placing.objects.filter(seat=0).order_by("table__number")
    entries = one.entry, other.entry
    for placing, seat in ((one, 90), (other, 91)):
        Placing.objects.filter(pk=placing.pk).update(seat=seat)
    Placing.objects.filter(pk=one.pk).update(entry=entries[1], seat=0)
    Placing.objects.filter(pk=other.pk).update(entry=entries[0], seat=0)
    assert "does not match" in text_of(sheet(client, tournament, "rounds/1/"))


def test_seeds_that_were_changed_after_the_draw_are_noticed(client: Client) -> None:
    tournament = started(Shape.HEADS_UP, 4)
    next_round(tournament)
    best, second = tournament.entries.filter(seed__lte=2).order_by("seed")
    Entry.objects.filter(pk=best.pk).update(seed=second.seed)
    Entry.objects.filter(pk=second.pk).update(seed=best.seed)
    assert "does not match" in text_of(sheet(client, tournament, "rounds/1/"))


def test_another_secret_than_the_committed_one_is_noticed(client: Client) -> None:
    tournament = started(Shape.KNOCKOUT, 8)
    next_round(tournament)
    Round.objects.filter(tournament=tournament).update(draw_secret=secret_for("other").hex())
    text = text_of(sheet(client, tournament, "rounds/1/"))
    assert "The revealed secret is not the one that was committed to." in text


# Rounds and tables


def test_a_round_shows_who_goes_on(client: Client) -> None:
    tournament = started(Shape.KNOCKOUT, 8)
    opened = next_round(tournament)
    first, second = opened.tables.order_by("number")
    finish(first)
    winner = first.placings.select_related("entry__player").get(seat=0).entry.player
    text = text_of(page_of(client, f"{address_of(tournament)}rounds/1/"))
    assert f"1 {winner.username} 0 goes on" in text
    assert text.count("goes on") == 1
    assert f"/tables/{second.match.table.public_id}/" in sheet(client, tournament, "rounds/")


def test_a_table_leads_back_to_its_tournament(client: Client) -> None:
    tournament = started(Shape.SINGLE, 4)
    table = next_round(tournament).tables.get().match.table
    html = page_of(client, f"/tables/{table.public_id}/")
    owner = re.search(r'href="(/owners/[^"]+)"', html)
    assert owner is not None
    assert client.get(owner[1])["Location"] == address_of(tournament)


@pytest.mark.parametrize(
    "address",
    ["/tournaments/nothing/", "/owners/tournament:0/", "/owners/club:1/", "/owners/x/"],
)
def test_what_is_not_there_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_round_that_was_not_played_is_not_found(client: Client) -> None:
    tournament = a_tournament()
    assert client.get(f"{address_of(tournament)}rounds/1/").status_code == 404


def test_pages_are_only_to_be_looked_at(client: Client) -> None:
    tournament = a_tournament()
    for address in ("/", address_of(tournament)):
        assert client.post(address).status_code == 405


def test_pages_hold_nothing_inline_and_load_nothing_from_elsewhere(client: Client) -> None:
    tournament = played()
    for address in ("/", *(address_of(tournament) + part for part in PARTS)):
        found = Addresses(page_of(client, address))
        assert found.inline == []
        assert [a for a in found.addresses if not a.startswith(("/", "#", "?"))] == []


# Many entrants


@pytest.fixture
def big() -> Tournament:
    return running_with(FULL_LIST)


def test_pages_take_as_many_queries_for_500_entrants_as_for_10(
    client: Client, big: Tournament
) -> None:
    small = running_with(10, name="Small cup")
    for part in PARTS:
        few = queries_of(client, address_of(small) + part)
        many = queries_of(client, address_of(big) + part)
        assert len(many) == len(few) <= 13
    assert "checked, it matches" in sheet(client, big, "rounds/1/")


def test_entrants_and_tables_come_in_pages_and_each_stands_on_one(
    client: Client, big: Tournament
) -> None:
    seen: list[str] = []
    for page in range(1, 11):
        html = sheet(client, big, f"entrants/?page={page}")
        seen += re.findall(r'<th scope="row">(player-\d+)', html)
    everybody = User.objects.filter(pk__in=big.entries.values("player")).values_list("username")
    assert sorted(seen) == sorted(name for (name,) in everybody)
    tables = [
        page_of(client, f"{address_of(big)}rounds/1/?page={page}").count('href="/tables/')
        for page in (1, 2)
    ]
    assert tables == [50, 34]


def test_a_tournament_that_is_started_without_a_round_has_a_page(client: Client) -> None:
    tournament = a_tournament()
    join(tournament, *players(4))
    close_and_start(tournament)
    assert "Being played" in text_of(sheet(client, tournament))
