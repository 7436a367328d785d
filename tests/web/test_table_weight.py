"""What the table page costs on a slow line: bytes, requests, and when the first card shows."""

from __future__ import annotations

import sys
import time
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.showcase import make_showcase
from tests.web.conftest import PHONE, Person
from tests.web.guard import Guard

MAX_BYTES = 120_000
MAX_REQUESTS = 15
FAST_3G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
"""Milliseconds, and bytes a second: what browsers' own tools call fast 3G."""


def test_the_table_page_is_light(
    transactional_db: None, person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bytes as they come over the line, headers and all, the page's and the files' compressed."""
    showcase = make_showcase()
    page = person(showcase.people["player"], **PHONE)
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", FAST_3G)
    loaded: list[dict[str, Any]] = []
    # Playwright marks its listeners, which a method of a list does not let it do.
    tools.on("Network.loadingFinished", lambda event: loaded.append(event))  # noqa: PLW0108
    begun = time.monotonic()
    page.goto(f"/tables/{showcase.table}/", wait_until="commit")
    expect(page.locator(".rack .pc").first).to_be_visible()
    first_card = time.monotonic() - begun
    expect(page.locator(".rack [data-id]").first).to_be_visible()
    playable = time.monotonic() - begun
    expect(page.locator("[data-part=sign]")).to_have_attribute("data-state", "open")
    sizes = [int(event["encodedDataLength"]) for event in loaded if event["encodedDataLength"]]
    with capsys.disabled():
        sys.stdout.write(
            f"\nTable page: {sum(sizes)} bytes, {len(sizes)} requests, first card after "
            f"{first_card:.2f} s, in play after {playable:.2f} s (on fast 3G)\n"
        )
    assert 0 < sum(sizes) < MAX_BYTES
    assert len(sizes) < MAX_REQUESTS


def test_the_hand_lies_there_before_any_script(
    transactional_db: None, person: Person, guard: Guard
) -> None:
    """So it waits for the page and its style alone, and the scripts draw it where it lies."""
    guard.allow("request: csp")  # what a browser says of scripts that it is told not to run
    showcase = make_showcase()
    quiet = person(showcase.people["player"], **PHONE, java_script_enabled=False)
    quiet.goto(f"/tables/{showcase.table}/")
    drawn = quiet.locator(".rack .pc")
    expect(drawn.first).to_be_visible()
    page = person(showcase.people["player"], **PHONE)
    page.goto(f"/tables/{showcase.table}/")
    expect(page.locator(".rack [data-id]").first).to_be_visible()
    cards = page.locator(".rack .pc")
    expect(cards).to_have_count(drawn.count())
    for own, scripted in zip(drawn.all(), cards.all(), strict=True):
        assert own.get_attribute("aria-label") == scripted.get_attribute("aria-label")
        assert own.bounding_box() == scripted.bounding_box()
