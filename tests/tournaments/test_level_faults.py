"""Chips of timed levels that were made or lost are found."""

from __future__ import annotations

import pytest

from tests.tournaments.level_helpers import begun, buy, end_level, opened_level
from tournaments.management.level_invariants import level_chip_faults
from tournaments.models import Placing, Tournament

pytestmark = pytest.mark.django_db


def two_levels_and_a_rebuy() -> Tournament:
    """The second player has bought chips between the two levels."""
    tournament, (first, second, _) = begun(3)
    end_level(opened_level(tournament), {first.pk: 1300, second.pk: 700})
    buy(tournament, second)
    end_level(opened_level(tournament, 640), {first.pk: 1200, second.pk: 1800}, 1240)
    return tournament


def test_sound_levels_have_no_fault() -> None:
    assert list(level_chip_faults(two_levels_and_a_rebuy())) == []


def test_chips_that_were_lost_at_a_table_are_found() -> None:
    tournament = two_levels_and_a_rebuy()
    placing = Placing.objects.filter(table__round__number=2).order_by("seat")[0]
    Placing.objects.filter(pk=placing.pk).update(score=(placing.score or 0) - 10)
    (fault,) = level_chip_faults(tournament)
    assert "ended with" in fault


def test_chips_that_were_not_carried_over_are_found() -> None:
    tournament = two_levels_and_a_rebuy()
    a, b = Placing.objects.filter(table__round__number=1).order_by("seat")[:2]
    Placing.objects.filter(pk=a.pk).update(score=(a.score or 0) + 10)
    Placing.objects.filter(pk=b.pk).update(score=(b.score or 0) - 10)
    faults = list(level_chip_faults(tournament))
    assert len(faults) == 2
    assert all("came with" in fault for fault in faults)


def test_chips_that_nobody_paid_for_are_found() -> None:
    tournament = two_levels_and_a_rebuy()
    tournament.entries.update(rejoins=0)
    (fault,) = level_chip_faults(tournament)
    assert fault.endswith("has the chips of 1 re-buys and paid for 0.")
