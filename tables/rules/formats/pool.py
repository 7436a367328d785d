"""Pool rummy 51, 61, 101 and 201 (rule 6.3): points add up, who reaches the limit is out.

The last one standing wins. Between two deals an eliminated player may buy in again (*rejoin*), and
the last two or three may share the prize pool (*split*). While answers are awaited nothing else
happens; silence is a no.
"""

from __future__ import annotations

from typing import Self

import msgspec

from tables.rules.errors import Code, RuleViolation
from tables.rules.formats.base import (
    AwaitRejoin,
    AwaitSplit,
    MatchOver,
    NextDeal,
    Seats,
    cannot_rejoin,
    not_seated,
    points_by_seat,
)
from tables.rules.formats.drops_and_splits import drops_left
from tables.rules.formats.pool_table import PoolFormat, PoolPlayer, PoolTable, SplitOffer
from tables.rules.results import DealResult
from tables.rules.terms import DealTerms


class PoolGame(PoolTable, frozen=True, kw_only=True):
    """A pool table and everything that can happen to it between and after its deals."""

    @classmethod
    def opened(cls, options: PoolFormat, terms: DealTerms, seats: Seats) -> Self:
        """The match before its first deal."""
        players = tuple(PoolPlayer(seat) for seat in seats)
        return cls(options=options, terms=terms, seats=seats, players=players)

    # Deals

    def scored(self, result: DealResult) -> Self:
        """Totals grow; who reaches the limit is out and may be asked about a rejoin."""
        points = points_by_seat(result)
        players = tuple(self._charged(player, points) for player in self.players)
        game = msgspec.structs.replace(
            self,
            players=players,
            deals_played=self.deals_played + 1,
            moments=self.moments + 1,
            have_offered=(),
        )
        return game._asking()._settled()

    def _charged(self, player: PoolPlayer, points: dict[int, int]) -> PoolPlayer:
        if player.went_out is not None:
            return player
        total = player.total + points[player.seat]
        out = self.moments + 1 if total >= self.options.limit else None
        return msgspec.structs.replace(player, total=total, went_out=out, total_before=player.total)

    # Rejoins

    def _asking(self) -> Self:
        """Ask those just eliminated, if who comes back would have a drop left (rule 6.3.3)."""
        options = self.options
        back = 1 + max(self.score_of(seat) for seat in self.present)
        can_drop = drops_left(back, limit=options.limit, first_drop=options.first_drop) > 0
        if not options.rejoin or not can_drop or self.deals_played >= options.max_deals:
            return self
        asked = tuple(
            player.seat
            for player in self.players
            if player.went_out == self.moments
            and (options.max_rejoins is None or player.rejoins < options.max_rejoins)
        )
        return msgspec.structs.replace(self, asked=asked, comes_back_with=back)

    def rejoin_answered(self, seat: int, comes_back: bool) -> Self:
        """A yes brings the player back at once; raises `NO_REJOIN` for who is not asked."""
        if seat not in self.asked:
            raise cannot_rejoin(seat)
        asked = tuple(other for other in self.asked if other != seat)
        game = msgspec.structs.replace(self, asked=asked)
        if comes_back:
            back = msgspec.structs.replace(
                self._player(seat),
                total=self.comes_back_with,
                rejoins=self._player(seat).rejoins + 1,
                went_out=None,
            )
            game = game._with(back)
        return game._settled()

    # Departures

    def left(self, seat: int) -> Self:
        """The player is out; an open offer is off. Raises `NOT_SEATED` or `ANSWERS_OPEN`."""
        if seat in self.asked:
            return self.rejoin_answered(seat, False)
        if not self.is_in(seat):
            raise not_seated(seat)
        if self.present == (seat,):
            raise RuleViolation(
                Code.ANSWERS_OPEN,
                "Wait until the eliminated players have answered; you win if none comes back.",
            )
        player = self._player(seat)
        gone = msgspec.structs.replace(player, went_out=self.moments + 1, total_before=player.total)
        game = msgspec.structs.replace(self, moments=self.moments + 1, offer=None)
        return game._with(gone)._settled()

    # Splits

    def _settled(self) -> Self:
        """Once nothing is open: share equally where nobody has a drop left (rule 6.3.5)."""
        if self.asked or not self.options.auto_split or not self._few_enough():
            return self
        start = self.options.auto_split_from
        if any(
            self.drops_left(seat) if start is None else self.score_of(seat) < start
            for seat in self.present
        ):
            return self
        return msgspec.structs.replace(self, split=tuple((seat, 1) for seat in self.present))

    def split_offered(self, seat: int) -> Self:
        """All others are asked; raises `NO_SPLIT`, or `NOT_SEATED` for who is out."""
        if not self.is_in(seat):
            raise not_seated(seat)
        weights = self._split_weights()
        if seat in self.have_offered:
            raise RuleViolation(Code.NO_SPLIT, "You may offer again after the next deal.")
        waiting = tuple(other for other in self.present if other != seat)
        return msgspec.structs.replace(
            self,
            offer=SplitOffer(seat, waiting, weights),
            have_offered=(*self.have_offered, seat),
        )

    def split_answered(self, seat: int, accepts: bool) -> Self:
        """The last yes splits the prize pool, any no cancels the offer. Raises `NO_SPLIT`."""
        if self.offer is None:
            return super().split_answered(seat, accepts)
        if seat not in self.offer.waiting:
            raise RuleViolation(
                Code.NO_SPLIT, f"Seat {seat} has no answer to give to this offer.", field="seat"
            )
        if not accepts:
            return msgspec.structs.replace(self, offer=None)
        waiting = tuple(other for other in self.offer.waiting if other != seat)
        if waiting:
            offer = msgspec.structs.replace(self.offer, waiting=waiting)
            return msgspec.structs.replace(self, offer=offer)
        return msgspec.structs.replace(self, offer=None, split=self.offer.weights)

    def time_passed(self) -> Self:
        """Who has not answered has said no. Raises `NOT_DUE` when nothing is open."""
        if self.asked:
            return msgspec.structs.replace(self, asked=())._settled()
        if self.offer:
            return msgspec.structs.replace(self, offer=None)
        return super().time_passed()

    # Answers

    def step(self) -> AwaitRejoin | AwaitSplit | NextDeal | MatchOver:
        """Open questions first, then deals until one is left or the prize pool is split."""
        seconds = self.options.answer_seconds
        if self.asked:
            return AwaitRejoin(self.asked, self.comes_back_with, seconds)
        if self.offer:
            offer = self.offer
            return AwaitSplit(offer.offered_by, offer.waiting, offer.weights, seconds)
        over = self.split is not None or self.deals_played >= self.options.max_deals
        if not over and len(self.present) > 1:
            no_drop = tuple(seat for seat in self.present if not self.drops_left(seat))
            return NextDeal(self.present, None, self.terms, no_drop=no_drop)
        return MatchOver(
            places=self.places(),
            scores=tuple((player.seat, player.total) for player in self.players),
            buy_ins=self.buy_ins,
            split_weights=self.split,
        )
