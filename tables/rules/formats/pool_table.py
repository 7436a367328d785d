"""A pool table as it stands (rule 6.3): its options, every player's total, and what follows.

What changes it is in `tables.rules.formats.pool`.
"""

from __future__ import annotations

from typing import Self

import msgspec

from tables.rules.errors import Code, RuleViolation
from tables.rules.formats.base import (
    MAX_DEALS,
    Game,
    Places,
    SeatAmounts,
    Seats,
    not_seated,
    ranked,
)
from tables.rules.formats.drops_and_splits import drops_left, split_weights
from tables.rules.formats.options import Format, bad_option, check_common, check_flags, check_whole


class PoolFormat(Format, frozen=True, kw_only=True, tag="pool"):
    """Options of a pool. Raises `BAD_OPTION`.

    `rejoin` and `max_rejoins` (per player, None for as often as the totals allow) rule buying in
    again; `auto_split_from` replaces "nobody has a drop left" by "all totals are at least this".
    After `max_deals` the fewest points win.
    """

    name: str = "pool101"
    limit: int = 101
    first_drop: int = 20
    middle_drop: int = 40
    rejoin: bool = True
    max_rejoins: int | None = None
    auto_split: bool = True
    auto_split_from: int | None = None
    manual_split: bool = True
    answer_seconds: int = 20
    max_deals: int = MAX_DEALS

    def __post_init__(self) -> None:
        check_common(self, drops=True)
        check_whole(self, "limit", 21, 1000)
        check_whole(self, "max_rejoins", 1, MAX_DEALS, none=True)
        check_whole(self, "auto_split_from", 1, self.limit - 1, none=True)
        check_whole(self, "answer_seconds", 1, 600)
        check_whole(self, "max_deals", 1, MAX_DEALS)
        check_flags(self, "rejoin", "auto_split", "manual_split")
        if self.middle_drop >= self.limit:
            raise bad_option("middle_drop", "A middle drop costs less than the limit.")
        if self.max_rejoins is not None and not self.rejoin:
            raise bad_option("max_rejoins", "A number of rejoins needs rejoin to be true.")


class PoolPlayer(msgspec.Struct, frozen=True):
    """One player's total; who is out carries when he went and what he had before that deal."""

    seat: int
    total: int = 0
    rejoins: int = 0
    went_out: int | None = None
    """Counts deals and departures in one sequence; the same number means the same deal."""
    total_before: int = 0


class SplitOffer(msgspec.Struct, frozen=True):
    """An open offer: who made it, who has still to answer, and the shares it would give."""

    offered_by: int
    waiting: Seats
    weights: SeatAmounts


class PoolTable(Game, frozen=True, kw_only=True):
    """Players with their totals, and the question that is open between two deals, if any."""

    options: PoolFormat
    players: tuple[PoolPlayer, ...]
    deals_played: int = 0
    moments: int = 0
    """Deals and departures so far."""
    asked: Seats = ()
    """Eliminated in the deal just scored, and yet to answer about a rejoin."""
    comes_back_with: int = 0
    offer: SplitOffer | None = None
    have_offered: Seats = ()
    """Who has used his one offer between these two deals."""
    split: SeatAmounts | None = None

    @property
    def present(self) -> Seats:
        """Seats below the limit."""
        return tuple(player.seat for player in self.players if player.went_out is None)

    @property
    def buy_ins(self) -> int:
        """Entries plus rejoins."""
        return len(self.seats) + sum(player.rejoins for player in self.players)

    def drops_left(self, seat: int) -> int:
        """First drops the seat can still afford."""
        options = self.options
        total = self.score_of(seat)
        return drops_left(total, limit=options.limit, first_drop=options.first_drop)

    def places(self) -> Places:
        """Who is in before who is out, later before earlier; of one deal, fewer points before it.

        Those still in stand by their share of a split, otherwise by fewest points.
        """
        weights = dict(self.split or ())
        inside = ranked(
            self.present, lambda seat: -weights[seat] if weights else self.score_of(seat)
        )
        outside = {
            player.seat: (-player.went_out, player.total_before)
            for player in self.players
            if player.went_out is not None
        }
        return (*inside, *ranked(outside, outside.__getitem__))

    def score_of(self, seat: int) -> int:
        """The seat's total."""
        return self._player(seat).total

    def is_in(self, seat: int) -> bool:
        """Whether the seat is below the limit and there."""
        return seat in self.present

    def _player(self, seat: int) -> PoolPlayer:
        for player in self.players:
            if player.seat == seat:
                return player
        raise not_seated(seat)

    def _with(self, changed: PoolPlayer) -> Self:
        players = tuple(changed if p.seat == changed.seat else p for p in self.players)
        return msgspec.structs.replace(self, players=players)

    def _few_enough(self) -> bool:
        """Two left of three or more, or three left of more than three (rule 6.3.5)."""
        return len(self.present) in (2, 3) and len(self.seats) > len(self.present)

    def split_weights_now(self) -> SeatAmounts | None:
        """The weights an offer would have now; None when none can be made."""
        try:
            return self._split_weights()
        except RuleViolation:
            return None

    def _split_weights(self) -> SeatAmounts:
        if not self.options.manual_split:
            raise RuleViolation(Code.NO_SPLIT, "Prizes are not split at this table; play on.")
        if self.asked or self.offer:
            raise RuleViolation(Code.NO_SPLIT, "Wait until everybody asked has answered.")
        if not self.deals_played or not self._few_enough():
            raise RuleViolation(
                Code.NO_SPLIT,
                "A split takes two players left of three or more, or three of more than three.",
            )
        weights = split_weights([self.drops_left(seat) for seat in self.present], self.buy_ins)
        return tuple(zip(self.present, weights, strict=True))
