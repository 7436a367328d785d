"""Coming in after the start, and coming back (terms `late_until_round` and `reentries`)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    next_round,
    players,
    run_out,
    terms,
    wallet,
)
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Placing, Shape, Tournament
from tournaments.structure.conditions import Conditions, EntryRules
from tournaments.structure.errors import StructureCode, StructureError

pytestmark = pytest.mark.django_db


def running(
    entrants: int = 12, *, seats: int = 24, house_fee: int = 0, **rules: Any
) -> tuple[Tournament, list[User]]:
    """A knock-out that has started and takes players in until round 1 is over."""
    wanted = EntryRules(**({"late_until_round": 1} | rules))
    tournament = a_tournament(capacity=seats, terms=terms(entering=wanted), house_fee=house_fee)
    people = players(entrants)
    join(tournament, *people)
    close_and_start(tournament)
    return tournament, people


def comes_back(tournament: Tournament, person: User) -> Entry:
    """Pay again and play on."""
    return services.re_enter(
        tournament_id=tournament.pk, player_id=person.pk, actor=person.username, now=NOW
    )


def close_round(tournament: Tournament) -> None:
    """Finish every table of the open round."""
    for table in tournament.rounds.get(closed_at=None).tables.all():
        finish(table)


def somebody_out(tournament: Tournament) -> User:
    """A player whose table is finished and who is out, while the round goes on."""
    table = tournament.rounds.get(closed_at=None).tables.order_by("number")[0]
    finish(table)
    return table.placings.get(seat=1).entry.player


def test_a_newcomer_during_round_one_pays_at_once_and_plays_from_round_two() -> None:
    tournament, _ = running()
    next_round(tournament)
    [person] = players(1)
    [entry] = join(tournament, person)
    assert entry.state == EntryState.PLAYING
    assert (wallet(person).posted, wallet(person).held) == (0, 0)
    assert money.pool_of(tournament) == 13 * FEE
    close_round(tournament)
    opened = next_round(tournament)
    assert Placing.objects.filter(table__round=opened, entry=entry).exists()
    assert not entry.placings.filter(table__round__number=1).exists()


def test_a_newcomer_before_round_one_is_drawn_like_everybody() -> None:
    tournament, _ = running()
    [entry] = join(tournament, *players(1))
    next_round(tournament)
    assert entry.placings.count() == 1


def test_nobody_comes_in_once_the_stated_round_has_closed() -> None:
    tournament, _ = running()
    next_round(tournament)
    close_round(tournament)
    people = players(1)
    with pytest.raises(StructureError) as refusal:
        join(tournament, *people)
    assert refusal.value.code is StructureCode.TOO_LATE
    assert wallet(people[0]).available == FEE
    assert tournament.entries.count() == 12


def test_nobody_comes_in_where_it_is_not_offered_or_during_the_final() -> None:
    closed, _ = running(late_until_round=0)
    final, _ = running(3, late_until_round=5)
    next_round(final)
    for tournament in (closed, final):
        with pytest.raises(StructureError) as refusal:
            join(tournament, *players(1))
        assert refusal.value.code is StructureCode.TOO_LATE


@pytest.mark.parametrize("shape", [Shape.HEADS_UP, Shape.SINGLE])
def test_shapes_that_cannot_seat_anybody_later_do_not_promise_it(shape: Shape) -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        a_tournament(
            shape,
            capacity=4,
            opened=False,
            terms=terms(entering=EntryRules(late_until_round=1)),
        )
    assert refusal.value.field == "late_until_round"


def test_a_bracket_takes_nobody_in_after_its_start() -> None:
    tournament = a_tournament(Shape.HEADS_UP, capacity=8)
    join(tournament, *players(2))
    close_and_start(tournament)
    with pytest.raises(StructureError) as refusal:
        join(tournament, *players(1))
    assert refusal.value.code is StructureCode.NEVER_LATE


def test_late_entries_do_not_exceed_the_seats_and_joining_twice_is_one_fee() -> None:
    tournament, _ = running(seats=13)
    people = players(2)
    [first], [again] = join(tournament, people[0]), join(tournament, people[0])
    assert first.pk == again.pk
    with pytest.raises(TournamentRefusal) as refusal:
        join(tournament, people[1])
    assert refusal.value.code is TournamentCode.FULL
    assert money.pool_of(tournament) == 13 * FEE


def test_late_entries_meet_the_conditions() -> None:
    rules = EntryRules(late_until_round=1, conditions=Conditions(code="spade"))
    tournament = a_tournament(capacity=6, terms=terms(entering=rules))
    *early, late = players(3)

    def enter(person: User, code: str) -> str:
        return services.register(
            tournament_id=tournament.pk, player_id=person.pk, actor="x", code=code, now=NOW
        ).state

    assert [enter(person, "spade") for person in early] == ["entered", "entered"]
    close_and_start(tournament)
    with pytest.raises(TournamentRefusal) as refusal:
        enter(late, "heart")
    assert refusal.value.code is TournamentCode.NOT_ELIGIBLE
    assert enter(late, "spade") == EntryState.PLAYING


def test_where_the_organiser_approves_only_staff_lets_somebody_in_late() -> None:
    rules = EntryRules(late_until_round=1, needs_approval=True)
    tournament = a_tournament(capacity=6, terms=terms(entering=rules))
    *early, late = players(3)
    for person in early:
        services.add(tournament_id=tournament.pk, player_id=person.pk, actor="staff", now=NOW)
    close_and_start(tournament)
    with pytest.raises(TournamentRefusal) as refusal:
        join(tournament, late)
    assert refusal.value.code is TournamentCode.NOT_OPEN
    entry = services.add(tournament_id=tournament.pk, player_id=late.pk, actor="staff", now=NOW)
    assert entry.state == EntryState.PLAYING


def test_too_few_points_are_said_in_points_and_nobody_is_let_in() -> None:
    tournament, _ = running()
    people = players(1, points=FEE - 1)
    with pytest.raises(money.InsufficientFunds) as refusal:
        join(tournament, *people)
    assert refusal.value.sentence.startswith("1 play points of")
    assert tournament.entries.count() == 12


def test_a_player_who_is_out_comes_back_for_a_new_fee_and_plays_the_next_round() -> None:
    tournament, people = running(reentries=1)
    ids = [person.pk for person in people]
    money.grant(
        asset=money.PLAY_POINTS, player_ids=ids, amount=2 * FEE, key="g", actor="x", now=NOW
    )
    next_round(tournament)
    loser = somebody_out(tournament)
    entry = comes_back(tournament, loser)
    assert (entry.state, entry.reentries) == (EntryState.PLAYING, 1)
    assert wallet(loser).available == FEE
    assert money.pool_of(tournament) == 13 * FEE
    rest = tournament.rounds.get(closed_at=None).tables.filter(is_over=False)
    for table in rest:
        finish(table)
    opened = next_round(tournament)
    assert Placing.objects.filter(table__round=opened, entry=entry).exists()


def test_a_player_comes_back_no_more_often_than_agreed_and_pays_nothing_when_refused() -> None:
    tournament, people = running(reentries=1)
    ids = [person.pk for person in people]
    money.grant(
        asset=money.PLAY_POINTS, player_ids=ids, amount=2 * FEE, key="g", actor="x", now=NOW
    )
    next_round(tournament)
    loser = somebody_out(tournament)
    comes_back(tournament, loser)
    Entry.objects.filter(player=loser).update(state=EntryState.OUT)
    with pytest.raises(StructureError) as refusal:
        comes_back(tournament, loser)
    assert refusal.value.code is StructureCode.NO_REENTRY
    assert wallet(loser).available == FEE


def test_only_who_is_out_comes_back() -> None:
    tournament, people = running(reentries=1)
    for person in (people[0], players(1)[0]):
        with pytest.raises(TournamentRefusal) as refusal:
            comes_back(tournament, person)
        assert refusal.value.code is TournamentCode.NOT_OUT


def test_nobody_comes_back_before_the_start() -> None:
    tournament = a_tournament()
    with pytest.raises(TournamentRefusal) as refusal:
        comes_back(tournament, players(1)[0])
    assert refusal.value.code is TournamentCode.NOT_RUNNING


def test_late_and_second_fees_are_paid_out_to_the_last_point() -> None:
    tournament, people = running(reentries=1, house_fee=50)
    ids = [person.pk for person in people]
    money.grant(asset=money.PLAY_POINTS, player_ids=ids, amount=FEE, key="g", actor="x", now=NOW)
    next_round(tournament)
    join(tournament, *players(1))
    comes_back(tournament, somebody_out(tournament))
    for table in tournament.rounds.get(closed_at=None).tables.filter(is_over=False):
        finish(table)
    run_out(tournament)
    services.complete(tournament_id=tournament.pk, now=NOW)
    totals = money.totals_of(tournament)
    assert totals.received == 14 * FEE
    assert (totals.paid, totals.fee) == (14 * (FEE - 50), 14 * 50)
    assert tournament.entries.filter(state=EntryState.RANKED).count() == 13
    assert money.faults(now=NOW) == ()


def test_an_aborted_tournament_gives_late_and_second_fees_back() -> None:
    tournament, people = running(reentries=1, house_fee=50)
    ids = [person.pk for person in people]
    money.grant(asset=money.PLAY_POINTS, player_ids=ids, amount=FEE, key="g", actor="x", now=NOW)
    next_round(tournament)
    [newcomer] = players(1)
    join(tournament, newcomer)
    back = somebody_out(tournament)
    comes_back(tournament, back)
    services.abort(tournament_id=tournament.pk, actor="organiser", reason="fire", now=NOW)
    totals = money.totals_of(tournament)
    assert totals.received == totals.refunded == 14 * FEE
    assert wallet(newcomer).available == FEE
    assert wallet(back).available == 2 * FEE
    assert money.faults(now=NOW) == ()
