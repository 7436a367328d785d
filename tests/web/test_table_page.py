"""A deal played in real browsers: by keys, by mouse, on a phone, and through a lost connection."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, Position, Response, expect

from tables import services
from tables.models import Match
from tables.services.talking import LINES_AT_MOST
from tests.tables.helpers import a_match, dealt, state_of
from tests.web.axe import grave_faults
from tests.web.conftest import DARK, DESKTOP, PHONE, Person
from tests.web.waiting import Lines, until

pytestmark = pytest.mark.django_db(transaction=True)

MOST_REQUESTS = 14
MOST_BYTES = 120_000
SIZES: Final = "groups => groups.map(group => group.querySelectorAll('[data-id]').length)"
EDGE: Final[Position] = {"x": 8, "y": 20}
"""Of a card, where no other lies over it."""

Sit = Callable[..., Page]


class Place(NamedTuple):
    """One seat of a match whose deal is under way."""

    address: str
    player: User
    match: Match


def seats(people: int) -> list[Place]:
    """A table whose deal has begun; who has to move comes first."""
    match = a_match(people, format_name="pool101")
    Match.objects.filter(pk=match.pk).update(hints=True)
    _, state = dealt(match, datetime.now(UTC))
    address = f"/tables/{match.table.public_id}/"
    found = match.seats.select_related("player").order_by("number")
    first = sorted(found, key=lambda seat: seat.number != state.turn)
    return [Place(address, seat.player, match) for seat in first]


@pytest.fixture
def sit(person: Person) -> Sit:
    """Opens the table in a browser of a seat; `before` looks at the page first."""

    def open_page(place: Place, before: Callable[[Page], Any] | None = None, **how: Any) -> Page:
        page = person(place.player, **how)
        if before is not None:
            before(page)
        page.goto(place.address)
        expect(part(page, "sign")).to_have_text("Connected")
        return page

    return open_page


def part(page: Page, name: str) -> Locator:
    return page.locator(f'[data-part="{name}"]')


def hand(page: Page) -> Locator:
    return page.locator(".rack [data-id]")


def card_names(page: Page) -> list[str | None]:
    return [card.get_attribute("aria-label") for card in hand(page).all()]


def arranged(place: Place) -> tuple[tuple[str, ...], ...]:
    """The groups that are saved for this seat."""
    seat = place.match.seats.get(player=place.player).number
    return state_of(place.match.deals.get()).seat_state(seat).arranged


def until_saved(page: Page, place: Place) -> None:
    """The groups that the page shows are those that are saved."""
    sizes = page.locator(".group:not(.loose)").evaluate_all(SIZES)
    until(page, lambda: [len(group) for group in arranged(place)] == sizes, "groups are saved")


def drag(page: Page, card: Locator, to: Locator) -> None:
    """By the card's left edge, as its rest may lie under the next one; both have come to rest."""
    to.hover(position=EDGE)
    card.hover(position=EDGE)
    start, end = card.bounding_box(), to.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.down()
    page.mouse.move(start["x"] + 30, start["y"] - 30, steps=3)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()


def test_a_deal_by_keys_and_by_mouse_up_to_a_wrong_declaration(sit: Sit) -> None:
    first, second = (sit(place) for place in seats(2))
    expect(part(first, "ask")).to_have_text("Your turn: draw a card")
    first.keyboard.press("c")
    expect(hand(first)).to_have_count(14)
    first.keyboard.press("ArrowRight")
    first.keyboard.press("End")
    drawn = card_names(first)[-1]
    first.keyboard.press("d")
    expect(hand(first)).to_have_count(13)
    assert drawn is not None
    expect(part(second, "open")).to_have_attribute("aria-label", re.compile(re.escape(drawn)))
    expect(part(second, "ask")).to_have_text("Your turn: draw a card")
    part(second, "closed").click()
    expect(hand(second)).to_have_count(14)
    second.get_by_role("button", name="Discard").click()
    expect(part(second, "notice")).to_have_text("Choose one card first.")
    drag(second, hand(second).first, part(second, "open"))
    expect(hand(second)).to_have_count(13)

    # A finish that is wrong: asked once, then declared, then explained.
    expect(part(first, "ask")).to_have_text("Your turn: draw a card")
    first.keyboard.press("c")
    expect(hand(first)).to_have_count(14)
    hand(first).last.click()
    first.keyboard.press("f")
    dialog = first.get_by_role("dialog")
    expect(dialog).to_contain_text("A wrong declaration costs 80 points.")
    dialog.get_by_role("button", name="Not yet").click()
    expect(hand(first)).to_have_count(14)
    first.keyboard.press("f")
    dialog.get_by_role("button", name="Finish").click()
    expect(part(first, "ask")).to_have_text("You have finished: arrange, then declare")
    expect(part(second, "ask")).to_contain_text("has finished and declares")
    first.keyboard.press("x")
    dialog.get_by_role("button", name="Declare").click()
    for page in (first, second):
        expect(page.get_by_role("dialog")).to_contain_text("80 points")
        expect(page.get_by_role("dialog").locator(".pc")).to_have_count(26)
        page.get_by_role("button", name="Go on").click()
        expect(part(page, "scores")).to_contain_text("80")


