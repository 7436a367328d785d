"""Amounts with their unit, as a page writes them."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from babel.numbers import format_currency, get_currency_precision, list_currencies

_UNITS: Final = {"PLAY": "play points", "PRACTICE": "practice points"}
_LOCALE: Final = "en"


def in_unit(amount: int, asset: str) -> str:
    """`1,850 play points`, or a currency in its own way: `₹18.50`."""
    if asset in list_currencies(_LOCALE):
        decimals = get_currency_precision(asset)
        return format_currency(Decimal(amount).scaleb(-decimals), asset, locale=_LOCALE)
    return f"{amount:,} {_UNITS.get(asset, asset)}"
