"""Files for people's spreadsheets: the ledger's writers, and amounts as numbers of their unit."""

from __future__ import annotations

from decimal import Decimal

from ledger.sheets import Sheet, decimal_of, to_csv, to_xlsx
from tournaments.amounts import decimals_of

__all__ = ["Sheet", "amount_cell", "to_csv", "to_xlsx"]


def amount_cell(amount: int, asset: str) -> Decimal:
    """An amount of smallest units as a number: 1850 paise are 18.50; −500 stays below zero."""
    return decimal_of(amount, decimals_of(asset))
