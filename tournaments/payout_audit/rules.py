"""Which rule produced each unit of a prize: a share, a tie, a remainder, a margin, a split.

The rules are applied again to the pool that the transfers show and to the ranks that are stored.
The parts of a prize add up to exactly what the rules give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from django.utils.translation import gettext as _

from tournaments import play
from tournaments.amounts import in_unit
from tournaments.models import Tournament
from tournaments.services.awarding import Awarded, Gets, award
from tournaments.structure.awards import Award, Basis
from tournaments.structure.errors import StructureError
from tournaments.structure.prizes import (
    ByEntries,
    FixedAmounts,
    Percentages,
    PrizeStructure,
    PrizeTable,
)
from tournaments.structure.standings import Standing


class Rule(StrEnum):
    """What a part of a prize rests on."""

    SHARE = "share"
    REMAINDER = "remainder"
    TIE = "tie"
    SMALLER_MARGIN = "smaller_margin"
    SPLIT = "split"
    TICKET = "ticket"


class Part(NamedTuple):
    """A part of a prize in the smallest unit, its rule, and the rule in words."""

    rule: Rule
    words: str
    amount: int


class Computed(NamedTuple):
    """What the rules give by entry (id), tickets included in the parts and not in `amounts`."""

    amounts: dict[int, int]
    tickets: dict[int, int]
    parts: dict[int, tuple[Part, ...]]
    to_house: int


def ranked(rows: Sequence[tuple[int, int]]) -> list[Standing]:
    """Standings of stored ranks: pairs of entry and rank."""
    ordered = sorted(rows, key=lambda row: (row[1], row[0]))
    return [Standing(rank, entry, False, "") for entry, rank in ordered]


def computed(
    tournament: Tournament, lines: Sequence[Standing], *, received: int
) -> Computed | None:
    """The prizes by the rules; None where the rules cannot be applied to what is there."""
    if not lines:
        return None
    try:
        awarded = award(tournament, lines, received=received)
    except StructureError:
        return None
    structure = play.terms_of(tournament).prizes
    return Computed(
        amounts={entry: gets.amount for entry, gets in awarded.gets.items()},
        tickets={e: gets.ticket.value for e, gets in awarded.gets.items() if gets.ticket},
        parts={
            entry: tuple(_parts(gets, awarded, structure, tournament.asset, len(lines)))
            for entry, gets in awarded.gets.items()
            if gets.amount or gets.ticket
        },
        to_house=awarded.to_house,
    )


def _parts(
    gets: Gets, awarded: Awarded, structure: PrizeStructure, asset: str, entries: int
) -> Iterator[Part]:
    if gets.split is not None:
        weight, total = gets.split
        words = _("The pool was split: %(parts)d parts of %(all)d") % {
            "parts": weight,
            "all": total,
        }
        yield from _divided(Rule.SPLIT, words, gets.amount, awarded.pool * weight // total)
    elif gets.award is not None and gets.award.amount and awarded.table is not None:
        yield from _awarded(gets.award, awarded.table, structure, asset, entries)
    if gets.in_money:
        yield Part(Rule.TICKET, _("Tickets of tied ranks, in money"), gets.in_money)
    if gets.ticket is not None:
        yield Part(Rule.TICKET, _("A ticket for another tournament"), gets.ticket.value)


def _awarded(
    got: Award, table: PrizeTable, structure: PrizeStructure, asset: str, entries: int
) -> Iterator[Part]:
    together, ranks = in_unit(got.group_amount, asset), _ranks(got)
    match got.basis:
        case Basis.OWN_RANK:
            prize = table.prizes[got.rank - 1]
            words = _share_words(structure, got.rank, entries)
            floor = got.amount - prize.is_rounded_up
            yield from _divided(Rule.SHARE, words, got.amount, floor)
        case Basis.TIE_SHARED:
            words = _("Ranks %(ranks)s, %(together)s together, shared by %(sharers)d") % {
                "ranks": ranks,
                "together": together,
                "sharers": got.sharers,
            }
            yield from _divided(Rule.TIE, words, got.amount, got.group_amount // got.sharers)
        case Basis.SMALLER_MARGIN | Basis.SMALLER_MARGIN_SHARED:
            words = _("Level on ranks %(ranks)s, lost by the smallest margin") % {"ranks": ranks}
            floor = got.group_amount // got.sharers
            yield from _divided(Rule.SMALLER_MARGIN, words, got.amount, floor)


def _divided(rule: Rule, words: str, amount: int, floor: int) -> Iterator[Part]:
    """The part that divides, and the unit that did not."""
    if floor:
        yield Part(rule, words, floor)
    if amount > floor:
        yield Part(Rule.REMAINDER, _("A unit that did not divide"), amount - floor)


def _ranks(got: Award) -> str:
    return f"{got.rank}–{got.last_rank}"


def _share_words(structure: PrizeStructure, rank: int, entries: int) -> str:
    match structure:
        case Percentages(basis_points=shares):
            return _percent(rank, shares[rank - 1])
        case ByEntries():
            return _percent(rank, structure.row_for(entries).basis_points[rank - 1])
        case FixedAmounts():
            return _("Rank %(rank)d: its amount of the prize table") % {"rank": rank}
        case _:
            return _("The winner takes the pool")


def _percent(rank: int, points: int) -> str:
    return _("Rank %(rank)d: %(percent)s %% of the pool") % {
        "rank": rank,
        "percent": f"{points / 100:g}",
    }
