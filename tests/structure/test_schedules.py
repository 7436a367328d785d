"""Hours of the clock on the wall and rules of dates, over the changes of daylight saving."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.refusals import refusal
from tournaments.structure.errors import StructureError
from tournaments.structure.schedules import (
    Frequency,
    Rule,
    check_hours,
    days_of,
    instant,
    instants,
)

BERLIN = "Europe/Berlin"
HALF_PAST_TWO = time(2, 30)


def weekly(*weekdays: int, **changes: Any) -> Rule:
    """At eight in the evening in Berlin."""
    wanted: dict[str, Any] = {
        "frequency": Frequency.WEEKLY,
        "zone": BERLIN,
        "hour": time(20),
        "first_day": date(2026, 10, 1),
        "weekdays": weekdays,
    }
    return Rule(**(wanted | changes))


def test_an_hour_that_the_clocks_jump_over_does_not_exist() -> None:
    day = date(2026, 3, 29)
    assert refusal(lambda: instant(day, HALF_PAST_TWO, BERLIN)) == ("no_such_hour", "hour")
    assert refusal(lambda: instant(day, HALF_PAST_TWO, BERLIN, 1)) == ("no_such_hour", "hour")


def test_an_hour_that_comes_twice_is_asked_about_and_the_answer_is_kept() -> None:
    day = date(2026, 10, 25)
    assert refusal(lambda: instant(day, HALF_PAST_TWO, BERLIN)) == ("which_hour", "fold")
    assert instant(day, HALF_PAST_TWO, BERLIN, 0) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert instant(day, HALF_PAST_TWO, BERLIN, 1) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_eight_in_the_evening_stays_eight_in_the_evening_when_the_clocks_change() -> None:
    both_days = instants(weekly(5, 6), datetime(2026, 10, 23, 22, tzinfo=UTC))
    assert [at for _, at in islice(both_days, 2)] == [
        datetime(2026, 10, 24, 18, tzinfo=UTC),
        datetime(2026, 10, 25, 19, tzinfo=UTC),
    ]


def test_every_second_week_counts_from_the_week_of_the_first_day() -> None:
    days = days_of(weekly(0, 3, every=2), date(2026, 1, 1))
    assert list(islice(days, 4)) == [
        date(2026, 10, 1),
        date(2026, 10, 12),
        date(2026, 10, 15),
        date(2026, 10, 26),
    ]


def test_a_daily_rule_counts_days_and_ends_on_its_last() -> None:
    rule = weekly(
        frequency=Frequency.DAILY, every=3, first_day=date(2026, 2, 27), last_day=date(2026, 3, 5)
    )
    assert list(days_of(rule, date(2026, 2, 28))) == [date(2026, 3, 2), date(2026, 3, 5)]


def test_dates_come_strictly_after_the_moment_asked_about() -> None:
    rule = weekly(5)
    at_the_start = datetime(2026, 10, 24, 18, tzinfo=UTC)
    day, at = next(instants(rule, at_the_start))
    assert (day, at) == (date(2026, 10, 31), datetime(2026, 10, 31, 19, tzinfo=UTC))


def test_a_rule_is_looked_at_ahead_for_hours_that_do_not_exist_or_come_twice() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    nightly = weekly(6, hour=HALF_PAST_TWO, first_day=date(2026, 1, 1))
    assert refusal(lambda: check_hours(nightly, now)) == ("no_such_hour", "hour")
    autumn = weekly(6, hour=HALF_PAST_TWO, last_day=date(2026, 12, 1))
    assert refusal(lambda: check_hours(autumn, now)) == ("which_hour", "fold")
    check_hours(weekly(6, hour=HALF_PAST_TWO, last_day=date(2026, 12, 1), fold=1), now)
    check_hours(weekly(5), now)


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"zone": "Berlin"}, "unknown_zone", "zone"),
        ({"zone": "../etc/passwd"}, "unknown_zone", "zone"),
        ({"zone": ""}, "unknown_zone", "zone"),
        ({"every": 0}, "out_of_range", "every"),
        ({"fold": 2}, "out_of_range", "fold"),
        ({"weekdays": ()}, "out_of_range", "weekdays"),
        ({"weekdays": (7,)}, "out_of_range", "weekdays"),
        ({"first_day": date(1999, 1, 1)}, "out_of_range", "first_day"),
        ({"last_day": date(2026, 9, 30)}, "bad_rule", "last_day"),
        ({"hour": time(20, 0, 30)}, "bad_rule", "hour"),
        ({"frequency": Frequency.DAILY, "weekdays": (1,)}, "bad_rule", "weekdays"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_by_field(
    changes: dict[str, Any], code: str, field: str
) -> None:
    assert refusal(lambda: weekly(1, **({"weekdays": (1,)} | changes))) == (code, field)


@given(
    zone=st.sampled_from(
        ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"]
    ),
    day=st.dates(date(2020, 1, 1), date(2030, 1, 1)),
    hour=st.times().map(lambda at: at.replace(second=0, microsecond=0)),
    fold=st.sampled_from([None, 0, 1]),
)
def test_every_instant_given_shows_the_wanted_hour_on_the_wall(
    zone: str, day: date, hour: time, fold: int | None
) -> None:
    """And what is refused has no instant, or two."""
    nights = [
        (datetime.combine(day, hour) + timedelta(hours=offset)).replace(tzinfo=UTC)
        + timedelta(minutes=minutes)
        for offset in range(-14, 15)
        for minutes in (0, 30)
    ]
    place = ZoneInfo(zone)
    wanted = datetime.combine(day, hour)
    shown = sorted({at for at in nights if at.astimezone(place).replace(tzinfo=None) == wanted})
    try:
        given_at = instant(day, hour, zone, fold)
    except StructureError as refused:
        code = refused.code
        assert (code, len(shown)) in {("no_such_hour", 0), ("which_hour", 2)}
        return
    assert given_at == (shown[-1] if fold else shown[0])
