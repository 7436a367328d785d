"""The best single pure sequence of a hand, which one kind of profile does not count (rule 4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from tables.rules.cards import RANKS, SUITS, Card
from tables.rules.grouping_aims import POINT
from tables.rules.grouping_keys import CONTENT, SUIT_SHIFTS, Held, Weights, in_threes
from tables.rules.melds import HIGH_ACE, MAX_RUN, MIN_GROUP

MEMO_SIZE: Final = 1 << 13


def best_pure_points(hand: Held, weights: Weights) -> int:
    """Points of the pure sequence with the most, 0 if there is none."""
    if not in_threes(hand.present):
        return 0
    return max(
        _most_points(hand.present >> shift & CONTENT, hand.wild_present >> shift & CONTENT, weights)
        for shift in SUIT_SHIFTS
    )


def best_pure_runs(hand: Held, weights: Weights) -> Iterator[tuple[Card, ...]]:
    """Every pure sequence with the most points, by suit, lowest card and length."""
    most = best_pure_points(hand, weights)
    for suit, shift in zip(SUITS, SUIT_SHIFTS, strict=True):
        present, wild = hand.present >> shift & CONTENT, hand.wild_present >> shift & CONTENT
        for points, places in _runs(present, wild, weights):
            if points == most:
                yield tuple(RANKS[(place - 1) % len(RANKS)] + suit for place in places)


@lru_cache(maxsize=MEMO_SIZE)
def _most_points(present: int, wild: int, weights: Weights) -> int:
    return max((points for points, _ in _runs(present, wild, weights)), default=0)


def _runs(present: int, wild: int, weights: Weights) -> Iterator[tuple[int, range]]:
    """Points and positions of the pure sequences of a suit; wild cards count nothing."""
    for low in range(1, HIGH_ACE - MIN_GROUP + 2):
        points = 0
        for high in range(low, min(low + MAX_RUN - 1, HIGH_ACE) + 1):
            bit = 1 << 4 * (high - 1)
            if not present & bit:
                break
            points += 0 if wild & bit else weights[high] // POINT
            if high - low + 1 >= MIN_GROUP:
                yield points, range(low, high + 1)
