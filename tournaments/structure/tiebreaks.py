"""Tie-breaks: small rules, applied in order, that say which of two entrants ranks higher.

A *record* is how far an entrant came and what he scored in each round; for a single table its deals
are the rounds. Each tie-break draws one value out of a record, and the larger value is the better.
The *deciding round* is the one in which the entrant went out, or is in now; *back* counts rounds
before it. A value that is missing, as after a bye, is behind every value that is there.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

import msgspec

from tournaments.structure.checks import MAX_AMOUNT, MAX_ENTRANTS, whole
from tournaments.structure.errors import StructureCode, StructureError

MAX_ROUNDS: Final = 1_000

Value = tuple[int, int]
"""(1, number) for a value that is there, (0, 0) for a missing one; the larger is the better."""

MISSING: Final[Value] = (0, 0)


class Measure(StrEnum):
    """What a round's score counts, and so which score is the better."""

    MOST_CHIPS = "most_chips"
    FEWEST_POINTS = "fewest_points"


class Unit(StrEnum):
    """What the rounds of a tournament are called."""

    ROUND = "round"
    LEVEL = "level"


class RoundScore(msgspec.Struct, frozen=True):
    """What an entrant did in one round.

    `score` is chips or points. `place` is his place at his table, 1 the best. `margin` is by how
    much he lost, None where he did not lose or nobody counts it.
    """

    score: int
    place: int | None = None
    margin: int | None = None

    def __post_init__(self) -> None:
        whole(self.score, "score", 0, MAX_AMOUNT)
        if self.place is not None:
            whole(self.place, "place", 1, MAX_ENTRANTS)
        if self.margin is not None:
            whole(self.margin, "margin", 0, MAX_AMOUNT)


class Record(msgspec.Struct, frozen=True):
    """One entrant's way: the round he went out in, or is in, and his rounds in order.

    Rounds count from 1; None stands for a round he did not play (a bye). `has_won` marks the one
    winner of the last round, `has_left` who withdrew or was disqualified, `has_won_third` who won
    (or lost) the match for third place.

    Raises `StructureError` (`OUT_OF_RANGE`, `BAD_RECORD`).
    """

    entrant: int
    reached: int
    rounds: tuple[RoundScore | None, ...] = ()
    has_won: bool = False
    has_left: bool = False
    has_won_third: bool | None = None

    def __post_init__(self) -> None:
        whole(self.reached, "reached", 0, MAX_ROUNDS)
        if len(self.rounds) > self.reached:
            raise StructureError(
                StructureCode.BAD_RECORD,
                f"Entrant {self.entrant} has scores of rounds after the one he reached.",
                field="rounds",
            )

    def round_back(self, back: int) -> RoundScore | None:
        """The round `back` before the deciding one, None where there is nothing of it."""
        number = self.reached - back
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None


class TieBreak(Protocol):
    """One rule of a chain."""

    @property
    def label(self) -> str:
        """What it compares, in words that fit into "… decided"."""

    def value(self, record: Record) -> Value:
        """What counts for this entrant; the larger the better."""

    def words(self, record: Record) -> str:
        """The value as people read it."""


class ReachedRound(msgspec.Struct, frozen=True, tag="reached_round"):
    """Who came further ranks higher."""

    unit: Unit = Unit.ROUND

    @property
    def label(self) -> str:
        """What is compared."""
        return f"the {self.unit} reached"

    def value(self, record: Record) -> Value:
        """The number of the round, one more for the winner of the last."""
        return 1, record.reached + record.has_won

    def words(self, record: Record) -> str:
        """Such as `round 3`, or `won round 3`."""
        return f"{'won ' if record.has_won else ''}{self.unit} {record.reached}"


class StayedIn(msgspec.Struct, frozen=True, tag="stayed_in"):
    """Who withdrew or was disqualified ranks behind all who went out in the same round."""

    @property
    def label(self) -> str:
        """What is compared."""
        return "who played on"

    def value(self, record: Record) -> Value:
        """0 for who left."""
        return 1, 0 if record.has_left else 1

    def words(self, record: Record) -> str:
        """Which of the two."""
        return "left the tournament" if record.has_left else "played on"


class ScoreInRound(msgspec.Struct, frozen=True, tag="score_in_round"):
    """The better score in the deciding round, or `back` rounds before it, ranks higher."""

    measure: Measure
    back: int = 0
    unit: Unit = Unit.ROUND

    def __post_init__(self) -> None:
        whole(self.back, "back", 0, MAX_ROUNDS)

    @property
    def label(self) -> str:
        """What is compared."""
        counted = "chips" if self.measure is Measure.MOST_CHIPS else "points"
        return f"{counted} in {_round_words(self.back, self.unit)}"

    def value(self, record: Record) -> Value:
        """The score, turned round where fewer is better."""
        played = record.round_back(self.back)
        if played is None:
            return MISSING
        return 1, played.score if self.measure is Measure.MOST_CHIPS else -played.score

    def words(self, record: Record) -> str:
        """The score itself."""
        played = record.round_back(self.back)
        return "not played" if played is None else str(played.score)


