"""A tournament whose players leave between its start and its first round."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    open_tables,
    players,
    started,
    terms,
    wallet,
)
from tests.tournaments.level_helpers import begun, level_terms, stacks
from tournaments import services
from tournaments.errors import TournamentRefusal
from tournaments.management import invariants
from tournaments.models import EntryState, Placing, Shape, Tournament
from tournaments.services.progress import TOO_FEW, waiting_to_go_on
from tournaments.structure.conditions import EntryRules
from tournaments.structure.lifecycle import State
from tournaments.structure.registration import MINUTES_ALONE

pytestmark = pytest.mark.django_db

LATE = EntryRules(late_until_round=1)
WAIT = timedelta(minutes=MINUTES_ALONE)
SECOND = timedelta(seconds=1)


def a_started(shape: Shape, entrants: int, **rules: Any) -> Tournament:
    """A running tournament with a free seat that no round has been opened of."""
    entering = EntryRules(**rules)
    if shape is Shape.LEVELS:
        tournament, _ = begun(entrants, terms=level_terms(entering=entering), capacity=6)
        return tournament
    tournament = a_tournament(shape, terms=terms(entering=entering), capacity=6)
    join(tournament, *players(entrants))
    close_and_start(tournament)
    return tournament


def put_out(tournament: Tournament, many: int = 1, now: Any = NOW) -> None:
    """The last of the players are disqualified."""
    inside = tournament.entries.filter(state=EntryState.PLAYING)
    for entry in inside.order_by("-number")[:many]:
        services.disqualify(
            tournament_id=tournament.pk,
            player_id=entry.player_id,
            actor="organiser",
            reason="Not there.",
            now=now,
        )


def asked(tournament: Tournament, now: Any = NOW) -> bool:
    """What a sweep does; whether there was anything to do."""
    assert waiting_to_go_on() == [tournament.pk]
    return services.go_on(tournament_id=tournament.pk, now=now)


def check_called_off(tournament: Tournament) -> None:
    """It is over, and everybody has his fee back."""
    tournament.refresh_from_db()
    assert tournament.state == State.ABORTED
    assert TOO_FEW in tournament.log.values_list("reason", flat=True)
    states = set(tournament.entries.values_list("state", flat=True))
    assert states == {EntryState.REFUNDED}
    assert invariants.faults_when_over(tournament, now=NOW) == ()
    assert not services.go_on(tournament_id=tournament.pk, now=NOW)
    assert waiting_to_go_on() == []


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("gone", [1, 2])
def test_with_one_or_none_left_before_the_first_round_it_is_aborted_and_all_are_refunded(
    shape: Shape, gone: int
) -> None:
    """No shape waits for anybody whom it does not let in."""
    tournament = a_started(shape, 2)
    before = [wallet(entry.player).available for entry in tournament.entries.all()]
    put_out(tournament, gone)
    assert asked(tournament)
    check_called_off(tournament)
    after = [wallet(entry.player).available for entry in tournament.entries.all()]
    assert after == [points + FEE for points in before]


def test_with_two_players_left_the_first_round_is_opened() -> None:
    tournament = started(Shape.KNOCKOUT, 2)
    assert asked(tournament)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    assert tournament.rounds.count() == 1


@pytest.mark.parametrize("shape", [Shape.KNOCKOUT, Shape.LEVELS])
def test_where_players_may_still_enter_the_last_one_waits_for_them(shape: Shape) -> None:
    tournament = a_started(shape, 2, late_until_round=1)
    put_out(tournament)
    for moment in (NOW, NOW + SECOND, NOW + WAIT - SECOND):
        assert not asked(tournament, moment)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    [newcomer] = players(1)
    join(tournament, newcomer)
    assert asked(tournament, NOW + WAIT - SECOND)
    seated = Placing.objects.filter(table__round__tournament=tournament)
    assert sorted(seated.values_list("entry__number", flat=True)) == [1, 3]


def test_in_levels_who_waited_and_the_newcomer_have_the_same_chips() -> None:
    tournament = a_started(Shape.LEVELS, 2, late_until_round=1)
    put_out(tournament)
    assert not asked(tournament)
    [newcomer] = players(1)
    join(tournament, newcomer)
    assert asked(tournament, NOW + SECOND)
    [table] = open_tables(tournament)
    seated = set(table.placings.values_list("entry__player_id", flat=True))
    assert len(seated) == 2
    assert newcomer.pk in seated
    chips = stacks(tournament)
    assert [chips[player] for player in seated] == [1000, 1000]


@pytest.mark.parametrize("shape", [Shape.KNOCKOUT, Shape.LEVELS])
def test_when_nobody_has_come_in_time_it_is_called_off(shape: Shape) -> None:
    tournament = a_started(shape, 2, late_until_round=1)
    put_out(tournament, now=NOW + SECOND)
    assert not asked(tournament, NOW + WAIT)
    assert asked(tournament, NOW + WAIT + SECOND)
    check_called_off(tournament)
    with pytest.raises(TournamentRefusal):
        join(tournament, *players(1))


def test_the_time_begins_anew_when_play_goes_on_after_a_pause() -> None:
    tournament = a_started(Shape.KNOCKOUT, 2, late_until_round=1)
    services.pause(tournament_id=tournament.pk, actor="organiser", now=NOW)
    put_out(tournament)
    resumed = NOW + 10 * WAIT
    services.resume(tournament_id=tournament.pk, actor="organiser", now=resumed)
    assert not asked(tournament, resumed + WAIT - SECOND)
    assert asked(tournament, resumed + WAIT)
    check_called_off(tournament)


def test_after_the_first_round_the_one_who_is_left_has_won_and_waits_for_nobody() -> None:
    tournament = a_tournament(terms=terms(entering=EntryRules(late_until_round=5)), capacity=24)
    join(tournament, *players(7))
    close_and_start(tournament)
    assert asked(tournament)
    for table in open_tables(tournament):
        finish(table)
    put_out(tournament)
    assert asked(tournament)
    tournament.refresh_from_db()
    assert tournament.state == State.COMPLETED
