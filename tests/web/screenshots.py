"""Pictures of every page for people to look at: `make screenshots` writes them to var/screenshots.

Not collected by a plain run of the tests; the command names this file. Each page is taken on a
desktop and on a phone, in light and in dark, as a player sees it; `index.html` shows all of them.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from django.contrib.auth.models import User

from tests.showcase import make_showcase
from tests.web.conftest import DARK, PHONE, Person
from tests.web.desk import desk_pages
from tests.web.guard import Guard

FOLDER = Path("var/screenshots")
SCREENS = {"desktop": {}, "desktop-dark": DARK, "phone": PHONE, "phone-dark": PHONE | DARK}
ROLES = {"login": "visitor"}
"""Pages that a player does not see; all the others are shown to him."""


def test_take_a_picture_of_every_page(transactional_db: None, person: Person, guard: Guard) -> None:
    guard.allow("404", "403", "favicon")
    showcase = make_showcase()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for screen, options in SCREENS.items():
        pages = {
            role: person(showcase.people.get(role), **options) for role in ("player", "visitor")
        }
        for name, address in showcase.pages.items():
            page = pages[ROLES.get(name, "player")]
            page.goto(address)
            page.screenshot(path=FOLDER / f"{name}-{screen}.png", full_page=True)
    desk = {f"desk-{name}": address for name, address in desk_pages().items()}
    for screen, options in SCREENS.items():
        page = person(User.objects.get(username="olga"), **options)
        for name, address in desk.items():
            page.goto(address)
            page.screenshot(path=FOLDER / f"{name}-{screen}.png", full_page=True)
    (FOLDER / "index.html").write_text(_index([*showcase.pages, *desk]), encoding="utf-8")
    assert len(list(FOLDER.glob("*.png"))) >= len(showcase.pages) * len(SCREENS)


def _index(names: list[str]) -> str:
    """A page with all pictures, a row for each page of the site."""
    rows = [
        f"<h2>{escape(name)}</h2><p>"
        + " ".join(
            f'<a href="{name}-{screen}.png"><img src="{name}-{screen}.png" height="400"'
            f' alt="{escape(name)}, {screen}"></a>'
            for screen in SCREENS
        )
        + "</p>"
        for name in names
    ]
    return f'<!doctype html><html lang="en"><title>Screenshots</title>{"".join(rows)}</html>'
