"""What falls due by itself before a tournament runs: opening, closing, check-in, start.

*Fixed players* waits for its last seat, *fixed time* for its hour, *by hand* for the organiser
(rule 7). The moments are given and compared by the caller; nothing here reads a clock.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from itertools import pairwise

import msgspec

from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.lifecycle import State
from tournaments.structure.registration import (
    enough_entries,
    registration_closes_at,
    seats_free,
    starts_when_full,
)


class StartKind(StrEnum):
    """What a tournament's start waits for."""

    BY_HAND = "by_hand"
    FIXED_PLAYERS = "fixed_players"
    FIXED_TIME = "fixed_time"


class Step(StrEnum):
    """What falls due by itself before a tournament runs."""

    OPEN = "open"
    CLOSE = "close"
    END_CHECK_IN = "end_check_in"
    START = "start"
    CANCEL = "cancel"


class Due(msgspec.Struct, frozen=True):
    """A step and the moment from which on it is due."""

    step: Step
    at: datetime


class Times(msgspec.Struct, frozen=True, kw_only=True):
    """When what happens before the start; None for what is done by hand or not at all.

    A fixed-players tournament has its `starts_at` only while it is full.
    """

    kind: StartKind = StartKind.BY_HAND
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    check_in_opens_at: datetime | None = None
    check_in_closes_at: datetime | None = None
    starts_at: datetime | None = None


def fitted_times(times: Times) -> Times:
    """The times, with registration closing 10 minutes before a fixed start unless they say when.

    Raises `StructureError(BAD_TIMES)` for an order of times in which nothing could be done.
    """
    if times.kind is StartKind.FIXED_TIME:
        if times.starts_at is None:
            raise _bad_times("Say when it starts.", "starts_at")
        if times.closes_at is None:
            closes_at = registration_closes_at(times.starts_at)
            times = msgspec.structs.replace(times, closes_at=closes_at)
    elif times.starts_at is not None:
        raise _bad_times(
            "Only a tournament with a fixed time has a start that is set.", "starts_at"
        )
    if (times.check_in_opens_at is None) is not (times.check_in_closes_at is None):
        raise _bad_times("Say both when check-in opens and when it closes.", "check_in_closes_at")
    if times.kind is StartKind.FIXED_PLAYERS and times.check_in_opens_at is not None:
        raise _bad_times(
            "A tournament that starts when it is full has no check-in.", "check_in_opens_at"
        )
    _check_order(times)
    return times


def _check_order(times: Times) -> None:
    """Opening, closing, the end of check-in and the start follow on one another."""
    named = {
        "opens_at": times.opens_at,
        "closes_at": times.closes_at,
        "check_in_closes_at": times.check_in_closes_at,
        "starts_at": times.starts_at,
    }
    order = [(field, at) for field, at in named.items() if at is not None]
    for (_, before), (field, after) in pairwise(order):
        if after < before or (after == before and field == "closes_at"):
            raise _bad_times(f"{field} must come after what goes before it.", field)
    opens, closes = times.check_in_opens_at, times.check_in_closes_at
    if opens is not None and closes is not None and opens >= closes:
        raise _bad_times("Check-in must open before it closes.", "check_in_opens_at")


def _bad_times(sentence: str, field: str) -> StructureError:
    return StructureError(StructureCode.BAD_TIMES, sentence, field=field)


def next_due(state: State, times: Times, *, check_in_ended: bool) -> Due | None:
    """What comes next by itself, and when; None where only a person moves it on.

    A draft is nobody's business yet, and what runs is moved on by its rounds. When the moment has
    come, `step_to_take` says what is done.
    """
    match state:
        case State.ANNOUNCED:
            return _due_before_opening(times)
        case State.REGISTERING:
            return _due_while_open(times)
        case State.CLOSED:
            if times.check_in_closes_at is not None and not check_in_ended:
                return Due(Step.END_CHECK_IN, times.check_in_closes_at)
            return _due(Step.START, times.starts_at)
        case _:
            return None


def step_to_take(due: Due, times: Times, *, entered: int, minimum: int, now: datetime) -> Step:
    """What is really done when a step has fallen due.

    A start without the minimum of entries is called off, and so is an opening that comes too late
    for anybody to enter.
    """
    if due.step is Step.START and not enough_entries(entered, minimum):
        return Step.CANCEL
    if due.step is Step.OPEN and times.closes_at is not None and times.closes_at <= now:
        return Step.CANCEL
    return due.step


def _due(step: Step, at: datetime | None) -> Due | None:
    return None if at is None else Due(step, at)


def _due_before_opening(times: Times) -> Due | None:
    """What nobody opened before it should have closed is called off."""
    return _due(Step.OPEN, times.opens_at) or _due(Step.CANCEL, times.closes_at)


def _due_while_open(times: Times) -> Due | None:
    if times.kind is StartKind.FIXED_PLAYERS:
        return _due(Step.CLOSE, times.starts_at) or _due(Step.CANCEL, times.closes_at)
    return _due(Step.CLOSE, times.closes_at)


def start_after_change(
    times: Times, *, entered: int, capacity: int, seat_taken: bool, now: datetime
) -> datetime | None:
    """When a fixed-players tournament starts now that its seats have changed.

    Full: 20 seconds after the last seat was taken, `seat_taken` saying that one was just now. Not
    full: it waits again. Other kinds keep their time.
    """
    if times.kind is not StartKind.FIXED_PLAYERS:
        return times.starts_at
    if seats_free(capacity, entered):
        return None
    if times.starts_at is None or seat_taken:
        return starts_when_full(now)
    return times.starts_at


def is_held_fast(times: Times) -> bool:
    """Whether no player may withdraw though registration is open: fixed players, and full."""
    return times.kind is StartKind.FIXED_PLAYERS and times.starts_at is not None
