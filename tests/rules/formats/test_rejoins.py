"""Rule 6.3.3: buying in again after an elimination."""

from __future__ import annotations

import pytest

from tables.rules.errors import Code
from tables.rules.formats import AwaitRejoin, Match
from tests.rules.formats.helpers import (
    brought_to,
    next_deal,
    opened,
    over,
    refused,
    result,
    scored,
    totals_of,
)


def _one_out(name: str, highest: int, limit: int) -> Match:
    """Three players: 1 has nothing, 2 has `highest`, 3 has just gone out."""
    match = opened(name, 3, auto_split=False)
    if highest:
        match = brought_to(match, {2: highest, 3: min(highest, limit - 1)})
    return brought_to(match, {3: limit})


def test_who_rejoins_comes_back_with_the_highest_total_and_one() -> None:
    match = _one_out("pool101", 71, 101)
    assert match.next_step() == AwaitRejoin(seats=(3,), comes_back_with=72, seconds=20)
    match = match.answer_rejoin(3, True)
    assert totals_of(match) == {1: 0, 2: 71, 3: 72}
    assert match.buy_ins == 4
    assert next_deal(match).dealer is not None


@pytest.mark.parametrize(
    ("name", "limit", "threshold"),
    [("pool51", 51, 39), ("pool61", 61, 44), ("pool101", 101, 79), ("pool201", 201, 174)],
)
def test_a_rejoin_takes_that_nobody_else_is_above_the_threshold(
    name: str, limit: int, threshold: int
) -> None:
    assert isinstance(_one_out(name, threshold, limit).next_step(), AwaitRejoin)
    assert next_deal(_one_out(name, threshold + 1, limit)).seats


def test_silence_is_a_no() -> None:
    match = _one_out("pool101", 30, 101).time_passed()
    assert next_deal(match).seats == (1, 2)
    assert match.buy_ins == 3
    with refused(Code.NOT_DUE):
        match.time_passed()


def test_two_out_in_the_same_deal_may_both_come_back_with_the_same_total() -> None:
    """Threshold and total are those of the players who stayed in."""
    match = brought_to(opened("pool101", 4), {2: 40, 3: 80, 4: 90})
    match = scored(match, 1, {2: 5, 3: 60, 4: 60})
    assert match.next_step() == AwaitRejoin((3, 4), 46, 20)
    match = match.answer_rejoin(4, True)
    assert match.next_step() == AwaitRejoin((3,), 46, 20)
    match = match.answer_rejoin(3, True)
    assert totals_of(match) == {1: 0, 2: 45, 3: 46, 4: 46}
    assert match.buy_ins == 6


def test_the_last_one_is_not_the_winner_before_the_answers_are_in() -> None:
    match = brought_to(opened("pool101", 2), {2: 101})
    assert match.next_step() == AwaitRejoin((2,), 1, 20)
    assert over(match.answer_rejoin(2, False)).places == ((1,), (2,))
    back = match.answer_rejoin(2, True)
    assert next_deal(back).seats
    assert totals_of(back) == {1: 0, 2: 1}


def test_only_who_went_out_in_the_deal_just_scored_may_rejoin() -> None:
    match = _one_out("pool101", 10, 101)
    with refused(Code.NO_REJOIN, "seat"):
        match.answer_rejoin(1, True)
    match = scored(match.answer_rejoin(3, False), 1)
    with refused(Code.NO_REJOIN, "seat"):
        match.answer_rejoin(3, True)


def test_an_answer_is_final() -> None:
    match = brought_to(opened("pool101", 4), {3: 80, 4: 80})
    match = scored(match, 1, {3: 60, 4: 60}).answer_rejoin(3, False)
    with refused(Code.NO_REJOIN):
        match.answer_rejoin(3, True)


def test_the_next_deal_waits_for_the_answers() -> None:
    match = _one_out("pool101", 10, 101)
    with refused(Code.DEAL_NOT_EXPECTED):
        match.record(result(1, {2: 10}))


def test_a_table_may_allow_no_rejoin() -> None:
    match = brought_to(opened("pool101", 3, rejoin=False), {3: 101})
    assert next_deal(match).seats == (1, 2)
    with refused(Code.BAD_OPTION, "max_rejoins"):
        opened("pool101", 3, rejoin=False, max_rejoins=2)


def test_a_table_may_carry_a_maximum() -> None:
    match = opened("pool101", 2, max_rejoins=1)
    match = brought_to(match, {2: 101}).answer_rejoin(2, True)
    assert over(brought_to(match, {2: 101})).buy_ins == 3


def test_without_a_maximum_a_player_comes_back_as_often_as_the_totals_allow() -> None:
    match = opened("pool101", 2)
    for buy_ins in (3, 4, 5):
        match = brought_to(match, {2: 101}).answer_rejoin(2, True)
        assert match.buy_ins == buy_ins


def test_who_leaves_instead_of_answering_says_no() -> None:
    match = _one_out("pool101", 10, 101).leave(3)
    assert next_deal(match).seats == (1, 2)
    assert totals_of(match)[3] == 101


def test_the_only_player_left_waits_for_the_answers_before_he_leaves() -> None:
    match = brought_to(opened("pool101", 2), {2: 101})
    with refused(Code.ANSWERS_OPEN):
        match.leave(1)
    assert over(match.answer_rejoin(2, True).leave(1)).places == ((2,), (1,))


def test_a_second_elimination_counts_from_the_total_he_came_back_with() -> None:
    match = _one_out("pool101", 20, 101).answer_rejoin(3, True)
    match = brought_to(match, {2: 79, 3: 80})
    match = scored(match, 1, {2: 80, 3: 80}).time_passed()
    assert over(match).places == ((1,), (2,), (3,))
