"""A correction is an entry of the log: it replaces the last deal and hides nothing."""

from __future__ import annotations

import pytest

from tables.rules.errors import Code
from tables.rules.formats import AwaitRejoin, DealCorrected, DealScored, decode_match, encode_match
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


def test_a_correction_counts_as_if_it_had_been_right_at_once_and_the_log_keeps_both() -> None:
    before = scored(opened("pool101", 3), 1, {2: 30, 3: 40})
    right = before.record(result(2, {3: 7, 1: 9}))
    corrected = before.record(result(1, {2: 30, 3: 8})).correct(result(2, {3: 7, 1: 9}))
    assert corrected.game == right.game
    assert corrected.results == right.results
    assert next_deal(corrected) == next_deal(right)
    kinds = [type(entry) for entry in corrected.log]
    assert kinds == [DealScored, DealScored, DealCorrected]


def test_a_corrected_match_is_read_back_from_its_log() -> None:
    match = brought_to(opened("pool101", 4), {2: 90, 3: 70})
    match = scored(match, 1, {2: 30, 3: 2, 4: 5}).answer_rejoin(2, True)
    match = match.correct(result(1, {2: 5, 3: 30, 4: 5}))
    assert decode_match(encode_match(match)) == match
    again = scored(match, 4, {1: 10})
    assert decode_match(encode_match(again)) == again


def test_a_correction_can_be_corrected() -> None:
    match = scored(opened("deals", 2), 1, {2: 45})
    match = match.correct(result(1, {2: 54})).correct(result(2, {1: 4}))
    assert totals_of(match) == {1: 156, 2: 164}
    assert len(match.results) == 1


def test_a_correction_undoes_an_elimination_and_the_rejoin_that_followed() -> None:
    match = brought_to(opened("pool101", 3), {2: 90, 3: 50})
    match = scored(match, 1, {2: 30, 3: 2}).answer_rejoin(2, True)
    assert match.buy_ins == 4
    corrected = match.correct(result(1, {2: 3, 3: 30}))
    assert corrected.buy_ins == 3
    assert totals_of(corrected) == {1: 0, 2: 93, 3: 80}


def test_a_correction_asks_anew_about_a_rejoin() -> None:
    match = brought_to(opened("pool101", 3), {2: 90, 3: 50})
    match = scored(match, 1, {2: 30}).answer_rejoin(2, False)
    step = match.correct(result(1, {2: 31, 3: 5})).next_step()
    assert isinstance(step, AwaitRejoin)
    assert (step.seats, step.comes_back_with) == ((2,), 56)


def test_a_correction_undoes_the_end_of_a_match() -> None:
    match = scored(scored(opened("deals", 2), 1, {2: 45}), 1, {2: 5})
    assert over(match).places == ((1,), (2,))
    tied = match.correct(result(2, {1: 45}))
    assert next_deal(tied).tie_break
    assert totals_of(tied) == {1: 160, 2: 160}


def test_who_left_since_has_still_left_unless_that_was_a_mistake() -> None:
    match = scored(opened("deals", 3, deals=6), 1, {2: 45}).leave(2)
    assert not match.correct(result(1, {2: 4, 3: 0})).is_in(2)
    assert match.correct(result(1, {2: 4, 3: 0}), stay=(2,)).is_in(2)


def test_an_earlier_deal_stays_as_it_was() -> None:
    match = scored(scored(opened("pool101", 2), 1, {2: 10}), 1, {2: 20})
    corrected = match.correct(result(2, {1: 7}))
    assert totals_of(corrected) == {1: 7, 2: 10}
    assert corrected.before_last_deal().results == match.results[:1]


@pytest.mark.parametrize(
    ("deals", "losses", "code"),
    [(0, {2: 5}, Code.NO_DEAL_YET), (1, {3: 5}, Code.BAD_RESULT), (1, {2: 81}, Code.BAD_RESULT)],
)
def test_a_correction_that_cannot_be_is_refused(
    deals: int, losses: dict[int, int], code: Code
) -> None:
    match = opened("deals", 2)
    for _ in range(deals):
        match = scored(match, 1)
    with refused(code):
        match.correct(result(1, dict(losses)))
