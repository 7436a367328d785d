"""The ledger's tables for spreadsheets; how they are written stands in `staff.sheets`."""

from __future__ import annotations

from staff.sheets import (
    MEDIA,
    Cell,
    Sheet,
    decimal_of,
    harmless,
    to_csv,
    to_json,
    to_xlsx,
    written,
)

__all__ = [
    "MEDIA",
    "Cell",
    "Sheet",
    "decimal_of",
    "harmless",
    "to_csv",
    "to_json",
    "to_xlsx",
    "written",
]
