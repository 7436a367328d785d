"""Entering before the start: seats and waitlist, when registration closes, when the start is due.

*Fixed players* starts a set time after the last seat is taken; *fixed time* starts at its time,
full or not, if the minimum of entries is met (rule 7). Times are given, never read from a clock.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from tournaments.structure.checks import MAX_ENTRANTS, whole

SECONDS_TO_START_WHEN_FULL: Final = 20
MINUTES_CLOSED_BEFORE_START: Final = 10
MINUTES_ALONE: Final = 15


class Place(StrEnum):
    """Where a player who joins now is put."""

    SEAT = "seat"
    WAITLIST = "waitlist"


def seats_free(capacity: int, entered: int) -> int:
    """Seats left; 0 also when more have entered than there are seats, by staff's doing."""
    whole(capacity, "capacity", 2, MAX_ENTRANTS)
    return max(0, capacity - whole(entered, "entered", 0, MAX_ENTRANTS))


def place_on_joining(capacity: int, entered: int, waiting: int) -> Place:
    """A seat only if one is free and nobody waits for it: first come, first served."""
    whole(waiting, "waiting", 0, MAX_ENTRANTS)
    return Place.SEAT if seats_free(capacity, entered) and not waiting else Place.WAITLIST


def promotions_due(capacity: int, entered: int, waiting: int, *, open_now: bool) -> int:
    """How many of the waitlist get a seat now; none once registration is closed."""
    whole(waiting, "waiting", 0, MAX_ENTRANTS)
    return min(waiting, seats_free(capacity, entered)) if open_now else 0


def starts_when_full(last_seat_taken_at: datetime) -> datetime:
    """The start of a fixed-players tournament, 20 s after its last seat was taken."""
    return last_seat_taken_at + timedelta(seconds=SECONDS_TO_START_WHEN_FULL)


def alone_until(left_alone_at: datetime) -> datetime:
    """How long newcomers are waited for by who has nobody to play against after the start."""
    return left_alone_at + timedelta(minutes=MINUTES_ALONE)


def registration_closes_at(
    starts_at: datetime, minutes_before: int = MINUTES_CLOSED_BEFORE_START
) -> datetime:
    """When registration of a fixed-time tournament closes; raises `StructureError`."""
    whole(minutes_before, "minutes_before", 0, 7 * 24 * 60)
    return starts_at - timedelta(minutes=minutes_before)


def enough_entries(entered: int, minimum: int) -> bool:
    """Whether it can start; if not it is cancelled and everybody refunded."""
    whole(minimum, "minimum", 2, MAX_ENTRANTS)
    return whole(entered, "entered", 0, MAX_ENTRANTS) >= minimum
