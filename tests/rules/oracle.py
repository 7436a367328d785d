"""Slow reference for hands of 13 cards, written to be read against the rules.

Every subset of the hand is classified straight from the definition; then every exact cover of every
subset is followed by dynamic programming over the subsets. Some tenths of a second a hand. It
shares no code with what it checks but the options of a profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tables.rules.profiles import RuleProfile, Unmatched

RANKS = "A23456789TJQK"
SUITS = "SHDC"


class Reading(NamedTuple):
    """What a group counts for in a cover: sequences, pure ones, long ones (0 or 1 each)."""

    sequences: int
    pure: int
    long: int


Cover = tuple[int, int, int, int]
"""What the groups that cover some cards have in all: sequences (2 for any more), whether a pure and
a long one, and the points of the best pure one where a profile spares it."""


class Answer(NamedTuple):
    """The best grouping; smaller is better."""

    points: int
    incomplete: bool
    ungrouped: int


def is_joker(card: str, wild_rank: str) -> bool:
    return card == "JK" or card[0] == wild_rank


def points_of(card: str, wild_rank: str, profile: RuleProfile) -> int:
    if is_joker(card, wild_rank):
        return 0
    if card[0] == "A":
        return profile.ace_points
    return min(10, RANKS.index(card[0]) + 1)


POSITIONS = {rank: (place, 14) if place == 1 else (place,) for place, rank in enumerate(RANKS, 1)}
"""Places of a rank in a suit's order 1 to 14; the ace has two."""


def run_substitutes(cards: Sequence[str], wild_rank: str) -> int | None:
    """Fewest jokers that substitute if the cards make a run, None if they make none."""
    size = len(cards)
    if size < 3:
        return None
    best = None
    for suit in SUITS:
        for low in range(1, 15 - size + 1):
            filled = _filled(cards, wild_rank, suit, low, low + size - 1)
            if filled and (best is None or size - len(filled) < best):
                best = size - len(filled)
    return best


def _filled(cards: Sequence[str], wild_rank: str, suit: str, low: int, high: int) -> set[int]:
    """Places from low to high taken by cards as themselves; empty if a card has no place."""
    filled: set[int] = set()
    wilds = []
    for card in cards:
        if card == "JK":
            continue
        if card[0] == wild_rank:
            wilds.append(card)
            continue
        if card[1] != suit:
            return set()
        where = [place for place in POSITIONS[card[0]] if low <= place <= high]
        if not where or where[0] in filled:
            return set()
        filled.add(where[0])
    for card in wilds:
        if card[1] == suit:
            filled.update(place for place in POSITIONS[wild_rank] if low <= place <= high)
    return filled


def is_set(cards: Sequence[str], wild_rank: str, limit: int | None) -> bool:
    """Whether the cards make a set of at most so many cards."""
    if len(cards) < 3 or (limit is not None and len(cards) > limit):
        return False
    naturals = [card for card in cards if not is_joker(card, wild_rank)]
    if not naturals:
        return any(card != "JK" for card in cards)
    suits = {card[1] for card in naturals}
    return len({card[0] for card in naturals}) == 1 and len(suits) == len(naturals)


def readings(cards: Sequence[str], wild_rank: str, profile: RuleProfile) -> list[Reading]:
    """Everything a group of cards can be."""
    found = []
    substitutes, limit = run_substitutes(cards, wild_rank), profile.run_joker_limit
    if substitutes is not None and (limit is None or substitutes <= limit):
        found.append(Reading(1, int(substitutes == 0), int(len(cards) >= profile.long_run)))
    if is_set(cards, wild_rank, profile.set_size_limit):
        found.append(Reading(0, 0, 0))
    return found


def covers(
    hand: Sequence[str], wild_rank: str, profile: RuleProfile, points: Sequence[int]
) -> list[set[Cover]]:
    """For every subset of the hand, by its bits, what the groups of an exact cover can be."""
    groups: list[list[tuple[int, list[Cover]]]] = [[] for _ in hand]
    known: dict[tuple[str, ...], list[Reading]] = {}
    spares = profile.unmatched is Unmatched.ALL_BUT_BEST_PURE
    for mask in range(1, 1 << len(hand)):
        if mask.bit_count() >= 3:
            cards = tuple(sorted([card for i, card in enumerate(hand) if mask >> i & 1]))
            kinds = known.get(cards)
            if kinds is None:
                kinds = known[cards] = readings(cards, wild_rank, profile)
            if kinds:
                spared = points[mask] if spares else 0
                alone = [(*kind, spared * kind.pure) for kind in kinds]
                groups[_lowest(mask)].append((mask, alone))
    reach: list[set[Cover]] = [set() for _ in range(1 << len(hand))]
    reach[0].add((0, 0, 0, 0))
    for mask in range(1, 1 << len(hand)):
        here = reach[mask]
        for group, alone in groups[_lowest(mask)]:
            if group & ~mask:
                continue
            for sequences, pure, is_long, best in reach[mask ^ group]:
                for more, is_pure, long, spared in alone:
                    total = min(2, sequences + more)
                    here.add((total, pure | is_pure, is_long | long, max(best, spared)))
    return reach


def reference(hand: Sequence[str], wild_rank: str, profile: RuleProfile) -> Answer:
    """The best grouping of a hand under a profile."""
    return references(hand, wild_rank, [profile])[0]


def references(
    hand: Sequence[str], wild_rank: str, profiles: Sequence[RuleProfile]
) -> list[Answer]:
    """The best grouping under each of some profiles that group alike and count differently."""
    points = _subset_points([points_of(card, wild_rank, profiles[0]) for card in hand])
    jokers = sum(1 << i for i, card in enumerate(hand) if is_joker(card, wild_rank))
    reach, whole = covers(hand, wild_rank, profiles[0], points), (1 << len(hand)) - 1
    return [
        min(
            _answer(cover, whole & ~mask, points, jokers, profile)
            for mask, found in enumerate(reach)
            for cover in found
        )
        for profile in profiles
    ]


def least_outside(hand: Sequence[str], wild_rank: str, profile: RuleProfile) -> tuple[int, int]:
    """Fewest points and then cards outside valid groups, whatever these are."""
    points = _subset_points([points_of(card, wild_rank, profile) for card in hand])
    reach, whole = covers(hand, wild_rank, profile, points), (1 << len(hand)) - 1
    return min(
        (points[whole & ~mask], (whole & ~mask).bit_count())
        for mask, found in enumerate(reach)
        if found
    )


def _answer(
    cover: Cover, left: int, points: Sequence[int], jokers: int, profile: RuleProfile
) -> Answer:
    sequences, pure, is_long, best_pure = cover
    matched = sequences == 2 and pure and is_long
    complete = matched and (not left or (profile.loose_jokers and not left & ~jokers))
    counted = points[-1] - best_pure
    if matched:
        counted = points[left]
    elif profile.unmatched is Unmatched.FLAT_CAP and profile.cap is not None:
        counted = profile.cap
    if profile.cap is not None:
        counted = min(profile.cap, counted)
    return Answer(counted, not complete, left.bit_count())


def _subset_points(values: Sequence[int]) -> list[int]:
    """Points of every subset, by its bits."""
    points = [0] * (1 << len(values))
    for mask in range(1, len(points)):
        points[mask] = points[mask & (mask - 1)] + values[_lowest(mask)]
    return points


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1
