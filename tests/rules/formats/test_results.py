"""A result that cannot come out of the deal that was asked for is refused, however it was made."""

from __future__ import annotations

import pytest

from tables.rules.errors import Code
from tables.rules.results import DealResult, Outcome, SeatScore
from tests.rules.formats.helpers import Loss, opened, over, refused, result


@pytest.mark.parametrize("losses", [{2: 10}, {2: 10, 3: 10, 4: 10}, {2: 10, 4: 10}])
def test_exactly_the_players_of_the_deal_have_a_score(losses: dict[int, Loss]) -> None:
    with refused(Code.BAD_RESULT, "scores"):
        opened("points", 3).record(result(1, losses))


@pytest.mark.parametrize(
    "loss",
    [
        (19, Outcome.FIRST_DROP),
        (20, Outcome.MIDDLE_DROP),
        (40, Outcome.FIRST_DROP),
        (79, Outcome.WRONG_DECLARATION),
        (81, Outcome.LOST),
        (81, Outcome.FULL_COUNT),
        (30, Outcome.LEFT),
    ],
)
def test_points_that_the_outcome_cannot_count_are_refused(loss: Loss) -> None:
    with refused(Code.BAD_RESULT, "scores[2]"):
        opened("points", 3).record(result(1, {2: 10, 3: loss}))


@pytest.mark.parametrize(
    "loss",
    [
        (20, Outcome.FIRST_DROP),
        (40, Outcome.MIDDLE_DROP),
        (80, Outcome.WRONG_DECLARATION),
        (80, Outcome.LOST),
        (0, Outcome.LOST),
        (80, Outcome.FULL_COUNT),
    ],
)
def test_points_that_the_outcome_counts_are_taken(loss: Loss) -> None:
    assert over(opened("points", 2).record(result(1, {2: loss}))).places == ((1,), (2,))


def test_without_a_cap_a_hand_counts_up_to_130() -> None:
    match = opened("heads_up", 2)
    match.record(result(1, {2: (130, Outcome.WRONG_DECLARATION)}))
    for outcome in (Outcome.LOST, Outcome.WRONG_DECLARATION, Outcome.FULL_COUNT, Outcome.LEFT):
        with refused(Code.BAD_RESULT, "scores[1]"):
            match.record(result(1, {2: (131, outcome)}))


def test_a_deal_has_one_winner_with_no_points() -> None:
    with refused(Code.BAD_RESULT):
        DealResult((SeatScore(1, 0, Outcome.WON), SeatScore(2, 0, Outcome.WON)))
    with refused(Code.BAD_RESULT):
        DealResult((SeatScore(1, 5, Outcome.WON), SeatScore(2, 0, Outcome.LOST)))
    with refused(Code.BAD_RESULT):
        DealResult((SeatScore(1, 5, Outcome.LOST), SeatScore(2, 0, Outcome.LOST)))


def test_a_refused_result_leaves_the_match_as_it_was() -> None:
    match = opened("pool101", 3)
    before = match.standings()
    with refused(Code.BAD_RESULT):
        match.record(result(1, {2: 81, 3: 10}))
    assert match.standings() == before
    assert match.log == ()
