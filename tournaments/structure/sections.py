"""Parts in which a large bracket is looked at. Pure.

A bracket of more than 32 is shown in *sections* of 16 first pairings each, and one more for the
rounds in which the sections' winners meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Generic, NamedTuple, TypeVar

SECTION: Final = 16
"""First pairings in a section."""

Pairing = TypeVar("Pairing")


class Section(NamedTuple, Generic[Pairing]):
    """The pairings of a section by round, and the number of its first round."""

    first_round: int
    rounds: tuple[tuple[Pairing, ...], ...]


def sections_of(first_pairings: int) -> int:
    """In how many sections a bracket is shown; the last one has the last rounds."""
    return 1 if first_pairings <= SECTION else first_pairings // SECTION + 1


def section_of(rounds: Sequence[Sequence[Pairing]], number: int) -> Section[Pairing]:
    """Section 1 … `sections_of` of all rounds' pairings; others are taken for the nearest."""
    sections = sections_of(len(rounds[0]))
    number = min(max(number, 1), sections)
    depth = SECTION.bit_length()
    if sections == 1:
        return Section(1, tuple(map(tuple, rounds)))
    if number == sections:
        return Section(depth + 1, tuple(map(tuple, rounds[depth:])))
    part = []
    for before, pairings in enumerate(rounds[:depth]):
        size = SECTION >> before
        part.append(tuple(pairings[(number - 1) * size : number * size]))
    return Section(1, tuple(part))
