"""The list of tournaments as a reader narrows, orders and saves it, and what he is in each."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from importlib import import_module
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.pages import page_of, queries_of, text_of
from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    next_round,
    open_tables,
    players,
    secret_for,
    started,
    terms,
)
from tournaments import services
from tournaments.filters import PHASES
from tournaments.fragments import cache
from tournaments.models import Entry, EntryState, Shape, Tournament
from tournaments.selectors.lobby import SORTS, lobby
from tournaments.services.quick import Wish
from tournaments.structure.conditions import EntryRules
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db


def shown(client: Client, query: str = "") -> list[str]:
    """The names on the list at an address, from the top down."""
    html = page_of(client, f"/?{query}")
    return [unescape(name) for name in re.findall(r'<a id="t-[^"]+"[^>]*>([^<]+)</a>', html)]


def put(tournament: Tournament, **changes: Any) -> Tournament:
    """Set fields by hand that only time would change."""
    Tournament.objects.filter(pk=tournament.pk).update(**changes)
    tournament.refresh_from_db()
    return tournament


def fill(tournament: Tournament, number: int) -> None:
    """Give seats to so many players at once, without registering each."""
    before = tournament.entries.count()
    Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            player=person,
            number=before + place,
            state=EntryState.ENTERED,
            joined_at=NOW,
        )
        for place, person in enumerate(players(number, points=0), 1)
    )


# Quick tables


def test_a_quick_table_is_on_no_list_whatever_is_asked_for(client: Client) -> None:
    [person] = players(1)
    a_tournament(name="Cup of all")
    quick = services.sit_down(
        player_id=person.pk, wish=Wish(with_bots=True), secret_for=secret_for, now=NOW
    )
    waiting = services.sit_down(
        player_id=players(1)[0].pk, wish=Wish(seats=6), secret_for=secret_for, now=NOW
    )
    client.force_login(person)
    for query in ("", "view=list", "sort=new", "stake=practice", "state=open", "state=playing"):
        for address in (f"/?{query}", f"/lobby/tiles/?{query}"):
            html = client.get(address).content.decode()
            assert quick.public_id not in html
            assert waiting.public_id not in html
    assert shown(client) == ["Cup of all"]


# Narrowing


@pytest.mark.parametrize("phase", list(PHASES))
def test_a_phase_shows_all_tournaments_in_its_states_and_no_others(
    client: Client, phase: str
) -> None:
    for state in State:
        over = NOW if state in PHASES["over"] else None
        put(a_tournament(name=state.value), state=state, over_at=over)
    assert sorted(shown(client, f"state={phase}")) == sorted(s.value for s in PHASES[phase])


def test_tournaments_are_found_by_format_stake_fee_and_name(client: Client) -> None:
    a_tournament(name="Deals for 500", terms=terms("deals"))
    a_tournament(name="Pool for nothing", terms=terms("pool101"), entry_fee=0)
    put(a_tournament(name="Points for 900", terms=terms("points"), entry_fee=900), stake="cash")
    assert shown(client, "format=deals") == ["Deals for 500"]
    assert shown(client, "stake=cash") == ["Points for 900"]
    assert shown(client, "fee_from=501") == ["Points for 900"]
    assert shown(client, "fee_to=0") == ["Pool for nothing"]
    assert shown(client, "fee_from=1&fee_to=500") == ["Deals for 500"]
    assert shown(client, "q=NOTHING") == ["Pool for nothing"]
    assert shown(client, "q=for&format=points") == ["Points for 900"]
    assert "No tournament is like that." in text_of(page_of(client, "/?q=zebra"))


def test_a_fee_in_money_is_found_by_whole_rupees_and_not_by_paise(client: Client) -> None:
    put(a_tournament(name="Club evening", entry_fee=50_000), asset="INR")
    put(a_tournament(name="Cheap evening", entry_fee=49_950), asset="INR")
    assert shown(client, "fee_from=500") == ["Club evening"]
    assert shown(client, "fee_to=499.5") == ["Cheap evening"]
    assert shown(client, "fee_to=499") == []


def test_tournaments_are_found_by_the_time_till_their_start(client: Client) -> None:
    now = timezone.now()
    put(a_tournament(name="In a moment"), starts_at=now + timedelta(minutes=30))
    put(a_tournament(name="Tonight"), starts_at=now + timedelta(hours=2))
    put(a_tournament(name="Some day"), starts_at=now + timedelta(days=3))
    put(a_tournament(name="Was to start"), starts_at=now - timedelta(minutes=1))
    a_tournament(name="No time set")
    assert shown(client, "within=1") == ["In a moment"]
    assert sorted(shown(client, "within=3")) == ["In a moment", "Tonight"]
    assert sorted(shown(client, "within=168")) == ["In a moment", "Some day", "Tonight"]


def test_seats_left_leaves_out_full_ones_and_those_not_open(client: Client) -> None:
    join(a_tournament(name="Full", capacity=2), *players(2))
    a_tournament(name="Free", capacity=2)
    going = a_tournament(name="Going", capacity=4)
    join(going, *players(2))
    close_and_start(going)
    assert shown(client, "seats=on") == ["Free"]
    assert "Full: waitlist open" in text_of(page_of(client, "/?q=Full"))


@pytest.mark.parametrize(
    "query", ["state=x", "format=x", "fee_from=x", "fee_to=-1", "within=7", "sort=x", "after=_"]
)
def test_choices_that_are_none_leave_the_whole_list(client: Client, query: str) -> None:
    a_tournament(name="Here")
    assert shown(client, query) == ["Here"]


# Orders


def _ordered() -> None:
    now = timezone.now()
    for number, name in enumerate(("A", "B", "C", "D")):
        fee = (300, 100, 400, 200)[number]
        made = a_tournament(name=name, entry_fee=fee, capacity=(4, 9, 2, 6)[number])
        starts = (now + timedelta(hours=(3, 1, 2, 0)[number])) if name != "D" else None
        put(made, starts_at=starts)
    put(Tournament.objects.get(name="D"), state=State.RUNNING, started_at=now)
    put(Tournament.objects.get(name="C"), state=State.ANNOUNCED)


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("", "BACD"),
        ("starts", "BCAD"),
        ("fee", "BDAC"),
        ("-fee", "CADB"),
        ("seats", "BDAC"),
        ("new", "DCBA"),
    ],
)
def test_the_list_comes_in_every_order(client: Client, sort: str, names: str) -> None:
    _ordered()
    assert "".join(shown(client, f"sort={sort}")) == names
    assert "".join(shown(client, f"sort={sort}&view=list")) == names


@pytest.mark.parametrize("sort", list(SORTS))
def test_every_order_shows_each_tournament_once_over_all_stretches(
    monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    monkeypatch.setattr(import_module("tournaments.selectors.lobby"), "TOURNAMENTS_A_PAGE", 3)
    now = timezone.now()
    for number in range(11):
        made = a_tournament(name=f"Cup {number}", entry_fee=number % 3 * 100, capacity=4)
        put(made, starts_at=None if number % 4 == 0 else now + timedelta(hours=number % 3))
    names: list[str] = []
    after = ""
    for _ in range(5):
        stretch = lobby(sort=sort, after=after)
        names += [one.name for one in stretch.tournaments]
        after = stretch.after
        if not after:
            break
    assert sorted(names) == sorted(f"Cup {number}" for number in range(11))


# A saved view


def test_a_saved_view_opens_the_lobby_until_it_is_forgotten(client: Client) -> None:
    a_tournament(name="Dear", entry_fee=900)
    a_tournament(name="Cheap", entry_fee=100)
    wanted = {"fee_to": "500", "view": "list", "nonsense": "x"}
    saved = client.post("/lobby/view/", wanted)
    assert saved["Location"] == "/?fee_to=500&view=list"
    assert client.cookies["lobby"]["httponly"]
    html = page_of(client, "/")
    assert 'class="lines"' in html
    assert "Cheap" in html
    assert "Dear" not in html
    assert shown(client, "sort=new") == ["Cheap", "Dear"]
    client.post("/lobby/view/", {})
    assert shown(client) == ["Cheap", "Dear"]


def test_a_view_cannot_lead_elsewhere_or_grow_without_end(client: Client) -> None:
    saved = client.post("/lobby/view/", {"q": "/" * 5000, "next": "//elsewhere.example/"})
    assert saved["Location"].startswith("/?q=")
    assert len(saved["Location"]) < 300
    client.cookies["lobby"] = "x" * 5000
    assert client.get("/").status_code == 200
    assert client.get("/lobby/view/").status_code == 405


# Freshness and cost


def test_a_seat_that_is_taken_shows_in_the_open_list_at_once(client: Client) -> None:
    tournament = a_tournament(capacity=2)
    first = client.get("/lobby/tiles/")
    seen = first["ETag"].strip('"')
    assert client.get(f"/lobby/tiles/?seen={seen}").status_code == 204
    join(tournament, *players(1))
    again = client.get(f"/lobby/tiles/?seen={seen}")
    assert again.status_code == 200
    assert "1 of 2" in again.content.decode()


@pytest.mark.parametrize("query", ["", "view=list", "sort=seats", "seats=on", "q=cup&state=open"])
def test_the_list_takes_as_many_queries_for_many_entrants_as_for_few(query: str) -> None:
    tournament = a_tournament(name="Cup", capacity=501)
    [person] = players(1)
    join(tournament, person)
    fill(tournament, 9)
    client = Client()
    client.force_login(person)
    cache.clear()
    few = len(queries_of(client, f"/?{query}"))
    fill(tournament, 490)
    cache.clear()
    assert len(queries_of(client, f"/?{query}")) == few <= 12
    assert "500 of 501" in page_of(client, f"/?{query}")


def test_a_tile_offers_what_its_reader_can_do_next(client: Client) -> None:
    free, full = a_tournament(name="Free"), a_tournament(name="Full", capacity=2)
    join(full, *players(2))
    asked = a_tournament(name="Asked", terms=terms(entering=EntryRules(needs_approval=True)))
    html = page_of(client, "/")
    asks: Callable[[Tournament, str], bool] = lambda one, words: (  # noqa: E731
        re.search(rf'href="/tournaments/{one.public_id}/"[^>]*>{words}', html) is not None
    )
    assert asks(free, "Join for 500 play points")
    assert asks(full, "Join the waitlist")
    assert asks(asked, "Apply for 500 play points")
    [person] = players(1)
    join(free, person)
    client.force_login(person)
    html = page_of(client, "/")
    assert not asks(free, "Join")
    assert asks(full, "Join the waitlist")


def test_a_tile_leads_to_the_table_that_waits_and_names_the_rank_in_the_end(
    client: Client,
) -> None:
    tournament = started(Shape.SINGLE, 3)
    next_round(tournament)
    [table] = open_tables(tournament)
    placing = table.placings.select_related("entry__player")[0]
    client.force_login(placing.entry.player)
    seat = f'href="/tables/{table.match.table.public_id}/">Take your seat'
    assert seat in page_of(client, "/")
    finish(table)
    next_round(tournament)
    services.complete(tournament_id=tournament.pk, now=NOW)
    html = page_of(client, "/")
    assert seat not in html
    placing.entry.refresh_from_db()
    assert f"You finished on rank {placing.entry.rank}" in text_of(html)
