"""What falls due by itself before the start (rule 7: kinds of start)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.structure.refusals import refusal
from tournaments.structure.due import (
    Due,
    StartKind,
    Step,
    Times,
    fitted_times,
    is_held_fast,
    next_due,
    start_after_change,
    step_to_take,
)
from tournaments.structure.errors import StructureError
from tournaments.structure.lifecycle import State

EIGHT = datetime(2026, 3, 1, 20, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def at_eight(**changes: Any) -> Times:
    """Starts at eight, full or not."""
    return fitted_times(Times(kind=StartKind.FIXED_TIME, starts_at=EIGHT, **changes))


def when_full(**changes: Any) -> Times:
    """Starts when it is full."""
    return Times(kind=StartKind.FIXED_PLAYERS, **changes)


def due(state: State, times: Times, *, check_in_ended: bool = False) -> Due | None:
    """What is next."""
    return next_due(state, times, check_in_ended=check_in_ended)


def test_a_fixed_time_closes_ten_minutes_before_it_starts_and_then_starts() -> None:
    times = at_eight()
    assert due(State.REGISTERING, times) == Due(Step.CLOSE, EIGHT - 10 * MINUTE)
    assert due(State.CLOSED, times) == Due(Step.START, EIGHT)


def test_an_announced_tournament_opens_at_its_time_or_is_called_off_when_it_should_close() -> None:
    opens = EIGHT - 60 * MINUTE
    assert due(State.ANNOUNCED, at_eight(opens_at=opens)) == Due(Step.OPEN, opens)
    assert due(State.ANNOUNCED, at_eight()) == Due(Step.CANCEL, EIGHT - 10 * MINUTE)


def test_a_full_one_closes_and_starts_at_the_same_moment() -> None:
    full = when_full(starts_at=EIGHT)
    assert due(State.REGISTERING, full) == Due(Step.CLOSE, EIGHT)
    assert due(State.CLOSED, full) == Due(Step.START, EIGHT)


def test_one_that_waits_for_players_is_due_never_or_called_off_at_its_deadline() -> None:
    assert due(State.REGISTERING, when_full()) is None
    assert due(State.REGISTERING, when_full(closes_at=EIGHT)) == Due(Step.CANCEL, EIGHT)


def test_check_in_ends_before_the_start() -> None:
    ends = EIGHT - 2 * MINUTE
    times = at_eight(check_in_opens_at=EIGHT - 30 * MINUTE, check_in_closes_at=ends)
    assert due(State.CLOSED, times) == Due(Step.END_CHECK_IN, ends)
    assert due(State.CLOSED, times, check_in_ended=True) == Due(Step.START, EIGHT)


@pytest.mark.parametrize("state", [s for s in State if s not in list(State)[1:4]])
def test_nothing_is_due_in_a_draft_nor_after_the_start(state: State) -> None:
    assert due(state, at_eight(opens_at=EIGHT - 60 * MINUTE)) is None


@pytest.mark.parametrize("state", list(State)[1:4])
def test_by_hand_waits_for_the_organiser(state: State) -> None:
    assert due(state, Times()) is None


def test_too_few_at_the_start_and_an_opening_too_late_are_called_off() -> None:
    times = at_eight(opens_at=EIGHT - 60 * MINUTE)
    start, opening = Due(Step.START, EIGHT), Due(Step.OPEN, EIGHT - 60 * MINUTE)

    def step(of: Due, entered: int, now: datetime) -> Step:
        return step_to_take(of, times, entered=entered, minimum=6, now=now)

    assert step(start, 6, EIGHT) is Step.START
    assert step(start, 5, EIGHT) is Step.CANCEL
    assert step(opening, 0, EIGHT - 11 * MINUTE) is Step.OPEN
    assert step(opening, 0, EIGHT - 10 * MINUTE) is Step.CANCEL


@pytest.mark.parametrize(
    ("times", "field"),
    [
        (Times(kind=StartKind.FIXED_TIME), "starts_at"),
        (Times(starts_at=EIGHT), "starts_at"),
        (when_full(starts_at=EIGHT), "starts_at"),
        (Times(opens_at=EIGHT, closes_at=EIGHT), "closes_at"),
        (Times(opens_at=EIGHT, closes_at=EIGHT - MINUTE), "closes_at"),
        (Times(kind=StartKind.FIXED_TIME, starts_at=EIGHT, closes_at=EIGHT + MINUTE), "starts_at"),
        (Times(check_in_opens_at=EIGHT), "check_in_closes_at"),
        (Times(check_in_closes_at=EIGHT), "check_in_closes_at"),
        (Times(check_in_opens_at=EIGHT, check_in_closes_at=EIGHT), "check_in_opens_at"),
        (
            when_full(check_in_opens_at=EIGHT, check_in_closes_at=EIGHT + MINUTE),
            "check_in_opens_at",
        ),
        (
            Times(
                closes_at=EIGHT,
                check_in_opens_at=EIGHT - 2 * MINUTE,
                check_in_closes_at=EIGHT - MINUTE,
            ),
            "check_in_closes_at",
        ),
    ],
)
def test_times_in_which_nothing_could_be_done_are_refused_by_field(
    times: Times, field: str
) -> None:
    assert refusal(lambda: fitted_times(times)) == ("bad_times", field)


def test_the_last_seat_starts_the_twenty_seconds_and_a_free_one_stops_them() -> None:
    waiting, full = when_full(), when_full(starts_at=EIGHT)

    def start(times: Times, entered: int, *, taken: bool) -> datetime | None:
        return start_after_change(
            times, entered=entered, capacity=6, seat_taken=taken, now=EIGHT - MINUTE
        )

    seconds = timedelta(seconds=20)
    assert start(waiting, 5, taken=True) is None
    assert start(waiting, 6, taken=True) == EIGHT - MINUTE + seconds
    assert start(full, 6, taken=False) == EIGHT
    assert start(full, 6, taken=True) == EIGHT - MINUTE + seconds
    assert start(full, 5, taken=False) is None
    assert start(at_eight(), 6, taken=True) == EIGHT


def test_only_a_full_fixed_players_tournament_holds_its_players_fast() -> None:
    assert is_held_fast(when_full(starts_at=EIGHT))
    assert not is_held_fast(when_full())
    assert not is_held_fast(at_eight())


moments = st.none() | st.integers(0, 50).map(lambda minutes: EIGHT + minutes * MINUTE)


@given(
    kind=st.sampled_from(StartKind),
    times=st.fixed_dictionaries(
        {field: moments for field in Times.__struct_fields__ if field != "kind"}
    ),
)
def test_times_that_are_accepted_lead_to_the_start_step_by_step_in_order(
    kind: StartKind, times: dict[str, Any]
) -> None:
    """Whatever the organiser chose, every step comes no earlier than the one before."""
    try:
        fitted = fitted_times(Times(kind=kind, **times))
    except StructureError as refused:
        code = refused.code
        assert code == "bad_times"
        return
    steps = [
        due(State.ANNOUNCED, fitted),
        due(State.REGISTERING, fitted),
        due(State.CLOSED, fitted),
        due(State.CLOSED, fitted, check_in_ended=True),
    ]
    moments_due = [step.at for step in steps if step is not None]
    assert moments_due == sorted(moments_due)
