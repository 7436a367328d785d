"""Tournaments that open, close, start or are called off by themselves (rule 7)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine

from tests.tournaments.helpers import FEE, NOW, a_tournament, join, leave, players, wallet
from tournaments import services, tasks
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Shape, Tournament
from tournaments.services import lifecycle, sweep
from tournaments.structure.due import StartKind, Times
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db

START = NOW + timedelta(hours=2)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


def at_a_time(**changes: Any) -> Tournament:
    """Open for registration, starting at its time."""
    times = Times(kind=StartKind.FIXED_TIME, starts_at=START, **changes.pop("times", {}))
    return a_tournament(Shape.KNOCKOUT, times=times, **changes)


def when_full(capacity: int = 3, **changes: Any) -> Tournament:
    """Open for registration, starting when it is full."""
    times = Times(kind=StartKind.FIXED_PLAYERS, **changes.pop("times", {}))
    return a_tournament(Shape.KNOCKOUT, capacity=capacity, times=times, **changes)


def state_at(tournament: Tournament, moment: datetime) -> str:
    """The state after a sweep at the moment."""
    sweep.act_on_due(now=moment)
    tournament.refresh_from_db()
    return tournament.state


def test_a_fixed_time_closes_ten_minutes_before_and_starts_though_it_is_not_full() -> None:
    tournament = at_a_time(capacity=6)
    join(tournament, *players(2))
    assert state_at(tournament, START - 10 * MINUTE - SECOND) == State.REGISTERING
    assert state_at(tournament, START - 10 * MINUTE) == State.CLOSED
    assert state_at(tournament, START - SECOND) == State.CLOSED
    assert state_at(tournament, START) == State.RUNNING
    assert tournament.started_at == START
    assert tournament.due_at is None


def test_a_full_fixed_time_waits_for_its_time() -> None:
    tournament = at_a_time(capacity=2)
    join(tournament, *players(2))
    assert state_at(tournament, NOW + MINUTE) == State.REGISTERING


def test_what_fell_due_while_nobody_looked_is_done_step_by_step_and_once() -> None:
    tournament = at_a_time()
    join(tournament, *players(2))
    assert sweep.act_on_due(now=START + 3 * MINUTE) == 2
    assert sweep.act_on_due(now=START + 3 * MINUTE) == 0
    assert [line.action for line in tournament.log.all()] == [
        "open_registration",
        "close_registration",
        "start",
    ]
    assert {line.actor for line in tournament.log.all()} == {"organiser", "clock"}


def test_fewer_than_the_minimum_are_called_off_refunded_and_it_is_logged_why() -> None:
    tournament = at_a_time(min_entries=3)
    people = players(2)
    join(tournament, *people)
    assert state_at(tournament, START) == State.CANCELLED
    assert [wallet(person).available for person in people] == [FEE, FEE]
    line = tournament.log.last()
    assert line is not None
    assert (line.action, line.actor, line.at) == ("cancel", "clock", START)
    assert line.reason == "2 entered, at least 3 were needed in time."


def test_an_announced_tournament_opens_at_its_time() -> None:
    opens_at = NOW + 5 * MINUTE
    tournament = at_a_time(opened=False, times={"opens_at": opens_at})
    assert state_at(tournament, opens_at) == State.DRAFT
    services.announce(tournament_id=tournament.pk, actor="organiser", now=NOW)
    assert state_at(tournament, opens_at - SECOND) == State.ANNOUNCED
    assert state_at(tournament, opens_at) == State.REGISTERING
    assert tournament.next_commitment


def test_what_nobody_could_enter_is_called_off() -> None:
    tournament = at_a_time(opened=False, times={"opens_at": NOW + MINUTE})
    services.announce(tournament_id=tournament.pk, actor="organiser", now=NOW)
    assert state_at(tournament, START) == State.CANCELLED


def test_nobody_announces_or_opens_what_would_have_closed_already() -> None:
    tournament = at_a_time(opened=False)
    for step in (services.announce, services.open_registration):
        with pytest.raises(TournamentRefusal) as refusal:
            step(tournament_id=tournament.pk, actor="organiser", now=START)
        assert refusal.value.field == "closes_at"


def test_a_full_fixed_players_tournament_starts_twenty_seconds_after_its_last_seat() -> None:
    tournament = when_full()
    join(tournament, *players(2))
    assert state_at(tournament, NOW + 60 * MINUTE) == State.REGISTERING
    join(tournament, *players(1))
    assert state_at(tournament, NOW + 19 * SECOND) == State.REGISTERING
    assert state_at(tournament, NOW + 20 * SECOND) == State.RUNNING


def test_registration_closes_and_play_begins_in_one_step_with_nobody_taken_out_between() -> None:
    """Closed with a seat free it would wait for ever: nobody may join, and it is never full."""
    tournament = when_full()
    join(tournament, *players(3))
    assert sweep.act_on(tournament_id=tournament.pk, now=NOW + 20 * SECOND) == 1
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    assert list(tournament.log.order_by("pk").values_list("action", flat=True)[1:]) == [
        "close_registration",
        "start",
    ]


def test_nobody_withdraws_once_it_is_full_and_who_waits_still_may() -> None:
    tournament = when_full()
    people = players(4)
    join(tournament, *people)
    with pytest.raises(TournamentRefusal) as refusal:
        leave(tournament, people[0])
    assert refusal.value.code is TournamentCode.NOT_OPEN
    assert leave(tournament, people[3]).state == "withdrawn"


def test_it_waits_again_when_staff_takes_somebody_out() -> None:
    tournament = when_full()
    people = players(3)
    join(tournament, *people)
    services.remove(
        tournament_id=tournament.pk, player_id=people[0].pk, actor="staff", reason="", now=NOW
    )
    assert state_at(tournament, NOW + 60 * MINUTE) == State.REGISTERING
    assert tournament.starts_at is None
    leave(tournament, people[1])
    services.register(
        tournament_id=tournament.pk, player_id=people[1].pk, actor="x", now=NOW + MINUTE
    )
    services.register(
        tournament_id=tournament.pk, player_id=people[0].pk, actor="x", now=NOW + 2 * MINUTE
    )
    assert state_at(tournament, NOW + 2 * MINUTE + 20 * SECOND) == State.RUNNING


def test_a_seat_that_the_waitlist_fills_starts_the_twenty_seconds_anew() -> None:
    tournament = when_full()
    people = players(4)
    join(tournament, *people)
    later = NOW + 15 * SECOND
    services.remove(
        tournament_id=tournament.pk, player_id=people[0].pk, actor="staff", reason="", now=later
    )
    tournament.refresh_from_db()
    assert tournament.due_at == later + 20 * SECOND


def test_more_seats_make_a_full_one_wait_and_fewer_make_it_full() -> None:
    tournament = when_full()
    join(tournament, *players(3))

    def seats(capacity: int) -> Any:
        services.change_capacity(
            tournament_id=tournament.pk, capacity=capacity, actor="staff", now=NOW
        )
        tournament.refresh_from_db()
        return tournament.due_at

    assert seats(4) is None
    assert seats(3) == NOW + 20 * SECOND


def test_one_that_is_not_full_by_its_deadline_is_called_off() -> None:
    tournament = when_full(times={"closes_at": START})
    join(tournament, *players(2))
    assert state_at(tournament, START - SECOND) == State.REGISTERING
    assert state_at(tournament, START) == State.CANCELLED


def test_by_hand_nothing_happens_by_itself() -> None:
    tournament = a_tournament()
    join(tournament, *players(2))
    assert tournament.due_at is None
    assert state_at(tournament, NOW + timedelta(days=400)) == State.REGISTERING


def test_registration_opened_again_closes_at_the_start_unless_another_time_is_given() -> None:
    tournament = at_a_time(capacity=2)
    people = players(3)
    entries = join(tournament, *people)
    assert state_at(tournament, START - 10 * MINUTE) == State.CLOSED
    entries[2].refresh_from_db()
    assert entries[2].state == "not_seated"
    tournament = services.reopen_registration(
        tournament_id=tournament.pk, actor="organiser", now=START - 9 * MINUTE
    )
    assert tournament.closes_at == START
    leave(tournament, people[0])
    entries[2].refresh_from_db()
    assert entries[2].state == "entered"
    assert state_at(tournament, START) == State.RUNNING


def test_it_is_not_opened_again_until_after_its_start_or_into_the_past() -> None:
    tournament = at_a_time()
    assert state_at(tournament, START - 10 * MINUTE) == State.CLOSED
    for closes_at in (START + SECOND, START - 10 * MINUTE):
        with pytest.raises(TournamentRefusal) as refusal:
            services.reopen_registration(
                tournament_id=tournament.pk,
                actor="organiser",
                closes_at=closes_at,
                now=START - 9 * MINUTE,
            )
        assert refusal.value.field == "closes_at"


def test_one_that_fails_does_not_keep_the_others_from_starting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sick, sound = at_a_time(), at_a_time()
    for tournament in (sick, sound):
        join(tournament, *players(2))
    start = lifecycle.start

    def moody(*, tournament_id: int, actor: str, now: datetime) -> Tournament:
        if tournament_id == sick.pk:
            raise ZeroDivisionError
        return start(tournament_id=tournament_id, actor=actor, now=now)

    monkeypatch.setattr(lifecycle, "start", moody)
    with pytest.raises(ZeroDivisionError):
        sweep.act_on_due(now=START)
    sick.refresh_from_db()
    sound.refresh_from_db()
    assert (sick.state, sound.state) == (State.CLOSED, State.RUNNING)
    monkeypatch.undo()
    assert state_at(sick, START) == State.RUNNING


def test_the_task_starts_what_is_due_and_opens_its_first_round() -> None:
    tournament = at_a_time()
    join(tournament, *players(2))
    tasks._put_aside.clear()
    with time_machine.travel(START, tick=False):
        assert tasks.run_tournaments() == 3
    assert tournament.rounds.count() == 1


def test_a_sweep_with_nothing_due_asks_one_question_whatever_there_is(
    django_assert_num_queries: Any,
) -> None:
    for _ in range(5):
        at_a_time()
    with django_assert_num_queries(1):
        assert sweep.act_on_due(now=NOW) == 0
