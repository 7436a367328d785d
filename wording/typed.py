"""Amounts, rows' keys and words as people type them. Nothing is rounded or guessed."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

_TYPED: Final = re.compile(
    r"(?P<whole>\d{1,18}|\d{1,3}(?:,\d{3}){1,5}|\d{1,2}(?:,\d{2}){0,7},\d{3})(?:\.(?P<part>\d{1,9}))?"
)
"""Digits alone, or grouped in thousands or as in India; then decimals after a point."""

_JOINERS: Final = dict.fromkeys((0x200C, 0x200D))
"""Seen by no reader, but words in Hindi, and some pictures, are written with them."""


def shows(text: str) -> str:
    """A text without what no reader sees of it though it is a part of words."""
    return text.translate(_JOINERS)


def is_printable(text: str) -> bool:
    """Whether all of a text is seen as it stands: nothing that turns, hides or breaks lines."""
    return shows(text).isprintable()


def read_key(text: str) -> int | None:
    """The key of a row as an address or a form names it; None for what can be none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def read_typed(text: str, decimals: int) -> int:
    """What somebody typed, in the smallest unit of what has so many decimals; digits of any script.

    `1,00,000`, `100,000` and `100000.00` are the same. Raises `ValueError` with a sentence for
    commas in odd places and for more decimals than there are.
    """
    plain = "".join(str(int(sign)) if sign.isdecimal() else sign for sign in text.strip())
    found = _TYPED.fullmatch(plain)
    if found is None:
        raise ValueError(_("Write an amount like 1,00,000 or 100000.50."))
    part = (found["part"] or "").rstrip("0")
    if len(part) > decimals:
        raise ValueError(
            _("Write it with %(n)d decimals at most.") % {"n": decimals}
            if decimals
            else _("Write a whole number; there is nothing smaller.")
        )
    return int(found["whole"].replace(",", "") + part.ljust(decimals, "0"))
