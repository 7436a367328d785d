"""Pictures of every page for people to look at: `make screenshots` writes them to var/screenshots.

Not collected by a plain run of the tests; the command names this file. Each page is taken on a
desktop and on a phone, in light and in dark, as a player, a visitor or staff see it; those of
players and visitors in Hindi, too (without a Devanagari font on the machine it is boxes).
`index.html` shows all of them.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.showcase import STRANGERS_PAGES, make_showcase
from tests.web.conftest import DARK, DESKTOP, PHONE, Person
from tests.web.desk import desk_pages
from tests.web.guard import Guard

FOLDER = Path("var/screenshots")
SCREENS = {"desktop": {}, "desktop-dark": DARK, "phone": PHONE, "phone-dark": PHONE | DARK}
HINDI = {"locale": "hi-IN"}
IN_HINDI = {"desktop-hindi": HINDI, "phone-hindi": PHONE | HINDI}
Sight = tuple[User | None, dict[str, str]]
"""Somebody, and what he looks at: addresses by a name for the picture."""


def test_take_a_picture_of_every_page(transactional_db: None, person: Person, guard: Guard) -> None:
    guard.allow("404", "403")
    showcase = make_showcase()
    FOLDER.mkdir(parents=True, exist_ok=True)
    desk = {f"desk-{name}": address for name, address in desk_pages().items()}
    players: list[Sight] = [
        (
            showcase.people["player"],
            {k: v for k, v in showcase.pages.items() if k not in STRANGERS_PAGES},
        ),
        (None, {k: v for k, v in showcase.pages.items() if k in STRANGERS_PAGES}),
    ]
    staff: list[Sight] = [
        (showcase.people["superuser"], showcase.desk_pages),
        (User.objects.get(username="olga"), desk),
    ]
    taken = [_take(person, screen, SCREENS[screen], players + staff) for screen in SCREENS]
    taken += [_take(person, screen, IN_HINDI[screen], players) for screen in IN_HINDI]
    pictures = [name for names in taken for name in names]
    (FOLDER / "index.html").write_text(_index(pictures), encoding="utf-8")
    assert len(set(pictures)) == len(pictures)
    assert all((FOLDER / f"{name}.png").stat().st_size for name in pictures)


def _take(person: Person, screen: str, options: dict[str, Any], sights: list[Sight]) -> list[str]:
    """The names of pictures that were taken on one kind of screen."""
    names = []
    for user, pages in sights:
        page = person(user, **options)
        for name, address in pages.items():
            page.goto(address)
            _settled(page)
            names.append(f"{name}-{screen}")
            page.screenshot(path=FOLDER / f"{names[-1]}.png", full_page=True)
            page.set_viewport_size(options.get("viewport", DESKTOP["viewport"]))
        page.context.close()
    return names


def _settled(page: Page) -> None:
    """What a page asks for once it is open is on it: calls, unread notices, the table's socket.

    A call lies at the foot of the window, which is made as high as the page, or it would lie on it.
    """
    expect(page.locator("#news[hx-trigger=load]")).to_have_count(0)
    expect(page.locator("[data-part=sign]:not([data-state=open])")).to_have_count(0)
    if page.locator(".call").count() and (size := page.viewport_size):
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": size["width"], "height": height})


def _index(pictures: list[str]) -> str:
    """A page with all pictures, a row for each page of the site."""
    rows = [
        f'<figure><a href="{name}.png"><img src="{name}.png" height="400" alt=""></a>'
        f"<figcaption>{escape(name)}</figcaption></figure>"
        for name in sorted(pictures)
    ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title>'
        "<style>body { display: flex; flex-wrap: wrap; align-items: start }</style>"
        f"{''.join(rows)}</html>"
    )
