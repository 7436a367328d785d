"""Reading pages as a browser or a reader does."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext


class Addresses(HTMLParser):
    """Collects what a page loads or links to, and anything inline that its policy would block."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.inline: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"href", "src", "action"}:
                self.addresses.append(value or "")
            if name == "style" or name.startswith("on"):
                self.inline.append(f"{tag}[{name}]")
        if tag in {"style", "script"} and "src" not in dict(attrs):
            self.inline.append(tag)


def logged_in(user: Any) -> Client:
    """Somebody's browser."""
    client = Client()
    client.force_login(user)
    return client


def page_of(client: Client, address: str) -> str:
    """The HTML at an address, which is there."""
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def text_of(html: str) -> str:
    """What a reader reads: the main part without markup, blanks put together."""
    main = html.partition("<main")[2].partition("</main>")[0].partition(">")[2]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def spoken_cards(html: str) -> list[str]:
    """The cards of a page as they are read aloud."""
    return re.findall(r'aria-label="((?:\w+ of \w+|printed joker)(?:, joker)?)"', html)


def queries_of(client: Client, address: str) -> list[dict[str, Any]]:
    """The statements that a page takes."""
    with CaptureQueriesContext(connection) as queries:
        page_of(client, address)
    return list(queries.captured_queries)
