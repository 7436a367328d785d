"""Numbers as the reader's language groups them: 1,00,000 where that is English or Hindi."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from babel.numbers import format_decimal
from django.utils.translation import get_language

_LOCALES: Final = {"en": "en_IN", "hi": "hi_IN"}
_GROUPED: Final = re.compile(r"(?<![\d,.])\d{1,3}(?:,\d{3})+(?![\d,])")


def locale_name() -> str:
    """The locale of the reader's language, as Babel names it."""
    return _LOCALES.get((get_language() or "en").partition("-")[0], "en_IN")


def number_text(number: int | Decimal, *, decimals: int = 0) -> str:
    """A number with `decimals` digits after the point: `1,00,000`, `18.50`."""
    digits = f".{'0' * decimals}" if decimals else ""
    return str(format_decimal(number, format=f"#,##,##0{digits}", locale=locale_name()))


def count_text(sentence: str) -> str:
    """A sentence whose numbers a program grouped by thousands, as its reader groups them."""
    return _GROUPED.sub(lambda found: number_text(int(found[0].replace(",", ""))), sentence)
