"""What a table asks between and within deals, in real browsers: rejoin, split, leave, the show."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from threading import Event
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect

from tables import services
from tables.consumers import TableConsumer
from tables.models import Match
from tables.rules.bots import Chance, Strength, seat_to_move
from tables.rules.commands import Drop
from tables.rules.state import DealState, Phase
from tables.services.bots import bot_move
from tests.live.chaos_desk import ask_rejoin
from tests.tables.helpers import a_match, dealt, state_of
from tests.web.conftest import PHONE, Person
from tests.web.waiting import Lines

pytestmark = pytest.mark.django_db(transaction=True)


def sits(person: Person, match: Match, player: User, **how: object) -> Page:
    """The browser of somebody at this table, connected."""
    page = person(player, **how)
    page.goto(f"/tables/{match.table.public_id}/")
    expect(part(page, "sign")).to_have_attribute("data-state", "open")
    return page


def part(page: Page, name: str) -> Locator:
    return page.locator(f'[data-part="{name}"]')


def player_of(match: Match, seat: int) -> User:
    return match.seats.get(number=seat).player


def a_deal(people: int = 2, **options: Any) -> tuple[Match, User, User]:
    """A match whose deal is under way, who is to move, and another player."""
    match = a_match(people, format_name="pool101", **options)
    _, state = dealt(match, datetime.now(UTC))
    turn = state.turn or 0
    return match, player_of(match, turn), player_of(match, (turn + 1) % people)


def test_who_is_out_is_asked_whether_he_buys_in_again_and_what_it_costs(person: Person) -> None:
    match = a_match(3, format_name="pool101")
    ask_rejoin(match.pk)
    asked = sits(person, match, player_of(match, 0), **PHONE)
    other = sits(person, match, player_of(match, 1))
    dialog = asked.get_by_role("dialog")
    expect(dialog).to_contain_text("Buy in again?")
    expect(dialog).to_contain_text(re.compile(r"You are out with \d+ points"))
    expect(dialog).to_contain_text(re.compile(r"You would come back with \d+ points"))
    expect(dialog).to_contain_text(re.compile(r"\d+ seconds? to answer"))
    expect(other.get_by_role("dialog")).to_have_count(0)
    expect(part(other, "ask")).to_have_text("Waiting for answers: who buys in again?")
    dialog.get_by_role("button", name="Buy in again").click()
    expect(dialog).to_have_count(0)
    expect(part(other, "ask")).to_have_text("The next deal begins")
    assert match.entries.filter(kind="rejoin_answered").exists()


def test_an_answer_given_while_the_connection_was_lost_is_asked_for_again(person: Person) -> None:
    match = a_match(3, format_name="pool101")
    ask_rejoin(match.pk)
    page = person(player_of(match, 0))
    lines = Lines(page)
    page.goto(f"/tables/{match.table.public_id}/")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Buy in again?")
    expect(part(page, "sign")).to_have_attribute("data-state", "open")
    lines.cut(is_open=False)
    expect(part(page, "sign")).to_have_attribute("data-state", "lost")
    dialog.get_by_role("button", name="Buy in again").click()
    expect(dialog).to_have_count(0)
    lines.is_open = True
    expect(dialog).to_contain_text("Buy in again?")
    dialog.get_by_role("button", name="Buy in again").click()
    expect(part(page, "ask")).to_have_text("The next deal begins")
    assert match.entries.filter(kind="rejoin_answered").exists()


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Sockets are accepted only once it is set, as on a slow line."""
    accepted, connect = Event(), TableConsumer.connect

    async def late(consumer: TableConsumer) -> None:
        while not accepted.is_set():
            await asyncio.sleep(0.01)
        await connect(consumer)

    monkeypatch.setattr(TableConsumer, "connect", late)
    yield accepted
    accepted.set()


def test_an_answer_given_before_the_page_is_connected_is_asked_for_again(
    person: Person, line: Event
) -> None:
    match = a_match(3, format_name="pool101")
    ask_rejoin(match.pk)
    page = person(player_of(match, 0))
    page.goto(f"/tables/{match.table.public_id}/")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Buy in again").click()
    expect(dialog).to_have_count(0)
    line.set()
    expect(dialog).to_contain_text("Buy in again?")
    dialog.get_by_role("button", name="Buy in again").click()
    expect(part(page, "ask")).to_have_text("The next deal begins")
    assert match.entries.filter(kind="rejoin_answered").exists()


