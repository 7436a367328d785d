"""Re-buys in timed levels, and who is in the next level: dealt in, free to buy, or out (rule 7.6).

A *re-buy* is chips for a fee. It is for who has fewer chips than the level's minimum, and has to
reach it; how often, and until which level, the organiser says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from tournaments.structure.checks import whole
from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.levels import (
    MAX_LEVELS,
    Level,
    LevelSchedule,
    balance_after_rebuy,
    may_be_dealt_in,
)

MAX_CHIPS: Final = 10**12
"""Most chips that a player starts with or buys at once."""
MAX_REBUYS: Final = 100


class Rebuy(msgspec.Struct, frozen=True, kw_only=True):
    """What a re-buy costs and gives; raises `StructureError`.

    `house_fee` is the organiser's part of `fee`, in the tournament's asset. A player may buy `most`
    times in all, and none for a level after `until_level`.
    """

    chips: int
    fee: int
    house_fee: int = 0
    most: int = 1
    until_level: int = 1
    seconds: int = 30
    """Time to buy between two levels."""
    answer_seconds: int = 20
    """Time to answer at a table."""

    def __post_init__(self) -> None:
        whole(self.chips, "rebuy.chips", 1, MAX_CHIPS)
        whole(self.fee, "rebuy.fee", 0, MAX_CHIPS)
        whole(self.house_fee, "rebuy.house_fee", 0, self.fee)
        whole(self.most, "rebuy.most", 1, MAX_REBUYS)
        whole(self.until_level, "rebuy.until_level", 1, MAX_LEVELS)
        whole(self.seconds, "rebuy.seconds", 0, 3600)
        whole(self.answer_seconds, "rebuy.answer_seconds", 1, 600)


class Holding(msgspec.Struct, frozen=True):
    """What a player has between two levels: his chips, and the re-buys he has made."""

    chips: int
    rebuys: int = 0


class Field(msgspec.Struct, frozen=True):
    """Who is in a level about to begin: dealt in, below its minimum but free to buy, and out."""

    dealt_in: tuple[int, ...]
    may_rebuy: tuple[int, ...]
    out: tuple[int, ...]


class LevelTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The levels, the chips everybody starts with, and re-buys if there are any.

    Raises `StructureError`: nobody could be dealt in, or re-buys until a level there is none of.
    """

    schedule: LevelSchedule
    starting_chips: int
    rebuy: Rebuy | None = None

    def __post_init__(self) -> None:
        minimum = self.schedule.levels[0].minimum_chips
        whole(self.starting_chips, "starting_chips", minimum, MAX_CHIPS)
        if self.rebuy is not None:
            whole(self.rebuy.until_level, "rebuy.until_level", 1, len(self.schedule.levels))

    def level(self, number: int) -> Level:
        """Level `number`, from 1."""
        return self.schedule.levels[whole(number, "number", 1, len(self.schedule.levels)) - 1]

    def rebuys_left(self, number: int, made: int) -> int:
        """How often somebody who has bought `made` times may still buy for this level."""
        if self.rebuy is None or number > self.rebuy.until_level:
            return 0
        return max(0, self.rebuy.most - made)

    def rebought(self, number: int, holding: Holding) -> int:
        """The chips after a re-buy for level `number`.

        Raises `StructureError`: `REBUY_CLOSED` where there is none (any more), `REBUYS_USED`,
        `REBUY_NOT_NEEDED` for who can be dealt in as it is, or `REBUY_TOO_SMALL`.
        """
        level, rebuy = self.level(number), self.rebuy
        if rebuy is None or number > rebuy.until_level:
            raise StructureError(
                StructureCode.REBUY_CLOSED, f"There is no re-buy for level {number}.", field="level"
            )
        if holding.rebuys >= rebuy.most:
            raise StructureError(
                StructureCode.REBUYS_USED,
                f"All {rebuy.most} re-buys of a player are used; nobody can buy more.",
                field="player",
            )
        if may_be_dealt_in(level, holding.chips):
            raise StructureError(
                StructureCode.REBUY_NOT_NEEDED,
                f"{holding.chips:,} chips are enough for level {number}, which needs "
                f"{level.minimum_chips:,}; a re-buy is for who has fewer.",
                field="player",
            )
        return balance_after_rebuy(level, holding.chips, rebuy.chips)

    def field(self, number: int, holdings: Mapping[int, Holding]) -> Field:
        """Sort the players out before level `number`, each group in the order given."""
        dealt_in: list[int] = []
        may_rebuy: list[int] = []
        out: list[int] = []
        for player, holding in holdings.items():
            if may_be_dealt_in(self.level(number), holding.chips):
                dealt_in.append(player)
            elif self._may_rebuy(number, holding):
                may_rebuy.append(player)
            else:
                out.append(player)
        return Field(tuple(dealt_in), tuple(may_rebuy), tuple(out))

    def _may_rebuy(self, number: int, holding: Holding) -> bool:
        try:
            self.rebought(number, holding)
        except StructureError:
            return False
        return True
