"""Matches at a glance for the tests of formats: open one, score deals, bring totals somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tables.rules.errors import Code, RuleViolation
from tables.rules.formats import Match, MatchOver, NextDeal, format_named, open_match
from tables.rules.profiles import profile_named
from tables.rules.results import DealResult, Outcome, SeatScore
from tables.rules.terms import ClockTerms

Loss = int | tuple[int, Outcome]
"""Points of a counted hand, or points with another outcome."""


def opened(name: str, seats: int | Iterable[int], *, profile: str = "", **options: Any) -> Match:
    """A match of a built-in format; a number of seats means the seats 1, 2, 3 and so on."""
    numbers = range(1, seats + 1) if isinstance(seats, int) else seats
    default = "g24_knockout" if name == "heads_up" else "rummycircle"
    rules = profile_named(profile or default)
    return open_match(format_named(name, **options), rules, numbers, ClockTerms())


def result(winner: int, losses: dict[int, Loss]) -> DealResult:
    """The winner first in order of play, then the losers as written."""
    scores = [SeatScore(winner, 0, Outcome.WON)]
    for seat, loss in losses.items():
        points, outcome = loss if isinstance(loss, tuple) else (loss, Outcome.LOST)
        scores.append(SeatScore(seat, points, outcome))
    return DealResult(tuple(scores))


def scored(match: Match, winner: int, losses: dict[int, Loss] | None = None) -> Match:
    """The match after one more deal; seats that are not mentioned lose 0 points."""
    step = match.next_step()
    assert isinstance(step, NextDeal)
    others: dict[int, Loss] = {seat: 0 for seat in step.seats if seat != winner}
    return match.record(result(winner, others | (losses or {})))


def brought_to(match: Match, totals: dict[int, int]) -> Match:
    """The match after deals that give these totals; who goes out on the way stays out."""
    while needs := _needs(match, totals):
        step = match.next_step()
        assert isinstance(step, NextDeal)
        winner = min(step.seats, key=lambda seat: needs.get(seat, 0))
        losses: dict[int, Loss] = {
            seat: min(80, needs.get(seat, 0)) for seat in step.seats if seat != winner
        }
        match = scored(match, winner, losses)
    return match


def _needs(match: Match, totals: dict[int, int]) -> dict[int, int]:
    lines = {line.seat: line for line in match.standings() if line.still_in}
    needs = {seat: totals[seat] - lines[seat].score for seat in totals if seat in lines}
    return {seat: need for seat, need in needs.items() if need > 0}


def totals_of(match: Match) -> dict[int, int]:
    """Every seat's score."""
    return {line.seat: line.score for line in match.standings()}


def over(match: Match) -> MatchOver:
    """The end of a match that has to be over."""
    step = match.next_step()
    assert isinstance(step, MatchOver)
    return step


def next_deal(match: Match) -> NextDeal:
    """The deal that has to be due."""
    step = match.next_step()
    assert isinstance(step, NextDeal)
    return step


@contextmanager
def refused(code: Code, field: str | None = None) -> Iterator[None]:
    """A block that has to be refused with this code, naming this field if one is given."""
    with pytest.raises(RuleViolation) as fault:
        yield
    assert fault.value.code is code, fault.value
    assert field is None or fault.value.field == field, fault.value
    assert fault.value.sentence.endswith(".")
