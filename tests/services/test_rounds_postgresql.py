"""Many workers at the rounds of one tournament at once, in threads and processes, on PostgreSQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection

from tests.services.test_tables_postgresql import at_once
from tests.tournaments import worker
from tests.tournaments.helpers import (
    NOW,
    finish,
    next_round,
    open_tables,
    secret_for,
    started,
    terms,
)
from tests.tournaments.round_helpers import going_on, knock_out, tie_breaks
from tournaments import money, services
from tournaments.models import Call, Lot, Placing, RoundTable, Shape, Tournament
from tournaments.services import progress
from tournaments.structure.rounds import BestOfTable, BestOverall

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

WORKERS = 8


def asking(tournament: Tournament) -> list[Callable[[], bool]]:
    """Eight workers that move a tournament on."""
    return [lambda: progress.go_on(tournament_id=tournament.pk, now=NOW)] * WORKERS


def nobody_sits_twice(tournament: Tournament) -> bool:
    seats = Placing.objects.filter(table__round__tournament=tournament, table__is_over=False)
    return max(Counter(seats.values_list("entry", flat=True)).values()) == 1


def test_one_of_eight_workers_opens_the_pairing_that_became_ready() -> None:
    tournament = started(Shape.HEADS_UP, 8, terms=terms("deals"))
    next_round(tournament)
    first, second, *_ = open_tables(tournament)
    finish(first, 300, 20)
    finish(second, 300, 20)
    results = at_once(asking(tournament))
    assert sorted(map(repr, results)) == ["False"] * 7 + ["True"]
    assert RoundTable.objects.filter(round__tournament=tournament, round__number=2).count() == 1
    assert nobody_sits_twice(tournament)
    issuer = money.chips_issuer(tournament)
    assert -money.balances([issuer])[issuer].posted == 6 * 160


def test_one_of_eight_workers_opens_the_tie_breaks_of_a_round() -> None:
    tournament = knock_out(13, BestOverall(50))
    for table in open_tables(tournament):
        size = table.placings.count()
        finish(table, *[50] * size, places=(1,) * size)
    results = at_once(asking(tournament))
    assert results.count(True) == 1
    assert len(tie_breaks(tournament)) == 3
    assert nobody_sits_twice(tournament)


def test_one_lot_is_drawn_by_eight_workers() -> None:
    tournament = knock_out(7, BestOfTable(1))
    first, second = open_tables(tournament)
    finish(first, 0, 0, 30, 60, places=(1, 1, 3, 4))
    finish(second)
    for _ in range(3):
        next_round(tournament)
        finish(tie_breaks(tournament)[0], 0, 0, places=(1, 1))
    results = at_once(asking(tournament))
    assert results.count(True) == 1
    assert not any(isinstance(result, Exception) for result in results)
    assert Lot.objects.count() == 1
    assert tournament.rounds.count() == 2


def test_tables_that_end_at_the_same_moment_close_their_round_once_and_cut_it_right() -> None:
    tournament = knock_out(36, BestOverall(50))
    tables = open_tables(tournament)
    jobs: list[Callable[[], None]] = [lambda table=table: finish(table) for table in tables]  # type: ignore[misc]
    assert at_once(jobs) == [None] * 6
    assert len(going_on(tournament.rounds.get())) == 18
    assert tournament.rounds.get().closed_at == NOW
    assert money.faults(now=NOW) == ()


def test_a_result_that_is_reported_by_many_is_entered_once() -> None:
    tournament = knock_out(7, BestOfTable(2), format_name="deals")
    pks = [table.pk for table in open_tables(tournament)]

    def report(pk: int, places: tuple[int, ...]) -> None:
        finish(RoundTable.objects.select_related("round").get(pk=pk), 400, 200, 40, 0)
        assert places

    jobs = [lambda: report(pks[0], (1, 2, 3, 4))] * WORKERS
    results = at_once(jobs)
    assert not any(isinstance(result, Exception) for result in results)
    assert Placing.objects.filter(table=pks[0], goes_on=True).count() == 2
    issuer = money.chips_issuer(tournament)
    assert -money.balances([issuer])[issuer].posted == 3 * 160


def test_one_of_four_processes_starts_the_round() -> None:
    tournament = started(Shape.KNOCKOUT, 24, terms=terms("points"))
    moved_on = ("go_on", {"tournament_id": tournament.pk, "now": NOW.isoformat()})
    said = worker.run_all(connection.settings_dict["NAME"], [[moved_on]] * 4)
    assert sorted(said) == [[False], [False], [False], [True]]
    assert tournament.rounds.count() == 1
    assert RoundTable.objects.filter(round__tournament=tournament).count() == 4
    assert Call.objects.filter(entry__tournament=tournament).count() == 24
    assert services.open_due(tournament_id=tournament.pk, secret_for=secret_for, now=NOW) == []
