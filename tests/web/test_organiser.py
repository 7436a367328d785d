"""A new organiser at the admin: from log-in to a priced knock-out that is played, without a manual.

Clicks and seconds are printed; what a program types takes no thought, so only the clicks are held
to a number. axe looks at every page of the desk on a desktop and on a phone.
"""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from tests.tournaments.desk_helpers import LIST, change_of, organiser, page
from tests.tournaments.helpers import a_tournament, players
from tests.web.axe import grave_faults
from tests.web.conftest import DARK, PHONE, Person
from tests.web.desk import desk_pages
from tests.web.guard import Guard
from tests.web.waiting import until
from tournaments.models import EntryState, Shape, StaffRole, Tournament
from tournaments.services import duties
from tournaments.structure.due import StartKind, Times

MOST_CLICKS = 16


@pytest.fixture(autouse=True)
def _no_icon_of_the_admin(guard: Guard) -> None:
    """Nor does it matter that a preview is under way when the browser is closed."""
    guard.allow("favicon.ico", "htmx:afterRequest", "htmx:sendError", "htmx:sendAbort")


def test_a_new_organiser_publishes_a_priced_knock_out_of_36_fills_and_starts_it(
    transactional_db: None, person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the site's first page: log in, set up, open, thirty entrants from a file, start."""
    olga = organiser()
    olga.set_password("open-deck-7")
    olga.save()
    file = tmp_path / "entrants.csv"
    people = players(30, points=1_000)
    file.write_text("username\n" + "\n".join(one.username for one in people), encoding="utf-8")
    desk = Clicks(person())
    begun = time.monotonic()
    desk.page.goto("/")
    desk.link("Log in")
    desk.page.locator("input[name=login]").fill("olga")
    desk.page.locator("input[name=password]").fill("open-deck-7")
    desk.button("Log in")
    desk.link("Organise")
    desk.link("Set up a tournament")
    desk.page.get_by_role("textbox", name="Name", exact=True).fill("Diwali knock-out")
    desk.page.get_by_role("textbox", name="Entry fee").fill("1,000")
    desk.page.locator("#id_house_fee").fill("100")
    expect(desk.page.locator("#preview .total")).to_contain_text("32,400 play points")
    expect(desk.page.locator("#preview")).to_contain_text("It adds up")
    desk.button("Save and open registration…")
    expect(desk.page.locator(".panel").first).to_contain_text("An entry costs 1,000 play points")
    desk.button("Open registration")
    published = desk.taken, time.monotonic() - begun
    desk.link("Entrants")
    desk.link("From a file…")
    desk.page.locator("#id_file").set_input_files(file)
    desk.button("Look at the rows")
    expect(desk.page.get_by_text("30 players get a seat.")).to_be_visible()
    desk.button("Enter all of them")
    expect(desk.page.get_by_text("30 rows entered.")).to_be_visible()
    desk.link("Set-up")
    desk.link("Start…")
    expect(desk.page.get_by_text("the prize pool is 27,000 play points")).to_be_visible()
    desk.button("Start")
    expect(desk.page.get_by_text("Done: Start.")).to_be_visible()
    with capsys.disabled():
        sys.stdout.write(
            f"\nPublished: {published[0]} clicks, {published[1]:.1f} s; "
            f"started: {desk.taken} clicks, {time.monotonic() - begun:.1f} s\n"
        )
    assert desk.taken <= MOST_CLICKS
    made = Tournament.objects.get()
    assert (made.name, made.shape, made.capacity) == ("Diwali knock-out", Shape.KNOCKOUT, 36)
    assert (made.entry_fee, made.house_fee, made.state) == (1_000, 100, "running")
    assert made.entries.filter(state=EntryState.PLAYING).count() == 30


class Clicks:
    """A page, and how often somebody has clicked on it."""

    def __init__(self, shown: Page) -> None:
        self.page = shown
        self.taken = 0

    def button(self, name: str) -> None:
        """Click on a button."""
        self.taken += 1
        self.page.get_by_role("button", name=name, exact=True).click()

    def link(self, name: str) -> None:
        """Click on a link."""
        self.taken += 1
        self.page.get_by_role("link", name=name, exact=True).first.click()


def test_the_form_follows_what_is_chosen_in_it(transactional_db: None, person: Person) -> None:
    """Another kind brings its rules, and the start asks for an hour only where it has one."""
    shown = person(organiser())
    shown.goto(f"{LIST}add/")
    shown.get_by_role("textbox", name="Name", exact=True).fill("Evening")
    expect(shown.locator("#id_starts_at")).to_be_hidden()
    shown.get_by_label("at a fixed time").check()
    expect(shown.locator("#id_starts_at")).to_be_visible()
    shown.get_by_label("Timed levels with rising points").check()
    expect(shown.locator("#id_starting_chips")).to_have_value("2000")
    expect(shown.get_by_role("textbox", name="Name", exact=True)).to_have_value("Evening")
    expect(shown.locator("#id_starts_at")).to_be_visible()
    shown.get_by_label("Fixed amounts", exact=True).check()
    expect(shown.locator("#id_prizes-0-amount")).to_be_visible()
    expect(shown.locator("#id_prizes-0-share")).to_be_hidden()
    shown.context.close()  # its last preview may be under way when the site stops


def test_what_is_filled_in_while_the_form_is_drawn_anew_stays(
    transactional_db: None, person: Person
) -> None:
    """The answer knows the fields as they were when it was asked for, which may be a while ago."""
    shown = person(organiser())
    shown.goto(f"{LIST}add/")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    shown.route("**/redraw/", hold)
    name = shown.get_by_role("textbox", name="Name", exact=True)
    shown.get_by_label("Timed levels with rising points").check()
    until(shown, lambda: held, "the fields are asked for")
    name.press_sequentially("Evening")
    shown.get_by_label("at a fixed time").check()
    held[0].continue_()
    expect(shown.locator("#id_starting_chips")).to_have_value("2000")
    expect(name).to_have_value("Evening")
    expect(shown.get_by_label("at a fixed time")).to_be_checked()
    expect(shown.locator("#id_starts_at")).to_be_visible()
    shown.context.close()  # its last preview may be under way when the site stops


def test_times_are_shown_in_the_zone_of_a_browser_whose_owner_has_chosen_none(
    transactional_db: None, person: Person
) -> None:
    """By the city's name of today; saving what nobody touched changes nothing."""
    at = datetime(2026, 6, 5, 14, 30, tzinfo=UTC)
    times = Times(kind=StartKind.FIXED_TIME, starts_at=at, closes_at=at - timedelta(minutes=30))
    made = a_tournament(opened=False, name="Friday", times=times)
    olga = organiser()
    duties.appoint(tournament_id=made.pk, user_id=olga.pk, role=StaffRole.ORGANISER)
    shown = person(olga, timezone_id="Asia/Kolkata")
    for address in (f"{LIST}add/", page(made, "copy/"), "/admin/tournaments/schedule/add/"):
        shown.goto(address)
        expect(shown.locator("#id_zone")).to_have_value("Asia/Kolkata")
    shown.goto(change_of(made))
    expect(shown.locator("#id_zone")).to_have_value("Asia/Kolkata")
    expect(shown.locator("#id_starts_at")).to_have_value("2026-06-05T20:00")
    shown.get_by_role("button", name="Save", exact=True).click()
    expect(shown.get_by_text("Nothing was changed.")).to_be_visible()
    assert Tournament.objects.get().starts_at == at


@pytest.mark.parametrize("options", [{}, PHONE | DARK], ids=["desktop", "dark phone"])
def test_nothing_on_the_desk_keeps_people_from_using_it(
    transactional_db: None, person: Person, options: dict[str, object]
) -> None:
    """axe finds nothing grave in our part of the admin, and nothing is wider than a phone."""
    addresses = desk_pages()
    shown = person(User.objects.get(username="olga"), **options)
    faults = []
    for name, address in addresses.items():
        shown.goto(address)
        shown.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        faults += grave_faults(shown, name, within=".desk, body:not(:has(.desk))")
        wide = shown.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            faults.append(f"{name}: {wide} px wider than the screen")
    assert faults == []
