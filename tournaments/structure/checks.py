"""The checks every part of the structure makes on its input, and the bounds it keeps.

They return what they checked, so that a check reads as part of an assignment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from tournaments.structure.errors import StructureCode, StructureError

MAX_ENTRANTS: Final = 100_000
MAX_AMOUNT: Final = 2**63 - 1
"""Largest amount of money, points or chips: what a 64-bit column holds."""


def whole(value: int, field: str, low: int, high: int) -> int:
    """`value`, if it is a whole number from `low` to `high` (a bool or float is none).

    Raises `StructureError(NOT_WHOLE)` or `StructureError(OUT_OF_RANGE)` naming the field.
    """
    if type(value) is not int:
        raise StructureError(
            StructureCode.NOT_WHOLE, f"Give a whole number, not {value!r}.", field=field
        )
    if not low <= value <= high:
        raise StructureError(
            StructureCode.OUT_OF_RANGE,
            f"Give a number from {low:,} to {high:,}, not {value:,}.",
            field=field,
        )
    return value


def how_many(count: int, field: str, low: int, high: int) -> int:
    """`count`, if there are from `low` to `high` of what the field holds.

    Raises `StructureError(OUT_OF_RANGE)` naming the field.
    """
    if not low <= count <= high:
        raise StructureError(
            StructureCode.OUT_OF_RANGE,
            f"Give {low:,} to {high:,} of these, not {count:,}.",
            field=field,
        )
    return count


def all_different(entrants: Iterable[int], field: str) -> tuple[int, ...]:
    """The entrants, if none comes twice; raises `StructureError(DUPLICATE_ENTRANT)`."""
    seen: dict[int, None] = {}
    for entrant in entrants:
        if entrant in seen:
            raise StructureError(
                StructureCode.DUPLICATE_ENTRANT, f"Entrant {entrant} is named twice.", field=field
            )
        seen[entrant] = None
    return tuple(seen)


def never_rising(values: Sequence[int]) -> bool:
    """Whether each value is at most the one before it."""
    return all(later <= earlier for earlier, later in pairwise(values))
