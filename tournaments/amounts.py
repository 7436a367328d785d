"""Amounts with their unit, as a page writes them."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from babel.numbers import (
    format_currency,
    format_decimal,
    get_currency_precision,
    list_currencies,
)
from django.utils.translation import get_language
from django.utils.translation import gettext as _

_LOCALES: Final = {"en": "en_IN", "hi": "hi_IN"}


def in_unit(amount: int, asset: str) -> str:
    """`1,850 play points`, or a currency in its own way: `₹18.50`; grouped as in India."""
    locale = _LOCALES.get((get_language() or "en").partition("-")[0], "en_IN")
    if asset in list_currencies("en"):
        decimals = get_currency_precision(asset)
        return format_currency(Decimal(amount).scaleb(-decimals), asset, locale=locale)
    number = format_decimal(amount, format="#,##,##0", locale=locale)
    if asset == "PLAY":
        return _("%(number)s play points") % {"number": number}
    if asset == "PRACTICE":
        return _("%(number)s practice points") % {"number": number}
    return f"{number} {asset}"
