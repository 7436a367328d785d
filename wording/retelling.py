"""Finding the text of the catalogue that a finished English sentence was made from.

A text with places, `%(name)s is full.`, stands in the catalogue under the context `SENTENCE`. Of
several that fit a sentence, the one with the most letters of its own is meant. What fills a place
is taken over as it is where it is a name or a number; a sentence is told in its turn, and so are
the words of `wording.parts`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.mofile import read_mo
from django.conf import settings
from django.utils.translation import get_language, gettext, pgettext

from wording.numbers import count_text
from wording.parts import PART

SENTENCE: Final = "sentence"
_PLACE: Final = re.compile(r"%\((\w+)\)s")
_NAMES: Final = {"name", "names", "player", "username", "target", "owner", "winner", "named", "key"}
"""Places filled with names that people gave; these are nobody's to translate."""
OUR_NAMES: Final = "Quick table: "
"""How names begin that no person gave; these are told in the reader's language."""
_ENDS: Final = (".", "!", "?")
_BETWEEN: Final = re.compile(r"(?<=[.!?]) (?=[A-Z])")
"""Where one sentence ends and another begins."""


class Pattern(NamedTuple):
    """A text with places, and what a sentence made from it looks like."""

    text: str
    looks: re.Pattern[str]
    letters: int


def told(sentence: str) -> str:
    """A sentence of a refusal in the active language; as it is, where that has no words for it."""
    language = _language()
    return count_text(sentence if language == "en" or not sentence else _told(sentence, language))


def part(words: str) -> str:
    """Words that are less than a sentence, such as `0 to 80 points, or the cards`."""
    language = _language()
    return count_text(words if language == "en" or not words else _part(words, language))


def named(name: str) -> str:
    """The name of a tournament: as somebody gave it, or in the reader's words if the site did."""
    return part(name) if name.startswith(OUR_NAMES) else name


def _language() -> str:
    return (get_language() or "en").partition("-")[0]


def _told(sentence: str, language: str) -> str:
    known = gettext(sentence)
    if known != sentence:
        return known
    if filled := _filled(sentence, language, SENTENCE):
        return filled
    several = _BETWEEN.split(sentence)
    return " ".join(_told(one, language) for one in several) if several[1:] else sentence


def _part(words: str, language: str) -> str:
    known = pgettext(PART, words)
    if known != words:
        return known
    if ", " in words:
        several = [pgettext(PART, word) for word in words.split(", ")]
        if several != words.split(", "):
            return ", ".join(several)
    return _filled(words, language, PART) or words


def _filled(sentence: str, language: str, context: str) -> str:
    """The sentence made from the text that it fits, empty if it fits none."""
    for pattern in patterns(language, context):
        found = pattern.looks.fullmatch(sentence)
        if found and not any(map(_BETWEEN.search, found.groups(""))):
            filled = {
                place: _fill(place, value, language) for place, value in found.groupdict().items()
            }
            return pgettext(context, pattern.text) % filled
    return ""


def _fill(place: str, value: str, language: str) -> str:
    if place.rstrip("_0123456789") in _NAMES or not value:
        return value
    return _told(value, language) if value.endswith(_ENDS) else _part(value, language)


@cache
def patterns(language: str, context: str) -> tuple[Pattern, ...]:
    """The texts with places of a language, those with most letters of their own first."""
    texts: set[str] = set()
    for folder in settings.LOCALE_PATHS:
        path = Path(folder) / language / "LC_MESSAGES" / "django.mo"
        if path.is_file():
            with path.open("rb") as compiled:
                texts |= {
                    message.id
                    for message in read_mo(compiled)
                    if message.context == context
                    and isinstance(message.id, str)
                    and _PLACE.search(message.id)
                }
    return tuple(sorted(map(pattern_of, texts), key=lambda one: (-one.letters, one.text)))


def pattern_of(text: str) -> Pattern:
    """A text with places, ready to be compared with sentences."""
    looks, letters, seen = "", 0, set[str]()
    for at, piece in enumerate(_PLACE.split(text)):
        if at % 2 == 0:
            plain = piece.replace("%%", "%")
            looks, letters = looks + re.escape(plain), letters + len(plain)
        else:
            looks += f"(?P={piece})" if piece in seen else f"(?P<{piece}>.*?)"
            seen.add(piece)
    return Pattern(text, re.compile(looks, re.DOTALL), letters)
