"""Every page, for every kind of visitor: nothing keeps people out, nothing is wider than a phone.

axe is asked in light and in dark, on a desktop and on a phone; a player, for whom most is drawn,
sees both ends of that, and the others what is left, as every tour takes half a minute.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.showcase import VISITOR, Showcase, make_showcase
from tests.web.axe import grave_faults
from tests.web.conftest import DARK, PHONE, Person
from tests.web.guard import Guard

SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {},
    "phone": PHONE,
    "dark": DARK,
    "dark phone": PHONE | DARK,
}

SMALL = """(least) => {
    const what = "a[href], button, select, summary, textarea, input:not([type=hidden])";
    const target = (one) => one.matches("[type=checkbox], [type=radio]") ? one.parentElement : one;
    return [...document.querySelectorAll(what)]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        .filter((one) => getComputedStyle(one).display !== "inline" && !one.matches(".skip"))
        .filter((one) => {
            const { width, height } = target(one).getBoundingClientRect();
            return width < least || height < least;
        })
        .map((one) => one.outerHTML.slice(0, 90));
}"""
"""Buttons, fields and links that a finger may miss; a link within a line of text is let be."""
FINGER_PX = 44


@pytest.fixture
def showcase(transactional_db: None) -> Showcase:
    """A site with something of everything."""
    return make_showcase()


def _tour(page: Page, showcase: Showcase, where: str) -> list[str]:
    faults = []
    for name, address in showcase.pages.items():
        page.goto(address)
        faults += grave_faults(page, f"{name}, {where}")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            faults.append(f"{name}, {where}: {wide} px wider than the screen")
        if page.evaluate("navigator.maxTouchPoints"):
            small = page.evaluate(SMALL, FINGER_PX)
            faults += [f"{name}, {where}: too small for a finger: {one}" for one in small]
    return faults


@pytest.mark.parametrize(
    ("role", "screen"),
    [
        ("player", "desktop"),
        ("player", "dark phone"),
        (VISITOR, "dark"),
        ("organiser", "phone"),
        ("operator", "desktop"),
    ],
)
def test_nothing_on_any_page_keeps_people_from_using_it(
    showcase: Showcase, person: Person, guard: Guard, role: str, screen: str
) -> None:
    guard.allow("404", "403")
    page = person(showcase.people.get(role), **SCREENS[screen])
    assert _tour(page, showcase, f"{role}, {screen}") == []
