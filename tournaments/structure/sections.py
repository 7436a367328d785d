"""Parts in which a large bracket is looked at. Pure.

A bracket of more than 32 is shown in *sections* of 16 pairings of their first round each, and five
rounds deep. The winners of a tier of sections meet in the next tier, of fewer; the last one has one
section, for the last rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

SECTION: Final = 16
"""Pairings of its first round in a section."""
DEPTH: Final = SECTION.bit_length()
"""Rounds in a section."""
FEW: Final = 40
"""Up to so many sections are all listed."""
NEAR: Final = 3
FAR: Final = 50

Pairing = TypeVar("Pairing")


class Section(NamedTuple, Generic[Pairing]):
    """The pairings of a section by round, and the number of its first round."""

    first_round: int
    rounds: tuple[tuple[Pairing, ...], ...]


def sections_of(first_pairings: int) -> int:
    """In how many sections a bracket is shown; the last one has the last rounds."""
    return sum(_tiers(first_pairings))


def _tiers(first_pairings: int) -> Iterator[int]:
    """How many sections there are in each tier."""
    while first_pairings > SECTION:
        yield first_pairings // SECTION
        first_pairings >>= DEPTH
    yield 1


def section_of(rounds: Sequence[Sequence[Pairing]], number: int) -> Section[Pairing]:
    """Section 1 … `sections_of` of all rounds' pairings; others are taken for the nearest."""
    tiers = list(_tiers(len(rounds[0])))
    at = min(max(number, 1), sum(tiers)) - 1
    tier = 0
    while at >= tiers[tier]:
        at -= tiers[tier]
        tier += 1
    before = tier * DEPTH
    if tier == len(tiers) - 1:
        return Section(before + 1, tuple(map(tuple, rounds[before:])))
    part = []
    for deep, pairings in enumerate(rounds[before : before + DEPTH]):
        size = SECTION >> deep
        part.append(tuple(pairings[at * size : (at + 1) * size]))
    return Section(before + 1, tuple(part))


def listed_sections(section: int, sections: int) -> tuple[int, ...]:
    """The sections to which links are shown beside one of them: all, or the near and some far."""
    every = range(1, sections + 1)
    if sections <= FEW:
        return tuple(every)
    near = range(section - NEAR, section + NEAR + 1)
    return tuple(n for n in every if n in near or n in (1, sections) or n % FAR == 0)
