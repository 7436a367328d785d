"""What a seat sees of a deal, put together for thinking about it.

*Live* copies of a card are those that may still come to this seat. A *careless* eye takes every
copy outside its own hand for live; an *attentive* one counts the wild card, the open deck and what
others took from it as well. Nothing here looks behind a `??`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tables.rules.bots.holding import Hand
from tables.rules.bots.worth import Live
from tables.rules.cards import PACK, Card
from tables.rules.state import DealState, SeatState


class Sight:
    """A view with the seat that has it."""

    __slots__ = ("hand", "me", "view")

    def __init__(self, view: DealState, seat: int) -> None:
        self.view = view
        self.me: SeatState = view.seat_state(seat)
        self.hand = Hand(self.me.hand, view.wild_rank, view.terms.profile)

    @property
    def moment(self) -> tuple[str, str, str]:
        """What names this question to chance: the deal, its version and the seat."""
        return self.view.deal_id, str(self.view.version), str(self.me.seat)

    def live_at_a_glance(self) -> Live:
        """Copies outside the own hand."""
        packs = self.hand.profile.shoe_for(len(self.view.seats)).packs
        live = dict.fromkeys(PACK, packs)
        for card in self.hand.cards:
            if card in live:
                live[card] -= 1
        return live

    def live_counted(self, taken: Mapping[int, list[Card]]) -> Live:
        """Copies neither held nor lying open nor known to be in another hand."""
        live = dict(self.live_at_a_glance())
        gone = [*self.view.open, *(card for cards in taken.values() for card in cards)]
        if self.view.wild_card is not None:
            gone.append(self.view.wild_card)
        for card in gone:
            if live.get(card):
                live[card] -= 1
        return live

    def taken_by_others(self) -> dict[int, list[Card]]:
        """Cards others took from the open deck and still hold, by seat.

        A discard that no longer lies in the open deck went to whoever discarded next. Discards of
        before a reshuffle are left out: they may lie in the closed deck.
        """
        discards, lying = self.view.discards, list(self.view.open)
        taken: dict[int, list[Card]] = {}
        laid_since: Counter[tuple[int, Card]] = Counter()
        for place in range(len(discards) - 1, -1, -1):
            seat, card = discards[place]
            if lying and lying[-1] == card:
                lying.pop()
            elif not lying and self.view.reshuffles:
                break
            elif place + 1 < len(discards):
                taker = discards[place + 1][0]
                if laid_since[taker, card]:
                    laid_since[taker, card] -= 1
                elif taker != self.me.seat:
                    taken.setdefault(taker, []).append(card)
            laid_since[seat, card] += 1
        return taken

    @property
    def next_player(self) -> int:
        """The seat that plays after this one; the own seat when nobody else is in."""
        order = [seat.seat for seat in self.view.seats if seat.is_in]
        return order[(order.index(self.me.seat) + 1) % len(order)]
