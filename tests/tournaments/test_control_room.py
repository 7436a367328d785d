"""The control room: what it shows, and to whom."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User

from rummy_site.roles import ORGANISERS
from tables import services as tables
from tables.models import Connection, Deal, Match, Seat
from tables.services.presence import disconnected
from tests.live.secrets_search import cards_anywhere
from tests.pages import logged_in, page_of, queries_of
from tests.staff.helpers import member
from tests.tournaments.control_helpers import (
    arbiter_of,
    deed_at,
    in_charge_of,
    organiser_of,
    room_of,
    seat_of,
    seven,
)
from tests.tournaments.helpers import (
    NOW,
    next_round,
    open_tables,
    secret_for,
    started,
    terms,
)
from tournaments import services
from tournaments.models import (
    Call,
    Entry,
    Shape,
    StaffRole,
    Tournament,
)

pytestmark = pytest.mark.django_db


def test_the_room_shows_rounds_tables_and_who_is_not_there() -> None:
    """Nobody has come yet; the first to open a socket is shown as here."""
    tournament = seven()
    html = page_of(organiser_of(tournament), room_of(tournament))
    assert html.count('class="panel control-table') == 2
    assert '<dd class="bad">7</dd>' in html
    seat = Seat.objects.order_by("pk").first()
    assert seat is not None
    Connection.objects.create(seat=seat, channel="one", seen_at=datetime.now(UTC))
    again = page_of(logged_in(User.objects.get(username="olga")), room_of(tournament))
    assert '<dd class="bad">6</dd>' in again
    assert 'class="presence is-here"' in again


def test_an_arbiter_is_shown_no_way_that_is_closed_to_him() -> None:
    """The head of his pages leads where he may go; that of an organiser to all of it."""
    tournament = seven()
    pages = (room_of(tournament), deed_at(tournament, "call", table=open_tables(tournament)[0].pk))
    for client, shown in ((organiser_of(tournament), True), (arbiter_of(tournament), False)):
        for address in pages:
            html = page_of(client, address)
            assert (f"/admin/tournaments/tournament/{tournament.pk}/entrants/" in html) is shown
            ways = html.partition('<nav class="desk-nav"')[2].partition("</nav>")[0]
            for way in re.findall(r'href="([^"]+)"', ways):
                page_of(client, way)


def test_an_arbiter_comes_from_the_list_to_the_control_room_once_it_is_played() -> None:
    """Before that there is nothing for him to do, and he is shown the row."""
    tournament = seven()
    client = arbiter_of(tournament)
    row = f"/admin/tournaments/tournament/{tournament.pk}/change/"
    assert row in page_of(client, "/admin/tournaments/tournament/")
    assert client.get(row)["Location"] == room_of(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(started_at=None)
    assert client.get(row).status_code == 200


def test_who_was_called_long_ago_is_late_and_who_was_there_has_lost_his_connection() -> None:
    """Called at the test's far past; one has come and gone, another is called just now."""
    tournament = seven()
    first, second, *_rest = Call.objects.order_by("pk")
    seat = Seat.objects.get(player_id=first.entry.player_id)
    disconnected(match_id=seat.match_id, seat=seat.number, now=NOW)
    Call.objects.filter(pk=second.pk).update(at=datetime.now(UTC))
    html = page_of(organiser_of(tournament), room_of(tournament))
    assert html.count('class="presence is-away"') == 2  # in the list and at the table
    assert html.count('class="presence is-called"') == 2
    assert html.count('class="presence is-late"') == 10


def test_no_card_of_a_running_deal_stands_in_the_room() -> None:
    """Neither the page nor its live part names a card; they say whose move it is."""
    tournament = seven()
    for match in Match.objects.filter(over_at__isnull=True):
        tables.deal_next(match_id=match.pk, secret_for=secret_for, now=NOW)
    assert Deal.objects.filter(over_at__isnull=True).count() == 2
    client = organiser_of(tournament)
    for address in (room_of(tournament), f"{room_of(tournament)}floor/"):
        html = page_of(client, address)
        assert html.count('<tr class="is-awaited">') == 2
        assert cards_anywhere(html) == set()
        assert not re.search(r"[♠♥♦♣]", html)


def test_the_room_takes_the_same_statements_for_two_tables_and_for_twelve() -> None:
    """Entries and tables add none."""
    few = seven()
    many = started(Shape.KNOCKOUT, 66, terms=terms())
    next_round(many)
    counts = []
    for number, tournament in enumerate((few, many)):
        client = in_charge_of(tournament, ORGANISERS, StaffRole.ORGANISER, f"olga{number}")
        counts.append(len(queries_of(client, room_of(tournament))))
    assert len(open_tables(many)) >= 11
    assert counts[0] == counts[1]


def test_the_live_part_says_that_nothing_is_new() -> None:
    """Asked again with the name of what was shown, it answers without a body."""
    tournament = seven()
    client = organiser_of(tournament)
    first = client.get(f"{room_of(tournament)}floor/")
    assert first.status_code == 200
    again = client.get(f"{room_of(tournament)}floor/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    services.pause(tournament_id=tournament.pk, actor="olga", now=datetime.now(UTC))
    after = client.get(f"{room_of(tournament)}floor/", headers={"If-None-Match": first["ETag"]})
    assert after.status_code == 200


def test_an_arbiter_may_not_do_what_only_organisers_may() -> None:
    """He sees the room, and neither finds nor may use the organisers' deeds."""
    tournament = seven()
    client = arbiter_of(tournament)
    html = page_of(client, room_of(tournament))
    assert "control/pause/" not in html
    assert "control/override/" in html
    table = open_tables(tournament)[0]
    about = {"table": table.pk, "player": seat_of(table, 0).player_id}
    for name in ("pause", "abort", "redo", "move", "substitute", "withdraw", "disqualify"):
        address = deed_at(tournament, name, **about)
        assert client.get(address).status_code == 403
        assert client.post(address, {"look": "", "reason": "x"}).status_code == 403


def test_somebody_else_s_tournament_has_no_control_room() -> None:
    """Another organiser finds nothing there, a player not even the admin."""
    tournament = seven()
    other = logged_in(member("otto", ORGANISERS))
    for address in (
        room_of(tournament),
        f"{room_of(tournament)}floor/",
        deed_at(tournament, "pause"),
    ):
        assert other.get(address).status_code == 404
        assert logged_in(Entry.objects.all()[0].player).get(address).status_code == 302
