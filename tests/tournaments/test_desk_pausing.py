"""A tournament that is paused, goes on, and gives its tables more time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tables import services as tables
from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match
from tables.rules.errors import RuleViolation
from tables.services import alarms
from tests.tournaments.helpers import NOW, a_tournament, next_round, secret_for, started
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Decision, RoundTable, Shape, Tournament
from tournaments.services import desk, levels, pausing, progress
from tournaments.structure.errors import StructureCode, StructureError
from tournaments.structure.lifecycle import State

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)


def _pause(tournament: Tournament, at: timedelta = 10 * SECOND) -> bool:
    return pausing.pause(tournament_id=tournament.pk, actor="arbiter", reason="fire", now=NOW + at)


def _resume(tournament: Tournament, at: timedelta) -> Tournament:
    return pausing.resume(tournament_id=tournament.pk, actor="arbiter", now=NOW + at)


def _deal_at(table: RoundTable) -> Deal:
    return tables.deal_next(match_id=table.match_id, secret_for=secret_for, now=NOW).deal


def _left(deal: Deal, at: timedelta) -> timedelta:
    deal.refresh_from_db()
    assert deal.deadline_at is not None
    return deal.deadline_at - (NOW + at)


def _more(
    tournament: Tournament, seconds: int, at: timedelta, table: RoundTable | None = None
) -> int:
    return desk.extend(
        tournament_id=tournament.pk,
        table_id=None if table is None else table.pk,
        seconds=seconds,
        actor="arbiter",
        reason="noise",
        now=NOW + at,
    )


def test_a_pause_stops_every_table_and_each_goes_on_with_what_it_had() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    first, second = next_round(tournament).tables.all()
    deal = _deal_at(first)
    had = _left(deal, 10 * SECOND)
    _pause(tournament)
    assert alarms.act_on_due(now=NOW + HOUR) == 0
    with pytest.raises(TableRefusal) as refusal:
        _deal_at(second)
    assert refusal.value.code is TableCode.PAUSED
    _resume(tournament, HOUR)
    assert timedelta(0) <= _left(deal, HOUR) - had < SECOND
    assert alarms.act_on_due(now=NOW + HOUR + SECOND) == 1
    assert Deal.objects.filter(match=second.match_id).exists()


def test_both_are_logged_with_who_when_and_why_and_a_pause_asked_for_twice_is_one() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    assert _pause(tournament)
    assert not _pause(tournament, 20 * SECOND)
    assert Tournament.objects.get(pk=tournament.pk).state == State.PAUSED
    _resume(tournament, HOUR)
    lines = tournament.log.filter(action__in=("pause", "resume")).values_list(
        "action", "before", "after", "actor", "reason", "at"
    )
    assert list(lines) == [
        ("pause", "running", "paused", "arbiter", "fire", NOW + 10 * SECOND),
        ("resume", "paused", "running", "arbiter", "", NOW + HOUR),
    ]


def test_what_is_not_paused_cannot_go_on_and_what_does_not_run_cannot_be_paused() -> None:
    with pytest.raises(StructureError) as resuming:
        _resume(started(Shape.KNOCKOUT, 7), HOUR)
    with pytest.raises(StructureError) as pausing_it:
        _pause(a_tournament())
    for refusal in (resuming, pausing_it):
        assert refusal.value.code is StructureCode.ILLEGAL_ACTION


def test_no_round_opens_in_a_pause_and_the_sweep_opens_it_afterwards() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    _pause(tournament)
    assert tournament.pk not in progress.waiting_to_go_on()
    assert not progress.go_on(tournament_id=tournament.pk, now=NOW + 20 * SECOND)
    with pytest.raises(TournamentRefusal):
        next_round(tournament)
    _resume(tournament, HOUR)
    assert tournament.pk in progress.waiting_to_go_on()
    assert next_round(tournament) is not None


def test_the_pauses_are_what_levels_leave_out_of_their_time() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    _pause(tournament)
    assert levels.pauses_of(tournament) == [(NOW + 10 * SECOND, None)]
    _resume(tournament, HOUR)
    _pause(tournament, 2 * HOUR)
    assert levels.pauses_of(tournament) == [
        (NOW + 10 * SECOND, NOW + HOUR),
        (NOW + 2 * HOUR, None),
    ]


def test_more_time_for_one_table_is_given_to_it_alone_and_written_down() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    first, second = next_round(tournament).tables.all()
    here, there = _deal_at(first), _deal_at(second)
    had = (_left(here, SECOND), _left(there, SECOND))
    assert _more(tournament, 60, SECOND, first) == 1
    assert (_left(here, SECOND), _left(there, SECOND)) == (had[0] + 60 * SECOND, had[1])
    decision = Decision.objects.get(tournament=tournament)
    assert (decision.kind, decision.actor, decision.reason) == ("extended", "arbiter", "noise")
    assert decision.after == {"seconds": 60, "tables": ["round 1, table 1"]}


def test_more_time_for_all_tables_counts_where_somebodys_time_runs() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    first, second = next_round(tournament).tables.all()
    here = _deal_at(first)
    had = _left(here, SECOND)
    assert _more(tournament, 60, SECOND) == 1
    Match.objects.filter(pk=second.match_id).update(status="asking", due_at=NOW + 9 * SECOND)
    assert _more(tournament, 30, SECOND) == 2
    assert _left(here, SECOND) == had + 90 * SECOND
    assert Match.objects.get(pk=second.match_id).due_at == NOW + 39 * SECOND


def test_more_time_given_twice_is_twice_as_much_and_in_a_pause_it_is_there_afterwards() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    table = next_round(tournament).tables.first()
    deal = _deal_at(table)
    had = _left(deal, 10 * SECOND)
    _pause(tournament)
    for _ in range(2):
        assert _more(tournament, 60, 20 * SECOND, table) == 1
    _resume(tournament, HOUR)
    assert timedelta(0) <= _left(deal, HOUR) - had - 120 * SECOND < SECOND


@pytest.mark.parametrize("seconds", [0, -1, 3_601, True, 1.5])
def test_more_time_is_1_to_3600_seconds(seconds: int) -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    next_round(tournament)
    with pytest.raises(RuleViolation) as refusal:
        _more(tournament, seconds, SECOND)
    assert refusal.value.field == "seconds"
    assert not Decision.objects.exists()


def test_a_table_of_another_tournament_is_not_extended() -> None:
    tournament, other = started(Shape.KNOCKOUT, 7), started(Shape.KNOCKOUT, 7)
    with pytest.raises(TournamentRefusal) as refusal:
        _more(tournament, 60, SECOND, next_round(other).tables.first())
    assert refusal.value.code is TournamentCode.UNKNOWN_TABLE