class PlaceAtTable(msgspec.Struct, frozen=True, tag="place_at_table"):
    """The better place at one's own table in the deciding round ranks higher.

    For tables where the order of going out says more than the score, as in a pool: who went out
    first may have fewer points than who held out longest.
    """

    @property
    def label(self) -> str:
        """What is compared."""
        return f"the place at the table in {_round_words(0)}"

    def value(self, record: Record) -> Value:
        """The place, turned round."""
        played = record.round_back(0)
        return MISSING if played is None or played.place is None else (1, -played.place)

    def words(self, record: Record) -> str:
        """Such as `place 2`."""
        played = record.round_back(0)
        return "none" if played is None or played.place is None else f"place {played.place}"


class SmallerMargin(msgspec.Struct, frozen=True, tag="smaller_margin"):
    """Who lost the deciding round by less ranks higher."""

    @property
    def label(self) -> str:
        """What is compared."""
        return f"the margin lost by in {_round_words(0)}"

    def value(self, record: Record) -> Value:
        """The margin, turned round."""
        played = record.round_back(0)
        return MISSING if played is None or played.margin is None else (1, -played.margin)

    def words(self, record: Record) -> str:
        """The margin itself."""
        played = record.round_back(0)
        return "none" if played is None or played.margin is None else str(played.margin)


class ThirdPlaceMatch(msgspec.Struct, frozen=True, tag="third_place_match"):
    """Of the losing semi-finalists, who won the match for third place ranks higher."""

    @property
    def label(self) -> str:
        """What is compared."""
        return "the match for third place"

    def value(self, record: Record) -> Value:
        """Missing where none was played."""
        return MISSING if record.has_won_third is None else (1, int(record.has_won_third))

    def words(self, record: Record) -> str:
        """Won or lost."""
        if record.has_won_third is None:
            return "not played"
        return "won" if record.has_won_third else "lost"


AnyTieBreak = (
    ReachedRound | StayedIn | ScoreInRound | PlaceAtTable | SmallerMargin | ThirdPlaceMatch
)
"""The tie-breaks that can be stored with a tournament, as a tagged union."""

BRACKET: Final[tuple[AnyTieBreak, ...]] = (ReachedRound(), ThirdPlaceMatch())
"""Heads-up: those out in the same round are level, unless they met for third place; one prize for
level ones goes by the margin."""

CHIPS_KNOCKOUT: Final[tuple[AnyTieBreak, ...]] = (
    ReachedRound(),
    ScoreInRound(Measure.MOST_CHIPS),
    ScoreInRound(Measure.MOST_CHIPS, back=1),
)
"""Tables that play for chips: that round's chips, then those of the round before."""

LEVELS: Final[tuple[AnyTieBreak, ...]] = (
    ReachedRound(Unit.LEVEL),
    ScoreInRound(Measure.MOST_CHIPS, unit=Unit.LEVEL),
    ScoreInRound(Measure.MOST_CHIPS, back=1, unit=Unit.LEVEL),
)
"""Timed levels, in which chips are carried over: a level is a round."""

POINTS_KNOCKOUT: Final[tuple[AnyTieBreak, ...]] = (
    ReachedRound(),
    ScoreInRound(Measure.FEWEST_POINTS),
    ScoreInRound(Measure.FEWEST_POINTS, back=1),
)
"""Tables ranked by fewest points."""

POOL_KNOCKOUT: Final[tuple[AnyTieBreak, ...]] = (
    ReachedRound(),
    PlaceAtTable(),
    ScoreInRound(Measure.FEWEST_POINTS),
    ScoreInRound(Measure.FEWEST_POINTS, back=1),
)
"""Tables that play a pool to the last: how long one held out, then points."""

POOL_TABLE: Final[tuple[AnyTieBreak, ...]] = (
    ReachedRound(),
    ScoreInRound(Measure.FEWEST_POINTS, back=1),
)
"""A single pool table, deals as rounds and totals as scores: two who go out in the same deal are
ranked by their totals before it."""


def _round_words(back: int, unit: Unit = Unit.ROUND) -> str:
    if back == 0:
        return f"the deciding {unit}"
    return f"the {unit} before" if back == 1 else f"the {unit} {back} before"
