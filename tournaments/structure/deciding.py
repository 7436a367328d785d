"""Who goes on where the ranking decides, and how the tied are brought apart where it does not.

The *place that decides* is the last one that goes on. Entrants level on it play *tie-breaks* of one
deal each, in *stages*: those who are still level after a stage play the next. More of them than a
table seats sit at several tables, and these share the places by largest remainder; where there are
fewer places than tables the best of each meet again, and where fewer go out than there are tables
the last of each do. Stages are bounded: then a lot is drawn (rule 7). Drawing it, and who sits
where, is somebody else's work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Final

import msgspec

from ledger.money import split
from tournaments.structure.checks import MAX_ENTRANTS, whole
from tournaments.structure.rounds import Cut, cut
from tournaments.structure.seating import table_sizes
from tournaments.structure.tiebreaks import AnyTieBreak, Measure, PlaceAtTable, ScoreInRound

Ranking = Sequence[Sequence[int]]
"""Entrants from best to worst, level ones together."""

STAGES_AT_ONE_TABLE: Final = 3
"""After so many deals among so few the lot decides."""
MAX_STAGES: Final = 12
"""And it decides after so many stages in any case."""


class Division(msgspec.Struct, frozen=True):
    """Who goes on, who is level for `places_left` more places, and who is out."""

    on: tuple[int, ...]
    tied: tuple[int, ...]
    places_left: int
    out: tuple[int, ...]


class TieBreakTable(msgspec.Struct, frozen=True):
    """A table of a stage: its size, how many go on from it at once, how many go out at once.

    Where the two do not make up the table, the player between them meets those of other tables.
    """

    size: int
    on: int
    out: int


def by_place(places: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """A ranking of (entrant, place) pairs."""
    groups: dict[int, list[int]] = {}
    for entrant, place in places:
        groups.setdefault(place, []).append(entrant)
    return tuple(tuple(groups[place]) for place in sorted(groups))


def over_all_chain(
    measure: Measure, *, by_table_place: bool, rounds: int
) -> tuple[AnyTieBreak, ...]:
    """What ranks a round's entrants over all tables: place, score, then the rounds before.

    Chips are compared at once: who has more of them has done better, at whatever table.
    """
    whole(rounds, "rounds", 1, MAX_ENTRANTS)
    scores = tuple(ScoreInRound(measure, back) for back in range(rounds))
    return (PlaceAtTable(), *scores) if by_table_place else scores


def divide(ranking: Ranking, places: int, gone: Collection[int] = ()) -> Division:
    """Divide a ranking after `places` entrants; whoever has `gone` is out, and takes no place.

    Where no more are there than places, all of them go on. Raises `StructureError` as `cut`.
    """
    there, left = _those_there(ranking, gone)
    present = sum(map(len, there))
    if not present or not places:
        return Division((), (), 0, (*chain.from_iterable(there), *left))
    found: Cut = cut(there, min(places, present))
    return Division(found.through, found.tied, found.places_left, (*found.out, *left))


def _those_there(
    ranking: Ranking, gone: Collection[int]
) -> tuple[list[list[int]], tuple[int, ...]]:
    """The ranking of those who have not gone, and those who have."""
    there = [[entrant for entrant in group if entrant not in gone] for group in ranking]
    left = tuple(entrant for group in ranking for entrant in group if entrant in gone)
    return [group for group in there if group], left


def tie_break_tables(tied: int, places: int, seats: int) -> tuple[TieBreakTable, ...]:
    """The tables of a stage for `tied` entrants of whom `places` go on.

    Raises `StructureError` unless places are from 1 to one less than the tied, or as `table_sizes`.
    """
    whole(places, "places", 1, tied - 1)
    sizes = table_sizes(tied, seats)
    tables = len(sizes)
    if tables > 1 and places < tables:
        return tuple(TieBreakTable(size, 0, size - 1) for size in sizes)
    if tables > 1 and tied - places < tables:
        return tuple(TieBreakTable(size, size - 1, 0) for size in sizes)
    shares = split(places, list(sizes))
    return tuple(TieBreakTable(size, on, size - on) for size, on in zip(sizes, shares, strict=True))


def divide_stage(
    tables: Sequence[TieBreakTable],
    rankings: Sequence[Ranking],
    places: int,
    gone: Collection[int] = (),
) -> Division:
    """What a stage has decided of `places`; the rankings are those of its tables, in order.

    Whoever has `gone` is out, as if he had come last. Places that his table cannot fill by that go
    to the next best of the others. Where no more are level than places are left, they go on.
    """
    on: list[int] = []
    tied: list[int] = []
    behind: list[tuple[int, int]] = []
    away: list[int] = []
    for table, ranking in zip(tables, rankings, strict=True):
        there, left_it = _those_there(ranking, gone)
        above = 0
        for group in there:
            place, above = above + 1, above + len(group)
            if above <= table.on:
                on += group
            elif table.size - place + 1 <= table.out:
                behind += [(entrant, place) for entrant in group]
            else:
                tied += group
        away += left_it
    left = places - len(on)
    if left < len(tied):
        out = [entrant for entrant, _ in behind]
        return Division(tuple(on), tuple(tied), left, (*out, *away))
    found = divide(by_place(behind), left - len(tied))
    return Division((*on, *tied, *found.on), found.tied, found.places_left, (*found.out, *away))


def lot_is_due(tables_by_stage: Sequence[int]) -> bool:
    """Whether the tied have played enough; how many tables each stage so far had."""
    at_one_table = sum(tables == 1 for tables in tables_by_stage)
    return at_one_table >= STAGES_AT_ONE_TABLE or len(tables_by_stage) >= MAX_STAGES
