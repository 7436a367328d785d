"""Time in which the site stood still is charged to nobody, and once."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from tables.models import ClockBeat, Deal, DealEvent, Match
from tables.rules import commands as cm
from tables.services import alarms, arbiter, heartbeat, play
from tables.services.heartbeat import GRACE, PER_DEAL, beat
from tests.tables.helpers import NOW, a_match, dealt, state_of, tampering

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
TURN = 40 * SECOND
"""A turn of 30 s and 10 s of extra time."""


def _has_left(deal: Deal, now: datetime, left: timedelta) -> bool:
    """Whether the running turn has so much left; the time that the work itself took is added."""
    at = Deal.objects.get(pk=deal.pk).deadline_at
    assert at is not None
    return PER_DEAL <= at - now - left < SECOND


def _run_until(end: int) -> None:
    """The clock beats each second from 0 to `end`."""
    for second in range(end + 1):
        beat(now=NOW + second * SECOND)


def test_after_a_standstill_of_60_s_ten_seconds_into_a_turn_the_rest_is_left() -> None:
    deal, state = dealt(a_match())
    _run_until(10)
    back = NOW + 70 * SECOND
    assert beat(now=back) == 1
    assert _has_left(deal, back, TURN - 10 * SECOND)
    assert not alarms.ring_deal(deal_id=deal.pk, now=back)
    assert state_of(deal).turn == state.turn


def test_a_standstill_is_made_good_once_however_many_beat() -> None:
    deal, _ = dealt(a_match())
    _run_until(10)
    back = NOW + 70 * SECOND
    assert [beat(now=back + n * SECOND) for n in range(3)] == [1, 0, 0]
    assert _has_left(deal, back, TURN - 10 * SECOND)
    assert list(deal.events.values_list("kind", flat=True)).count("clock_shifted") == 1


def test_a_turn_that_began_while_the_clock_was_down_starts_anew_when_it_is_back() -> None:
    deal, state = dealt(a_match())
    _run_until(10)
    seat, moved = state.turn or 0, NOW + 40 * SECOND
    drawn = play(deal_id=deal.pk, command=cm.DrawClosed(seat), command_id="a", now=moved)
    assert drawn.state is not None
    card = drawn.state.seat_state(seat).hand[0]
    play(deal_id=deal.pk, command=cm.Discard(seat, card), command_id="b", now=moved)
    back = NOW + 70 * SECOND
    beat(now=back)
    assert _has_left(deal, back, TURN)


def test_a_gap_within_the_grace_moves_nothing() -> None:
    deal, state = dealt(a_match())
    beat(now=NOW)
    assert beat(now=NOW + GRACE) == 0
    assert Deal.objects.get(pk=deal.pk).version == state.version
    assert ClockBeat.objects.get().at == NOW + GRACE


def test_the_first_beat_ever_moves_nothing() -> None:
    deal, state = dealt(a_match())
    assert beat(now=NOW + timedelta(days=1)) == 0
    assert Deal.objects.get(pk=deal.pk).version == state.version


def test_waiting_for_a_deal_or_an_answer_is_moved_too() -> None:
    before, during = a_match(), a_match()
    beat(now=NOW + SECOND)
    Match.objects.filter(pk=before.pk).update(due_at=NOW + 8 * SECOND)
    began = NOW + 30 * SECOND
    Match.objects.filter(pk=during.pk).update(due_at=began + 8 * SECOND, opened_at=began)
    back = NOW + 61 * SECOND
    beat(now=back)
    before.refresh_from_db()
    during.refresh_from_db()
    assert before.due_at is not None
    assert during.due_at is not None
    assert timedelta(0) <= before.due_at - (back + 7 * SECOND) < SECOND
    assert timedelta(0) <= during.due_at - (back + 8 * SECOND) < SECOND


def test_a_crash_in_the_middle_leaves_everything_to_the_next_beat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The times and the beat are written in one transaction, so they are moved once, not twice."""
    deals = [dealt(a_match()).deal for _ in range(3)]
    _run_until(10)
    before = list(Deal.objects.values_list("deadline_at", "version"))
    seen: list[int] = []

    def dies_at_the_third(**kwargs: object) -> object:
        seen.append(1)
        if len(seen) == 3:
            raise DatabaseError("the server closed the connection")
        return play(**kwargs)  # type: ignore[arg-type]

    back = NOW + 70 * SECOND
    with monkeypatch.context() as patched:
        patched.setattr(heartbeat, "play", dies_at_the_third)
        with pytest.raises(DatabaseError):
            beat(now=back)
    assert len(seen) == 3
    assert list(Deal.objects.values_list("deadline_at", "version")) == before
    assert ClockBeat.objects.get().at == NOW + 10 * SECOND
    assert beat(now=back + SECOND) == 3
    for deal in deals:
        assert _has_left(deal, back + SECOND, TURN - 10 * SECOND)


def test_a_deal_that_cannot_be_read_does_not_hold_up_the_others() -> None:
    broken, sound = dealt(a_match()).deal, dealt(a_match()).deal
    beat(now=NOW)
    with tampering():
        DealEvent.objects.filter(deal=broken, seq=3).update(payload="{}")
    back = NOW + 60 * SECOND
    assert beat(now=back) == 1
    assert _has_left(sound, back, TURN)


def test_a_beat_from_a_clock_that_runs_ahead_is_corrected() -> None:
    beat(now=NOW + timedelta(hours=1))
    beat(now=NOW)
    assert ClockBeat.objects.get().at == NOW
    beat(now=NOW - SECOND)
    assert ClockBeat.objects.get().at == NOW


def test_a_standstill_longer_than_the_rules_can_move_is_cut() -> None:
    deal, _ = dealt(a_match())
    beat(now=NOW)
    assert beat(now=NOW + timedelta(days=800)) == 1
    assert ClockBeat.objects.get().at >= NOW + timedelta(days=800)
    assert list(deal.events.values_list("kind", flat=True))[-1] == "clock_shifted"


def test_a_turn_that_was_given_more_time_loses_none_of_it_in_a_standstill() -> None:
    deal, _ = dealt(a_match())
    _run_until(10)
    assert arbiter.extend(match_id=deal.match_id, seconds=60, now=NOW + 10 * SECOND)
    back = NOW + 70 * SECOND
    assert beat(now=back) == 1
    assert _has_left(deal, back, TURN + 50 * SECOND)


def test_the_database_holds_one_beat() -> None:
    beat(now=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        ClockBeat.objects.create(pk=2, at=NOW)
