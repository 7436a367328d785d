"""Judging a hand: whether declared groups are a valid declaration, and what they count.

A *declaration* is groups of cards and, beside them, loose cards. It is *complete* when it is
matched (see `readings`) and all 13 cards are grouped, jokers aside where the profile lets them lie
loose. Points here are those of the cards: what a complete hand or a wrong declaration costs a loser
is decided by the deal. Groups are judged as they lie; `best_grouping` finds those that count least.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import msgspec

from tables.rules.card_values import card_points, counted, full_count, total_points
from tables.rules.cards import HAND_SIZE, Card, Rank, is_joker
from tables.rules.errors import Code, RuleViolation
from tables.rules.grouping import (
    Group,
    Grouping,
    best_grouping,
    best_melds,
    best_points,
    is_complete,
)
from tables.rules.melds import Kind
from tables.rules.profiles import RuleProfile
from tables.rules.readings import is_matched, serving_kinds

__all__ = [
    "Group",
    "Grouping",
    "Judgement",
    "best_grouping",
    "best_melds",
    "best_points",
    "card_points",
    "full_count",
    "is_complete",
    "judge",
]


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """What a declaration is worth.

    `points` are capped as the profile says, 0 for a complete hand; `kinds` go with the groups in
    their order, None for an invalid group; `ungrouped_points` is the plain sum of the cards outside
    valid groups.
    """

    points: int
    complete: bool
    kinds: tuple[Kind | None, ...]
    ungrouped_points: int = 0


def judge(
    groups: Sequence[Sequence[Card]], loose: Sequence[Card], wild_rank: Rank, profile: RuleProfile
) -> Judgement:
    """Judge declared groups and loose cards (rules 3.1 to 3.3, 4.1); invalid groups are loose.

    A hand of fewer than 13 cards is never complete. Raises `RuleViolation`: `WRONG_CARD_COUNT` for
    more than 13 cards, `BAD_CARD` for a text that is no card.
    """
    cards = [*chain.from_iterable(groups), *loose]
    if len(cards) > HAND_SIZE:
        raise RuleViolation(
            Code.WRONG_CARD_COUNT,
            f"A hand to count has at most {HAND_SIZE} cards, not {len(cards)}.",
            field="groups",
        )
    total = total_points(cards, wild_rank, profile)
    kinds = serving_kinds(groups, wild_rank, profile)
    read = list(zip(groups, kinds, strict=True))
    ungrouped = [*chain.from_iterable(group for group, kind in read if kind is None), *loose]
    left = total_points(ungrouped, wild_rank, profile)
    pure = [group for group, kind in read if kind is Kind.PURE_SEQUENCE]
    best_pure = max((total_points(group, wild_rank, profile) for group in pure), default=0)
    matched = is_matched(groups, kinds, profile)
    may_lie_loose = profile.loose_jokers and all(is_joker(card, wild_rank) for card in ungrouped)
    return Judgement(
        points=counted(left if matched else None, total, best_pure, profile),
        complete=matched and len(cards) == HAND_SIZE and (not ungrouped or may_lie_loose),
        kinds=kinds,
        ungrouped_points=left,
    )
