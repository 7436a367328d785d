"""Rule 6.6: points for chips, at one level."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules.errors import Code
from tables.rules.formats import (
    AwaitRebuy,
    LevelFormat,
    Match,
    NextDeal,
    decode_match,
    encode_match,
    open_match,
)
from tables.rules.profiles import profile_named
from tables.rules.results import DealResult, Outcome, SeatScore
from tables.rules.terms import ClockTerms
from tests.rules.formats.helpers import (
    Loss,
    next_deal,
    opened,
    over,
    refused,
    scored,
    totals_of,
)


def a_table(*stacks: int, profile: str = "g24_points", **options: Any) -> Match:
    """Level one of 5/800 for the seats 1, 2, 3 … with these chips."""
    wanted: dict[str, Any] = {"value": 5, "minimum_chips": 800, "stacks": stacks} | options
    seats = range(1, len(stacks) + 1)
    return open_match(LevelFormat(**wanted), profile_named(profile), seats, ClockTerms())


def below(**options: Any) -> Match:
    """A table of three whose second player has just fallen from 950 to 550 chips."""
    return scored(a_table(1000, 950, 1000, **options), 1, {2: 80, 3: (20, Outcome.FIRST_DROP)})


def test_the_winner_is_paid_in_chips_each_losers_points_times_the_value() -> None:
    losses: dict[int, Loss] = {2: 45, 3: (20, Outcome.FIRST_DROP), 4: (40, Outcome.MIDDLE_DROP)}
    match = scored(a_table(2000, 2000, 2000, 2000), 1, losses)
    assert totals_of(match) == {1: 2525, 2: 1775, 3: 1900, 4: 1800}


def test_deals_go_on_until_they_are_stopped() -> None:
    match = a_table(2000, 2000)
    for _ in range(30):
        match = scored(scored(match, 1, {2: 10}), 2, {1: 10})
    assert isinstance(match.next_step(), NextDeal)
    assert over(match.stop()).places == ((1, 2),)
    with refused(Code.MATCH_OVER):
        match.stop().stop()


def test_a_match_that_ends_by_its_own_rules_cannot_be_stopped() -> None:
    for name, seats in (("points", 3), ("deals", 3), ("pool101", 3), ("heads_up", 2)):
        with refused(Code.NO_STOP):
            opened(name, seats).stop()


def test_who_falls_below_the_minimum_is_asked_only_where_a_rebuy_reaches_it() -> None:
    """With 550 chips and a minimum of 800 a re-buy of 250 is enough and one of 249 is not."""
    asked = below(rebuy_chips=250, rebuys=(1, 1, 1)).next_step()
    assert asked == AwaitRebuy((2,), 250, 20)
    assert next_deal(below(rebuy_chips=249, rebuys=(1, 1, 1))).seats == (1, 3)
    assert next_deal(below(rebuy_chips=250, rebuys=(1, 0, 1))).seats == (1, 3)
    assert next_deal(below()).seats == (1, 3)


def test_a_rebuy_brings_its_chips_at_once_and_counts_as_a_buy_in() -> None:
    match = below(rebuy_chips=500, rebuys=(1, 1, 1)).answer_rejoin(2, True)
    assert totals_of(match)[2] == 1050
    assert set(next_deal(match).seats) == {1, 2, 3}
    assert match.buy_ins == 4


def test_a_player_with_no_rebuy_left_is_asked_no_more() -> None:
    match = below(rebuy_chips=300, rebuys=(1, 1, 1)).answer_rejoin(2, True)
    again = scored(match, 1, {2: 80})
    assert totals_of(again)[2] == 450
    assert next_deal(again).seats == (1, 3)


def test_a_refusal_silence_or_leaving_is_a_no_and_the_player_sits_out() -> None:
    match = below(rebuy_chips=500, rebuys=(1, 1, 1))
    for after in (match.answer_rejoin(2, False), match.time_passed(), match.leave(2)):
        assert next_deal(after).seats == (1, 3)
        assert totals_of(after)[2] == 550
        with refused(Code.NO_REJOIN, "seat"):
            after.answer_rejoin(2, True)


def test_nobody_who_was_not_asked_can_buy() -> None:
    with refused(Code.NO_REJOIN, "seat"):
        below(rebuy_chips=500, rebuys=(1, 1, 1)).answer_rejoin(1, True)


def test_a_table_of_one_is_over_once_the_answers_are_in() -> None:
    match = scored(a_table(1000, 900, rebuy_chips=600, rebuys=(1, 1)), 1, {2: 80})
    assert isinstance(match.next_step(), AwaitRebuy)
    assert set(next_deal(match.answer_rejoin(2, True)).seats) == {1, 2}
    assert over(match.answer_rejoin(2, False)).scores == ((1, 1400), (2, 500))


def test_stopping_the_deals_ends_the_questions_too() -> None:
    match = below(rebuy_chips=500, rebuys=(1, 1, 1)).stop()
    assert over(match).places == ((1,), (3,), (2,))


def test_a_correction_of_the_last_deal_leaves_it_the_last() -> None:
    match = a_table(1000, 1000, 1000)
    match = scored(match, 1, {2: 20, 3: 20}).stop()
    corrected = match.correct_last(
        DealResult(
            (
                SeatScore(2, 0, Outcome.WON),
                SeatScore(1, 30, Outcome.LOST),
                SeatScore(3, 20, Outcome.LOST),
            )
        )
    )
    assert over(corrected).scores == ((1, 850), (2, 1250), (3, 900))


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("value", {"value": 0}),
        ("minimum_chips", {"minimum_chips": 0}),
        ("minimum_chips", {"minimum_chips": 399, "stacks": (400, 400)}),
        ("stacks", {"stacks": (2000, 799)}),
        ("stacks", {"stacks": (2000,)}),
        ("stacks", {"stacks": (2000, True)}),
        ("stacks", {"stacks": (2000, 2**53)}),
        ("rebuy_chips", {"rebuy_chips": -1}),
        ("rebuys", {"rebuys": (1,)}),
        ("rebuys", {"rebuys": (1, -1)}),
        ("answer_seconds", {"answer_seconds": 0}),
        ("first_drop", {"first_drop": None}),
    ],
)
def test_refused_options(field: str, options: dict[str, Any]) -> None:
    wanted: dict[str, Any] = {"value": 5, "minimum_chips": 800, "stacks": (2000, 2000)} | options
    with refused(Code.BAD_OPTION, field):
        open_match(LevelFormat(**wanted), profile_named("g24_points"), (1, 2), ClockTerms())


def test_without_a_cap_the_minimum_has_to_cover_thirteen_tens() -> None:
    with refused(Code.BAD_OPTION, "minimum_chips"):
        a_table(1000, 1000, profile="g24_knockout", minimum_chips=649)
    assert next_deal(a_table(1000, 1000, profile="g24_knockout", minimum_chips=650)).seats == (1, 2)


def _result(step: NextDeal, chance: Random) -> DealResult:
    seats = chance.sample(step.seats, len(step.seats))
    lost = [SeatScore(seat, chance.choice([0, 2, 35, 80]), Outcome.LOST) for seat in seats[1:]]
    return DealResult((SeatScore(seats[0], 0, Outcome.WON), *lost))


def _moved_on(match: Match, chance: Random) -> Match:
    match step := match.next_step():
        case NextDeal():
            if chance.random() < 0.05:
                return match.leave(chance.choice(step.seats))
            return match.record(_result(step, chance))
        case AwaitRebuy(seats=seats):
            return match.answer_rejoin(chance.choice(seats), chance.random() < 0.5)
        case _:
            raise AssertionError(step)


@given(st.randoms(use_true_random=False))
def test_chips_are_only_ever_made_by_rebuys_and_nobody_goes_below_zero(chance: Random) -> None:
    stacks = [chance.randint(800, 1500) for _ in range(chance.randint(2, 6))]
    match = a_table(*stacks, rebuy_chips=900, rebuys=(2,) * len(stacks))
    for _ in range(30):
        if match.is_over:
            break
        match = _moved_on(match, chance)
        chips = totals_of(match)
        assert sum(chips.values()) == sum(stacks) + 900 * (match.buy_ins - len(stacks))
        assert min(chips.values()) >= 0
        step = match.next_step()
        if isinstance(step, NextDeal):
            assert all(chips[seat] >= 800 for seat in step.seats)
        assert decode_match(encode_match(match)) == match
