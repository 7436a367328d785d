"""Eight processes that do everything at once to one tournament, on PostgreSQL.

What each does is drawn, and who comes first is another one each time; whatever came of it has to
add up, and nobody may be told anything but a refusal: a deadlock fails the test.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.services.test_registration_postgresql import click, in_eight
from tests.services.test_tables_postgresql import at_once
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    next_round,
    open_tables,
    players,
    run_out,
    started,
    terms,
    wallet,
)
from tests.tournaments.test_simulation_sizes import IS_THOROUGH
from tests.tournaments.worker import begin
from tournaments import money, services
from tournaments.management import invariants
from tournaments.models import Entry, EntryState, Placing, Shape, Tournament
from tournaments.selectors import faults_of
from tournaments.structure.conditions import EntryRules
from tournaments.structure.due import StartKind, Times
from tournaments.structure.lifecycle import State

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

Call = tuple[str, dict[str, Any]]
SEEDS = range(12) if IS_THOROUGH else range(2)
CALLS = 160
HOLDS = (EntryState.ENTERED, EntryState.APPLIED)


def at(seconds: int) -> datetime:
    """So many seconds after now."""
    return NOW + timedelta(seconds=seconds)


def by_staff(name: str, tournament: Tournament, **more: Any) -> Call:
    """Something that staff or the clock does."""
    return name, {
        "tournament_id": tournament.pk,
        "actor": "desk",
        "now": NOW.isoformat(),
    } | more


def about(name: str, tournament: Tournament, person: User, **more: Any) -> Call:
    """Something that staff does to somebody."""
    return by_staff(name, tournament, player_id=person.pk, **more)


def check_entering(tournament: Tournament, people: list[User]) -> None:
    """Seats, fees and the waitlist of a tournament that still takes entries add up."""
    tournament.refresh_from_db()
    assert invariants.faults_while_running(tournament, now=NOW) == ()
    entries = {entry.player_id: entry for entry in tournament.entries.all()}
    for person in people:
        entry = entries.get(person.pk)
        holds = entry is not None and entry.state in HOLDS
        assert wallet(person).held == (FEE if holds else 0)
        assert wallet(person).posted == FEE
    seated = sum(entry.state == EntryState.ENTERED for entry in entries.values())
    waiting = [entry for entry in entries.values() if entry.state == EntryState.WAITING]
    assert seated <= tournament.capacity
    if tournament.state == State.REGISTERING:
        assert not waiting or seated == tournament.capacity


def drawn(
    people: list[User], chance: random.Random, may: Callable[[User], list[Call]]
) -> list[Call]:
    """So many calls, each by or about somebody, one of those that he may make."""
    return [chance.choice(may(person)) for person in chance.choices(people, k=CALLS)]


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_is_done_to_seats_and_waitlist_at_once_adds_up(seed: int) -> None:
    tournament = a_tournament(capacity=2)
    people, chance = players(24), random.Random(seed)
    join(tournament, *people[:6])

    def may(person: User) -> list[Call]:
        return [
            click("register", tournament, person),
            click("register", tournament, person),
            click("withdraw", tournament, person),
            about("add", tournament, person),
            about("remove", tournament, person, reason=""),
            by_staff("change_capacity", tournament, capacity=chance.randint(2, 6)),
        ]

    in_eight(drawn(people, chance, may))
    check_entering(tournament, people)
    numbers = list(tournament.entries.values_list("number", flat=True))
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("seed", SEEDS)
def test_applications_decided_in_many_windows_at_once_add_up(seed: int) -> None:
    tournament = a_tournament(capacity=3, terms=terms(entering=EntryRules(needs_approval=True)))
    people, chance = players(16), random.Random(seed)
    join(tournament, *people[:8])

    def may(person: User) -> list[Call]:
        return [
            click("register", tournament, person),
            click("withdraw", tournament, person),
            about("approve", tournament, person),
            about("approve", tournament, person),
            about("refuse", tournament, person, reason=""),
            by_staff("change_capacity", tournament, capacity=chance.randint(2, 5)),
        ]

    in_eight(drawn(people, chance, may))
    check_entering(tournament, people)


@pytest.mark.parametrize("seed", SEEDS)
def test_check_in_closing_reopening_and_the_start_at_once_lose_nobody_and_no_fee(seed: int) -> None:
    minute = 60
    times = Times(
        kind=StartKind.FIXED_TIME,
        starts_at=at(60 * minute),
        closes_at=at(10 * minute),
        check_in_opens_at=NOW,
        check_in_closes_at=at(30 * minute),
    )
    entering = EntryRules(waitlist_moves_up=True, late_until_round=1)
    tournament = a_tournament(capacity=4, times=times, terms=terms(entering=entering))
    people, chance = players(14), random.Random(seed)
    join(tournament, *people[:9])
    moments = [NOW, at(10 * minute), at(30 * minute), at(60 * minute)]

    def may(person: User) -> list[Call]:
        return [
            click("register", tournament, person),
            click("withdraw", tournament, person),
            click("check_in", tournament, person),
            click("check_in", tournament, person),
            about("remove", tournament, person, reason=""),
            by_staff("close_registration", tournament),
            by_staff("reopen_registration", tournament),
            by_staff("end_check_in", tournament),
            by_staff("start", tournament),
            ("act_on_due", {"now": chance.choice(moments).isoformat()}),
        ]

    in_eight(drawn(people, chance, may))
    tournament.refresh_from_db()
    if tournament.state in (State.REGISTERING, State.CLOSED):
        check_entering(tournament, people)
        return
    assert invariants.faults_while_running(tournament, now=NOW) == ()
    playing = tournament.entries.filter(state=EntryState.PLAYING).count()
    paid = sum(FEE - wallet(person).posted for person in people)
    assert sum(wallet(person).held for person in people) == 0
    assert paid == (playing * FEE if tournament.state == State.RUNNING else 0)
    assert not tournament.entries.filter(state__in=HOLDS).exists()


def test_all_withdraw_while_it_is_closed_and_started_and_each_is_in_or_has_his_fee() -> None:
    tournament = a_tournament(capacity=8)
    people = players(8)
    join(tournament, *people)
    leaving = [click("withdraw", tournament, person) for person in people[2:]]
    moves = [by_staff("close_registration", tournament), by_staff("start", tournament)]
    in_eight([*leaving, *moves, *moves, *leaving, *moves, *moves])
    tournament.refresh_from_db()
    states = dict(tournament.entries.values_list("player_id", "state"))
    inside = EntryState.PLAYING if tournament.state == State.RUNNING else EntryState.ENTERED
    for person in people:
        assert states[person.pk] in (inside, EntryState.WITHDRAWN)
        assert wallet(person).available == (0 if states[person.pk] == inside else FEE)
    assert invariants.faults_while_running(tournament, now=NOW) == ()


def knock_out_in_round_one(seats: int = 13) -> tuple[Tournament, list[Entry]]:
    """A knock-out of twelve; the first table of round 1 is over, and who is out."""
    rules = EntryRules(late_until_round=1, reentries=1)
    tournament = a_tournament(capacity=seats, terms=terms(entering=rules))
    join(tournament, *players(12, points=2 * FEE))
    close_and_start(tournament)
    next_round(tournament)
    finish(open_tables(tournament)[0])
    return tournament, list(tournament.entries.filter(state=EntryState.OUT))


def test_of_fifty_newcomers_one_has_the_last_seat_and_who_comes_back_pays_once() -> None:
    tournament, out = knock_out_in_round_one()
    newcomers, before = players(50), money.pool_of(tournament)
    back = [click("re_enter", tournament, entry.player) for entry in out]
    inside = [entry.player for entry in tournament.entries.filter(state=EntryState.PLAYING)]
    leaving = [about("disqualify", tournament, person, reason="r") for person in inside[-2:]]
    moving = [by_staff("go_on", tournament)] * 4
    calls = [click("register", tournament, person) for person in newcomers] + 8 * back
    random.Random(1).shuffle(calls)
    outcomes = in_eight([*calls[:40], *leaving, *moving, *calls[40:]])
    assert sum(wallet(person).posted == 0 for person in newcomers) == 1
    assert money.pool_of(tournament) == before + (1 + len(out)) * FEE
    for entry in out:
        entry.refresh_from_db()
        assert (entry.state, entry.reentries) == (EntryState.PLAYING, 1)
    refused = Counter(outcome for outcome in outcomes if isinstance(outcome, str))
    assert refused["full"] == 49
    assert invariants.faults_while_running(tournament, now=NOW) == ()


def test_newcomers_at_the_moment_the_stated_round_closes_are_seated_or_have_not_paid() -> None:
    """Who was let in plays in round 2; whoever came later is refused and has paid nothing."""
    tournament, out = knock_out_in_round_one(seats=18)
    *_, last = open_tables(tournament)
    newcomers = players(6)

    def come_back() -> Entry:
        return services.re_enter(
            tournament_id=tournament.pk, player_id=out[0].player_id, actor="x", now=NOW
        )

    def joining(person: User) -> Callable[[], list[Entry]]:
        return lambda: join(tournament, person)

    jobs: list[Callable[[], object]] = [joining(person) for person in newcomers]
    at_once([*jobs[:3], lambda: finish(last), come_back, *jobs[3:]])
    assert tournament.rounds.filter(closed_at__isnull=False).count() == 1
    next_round(tournament)
    seated = set(
        Placing.objects.filter(table__round__number=2).values_list("entry__player_id", flat=True)
    )
    for person in newcomers:
        has_paid = wallet(person).posted == 0
        assert has_paid is (person.pk in seated)
        assert has_paid is tournament.entries.filter(player=person).exists()
    out[0].refresh_from_db()
    assert bool(out[0].reentries) is (out[0].player_id in seated)
    assert money.faults(now=NOW) == ()


def test_a_settlement_killed_again_and_again_pays_each_prize_once() -> None:
    prizes = "fixed:" + ",".join(str(100 - at) for at in range(60))
    tournament = started(Shape.KNOCKOUT, 60, terms=terms(prizes=prizes), house_fee=50)
    run_out(tournament)
    job = [by_staff("complete", tournament)]
    database, chance = str(connection.settings_dict["NAME"]), random.Random(2)
    for _ in range(6):
        child = begin(database, job)
        time.sleep(chance.random() / 4)
        child.kill()
        child.communicate()
    services.complete(tournament_id=tournament.pk, now=NOW)
    tournament.refresh_from_db()
    assert tournament.state == State.COMPLETED
    assert faults_of(tournament) == ()
    assert money.faults(now=NOW) == ()
    assert tournament.payments.filter(paid_at__isnull=False).count() == 60
    for entry in tournament.entries.select_related("player"):
        assert wallet(entry.player).posted == entry.prize > 0
    before = invariants.snapshot_of(tournament)
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert invariants.snapshot_of(tournament) == before
