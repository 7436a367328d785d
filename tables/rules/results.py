"""The result of one deal, however it was played: online, by bots, or on a real table by a scorer.

Formats consume results; they never look at cards.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from tables.rules.errors import Code, RuleViolation


class Outcome(StrEnum):
    """How a player came out of a deal."""

    WON = "won"
    LOST = "lost"
    """Counted the groups he declared or last arranged."""
    FIRST_DROP = "first_drop"
    MIDDLE_DROP = "middle_drop"
    WRONG_DECLARATION = "wrong_declaration"
    FULL_COUNT = "full_count"
    """Counted his whole hand: missed turns without a drop, a late declaration, auto play."""
    LEFT = "left"
    """Left for good where no drop exists; also misses the deals that remain."""


class SeatScore(msgspec.Struct, frozen=True):
    """One player's points of the deal (0 for the winner)."""

    seat: int
    points: int
    outcome: Outcome


class DealResult(msgspec.Struct, frozen=True):
    """One winner with 0 points and everybody else's score, in order of play.

    Raises `RuleViolation(BAD_RESULT)` when that is not so.
    """

    scores: tuple[SeatScore, ...]

    def __post_init__(self) -> None:
        seats = [score.seat for score in self.scores]
        winners = [score for score in self.scores if score.outcome is Outcome.WON]
        if len(seats) < 2 or len(set(seats)) != len(seats):
            raise RuleViolation(
                Code.BAD_RESULT, "A result needs two or more different seats.", field="scores"
            )
        if len(winners) != 1 or winners[0].points:
            raise RuleViolation(
                Code.BAD_RESULT, "A deal has one winner, who counts 0.", field="scores"
            )
        if any(type(s.points) is not int or not 0 <= s.points <= 200 for s in self.scores):
            raise RuleViolation(Code.BAD_RESULT, "Points are 0 to 200.", field="scores")

    @property
    def winner(self) -> int:
        """The seat that won."""
        return next(score.seat for score in self.scores if score.outcome is Outcome.WON)

    def points_of(self, seat: int) -> int:
        """Points of one seat; raises `RuleViolation(NOT_SEATED)`."""
        for score in self.scores:
            if score.seat == seat:
                return score.points
        raise RuleViolation(Code.NOT_SEATED, f"Seat {seat} did not play this deal.", field="seat")
