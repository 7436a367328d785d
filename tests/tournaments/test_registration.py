"""Joining, leaving and waiting: one seat, one fee, first come first served (rule 7)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    join,
    leave,
    players,
    wallet,
)
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Shape

pytestmark = pytest.mark.django_db


def _states(entries: list[Entry]) -> list[str]:
    for entry in entries:
        entry.refresh_from_db()
    return [entry.state for entry in entries]


def test_joining_sets_the_fee_aside_and_takes_nothing_yet() -> None:
    [person] = players(1)
    [entry] = join(a_tournament(), person)
    assert entry.state == EntryState.ENTERED
    assert (wallet(person).posted, wallet(person).available) == (FEE, 0)


def test_joining_twice_is_one_entry_and_one_fee() -> None:
    tournament = a_tournament()
    [person] = players(1)
    [first], [second] = join(tournament, person), join(tournament, person)
    assert first.pk == second.pk
    assert tournament.entries.count() == 1
    assert wallet(person).held == FEE


def test_who_comes_when_it_is_full_waits_and_pays_nothing() -> None:
    tournament = a_tournament(capacity=2)
    people = players(3)
    assert _states(join(tournament, *people)) == ["entered", "entered", "waiting"]
    assert wallet(people[2]).held == 0


def test_too_few_points_are_refused_with_what_is_missing_and_leave_no_entry() -> None:
    tournament = a_tournament()
    [person] = players(1, points=FEE - 30)
    with pytest.raises(money.InsufficientFunds) as refusal:
        join(tournament, person)
    assert refusal.value.missing == 30
    assert not tournament.entries.exists()


def test_a_withdrawal_gives_the_fee_back_and_the_next_moves_up() -> None:
    tournament = a_tournament(capacity=2)
    people = players(3)
    entries = join(tournament, *people)
    leave(tournament, people[0])
    assert _states(entries) == ["withdrawn", "entered", "entered"]
    assert wallet(people[0]).available == FEE
    assert wallet(people[2]).held == FEE


def test_a_newcomer_never_passes_the_waitlist() -> None:
    tournament = a_tournament(capacity=2)
    people = players(4)
    waiting = join(tournament, *people[:3])[2]
    leave(tournament, people[0])
    [newcomer] = join(tournament, people[3])
    assert _states([waiting, newcomer]) == ["entered", "waiting"]


def test_a_promoted_player_who_leaves_is_not_offered_a_seat_again() -> None:
    tournament = a_tournament(capacity=2)
    people = players(4)
    entries = join(tournament, *people)
    leave(tournament, people[0])
    leave(tournament, people[2])
    assert _states(entries) == ["withdrawn", "entered", "withdrawn", "entered"]


def test_who_cannot_pay_when_his_turn_comes_is_passed_over_and_keeps_his_place() -> None:
    tournament = a_tournament(capacity=2)
    rich = players(3)
    [poor] = players(1, points=0)
    entries = join(tournament, rich[0], rich[1], poor, rich[2])
    leave(tournament, rich[0])
    assert _states(entries) == ["withdrawn", "entered", "waiting", "entered"]


def test_nobody_is_promoted_and_nobody_leaves_once_registration_has_closed() -> None:
    tournament = a_tournament(capacity=2)
    people = players(3)
    entries = join(tournament, *people)
    services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)
    with pytest.raises(TournamentRefusal) as refusal:
        leave(tournament, people[0])
    assert refusal.value.code is TournamentCode.NOT_OPEN
    assert _states(entries) == ["entered", "entered", "not_seated"]


def test_more_entries_than_seats_promote_nobody_when_one_leaves() -> None:
    tournament = a_tournament(capacity=3)
    people = players(5)
    entries = join(tournament, *people)
    tournament.capacity = 2
    tournament.save()
    leave(tournament, people[0])
    assert _states(entries)[3:] == ["waiting", "waiting"]


def test_somebody_may_come_back_after_withdrawing_and_pays_again() -> None:
    tournament = a_tournament()
    [person] = players(1)
    [first] = join(tournament, person)
    leave(tournament, person)
    [again] = join(tournament, person)
    assert (again.pk, again.attempt, again.state) == (first.pk, 2, EntryState.ENTERED)
    assert again.number > first.number
    assert wallet(person).held == FEE


def test_nobody_joins_a_tournament_that_is_not_open() -> None:
    draft = a_tournament(opened=False)
    with pytest.raises(TournamentRefusal) as refusal:
        join(draft, *players(1))
    assert refusal.value.code is TournamentCode.NOT_OPEN


def test_who_has_not_entered_cannot_withdraw() -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        leave(a_tournament(), players(1)[0])
    assert refusal.value.code is TournamentCode.NOT_ENTERED


def test_the_start_takes_what_was_set_aside_and_the_house_earns_its_part() -> None:
    tournament = a_tournament(Shape.HEADS_UP, capacity=4, house_fee=50)
    people = players(4)
    join(tournament, *people)
    assert money.totals_of(tournament).fee == 0
    close_and_start(tournament)
    assert money.pool_of(tournament) == 4 * (FEE - 50)
    assert money.totals_of(tournament).fee == 4 * 50
    assert all(wallet(person).posted == 0 for person in people)


def test_a_free_tournament_needs_no_points() -> None:
    tournament = a_tournament(entry_fee=0)
    [entry] = join(tournament, *players(1, points=0))
    assert entry.state == EntryState.ENTERED
    leave(tournament, entry.player)
    entry.refresh_from_db()
    assert entry.state == EntryState.WITHDRAWN


def test_who_leaves_the_waitlist_and_comes_back_is_the_last_of_it() -> None:
    tournament = a_tournament(capacity=2)
    people = players(4)
    entries = join(tournament, *people)
    leave(tournament, people[2])
    services.register(
        tournament_id=tournament.pk,
        player_id=people[2].pk,
        actor="x",
        now=NOW + timedelta(minutes=1),
    )
    leave(tournament, people[0])
    assert _states(entries) == ["withdrawn", "entered", "waiting", "entered"]


def test_registration_opened_again_seats_those_who_waited_in_their_old_order() -> None:
    tournament = a_tournament(capacity=2)
    people = players(4)
    entries = join(tournament, *people)
    services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)
    services.remove(
        tournament_id=tournament.pk, player_id=people[0].pk, actor="staff", reason="", now=NOW
    )
    assert _states(entries) == ["withdrawn", "entered", "not_seated", "not_seated"]
    services.reopen_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)
    assert _states(entries) == ["withdrawn", "entered", "entered", "waiting"]
