"""Checking in before the start, and those who did not."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    join,
    leave,
    players,
    terms,
    wallet,
)
from tests.tournaments.test_staffing import states
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, Tournament
from tournaments.offers import Act, known_of, offers_of
from tournaments.services import sweep
from tournaments.structure.conditions import EntryRules
from tournaments.structure.due import StartKind, Times
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)

START = NOW + timedelta(hours=2)


def with_check_in(capacity: int = 3, **rules: Any) -> Tournament:
    """Check-in from thirty to five minutes before the start."""
    times = Times(
        kind=StartKind.FIXED_TIME,
        starts_at=START,
        check_in_opens_at=START - 30 * MINUTE,
        check_in_closes_at=START - 5 * MINUTE,
    )
    return a_tournament(capacity=capacity, times=times, terms=terms(entering=EntryRules(**rules)))


def checks_in(tournament: Tournament, person: User, at: datetime) -> Entry:
    """Say that somebody is there."""
    return services.check_in(
        tournament_id=tournament.pk, player_id=person.pk, actor=person.username, now=at
    )


def test_who_did_not_check_in_is_not_seated_and_has_his_fee_back() -> None:
    tournament = with_check_in()
    people = players(3)
    join(tournament, *people)
    for person in people[:2]:
        checks_in(tournament, person, START - 20 * MINUTE)
    sweep.act_on_due(now=START)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    assert states(tournament, people) == ["playing", "playing", "no_show"]
    assert wallet(people[2]).available == FEE
    assert money.pool_of(tournament) == 2 * FEE


def test_a_kept_fee_of_a_no_show_is_in_the_pool() -> None:
    tournament = with_check_in(no_show_keeps_fee=True)
    people = players(3)
    join(tournament, *people)
    for person in people[:2]:
        checks_in(tournament, person, START - 20 * MINUTE)
    sweep.act_on_due(now=START)
    assert states(tournament, people) == ["playing", "playing", "no_show"]
    assert wallet(people[2]).posted == 0
    assert money.pool_of(tournament) == 3 * FEE


@pytest.mark.parametrize(("moves_up", "state"), [(True, "playing"), (False, "not_seated")])
def test_the_waitlist_has_no_seat_of_a_no_show_if_the_organiser_does_not_want_it(
    moves_up: bool, state: str
) -> None:
    tournament = with_check_in(capacity=3, waitlist_moves_up=moves_up)
    people = players(5)
    join(tournament, *people)
    for person in people[:2]:
        checks_in(tournament, person, START - 20 * MINUTE)
    sweep.act_on_due(now=START)
    expected = ["playing", "playing", "no_show", state, "not_seated"]
    assert states(tournament, people) == expected
    assert wallet(people[3]).posted == (0 if moves_up else FEE)


def test_the_waitlist_has_a_no_shows_seat_unless_the_organiser_says_otherwise() -> None:
    assert EntryRules().waitlist_moves_up


def test_who_waits_for_a_no_shows_seat_may_leave_the_waitlist_till_check_in_ends() -> None:
    tournament = with_check_in(capacity=2)
    people = players(4)
    join(tournament, *people)
    checks_in(tournament, people[0], START - 20 * MINUTE)
    sweep.act_on_due(now=START - 10 * MINUTE)
    tournament.refresh_from_db()
    assert tournament.state == State.CLOSED
    with pytest.raises(TournamentRefusal) as refusal:
        leave(tournament, people[0])
    assert refusal.value.code is TournamentCode.NOT_OPEN
    known = known_of(tournament, people[2].pk, START - 10 * MINUTE)
    assert [offer.act for offer in offers_of(known).offers] == [Act.WITHDRAW]
    leave(tournament, people[2])
    sweep.act_on_due(now=START)
    assert states(tournament, people) == ["playing", "no_show", "withdrawn", "playing"]
    assert wallet(people[2]).available == FEE


def test_too_few_who_checked_in_call_it_off() -> None:
    tournament = with_check_in()
    people = players(3)
    join(tournament, *people)
    checks_in(tournament, people[0], START - 20 * MINUTE)
    sweep.act_on_due(now=START)
    tournament.refresh_from_db()
    assert tournament.state == State.CANCELLED
    assert [wallet(person).available for person in people] == [FEE] * 3


def test_check_in_has_its_window_and_only_the_entered_check_in() -> None:
    tournament = with_check_in()
    [person, stranger] = players(2)
    join(tournament, person)
    for moment in (START - 31 * MINUTE, START - 5 * MINUTE):
        with pytest.raises(TournamentRefusal) as refusal:
            checks_in(tournament, person, moment)
        assert refusal.value.code is TournamentCode.NO_CHECK_IN
    with pytest.raises(TournamentRefusal) as refusal:
        checks_in(tournament, stranger, START - 20 * MINUTE)
    assert refusal.value.code is TournamentCode.NOT_ENTERED
    first = checks_in(tournament, person, START - 20 * MINUTE).checked_in_at
    assert checks_in(tournament, person, START - 19 * MINUTE).checked_in_at == first


def test_a_start_by_hand_waits_for_the_end_of_check_in() -> None:
    tournament = with_check_in()
    people = players(2)
    join(tournament, *people)
    with pytest.raises(TournamentRefusal) as refusal:
        close_and_start(tournament)
    assert refusal.value.code is TournamentCode.CHECK_IN_OPEN
    for person in people:
        checks_in(tournament, person, START - 20 * MINUTE)
    services.end_check_in(tournament_id=tournament.pk, actor="organiser", now=NOW)
    services.start(tournament_id=tournament.pk, actor="organiser", now=NOW)
    assert states(tournament, people) == ["playing", "playing"]


def test_check_in_cannot_end_where_there_is_none_and_ends_once() -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        services.end_check_in(tournament_id=a_tournament().pk, actor="organiser", now=NOW)
    assert refusal.value.code is TournamentCode.NO_CHECK_IN
    tournament = with_check_in()
    join(tournament, *players(2))
    services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)

    def end() -> int:
        ended = services.end_check_in(tournament_id=tournament.pk, actor="organiser", now=NOW)
        return len(ended)

    assert (end(), end()) == (2, 0)


def test_joining_again_after_a_withdrawal_needs_checking_in_again() -> None:
    tournament = with_check_in()
    [person] = players(1)
    join(tournament, person)
    checks_in(tournament, person, START - 29 * MINUTE)
    leave(tournament, person)
    [again] = join(tournament, person)
    assert again.checked_in_at is None


@pytest.mark.parametrize("after_start", [False, True])
def test_a_kept_fee_goes_back_like_every_other_when_the_tournament_is_called_off(
    after_start: bool,
) -> None:
    tournament = with_check_in(no_show_keeps_fee=True)
    people = players(3)
    join(tournament, *people)
    for person in people[: 2 if after_start else 1]:
        checks_in(tournament, person, START - 20 * MINUTE)
    sweep.act_on_due(now=START)
    if after_start:
        services.abort(tournament_id=tournament.pk, actor="organiser", reason="fire", now=START)
    tournament.refresh_from_db()
    assert tournament.state == (State.ABORTED if after_start else State.CANCELLED)
    assert [wallet(person).available for person in people] == [FEE] * 3
    assert money.faults(now=NOW) == ()


def test_a_no_show_let_in_again_pays_once_and_has_that_back_when_he_is_taken_out() -> None:
    tournament = with_check_in(no_show_keeps_fee=True)
    people = players(3)
    join(tournament, *people)
    for person in people[:2]:
        checks_in(tournament, person, START - 20 * MINUTE)
    late = people[2]
    sweep.act_on_due(now=START - 4 * MINUTE)
    assert states(tournament, [late]) == ["no_show"]
    who: dict[str, Any] = {"tournament_id": tournament.pk, "player_id": late.pk, "actor": "desk"}
    services.add(**who, force=True, reason="came by a late train", now=START - 3 * MINUTE)
    assert (wallet(late).held, wallet(late).available) == (FEE, 0)
    services.remove(**who, reason="and left again", now=START - 2 * MINUTE)
    assert (wallet(late).held, wallet(late).available) == (0, FEE)
    assert money.faults(now=NOW) == ()


def test_many_no_shows_cost_no_more_queries_than_a_few() -> None:
    def queries(absent: int) -> int:
        tournament = with_check_in(capacity=100)
        people = players(absent)
        join(tournament, *people)
        services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)
        with CaptureQueriesContext(connection) as captured:
            services.end_check_in(tournament_id=tournament.pk, actor="organiser", now=NOW)
        assert set(states(tournament, people)) == {"no_show"}
        assert [wallet(person).available for person in people] == [FEE] * absent
        return len(captured)

    assert queries(60) == queries(6)