def test_what_is_said_without_a_connection_stays_to_be_said_once_there_is_one(
    person: Person,
) -> None:
    match, turn, other = a_deal()
    page = person(turn)
    lines = Lines(page)
    page.goto(f"/tables/{match.table.public_id}/")
    hears = sits(person, match, other)
    for one in (page, hears):
        one.get_by_role("tab", name="Chat").click()
    lines.cut(is_open=False)
    expect(part(page, "sign")).to_have_attribute("data-state", "lost")
    field = page.get_by_label("Say something")
    field.fill("Well played")
    field.press("Enter")
    expect(part(page, "chat-error")).to_have_text("No connection")
    expect(field).to_have_value("Well played")
    lines.is_open = True
    expect(part(page, "sign")).to_have_attribute("data-state", "open")
    field.press("Enter")
    expect(part(hears, "talk")).to_contain_text("Well played")
    expect(part(page, "chat-error")).to_be_empty()


def test_a_question_stays_as_it_is_while_others_answer_and_is_answered_by_a_button_only(
    person: Person,
) -> None:
    """Focus would fall on another answer if it were asked anew, or were on one from the start."""
    match = a_match(3, format_name="pool101")
    ask_rejoin(match.pk)
    page = person(player_of(match, 0))
    lines = Lines(page)
    page.goto(f"/tables/{match.table.public_id}/")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Buy in again?")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    yes = dialog.get_by_role("button", name="Buy in again")
    yes.focus()
    board = lines.last("snapshot")["scoreboard"]  # it asks by its HTML, before it is connected
    board["entries"] += 1
    board["lines"][1]["score"] = 99  # as if another one of them had answered
    lines.send(board | {"type": "scoreboard"})
    expect(part(page, "seats")).to_contain_text("99")
    expect(yes).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(part(page, "ask")).to_have_text("The next deal begins")
    assert match.entries.filter(kind="rejoin_answered").exists()


def test_a_split_is_offered_shown_with_its_numbers_and_accepted(person: Person) -> None:
    match = a_match(3, format_name="pool101", manual_split=True)
    ask_rejoin(match.pk)
    out, *players = (sits(person, match, player_of(match, seat)) for seat in range(3))
    out.get_by_role("button", name="Stay out").click()
    offering, asked = players
    expect(part(offering, "ask")).to_have_text("The next deal begins")
    offering.get_by_role("button", name="Offer to split the prize").click()
    dialog = asked.get_by_role("dialog")
    expect(dialog).to_contain_text("Split the prize?")
    expect(dialog.locator(".shares li")).to_have_count(2)
    expect(dialog.locator(".shares .me")).to_contain_text("%")
    dialog.get_by_role("button", name="Accept").click()
    for page in players:
        expect(part(page, "ask")).to_have_text("The match is over.")


def test_a_split_chosen_while_a_deal_is_played_is_offered_when_it_is_over(person: Person) -> None:
    match = a_match(3, format_name="pool101", manual_split=True)
    ask_rejoin(match.pk)
    out, offering, asked = (
        sits(person, match, player_of(match, seat), **PHONE) for seat in range(3)
    )
    out.get_by_role("button", name="Stay out").click()
    expect(part(asked, "ask")).to_have_text("The next deal begins")
    deal, state = dealt(match, datetime.now(UTC))
    assert state.turn is not None
    expect(part(offering, "log")).to_contain_text("The last players may share the prize")
    expect(part(out, "split")).to_be_hidden()
    button = offering.get_by_role("button", name="Offer a split after this deal")
    button.click()
    expect(part(offering, "split")).to_have_text("✓ A split is offered after this deal")
    now = datetime.now(UTC)
    services.play(deal_id=deal.pk, command=Drop(state.turn), command_id="drop", now=now)
    dialog = asked.get_by_role("dialog", name="Split the prize?")
    expect(dialog.locator(".shares li")).to_have_count(2)
    dialog.get_by_role("button", name="Accept").click()
    expect(part(asked, "ask")).to_have_text("The match is over.")


