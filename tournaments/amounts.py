"""Amounts with their unit, as a page writes them, and amounts as people type them."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from babel.numbers import (
    format_currency,
    format_decimal,
    get_currency_precision,
    list_currencies,
)
from django.utils import translation
from django.utils.translation import gettext as _

from wording import locale_name, number_text
from wording.typed import read_typed

TYPED_IN: Final = "en_IN"
"""How a form shows amounts, whatever the reader's language: what it shows can be read back."""


def in_unit(amount: int, asset: str) -> str:
    """`1,850 play points`, or a currency in its own way: `₹18.50`; grouped as in India."""
    if asset in list_currencies("en"):
        value = Decimal(amount).scaleb(-decimals_of(asset))
        return format_currency(value, asset, locale=locale_name())
    number = number_text(amount)
    if asset == "PLAY":
        return _("%(number)s play points") % {"number": number}
    if asset == "PRACTICE":
        return _("%(number)s practice points") % {"number": number}
    return f"{number} {asset}"


def kept_in_unit(amount: int, asset: str) -> str:
    """The same in English, for what is kept and read by many; `wording.part` tells it to each."""
    with translation.override("en"):
        return in_unit(amount, asset)


def decimals_of(asset: str) -> int:
    """How many decimals an asset is written with."""
    return get_currency_precision(asset) if asset in list_currencies("en") else 0


def typed_amount(amount: int, asset: str) -> str:
    """An amount as a form shows it, without its unit: `1,00,000`, `1,00,000.50`.

    `read_amount` gives the same amount back.
    """
    decimals = decimals_of(asset)
    pattern = "#,##,##0" + (f".{'0' * decimals}" if decimals and amount % 10**decimals else "")
    value = Decimal(amount).scaleb(-decimals)
    return str(format_decimal(value, format=pattern, locale=TYPED_IN))


def read_amount(text: str, asset: str) -> int:
    """What somebody typed, in the asset's smallest unit; digits of any script.

    `1,00,000`, `100,000` and `100000.00` are the same. Nothing is rounded or guessed: raises
    `ValueError` with a sentence for commas in odd places and for more decimals than there are.
    """
    return read_typed(text, decimals_of(asset))
