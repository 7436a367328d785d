"""Awards: which entrant gets which prize, ties included, and why, in words.

Tied entrants have the prizes of the ranks they take up added and shared; what does not divide goes
a unit each to the lower keys. One prize for several who were knocked out level goes to the one who
lost by the smaller margin, and is shared by those whose margins are equal too (rule 7). Without
margins it is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import assert_never

import msgspec

from ledger.money import split
from tournaments.structure.checks import MAX_AMOUNT, all_different, how_many, whole
from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.prizes import PrizeStructure, PrizeTable, prize_table


class Basis(StrEnum):
    """What an award rests on."""

    OWN_RANK = "own_rank"
    TIE_SHARED = "tie_shared"
    """The prizes of the tied ranks were added and shared equally."""
    SMALLER_MARGIN = "smaller_margin"
    """Level with others for one prize, and lost by less than they did."""
    SMALLER_MARGIN_SHARED = "smaller_margin_shared"
    """As before, and shared with those who lost by as little."""
    LARGER_MARGIN = "larger_margin"
    """Level with others for one prize, and lost by more than somebody."""
    NO_PRIZE = "no_prize"


class Award(msgspec.Struct, frozen=True, kw_only=True):
    """What one entrant gets.

    `rank` to `last_rank` are the ranks his tied group takes up, `group_amount` their prizes
    together, `sharers` how many share that. `has_spare_unit` marks a unit that did not divide.
    """

    entrant: int
    rank: int
    last_rank: int
    amount: int
    basis: Basis
    group_amount: int
    sharers: int
    has_spare_unit: bool = False


class Distribution(msgspec.Struct, frozen=True):
    """The prize table and everybody's award; awards and `table.to_house` sum to the pool."""

    table: PrizeTable
    awards: tuple[Award, ...]

    @property
    def paid(self) -> int:
        """Everything the entrants get."""
        return sum(award.amount for award in self.awards)

    def amount_of(self, entrant: int) -> int:
        """What one entrant gets, 0 if he is not among the awards."""
        return next((award.amount for award in self.awards if award.entrant == entrant), 0)


def distribute(
    structure: PrizeStructure,
    *,
    pool: int,
    entries: int,
    ranking: Sequence[Sequence[int]],
    margins: Mapping[int, int] | None = None,
    shrink: bool = False,
) -> Distribution:
    """Divide `pool` among the entrants of `ranking`, best first, tied ones together.

    `margins` has by how much each knocked-out entrant lost, for the smaller-margin rule; a group of
    which only some have a margin is refused. The order inside a tied group does not matter. Fixed
    amounts that the pool cannot pay `shrink` in proportion, or are refused.

    Raises `StructureError`: an entrant twice, an empty group, more entrants than entries, fewer
    than there are prizes, `MARGINS_MISSING`, and what `prize_table` raises.
    """
    table = prize_table(structure, pool, entries, shrink=shrink)
    ranked = all_different(chain.from_iterable(ranking), "ranking")
    how_many(len(ranked), "ranking", 1, entries)
    if len(ranked) < len(table.prizes) or not all(ranking):
        raise StructureError(
            StructureCode.RANKS_MISSING,
            f"Name somebody for every rank that has a prize, 1 to {len(table.prizes)}.",
            field="ranking",
        )
    awards: list[Award] = []
    for group in ranking:
        awards += _award_group(table, len(awards) + 1, sorted(group), margins or {})
    return Distribution(table, tuple(awards))


def explain(award: Award, write: Callable[[int], str] = str) -> str:
    """The award's grounds in a sentence; `write` puts amounts into the reader's form."""
    ranks = f"ranks {award.rank} to {award.last_rank}"
    prize, together = write(award.amount), write(award.group_amount)
    match award.basis:
        case Basis.OWN_RANK:
            return f"Rank {award.rank}: {prize}."
        case Basis.TIE_SHARED:
            grounds = (
                f"Tied on {ranks}: their prizes, {together} together, are shared by "
                f"{award.sharers}: {prize}."
            )
            return _with_spare_unit(grounds) if award.has_spare_unit else grounds
        case Basis.SMALLER_MARGIN:
            return f"Level on {ranks} for one prize, and lost by the smallest margin: {prize}."
        case Basis.SMALLER_MARGIN_SHARED:
            grounds = (
                f"Level on {ranks} for one prize of {together}, shared by the {award.sharers} "
                f"who lost by the smallest margin: {prize}."
            )
            return _with_spare_unit(grounds) if award.has_spare_unit else grounds
        case Basis.LARGER_MARGIN:
            return f"Level on {ranks} for one prize of {together}, which a smaller margin won."
        case Basis.NO_PRIZE:
            return f"Rank {award.rank} has no prize."
        case _:
            assert_never(award.basis)


def _with_spare_unit(grounds: str) -> str:
    return f"{grounds} One unit that did not divide is included."


def _award_group(
    table: PrizeTable, rank: int, group: Sequence[int], margins: Mapping[int, int]
) -> list[Award]:
    """The awards of entrants tied from `rank` on; `group` is in the order of their keys."""
    last_rank = rank + len(group) - 1
    prizes = [table.amount_of(place) for place in range(rank, last_rank + 1)]
    together = sum(prizes)
    one_prize = len(group) > 1 and together == prizes[0] > 0
    takers, basis = _takers(group, margins if one_prize else {})
    if not together:
        basis = Basis.NO_PRIZE
    amounts = dict(zip(takers, split(together, [1] * len(takers)), strict=True))
    return [
        Award(
            entrant=entrant,
            rank=rank,
            last_rank=last_rank,
            amount=amounts.get(entrant, 0),
            basis=basis if entrant in amounts else Basis.LARGER_MARGIN,
            group_amount=together,
            sharers=len(takers),
            has_spare_unit=amounts.get(entrant, 0) > together // len(takers),
        )
        for entrant in group
    ]


def _takers(group: Sequence[int], margins: Mapping[int, int]) -> tuple[list[int], Basis]:
    """Who of the group is paid, and on what ground: all, or those of the smallest margin."""
    if len(group) == 1:
        return list(group), Basis.OWN_RANK
    if not _has_margins(group, margins):
        return list(group), Basis.TIE_SHARED
    smallest = min(margins[entrant] for entrant in group)
    takers = [entrant for entrant in group if margins[entrant] == smallest]
    if len(takers) == len(group):
        return takers, Basis.TIE_SHARED
    return takers, Basis.SMALLER_MARGIN if len(takers) == 1 else Basis.SMALLER_MARGIN_SHARED


def _has_margins(group: Sequence[int], margins: Mapping[int, int]) -> bool:
    """Whether the group can be told apart by margins: all of it, or none."""
    known = [entrant for entrant in group if entrant in margins]
    for entrant in known:
        whole(margins[entrant], "margins", 0, MAX_AMOUNT)
    if known and len(known) < len(group):
        raise StructureError(
            StructureCode.MARGINS_MISSING,
            "Give the margins of all who are level, or of none of them.",
            field="margins",
        )
    return bool(known)
