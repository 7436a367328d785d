"""The control room in a browser: it follows what happens, and a deed takes two presses."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from rummy_site.roles import ORGANISERS
from tables import services as tables
from tables.models import Match
from tests.staff.helpers import member
from tests.tournaments.helpers import next_round, secret_for, started, terms
from tests.web.axe import grave_faults
from tests.web.conftest import DARK, PHONE, Person
from tournaments.models import RoundTable, Shape, StaffRole, Tournament, TournamentStaff


@pytest.fixture
def cup(transactional_db: None) -> Tournament:
    """Seven players at two tables, dealt."""
    tournament = started(Shape.KNOCKOUT, 7, terms=terms())
    next_round(tournament)
    for match in Match.objects.filter(over_at__isnull=True):
        tables.deal_next(match_id=match.pk, secret_for=secret_for, now=datetime.now(UTC))
    return tournament


@pytest.fixture
def olga(cup: Tournament) -> User:
    """Its organiser."""
    user = member("olga", ORGANISERS)
    TournamentStaff.objects.create(tournament=cup, user=user, role=StaffRole.ORGANISER)
    return user


def _room(cup: Tournament) -> str:
    return f"/admin/tournaments/tournament/{cup.pk}/control/"


def test_the_room_shows_who_comes_and_who_goes_without_being_loaded_anew(
    person: Person, cup: Tournament, olga: User
) -> None:
    """A player opens his table in another browser, and closes it again."""
    room = person(olga)
    room.goto(_room(cup))
    expect(room.locator("#control-link")).to_have_text("Live")
    table = RoundTable.objects.order_by("number")[0]
    player = table.placings.order_by("seat")[0].entry.player
    row = room.locator(f"#table-{table.pk} tbody tr").first
    expect(row.locator(".presence")).to_have_text("late")
    seat = person(player)
    seat.goto(f"/tables/{table.match.table.public_id}/")
    expect(row.locator(".presence")).to_have_text("here")
    seat.context.close()
    expect(row.locator(".presence")).not_to_have_text("here")


def test_a_pause_takes_two_presses_and_is_seen_in_every_open_room(
    person: Person, cup: Tournament, olga: User
) -> None:
    """By keyboard alone; the other room says so by itself."""
    other = person(olga)
    other.goto(_room(cup))
    page = person(olga)
    page.goto(_room(cup))
    page.get_by_role("link", name="Pause…").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="2 tables stop")).to_be_visible()
    page.get_by_label("Reason").fill("no light")
    page.get_by_role("button", name="Yes, do it").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#floor")).to_contain_text("paused")
    expect(other.locator("#floor")).to_contain_text("paused")
    clock = other.locator(".control-clock output").first
    stands = clock.text_content()
    other.wait_for_timeout(1200)
    expect(clock).to_have_text(stands or "")


@pytest.mark.parametrize("look", [{}, DARK, PHONE], ids=["light", "dark", "phone"])
def test_the_room_and_a_deed_can_be_read_by_everybody(
    person: Person, cup: Tournament, olga: User, look: dict[str, object]
) -> None:
    """No serious fault, and nothing wider than the screen."""
    page = person(olga, **look)
    table = RoundTable.objects.order_by("number")[0]
    for address in (_room(cup), f"{_room(cup)}override/?table={table.pk}"):
        page.goto(address)
        assert grave_faults(page) == []
        width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert width <= 0
