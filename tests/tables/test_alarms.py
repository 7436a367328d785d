"""Alarms ask and the rules decide: late, doubled, lost and failing alarms do no harm."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib import import_module

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from tables import services, store, timers
from tables.models import Deal, DealEvent, Match, MatchStatus
from tables.rules import commands as cm
from tables.rules.deal import advance
from tables.rules.errors import Code, RuleViolation
from tables.rules.state import DealState
from tables.rules.terms import ClockTerms
from tables.selectors import check_deal
from tables.services import alarms
from tables.services.attempts import AFTER_FAULT
from tests.tables.helpers import NOW, a_match, dealt, state_of, tampering

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
TURN = 40 * SECOND
"""A turn of 30 s and 10 s of extra time."""


@pytest.fixture(autouse=True)
def _nothing_is_put_aside() -> Iterator[None]:
    alarms.attempts.bring_back(NOW + timedelta(days=999))
    yield
    alarms.attempts.bring_back(NOW + timedelta(days=999))


def _kinds(deal: Deal) -> list[str]:
    return list(deal.events.values_list("kind", flat=True))


def test_an_alarm_in_time_misses_the_turn_and_the_next_player_has_his_whole_turn() -> None:
    deal, state = dealt(a_match())
    assert alarms.ring_deal(deal_id=deal.pk, now=NOW + TURN)
    after = state_of(deal)
    assert _kinds(deal)[-2:] == ["turn_missed", "turn_started"]
    assert after.turn != state.turn
    assert after.deadline == store.to_ms(NOW + 2 * TURN)
    assert alarms.next_due() == NOW + 2 * TURN


def test_an_alarm_delivered_twice_acts_once() -> None:
    deal = dealt(a_match()).deal
    rung = [alarms.ring_deal(deal_id=deal.pk, now=NOW + TURN) for _ in range(3)]
    assert rung == [True, False, False]
    assert _kinds(deal).count("turn_missed") == 1


def test_an_alarm_for_a_version_that_has_passed_does_nothing() -> None:
    deal, state = dealt(a_match())
    seat = state.seats[0]
    arrange = cm.Arrange(seat.seat, (seat.hand[:3],))
    services.play(deal_id=deal.pk, command=arrange, command_id="arrange", now=NOW)
    assert not alarms.ring_deal(deal_id=deal.pk, now=NOW + TURN, version=state.version)
    assert "turn_missed" not in _kinds(deal)
    assert alarms.act_on_due(now=NOW + TURN) == 1


def test_an_alarm_that_comes_too_early_does_nothing() -> None:
    deal, state = dealt(a_match())
    assert not alarms.ring_deal(deal_id=deal.pk, now=NOW + TURN - timedelta(milliseconds=1))
    assert Deal.objects.get(pk=deal.pk).version == state.version


def test_a_move_just_before_the_deadline_beats_the_alarm() -> None:
    deal, state = dealt(a_match())
    seat, last_moment = state.turn or 0, NOW + TURN - timedelta(milliseconds=10)
    drawn = services.play(
        deal_id=deal.pk, command=cm.DrawClosed(seat), command_id="draw", now=last_moment
    )
    assert drawn.state is not None
    card = drawn.state.seat_state(seat).hand[0]
    services.play(
        deal_id=deal.pk, command=cm.Discard(seat, card), command_id="put", now=last_moment
    )
    assert not alarms.ring_deal(deal_id=deal.pk, now=NOW + TURN)
    assert "turn_missed" not in _kinds(deal)


def test_a_move_after_the_alarm_is_refused() -> None:
    deal, state = dealt(a_match())
    alarms.ring_deal(deal_id=deal.pk, now=NOW + TURN)
    with pytest.raises(RuleViolation) as refusal:
        services.play(
            deal_id=deal.pk,
            command=cm.DrawClosed(state.turn or 0),
            command_id="late",
            now=NOW + TURN,
        )
    assert refusal.value.code is Code.NOT_YOUR_TURN


def test_an_alarm_for_a_deal_that_is_over_or_unknown_does_nothing() -> None:
    deal, state = dealt(a_match())
    services.play(deal_id=deal.pk, command=cm.Drop(state.turn or 0), command_id="drop", now=NOW)
    assert not alarms.ring_deal(deal_id=deal.pk, now=NOW + TURN)
    assert not alarms.ring_deal(deal_id=404, now=NOW + TURN)
    assert not alarms.ring_match(match_id=404, now=NOW + TURN)


def test_alarms_alone_play_a_deal_to_its_end_and_deal_the_next() -> None:
    """Nobody is there: three missed turns, the deal ends, eight seconds later the next begins."""
    match = a_match(format_name="deals")
    moment = NOW
    for _ in range(20):
        alarms.act_on_due(now=moment)
        due = alarms.next_due()
        if due is None or match.deals.count() == 2:
            break
        moment = due
    first, second = match.deals.all()
    assert first.over_at is not None
    assert second.opened_at == first.over_at + 8 * SECOND
    assert check_deal(first).is_sound


def test_the_next_deal_is_dealt_when_due_and_once() -> None:
    match = a_match()
    assert not alarms.ring_match(match_id=match.pk, now=NOW - SECOND)
    rung = [alarms.ring_match(match_id=match.pk, now=NOW) for _ in range(2)]
    assert rung == [True, False]
    match.refresh_from_db()
    assert (match.status, match.deals.count()) == (MatchStatus.PLAYING, 1)


def test_each_deal_dealt_by_the_clock_has_a_secret_of_its_own() -> None:
    matches = [a_match() for _ in range(3)]
    for match in matches:
        alarms.ring_match(match_id=match.pk, now=NOW)
        match.refresh_from_db()
    assert len({match.next_secret for match in matches}) == 3


def test_silence_is_a_no_when_the_time_to_answer_is_up() -> None:
    match = a_match(3, format_name="pool51")
    _eliminate_one(match)
    match.refresh_from_db()
    asked = match.due_at
    assert (match.status, asked) == (MatchStatus.ASKING, NOW + 20 * SECOND)
    assert not alarms.ring_match(match_id=match.pk, now=NOW + 19 * SECOND)
    rung = [alarms.ring_match(match_id=match.pk, now=NOW + 20 * SECOND) for _ in range(2)]
    assert rung == [True, False]
    match.refresh_from_db()
    assert match.entries.latest("seq").kind == "time_passed"
    assert (match.status, match.due_at) == (MatchStatus.DEALING, NOW + 28 * SECOND)


@pytest.mark.parametrize("seconds", [0, 8, 45])
def test_the_next_deal_comes_as_long_after_a_deal_as_the_clock_of_the_match_says(
    seconds: int,
) -> None:
    match = a_match(3, format_name="pool101", clock=ClockTerms(next_deal_seconds=seconds))
    _eliminate_one(match)  # which in a pool of 101 puts nobody out
    match.refresh_from_db()
    assert (match.status, match.due_at) == (MatchStatus.DEALING, NOW + seconds * SECOND)


def _eliminate_one(match: Match) -> None:
    """A wrong declaration costs 80 points in a pool of 51; the next player drops."""

    def play(command: cm.Command, command_id: str) -> DealState:
        played = services.play(deal_id=deal.pk, command=command, command_id=command_id, now=NOW)
        assert played.state is not None
        return played.state

    deal, state = dealt(match)
    loser = state.turn or 0
    card = play(cm.DrawClosed(loser), "draw").seat_state(loser).hand[0]
    play(cm.Finish(loser, card), "finish")
    play(cm.Drop(play(cm.Declare(loser, ()), "declare").turn or 0), "drop")


def test_everything_due_is_acted_on_soonest_first_up_to_the_limit() -> None:
    early, late = (dealt(a_match(), NOW + n * SECOND).deal for n in (0, 1))
    waiting = a_match()
    assert [due.row_id for due in timers.soonest(9)] == [waiting.pk, early.pk, late.pk]
    assert alarms.act_on_due(now=NOW + TURN, limit=1) == 1
    assert alarms.act_on_due(now=NOW + TURN) == 1
    assert alarms.act_on_due(now=NOW + TURN) == 0
    assert Deal.objects.get(pk=late.pk).deadline_at == NOW + TURN + SECOND
    assert alarms.next_due() == NOW + TURN + SECOND


def test_a_deal_that_cannot_be_read_stops_no_other_and_is_tried_again_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, sound = dealt(a_match()).deal, dealt(a_match(), NOW + SECOND).deal
    with tampering():
        DealEvent.objects.filter(deal=broken, seq=3).update(payload="{}")
    moment = NOW + TURN + SECOND
    with caplog.at_level(logging.ERROR):
        assert alarms.act_on_due(now=moment) == 1
        assert alarms.act_on_due(now=moment) == 0
    assert "turn_missed" in _kinds(sound)
    assert [record.getMessage() for record in caplog.records] == [
        "an alarm failed and is put aside"
    ]
    assert alarms.next_due() == Deal.objects.get(pk=sound.pk).deadline_at
    caplog.clear()
    with caplog.at_level(logging.ERROR):
        alarms.act_on_due(now=moment + AFTER_FAULT)
    assert "an alarm failed and is put aside" in caplog.text


def test_however_many_alarms_fail_the_others_of_the_batch_are_acted_on() -> None:
    """A fault is no meeting with another clock."""
    broken = [dealt(a_match()).deal for _ in range(4)]
    sound = dealt(a_match(), NOW + SECOND).deal
    broken.append(dealt(a_match(), NOW + 2 * SECOND).deal)
    with tampering():
        DealEvent.objects.filter(deal__in=broken, seq=3).update(payload="{}")
    assert alarms.act_on_due(now=NOW + TURN + 2 * SECOND) == 1
    assert "turn_missed" in _kinds(sound)


def _due_to_end() -> tuple[Deal, datetime]:
    """A deal that the next alarm ends, and when that is."""
    deal, state = dealt(a_match())
    while True:
        deadline = state.deadline or 0
        if advance(state, cm.Expire(), deadline)[1].is_over:
            return deal, store.from_ms(deadline)
        alarms.ring_deal(deal_id=deal.pk, now=store.from_ms(deadline))
        state = state_of(deal)


@pytest.mark.parametrize("number", [2, 9])
def test_however_many_deals_are_due_they_go_on_in_one_transaction(
    number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Two looks at what is due; then a savepoint, the rows and their logs, the writing, its end."""
    deals = [dealt(a_match()).deal for _ in range(number)]
    moves = 1 if connection.vendor == "postgresql" else 1 + number
    with django_assert_num_queries(2 + 3 + moves + 1):
        assert alarms.act_on_due(now=NOW + TURN) == number
    assert [_kinds(deal)[-2:] for deal in deals] == [["turn_missed", "turn_started"]] * number
    for deal in deals:
        deal.refresh_from_db()
        assert (check_deal(deal).is_sound, deal.deadline_at) == (True, NOW + 2 * TURN)


