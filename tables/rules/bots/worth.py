"""What a card is worth to the hand that holds it, beside the points it counts.

A rule of thumb in points, not a count: cards that already lie together are worth most, cards that
wait for one more are worth something for each live copy of it. `hands` knows the exact points of a
hand; this says which cards lead to better ones before the first two sequences are there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tables.rules.cards import PACK, RANKS, SUITS, Card, Rank, is_joker

Live = Mapping[Card, int]
"""Copies that may still come to a seat, by card; a printed joker is never asked for."""

JOKER: Final = 1000.0
RUN: Final = 60.0
"""Three in a row, all held."""
SET: Final = 25.0
HALF_RUN: Final = 2.5
"""Two of three in a row, for each live copy of the third."""
PAIR: Final = 1.0
"""Two of a rank, for each live copy of another suit."""
TWIN: Final = 0.3
"""What the second copy of a held card keeps of its worth."""


def _windows(card: Card) -> tuple[tuple[Card, Card], ...]:
    """The other two cards of every three in a row that the card belongs to."""
    ladder = RANKS + "A"
    rows = [ladder[low : low + 3] for low in range(12)]
    return tuple(
        (others[0] + card[1], others[1] + card[1])
        for row in rows
        if card[0] in row
        for others in [row.replace(card[0], "")]
    )


RUNS_WITH: Final = {card: _windows(card) for card in PACK}
SAME_RANK: Final = {
    card: tuple(card[0] + suit for suit in SUITS if suit != card[1]) for card in PACK
}


def worth(card: Card, held: Collection[Card], wild_rank: Rank, live: Live) -> float:
    """What `card` is worth among the cards `held` (itself included or not), in points."""
    if is_joker(card, wild_rank):
        return JOKER
    value = 0.0
    for first, second in RUNS_WITH[card]:
        if first in held:
            value += RUN if second in held else HALF_RUN * live[second]
        elif second in held:
            value += HALF_RUN * live[first]
    mates = [mate for mate in SAME_RANK[card] if mate in held]
    if len(mates) >= 2:
        value += SET
    elif mates:
        value += PAIR * sum(live[mate] for mate in SAME_RANK[card] if mate not in held)
    return value


def worths(hand: Sequence[Card], wild_rank: Rank, live: Live) -> dict[Card, float]:
    """The worth of each different card of a hand; a card held twice counts as its twin."""
    held = frozenset(hand)
    values = {card: worth(card, held, wild_rank, live) for card in held}
    if len(held) < len(hand):
        for card in held:
            if hand.count(card) > 1 and values[card] < JOKER:
                values[card] *= TWIN
    return values
