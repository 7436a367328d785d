"""Sums that stay exact beyond 64 bits, where SQLite's own sum() refuses.

Every amount and every total of one account fits 64 bits; those of all accounts of an asset, or of
everything that ever moved, need not. Numbers are added up in two halves of 32 bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import F, Sum

_HALF: Final = 2**32


def halves(name: str, field: str) -> dict[str, Sum]:
    """Two aggregates of a column of whole numbers from 0, to be put together by `total`."""
    return {f"{name}_high": Sum(F(field) / _HALF), f"{name}_low": Sum(F(field) % _HALF)}


def total(row: Mapping[str, Any], name: str) -> int:
    """The sum that `halves` took under this name; 0 of no rows."""
    return int(row[f"{name}_high"] or 0) * _HALF + int(row[f"{name}_low"] or 0)
