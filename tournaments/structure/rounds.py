"""Rounds of a multi-table knock-out: how many go on, until one table, the final, is left.

*Advance* says who goes on from a round: the best few of each table, or the best share over all
tables. The *cut* is where a ranking is divided into those who go on and those who are out; equal on
the place that decides means a tie-break deal among the tied (rule 7).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final, assert_never

import msgspec

from tournaments.structure.checks import MAX_ENTRANTS, all_different, whole
from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.seating import MAX_SEATS, table_sizes

MIN_KNOCKOUT_SEATS: Final = 3
MAX_PERCENT: Final = 90


class BestOfTable(msgspec.Struct, frozen=True, tag="best_of_table"):
    """The best `places` of each table go on, but at least one of every table goes out.

    A table no larger than `places` sends all but its last: with 3, seven entrants at 4 and 3
    give 3 + 2. Raises `StructureError(OUT_OF_RANGE)` unless 1 to 5.
    """

    places: int = 1

    def __post_init__(self) -> None:
        whole(self.places, "places", 1, MAX_SEATS - 1)


class BestOverall(msgspec.Struct, frozen=True, tag="best_overall"):
    """The best `percent` of a round's entrants go on, rounded down, but at least two.

    Raises `StructureError(OUT_OF_RANGE)` unless 1 to 90.
    """

    percent: int

    def __post_init__(self) -> None:
        whole(self.percent, "percent", 1, MAX_PERCENT)


Advance = BestOfTable | BestOverall


class RoundPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One round: its number from 1, its tables' sizes, and how many go on to the next.

    `through` has one number for each table, or a single one where the best over all go on; it
    is empty for the final, which is the last round.
    """

    number: int
    sizes: tuple[int, ...]
    through: tuple[int, ...]

    @property
    def entrants(self) -> int:
        """Players in this round."""
        return sum(self.sizes)

    @property
    def is_final(self) -> bool:
        """Whether it is the last round, a single table."""
        return len(self.sizes) == 1


class Cut(msgspec.Struct, frozen=True):
    """A ranking divided: surely through, tied on the place that decides, and out.

    `tied` is empty where the ranking decides; else its entrants play for `places_left`.
    """

    through: tuple[int, ...]
    tied: tuple[int, ...]
    places_left: int
    out: tuple[int, ...]

    @property
    def is_decided(self) -> bool:
        """Whether no tie-break deal is needed."""
        return not self.tied


def plan_rounds(
    entrants: int, seats: int = MAX_SEATS, advance: Advance | None = None
) -> tuple[RoundPlan, ...]:
    """Every round up to the final, if all tables are played out: 36 → 6 tables → 6 → final.

    `advance` is the best of each table unless given. Every round is smaller than the one before.
    Raises `StructureError`: entrants below 2, seats not 3 to 6, or as many going on from a table
    as it has seats (`BAD_ADVANCE`).
    """
    whole(entrants, "entrants", 2, MAX_ENTRANTS)
    whole(seats, "seats", MIN_KNOCKOUT_SEATS, MAX_SEATS)
    advance = advance or BestOfTable()
    if isinstance(advance, BestOfTable) and advance.places >= seats:
        raise StructureError(
            StructureCode.BAD_ADVANCE,
            f"From tables of {seats} at most {seats - 1} can go on, not {advance.places}.",
            field="advance",
        )
    plans: list[RoundPlan] = []
    while not plans or not plans[-1].is_final:
        sizes = table_sizes(sum(plans[-1].through) if plans else entrants, seats)
        through = places_through(sizes, advance)
        plans.append(RoundPlan(number=len(plans) + 1, sizes=sizes, through=through))
    return tuple(plans)


def places_through(sizes: Sequence[int], advance: Advance) -> tuple[int, ...]:
    """How many go on from tables of these sizes; nobody from the final, a single table."""
    if len(sizes) == 1:
        return ()
    match advance:
        case BestOfTable(places=places):
            return tuple(min(places, size - 1) for size in sizes)
        case BestOverall(percent=percent):
            return (max(2, sum(sizes) * percent // 100),)
        case _:
            assert_never(advance)


def cut(ranking: Sequence[Sequence[int]], places: int) -> Cut:
    """Divide a ranking (tied entrants together, best first) after `places` entrants.

    Raises `StructureError`: an entrant twice, or fewer entrants than places.
    """
    ranked = all_different(chain.from_iterable(ranking), "ranking")
    whole(places, "places", 1, len(ranked))
    through: list[int] = []
    for at, group in enumerate(ranking):
        left = places - len(through)
        if len(group) > left > 0:
            out = tuple(chain.from_iterable(ranking[at + 1 :]))
            return Cut(tuple(through), tuple(group), left, out)
        if not left:
            break
        through.extend(group)
    return Cut(tuple(through), (), 0, ranked[places:])
