"""Counting a deal: what declared hands, drops and other ways out cost (rules 3.4, 4.1, 5.6-5.8)."""

from __future__ import annotations

from collections import Counter

from tables.rules.cards import Card
from tables.rules.commands import Groups
from tables.rules.events import Cause
from tables.rules.hands import Judgement, full_count, judge
from tables.rules.results import DealResult, Outcome, SeatScore
from tables.rules.state import DealState, SeatState


def judge_hand(state: DealState, hand: tuple[Card, ...], groups: Groups) -> Judgement:
    """A hand shown in these groups, the rest of it lying loose."""
    loose = Counter(hand) - Counter(card for group in groups for card in group)
    return judge(groups, tuple(loose.elements()), state.wild_rank, state.terms.profile)


def whole_hand(state: DealState, me: SeatState) -> int:
    """All cards of a hand, up to the profile's cap."""
    return full_count(me.hand, state.wild_rank, state.terms.profile)


def wrong_declaration_points(state: DealState, me: SeatState) -> int:
    """What a wrong declaration costs (rule 3.4)."""
    if state.terms.profile.wrong_declaration_counts_hand:
        return whole_hand(state, me)
    return state.terms.wrong_declaration


def cost_of_going(state: DealState, me: SeatState, cause: Cause) -> tuple[Outcome, int]:
    """What going out without a declaration costs; the whole hand where no drop exists."""
    terms = state.terms
    if terms.first_drop is None or terms.middle_drop is None:
        outcome = Outcome.LEFT if cause is Cause.LEFT else Outcome.FULL_COUNT
        return outcome, whole_hand(state, me)
    # Three missed turns cost the middle drop even without a card drawn (rule 5.7).
    if me.drew or cause is Cause.MISSED_TURNS:
        return Outcome.MIDDLE_DROP, terms.middle_drop
    return Outcome.FIRST_DROP, terms.first_drop


def fewest_points(state: DealState) -> int:
    """The seat still in whose declaration counts least, the earlier in turn order on a tie."""
    return min(state.still_in, key=lambda seat: _declared(state, seat).points).seat


def result_of(state: DealState, winner: int) -> DealResult:
    """Everybody's points, in order of play."""
    return DealResult(tuple(_score(state, seat, winner) for seat in state.seats))


def _declared(state: DealState, me: SeatState) -> Judgement:
    if me.declared is None:
        return Judgement(points=whole_hand(state, me), complete=False, kinds=())
    return judge_hand(state, me.hand, me.declared)


def _score(state: DealState, me: SeatState, winner: int) -> SeatScore:
    if me.seat == winner:
        return SeatScore(me.seat, 0, Outcome.WON)
    if me.outcome is not None and me.points is not None:
        return SeatScore(me.seat, me.points, me.outcome)
    judged = _declared(state, me)
    points = state.terms.profile.complete_loser_points if judged.complete else judged.points
    return SeatScore(me.seat, points, Outcome.FULL_COUNT if me.declared is None else Outcome.LOST)
