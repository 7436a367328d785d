"""A pause costs nobody anything: clocks stand still, nothing is played, all goes on as it was."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tables import services, snapshots, store, timers
from tables.errors import TableCode, TableRefusal
from tables.models import ClockBeat, Deal, Match, MatchStatus, Seat
from tables.rules import commands as cm
from tables.rules.bots import Strength
from tables.rules.formats.base import PlayerLeft, RejoinAnswered
from tables.selectors import check_deal
from tables.services import alarms, bot_turns, heartbeat, pausing, presence, shifting
from tables.services.bot_turns import LONGEST
from tests.tables.helpers import NOW, a_match, dealt, secret_for, state_of

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
TURN = 40 * SECOND
"""A turn of 30 s and 10 s of extra time."""
OWNER = "club:1"


def _left(deal: Deal, now: datetime) -> timedelta:
    """What is left of the running turn; what the work itself took may be given on top of it."""
    deal.refresh_from_db()
    assert deal.deadline_at is not None
    return deal.deadline_at - now


def _is(left: timedelta, wanted: timedelta) -> bool:
    return timedelta(0) <= left - wanted < SECOND


def _pause(now: datetime) -> int:
    return pausing.pause_owner(owner=OWNER, now=now)


def _resume(now: datetime) -> int:
    return pausing.resume_owner(owner=OWNER, now=now)


def _refused(act: Callable[[], object]) -> bool:
    with pytest.raises(TableRefusal) as refusal:
        act()
    assert "paused" in refusal.value.sentence
    return refusal.value.code is TableCode.PAUSED


def test_a_turn_paused_at_10_s_for_an_hour_has_the_rest_left_afterwards() -> None:
    deal, state = dealt(a_match())
    assert _pause(NOW + 10 * SECOND) == 1
    assert alarms.act_on_due(now=NOW + HOUR) == 0
    assert alarms.next_due() is None
    back = NOW + 10 * SECOND + HOUR
    assert _resume(back) == 1
    assert _is(_left(deal, back), TURN - 10 * SECOND)
    assert state_of(deal).turn == state.turn
    assert alarms.act_on_due(now=back + 29 * SECOND) == 0
    assert alarms.act_on_due(now=back + 31 * SECOND) == 1


def test_a_pause_asked_for_twice_is_one_and_so_is_its_end() -> None:
    deal, _ = dealt(a_match())
    assert [_pause(NOW + 10 * SECOND), _pause(NOW + 20 * SECOND)] == [1, 0]
    back = NOW + 70 * SECOND
    assert [_resume(back), _resume(back + SECOND)] == [1, 0]
    assert _is(_left(deal, back), TURN - 10 * SECOND)
    assert list(deal.events.values_list("kind", flat=True)).count("clock_shifted") == 1


def test_another_owners_tables_play_on() -> None:
    ours, theirs = dealt(a_match()).deal, dealt(a_match(owner="club:2")).deal
    _pause(NOW)
    assert alarms.act_on_due(now=NOW + TURN) == 1
    ours.refresh_from_db()
    theirs.refresh_from_db()
    assert (ours.paused_at, theirs.paused_at) == (NOW, None)


def test_nothing_is_played_answered_dealt_or_left_in_a_pause() -> None:
    playing, between = dealt(a_match()).deal, a_match()
    _pause(NOW + SECOND)
    later = NOW + 2 * SECOND
    turn = state_of(playing).turn or 0
    wishes = [cm.DrawClosed(turn), cm.Drop(turn), cm.Leave(turn), cm.Arrange(turn, ()), cm.Expire()]
    for command in wishes:
        assert _refused(
            lambda command=command: services.play(  # type: ignore[misc]
                deal_id=playing.pk, command=command, command_id="a", now=later
            )
        )
    deal = lambda: services.deal_next(match_id=between.pk, secret_for=secret_for, now=later)  # noqa: E731
    assert _refused(deal)
    for entry in (PlayerLeft(0), RejoinAnswered(0, True)):
        assert _refused(
            lambda entry=entry: services.answer(  # type: ignore[misc]
                match_id=between.pk, entry=entry, now=later
            )
        )
    assert _refused(lambda: services.set_auto_drop(match_id=between.pk, seat=0, on=True))
    playing.refresh_from_db()
    assert playing.version == state_of(playing).version
    assert not services.stop_if_due(match_id=between.pk, now=later)


def test_a_command_played_before_the_pause_and_sent_again_gets_its_first_answer() -> None:
    deal, state = dealt(a_match())
    draw = cm.DrawClosed(state.turn or 0)
    first = services.play(deal_id=deal.pk, command=draw, command_id="a", now=NOW + SECOND)
    _pause(NOW + 2 * SECOND)
    again = services.play(deal_id=deal.pk, command=draw, command_id="a", now=NOW + 3 * SECOND)
    assert again.repeated
    assert again.version == first.version


@pytest.mark.parametrize("status", [MatchStatus.DEALING, MatchStatus.ASKING])
def test_the_time_to_the_next_deal_or_to_answer_goes_on_where_it_was(status: str) -> None:
    match = a_match()
    Match.objects.filter(pk=match.pk).update(status=status, due_at=NOW + 20 * SECOND)
    _pause(NOW + 5 * SECOND)
    assert alarms.act_on_due(now=NOW + HOUR) == 0
    assert not alarms.ring_match(match_id=match.pk, now=NOW + HOUR)
    assert snapshots.scoreboard(match.pk, NOW + HOUR).due_in_ms == 15_000
    _resume(NOW + HOUR)
    match.refresh_from_db()
    assert match.due_at is not None
    assert _is(match.due_at - (NOW + HOUR), 15 * SECOND)


def test_bots_do_not_move_in_a_pause_and_take_their_time_after_it() -> None:
    match = a_match(bot=Strength.STEADY)
    deal, state = dealt(match)
    _pause(NOW)
    assert bot_turns.move_bots(now=NOW + LONGEST) == 0
    back = NOW + HOUR
    _resume(back)
    assert bot_turns.move_bots(now=back) == 0
    assert bot_turns.move_bots(now=back + LONGEST) == 1
    assert Deal.objects.get(pk=deal.pk).version > state.version


def _stood_still(from_second: int, to_second: int) -> None:
    """The clock beats up to one second and again at another."""
    for second in (from_second - 1, from_second):
        heartbeat.beat(now=NOW + second * SECOND)
    heartbeat.beat(now=NOW + to_second * SECOND)


def test_a_standstill_within_a_pause_is_given_back_once() -> None:
    deal, _ = dealt(a_match())
    _pause(NOW + 10 * SECOND)
    _stood_still(12, 60)
    back = NOW + 100 * SECOND
    heartbeat.beat(now=back)
    _resume(back)
    heartbeat.beat(now=back + SECOND)
    assert _is(_left(deal, back), TURN - 10 * SECOND)


def test_a_pause_within_a_standstill_is_given_back_once() -> None:
    deal, _ = dealt(a_match())
    _stood_still(9, 10)
    _pause(NOW + 30 * SECOND)
    _resume(NOW + 50 * SECOND)
    back = NOW + 70 * SECOND
    heartbeat.beat(now=back)
    assert _is(_left(deal, back), TURN - 10 * SECOND)


def test_a_standstill_that_ends_in_a_pause_is_given_back_once() -> None:
    deal, _ = dealt(a_match())
    _stood_still(9, 10)
    _pause(NOW + 30 * SECOND)
    heartbeat.beat(now=NOW + 50 * SECOND)
    assert _is(_left(deal, NOW + 30 * SECOND), TURN - 10 * SECOND)
    back = NOW + 70 * SECOND
    heartbeat.beat(now=back)
    _resume(back)
    assert _is(_left(deal, back), TURN - 10 * SECOND)


def test_a_standstill_that_begins_in_a_pause_and_outlasts_it_is_given_back_once() -> None:
    deal, _ = dealt(a_match())
    _stood_still(9, 10)
    _pause(NOW + 10 * SECOND)
    heartbeat.beat(now=NOW + 20 * SECOND)
    _resume(NOW + 50 * SECOND)
    back = NOW + 70 * SECOND
    heartbeat.beat(now=back)
    assert _is(_left(deal, back), TURN - 10 * SECOND)


def test_a_pause_ended_while_no_web_process_serves_is_given_back_once() -> None:
    deal, _ = dealt(a_match())
    ClockBeat.objects.create(pk=1, at=NOW + 10 * SECOND, web_at=NOW + 10 * SECOND)
    _pause(NOW + 12 * SECOND)
    _resume(NOW + 40 * SECOND)
    back = NOW + 70 * SECOND
    heartbeat.web_beat(now=back)
    heartbeat.beat(now=back)
    assert _is(_left(deal, back), TURN - 10 * SECOND)


def test_who_goes_in_a_pause_and_who_comes_is_told_to_the_deal_when_it_goes_on() -> None:
    match = a_match()
    deal, state = dealt(match)
    presence.disconnected(match_id=match.pk, seat=0, now=NOW + SECOND)
    version = Deal.objects.get(pk=deal.pk).version
    _pause(NOW + 2 * SECOND)
    presence.connected(match_id=match.pk, seat=0, now=NOW + 3 * SECOND)
    presence.disconnected(match_id=match.pk, seat=1, now=NOW + 4 * SECOND)
    assert Deal.objects.get(pk=deal.pk).version == version
    assert dict(match.seats.values_list("number", "online")) == {0: True, 1: False}
    _resume(NOW + HOUR)
    after = state_of(deal)
    assert {seat.seat: seat.online for seat in after.seats} == {0: True, 1: False}
    assert state.version < after.version


def test_a_snapshot_in_a_pause_says_so_shows_the_time_left_and_offers_nothing() -> None:
    match = a_match()
    _, state = dealt(match)
    seat = Seat.objects.get(match=match, number=state.turn or 0)
    viewer = snapshots.viewer_of(table=match.table.public_id, user_id=seat.player_id)
    running = snapshots.snapshot(viewer, NOW + 10 * SECOND)
    assert (running.clock.paused, running.scoreboard.paused) == (False, False)
    assert running.legal
    _pause(NOW + 10 * SECOND)
    paused = snapshots.snapshot(viewer, NOW + HOUR)
    assert (paused.clock.paused, paused.scoreboard.paused) == (True, True)
    assert paused.legal == ()
    assert [end.left_ms for end in paused.clock.ends] == [30_000]
    assert store.positions([match.pk])[match.pk].is_paused


def test_a_match_that_is_over_is_neither_paused_nor_resumed() -> None:
    match = a_match()
    Match.objects.filter(pk=match.pk).update(status="over", due_at=None, over_at=NOW)
    assert (_pause(NOW), _resume(NOW)) == (0, 0)


def test_what_is_paused_is_not_looked_at_among_what_is_due() -> None:
    dealt(a_match())
    a_match()
    _pause(NOW)
    assert timers.soonest(10) == []
    _resume(NOW)
    assert len(timers.soonest(10)) == 2


def test_times_brought_up_in_a_pause_are_moved_once_in_all() -> None:
    match = a_match()
    deal, _ = dealt(match)
    _pause(NOW + 10 * SECOND)
    match.refresh_from_db()
    pausing.bring_up(match, now=NOW + 100 * SECOND)
    pausing.bring_up(match, now=NOW + 100 * SECOND)
    assert _is(_left(deal, NOW + 100 * SECOND), TURN - 10 * SECOND)
    back = NOW + HOUR
    _resume(back)
    assert _is(_left(deal, back), TURN - 10 * SECOND)


@patch.object(heartbeat, "time", SimpleNamespace(monotonic=lambda: 0.0))
@patch.object(shifting, "time", SimpleNamespace(monotonic=lambda: 0.0))
@example(pauses=[(56, 7)], deaths=[(39, 5), (45, 23)])
@given(
    pauses=st.lists(st.tuples(st.integers(30, 60), st.integers(5, 15)), min_size=1, max_size=2),
    deaths=st.lists(st.tuples(st.integers(30, 50), st.integers(2, 30)), min_size=1, max_size=2),
)
def test_whatever_is_paused_and_stands_still_when_only_played_time_is_gone(
    pauses: list[tuple[int, int]], deaths: list[tuple[int, int]]
) -> None:
    """The time that is left is never too little, and too much by no more than the clock's grace.

    Moving the times takes as long as is told in advance: how well that is told is no matter here.
    """
    ClockBeat.objects.all().delete()
    match = a_match()
    deal, _ = dealt(match)
    full = _left(deal, NOW)
    end, is_paused, beats, given_back = 90, False, [29], set[int]()
    heartbeat.beat(now=NOW + 29 * SECOND)
    for second in range(30, end + 1):
        now = NOW + second * SECOND
        is_dead = any(start <= second < start + length for start, length in deaths)
        if not is_dead or second == end:
            heartbeat.beat(now=now)
            gap = range(beats[-1], second)
            given_back |= set(gap) if len(gap) > heartbeat.GRACE / SECOND else set()
            beats.append(second)
        wanted = second < end and any(start <= second < start + ln for start, ln in pauses)
        if wanted != is_paused:
            (_pause if wanted else _resume)(now)
            is_paused = wanted
        if is_paused:
            given_back.add(second)
    more = _left(deal, NOW + end * SECOND) - (full - (end - len(given_back)) * SECOND)
    assert timedelta(0) <= more <= (1 + len(pauses)) * heartbeat.GRACE
    assert check_deal(deal).is_sound
    Match.objects.filter(pk=match.pk).update(status="over", due_at=None, over_at=NOW)
    Deal.objects.filter(pk=deal.pk).update(deadline_at=None, phase="over", over_at=NOW)