def test_who_leaves_is_asked_first_and_is_out(person: Person) -> None:
    match, leaving, staying = a_deal(3)
    page, other = sits(person, match, leaving), sits(person, match, staying)
    page.get_by_role("button", name="Leave the table").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You cannot come back to this match")
    dialog.get_by_role("button", name="Stay").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Leave the table").click()
    dialog.get_by_role("button", name="Leave", exact=True).click()
    expect(part(other, "log")).to_contain_text("dropped: 20 points")
    seat = match.seats.get(player=leaving).number
    assert state_of(match.deals.get()).seat_state(seat).left


def test_auto_drop_is_switched_on_and_off_by_coming_back(person: Person) -> None:
    match, _, waiting = a_deal(3)
    page = sits(person, match, waiting)
    page.get_by_label("Drop the next deals by itself").check()
    back = page.get_by_role("button", name="I'm back")
    expect(back).to_be_visible()
    expect(part(page, "me")).to_contain_text("auto drop")
    back.click()
    expect(back).to_be_hidden()
    expect(page.get_by_label("Drop the next deals by itself")).not_to_be_checked()


def until_the_show(match: Match) -> DealState:
    """Deals played by moves of bots until somebody has declared rightly and the others are to."""
    chance = Chance(bytes(32))
    while True:
        deal, state = dealt(match, datetime.now(UTC))
        while (seat := seat_to_move(state)) is not None:
            if state.phase == Phase.SHOW:
                return state
            played = services.play(
                deal_id=deal.pk,
                command=bot_move(state, seat, Strength.STEADY, chance),
                command_id=f"bot:{state.version}",
                now=datetime.now(UTC),
            )
            state = played.state or state


def test_after_a_right_finish_the_others_declare_in_the_show(person: Person) -> None:
    match = a_match(2, format_name="pool101")
    seat = seat_to_move(until_the_show(match))
    page = sits(person, match, player_of(match, seat or 0))
    expect(part(page, "ask")).to_have_text("Declare your groups")
    page.keyboard.press("x")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Declare these groups?")
    dialog.get_by_role("button", name="Declare").click()
    expect(dialog).to_contain_text("The result of this deal")
    expect(dialog.locator(".pc").first).to_be_visible()


def test_who_opens_the_table_first_has_not_come_back(person: Person) -> None:
    match, turn, _ = a_deal()
    page = sits(person, match, turn)
    part(page, "closed").click()
    expect(part(page, "log")).to_contain_text("You drew")
    expect(part(page, "log")).not_to_contain_text("You are back")


def test_a_visitor_looks_on_and_hears_names_as_the_seats_show_them(person: Person) -> None:
    match, turn, _ = a_deal()
    User.objects.filter(pk=turn.pk).update(first_name="Asha", last_name="Rao")
    stranger = User.objects.create(username="looks-on")
    page, player = sits(person, match, stranger), sits(person, match, turn)
    expect(part(page, "rack")).to_contain_text("You look on")
    player.get_by_role("tab", name="Chat").click()
    player.get_by_label("Say something").fill("Hello")
    player.get_by_label("Say something").press("Enter")
    expect(part(page, "talk").locator("b")).to_have_text("Asha Rao")
    expect(part(page, "seats")).to_contain_text("Asha Rao")
    page.reload()
    expect(part(page, "talk").locator("b")).to_have_text("Asha Rao")


def test_the_profile_chooses_four_colours_and_this_browser_may_choose_otherwise(
    person: Person,
) -> None:
    match, turn, _ = a_deal()
    page = sits(person, match, turn)
    root = page.locator("html")
    expect(root).not_to_have_attribute("data-suits", "four")
    page.goto("/account/settings/")
    page.locator("[name=four_colours]").check()
    page.locator("main form [type=submit], main form button").first.click()
    page.goto(f"/tables/{match.table.public_id}/")
    expect(root).to_have_attribute("data-suits", "four")
    page.get_by_role("button", name="Help").click()
    page.get_by_label("Four colours").uncheck()
    page.reload()
    expect(root).not_to_have_attribute("data-suits", "four")
