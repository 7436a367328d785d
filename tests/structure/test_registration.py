"""Seats, waitlist and the times before the start."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.structure.refusals import refusal
from tournaments.structure.registration import (
    Place,
    enough_entries,
    place_on_joining,
    promotions_due,
    registration_closes_at,
    seats_free,
    starts_when_full,
)

NOON = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)


def test_a_full_table_starts_20_seconds_after_the_last_seat_was_taken() -> None:
    """Fixed players (rule 7)."""
    assert starts_when_full(NOON) == NOON.replace(second=20)


def test_registration_closes_10_minutes_before_a_fixed_start() -> None:
    """Unless the organiser says otherwise (rule 7)."""
    assert registration_closes_at(NOON) == NOON.replace(hour=11, minute=50)
    assert registration_closes_at(NOON, 30) == NOON.replace(hour=11, minute=30)
    assert refusal(lambda: registration_closes_at(NOON, -1)) == ("out_of_range", "minutes_before")


@pytest.mark.parametrize(("entered", "free"), [(0, 3), (2, 1), (3, 0), (5, 0)])
def test_free_seats_are_never_negative(entered: int, free: int) -> None:
    """Also when staff put in more than there is room for."""
    assert seats_free(3, entered) == free


@pytest.mark.parametrize(
    ("entered", "waiting", "place"),
    [(0, 0, Place.SEAT), (1, 0, Place.SEAT), (2, 0, Place.WAITLIST), (1, 1, Place.WAITLIST)],
)
def test_nobody_passes_those_who_wait(entered: int, waiting: int, place: Place) -> None:
    """A seat that came free belongs to the first of the waitlist, not to the next who joins."""
    assert place_on_joining(2, entered, waiting) is place


@pytest.mark.parametrize(
    ("entered", "waiting", "promoted"), [(2, 3, 0), (1, 3, 1), (0, 1, 1), (0, 3, 2), (4, 3, 0)]
)
def test_as_many_are_promoted_as_seats_are_free(entered: int, waiting: int, promoted: int) -> None:
    """And nobody once registration is closed."""
    assert promotions_due(2, entered, waiting, open_now=True) == promoted
    assert promotions_due(2, entered, waiting, open_now=False) == 0


def test_a_tournament_needs_its_minimum_of_entries() -> None:
    """One below it is cancelled; a minimum below two is refused."""
    assert enough_entries(6, 6)
    assert not enough_entries(5, 6)
    assert refusal(lambda: enough_entries(5, 1)) == ("out_of_range", "minimum")
