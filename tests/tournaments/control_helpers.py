"""The control room of a tournament in tests: who uses it, and its deeds' two presses."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from rummy_site.roles import ARBITERS, ORGANISERS
from tests.pages import logged_in
from tests.staff.helpers import member
from tests.tournaments.helpers import (
    next_round,
    started,
    terms,
)
from tournaments.models import (
    Entry,
    RoundTable,
    Shape,
    StaffRole,
    Tournament,
    TournamentStaff,
)


def in_charge_of(tournament: Tournament, group: str, role: StaffRole, name: str) -> Client:
    """The browser of somebody with a duty in it."""
    user = member(name, group)
    TournamentStaff.objects.create(tournament=tournament, user=user, role=role)
    return logged_in(user)


def organiser_of(tournament: Tournament) -> Client:
    """The browser of its organiser, olga."""
    return in_charge_of(tournament, ORGANISERS, StaffRole.ORGANISER, "olga")


def arbiter_of(tournament: Tournament) -> Client:
    """The browser of an arbiter who was called to it."""
    return in_charge_of(tournament, ARBITERS, StaffRole.ARBITER, "arun")


def seven(**changes: Any) -> Tournament:
    """Tables of four and three, opened."""
    tournament = started(Shape.KNOCKOUT, 7, terms=terms(**changes))
    next_round(tournament)
    return tournament


def room_of(tournament: Tournament) -> str:
    """The address of the control room."""
    return f"/admin/tournaments/tournament/{tournament.pk}/control/"


def deed_at(tournament: Tournament, name: str, **about: int) -> str:
    """The address of a deed, and what it is about."""
    query = "&".join(f"{key}={value}" for key, value in about.items())
    return f"{room_of(tournament)}{name}/?{query}"


def token_of(html: str) -> str:
    """What the page wants confirmed; empty where nothing was foretold."""
    found = re.search(r'name="confirmed" value="(\w+)"', html)
    return "" if found is None else found[1]


def look(client: Client, address: str, **sent: Any) -> str:
    """Send a deed's form to see what would follow; the page."""
    answer = client.post(address, {"look": "", **sent})
    assert answer.status_code == 200
    return answer.content.decode()


def do(client: Client, address: str, **sent: Any) -> Any:
    """Look, and confirm what was foretold."""
    token = token_of(look(client, address, **sent))
    return client.post(address, {"do": "", "confirmed": token, **sent})


def seat_of(table: RoundTable, number: int) -> Entry:
    """Who sits there."""
    return Entry.objects.select_related("player").get(placings__table=table, placings__seat=number)
