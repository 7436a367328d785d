"""Rows as files for people's spreadsheets; text is never a formula, numbers stay numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from ledger import selectors, sheets
from ledger.sheets import Cell

FORMS: Final = tuple(sheets.MEDIA)


def file_of(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], form: str
) -> tuple[bytes, str]:
    """Rows under column names as `csv`, `json` or `xlsx`: the content, and its media type."""
    sheet = sheets.Sheet(title=title, facts={}, columns=tuple(columns), rows=rows)
    return sheets.written(sheet, form), sheets.MEDIA[form]


def scales() -> Mapping[str, int]:
    """The decimals of every asset, by code. One query."""
    return selectors.scales()


def decimal_of(amount: int, scale: int) -> Decimal:
    """An amount of smallest units as an exact decimal."""
    return sheets.decimal_of(amount, scale)
