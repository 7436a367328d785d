"""Points for chips (rule 6.6): the winner of a deal is paid by each loser in chips.

Each point of a loser costs him the value of a point; the chips were brought to the table.

Deals go on until whoever owns the table stops them, or fewer than two can be dealt in. A player
must have the minimum of chips to be dealt in; who falls below it is asked whether he buys more, if
a re-buy would reach the minimum. Chips are conserved by deals: what one wins, others have lost.
"""

from __future__ import annotations

from itertools import chain
from typing import Self

import msgspec

from tables.rules.formats.base import (
    AwaitRebuy,
    Game,
    MatchOver,
    NextDeal,
    Places,
    SeatAmounts,
    Seats,
    add_up,
    amount_of,
    cannot_rejoin,
    not_seated,
    points_by_seat,
    ranked,
)
from tables.rules.formats.checks import most_points
from tables.rules.formats.options import Format, bad_option, check_common, check_whole
from tables.rules.formats.points import MAX_POINT_VALUE, winnings_of
from tables.rules.results import DealResult
from tables.rules.terms import DealTerms

MAX_CHIPS = 2**53 - 1
"""Most chips of a player; what every reader of JSON keeps exact."""
MAX_REBUYS = 100


class LevelFormat(Format, frozen=True, kw_only=True, tag="level"):
    """Options of one table at one level. Raises `BAD_OPTION`.

    `stacks` are the players' chips and `rebuys` how often each may still buy `rebuy_chips` more,
    both in the order of the match's seats; nobody may where `rebuys` is empty.
    """

    name: str = "level"
    value: int
    minimum_chips: int
    stacks: tuple[int, ...]
    rebuy_chips: int = 0
    rebuys: tuple[int, ...] = ()
    answer_seconds: int = 20

    def __post_init__(self) -> None:
        check_common(self, drops=True)
        check_whole(self, "value", 1, MAX_POINT_VALUE)
        check_whole(self, "minimum_chips", 1, MAX_CHIPS)
        check_whole(self, "rebuy_chips", 0, MAX_CHIPS)
        check_whole(self, "answer_seconds", 1, 600)
        if any(type(n) is not int or n > MAX_CHIPS for n in self.stacks):
            raise bad_option("stacks", "Stacks are whole numbers of chips.")
        if any(stack < self.minimum_chips for stack in self.stacks):
            raise bad_option("stacks", f"Nobody sits down with fewer than {self.minimum_chips:,}.")
        if any(type(n) is not int or not 0 <= n <= MAX_REBUYS for n in self.rebuys):
            raise bad_option("rebuys", f"A player may buy 0 to {MAX_REBUYS} times.")
        if self.rebuys and len(self.rebuys) != len(self.stacks):
            raise bad_option("rebuys", "Say of each player how often he may buy, or of nobody.")


class LevelGame(Game, frozen=True, kw_only=True):
    """Chips and re-buys left by seat, who is asked about one, who left, whether deals stopped."""

    options: LevelFormat
    chips: SeatAmounts
    rebuys: SeatAmounts
    bought: int = 0
    asked: Seats = ()
    """Below the minimum since the deal just scored, and yet to say whether they buy more."""
    gone: Seats = ()
    is_stopped: bool = False

    @classmethod
    def opened(cls, options: LevelFormat, terms: DealTerms, seats: Seats) -> Self:
        """The match before its first deal; raises `BAD_OPTION` unless all can pay for any deal."""
        if len(options.stacks) != len(seats):
            raise bad_option("stacks", f"Give chips for {len(seats)} players.")
        costliest = options.value * most_points(terms)
        if options.minimum_chips < costliest:
            raise bad_option(
                "minimum_chips",
                f"A deal can cost {costliest:,} chips; the minimum has to cover it.",
            )
        rebuys = options.rebuys or (0,) * len(seats)
        return cls(
            options=options,
            terms=terms,
            seats=seats,
            chips=tuple(zip(seats, options.stacks, strict=True)),
            rebuys=tuple(zip(seats, rebuys, strict=True)),
        )

    @property
    def present(self) -> Seats:
        """Seats dealt in next: still here, with the minimum of chips."""
        return tuple(
            seat for seat in self.seats if seat not in self.gone and self._has_enough(seat)
        )

    @property
    def buy_ins(self) -> int:
        """Players and the re-buys made here."""
        return len(self.seats) + self.bought

    def _has_enough(self, seat: int, more: int = 0) -> bool:
        return self.score_of(seat) + more >= self.options.minimum_chips

    def scored(self, result: DealResult) -> Self:
        """Chips move from the losers to the winner; who falls below the minimum may be asked."""
        value = self.options.value
        changes = {seat: -points * value for seat, points in points_by_seat(result).items()}
        changes[result.winner] = winnings_of(result, value)
        game = msgspec.structs.replace(self, chips=add_up(self.chips, changes))
        asked = tuple(seat for seat in self.present if game._may_be_asked(seat))
        return msgspec.structs.replace(game, asked=asked)

    def _may_be_asked(self, seat: int) -> bool:
        """Whether a re-buy would bring the seat back to the minimum, and is open to it."""
        reaches = self._has_enough(seat, self.options.rebuy_chips)
        return not self._has_enough(seat) and reaches and amount_of(self.rebuys, seat) > 0

    def rejoin_answered(self, seat: int, comes_back: bool) -> Self:
        """A yes brings the chips at once; raises `NO_REJOIN` for who is not asked."""
        if seat not in self.asked:
            raise cannot_rejoin(seat)
        game = msgspec.structs.replace(self, asked=tuple(s for s in self.asked if s != seat))
        if not comes_back:
            return game
        return msgspec.structs.replace(
            game,
            chips=add_up(self.chips, {seat: self.options.rebuy_chips}),
            rebuys=add_up(self.rebuys, {seat: -1}),
            bought=self.bought + 1,
        )

    def left(self, seat: int) -> Self:
        """The player keeps his chips; leaving instead of answering is a no. Raises `NOT_SEATED`."""
        if seat not in chain(self.present, self.asked):
            raise not_seated(seat)
        asked = tuple(other for other in self.asked if other != seat)
        return msgspec.structs.replace(self, asked=asked, gone=(*self.gone, seat))

    def stopped(self) -> Self:
        """No further deal; whoever was asked is asked no more."""
        return msgspec.structs.replace(self, is_stopped=True, asked=())

    def time_passed(self) -> Self:
        """Who has not answered has said no. Raises `NOT_DUE` when nobody is asked."""
        return msgspec.structs.replace(self, asked=()) if self.asked else super().time_passed()

    def step(self) -> AwaitRebuy | NextDeal | MatchOver:
        """Open questions first, then deals while they are not stopped and two can be dealt in."""
        if self.asked:
            options = self.options
            return AwaitRebuy(self.asked, options.rebuy_chips, options.answer_seconds)
        if not self.is_stopped and len(self.present) > 1:
            return NextDeal(self.present, None, self.terms)
        return MatchOver(places=self.places(), scores=self.chips, buy_ins=self.buy_ins)

    def places(self) -> Places:
        """Most chips first; equal chips share the place."""
        return ranked(self.seats, lambda seat: -self.score_of(seat))

    def score_of(self, seat: int) -> int:
        """Chips of the seat."""
        return amount_of(self.chips, seat)

    def is_in(self, seat: int) -> bool:
        """Whether the seat is dealt in next."""
        return seat in self.present
