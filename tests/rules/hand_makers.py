"""Hands to try solvers on: thirteen cards and the wild rank, made from a seeded generator.

All could be dealt from two packs with two printed jokers, but `joker_rich` ones, which hold up to
eight jokers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from tables.rules.cards import HAND_SIZE, PACK, PRINTED_JOKER, RANKS, SUITS, wild_rank_of
from tables.rules.hands import best_points
from tables.rules.profiles import PROFILES

Hand = list[str]
Dealt = tuple[Hand, str]
"""A hand and the wild rank."""
Maker = Callable[[Random], Dealt]

SIZES = ((3, 3, 3, 4), (4, 3, 3, 3), (4, 4, 5), (5, 5, 3), (3, 3, 7))
LADDER = RANKS + "A"


def _shoe(rng: Random) -> tuple[Hand, str]:
    """A shuffled shoe without the card turned up, and the wild rank."""
    shoe = [*PACK, *PACK, PRINTED_JOKER, PRINTED_JOKER]
    rng.shuffle(shoe)
    return shoe, wild_rank_of(shoe.pop())


def random_deal(rng: Random) -> Dealt:
    """Thirteen cards as dealt."""
    shoe, wild = _shoe(rng)
    return shoe[:HAND_SIZE], wild


def near_complete(rng: Random) -> Dealt:
    """Cards of valid groups, one or two of them replaced."""
    shoe, wild = _shoe(rng)
    left, hand = Counter(shoe), Hand()
    for place, size in enumerate(rng.choice(SIZES)):
        hand += _group(rng, left, size, wild, is_run=place < 2 or size > 4 or rng.random() < 0.4)
    pool = list(left.elements())
    rng.shuffle(pool)
    hand += pool[: HAND_SIZE - len(hand)]
    for card in pool[-rng.choice((1, 2)) :]:
        hand[rng.randrange(HAND_SIZE)] = card
    rng.shuffle(hand)
    return hand, wild


def _group(rng: Random, left: Counter[str], size: int, wild: str, *, is_run: bool) -> Hand:
    """A group of cards still there, now and then a joker for one of them; taken from `left`."""
    jokers = [PRINTED_JOKER, *(wild + suit for suit in SUITS)]
    while True:
        if is_run:
            low, suit = rng.randrange(len(LADDER) - size + 1), rng.choice(SUITS)
            cards = [rank + suit for rank in LADDER[low : low + size]]
        else:
            rank = rng.choice(RANKS)
            cards = [rank + suit for suit in rng.sample(SUITS, size)]
        cards = [rng.choice(jokers) if rng.random() < 0.1 else card for card in cards]
        if not Counter(cards) - left:
            left -= Counter(cards)
            return cards


def crowded(rng: Random) -> Dealt:
    """Few ranks, so that sets and sequences compete for the same cards."""
    shoe, wild = _shoe(rng)
    low = rng.randrange(len(LADDER) - 3)
    ranks = set(LADDER[low : low + 3]) if rng.random() < 0.5 else set(rng.sample(RANKS, 3))
    shoe.sort(key=lambda card: card[0] not in ranks and rng.random() < 0.9)
    return shoe[:HAND_SIZE], wild


def joker_rich(rng: Random) -> Dealt:
    """Four to eight jokers."""
    shoe, wild = _shoe(rng)
    jokers = [PRINTED_JOKER] * 4 + [wild + suit for suit in SUITS] * 2
    rng.shuffle(jokers)
    number = rng.randrange(4, 9)
    naturals = [card for card in shoe if card[0] != wild and card != PRINTED_JOKER]
    return jokers[:number] + naturals[: HAND_SIZE - number], wild


def played(rng: Random) -> Dealt:
    """What is left after some turns of drawing blindly and keeping the best thirteen cards."""
    shoe, wild = _shoe(rng)
    hand, profile = shoe[:HAND_SIZE], PROFILES["g24_knockout"]
    for card in shoe[HAND_SIZE : HAND_SIZE + rng.randrange(5, 25)]:
        held = [*hand, card]
        choices = [held[:i] + held[i + 1 :] for i in range(len(held))]
        hand = min(choices, key=lambda choice: best_points(choice, wild, profile))
    return hand, wild


MAKERS: dict[str, Maker] = {
    "random": random_deal,
    "near complete": near_complete,
    "crowded": crowded,
    "joker-rich": joker_rich,
    "played": played,
}
