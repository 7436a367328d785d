"""How a bot weighs its cards: what a discard leaves, whether the open card helps, when to give up.

Points come from `hands`, never from here; where points do not tell two hands apart yet, `worth`
does. Nothing here knows whose turn it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Final

from tables.rules.bots.holding import Hand
from tables.rules.bots.worth import RUN, RUNS_WITH, SAME_RANK, Live, worths
from tables.rules.cards import PRINTED_JOKER, Card, without

POINTS_WEIGHT: Final = 0.4
"""How much of a card's own points counts against keeping it."""
FEED_RUN: Final = 4.0
"""What it costs to discard a neighbour of a card the next player took."""
FEED_SET: Final = 3.0
"""What it costs to discard a card of the rank of one the next player took."""
WORTH_TAKING: Final = 5
"""Points by which the open card must better the hand to be preferred to an unknown one."""
OUT: Final = 4.0
"""What each live copy that completes the hand is worth."""
CHEAPEST: Final = 5
"""How many of the cheapest discards are thought through."""
HOPE_OF_A_CARD: Final = 20.0
"""Most that one card adds to the hopes of a hand."""
HOPES_TO_PLAY: Final = 37.0
"""Hopes that make a hand worth playing, for each pack and each rival, at a drop of 20. In deals
between sharp bots a hand below that counted some 40 points more than it won."""
LOSS_IF_PLAYED: Final = 40
"""What such a hand is expected to count; a drop that costs as much is never taken."""


def takes_open(hand: Hand, card: Card) -> bool:
    """Whether the open card is better than an unknown one for these 13 cards."""
    held = frozenset(hand.cards)
    if hand.is_joker(card):
        return True
    if card in held or not _has_partner(card, held):
        return False
    if any(first in held and second in held for first, second in RUNS_WITH[card]):
        return True
    more = hand.and_card(card)
    kept = [c for c in hand.discardable if c != card]
    after = min(more.points_without(c) for c in kept)
    return hand.points() - after >= WORTH_TAKING or (
        after == 0 and any(more.is_complete_without(c) for c in kept)
    )


def _has_partner(card: Card, held: frozenset[Card]) -> bool:
    return any(mate in held for mate in SAME_RANK[card]) or any(
        first in held or second in held for first, second in RUNS_WITH[card]
    )


def costs_of_discards(hand: Hand, live: Live) -> dict[Card, float]:
    """What each sensible discard of 14 cards costs: the points that stay, the hopes that go."""
    values = worths(hand.cards, hand.wild_rank, live)
    return {
        card: hand.points_without(card) + values[card] - POINTS_WEIGHT * hand.full_count(card)
        for card in hand.discardable
    }


def outs_of_discards(hand: Hand, costs: Mapping[Card, float], live: Live) -> Counter[Card]:
    """Live copies that would complete the hand after a discard, by the card discarded.

    Looks at the cheapest discards only: of 14 cards two go, this one now and the other for the
    card that completes the hand.
    """
    outs: Counter[Card] = Counter()
    for pair in combinations(sorted(costs, key=costs.__getitem__)[:CHEAPEST], 2):
        twelve = hand.without(*pair)
        if twelve.and_card(PRINTED_JOKER).is_complete():
            waited = _copies_waited_for(twelve, live)
            outs.update(dict.fromkeys(pair, waited))
    return outs


def _copies_waited_for(twelve: Hand, live: Live) -> int:
    """Live copies that can take the place of the joker which completes these twelve cards."""
    groups = twelve.and_card(PRINTED_JOKER).groups()
    waiting = next((group for group in groups if PRINTED_JOKER in group), ())
    others = without(waiting, PRINTED_JOKER) if waiting else ()
    near = {other for card in others for other in _partners(card)}
    return sum(live[card] for card in near if live[card] and twelve.is_group((*others, card)))


def _partners(card: Card) -> Iterator[Card]:
    yield from SAME_RANK.get(card, ())
    for window in RUNS_WITH.get(card, ()):
        yield from window


def helps_next_player(card: Card, taken: Collection[Card]) -> float:
    """What it costs to discard a card to a player who took these."""
    if card not in SAME_RANK:
        return 0.0
    near = {other for window in RUNS_WITH[card] for other in window}
    mates = SAME_RANK[card]
    return sum(FEED_RUN * (other in near) + FEED_SET * (other in mates) for other in taken)


def is_hopeless(hand: Hand, live: Live, first_drop: int, rivals: int) -> bool:
    """Whether 13 cards are better dropped before the first card is drawn.

    Only a hand without a joker and without three in a row is. The more rivals may show before it
    is ready and the less the drop costs, the more hopes it needs to be played.
    """
    values = worths(hand.cards, hand.wild_rank, live).values()
    if max(values) >= RUN:
        return False
    hopes = sum(min(value, HOPE_OF_A_CARD) for value in values)
    saved = (LOSS_IF_PLAYED - first_drop) / 20
    return hopes < HOPES_TO_PLAY * max(live.values()) * rivals * saved
