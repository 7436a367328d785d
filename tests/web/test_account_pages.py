"""The pages of a second factor, of recovery codes and of asking for the password again: axe finds
nothing grave on them, in light and in dark, with somebody on them who has all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.web.axe import grave_faults
from tests.web.conftest import DARK, PHONE, Person

PASSWORD = "open-deck-7"

SCREENS: list[dict[str, Any]] = [{}, PHONE | DARK]
ASKS_AGAIN = ("account_reauthenticate", "mfa_reauthenticate")
WITH_FACTOR = (
    *("mfa_index", "mfa_deactivate_totp", "mfa_view_recovery_codes"),
    *("mfa_generate_recovery_codes", "account_email", "usersessions_list"),
    *("account_change_password",),
)


def somebody(name: str, *, has_factor: bool = False, new_address: bool = False) -> User:
    """With a confirmed address, and perhaps one that is not yet."""
    made = User.objects.create_user(name, email=f"{name}@club.example", password=PASSWORD)
    EmailAddress.objects.create(user=made, email=made.email, verified=True, primary=True)
    if new_address:
        EmailAddress.objects.create(user=made, email=f"{name}@new.example", verified=False)
    if has_factor:
        TOTP.activate(made, generate_totp_secret())
        RecoveryCodes.activate(made)
    return made


def asked_again(page: Page, then: str) -> None:
    """Give the password once more, on the way to a page."""
    page.goto(f"{reverse('account_reauthenticate')}?next={reverse(then)}")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Confirm").click()
    expect(page).not_to_have_url(re.compile("reauthenticate"))


def faults_on(page: Page, site: str, names: Iterable[str]) -> list[str]:
    """What is grave on pages that are shown at once, and which are wider than the screen."""
    faults = []
    for name in names:
        page.goto(reverse(name))
        assert page.url == f"{site}{reverse(name)}"
        faults += grave_faults(page, name)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        faults += [f"{name}: {wide} px wider than the screen"] if wide > 0 else []
    return faults


@pytest.mark.parametrize("screen", SCREENS, ids=["light", "dark phone"])
def test_nothing_on_the_pages_of_an_account_keeps_people_from_using_them(
    site: str, person: Person, screen: dict[str, Any]
) -> None:
    """Of somebody with a second factor, and of somebody who is about to get one."""
    usha = person(somebody("usha", has_factor=True, new_address=True), **screen)
    faults = faults_on(usha, site, ASKS_AGAIN)
    asked_again(usha, WITH_FACTOR[0])
    faults += faults_on(usha, site, WITH_FACTOR)
    ravi = person(somebody("ravi"), **screen)
    asked_again(ravi, "mfa_activate_totp")
    faults += faults_on(ravi, site, ("mfa_activate_totp", "mfa_index"))
    assert faults == []


@pytest.mark.parametrize("screen", SCREENS, ids=["light", "dark phone"])
def test_the_page_that_asks_for_the_second_factor_can_be_used_by_all(
    site: str, person: Person, screen: dict[str, Any]
) -> None:
    """It stands between the password and the log-in, so no tour comes by."""
    somebody("usha", has_factor=True)
    page = person(None, **screen)
    page.goto(reverse("login"))
    page.get_by_label("Username", exact=True).fill("usha")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page).to_have_url(f"{site}{reverse('mfa_authenticate')}")
    assert grave_faults(page, "mfa_authenticate") == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("screen", SCREENS, ids=["light", "dark phone"])
def test_a_message_above_a_page_is_read_by_all(
    site: str, person: Person, screen: dict[str, Any]
) -> None:
    """It is a list within what is told at once."""
    page = person(somebody("tara", new_address=True), **screen)
    asked_again(page, "mfa_activate_totp")
    told = page.get_by_role("main").get_by_role("status").get_by_role("listitem")
    expect(told).to_contain_text("until you have verified your email address")
    assert grave_faults(page, "a message") == []