def test_groups_are_made_moved_and_saved(sit: Sit) -> None:
    place = seats(2)[1]
    page = sit(place, reduced_motion="reduce")
    names = card_names(page)
    page.keyboard.press("ArrowRight")
    for key in (" ", "ArrowRight", " ", "g"):
        page.keyboard.press(key)
    group = page.locator(".group:not(.loose)").last
    expect(group.locator("[data-id]")).to_have_count(2)
    drag(page, hand(page).first, group.locator("[data-id]").first)
    expect(group.locator("[data-id]")).to_have_count(3)
    after = card_names(page)
    until_saved(page, place)
    assert sorted(map(str, after)) == sorted(map(str, names))
    page.reload()
    expect(part(page, "sign")).to_have_text("Connected")
    assert card_names(page) == after
    page.keyboard.press("h")
    expect(page.locator(".group.valid").first).to_be_visible()
    page.keyboard.press("?")
    page.get_by_label("Four colours").check()
    expect(page.locator("html")).to_have_attribute("data-suits", "four")


def test_groups_stay_as_they_were_made_when_word_of_an_earlier_save_comes_late(sit: Sit) -> None:
    place = seats(2)[1]
    held: list[Lines] = []
    page = sit(place, lambda page: held.append(Lines(page)), reduced_motion="reduce")
    [lines] = held
    until_saved(page, place)
    lines.is_slow = True
    page.keyboard.press("ArrowRight")
    for _ in range(2):
        for key in (" ", "ArrowRight", " ", "g"):
            page.keyboard.press(key)
        until_saved(page, place)
    made = card_names(page)
    seen = len(lines.frames)
    lines.arrive()
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Say something").fill("Hello")
    page.get_by_label("Say something").press("Enter")
    expect(part(page, "talk")).to_contain_text("Hello")  # so it has heard all that came before
    assert seen >= 2
    assert card_names(page) == made


def test_what_is_said_is_text_and_too_much_of_it_is_refused(sit: Sit) -> None:
    place, other = seats(2)
    first, second = sit(place), sit(other)
    for page in (first, second):
        page.get_by_role("tab", name="Chat").click()
    field = first.get_by_label("Say something")
    field.fill("<b>Good luck</b>")
    field.press("Enter")
    expect(part(second, "talk")).to_contain_text("<b>Good luck</b>")
    seat = place.match.seats.get(player=place.player)
    for _ in range(LINES_AT_MOST):  # as if just now, however long the browser takes
        services.say(seat_id=seat.pk, text="again", now=datetime.now(UTC) + timedelta(hours=1))
    field.fill("again")
    field.press("Enter")
    expect(part(first, "chat-error")).not_to_be_empty()


def test_a_lost_connection_is_said_and_comes_back_by_itself(sit: Sit) -> None:
    place = seats(2)[0]
    held: list[Lines] = []
    page = sit(place, lambda page: held.append(Lines(page)))
    before = card_names(page)
    held[0].cut(is_open=False)
    expect(part(page, "banner")).to_contain_text("The connection is lost")
    held[0].is_open = True
    expect(part(page, "sign")).to_have_text("Connected")
    expect(part(page, "banner")).to_be_empty()
    assert card_names(page) == before
    page.keyboard.press("c")
    expect(hand(page)).to_have_count(14)


def test_a_phone_shows_all_of_it_and_fingers_find_it(sit: Sit) -> None:
    page = sit(seats(6)[0], **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    for button in page.locator(".table button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44, button.inner_text()
        assert box["width"] >= 44, button.inner_text()
    part(page, "closed").tap()
    expect(hand(page)).to_have_count(14)
    hand(page).first.tap()
    expect(hand(page).first).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="Discard").tap()
    expect(hand(page)).to_have_count(13)
    page.get_by_role("button", name="Scores and chat").tap()
    expect(page.get_by_role("tab", name="Scores")).to_be_visible()


def test_it_takes_few_requests_and_bytes(sit: Sit) -> None:
    answers: list[Response] = []

    def heard(answer: Response) -> None:
        answers.append(answer)

    page = sit(seats(6)[0], lambda page: page.on("response", heard))
    expect(hand(page)).to_have_count(13)
    page.wait_for_load_state("networkidle")
    assert len(answers) <= MOST_REQUESTS
    assert sum(len(gzip.compress(answer.body())) for answer in answers) < MOST_BYTES


@pytest.mark.parametrize("scheme", [{}, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_axe_finds_nothing_serious(sit: Sit, scheme: dict[str, Any], size: dict[str, Any]) -> None:
    page = sit(seats(3)[0], **size, **scheme, reduced_motion="reduce")
    assert grave_faults(page) == []
