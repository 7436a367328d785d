"""Time in which the site stood still is charged to nobody, and once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from tables.models import ClockBeat, Deal, DealEvent, Match
from tables.rules import commands as cm
from tables.services import alarms, arbiter, heartbeat, play, shifting
from tables.services.heartbeat import GRACE, beat
from tables.services.shifting import AHEAD
from tests.tables.helpers import NOW, a_match, dealt, state_of, tampering

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
TURN = 40 * SECOND
"""A turn of 30 s and 10 s of extra time."""


def _has_left(deal: Deal, now: datetime, left: timedelta) -> bool:
    """Whether the running turn has so much left; the time that the work itself took is added."""
    at = Deal.objects.get(pk=deal.pk).deadline_at
    assert at is not None
    return AHEAD <= at - now - left < SECOND


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


def _shifts(deal: Deal) -> int:
    return deal.events.filter(kind="clock_shifted").count()


def _dies_at(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database goes away when this batch is to be moved, and all after it."""
    seen: list[int] = []

    def move_or_die(gaps: Sequence[shifting.Gap], *, now: datetime) -> int:
        seen.append(len(gaps))
        if len(seen) >= number:
            raise DatabaseError("the server closed the connection")
        return shifting.move_deals(gaps, now=now)

    monkeypatch.setattr(heartbeat, "move_deals", move_or_die)


@pytest.mark.parametrize("dies_at", [1, 2, 3])
def test_a_crash_between_two_batches_leaves_the_others_to_the_next_beat(
    dies_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    deals = [dealt(a_match()).deal for _ in range(5)]
    monkeypatch.setattr(heartbeat, "BATCH", 2)
    _run_until(10)
    back = NOW + 70 * SECOND
    with monkeypatch.context() as patched:
        _dies_at(dies_at, patched)
        with pytest.raises(DatabaseError):
            beat(now=back)
    done = 2 * (dies_at - 1)
    assert [_shifts(deal) for deal in deals] == [1] * done + [0] * (5 - done)
    assert beat(now=back) == 5 - done
    assert beat(now=back) == 0
    for deal in deals:
        assert _shifts(deal) == 1
        assert _has_left(deal, back, TURN - 10 * SECOND)


def test_standing_still_again_before_all_are_moved_gives_each_deal_what_it_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Killed in the second batch, and once more in the second of what follows."""
    deals = [dealt(a_match()).deal for _ in range(5)]
    monkeypatch.setattr(heartbeat, "BATCH", 2)
    _run_until(10)
    for minutes in (1, 2):
        with monkeypatch.context() as patched:
            _dies_at(2, patched)
            with pytest.raises(DatabaseError):
                beat(now=NOW + 10 * SECOND + minutes * 60 * SECOND)
    newcomer = dealt(a_match(), NOW + 140 * SECOND).deal
    back = NOW + 190 * SECOND
    beat(now=back)
    for deal, shifts in zip(deals, (3, 3, 1, 1, 1), strict=True):
        assert _shifts(deal) == shifts
        assert _has_left(deal, back, TURN - 10 * SECOND)
    assert _has_left(newcomer, back, TURN)
    assert not ClockBeat.objects.get().standstill


def test_nobody_acts_on_deadlines_before_all_are_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    deals = [dealt(a_match()).deal for _ in range(3)]
    monkeypatch.setattr(heartbeat, "BATCH", 1)
    _run_until(10)
    back = NOW + 70 * SECOND
    with monkeypatch.context() as patched:
        _dies_at(2, patched)
        with pytest.raises(DatabaseError):
            beat(now=back)
        with pytest.raises(DatabaseError):
            beat(now=back + SECOND)
    assert beat(now=back + SECOND) == 2
    assert [alarms.ring_deal(deal_id=deal.pk, now=back + SECOND) for deal in deals] == [False] * 3


def test_a_batch_costs_as_many_queries_for_many_deals_as_for_few() -> None:
    costs = []
    for hours, tables in ((1, 4), (2, heartbeat.BATCH - 1)):
        for _ in range(tables - Deal.objects.count()):
            dealt(a_match())
        ClockBeat.objects.all().delete()
        begun = NOW + timedelta(hours=hours)
        beat(now=begun)
        with CaptureQueriesContext(connection) as queries:
            assert beat(now=begun + 60 * SECOND) == tables
        kinds = Counter(query["sql"].split()[0] for query in queries)
        kinds.pop("UPDATE")  # of each deal's row, on their way together where the driver can
        costs.append(kinds)
    assert costs[0] == costs[1]


def test_moving_that_takes_longer_than_thought_is_done_again_with_more_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal, _ = dealt(a_match())
    tried: list[datetime] = []
    moment = SimpleNamespace(now=0.0)
    monkeypatch.setattr(shifting, "time", SimpleNamespace(monotonic=lambda: moment.now))

    def work(going_on: datetime) -> str:
        tried.append(going_on)
        Deal.objects.filter(pk=deal.pk).update(version=F("version") + 1)
        moment.now = 5.0  # the first time it takes so long
        return "done"

    assert shifting.in_time(work, now=NOW) == "done"
    assert tried == [NOW + AHEAD, NOW + 5 * SECOND + 2 * AHEAD]
    assert Deal.objects.get(pk=deal.pk).version == deal.version + 1


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
