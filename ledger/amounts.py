"""Amounts as people read them, in the language of the reader: with their unit, always.

Numbers are grouped as in India where the language is English or Hindi: 1,00,000.
"""

from __future__ import annotations

from babel.numbers import format_currency
from django.utils.translation import gettext as _

from ledger.models import Asset
from ledger.sheets import decimal_of
from ledger.terms import AssetKind
from wording import locale_name, number_text


def amount_text(amount: int, *, asset: str, kind: str, scale: int, signed: bool = False) -> str:
    """An amount of smallest units with its unit: `1,850 play points`, `₹18.50`.

    `signed` writes a plus before what is above zero; below zero there is always a minus.
    """
    value = decimal_of(abs(amount), scale)
    sign = "−" if amount < 0 else "+" if signed and amount > 0 else ""
    if kind == AssetKind.CURRENCY:
        return sign + format_currency(value, asset, locale=locale_name())
    return sign + _with_unit(number_text(value, decimals=scale), kind, asset)


def of_asset(amount: int, asset: Asset, *, signed: bool = False) -> str:
    """The same of an asset's row."""
    return amount_text(amount, asset=asset.code, kind=asset.kind, scale=asset.scale, signed=signed)


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
