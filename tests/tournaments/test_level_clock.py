"""A level is not shorter for time in which the whole site stood still."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError

from tables.services.heartbeat import beat
from tests.tournaments.helpers import NOW
from tests.tournaments.level_helpers import begun, opened_level
from tournaments import services
from tournaments.services import level_clock
from tournaments.services.levels import moment_of

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def test_a_standstill_is_no_part_of_a_level_once_and_a_pause_before_it_neither() -> None:
    tournament, _ = begun(2)
    level = opened_level(tournament)
    who: dict[str, Any] = {"tournament_id": tournament.pk, "actor": "organiser"}
    services.pause(now=NOW + MINUTE, **who)
    services.resume(now=NOW + 2 * MINUTE, **who)
    beat(now=NOW + 3 * MINUTE)
    back = NOW + 20 * MINUTE
    for now in (back, back):
        beat(now=now)
        level.refresh_from_db()
        left = moment_of(tournament, level, back).seconds_left
        assert left - 8 * 60 in (0, 1)  # the moving itself takes a moment


def test_a_level_goes_on_by_the_clock_where_nothing_stood_still() -> None:
    tournament, _ = begun(2)
    level = opened_level(tournament)
    for second in range(3):
        beat(now=NOW + timedelta(seconds=second))
    level.refresh_from_db()
    assert level.opened_at == NOW


def test_a_level_hears_of_a_standstill_once_whatever_breaks_before_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tournament, _ = begun(2)
    level = opened_level(tournament)
    beat(now=NOW + MINUTE)
    back = NOW + 20 * MINUTE
    with monkeypatch.context() as patched:
        patched.setattr(level_clock, "_moved", _dies)
        with pytest.raises(DatabaseError):
            beat(now=back)
    level.refresh_from_db()
    assert level.opened_at == NOW
    for now in (back, back):
        beat(now=now)
        level.refresh_from_db()
        assert moment_of(tournament, level, back).seconds_left - 9 * 60 in (0, 1)


def _dies(*_: object) -> None:
    raise DatabaseError("the server closed the connection")
