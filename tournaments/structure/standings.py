"""Standings: ranks from records by an ordered chain of tie-breaks, with reasons in words.

Ranks are competition ranks, 1 2 2 4: whoever is level on every tie-break shares the better rank,
and the ranks after it are skipped. Level entrants are listed by their key, so that the same
records always give the same list, in whatever order they come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

import msgspec

from tournaments.structure.checks import MAX_ENTRANTS, all_different, how_many
from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.tiebreaks import Record, TieBreak

FIRST: Final = "First."


class Standing(msgspec.Struct, frozen=True):
    """One line of the standings.

    `is_shared` says that others have the same rank. `reason` tells what put the entrant behind
    the rank above him, and what he shares.
    """

    rank: int
    entrant: int
    is_shared: bool
    reason: str


def standings(records: Iterable[Record], chain: Sequence[TieBreak]) -> tuple[Standing, ...]:
    """Rank the records, best first; no records give no standings.

    Raises `StructureError`: no tie-breaks, an entrant twice, more entrants than 100,000.
    """
    if not chain:
        raise StructureError(
            StructureCode.NO_TIE_BREAKS, "Name at least one tie-break.", field="chain"
        )
    by_key = sorted(records, key=lambda record: record.entrant)
    how_many(len(by_key), "records", 0, MAX_ENTRANTS)
    all_different((record.entrant for record in by_key), "records")

    def merits(record: Record) -> tuple[tuple[int, int], ...]:
        return tuple(tie_break.value(record) for tie_break in chain)

    # The sort is stable, so level entrants stay in the order of their keys.
    ordered = sorted(by_key, key=merits, reverse=True)
    lines: list[Standing] = []
    above: Record | None = None
    for _, level in groupby(ordered, key=merits):
        group = list(level)
        reason = _reason(above, group, chain)
        rank = len(lines) + 1
        lines += [Standing(rank, record.entrant, len(group) > 1, reason) for record in group]
        above = group[0]
    return tuple(lines)


def ranking(lines: Iterable[Standing]) -> tuple[tuple[int, ...], ...]:
    """The entrants of standings, best first, those of one rank together."""
    by_rank = groupby(lines, key=lambda line: line.rank)
    return tuple(tuple(line.entrant for line in level) for _, level in by_rank)


def _reason(above: Record | None, group: Sequence[Record], chain: Sequence[TieBreak]) -> str:
    behind = FIRST if above is None else _why_behind(above, group[0], chain)
    if len(group) == 1:
        return behind
    return f"{behind} Level with {len(group) - 1} more on everything that counts: shared."


def _why_behind(above: Record, below: Record, chain: Sequence[TieBreak]) -> str:
    decisive = next(rule for rule in chain if rule.value(above) != rule.value(below))
    return f"Decided by {decisive.label}: {decisive.words(below)} against {decisive.words(above)}."
