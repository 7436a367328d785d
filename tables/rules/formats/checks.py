"""Checks that all formats share: the seats of a match, and a result that fits its deal.

The online engine's results and those a scorer typed come through the same check, so a total can
only ever grow by points that the rules know.
"""

from __future__ import annotations

from tables.rules.cards import HAND_SIZE
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats.base import NextDeal
from tables.rules.profiles import RuleProfile
from tables.rules.results import DealResult, Outcome, SeatScore
from tables.rules.terms import DealTerms

MAX_SEAT_NUMBER = 99


def check_seats(seats: tuple[int, ...], profile: RuleProfile) -> None:
    """Raises `BAD_SEATS` unless the profile can deal to these different seats."""
    known = all(type(seat) is int and 0 <= seat <= MAX_SEAT_NUMBER for seat in seats)
    if not known or len(set(seats)) != len(seats):
        raise RuleViolation(
            Code.BAD_SEATS, "Seats are different numbers from 0 to 99.", field="seats"
        )
    profile.shoe_for(len(seats))


def hand_limit(profile: RuleProfile) -> int:
    """The most points a hand can count under the profile (rule 4.2)."""
    uncapped = HAND_SIZE * max(10, profile.ace_points)
    return uncapped if profile.cap is None else min(profile.cap, uncapped)


def most_points(terms: DealTerms) -> int:
    """The most points one deal can cost a player, however he loses it."""
    penalties = [terms.middle_drop or 0]
    if not terms.profile.wrong_declaration_counts_hand:
        penalties.append(terms.wrong_declaration)
    return max(hand_limit(terms.profile), *penalties)


def check_result(step: NextDeal, result: DealResult) -> None:
    """Raises `BAD_RESULT` unless `result` can come out of the deal that `step` asked for."""
    played = {score.seat for score in result.scores}
    if played != set(step.seats):
        wanted = ", ".join(str(seat) for seat in sorted(step.seats))
        raise RuleViolation(
            Code.BAD_RESULT, f"This deal is played by the seats {wanted}.", field="scores"
        )
    for place, score in enumerate(result.scores):
        _check_score(step.terms, score, f"scores[{place}]")


def _check_score(terms: DealTerms, score: SeatScore, field: str) -> None:
    fixed = _fixed_points(terms, score.outcome, field)
    limit = hand_limit(terms.profile)
    if fixed is not None and score.points != fixed:
        fault = f"{_worded(score.outcome)} counts {fixed} points"
    elif fixed is None and score.points > limit:
        fault = f"A hand counts at most {limit} points"
    else:
        return
    raise RuleViolation(
        Code.BAD_RESULT,
        f"{fault} here, not {score.points} (seat {score.seat}).",
        field=field,
    )


def _fixed_points(terms: DealTerms, outcome: Outcome, field: str) -> int | None:
    """What the outcome always counts, None when the hand is counted."""
    match outcome:
        case Outcome.WON:
            return 0
        case Outcome.FIRST_DROP | Outcome.MIDDLE_DROP if not terms.has_drop:
            raise RuleViolation(Code.BAD_RESULT, "There is no drop in this match.", field=field)
        case Outcome.FIRST_DROP:
            return terms.first_drop
        case Outcome.MIDDLE_DROP:
            return terms.middle_drop
        case Outcome.WRONG_DECLARATION:
            counts_hand = terms.profile.wrong_declaration_counts_hand
            return None if counts_hand else terms.wrong_declaration
        case Outcome.LEFT if terms.has_drop:
            raise RuleViolation(
                Code.BAD_RESULT, "Who leaves here is given a first or middle drop.", field=field
            )
        case Outcome.LOST | Outcome.FULL_COUNT | Outcome.LEFT:
            return None


def _worded(outcome: Outcome) -> str:
    return f"A {outcome.value.replace('_', ' ')}"
