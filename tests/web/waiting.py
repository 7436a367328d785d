"""Waiting for what happens elsewhere, and the line between a page and the site in the test's hand.

Nothing here sleeps for a time in which something should have happened: what a page shows is waited
for by `expect`, and what only the test or the database sees by `until`.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from tests.web.conftest import PATIENCE_MS

LOOK_AGAIN_MS = 20


def until(page: Page, holds: Callable[[], object], what: str) -> None:
    """Wait until it holds. Routes and listeners hear nothing while a test sleeps, but meanwhile."""
    by = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < by, f"It has not come: {what}"
        page.wait_for_timeout(LOOK_AGAIN_MS)


class Lines:
    """The sockets of a page, which pass through the test while `is_open`; what came by them."""

    def __init__(self, page: Page, *, is_open: bool = True) -> None:
        self.page = page
        self.is_open = is_open
        self.is_slow = False
        """What the site sends is kept until `arrive`."""
        self._late: list[str | bytes] = []
        self.frames: list[dict[str, Any]] = []
        self._lines: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/"), self._through)

    def _through(self, line: WebSocketRoute) -> None:
        def back(text: str | bytes) -> None:
            self.frames.append(json.loads(text))
            if self.is_slow:
                self._late.append(text)
            else:
                line.send(text)

        if not self.is_open:
            line.close(code=1012)
            return
        line.connect_to_server().on_message(back)
        self._lines.append(line)

    def cut(self, *, is_open: bool = True) -> None:
        """End the line; the page finds the next one closed, too, unless it `is_open`."""
        self.is_open = is_open
        until(self.page, lambda: self._lines, "a socket")
        self._lines[-1].close(code=1012)

    def send(self, frame: dict[str, Any]) -> None:
        """Let the page hear this, as if the site had sent it."""
        self._lines[-1].send(json.dumps(frame))

    def arrive(self) -> None:
        """Let the page hear, in order, what was kept from it."""
        self.is_slow = False
        for text in self._late:
            self._lines[-1].send(text)
        self._late.clear()

    def last(self, kind: str) -> dict[str, Any]:
        """The last frame of a kind that the page got; waits for the first."""
        until(self.page, lambda: self._of(kind), f"a frame {kind}")
        return self._of(kind)[-1]

    def _of(self, kind: str) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["type"] == kind]
