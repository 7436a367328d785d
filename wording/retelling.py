"""Finding the text of the catalogue that a finished English sentence was made from.

A text with places, `%(name)s is full.`, stands in the catalogue under the context `SENTENCE`. Of
several that fit a sentence, the one with the most letters of its own is meant. What fills a place
is taken over as it is, but for the few words of `parts`, such as the state of a tournament.
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
from wording.parts import part_text

SENTENCE: Final = "sentence"
_PLACE: Final = re.compile(r"%\((\w+)\)s")


class Pattern(NamedTuple):
    """A text with places, and what a sentence made from it looks like."""

    text: str
    looks: re.Pattern[str]
    letters: int


def told(sentence: str) -> str:
    """A sentence of a refusal in the active language; as it is, where that has no words for it."""
    language = (get_language() or "en").partition("-")[0]
    if language == "en" or not sentence:
        return count_text(sentence)
    known = gettext(sentence)
    return count_text(_retold(sentence, language) if known == sentence else known)


def _retold(sentence: str, language: str) -> str:
    for pattern in patterns(language):
        if found := pattern.looks.fullmatch(sentence):
            filled = {name: part_text(value) for name, value in found.groupdict().items()}
            return pgettext(SENTENCE, pattern.text) % filled
    return sentence


@cache
def patterns(language: str) -> tuple[Pattern, ...]:
    """The texts with places of a language, those with most letters of their own first."""
    texts: set[str] = set()
    for folder in settings.LOCALE_PATHS:
        path = Path(folder) / language / "LC_MESSAGES" / "django.mo"
        if path.is_file():
            with path.open("rb") as compiled:
                texts |= {
                    message.id
                    for message in read_mo(compiled)
                    if message.context == SENTENCE and isinstance(message.id, str)
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
            looks += f"(?P={piece})" if piece in seen else f"(?P<{piece}>.+?)"
            seen.add(piece)
    return Pattern(text, re.compile(looks, re.DOTALL), letters)
