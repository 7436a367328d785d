"""Groups of cards: what makes a pure sequence, an impure sequence and a set (rules 2.1 to 2.6).

A *joker* is a printed joker or a card of the wild rank. A card *stands as itself* where its own
rank and suit are asked for; every other joker of a group is a *substitute*. Positions are the
places of a suit, 1 for a low ace, 2 to 13, and 14 for a high ace. Nothing here knows a whole hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from tables.rules.cards import PRINTED_JOKER, RANKS, SUITS, Card, Rank, in_order, is_joker
from tables.rules.profiles import RuleProfile

MIN_GROUP: Final = 3
MAX_RUN: Final = 13
HIGH_ACE: Final = 14

POSITIONS: Final[dict[Rank, tuple[int, ...]]] = {
    rank: (place, HIGH_ACE) if place == 1 else (place,) for place, rank in enumerate(RANKS, 1)
}


class Kind(StrEnum):
    """What a valid group is read as. The values are part of the public protocol."""

    PURE_SEQUENCE = "pure_sequence"
    IMPURE_SEQUENCE = "impure_sequence"
    SET = "set"

    @property
    def is_sequence(self) -> bool:
        """Whether it counts among the two sequences of a declaration."""
        return self is not Kind.SET


class Run(NamedTuple):
    """A group laid out as a sequence: its suit, its lowest position and its substitutes."""

    substitutes: int
    low: int
    suit: str


def run_of(cards: Sequence[Card], wild_rank: Rank) -> Run | None:
    """The cards as a sequence with the fewest substitutes, or None.

    Of equal ones the lowest, in the first suit. Options of a profile are not looked at.
    """
    if not MIN_GROUP <= len(cards) <= MAX_RUN:
        return None
    naturals = [card for card in cards if not is_joker(card, wild_rank)]
    wild_suits = {card[1] for card in cards if card != PRINTED_JOKER and card[0] == wild_rank}
    suits = {card[1] for card in naturals} or wild_suits
    if len(set(naturals)) < len(naturals) or (naturals and len(suits) > 1):
        return None
    ranks = {card[0] for card in naturals}
    runs = [
        run
        for suit in SUITS
        if suit in suits
        for low in range(1, HIGH_ACE - len(cards) + 2)
        if (run := _laid_out(cards, ranks, wild_rank if suit in wild_suits else "", low, suit))
    ]
    return min(runs, key=lambda run: run.substitutes, default=None)


def _laid_out(
    cards: Sequence[Card], ranks: set[Rank], own_wild: Rank, low: int, suit: str
) -> Run | None:
    """The cards from position `low` up, if every natural rank has its place there."""
    places = range(low, low + len(cards))
    if not all(any(place in places for place in POSITIONS[rank]) for rank in ranks):
        return None
    as_itself = bool(own_wild) and any(place in places for place in POSITIONS[own_wild])
    standing = len(ranks) + as_itself
    return Run(len(cards) - standing, low, suit) if standing else None


def set_substitutes(cards: Sequence[Card], wild_rank: Rank) -> int | None:
    """Fewest substitutes with which the cards make a set of any size, or None.

    At least one card stands as itself; a second card of its suit only as a joker.
    """
    naturals = [card for card in cards if not is_joker(card, wild_rank)]
    if len(cards) < MIN_GROUP or len({card[0] for card in naturals}) > 1:
        return None
    if not naturals:
        naturals = list({card for card in cards if card != PRINTED_JOKER})
    if not naturals or len({card[1] for card in naturals}) < len(naturals):
        return None
    return len(cards) - len(naturals)


def classify(cards: Sequence[Card], wild_rank: Rank, profile: RuleProfile) -> dict[Kind, int]:
    """Every valid reading of a group under the profile, with its number of substitutes.

    At most one of the two sequences is named: what can be pure is never read as impure.
    """
    readings: dict[Kind, int] = {}
    run, limit = run_of(cards, wild_rank), profile.run_joker_limit
    if run is not None and (limit is None or run.substitutes <= limit):
        kind = Kind.IMPURE_SEQUENCE if run.substitutes else Kind.PURE_SEQUENCE
        readings[kind] = run.substitutes
    substitutes, most = set_substitutes(cards, wild_rank), profile.set_size_limit
    if substitutes is not None and (most is None or len(cards) <= most):
        readings[Kind.SET] = substitutes
    return readings


def kind_of(cards: Sequence[Card], wild_rank: Rank, profile: RuleProfile) -> Kind | None:
    """The reading with the fewest substitutes, a sequence before a set, or None if invalid.

    So three wild cards of one rank are a set, and `7S JK JK` is a sequence. A declaration that
    lacks a sequence may read such a group the other way: see `hands.judge`.
    """
    readings = classify(cards, wild_rank, profile)
    return min(readings, key=lambda kind: (readings[kind], kind is Kind.SET), default=None)


def as_laid(cards: Sequence[Card], kind: Kind, wild_rank: Rank) -> tuple[Card, ...]:
    """A valid group in reading order: a sequence upwards, jokers in their places; a set by suit.

    Cards of no valid sequence come back sorted.
    """
    left = list(in_order(cards))
    run = run_of(cards, wild_rank) if kind.is_sequence else None
    if run is None:
        return tuple(sorted(left, key=lambda card: is_joker(card, wild_rank)))
    wanted = [
        RANKS[(place - 1) % len(RANKS)] + run.suit for place in range(run.low, run.low + len(cards))
    ]
    standing = [card in left for card in wanted]
    for card, stands in zip(wanted, standing, strict=True):
        if stands:
            left.remove(card)
    jokers = iter(left)
    return tuple(
        card if stands else next(jokers) for card, stands in zip(wanted, standing, strict=True)
    )
