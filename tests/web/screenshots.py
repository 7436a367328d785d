"""Pictures of every page for people to look at: `make screenshots` writes them to var/screenshots.

Not collected by a plain run of the tests; the command names this file. Each page is taken on a
desktop and on a phone, in light and in dark, as a player, a visitor or staff see it; `index.html`
shows all of them.
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
FOR_ALL = ("login", "sign-up", "password-reset")
"""Pages of who has not logged in."""


def test_take_a_picture_of_every_page(transactional_db: None, person: Person, guard: Guard) -> None:
    guard.allow("404", "403")
    showcase = make_showcase()
    FOLDER.mkdir(parents=True, exist_ok=True)
    desk = {f"desk-{name}": address for name, address in desk_pages().items()}
    sights: list[tuple[User | None, dict[str, str]]] = [
        (showcase.people["player"], {k: v for k, v in showcase.pages.items() if k not in FOR_ALL}),
        (None, {k: v for k, v in showcase.pages.items() if k in FOR_ALL}),
        (showcase.people["superuser"], showcase.desk_pages),
        (User.objects.get(username="olga"), desk),
    ]
    for screen, options in SCREENS.items():
        for user, pages in sights:
            page = person(user, **options)
            for name, address in pages.items():
                page.goto(address)
                page.screenshot(path=FOLDER / f"{name}-{screen}.png", full_page=True)
            page.context.close()
    names = [name for _user, pages in sights for name in pages]
    (FOLDER / "index.html").write_text(_index(names), encoding="utf-8")
    assert len(list(FOLDER.glob("*.png"))) >= len(names) * len(SCREENS)


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
