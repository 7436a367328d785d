"""The best grouping of a hand: the groups that count least under a profile (rule 4.4).

Of groupings with the same points a complete hand comes first, then the one that leaves fewer cards
ungrouped, then a fixed one; the order in which the cards are given never matters. `best_points` and
`is_complete` answer shorter questions faster; `best_melds` asks for no sequences.

This module knows what a profile counts; the search itself is in `grouping_search`. Every function
raises `RuleViolation`: `WRONG_CARD_COUNT`, `BAD_CARD` (a `??` too) or `BAD_RANK`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final, cast

import msgspec

from tables.rules.card_values import counted, total_points
from tables.rules.cards import (
    HAND_SIZE,
    PACK,
    PRINTED_JOKER,
    Card,
    Rank,
    in_order,
    is_joker,
    parse_wild,
    without,
)
from tables.rules.errors import Code, RuleViolation
from tables.rules.grouping_aims import (
    POINT,
    bare_up_to,
    cards_aim,
    matched_aim,
    melds_aim,
    weights_of,
    whole_matched_aim,
)
from tables.rules.grouping_keys import Held, held
from tables.rules.grouping_layout import lay_out
from tables.rules.grouping_pure import best_pure_points, best_pure_runs
from tables.rules.grouping_search import best_cover
from tables.rules.melds import Kind, as_laid
from tables.rules.profiles import RuleProfile, Unmatched
from tables.rules.readings import serving_kinds

MOST_MELD_CARDS: Final = HAND_SIZE + 1
MEMO_SIZE: Final = 1 << 13

_KINDS: Final = tuple(Kind)
_PLACE: Final = {card: place for place, card in enumerate((*PACK, PRINTED_JOKER))}


class Group(msgspec.Struct, frozen=True):
    """A valid group, its cards in reading order."""

    cards: tuple[Card, ...]
    kind: Kind


class Grouping(msgspec.Struct, frozen=True, kw_only=True):
    """All cards of a hand, each in one group or ungrouped.

    `points` are what the profile counts, capped; 0 for a complete hand.
    """

    points: int
    complete: bool
    groups: tuple[Group, ...]
    ungrouped: tuple[Card, ...]


def best_points(cards: Sequence[Card], wild_rank: Rank, profile: RuleProfile) -> int:
    """The points of the best grouping of 13 cards."""
    wild = parse_wild(wild_rank)
    hand = _held(cards, wild, profile)
    total, _, unmatched = _unmatched(hand, profile)
    # Only fewer points than without the sequences of a declaration are of interest.
    cover = best_cover(hand, matched_aim(profile), max(-1, (total - unmatched + 1) * POINT - 1))
    return unmatched if cover is None else counted(total - cover.value // POINT, total, 0, profile)


def is_complete(cards: Sequence[Card], wild_rank: Rank, profile: RuleProfile) -> bool:
    """Whether 13 cards can be declared as they are."""
    wild = parse_wild(wild_rank)
    hand = _held(cards, wild, profile)
    aim = matched_aim(profile) if profile.loose_jokers else whole_matched_aim(profile)
    everything = hand.weight + (hand.jokers if aim.counts_jokers else 0)
    return best_cover(hand, aim, everything - 1) is not None


def best_grouping(cards: Sequence[Card], wild_rank: Rank, profile: RuleProfile) -> Grouping:
    """The best grouping of 13 cards."""
    wild = parse_wild(wild_rank)
    hand = _held(cards, wild, profile)
    total, best_pure, unmatched = _unmatched(hand, profile)
    found = []
    floor = max(-1, (total - unmatched) * POINT - 1)
    matched = _matched(hand, cards, wild, profile, floor)
    if matched is not None:
        groups, ungrouped = matched
        left = total_points(ungrouped, wild, profile)
        complete = not left and (profile.loose_jokers or not ungrouped)
        points = counted(left, total, 0, profile)
        found.append(_grouping(points, complete, matched, wild, profile))
        if points < unmatched:
            return found[0]
    # Nothing counts less than a hand without the sequences: now cards matter, as far as groups
    # make no difference to the points.
    if best_pure and unmatched != profile.cap:
        spared: Iterable[tuple[Card, ...]] = best_pure_runs(hand, weights_of(profile))
    else:
        spared = [()]
    for run in spared:
        groups, ungrouped = _most_cards(without(cards, *run), wild, profile)
        groups += [list(run)] if run else []
        found.append(_grouping(unmatched, False, (groups, ungrouped), wild, profile))
    return min(found, key=lambda grouping: (not grouping.complete, len(grouping.ungrouped)))


def best_melds(cards: Sequence[Card], wild_rank: Rank, profile: RuleProfile) -> Grouping:
    """Valid groups of up to 14 cards that leave the fewest points outside, then the fewest cards.

    No sequence is asked for, and nothing is capped; `complete` says that no card is left.
    """
    if len(cards) > MOST_MELD_CARDS:
        raise _wrong_count(f"up to {MOST_MELD_CARDS}", len(cards))
    wild, aim = parse_wild(wild_rank), melds_aim(profile)
    hand = held(cards, wild, aim.runs.options.weights, bare_up_to(profile))
    cover = best_cover(hand, aim, -1)
    groups, ungrouped = lay_out(cover, cards, wild, aim) if cover else ([], list(cards))
    points = total_points(ungrouped, wild, profile)
    return _grouping(points, not ungrouped, (groups, ungrouped), wild, profile)


def _matched(
    hand: Held, cards: Sequence[Card], wild: Rank, profile: RuleProfile, floor: int
) -> tuple[list[list[Card]], list[Card]] | None:
    """The groups with the fewest points that have the sequences of a declaration, if worth enough.

    Where substitutes are limited the first search may leave a joker that other groups with the same
    points have room for; only then is it worth to look again.
    """
    quick, whole = matched_aim(profile), whole_matched_aim(profile)
    cover = best_cover(hand, quick, floor)
    if cover is None:
        return None
    laid = lay_out(cover, cards, wild, quick)
    if whole != quick and any(is_joker(card, wild) for card in laid[1]):
        again = best_cover(hand, whole, cover.value // POINT * POINT - 1)
        if again is not None:
            laid = lay_out(again, cards, wild, whole)
    return laid


def _most_cards(
    cards: Sequence[Card], wild_rank: Rank, profile: RuleProfile
) -> tuple[list[list[Card]], list[Card]]:
    """Valid groups that leave the fewest cards outside, and those."""
    aim = cards_aim(profile)
    hand = held(cards, wild_rank, aim.runs.options.weights, bare_up_to(profile))
    cover = best_cover(hand, aim, -1)
    return lay_out(cover, cards, wild_rank, aim) if cover else ([], list(cards))


def _held(cards: Sequence[Card], wild_rank: Rank, profile: RuleProfile) -> Held:
    """The counts of a whole hand."""
    if len(cards) != HAND_SIZE:
        raise _wrong_count(str(HAND_SIZE), len(cards))
    return held(cards, wild_rank, weights_of(profile), bare_up_to(profile))


def _wrong_count(wanted: str, given: int) -> RuleViolation:
    return RuleViolation(
        Code.WRONG_CARD_COUNT, f"{wanted} cards are grouped, not {given}.", field="hand"
    )


def _unmatched(hand: Held, profile: RuleProfile) -> tuple[int, int, int]:
    """Points of all cards, of the best pure sequence if it is spared, and what they count."""
    spares = profile.unmatched is Unmatched.ALL_BUT_BEST_PURE
    best_pure = best_pure_points(hand, weights_of(profile)) if spares else 0
    total = hand.weight // POINT
    return total, best_pure, counted(None, total, best_pure, profile)


def _grouping(
    points: int,
    complete: bool,
    laid_out: tuple[list[list[Card]], list[Card]],
    wild_rank: Rank,
    profile: RuleProfile,
) -> Grouping:
    """Pure sequences, impure ones, sets, each kind by suit and rank."""
    groups, ungrouped = laid_out
    # A cover holds valid groups only.
    kinds = cast(tuple[Kind, ...], serving_kinds(groups, wild_rank, profile))
    laid = [_laid(tuple(group), kind, wild_rank) for group, kind in zip(groups, kinds, strict=True)]
    laid.sort(key=itemgetter(0))
    return Grouping(
        points=points,
        complete=complete,
        groups=tuple([group for _, group in laid]),
        ungrouped=in_order(ungrouped),
    )


@lru_cache(maxsize=MEMO_SIZE)
def _laid(cards: tuple[Card, ...], kind: Kind, wild_rank: Rank) -> tuple[tuple[int, ...], Group]:
    """A group in reading order, and its place among others."""
    laid = as_laid(cards, kind, wild_rank)
    return (_KINDS.index(kind), *(_PLACE[card] for card in laid)), Group(laid, kind)
