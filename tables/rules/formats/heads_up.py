"""Heads-up knock-out (rule 6.4): two players, a set of games, the fewest total points go on.

A tie is settled by lot in a round, or left standing in a final, where the two share the prizes.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

import msgspec

from tables.rules.errors import Code, RuleViolation
from tables.rules.formats.base import (
    MAX_DEALS,
    DrawLot,
    Game,
    MatchOver,
    NextDeal,
    Places,
    SeatAmounts,
    Seats,
    add_up,
    amount_of,
    leavers,
    not_seated,
    points_by_seat,
    ranked,
)
from tables.rules.formats.options import Format, bad_option, check_common, check_whole
from tables.rules.results import DealResult
from tables.rules.terms import DealTerms


class OnTie(StrEnum):
    """What happens when both have the same total."""

    LOT = "lot"
    SHARE = "share"


class HeadsUpFormat(Format, frozen=True, kw_only=True, tag="heads_up"):
    """Options of a heads-up set. There is no drop in it. Raises `BAD_OPTION`."""

    name: str = "heads_up"
    games: int = 2
    on_tie: OnTie = OnTie.LOT
    first_drop: int | None = None
    middle_drop: int | None = None

    def __post_init__(self) -> None:
        check_common(self, drops=False)
        check_whole(self, "games", 1, MAX_DEALS)
        if not isinstance(self.on_tie, OnTie):
            raise bad_option("on_tie", "A tie is settled by lot or share.")


class HeadsUpGame(Game, frozen=True, kw_only=True):
    """Total points of both, games played, who left, and whom the lot let go on."""

    options: HeadsUpFormat
    scores: SeatAmounts
    games_played: int = 0
    gone: Seats = ()
    drawn: int | None = None

    @classmethod
    def opened(cls, options: HeadsUpFormat, terms: DealTerms, seats: Seats) -> Self:
        """The set before its first game; raises `BAD_SEATS` unless two sit down."""
        if len(seats) != 2:
            raise RuleViolation(
                Code.BAD_SEATS, f"Heads-up is for two players, not {len(seats)}.", field="seats"
            )
        scores = tuple((seat, 0) for seat in seats)
        return cls(options=options, terms=terms, seats=seats, scores=scores)

    def scored(self, result: DealResult) -> Self:
        """Points add up; who left during the game has lost the set."""
        return msgspec.structs.replace(
            self,
            scores=add_up(self.scores, points_by_seat(result)),
            games_played=self.games_played + 1,
            gone=leavers(result),
        )

    def left(self, seat: int) -> Self:
        """The other player goes on; raises `NOT_SEATED`."""
        if not self.is_in(seat):
            raise not_seated(seat)
        return msgspec.structs.replace(self, gone=(seat,))

    def lot_drawn(self, seat: int) -> Self:
        """The tied player who was drawn goes on; raises `NO_LOT`."""
        step = self.step()
        if not isinstance(step, DrawLot):
            return super().lot_drawn(seat)
        if seat not in step.seats:
            raise not_seated(seat)
        return msgspec.structs.replace(self, drawn=seat)

    def step(self) -> NextDeal | DrawLot | MatchOver:
        """The next game; after the last, a lot between the tied unless they share."""
        if not self.gone and self.games_played < self.options.games:
            return NextDeal(self.seats, None, self.terms)
        places = self.places()
        if len(places) == 1 and self.options.on_tie is OnTie.LOT:
            return DrawLot(self.seats, drawn_goes_on=True)
        return MatchOver(places=places, scores=self.scores, buy_ins=self.buy_ins)

    def places(self) -> Places:
        """Who stayed before who left, then fewest points, then the lot."""
        return ranked(
            self.seats,
            lambda seat: (seat in self.gone, self.score_of(seat), seat != self.drawn),
        )

    def score_of(self, seat: int) -> int:
        """Total points of the seat."""
        return amount_of(self.scores, seat)

    def is_in(self, seat: int) -> bool:
        """Whether the seat has not left."""
        return seat in self.seats and seat not in self.gone
