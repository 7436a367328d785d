"""What cards count, one by one and all together (rules 1.5, 4.1 and 4.2).

Jokers of both kinds count nothing; an ace counts what the profile says. Nothing here knows groups.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tables.rules.cards import RANKS, Card, Rank, is_joker, parse_card
from tables.rules.profiles import RuleProfile, Unmatched

_POINTS: Final[dict[Rank, int]] = {
    rank: min(place, 10) for place, rank in enumerate(RANKS, 1) if rank != "A"
}


def rank_points(rank: Rank, ace_points: int) -> int:
    """Points of a card of this rank that is no joker."""
    return ace_points if rank == "A" else _POINTS[rank]


def card_points(card: Card, wild_rank: Rank, profile: RuleProfile) -> int:
    """Points of one card, 0 for a joker. Raises `RuleViolation(BAD_CARD)`, also for a `??`."""
    parse_card(card)
    return 0 if is_joker(card, wild_rank) else rank_points(card[0], profile.ace_points)


def total_points(cards: Iterable[Card], wild_rank: Rank, profile: RuleProfile) -> int:
    """Points of all the cards, without a cap."""
    return sum(card_points(card, wild_rank, profile) for card in cards)


def full_count(
    cards: Iterable[Card], wild_rank: Rank, profile: RuleProfile, capped: bool = True
) -> int:
    """What a hand counts of which no group is taken into account: all its cards, up to the cap.

    Where unmatched hands count a flat cap, that is the count, however small the cards are.
    `capped=False` gives the plain sum of the cards under every profile.
    """
    total = total_points(cards, wild_rank, profile)
    if not capped or profile.cap is None:
        return total
    return profile.cap if profile.unmatched is Unmatched.FLAT_CAP else min(profile.cap, total)


def counted(left: int | None, total: int, best_pure: int, profile: RuleProfile) -> int:
    """Points of a hand under the profile (rules 4.1, 4.2).

    `left` are the points outside valid groups, None unless there are the sequences a declaration
    needs; `total` those of all cards; `best_pure` those of the best pure sequence, 0 without one.
    """
    if left is None:
        if profile.unmatched is Unmatched.FLAT_CAP and profile.cap is not None:
            return profile.cap
        spared = best_pure if profile.unmatched is Unmatched.ALL_BUT_BEST_PURE else 0
        left = total - spared
    return left if profile.cap is None else min(profile.cap, left)
