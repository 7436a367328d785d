"""Timed levels: the value of a point rises with the time, and chips are carried from deal to deal.

A *level* has a point value, the chips one must have to be dealt in, and a length in minutes. Times
are whole seconds of play, pauses not counted. A deal keeps the level it was dealt in, and one in
progress is finished whatever the time (rule 7.6). Each level is a round of its own: its time begins
when its tables are opened.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

import msgspec

from tournaments.structure.checks import MAX_AMOUNT, how_many, whole
from tournaments.structure.errors import StructureCode, StructureError

NO_DEAL_SECONDS: Final = 30
"""In the last so many seconds of a level no deal is begun."""
FULL_HAND_POINTS: Final = 80
"""Points that every player must be able to pay in a deal."""
MAX_LEVELS: Final = 100
MAX_POINT_VALUE: Final = 1_000_000_000
MAX_SECONDS: Final = 10 * 366 * 24 * 3600

Pauses = Iterable[tuple[datetime, datetime | None]]
"""From when till when; None for a pause that goes on."""


class Level(msgspec.Struct, frozen=True):
    """One level; raises `StructureError` where the minimum does not cover a hand of 80 points."""

    point_value: int
    minimum_chips: int
    minutes: int

    def __post_init__(self) -> None:
        whole(self.point_value, "point_value", 1, MAX_POINT_VALUE)
        whole(self.minutes, "minutes", 1, 24 * 60)
        whole(self.minimum_chips, "minimum_chips", FULL_HAND_POINTS * self.point_value, MAX_AMOUNT)

    @property
    def seconds(self) -> int:
        """Its length."""
        return 60 * self.minutes


class Moment(msgspec.Struct, frozen=True):
    """Where a tournament is: the level's number from 1, the level, its seconds left."""

    number: int
    level: Level
    seconds_left: int

    @property
    def may_deal(self) -> bool:
        """Whether a new deal may begin: not in the last 30 seconds of the level."""
        return self.seconds_left > NO_DEAL_SECONDS


class LevelSchedule(msgspec.Struct, frozen=True):
    """Levels in order; point values rise, minimum chips never fall. Raises `StructureError`."""

    levels: tuple[Level, ...]

    def __post_init__(self) -> None:
        how_many(len(self.levels), "levels", 1, MAX_LEVELS)
        for earlier, later in pairwise(self.levels):
            if (
                later.point_value <= earlier.point_value
                or later.minimum_chips < earlier.minimum_chips
            ):
                raise StructureError(
                    StructureCode.BAD_LEVELS,
                    "Each level needs a higher point value than the one before, and no lower "
                    "minimum of chips.",
                    field="levels",
                )

    @property
    def seconds(self) -> int:
        """Length of all levels."""
        return sum(level.seconds for level in self.levels)

    def moment_at(self, elapsed_seconds: int) -> Moment | None:
        """The level after so many seconds of play, None after the last has ended.

        A level begins at its first second: 10 minutes into levels of 10 minutes the second runs.
        """
        left = whole(elapsed_seconds, "elapsed_seconds", 0, MAX_SECONDS)
        for number, level in enumerate(self.levels, 1):
            if left < level.seconds:
                return Moment(number, level, level.seconds - left)
            left -= level.seconds
        return None

    def moment_in(self, number: int, seconds: int) -> Moment:
        """Level `number` after so many seconds of play in it; none are left when it is over."""
        level = self.levels[whole(number, "number", 1, len(self.levels)) - 1]
        played = whole(seconds, "seconds", 0, MAX_SECONDS)
        return Moment(number, level, max(0, level.seconds - played))

    def may_deal(self, elapsed_seconds: int) -> bool:
        """Whether a new deal may begin now; never after the last level."""
        moment = self.moment_at(elapsed_seconds)
        return moment is not None and moment.may_deal


def seconds_of_play(began: datetime, now: datetime, pauses: Pauses) -> int:
    """Whole seconds from `began` to `now`, those of the pauses not counted; never below 0."""
    played = max(now - began, timedelta(0))
    for paused, resumed in pauses:
        stood = min(resumed or now, now) - max(paused, began)
        played -= max(stood, timedelta(0))
    return max(played, timedelta(0)) // timedelta(seconds=1)


def may_be_dealt_in(level: Level, chips: int) -> bool:
    """Whether a player with these chips has the level's minimum."""
    return whole(chips, "chips", 0, MAX_AMOUNT) >= level.minimum_chips


def balance_after_rebuy(level: Level, chips: int, bought: int) -> int:
    """The chips after buying more, allowed only if they reach the level's minimum.

    200 chips and a minimum of 800: 650 more are allowed, 400 are not. Raises `StructureError`:
    `REBUY_TOO_SMALL`, which says how many are needed, or amounts out of range.
    """
    balance = whole(chips, "chips", 0, MAX_AMOUNT) + whole(bought, "bought", 1, MAX_AMOUNT)
    whole(balance, "bought", 0, MAX_AMOUNT)
    if balance < level.minimum_chips:
        raise StructureError(
            StructureCode.REBUY_TOO_SMALL,
            f"With {chips:,} chips buy at least {level.minimum_chips - chips:,}: this level "
            f"needs {level.minimum_chips:,}.",
            field="bought",
        )
    return balance
