"""What was missed - a result not taken, a round not closed - is caught up with by the sweep."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.helpers import (
    NOW,
    finish,
    next_round,
    open_tables,
    secret_for,
    started,
    terms,
)
from tests.tournaments.round_helpers import going_on, knock_out, numbers_at
from tournaments import money, services, tasks
from tournaments.models import EntryState, Round, RoundTable, Shape, Tournament
from tournaments.play import bots
from tournaments.services import incoming, progress
from tournaments.structure.lifecycle import State
from tournaments.structure.rounds import BestOfTable, BestOverall

pytestmark = pytest.mark.django_db


def play_unheard(table: RoundTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a table to its end while nobody listens to its result."""
    table.round.tournament.entries.update(bot="steady")
    table.match.seats.update(bot="steady")
    with monkeypatch.context() as deaf:
        deaf.setattr(incoming, "match_ended", lambda *_, **__: None)
        bots.play_table(
            match_id=table.match_id,
            secret_for=secret_for,
            chance=bots.Chance(secret_for(f"bots-{table.number}")),
            may_rejoin=lambda _: False,
            moments=bots.ticking(NOW),
        )
    table.refresh_from_db()
    assert not table.is_over


@pytest.mark.parametrize("format_name", ["points", "deals"])
def test_a_finished_match_whose_result_was_not_taken_is_taken_by_the_sweep(
    format_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = knock_out(6, BestOfTable(1), format_name=format_name, seats=3)
    first, second = open_tables(tournament)
    finish(first)
    next_round(tournament)
    assert progress.waiting_to_go_on() == []
    play_unheard(second, monkeypatch)
    assert progress.waiting_to_go_on() == [tournament.pk]
    assert progress.go_on(tournament_id=tournament.pk, now=NOW)
    second.refresh_from_db()
    assert second.is_over
    assert tournament.rounds.get(number=1).closed_at == NOW
    assert len(going_on(tournament.rounds.get(number=1))) == 2
    assert tournament.rounds.count() == 2
    assert money.faults(now=NOW) == ()


def test_a_round_without_a_table_being_played_is_closed_by_the_sweep() -> None:
    tournament = knock_out(7, BestOfTable(1))
    for table in open_tables(tournament):
        finish(table)
    Round.objects.filter(tournament=tournament).update(closed_at=None)
    Tournament.objects.filter(pk=tournament.pk).update(is_due=False)
    assert progress.waiting_to_go_on() == [tournament.pk]
    assert tasks.run_tournaments() == 1
    assert tournament.rounds.get(number=1).closed_at is not None
    assert tournament.rounds.count() == 2


def test_a_cut_over_all_tables_that_was_missed_is_made_by_the_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tournament = knock_out(8, BestOverall(50))
    first, second = open_tables(tournament)
    finish(first)
    with monkeypatch.context() as broken:
        broken.setattr("tournaments.services.results.close_if_over", lambda *_, **__: False)
        finish(second)
    assert tournament.entries.filter(state=EntryState.OUT).count() == 0
    next_round(tournament)
    assert len(going_on(tournament.rounds.get(number=1))) == 4
    assert tournament.entries.filter(state=EntryState.OUT).count() == 4
    assert tournament.rounds.count() == 2


def test_a_tournament_is_looked_at_once_after_each_table_and_not_again() -> None:
    tournament = started(Shape.HEADS_UP, 8, terms=terms("points"))
    progress.go_on(tournament_id=tournament.pk, now=NOW)
    assert progress.waiting_to_go_on() == []
    first, second, *_ = open_tables(tournament)
    finish(first)
    assert progress.waiting_to_go_on() == [tournament.pk]
    assert not progress.go_on(tournament_id=tournament.pk, now=NOW)
    assert progress.waiting_to_go_on() == []
    finish(second)
    assert progress.go_on(tournament_id=tournament.pk, now=NOW)
    assert progress.waiting_to_go_on() == []


def test_a_paused_tournament_opens_nothing_and_goes_on_when_it_is_resumed() -> None:
    tournament = knock_out(7, BestOfTable(1))
    for table in open_tables(tournament):
        finish(table)
    Tournament.objects.filter(pk=tournament.pk).update(state=State.PAUSED)
    assert progress.waiting_to_go_on() == []
    assert not progress.go_on(tournament_id=tournament.pk, now=NOW)
    Tournament.objects.filter(pk=tournament.pk).update(state=State.RUNNING)
    assert progress.go_on(tournament_id=tournament.pk, now=NOW)
    assert tournament.rounds.count() == 2


@pytest.mark.parametrize("shape", [Shape.HEADS_UP, Shape.KNOCKOUT])
def test_whole_tournaments_are_played_by_the_sweep_alone_to_their_prizes(shape: Shape) -> None:
    changes: dict[str, Any] = {"advance": BestOfTable(2)} if shape is Shape.KNOCKOUT else {}
    tournament = started(shape, 9, terms=terms("points", **changes))
    for _ in range(40):
        tasks.run_tournaments()
        for table in open_tables(tournament)[:1]:
            finish(table)
    tournament.refresh_from_db()
    assert tournament.state == State.COMPLETED
    assert sum(entry.prize for entry in tournament.entries.all()) == 9 * 500


def test_closing_a_round_takes_as_many_queries_for_many_tables_as_for_few() -> None:
    def queries(entrants: int) -> int:
        tournament = knock_out(entrants, BestOverall(50))
        *others, last = open_tables(tournament)
        for table in others:
            finish(table)
        with CaptureQueriesContext(connection) as captured:
            finish(last)
        assert tournament.rounds.get().closed_at is not None
        return len(captured)

    assert queries(60) == queries(12)


def test_opening_the_tie_breaks_of_many_tables_takes_as_many_queries_as_of_few() -> None:
    def queries(entrants: int) -> int:
        tournament = knock_out(entrants, BestOfTable(1))
        for table in open_tables(tournament):
            finish(table, *[30] * 6, places=(1, 1, 1, 4, 5, 6))
        with CaptureQueriesContext(connection) as captured:
            next_round(tournament)
        assert len(open_tables(tournament)) == entrants // 6
        return len(captured)

    assert queries(48) == queries(12)


def test_who_went_on_and_left_afterwards_keeps_his_place_in_the_closed_round() -> None:
    tournament = knock_out(12, BestOfTable(2))
    for table in open_tables(tournament):
        finish(table)
    first = tournament.rounds.get()
    before = going_on(first)
    tournament.entries.filter(number=before[0]).update(state=EntryState.OUT)
    final = next_round(tournament).tables.get()
    assert going_on(first) == before
    assert sorted(numbers_at(final)) == before[1:]


def test_the_moment_a_round_closes_is_that_of_its_last_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    later = datetime.fromtimestamp(NOW.timestamp() + 90, tz=NOW.tzinfo)
    tournament = knock_out(6, BestOfTable(1), seats=3)
    first, second = open_tables(tournament)
    finish(first)
    play_unheard(second, monkeypatch)
    services.open_due(tournament_id=tournament.pk, secret_for=secret_for, now=later)
    assert tournament.rounds.get(number=1).closed_at == later
