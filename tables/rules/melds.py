"""Groups of cards: what makes a pure sequence, an impure sequence and a set (rules 2.1 to 2.6).

A *joker* is a printed joker or a card of the wild rank. A card *stands as itself* where its own
rank and suit are asked for; every other joker of a group is a *substitute*. Positions are the
places of a suit, 1 for a low ace, 2 to 13, and 14 for a high ace. Nothing here knows a whole hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from tables.rules.cards import PRINTED_JOKER, RANKS, SUITS, Card, Rank, in_order, is_joker
from tables.rules.profiles import RuleProfile

MIN_GROUP: Final = 3
MAX_RUN: Final = 13
HIGH_ACE: Final = 14
MEMO_SIZE: Final = 1 << 13

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

    Of equal ones the first suit, then the lowest. Options of a profile are not looked at.
    """
    if not MIN_GROUP <= len(cards) <= MAX_RUN:
        return None
    naturals = [card for card in cards if not is_joker(card, wild_rank)]
    wild_suits = {card[1] for card in cards if card != PRINTED_JOKER and card[0] == wild_rank}
    suits = {card[1] for card in naturals} or wild_suits
    if len(set(naturals)) < len(naturals) or (naturals and len(suits) > 1):
        return None
    ranks = [card[0] for card in naturals]
    best = None
    for suit in SUITS:
        if suit in suits:
            wild = POSITIONS[wild_rank] if suit in wild_suits else ()
            for low, standing in _laid_out(ranks, wild, len(cards)):
                if best is None or len(cards) - standing < best.substitutes:
                    best = Run(len(cards) - standing, low, suit)
    return best


def _laid_out(ranks: Sequence[Rank], wild: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """Lowest positions of runs of some size that hold all ranks, and how many cards stand in each.

    `wild` are the positions where a wild card would stand as itself. For every way to place the
    ace and the wild card only the lowest run is of interest.
    """
    top = HIGH_ACE - size + 1
    for ace in (1, HIGH_ACE) if "A" in ranks else (1,):
        places = [ace if rank == "A" else POSITIONS[rank][0] for rank in ranks]
        lowest = max(1, max(places) - size + 1) if places else 1
        highest = min([top, *places])
        if lowest > highest:
            continue
        if places:
            yield lowest, len(places) + any(lowest <= place < lowest + size for place in wild)
        for place in wild:
            low = max(lowest, place - size + 1)
            if low <= min(highest, place):
                yield low, len(places) + 1


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
    limits = profile.run_joker_limit, profile.set_size_limit
    return dict(_readings(tuple(cards), wild_rank, *limits))


def kind_of(cards: Sequence[Card], wild_rank: Rank, profile: RuleProfile) -> Kind | None:
    """The reading with the fewest substitutes, a sequence before a set, or None if invalid.

    So three wild cards of one rank are a set, and `7S JK JK` is a sequence. A declaration that
    lacks a sequence may read such a group the other way: see `readings`.
    """
    limits = profile.run_joker_limit, profile.set_size_limit
    readings = _readings(tuple(cards), wild_rank, *limits)
    return min(readings, key=lambda reading: reading[1])[0] if readings else None


@lru_cache(maxsize=MEMO_SIZE)
def _readings(
    cards: tuple[Card, ...], wild_rank: Rank, run_joker_limit: int | None, set_limit: int | None
) -> tuple[tuple[Kind, int], ...]:
    """Every valid reading and its substitutes, a sequence first."""
    readings = []
    run = run_of(cards, wild_rank)
    if run is not None and (run_joker_limit is None or run.substitutes <= run_joker_limit):
        kind = Kind.IMPURE_SEQUENCE if run.substitutes else Kind.PURE_SEQUENCE
        readings.append((kind, run.substitutes))
    substitutes = set_substitutes(cards, wild_rank)
    if substitutes is not None and (set_limit is None or len(cards) <= set_limit):
        readings.append((Kind.SET, substitutes))
    return tuple(readings)


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
