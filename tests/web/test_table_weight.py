"""What the table page costs on a slow line: bytes, requests, and when the first card shows."""

from __future__ import annotations

import gzip
import sys
import time

import pytest
from playwright.sync_api import Response, expect

from tests.showcase import make_showcase
from tests.web.conftest import PHONE, Person

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
    """Static files count as `collectstatic` compresses them, the page as it is sent."""
    showcase = make_showcase()
    page = person(showcase.people["player"], **PHONE)
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", FAST_3G)
    answers: list[Response] = []
    # Playwright marks its listeners, which a method of a list does not let it do.
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108
    begun = time.monotonic()
    page.goto(f"/tables/{showcase.table}/", wait_until="commit")
    expect(page.locator(".rack [data-id]").first).to_be_visible()
    first_card = time.monotonic() - begun
    page.wait_for_load_state("load")
    size = sum(
        len(gzip.compress(answer.body())) if "/static/" in answer.url else len(answer.body())
        for answer in answers
    )
    with capsys.disabled():
        sys.stdout.write(
            f"\nTable page: {size} bytes, {len(answers)} requests, "
            f"first card after {first_card:.2f} s (uncompressed, on fast 3G)\n"
        )
    assert size < MAX_BYTES
    assert len(answers) < MAX_REQUESTS
