"""Prizes: the structure, the pool it divides, and what each rank gets of it.

A *structure* gives shares by rank: percentages, fixed amounts, percentages by the number of
entries, or all to the winner. The *prize pool* is what was received less the fee, topped up to a
guaranteed minimum; the top-up is the *overlay*. Amounts are whole numbers of the smallest unit and
percentages are basis points, hundredths of a percent. What the ranks get sums to exactly the pool
(rule 7). Who gets a rank's prize, ties included, is the work of `awards`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final, assert_never

import msgspec

from ledger.money import WHOLE, split
from tournaments.structure.checks import (
    MAX_AMOUNT,
    MAX_ENTRANTS,
    how_many,
    never_rising,
    whole,
)
from tournaments.structure.errors import StructureCode, StructureError

MAX_PRIZES: Final = 10_000
MAX_ROWS: Final = 100


class Surplus(StrEnum):
    """Where a pool goes that is larger than the fixed amounts that are won."""

    TO_PRIZES = "to_prizes"
    """Every prize grows in proportion, so the players get the whole pool."""
    TO_HOUSE = "to_house"
    """The amounts stay as they are and the house keeps the rest, to be shown as a fee."""


class Percentages(msgspec.Struct, frozen=True, tag="percentages"):
    """Basis points for rank 1, 2, …; never rising with the rank, and exactly 10,000 in all.

    Below the whole is refused like above it: what the house keeps is the fee and nothing else.
    With fewer entries than prizes the shares that are left make up the whole in their proportion.
    """

    basis_points: tuple[int, ...]

    def __post_init__(self) -> None:
        check_percentages(self.basis_points, "basis_points")


class FixedAmounts(msgspec.Struct, frozen=True, tag="fixed_amounts"):
    """Amounts for rank 1, 2, …; never rising with the rank.

    `is_guaranteed` tops up a pool that is too small for them; else such a pool is refused.
    """

    amounts: tuple[int, ...]
    is_guaranteed: bool = False
    surplus: Surplus = Surplus.TO_PRIZES

    def __post_init__(self) -> None:
        _check_prizes(self.amounts, "amounts", MAX_AMOUNT)
        whole(sum(self.amounts), "amounts", 1, MAX_AMOUNT)


class EntriesRow(msgspec.Struct, frozen=True):
    """The percentages for up to so many entries, None for any number."""

    up_to_entries: int | None
    basis_points: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.up_to_entries is not None:
            whole(self.up_to_entries, "up_to_entries", 1, MAX_ENTRANTS)
        check_percentages(self.basis_points, "basis_points")


class ByEntries(msgspec.Struct, frozen=True, tag="by_entries"):
    """Rows by rising number of entries; the last is for any number, so that one always fits."""

    rows: tuple[EntriesRow, ...]

    def __post_init__(self) -> None:
        how_many(len(self.rows), "rows", 1, MAX_ROWS)
        limits = [row.up_to_entries or MAX_ENTRANTS + 1 for row in self.rows]
        rising = all(earlier < later for earlier, later in pairwise(limits))
        if not rising or self.rows[-1].up_to_entries is not None:
            raise StructureError(
                StructureCode.BAD_ROWS,
                "Order the rows by rising entries and leave the last without a limit.",
                field="rows",
            )

    def row_for(self, entries: int) -> EntriesRow:
        """The first row that reaches this number of entries."""
        return next(
            row for row in self.rows if row.up_to_entries is None or entries <= row.up_to_entries
        )


class WinnerTakesAll(msgspec.Struct, frozen=True, tag="winner_takes_all"):
    """The whole pool for rank 1."""


PrizeStructure = Percentages | FixedAmounts | ByEntries | WinnerTakesAll


class PrizePool(msgspec.Struct, frozen=True, kw_only=True):
    """Where a pool comes from: received − fee + overlay = amount."""

    received: int
    fee: int
    overlay: int
    amount: int


class RankPrize(msgspec.Struct, frozen=True):
    """What one rank gets, and whether it got a unit by largest remainder."""

    rank: int
    amount: int
    is_rounded_up: bool


class PrizeTable(msgspec.Struct, frozen=True):
    """The prizes of a pool by rank, from rank 1, and what a fixed structure leaves to the house.

    The prizes and `to_house` sum to exactly the pool.
    """

    pool: int
    prizes: tuple[RankPrize, ...]
    to_house: int = 0

    def amount_of(self, rank: int) -> int:
        """The prize of a rank, 0 where there is none."""
        return self.prizes[rank - 1].amount if 1 <= rank <= len(self.prizes) else 0


def prize_pool(
    structure: PrizeStructure,
    *,
    entries: int,
    received: int,
    fee: int = 0,
    guarantee: int = 0,
    shrink: bool = False,
) -> PrizePool:
    """The pool of `received` (all fees, rejoins and re-buys) less `fee`, not below `guarantee`.

    A guaranteed fixed structure is a guarantee of its own. Raises `StructureError`: amounts out
    of range, `FEE_ABOVE_RECEIVED`, or `PRIZES_ABOVE_POOL` where the pool cannot pay fixed amounts,
    unless these `shrink` (see `prize_table`).
    """
    whole(entries, "entries", 1, MAX_ENTRANTS)
    whole(received, "received", 0, MAX_AMOUNT)
    whole(guarantee, "guarantee", 0, MAX_AMOUNT)
    if whole(fee, "fee", 0, MAX_AMOUNT) > received:
        raise StructureError(
            StructureCode.FEE_ABOVE_RECEIVED,
            "The fee cannot be more than what was received.",
            field="fee",
        )
    net = received - fee
    amount = max(net, guarantee)
    if isinstance(structure, FixedAmounts) and structure.is_guaranteed:
        amount = max(amount, sum(structure.amounts[:entries]))
    prize_table(structure, amount, entries, shrink=shrink)
    return PrizePool(received=received, fee=fee, overlay=amount - net, amount=amount)


def prize_table(
    structure: PrizeStructure, pool: int, entries: int, *, shrink: bool = False
) -> PrizeTable:
    """What each rank gets of `pool` with so many entries; no rank beyond the entries.

    The expected table is this with all seats taken, the actual one with the real entries. A better
    rank never gets less. Fixed amounts that a pool cannot pay are refused when a tournament is set
    up; when it is played with fewer entries than hoped for they `shrink` in proportion.
    Raises `StructureError`: input out of range, or `PRIZES_ABOVE_POOL`.
    """
    whole(pool, "pool", 0, MAX_AMOUNT)
    whole(entries, "entries", 1, MAX_ENTRANTS)
    match structure:
        case FixedAmounts():
            return _fixed_table(structure, pool, entries, shrink)
        case Percentages(basis_points=shares):
            return _shared_table(pool, shares[:entries])
        case ByEntries():
            return _shared_table(pool, structure.row_for(entries).basis_points[:entries])
        case WinnerTakesAll():
            return _shared_table(pool, (WHOLE,))
        case _:
            assert_never(structure)


def _shared_table(pool: int, weights: Sequence[int]) -> PrizeTable:
    amounts, together = split(pool, weights), sum(weights)
    rounded_down = [pool * weight // together for weight in weights]
    return PrizeTable(
        pool,
        tuple(
            RankPrize(rank, amount, amount > floor)
            for rank, (amount, floor) in enumerate(zip(amounts, rounded_down, strict=True), 1)
        ),
    )


def _fixed_table(structure: FixedAmounts, pool: int, entries: int, shrink: bool) -> PrizeTable:
    amounts = structure.amounts[:entries]
    needed = sum(amounts)
    if needed > pool and shrink:
        return _shared_table(pool, amounts)
    if needed > pool:
        raise StructureError(
            StructureCode.PRIZES_ABOVE_POOL,
            f"The prizes need {needed:,}, the pool holds {pool:,}; lower or guarantee them.",
            field="amounts",
        )
    if structure.surplus is Surplus.TO_PRIZES:
        return _shared_table(pool, amounts)
    prizes = tuple(RankPrize(rank, amount, False) for rank, amount in enumerate(amounts, 1))
    return PrizeTable(pool, prizes, to_house=pool - needed)


def check_percentages(basis_points: Sequence[int], field: str) -> None:
    """Raise `StructureError` unless the basis points never rise and are exactly the whole."""
    _check_prizes(basis_points, field, WHOLE)
    total = sum(basis_points)
    if total > WHOLE:
        raise StructureError(
            StructureCode.PERCENTAGES_ABOVE_WHOLE,
            f"The percentages add up to {total / 100:g} %, which is above 100 %.",
            field=field,
        )
    if total < WHOLE:
        raise StructureError(
            StructureCode.PERCENTAGES_BELOW_WHOLE,
            f"The percentages add up to {total / 100:g} %; give away all 100 % of the pool, "
            "and take what the house keeps as the fee.",
            field=field,
        )


def _check_prizes(prizes: Sequence[int], field: str, most: int) -> None:
    how_many(len(prizes), field, 1, MAX_PRIZES)
    for prize in prizes:
        whole(prize, field, 1, most)
    if not never_rising(prizes):
        raise StructureError(
            StructureCode.PRIZES_RISE,
            "A better rank cannot have the smaller prize; order the prizes from rank 1 down.",
            field=field,
        )
