"""One tournament for rupees through the admin, each role in its own browser, and closed ways.

An organiser sets it up, publishes it, enters thirty from a file and starts it; an arbiter gives a
result; an operator approves the prizes; the organiser reads the audit. What a scorer would write at
the other tables is written for him: those pages have tests of their own.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from rummy_site.roles import ARBITERS, OPERATORS, SUPPORT
from staff.models import StaffAction
from tests.staff.helpers import member
from tests.tournaments.desk_helpers import LIST, organiser, page
from tests.tournaments.helpers import (
    finish,
    next_round,
    open_tables,
    players,
    run_out,
    started,
)
from tests.web.conftest import Person
from tests.web.guard import Guard
from tournaments import money, services
from tournaments.models import Payout, RoundTable, Shape, Tournament

RUPEES = 100_000
"""In paise, in the wallet of everybody who plays."""


@pytest.fixture(autouse=True)
def _refusals_are_meant(guard: Guard) -> None:
    """Nor does it matter that a preview is under way when a page is left."""
    guard.allow("favicon.ico", "403", "404")
    guard.allow("htmx:afterRequest", "htmx:sendError", "htmx:sendAbort")


def _with_rupees(number: int) -> list[User]:
    people = players(number, points=0)
    money.open_asset(code="INR", online=False)
    money.grant(
        asset="INR",
        player_ids=[one.pk for one in people],
        amount=RUPEES,
        key="inr:evening",
        actor="bank",
        now=datetime.now(UTC),
    )
    return people


def _press(shown: Page, *names: str) -> None:
    """Press buttons one after the other, each where the one before leads."""
    for name in names:
        shown.get_by_role("button", name=name, exact=True).click()


def _go(shown: Page, name: str) -> None:
    """Follow a link in the page's head or in its panels."""
    shown.locator("#main").get_by_role("link", name=name, exact=True).first.click()


def _set_up(desk: Page, file: Path) -> Tournament:
    """From the first page of the admin to a tournament that is being played."""
    desk.goto("/admin/")
    desk.get_by_role("link", name="Set one up").first.click()
    desk.get_by_role("textbox", name="Name", exact=True).fill("Rupee evening")
    desk.get_by_role("textbox", name="Entry fee").fill("500.50")
    desk.locator("#id_house_fee").fill("50.50")
    desk.get_by_text("What it is played for").click()
    desk.get_by_label("With cards on real tables").check()
    desk.locator("#id_asset").select_option("INR")
    expect(desk.locator("#preview .total")).to_contain_text("₹16,200.00")
    _press(desk, "Save and open registration…", "Open registration")
    _go(desk, "Entrants")
    _go(desk, "From a file…")
    desk.locator("#id_file").set_input_files(file)
    _press(desk, "Look at the rows", "Enter all of them")
    expect(desk.get_by_text("30 rows entered.")).to_be_visible()
    _go(desk, "Set-up")
    _go(desk, "Start…")
    expect(desk.get_by_text("the prize pool is ₹13,500.00")).to_be_visible()
    _press(desk, "Start")
    expect(desk.get_by_text("Done: Start.")).to_be_visible()
    return Tournament.objects.get()


def _give_a_result(shown: Page, cup: Tournament, table: RoundTable) -> None:
    """Look at what would follow, then do it."""
    shown.goto(page(cup, "control/"))
    shown.locator(f"#override-{table.pk}").click()
    seats = table.placings.count()
    for seat in range(seats):
        shown.locator(f"#id_place_{seat}").fill(str(seats - seat))
        shown.locator(f"#id_score_{seat}").fill(str(10 * (seats - seat)))
    shown.get_by_label("Reason").fill("The sheet got wet")
    _press(shown, "What would follow?")
    expect(shown.get_by_text("What follows")).to_be_visible()
    _press(shown, "Yes, do it")
    expect(shown.get_by_text("Done: Give a result.")).to_be_visible()


def test_a_tournament_goes_through_the_hands_of_every_role(
    transactional_db: None, person: Person, tmp_path: Path
) -> None:
    people = _with_rupees(30)
    file = tmp_path / "entrants.csv"
    file.write_text("username\n" + "\n".join(one.username for one in people), encoding="utf-8")
    desk = person(organiser())
    cup = _set_up(desk, file)

    arne = member("arne", ARBITERS)
    _go(desk, "Staff")
    desk.get_by_label("User name").fill("arne")
    desk.get_by_label("arbiter", exact=True).check()
    _press(desk, "Appoint")
    next_round(cup)
    first, *others = open_tables(cup)
    for table in others:
        finish(table)
    _give_a_result(person(arne), cup, first)
    best = first.placings.get(place=1)
    assert best.seat == first.placings.count() - 1

    run_out(cup)
    services.complete(tournament_id=cup.pk, now=datetime.now(UTC))
    assert Payout.objects.get(tournament=cup).state == "awaiting"
    books = person(member("meera", OPERATORS))
    books.goto("/admin/approvals/")
    books.get_by_role("checkbox", name=f"prizes of {cup.name}").check()
    _press(books, "Approve the chosen")
    expect(books.get_by_text("Nothing waits for a second person.")).to_be_visible()

    _go(desk, "Money")
    expect(desk.get_by_text("Everything adds up.")).to_be_visible()
    expect(desk.locator("[data-figure=pool]")).to_contain_text("₹13,500.00")
    expect(desk.get_by_text("meera")).to_be_visible()
    told = StaffAction.objects.filter(action__startswith="tournaments.").order_by("pk")
    assert list(told.values_list("actor_name", "action")) == [
        ("olga", "tournaments.create"),
        ("olga", "tournaments.open_registration"),
        ("olga", "tournaments.import_entrants"),
        ("olga", "tournaments.close_registration"),
        ("olga", "tournaments.start"),
        ("olga", "tournaments.appoint"),
        ("arne", "tournaments.override"),
        ("meera", "tournaments.approve_payout"),
    ]


def test_no_role_gets_where_it_should_not(transactional_db: None, person: Person) -> None:
    """A page that is not for somebody has no form on it, and says so."""
    cup = started(Shape.KNOCKOUT, 7)
    audit = f"/admin/payouts/{cup.public_id}/"
    setup, entrants, room = (page(cup, rest) for rest in ("change/", "entrants/", "control/"))
    closed = {
        "": (LIST, audit, "/admin/staff/staffaction/", "/admin/books/"),
        SUPPORT: (LIST, f"{LIST}add/", entrants, room, audit, "/admin/books/"),
        ARBITERS: (f"{LIST}add/", entrants, room, audit, "/admin/approvals/", "/admin/books/"),
        OPERATORS: (f"{LIST}add/", entrants, room, page(cup, "do/start/"), page(cup, "keep/")),
        "organisers": (setup, entrants, room, audit, "/admin/approvals/", "/admin/books/"),
    }
    for number, (group, addresses) in enumerate(closed.items()):
        shown = person(member(f"staff-{number}", *([group] if group else [])))
        for address in addresses:
            answer = shown.goto(address)
            assert answer is not None
            refused = answer.status in (403, 404) or answer.url.endswith("/admin/")
            assert refused, (group, address, answer.status)
            assert shown.locator("#main form[method=post], #setup").count() == 0, (group, address)
