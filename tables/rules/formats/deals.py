"""Deals rummy, best of N (rule 6.2): all start with the same chips, most chips at the end wins.

The winner of a deal gets from each opponent chips equal to that opponent's points. Chips are
conserved and nobody goes below 0: who has fewer chips than points pays what he has. A tie that
matters is played off by the tied alone, without chips. Ranked by fewest points instead, the match
ends as soon as the lead can no longer be caught.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

import msgspec

from tables.rules.formats.base import (
    MAX_DEALS,
    MISSED_DEAL,
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
from tables.rules.formats.checks import most_points
from tables.rules.formats.options import Format, bad_option, check_common, check_whole
from tables.rules.profiles import MAX_SEATS
from tables.rules.results import DealResult
from tables.rules.terms import DealTerms

DROPLESS_DEALS = 3
"""Matches of up to this many deals know no drop (rule 5.6)."""


class RankBy(StrEnum):
    """What decides a deals match."""

    CHIPS = "chips"
    FEWEST_POINTS = "fewest_points"


class DealsFormat(Format, frozen=True, kw_only=True, tag="deals"):
    """Options of deals rummy. Raises `BAD_OPTION`.

    `deciding_place` is the last place that matters (1 for the winner alone): a tie across it is
    played off. `first_drop` and `middle_drop` may be stated for more than three deals.
    """

    name: str = "deals"
    deals: int = 2
    rank_by: RankBy = RankBy.CHIPS
    deciding_place: int = 1
    first_drop: int | None = None
    middle_drop: int | None = None

    def __post_init__(self) -> None:
        has_drop = self.first_drop is not None or self.middle_drop is not None
        check_common(self, drops=has_drop)
        check_whole(self, "deals", 1, MAX_DEALS)
        check_whole(self, "deciding_place", 1, MAX_SEATS)
        if not isinstance(self.rank_by, RankBy):
            raise bad_option("rank_by", "Rank by chips or fewest_points.")
        if has_drop and self.deals <= DROPLESS_DEALS:
            raise bad_option("first_drop", "There is no drop in a match of three deals or fewer.")


class DealsGame(Game, frozen=True, kw_only=True):
    """Chips (or points) of each seat, deals played, who has left, and tie-break deals."""

    options: DealsFormat
    scores: SeatAmounts
    deals_played: int = 0
    gone: Seats = ()
    tie_breaks: tuple[SeatAmounts, ...] = ()
    """For each tie-break deal, every player's place in it by points, 0 for its winner."""

    @classmethod
    def opened(cls, options: DealsFormat, terms: DealTerms, seats: Seats) -> Self:
        """The match before its first deal."""
        by_points = options.rank_by is RankBy.FEWEST_POINTS
        start = 0 if by_points else MISSED_DEAL * options.deals
        scores = tuple((seat, start) for seat in seats)
        return cls(options=options, terms=terms, seats=seats, scores=scores)

    @property
    def present(self) -> Seats:
        """Seats dealt in next, tie-breaks aside."""
        return tuple(seat for seat in self.seats if seat not in self.gone)

    @property
    def deals_left(self) -> int:
        """Deals still to be played, tie-breaks not counted."""
        return self.options.deals - self.deals_played

    def scored(self, result: DealResult) -> Self:
        """The deal's points move as chips (or add up); a tie-break deal only ranks the tied."""
        gone = (*self.gone, *leavers(result))
        if self._is_decided:
            order = tuple(
                (seat, 0 if seat == result.winner else points + 1)
                for seat, points in points_by_seat(result).items()
            )
            return msgspec.structs.replace(self, tie_breaks=(*self.tie_breaks, order), gone=gone)
        points = points_by_seat(result) | dict.fromkeys(self.gone, MISSED_DEAL)
        after = self._paid(points, result.winner)
        played = self.deals_played + 1
        return msgspec.structs.replace(after, deals_played=played, gone=gone)._walked_over()

    def _paid(self, points: dict[int, int], winner: int) -> Self:
        if self.options.rank_by is RankBy.FEWEST_POINTS:
            return msgspec.structs.replace(self, scores=add_up(self.scores, points))
        paid = {seat: min(lost, self.score_of(seat)) for seat, lost in points.items()}
        changes = {seat: -chips for seat, chips in paid.items()}
        changes[winner] = sum(paid.values()) - paid.get(winner, 0)
        return msgspec.structs.replace(self, scores=add_up(self.scores, changes))

    def _walked_over(self) -> Self:
        """The deals that remain go to the only one still there, 80 points from each other."""
        game = self
        while not game._is_decided and len(game.present) == 1:
            points = dict.fromkeys(game.gone, MISSED_DEAL)
            game = game._paid(points, game.present[0])
            game = msgspec.structs.replace(game, deals_played=game.deals_played + 1)
        return game

    def left(self, seat: int) -> Self:
        """The player counts 80 in each deal that remains; raises `NOT_SEATED`."""
        if seat not in self.present:
            raise not_seated(seat)
        return msgspec.structs.replace(self, gone=(*self.gone, seat))._walked_over()

    @property
    def _is_decided(self) -> bool:
        """Whether all deals are played, or the lead cannot be caught any more."""
        if self.deals_left <= 0:
            return True
        if self.options.rank_by is RankBy.CHIPS or self.options.deciding_place >= len(self.seats):
            return False
        totals = sorted(points for _, points in self.scores)
        lead = totals[self.options.deciding_place] - totals[self.options.deciding_place - 1]
        return lead > most_points(self.terms) * self.deals_left

    def _tied(self) -> Seats:
        """The present players whose tie the deciding place runs through."""
        before = 0
        for group in self.places():
            if before < self.options.deciding_place < before + len(group):
                return tuple(seat for seat in self.seats if seat in group and self.is_in(seat))
            before += len(group)
        return ()

    def step(self) -> NextDeal | MatchOver:
        """Another deal; at the end a tie-break deal as long as the deciding place is tied."""
        if not self._is_decided:
            return NextDeal(self.present, None, self.terms)
        if len(tied := self._tied()) > 1:
            return NextDeal(tied, None, self.terms, tie_break=True)
        return MatchOver(places=self.places(), scores=self.scores, buy_ins=self.buy_ins)

    def places(self) -> Places:
        """Most chips (fewest points) first, then who stayed, then the tie-break deals."""
        sign = 1 if self.options.rank_by is RankBy.FEWEST_POINTS else -1
        breaks = [dict(order) for order in self.tie_breaks]

        def key(seat: int) -> tuple[int, bool, tuple[int, ...]]:
            in_breaks = tuple(order.get(seat, 0) for order in breaks)
            return (sign * self.score_of(seat), seat in self.gone, in_breaks)

        return ranked(self.seats, key)

    def score_of(self, seat: int) -> int:
        """Chips of the seat, or its points when fewest points win."""
        return amount_of(self.scores, seat)

    def is_in(self, seat: int) -> bool:
        """Whether the seat has not left."""
        return seat in self.present
