"""The frame of every page, and that the guard sees what it is there for."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.web.conftest import DARK, PHONE, Person
from tests.web.guard import Guard
from tests.web.waiting import until


@pytest.fixture
def user(transactional_db: None) -> User:
    """Somebody with an account."""
    return User.objects.create_user("asha", password="asha-demo-1")


def test_who_is_logged_in_sees_his_name_on_every_kind_of_screen(user: User, person: Person) -> None:
    for options in ({}, PHONE, DARK, PHONE | DARK):
        page = person(user, **options)
        page.goto("/")
        expect(page.get_by_text("asha").first).to_be_attached()


def test_no_page_is_wider_than_a_phone(person: Person) -> None:
    page = person(**PHONE)
    page.goto("/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_guard_notices_errors_broken_policies_and_what_is_missing(
    page: Page, guard: Guard
) -> None:
    page.goto("/")
    page.evaluate("() => { setTimeout(() => { throw new Error('on purpose') }, 0) }")
    page.evaluate("() => { console.error('said on purpose') }")
    page.evaluate("() => fetch('/there-is-no-such-page')")
    page.evaluate(
        """() => {
          const inline = document.createElement("script");
          inline.textContent = "window.ran = true";
          document.body.append(inline);
        }"""
    )
    parts = ("script: on purpose", "said on purpose", "404 GET", "Content Security Policy")
    until(
        page,
        lambda: all(part in "\n".join(guard.complaints) for part in parts),
        "a complaint of each kind",
    )
    assert page.evaluate("window.ran") is None
    guard.allow("on purpose", "404", "Content Security Policy")
