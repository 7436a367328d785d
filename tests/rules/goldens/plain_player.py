"""A player without tricks who makes the moves of recorded deals.

He draws what helps, discards what helps least, and finishes as soon as his hand is complete. He
takes no chances, so that the same deal is always played alike.
"""

from __future__ import annotations

from tables.rules import commands as cm
from tables.rules.cards import RANKS, Card, is_joker
from tables.rules.deal import legal_commands
from tables.rules.hands import best_grouping, best_melds, best_points, is_complete
from tables.rules.state import DealState, Phase, SeatState


def move_of(state: DealState) -> cm.SeatCommand:
    """What the awaited seat does."""
    if state.to_declare:
        return _declaration(state, state.to_declare[0])
    assert state.turn is not None
    me = state.seat_state(state.turn)
    return _draw(state, me) if state.phase is Phase.DRAW else _discard(state, me)


def _declaration(state: DealState, me: SeatState) -> cm.SeatCommand:
    best = best_grouping(me.hand, state.wild_rank, state.terms.profile)
    return cm.Declare(me.seat, tuple(group.cards for group in best.groups))


def _draw(state: DealState, me: SeatState) -> cm.SeatCommand:
    """Every second seat drops at once without a joker, where that is possible and a third plays."""
    hopeless = me.seat % 2 == 0 and not any(is_joker(card, state.wild_rank) for card in me.hand)
    drop = cm.Drop(me.seat)
    third = len(state.seats) > 2
    if hopeless and third and not me.drew and drop in legal_commands(state, me.seat):
        return drop
    top = state.open_top
    if top is not None and state.may_take_open:
        helped = _least_useful(state, (*me.hand, top), kept=top)[0]
        if helped < _unmatched(state, me.hand):
            return cm.DrawOpen(me.seat)
    return cm.DrawClosed(me.seat)


def _discard(state: DealState, me: SeatState) -> cm.SeatCommand:
    _, card = _least_useful(state, me.hand, kept=state.taken)
    rest = _without(me.hand, card)
    if is_complete(rest, state.wild_rank, state.terms.profile):
        return cm.Finish(me.seat, card)
    return cm.Discard(me.seat, card)


def _least_useful(
    state: DealState, hand: tuple[Card, ...], *, kept: Card | None
) -> tuple[int, Card]:
    """What the hand counts without its least useful card, and that card."""
    choices = []
    for card in sorted(set(hand) - {kept}):
        rest = _without(hand, card)
        choices.append((_unmatched(state, rest), _company(card, rest, state.wild_rank), card))
    points, _, card = min(choices)
    return points, card


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def _unmatched(state: DealState, hand: tuple[Card, ...]) -> int:
    """Points of the cards in no group, and of all cards if the groups are no good together."""
    wild_rank, profile = state.wild_rank, state.terms.profile
    return best_melds(hand, wild_rank, profile).points + best_points(hand, wild_rank, profile)


def _company(card: Card, rest: tuple[Card, ...], wild_rank: str) -> int:
    """How many cards lie close to this one; a joker is good company for all."""
    if is_joker(card, wild_rank):
        return 100
    place = RANKS.index(card[0])
    return sum(
        other[0] == card[0] or (other[1] == card[1] and abs(RANKS.index(other[0]) - place) <= 2)
        for other in rest
        if other not in (card, "JK")
    )