def test_of_a_batch_a_deal_that_ends_takes_its_match_along() -> None:
    ending, moment = _due_to_end()
    plain = [dealt(a_match(), moment - TURN).deal for _ in range(3)]
    assert alarms.act_on_due(now=moment) == 4
    ending.refresh_from_db()
    assert (ending.over_at, ending.match.status) == (moment, MatchStatus.OVER)
    assert [_kinds(deal).count("turn_missed") for deal in plain] == [1, 1, 1]


def test_a_deal_whose_step_cannot_be_written_undoes_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Somebody has used the alarm's name: the step counts as done, the others are made alone."""
    deals = [dealt(a_match()).deal for _ in range(3)]
    taken = deals[1]
    with tampering():
        DealEvent.objects.filter(deal=taken, seq=3).update(command_id=f"alarm:{taken.version}")
    with caplog.at_level(logging.ERROR):
        assert alarms.act_on_due(now=NOW + TURN) == 2
        assert alarms.act_on_due(now=NOW + TURN) == 0
    assert [_kinds(deal).count("turn_missed") for deal in deals] == [1, 0, 1]
    assert caplog.text == ""


def test_a_deal_that_the_rules_cannot_cope_with_fails_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    deals = [dealt(a_match(), NOW - n * SECOND) for n in range(3)]
    broken = deals[1].state

    def fails(state: DealState, command: cm.Command, now: int) -> object:
        if state == broken:
            raise KeyError("a fault of ours")
        return advance(state, command, now)

    monkeypatch.setattr(import_module("tables.services.play"), "advance", fails)
    with caplog.at_level(logging.ERROR):
        assert alarms.act_on_due(now=NOW + TURN) == 2
        assert alarms.act_on_due(now=NOW + TURN) == 0
    assert ["turn_missed" in _kinds(deal) for deal, _ in deals] == [True, False, True]
    assert caplog.text.count("an alarm failed and is put aside") == 1


def test_a_deal_that_is_put_aside_is_no_part_of_a_batch() -> None:
    aside, *others = (dealt(a_match()).deal for _ in range(3))
    [row] = (due for due in timers.soonest(9) if due.row_id == aside.pk)
    alarms.attempts.put_aside(row, until=NOW + 2 * TURN)
    assert alarms.act_on_due(now=NOW + TURN) == 2
    assert ["turn_missed" in _kinds(deal) for deal in (aside, *others)] == [False, True, True]


def test_nothing_is_due_where_nothing_runs() -> None:
    assert alarms.next_due() is None
    assert alarms.act_on_due(now=NOW) == 0
