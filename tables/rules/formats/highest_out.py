"""Highest out (rule 6.5): after each deal the highest total is eliminated, until one is left.

Of equal totals the one with more points in the deal just scored goes; still equal, the lot says
who goes.
"""

from __future__ import annotations

from typing import Self

import msgspec

from tables.rules.formats.base import (
    DrawLot,
    Game,
    MatchOver,
    NextDeal,
    Places,
    SeatAmounts,
    Seats,
    add_up,
    amount_of,
    not_seated,
    points_by_seat,
    ranked,
)
from tables.rules.formats.options import Format, check_common
from tables.rules.results import DealResult
from tables.rules.terms import DealTerms


class HighestOutFormat(Format, frozen=True, kw_only=True, tag="highest_out"):
    """Options of highest out. Raises `BAD_OPTION`."""

    name: str = "highest_out"

    def __post_init__(self) -> None:
        check_common(self, drops=True)


class HighestOutGame(Game, frozen=True, kw_only=True):
    """Totals, who is out in the order of going, and who is tied for going next."""

    options: HighestOutFormat
    scores: SeatAmounts
    out: Seats = ()
    tied: Seats = ()

    @classmethod
    def opened(cls, options: HighestOutFormat, terms: DealTerms, seats: Seats) -> Self:
        """The match before its first deal."""
        scores = tuple((seat, 0) for seat in seats)
        return cls(options=options, terms=terms, seats=seats, scores=scores)

    @property
    def present(self) -> Seats:
        """Seats still in."""
        return tuple(seat for seat in self.seats if seat not in self.out)

    def scored(self, result: DealResult) -> Self:
        """Points add up, and the highest total goes."""
        points = points_by_seat(result)
        game = msgspec.structs.replace(self, scores=add_up(self.scores, points))
        *_, highest = ranked(self.present, lambda seat: (game.score_of(seat), points[seat]))
        if len(highest) > 1:
            return msgspec.structs.replace(game, tied=highest)
        return game._without(highest[0])

    def _without(self, seat: int) -> Self:
        return msgspec.structs.replace(self, out=(*self.out, seat), tied=())

    def left(self, seat: int) -> Self:
        """The player is out; if he was tied for going, nobody else goes. Raises `NOT_SEATED`."""
        if not self.is_in(seat):
            raise not_seated(seat)
        tied = () if seat in self.tied else self.tied
        return msgspec.structs.replace(self._without(seat), tied=tied)

    def lot_drawn(self, seat: int) -> Self:
        """The tied player who was drawn is out; raises `NO_LOT`."""
        if not self.tied:
            return super().lot_drawn(seat)
        if seat not in self.tied:
            raise not_seated(seat)
        return self._without(seat)

    def step(self) -> NextDeal | DrawLot | MatchOver:
        """Another deal, or a lot between the tied, until one is left."""
        if len(self.present) == 1:
            return MatchOver(places=self.places(), scores=self.scores, buy_ins=self.buy_ins)
        if self.tied:
            return DrawLot(self.tied, drawn_goes_on=False)
        return NextDeal(self.present, None, self.terms)

    def places(self) -> Places:
        """Who is in by fewest points, then who went later."""
        gone = tuple((seat,) for seat in reversed(self.out))
        return (*ranked(self.present, self.score_of), *gone)

    def score_of(self, seat: int) -> int:
        """Total points of the seat."""
        return amount_of(self.scores, seat)

    def is_in(self, seat: int) -> bool:
        """Whether the seat is still in."""
        return seat in self.present
