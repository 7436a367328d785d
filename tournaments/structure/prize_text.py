"""Prizes as somebody types them on one line.

`winner` gives all to the winner, `50,30,20` are percentages by rank with up to two decimals,
`fixed:500,300,200` are amounts in the smallest unit.
"""

from __future__ import annotations

import re
from typing import Final

from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.prizes import (
    MAX_PRIZES,
    FixedAmounts,
    Percentages,
    PrizeStructure,
    WinnerTakesAll,
)

_PERCENTAGE: Final = re.compile(r"(\d{1,3})(?:\.(\d{1,2}))?")
_AMOUNT: Final = re.compile(r"\d{1,18}")
_FIXED: Final = "fixed:"


def read_prizes(text: str, *, field: str = "prizes") -> PrizeStructure:
    """The structure written as `text`. Raises `StructureError` naming `field`."""
    text = text.strip()
    try:
        if text == "winner":
            return WinnerTakesAll()
        if text.startswith(_FIXED):
            return FixedAmounts(_numbers(text.removeprefix(_FIXED), _AMOUNT, field))
        return Percentages(_numbers(text, _PERCENTAGE, field))
    except StructureError as fault:
        raise StructureError(fault.code, fault.sentence, field=field) from fault


def _numbers(text: str, pattern: re.Pattern[str], field: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    found = [pattern.fullmatch(part) for part in parts[: MAX_PRIZES + 1]]
    if len(parts) > MAX_PRIZES or not all(found):
        raise StructureError(
            StructureCode.NOT_WHOLE,
            "Write winner, percentages like 50,30,20, or fixed:500,300,200.",
            field=field,
        )
    return tuple(_number(match) for match in found if match)


def _number(match: re.Match[str]) -> int:
    """An amount as it stands; a percentage in basis points."""
    if match.re is _AMOUNT:
        return int(match[0])
    return 100 * int(match[1]) + int((match[2] or "0").ljust(2, "0"))
