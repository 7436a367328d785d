"""What keeps people from using a page, as axe finds it."""

from __future__ import annotations

from typing import Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

GRAVE: Final = ("serious", "critical")


def grave_faults(page: Page, where: str = "", *, within: str | None = None) -> list[str]:
    """What axe finds serious or critical on the page that is open, with where it stands.

    `within` is a CSS selector of the part to look at, if not all of it.
    """
    found = Axe().run(page, context=within).response["violations"]
    return [
        f"{where}: {fault['id']} at {node['target'][0]} ({node['html'][:90]})"
        for fault in found
        if fault["impact"] in GRAVE
        for node in fault["nodes"][:3]
    ]
