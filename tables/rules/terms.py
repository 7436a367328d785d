"""What one deal is played under: the profile, the format's drop points and the clocks.

A format makes the terms, the deal engine reads them, and they are stored with the deal, so that a
later change of a profile never changes a deal already dealt.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from tables.rules.errors import Code, RuleViolation
from tables.rules.profiles import RuleProfile


class Stake(StrEnum):
    """Kinds of stake; they differ in the extra time of a deal (rule 5.11)."""

    CASH = "cash"
    PROMOTIONAL = "promotional"
    PRACTICE = "practice"


EXTRA_SECONDS = {Stake.CASH: 120, Stake.PROMOTIONAL: 20, Stake.PRACTICE: 10}


class ClockTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Times in seconds: of a deal, and between two; the extra time is per player and deal."""

    turn_seconds: int = 30
    declare_seconds: int = 45
    extra_seconds: int = 10
    auto_move_seconds: int = 1
    """Pause before a move is made for a player on auto play."""
    next_deal_seconds: int = 8
    """From the end of a deal, or the last answer after it, to the next one."""

    def __post_init__(self) -> None:
        for field in self.__struct_fields__:
            value = getattr(self, field)
            if type(value) is not int or not 0 <= value <= 3600:
                raise RuleViolation(
                    Code.BAD_OPTION, f"{field} must be 0 to 3600 seconds.", field=field
                )


class DealTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a deal needs to know beside who sits where.

    Points: `first_drop` and `middle_drop` are None where the format knows no drop, and a player
    who leaves or misses three turns then counts his whole hand. `wrong_declaration` is ignored by
    profiles whose wrong declarers count their hand.
    """

    profile: RuleProfile
    first_drop: int | None = 20
    middle_drop: int | None = 40
    wrong_declaration: int = 80
    clock: ClockTerms = ClockTerms()

    def __post_init__(self) -> None:
        drops = (self.first_drop, self.middle_drop)
        if (self.first_drop is None) != (self.middle_drop is None):
            raise RuleViolation(
                Code.BAD_OPTION, "State both drops or neither.", field="middle_drop"
            )
        for field, points in zip(("first_drop", "middle_drop"), drops, strict=True):
            if points is not None and (type(points) is not int or not 0 <= points <= 200):
                raise RuleViolation(Code.BAD_OPTION, "A drop costs 0 to 200 points.", field=field)
        if not 0 <= self.wrong_declaration <= 200:
            raise RuleViolation(
                Code.BAD_OPTION,
                "A wrong declaration costs 0 to 200 points.",
                field="wrong_declaration",
            )

    @property
    def has_drop(self) -> bool:
        """Whether players may drop out of the deal."""
        return self.first_drop is not None
