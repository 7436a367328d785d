"""What a reader sees of a page, and which of it is English."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

from django.contrib.auth.models import User
from django.test import Client

from players.models import Profile

UNSEEN: Final = {"script", "style", "code", "template", "pre"}
"""Elements without words for people: scripts, hashes, the codes of cards."""
ZONES: Final = "id_zone"
"""A list of names that zones have everywhere."""
ICON: Final = "material-symbols"
"""A sign that its font draws for a word."""
SPOKEN: Final = ("aria-label", "title", "alt", "placeholder", "aria-description")
NAMES: Final = {
    # Tournaments, tables and people of the tests, and what is called the same in every language.
    *("cup", "Open", "Full", "Played", "Running", "Paused", "organiser", "player", "system"),
    *("Fire", "alarm", "Games24x7", "RummyCircle", "RummyCentral", "Octro", "Classic", "Rummy"),
    *("English", "IST", "UTC", "JSON", "CSV", "XLSX", "ZIP", "TXT", "ICS", "PDF", "SHA", "HMAC"),
    *("MFA", "TOTP", "Home", "End", "Asia", "Kolkata", "https", "Mozilla", "QR"),
}
_MADE: Final = re.compile(r"[0-9/_@=]|[a-z][A-Z]")
"""In what programs make: hashes, addresses, names of deals and of test players."""
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z']{2,}")


class _Seen(HTMLParser):
    """Collects the texts of a page, those that are read aloud too."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.language = ""
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "html":
            self.language = values.get("lang") or ""
        is_icon = ICON in (values.get("class") or "")
        if tag in UNSEEN or values.get("id") == ZONES or is_icon:
            self._unseen.append(tag)
        self.texts += [values[name] or "" for name in SPOKEN if name in values]

    def handle_endtag(self, tag: str) -> None:
        if self._unseen and self._unseen[-1] == tag:
            self._unseen.pop()

    def handle_data(self, data: str) -> None:
        if not self._unseen and data.strip():
            self.texts.append(" ".join(data.split()))


def language_and_texts(html: str) -> tuple[str, list[str]]:
    """What the page says its language is, and all that is to be read on it."""
    seen = _Seen()
    seen.feed(html)
    return seen.language, seen.texts


def english_in(html: str, names: set[str] = NAMES) -> list[str]:
    """Texts with an English word in them that is nobody's name."""
    found = []
    for text in language_and_texts(html)[1]:
        plain = " ".join(token for token in text.split() if not _MADE.search(token))
        words = [word for word in _WORD.findall(plain) if word not in names]
        if words:
            found.append(text)
    return found


def reader(user: User | None) -> Client:
    """The browser of somebody who reads Hindi."""
    client = Client(headers={"accept-language": "hi"})
    if user is not None:
        Profile.objects.update_or_create(user=user, defaults={"language": "hi"})
        client.force_login(user)
    return client
