"""Amounts as people read them, in the language of the reader: with their unit, always.

Numbers are grouped as in India where the language is English or Hindi: 1,00,000.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from babel.numbers import format_currency, format_decimal
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ledger.sheets import decimal_of
from ledger.terms import AssetKind

_LOCALES: Final = {"en": "en_IN", "hi": "hi_IN"}


def locale_name() -> str:
    """The locale of the reader's language, as Babel names it."""
    return _LOCALES.get((get_language() or "en").partition("-")[0], "en_IN")


def amount_text(amount: int, *, asset: str, kind: str, scale: int, signed: bool = False) -> str:
    """An amount of smallest units with its unit: `1,850 play points`, `₹18.50`.

    `signed` writes a plus before what is above zero; below zero there is always a minus.
    """
    value = decimal_of(abs(amount), scale)
    sign = "−" if amount < 0 else "+" if signed and amount > 0 else ""
    if kind == AssetKind.CURRENCY:
        return sign + format_currency(value, asset, locale=locale_name())
    return sign + _with_unit(_number(value, scale), kind, asset)


def _number(value: Decimal, scale: int) -> str:
    decimals = f".{'0' * scale}" if scale else ""
    return str(format_decimal(value, format=f"#,##,##0{decimals}", locale=locale_name()))


def _with_unit(number: str, kind: str, asset: str) -> str:
    match kind:
        case AssetKind.PLAY:
            return _("%(number)s play points") % {"number": number}
        case AssetKind.PRACTICE:
            return _("%(number)s practice points") % {"number": number}
        case AssetKind.CHIPS:
            return _("%(number)s chips") % {"number": number}
        case _other:
            return f"{number} {asset}"
