"""What each row of a score sheet counts, under a deal's terms (rules 6.7.2, 6.7.3, 6.7.5)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from tables.rules.cards import HAND_SIZE
from tables.rules.formats.base import MISSED_DEAL, NextDeal
from tables.rules.formats.checks import hand_limit
from tables.rules.profiles import RuleProfile, Unmatched
from tables.rules.results import Outcome
from tables.rules.terms import DealTerms

MAX_CARD: Final = 10
MATCHED_RUN: Final = 3
"""Cards of the shorter of the two sequences that a declaration needs."""


class Kind(StrEnum):
    """How a player came out of a deal, in a scorer's words."""

    WON = "won"
    LOST = "lost"
    """Showed his hand, and its groups count."""
    DROP = "drop"
    MIDDLE_DROP = "middle_drop"
    WRONG_DECLARATION = "wrong_declaration"
    FULL_COUNT = "full_count"
    """His whole hand counts, whatever its groups: he was too late, or is gone."""
    ABSENT = "absent"
    """Was not there: the first drop, or where there is none, a deal missed."""


class Cost(NamedTuple):
    """What a kind counts: always `fixed` points, or the hand where that is None."""

    outcome: Outcome
    fixed: int | None
    whole_hand: bool = False


def cost_of(step: NextDeal, row_seat: int, kind: Kind, *, leaves: bool = False) -> Cost | None:
    """What a kind counts for a seat of this deal; None where it cannot be.

    Nobody drops where there is no drop, nor from a total that leaves none, save by going away.
    """
    terms = step.terms
    match kind:
        case Kind.WON:
            return Cost(Outcome.WON, 0)
        case Kind.LOST:
            return Cost(Outcome.LOST, None)
        case Kind.WRONG_DECLARATION:
            counts_hand = terms.profile.wrong_declaration_counts_hand
            fixed = None if counts_hand else terms.wrong_declaration
            return Cost(Outcome.WRONG_DECLARATION, fixed, whole_hand=True)
        case Kind.DROP | Kind.MIDDLE_DROP if row_seat in step.no_drop and not leaves:
            return None
        case Kind.DROP:
            return Cost(Outcome.FIRST_DROP, terms.first_drop) if terms.has_drop else None
        case Kind.MIDDLE_DROP:
            return Cost(Outcome.MIDDLE_DROP, terms.middle_drop) if terms.has_drop else None
        case Kind.ABSENT if terms.has_drop:
            return Cost(Outcome.FIRST_DROP, terms.first_drop)
        case Kind.FULL_COUNT | Kind.ABSENT:
            left = leaves and not terms.has_drop
            return Cost(Outcome.LEFT if left else Outcome.FULL_COUNT, None, whole_hand=True)


def impossible(points: int, profile: RuleProfile, *, whole_hand: bool) -> str:
    """Why no hand of the profile counts so much; empty if one may (rules 4.1 to 4.3)."""
    limit = hand_limit(profile)
    if type(points) is not int or not 0 <= points <= limit:
        return f"A hand counts 0 to {limit} points here, not {points}."
    if profile.unmatched is Unmatched.FLAT_CAP:
        # Two sequences lie, one of them long, so that not all 13 cards can be loose.
        loose = 0 if whole_hand else MAX_CARD * (HAND_SIZE - MATCHED_RUN - profile.long_run)
        if points not in (*range(loose + 1), limit) or (whole_hand and points != limit):
            most = f"at most {loose}, or " if loose else ""
            return f"A hand counts {most}{limit} points here, not {points}."
    if points == 1 and 1 not in (profile.ace_points, profile.complete_loser_points):
        return "No hand counts 1 point here: the smallest card counts 2."
    return ""


def costs_in_words(terms: DealTerms, kind: Kind) -> str:
    """What a kind counts, for the sheet: `20 points`, `0 to 80 points, or the cards`."""
    cost = cost_of(NextDeal((), None, terms), 0, kind)
    if cost is None:
        return "not in this match"
    if cost.fixed is not None:
        return f"{cost.fixed} points"
    limit = hand_limit(terms.profile)
    if terms.profile.unmatched is Unmatched.FLAT_CAP and cost.whole_hand:
        return f"{limit} points"
    if kind is Kind.ABSENT:
        return f"{min(MISSED_DEAL, limit)} points, or the hand that was dealt to him"
    whole = "all cards, " if cost.whole_hand else ""
    return f"{whole}0 to {limit} points, or the cards"


def worded(kind: Kind) -> str:
    words = {Kind.WON: "The winner", Kind.DROP: "A first drop", Kind.ABSENT: "Who is absent"}
    return words.get(kind, f"A {kind.value.replace('_', ' ')}")
