"""An operator's day in a browser: a payout that waits, two people, the audit, a reversal."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django import Settings

from ledger.services import keep_check, take_checkpoint
from rummy_site.roles import OPERATORS, SUPPORT
from staff.models import StaffAction
from tests.showcase import Showcase, make_showcase
from tests.staff.helpers import NOW, member
from tests.tournaments.test_payouts import for_rupees
from tests.web.axe import grave_faults
from tests.web.conftest import DARK, PHONE, Person
from tests.web.guard import Guard
from tournaments.models import Payout, Tournament


@pytest.fixture
def cup(transactional_db: None, settings: Settings) -> Tournament:
    """A table that was played for rupees; its prizes wait."""
    return for_rupees(settings)


def _log_in(page: Page, name: str) -> None:
    page.goto("/admin/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill("secret")
    page.get_by_role("button", name="Log in").click()
    expect(page).to_have_url("/admin/")


def _decide(page: Page, cup: Tournament, button: str, reason: str = "") -> None:
    page.goto("/admin/approvals/")
    page.get_by_role("checkbox", name=f"2 prizes of {cup.name}").check()
    if reason:
        page.get_by_label("Reason").fill(reason)
    page.get_by_role("button", name=button).click()


def test_two_operators_pay_a_tournament_audit_it_and_one_takes_a_prize_back(
    person: Person, guard: Guard, cup: Tournament
) -> None:
    """Who asks does not approve; the audit is green once it is paid, and red after the reversal."""
    member("olga", OPERATORS), member("meera", OPERATORS)
    first, second = person(), person()
    _log_in(first, "olga")
    first.get_by_role("link", name="Approvals").first.click()
    expect(first.get_by_role("row", name=cup.name)).to_contain_text("₹15.00")
    _decide(first, cup, "Refuse or put back", "The third deal is disputed.")
    expect(first.get_by_text("olga: The third deal is disputed.")).to_be_visible()
    _decide(first, cup, "Ask anew")
    _decide(first, cup, "Approve the chosen")
    expect(first.get_by_text("neither completed it")).to_be_visible()

    _log_in(second, "meera")
    _decide(second, cup, "Approve the chosen")
    expect(second.get_by_text("Nothing waits for a second person.")).to_be_visible()
    payout = Payout.objects.get(tournament=cup)
    assert (payout.state, payout.asked_by, payout.approved_by) == ("paid", "olga", "meera")

    second.goto(f"/admin/payouts/{cup.public_id}/")
    expect(second.get_by_text("Everything adds up.")).to_be_visible()
    expect(second.locator(".desk-flow .band").first).to_be_visible()
    second.get_by_role("link", name="Prizes paid: 2 transfers").click()
    second.get_by_role("link", name="#").first.click()
    second.get_by_role("link", name="Reverse").click()
    second.get_by_role("button", name="Reverse an entry").click()
    expect(second).to_have_url(f"{second.url}")
    second.get_by_label("Reason").fill("Paid to the wrong table")
    second.get_by_role("button", name="Reverse an entry").click()
    expect(second.get_by_text("It has been moved back.")).to_be_visible()
    second.goto(f"/admin/payouts/{cup.public_id}/")
    wrong = second.get_by_role("alert")
    expect(wrong).to_contain_text("is marked as paid, and no transfer stands")
    expect(wrong).to_contain_text("₹15.00 is left in escrow")
    done = StaffAction.objects.filter(actor_name="meera").exclude(action__startswith="staff.")
    assert list(done.order_by("pk").values_list("action", "reason")) == [
        ("tournaments.approve_payout", ""),
        ("ledger.reverse", "Paid to the wrong table"),
    ]


def test_support_finds_a_player_by_keyboard_and_no_money(
    person: Person, transactional_db: None, guard: Guard
) -> None:
    User.objects.create_user("asha", email="asha@example.com")
    page = person(member("sunil", SUPPORT))
    page.goto("/admin/")
    page.get_by_role("link", name="Players").first.click()
    page.get_by_label("Name or e-mail").fill("ash")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="asha").click()
    expect(page.get_by_role("heading", name="asha").last).to_be_visible()
    expect(page.get_by_role("heading", name="Money")).to_have_count(0)
    guard.allow("403")
    answer = page.goto("/admin/books/")
    assert answer is not None
    assert answer.status == 403


@pytest.fixture
def showcase(transactional_db: None) -> Showcase:
    """A site with something of everything, checked and sealed."""
    found = make_showcase()
    take_checkpoint(occasion="hourly", now=NOW)
    keep_check(now=NOW)
    return found


@pytest.mark.parametrize("look", [{}, DARK, PHONE | DARK], ids=["light", "dark", "dark phone"])
def test_every_page_of_the_desk_can_be_used_by_everybody(
    person: Person, guard: Guard, showcase: Showcase, look: dict[str, Any]
) -> None:
    """axe finds nothing grave, and no page is wider than a phone."""
    guard.allow("404")
    page = person(showcase.people["superuser"], **look)
    faults = []
    for name, address in showcase.desk_pages.items():
        page.goto(address)
        faults += grave_faults(page, name)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            faults.append(f"{name}: {wide} px wider than the screen")
    assert faults == []
