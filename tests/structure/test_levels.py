"""Timed levels: which level when, new deals, re-buys."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.refusals import refusal
from tournaments.structure.levels import (
    Level,
    LevelSchedule,
    balance_after_rebuy,
    may_be_dealt_in,
)

SCHEDULE = LevelSchedule(
    (Level(5, 800, 10), Level(10, 1000, 10), Level(15, 1200, 10), Level(20, 1600, 10))
)


@pytest.mark.parametrize(
    ("minute", "number", "point_value", "minimum_chips"),
    [(0, 1, 5, 800), (10, 2, 10, 1000), (20, 3, 15, 1200), (30, 4, 20, 1600), (39, 4, 20, 1600)],
)
def test_the_point_value_rises_with_the_time(
    minute: int, number: int, point_value: int, minimum_chips: int
) -> None:
    """5/800, 10/1000, 15/1200, 20/1600 (rule 7)."""
    moment = SCHEDULE.moment_at(60 * minute)
    assert moment is not None
    assert moment.number == number
    assert (moment.level.point_value, moment.level.minimum_chips) == (point_value, minimum_chips)


def test_a_level_ends_with_its_last_second() -> None:
    """599 seconds in the first level runs, at 600 the second; at 2400 all is over."""
    first, second = SCHEDULE.moment_at(599), SCHEDULE.moment_at(600)
    assert first is not None
    assert (first.number, first.seconds_left) == (1, 1)
    assert second is not None
    assert (second.number, second.seconds_left) == (2, 600)
    assert SCHEDULE.seconds == 2400
    assert SCHEDULE.moment_at(2400) is None


@pytest.mark.parametrize(
    ("elapsed", "may"),
    [(0, True), (569, True), (570, False), (599, False), (600, True), (2369, True), (2370, False)],
)
def test_no_deal_begins_in_the_last_30_seconds_of_a_level(elapsed: int, may: bool) -> None:
    """31 seconds before its end one may, 30 seconds before no more (rule 7)."""
    assert SCHEDULE.may_deal(elapsed) == may


def test_no_deal_begins_after_the_last_level() -> None:
    """However long after."""
    assert not SCHEDULE.may_deal(2400)
    assert not SCHEDULE.may_deal(10**6)


def test_a_rebuy_must_reach_the_minimum() -> None:
    """200 chips, minimum 800: 650 make 850 and are allowed, 400 make 600 and are not (rule 7)."""
    level = SCHEDULE.levels[0]
    assert balance_after_rebuy(level, 200, 650) == 850
    assert refusal(lambda: balance_after_rebuy(level, 200, 400)) == ("rebuy_too_small", "bought")
    assert balance_after_rebuy(level, 200, 600) == 800


def test_a_refused_rebuy_says_how_many_chips_are_needed() -> None:
    """The gap to the minimum."""
    with pytest.raises(Exception, match=r"With 200 chips buy at least 600: this level needs 800\."):
        balance_after_rebuy(SCHEDULE.levels[0], 200, 400)


@pytest.mark.parametrize(("chips", "may"), [(799, False), (800, True), (0, False)])
def test_who_is_below_the_minimum_is_not_dealt_in(chips: int, may: bool) -> None:
    """The minimum itself is enough."""
    assert may_be_dealt_in(SCHEDULE.levels[0], chips) == may


@given(st.integers(0, 2399))
def test_every_second_lies_in_exactly_one_level(elapsed: int) -> None:
    """What is left of the level leads to the beginning of the next, or to the end."""
    moment = SCHEDULE.moment_at(elapsed)
    assert moment is not None
    assert 0 < moment.seconds_left <= moment.level.seconds
    after = SCHEDULE.moment_at(elapsed + moment.seconds_left)
    assert (after.number if after else 5) == moment.number + 1
    assert moment.may_deal == (moment.seconds_left > 30)


def test_refused_levels() -> None:
    """A minimum below a full hand, values that do not rise, a falling minimum, no levels."""
    assert refusal(lambda: Level(5, 399, 10)) == ("out_of_range", "minimum_chips")
    assert refusal(lambda: Level(0, 800, 10)) == ("out_of_range", "point_value")
    assert refusal(lambda: Level(5, 800, 0)) == ("out_of_range", "minutes")
    assert refusal(lambda: LevelSchedule(())) == ("out_of_range", "levels")
    first = Level(5, 800, 10)
    for second in (Level(5, 900, 10), Level(6, 799, 10)):
        assert refusal(LevelSchedule, (first, second)) == ("bad_levels", "levels")


def test_refused_times_and_amounts() -> None:
    """Before the start, nothing bought, chips below zero or beyond 64 bits."""
    level = SCHEDULE.levels[0]
    assert refusal(lambda: SCHEDULE.moment_at(-1)) == ("out_of_range", "elapsed_seconds")
    assert refusal(lambda: balance_after_rebuy(level, 900, 0)) == ("out_of_range", "bought")
    assert refusal(lambda: balance_after_rebuy(level, -1, 900)) == ("out_of_range", "chips")
    assert refusal(lambda: balance_after_rebuy(level, 2**62, 2**62)) == ("out_of_range", "bought")
    assert refusal(lambda: may_be_dealt_in(level, -1)) == ("out_of_range", "chips")


def test_a_schedule_is_stored_and_read_back_unchanged() -> None:
    """As JSON."""
    assert msgspec.json.decode(msgspec.json.encode(SCHEDULE), type=LevelSchedule) == SCHEDULE
