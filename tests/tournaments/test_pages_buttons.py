"""What players buy and decide by a tournament's buttons, and that its pages show it at once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.pages import logged_in, page_of, queries_of, text_of
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    finish,
    join,
    next_round,
    players,
    started,
    terms,
    wallet,
)
from tests.tournaments.level_helpers import begun, end_level, opened_level, stacks
from tournaments import money, services
from tournaments.fragments import cache
from tournaments.models import Entry, EntryState, Shape, Ticket, Tournament
from tournaments.services import desk
from tournaments.structure.conditions import EntryRules
from tournaments.structure.due import StartKind, Times
from tournaments.structure.tickets import TicketPrize

pytestmark = pytest.mark.django_db


def address(tournament: Tournament, part: str = "") -> str:
    return f"/tournaments/{tournament.public_id}/{part}"


def entrants(tournament: Tournament) -> str:
    """The page of entrants as a visitor reads it."""
    return text_of(page_of(Client(), address(tournament, "entrants/")))


def won_ticket() -> tuple[Tournament, Ticket, Entry]:
    """A tournament, a ticket for it, and the entry that won it."""
    target = a_tournament(Shape.SINGLE, entry_fee=600, name="Final cup", capacity=3)
    prize = (TicketPrize(1, target.public_id, 600),)
    wanted = terms("deals", prizes="60,40", tickets=prize)
    satellite = started(Shape.SINGLE, 4, terms=wanted, house_fee=50)
    finish(next_round(satellite).tables.get())
    services.complete(tournament_id=satellite.pk, now=NOW)
    ticket = Ticket.objects.select_related("payment__entry__player").get()
    return target, ticket, ticket.payment.entry


# Tickets


def test_a_ticket_is_offered_first_and_used_by_its_button() -> None:
    target, ticket, entry = won_ticket()
    before = wallet(entry.player).posted
    client = logged_in(entry.player)
    html = page_of(client, address(target))
    assert html.index("Enter with your ticket") < html.index("Join for 600 play points")
    assert f'name="ticket" value="{ticket.pk}"' in html
    assert "Nobody has a seat yet" in entrants(target)
    assert client.post(address(target, "do/use-ticket/"), {"ticket": ticket.pk}).status_code == 302
    assert "You are in." in text_of(page_of(client, address(target)))
    assert entry.player.username in entrants(target)
    assert wallet(entry.player).posted - wallet(entry.player).held == before


def test_a_ticket_of_somebody_else_is_refused_and_not_offered() -> None:
    target, ticket, _ = won_ticket()
    [stranger] = players(1)
    client = logged_in(stranger)
    assert "Enter with your ticket" not in page_of(client, address(target))
    for number in (str(ticket.pk), "", "x", "9" * 30, "-1"):
        answer = client.post(address(target, "do/use-ticket/"), {"ticket": number})
        assert answer.status_code == 409
    assert not target.entries.exists()


# Coming back, buying chips


def test_who_is_out_comes_back_for_the_fee_on_the_button() -> None:
    rules = EntryRules(late_until_round=1, reentries=1)
    tournament = started(Shape.KNOCKOUT, 12, terms=terms(entering=rules))
    opened = next_round(tournament)
    finish(opened.tables.order_by("number")[0])
    person = tournament.entries.filter(state=EntryState.OUT).select_related("player")[0].player
    money.grant(
        asset=tournament.asset, player_ids=[person.pk], amount=FEE, key="m", actor="x", now=NOW
    )
    client = logged_in(person)
    assert "Come back for 500 play points" in text_of(page_of(client, address(tournament)))
    before = entrants(tournament)
    assert client.post(address(tournament, "do/come-back/")).status_code == 302
    assert "Come back" not in text_of(page_of(client, address(tournament)))
    assert tournament.entries.get(player=person).state == EntryState.PLAYING
    assert entrants(tournament) != before


def test_chips_are_bought_between_levels_for_the_amount_on_the_button() -> None:
    tournament, (first, second, _) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    client = logged_in(second)
    page = text_of(page_of(client, address(tournament)))
    assert "Buy 1,000 chips for 400 play points" in page
    assert "1,700" not in entrants(tournament)
    services.rebuy(
        tournament_id=tournament.pk,
        player_id=second.pk,
        actor="x",
        now=NOW + timedelta(seconds=605),
    )
    assert stacks(tournament)[second.pk] == 1700
    assert "1,700" in entrants(tournament)


def test_chips_that_cannot_be_bought_are_refused_beside_the_button() -> None:
    tournament, (first, *_) = begun(3)
    answer = logged_in(first).post(address(tournament, "do/buy-chips/"))
    assert answer.status_code == 409
    assert 'role="alert"' in answer.content.decode()


def test_players_in_levels_stand_in_the_order_of_their_chips() -> None:
    tournament, (first, second, third) = begun(3)
    end_level(opened_level(tournament), {first.pk: 900, second.pk: 1400, third.pk: 700})
    text = entrants(tournament)
    assert "Standings by chips" in text
    places = [text.index(person.username) for person in (second, first, third)]
    assert places == sorted(places)
    for chips in ("1,400", "900", "700"):
        assert chips in text


def test_the_standings_of_levels_take_as_many_queries_for_500_as_for_10(client: Client) -> None:
    small, _ = begun(10)
    big, _ = begun(10, capacity=500, name="Big")
    for person in players(490, points=0):
        Entry.objects.create(
            tournament=big,
            player=person,
            number=1000 + person.pk,
            state=EntryState.PLAYING,
            joined_at=NOW,
        )
    for part in ("", "entrants/", "prizes/", "screen/"):
        cache.clear()
        few = len(queries_of(client, address(small, part)))
        cache.clear()
        assert len(queries_of(client, address(big, part))) == few


# Fresh at once


def test_checking_in_shows_at_once_to_the_player() -> None:
    now = timezone.now()
    times = Times(
        kind=StartKind.FIXED_TIME,
        starts_at=now + timedelta(minutes=30),
        check_in_opens_at=now - timedelta(minutes=5),
        check_in_closes_at=now + timedelta(minutes=20),
    )
    tournament = a_tournament(times=times, now=now)
    [person] = players(1)
    join(tournament, person)
    client = logged_in(person)
    first = client.get(address(tournament, "you/"))
    seen = first["ETag"].strip('"')
    assert "Check in now" in first.content.decode()
    assert client.post(address(tournament, "do/check-in/")).status_code == 302
    again = client.get(f"{address(tournament, 'you/')}?seen={seen}")
    assert again.status_code == 200
    assert "have checked in" in again.content.decode()


def test_an_edit_shows_at_once_on_page_tile_and_screen(client: Client) -> None:
    tournament = a_tournament(name="Old name", capacity=6)
    pages = ("/", address(tournament), address(tournament, "screen/"))
    assert all("Old name" in page_of(client, page) for page in pages)
    services.edit(
        tournament_id=tournament.pk,
        version=Tournament.objects.get(pk=tournament.pk).version,
        actor="Meera",
        name="New name",
        capacity=8,
        now=NOW,
    )
    for page in pages:
        html = page_of(client, page)
        assert "New name" in html
        assert "Old name" not in html
    assert "0 of 8" in text_of(page_of(client, "/"))


def test_what_the_desk_decides_shows_at_once() -> None:
    tournament = started(Shape.KNOCKOUT, 8)
    next_round(tournament)
    people = [entry.player for entry in tournament.entries.select_related("player")]
    before = entrants(tournament)
    desk.disqualify(
        tournament_id=tournament.pk,
        player_id=people[0].pk,
        actor="Meera",
        reason="spoke of his cards",
        now=NOW,
    )
    assert entrants(tournament) != before
    assert "You have left" in text_of(page_of(logged_in(people[0]), address(tournament)))


@pytest.mark.django_db(transaction=True)
def test_a_players_new_name_shows_at_once_on_every_page_of_his_tournaments() -> None:
    tournament = started(Shape.HEADS_UP, 4)
    next_round(tournament)
    person = tournament.entries.select_related("player").order_by("number")[0].player
    pages = ("entrants/", "rounds/", "rounds/1/", "seating/")
    old = person.username
    assert all(old in page_of(Client(), address(tournament, part)) for part in pages)
    person.username = "Renamed"
    person.save()
    for part in pages:
        html = page_of(Client(), address(tournament, part))
        assert "Renamed" in html
        assert f">{old}<" not in html


@pytest.mark.django_db(transaction=True)
def test_a_login_makes_no_page_stale() -> None:
    tournament = a_tournament()
    [person] = players(1)
    join(tournament, person)
    before = Tournament.objects.get(pk=tournament.pk).changes
    logged_in(person)
    assert Tournament.objects.get(pk=tournament.pk).changes == before
