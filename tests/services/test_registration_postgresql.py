"""Eight processes at the doors of one tournament, on PostgreSQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import time, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.tournaments.helpers import FEE, NOW, a_tournament, join, leave, players, wallet
from tests.tournaments.worker import run_all
from tournaments import services
from tournaments.models import EntryState, LogLine, Tournament
from tournaments.structure.due import StartKind, Times
from tournaments.structure.lifecycle import State
from tournaments.structure.schedules import Frequency, Rule

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

PROCESSES = 8


def in_eight(calls: Sequence[tuple[str, dict[str, Any]]]) -> list[Any]:
    """Deal calls out to eight processes that begin together; all outcomes."""
    shares = [calls[at::PROCESSES] for at in range(PROCESSES)]
    results = run_all(str(connection.settings_dict["NAME"]), shares)
    return [outcome for share in results for outcome in share]


def click(name: str, tournament: Tournament, person: User) -> tuple[str, dict[str, Any]]:
    """Somebody's click on join or leave."""
    return name, {
        "tournament_id": tournament.pk,
        "player_id": person.pk,
        "actor": person.username,
        "now": NOW.isoformat(),
    }


def test_of_fifty_clicks_on_the_last_seat_one_has_it_and_forty_nine_wait() -> None:
    tournament = a_tournament(capacity=2)
    join(tournament, *players(1))
    people = players(50)
    outcomes = in_eight([click("register", tournament, person) for person in people])
    assert Counter(state for _, state in outcomes) == {"entered": 1, "waiting": 49}
    assert sum(wallet(person).held for person in people) == FEE
    numbers = list(tournament.entries.values_list("number", flat=True))
    assert sorted(numbers) == list(range(1, 52))


def test_one_player_who_clicks_in_eight_windows_has_one_entry_and_one_fee() -> None:
    tournament = a_tournament()
    [person] = players(1)
    outcomes = in_eight([click("register", tournament, person)] * 48)
    [(entry, state)] = {tuple(outcome) for outcome in outcomes}
    assert state == EntryState.ENTERED
    assert tournament.entries.get().pk == entry
    assert wallet(person).held == FEE


def test_a_player_whose_points_pay_one_fee_enters_one_of_two_tournaments() -> None:
    first, second = a_tournament(), a_tournament()
    [person] = players(1)
    clicks = [click("register", tournament, person) for tournament in (first, second)] * 8
    outcomes = in_eight(clicks)
    refused = [outcome for outcome in outcomes if outcome == "insufficient_funds"]
    assert len(refused) == 8
    assert wallet(person).held == FEE
    assert first.entries.count() + second.entries.count() == 1


def test_leaving_and_joining_at_once_never_seats_too_many_and_loses_no_fee() -> None:
    tournament = a_tournament(capacity=4)
    inside, outside = players(8), players(24)
    join(tournament, *inside)
    in_eight(
        [click("withdraw", tournament, person) for person in inside]
        + [click("register", tournament, person) for person in outside]
    )
    seated = tournament.entries.filter(state=EntryState.ENTERED)
    assert seated.count() == 4
    with_a_fee = {person.pk for person in (*inside, *outside) if wallet(person).held == FEE}
    assert with_a_fee == set(seated.values_list("player_id", flat=True))
    last_seated = max(seated.values_list("number", flat=True))
    waiting = tournament.entries.filter(state=EntryState.WAITING)
    assert min(waiting.values_list("number", flat=True)) > last_seated


def test_eight_sweeps_at_the_same_moment_start_a_tournament_once() -> None:
    start = NOW + timedelta(hours=1)
    tournaments = [
        a_tournament(times=Times(kind=StartKind.FIXED_TIME, starts_at=start)) for _ in range(3)
    ]
    for tournament in tournaments:
        join(tournament, *players(2))
    steps = in_eight([("act_on_due", {"now": start.isoformat()})] * PROCESSES)
    assert sum(steps) == 3 * 2
    states = Tournament.objects.values_list("state", flat=True)
    assert set(states) == {State.RUNNING}
    assert LogLine.objects.filter(action="start").count() == 3
    assert set(tournaments[0].entries.values_list("state", flat=True)) == {EntryState.PLAYING}


def test_the_twentieth_second_and_a_removal_at_once_leave_one_truth() -> None:
    """Either it started with everybody, or it waits again with one less."""
    tournament = a_tournament(capacity=2, times=Times(kind=StartKind.FIXED_PLAYERS))
    people = players(2)
    join(tournament, *people)
    due = NOW + timedelta(seconds=20)
    removal = ("remove", click("remove", tournament, people[0])[1] | {"reason": ""})
    in_eight([("act_on_due", {"now": due.isoformat()}), removal] * 4)
    tournament.refresh_from_db()
    states = sorted(tournament.entries.values_list("state", flat=True))
    if tournament.state == State.RUNNING:
        assert states == ["playing", "playing"]
    else:
        assert (tournament.state, states) == (State.REGISTERING, ["entered", "withdrawn"])
        assert tournament.due_at is None
        leave(tournament, people[1])


def test_eight_workers_make_the_next_tournament_of_a_series_once() -> None:
    rule = Rule(frequency=Frequency.DAILY, zone="Asia/Kolkata", hour=time(20), first_day=NOW.date())
    template = a_tournament(opened=False)
    services.schedule(name="Daily", template_id=template.pk, rule=rule, actor="x", now=NOW)
    made = in_eight([("make_due", {"now": NOW.isoformat()})] * PROCESSES)
    assert sum(made) == 7
    days = Tournament.objects.filter(schedule__isnull=False).values_list("occurrence", flat=True)
    assert len(set(days)) == len(days) == 7
