"""Points rummy (rule 6.1): the winner of a deal is paid each opponent's points × the point value.

One deal is one game; a match may also run over several deals, and players may join and leave
between them. Scores are winnings in units of the stake, before any fee; a loser's are negative.
"""

from __future__ import annotations

from typing import Self

import msgspec

from tables.rules.errors import Code, RuleViolation
from tables.rules.formats.base import (
    MAX_DEALS,
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
from tables.rules.formats.checks import check_seats, most_points
from tables.rules.formats.options import Format, check_common, check_whole
from tables.rules.profiles import RuleProfile
from tables.rules.results import DealResult
from tables.rules.terms import ClockTerms, DealTerms

MAX_POINT_VALUE = 1_000_000_000


class PointsFormat(Format, frozen=True, kw_only=True, tag="points"):
    """Options of points rummy; `value` is what one point is worth. Raises `BAD_OPTION`."""

    name: str = "points"
    value: int = 1
    deals: int = 1

    def __post_init__(self) -> None:
        check_common(self, drops=True)
        check_whole(self, "value", 1, MAX_POINT_VALUE)
        check_whole(self, "deals", 1, MAX_DEALS)

    def must_bring(self, profile: RuleProfile) -> int:
        """Units a player needs to be dealt in: what the costliest deal can lose him."""
        return self.value * most_points(self.terms(profile, ClockTerms()))


def winnings_of(result: DealResult, value: int) -> int:
    """What the winner is paid before the fee: all points of the deal × the value of a point."""
    return value * sum(score.points for score in result.scores)


class PointsGame(Game, frozen=True, kw_only=True):
    """Winnings so far, who won the deals played, and who has left."""

    options: PointsFormat
    winnings: SeatAmounts
    winners: Seats = ()
    """The winner of each deal so far."""
    gone: Seats = ()

    @classmethod
    def opened(cls, options: PointsFormat, terms: DealTerms, seats: Seats) -> Self:
        """The match before its first deal."""
        winnings = tuple((seat, 0) for seat in seats)
        return cls(options=options, terms=terms, seats=seats, winnings=winnings)

    @property
    def present(self) -> Seats:
        """Seats dealt in next."""
        return tuple(seat for seat in self.seats if seat not in self.gone)

    def scored(self, result: DealResult) -> Self:
        """Winnings move from the losers to the winner."""
        value = self.options.value
        changes = {seat: -points * value for seat, points in points_by_seat(result).items()}
        changes[result.winner] = winnings_of(result, value)
        return msgspec.structs.replace(
            self,
            winnings=add_up(self.winnings, changes),
            winners=(*self.winners, result.winner),
        )

    def left(self, seat: int) -> Self:
        """The player keeps his winnings or losses; raises `NOT_SEATED`."""
        if not self.is_in(seat):
            raise not_seated(seat)
        return msgspec.structs.replace(self, gone=(*self.gone, seat))

    def joined(self, seat: int) -> Self:
        """A new player sits down; raises `NO_JOIN` on a used seat, `BAD_SEATS` when full."""
        if seat in self.seats:
            raise RuleViolation(
                Code.NO_JOIN,
                f"Seat {seat} has been used in this match; take another.",
                field="seat",
            )
        check_seats((*self.present, seat), self.terms.profile)
        seats = tuple(sorted((*self.seats, seat)))
        return msgspec.structs.replace(self, seats=seats, winnings=(*self.winnings, (seat, 0)))

    def step(self) -> NextDeal | MatchOver:
        """Another deal until all are played or one player is left."""
        if len(self.winners) < self.options.deals and len(self.present) > 1:
            return NextDeal(self.present, None, self.terms)
        return MatchOver(places=self.places(), scores=self.winnings, buy_ins=self.buy_ins)

    def places(self) -> Places:
        """Most winnings first; of equals, who stayed, then who won more deals."""
        return ranked(
            self.seats,
            lambda seat: (-self.score_of(seat), seat in self.gone, -self.winners.count(seat)),
        )

    def score_of(self, seat: int) -> int:
        """Winnings of the seat, negative for a loss."""
        return amount_of(self.winnings, seat)

    def is_in(self, seat: int) -> bool:
        """Whether the seat is dealt in next."""
        return seat in self.present
