"""What is promised of the look: cards that overlap, motion, places that stay, words for times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.showcase import make_showcase
from tests.tournaments.helpers import a_tournament, players
from tests.web.conftest import PHONE, Person
from tests.web.test_table_page import Sit, hand, seats, sit
from tests.web.waiting import until
from tournaments.models import Tournament
from tournaments.structure.due import StartKind, Times

__all__ = ["sit"]

pytestmark = pytest.mark.django_db(transaction=True)

LEFT_FREE: Final = 0.4
"""Of a card's width, when the next one lies over 60 % of it."""

REACH: Final = """(card) => {
    const own = card.getBoundingClientRect();
    const parts = [...card.querySelectorAll(".pc-rank, .pc-suit")]
        .filter((part) => getComputedStyle(part).visibility === "visible");
    const ends = parts.map((part) => part.getBoundingClientRect().right - own.left);
    return Math.max(...ends) / own.width;
}"""
"""How far to the right rank and suit of a card reach, as a part of its width."""

MOTION: Final = """() => Math.max(...[...document.querySelectorAll("*")].flatMap((element) => {
    const style = getComputedStyle(element);
    return `${style.transitionDuration},${style.animationDuration}`.split(",").map(parseFloat);
}))"""
"""The longest transition or animation of the page that is open, in seconds."""


def test_rank_and_suit_stay_readable_when_cards_overlap_by_60_percent(sit: Sit) -> None:
    for screen in ({}, PHONE):
        page = sit(seats(2)[0], **screen)
        cards = hand(page).all()
        assert len(cards) == 13
        for card in cards:
            assert card.evaluate(REACH) <= LEFT_FREE + 0.01, card.get_attribute("aria-label")


@pytest.mark.parametrize(("wish", "most"), [("no-preference", 0.2), ("reduce", 0.0)])
def test_motion_is_short_and_none_where_it_is_not_wanted(
    sit: Sit, person: Person, wish: str, most: float
) -> None:
    place = seats(2)[0]
    page = sit(place, reduced_motion=wish)
    assert page.evaluate(MOTION) <= most
    page = person(place.player, reduced_motion=wish)
    page.goto("/")
    assert page.evaluate(MOTION) <= most


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desktop", "phone"])
def test_a_call_to_the_table_pushes_nothing_along(
    person: Person, screen: dict[str, object]
) -> None:
    """It comes after the page; who is about to press a button must not hit another one."""
    page = person(make_showcase().people["player"], **screen)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/inbox/news/**", hold)
    page.goto("/wallet/")
    expect(page.get_by_role("button", name="Show")).to_be_visible()
    until(page, lambda: held, "what is new is asked for")
    before = _places(page)
    for route in held:
        route.continue_()
    expect(page.get_by_role("alert")).to_contain_text("Take your seat")
    assert _places(page) == before


def _places(page: Page) -> list[object]:
    return [one.bounding_box() for one in page.locator("h1, main button").all()]


def test_what_is_left_till_the_start_is_said_in_the_readers_language(person: Person) -> None:
    [player] = players(1)
    hours = timedelta(hours=2, minutes=30, seconds=59)
    for page, soon, later in (
        (person(player), "2 hr 30 min", "3 days 2 hr"),
        (person(player, locale="hi-IN"), "2 घं॰ 30 मि॰", "3 दिन 2 घं॰"),
    ):
        page.clock.set_fixed_time(datetime.now(UTC))  # by it what is left is counted, once asked
        for wait, said in ((hours, soon), (hours + timedelta(days=3), later)):
            page.goto(f"/tournaments/{_starts_in(wait).public_id}/")
            expect(page.locator("#head .left")).to_have_text(said)


def _starts_in(wait: timedelta) -> Tournament:
    times = Times(kind=StartKind.FIXED_TIME, starts_at=datetime.now(UTC) + wait)
    return a_tournament(name="Cup", times=times)
