"""A newcomer's way from the first page to his first card: how many clicks, and how long."""

from __future__ import annotations

import sys
import time

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from tests.web.conftest import Person

MOST_CLICKS = 5


def test_who_has_logged_in_reaches_his_first_card_in_five_clicks(
    live_site: str, person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    page = person(User.objects.create_user("newcomer"))
    begun = time.monotonic()
    page.goto("/")
    ways = [
        page.get_by_role("link", name="Quick table").first,
        page.get_by_role("button", name="Points: one deal").first,
    ]
    for way in ways:
        way.click()
    expect(page.locator(".rack [data-id]").first).to_be_visible(timeout=60_000)
    with capsys.disabled():
        sys.stdout.write(f"\nFirst card: {len(ways)} clicks, {time.monotonic() - begun:.1f} s\n")
    assert len(ways) <= MOST_CLICKS


def test_a_stranger_signs_up_and_reaches_his_first_card_in_five_clicks(
    live_site: str, person: Person
) -> None:
    """From the lobby of a visitor; what he types is no click."""
    page = person()
    page.goto("/")
    page.get_by_role("link", name="Sign up").first.click()
    for label, text in (
        ("Username", "newcomer"),
        ("Email", "newcomer@club.example"),
        ("Password", "open-deck-7"),
    ):
        page.get_by_label(label, exact=True).fill(text)
    ways = [
        page.get_by_role("main").get_by_role("button", name="Sign up"),
        page.get_by_role("link", name="Quick table").first,
        page.get_by_role("button", name="Points: one deal").first,
    ]
    for way in ways:
        way.click()
    expect(page.locator(".rack [data-id]").first).to_be_visible(timeout=60_000)
    assert 1 + len(ways) <= MOST_CLICKS
