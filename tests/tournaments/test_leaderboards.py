"""Leaderboards by UTC month: what counts, ties, and one order for everybody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    finish,
    join,
    next_round,
    players,
    terms,
)
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Shape, Tournament
from tournaments.selectors import Leaderboard, Measure, leaderboard

pytestmark = pytest.mark.django_db


def _table(
    *people: User, prizes: str = "60,40", over_at: datetime = NOW, places: tuple[int, ...] = ()
) -> Tournament:
    """A single table, the given people's places in their order."""
    tournament = a_tournament(
        Shape.SINGLE, capacity=len(people), terms=terms("deals", prizes=prizes)
    )
    join(tournament, *people)
    close_and_start(tournament)
    table = next_round(tournament).tables.get()
    wanted = dict(
        zip([person.pk for person in people], places or range(1, len(people) + 1), strict=True)
    )
    seats = table.placings.order_by("seat").values_list("entry__player_id", flat=True)
    ranks = tuple(wanted[player] for player in seats)
    finish(table, *(100 - rank for rank in ranks), places=ranks)
    services.complete(tournament_id=tournament.pk, now=over_at)
    return tournament


def _board(measure: Measure, month: int = 3, page: int = 1) -> Leaderboard:
    return leaderboard(year=2026, month=month, measure=measure, page=page)


def _lines(board: Leaderboard) -> list[tuple[int, int, int]]:
    return [(line.rank, line.player_id, line.value) for line in board.lines]


def test_wins_prizes_and_net_of_a_month() -> None:
    a, b, c = players(3, points=2 * FEE)
    _table(a, b, c)
    _table(a, b, c)
    assert _lines(_board(Measure.WINS)) == [(1, a.pk, 2)]
    assert _lines(_board(Measure.PRIZES)) == [(1, a.pk, 1800), (2, b.pk, 1200)]
    assert _lines(_board(Measure.NET)) == [(1, a.pk, 800), (2, b.pk, 200), (3, c.pk, -1000)]


def test_equal_values_share_a_rank_in_the_order_of_the_players() -> None:
    a, b, c, d = players(4, points=FEE)
    _table(b, a)
    _table(d, c)
    wins = _lines(_board(Measure.WINS))
    assert wins == [(1, b.pk, 1), (1, d.pk, 1)]
    assert _lines(_board(Measure.NET)) == [
        (1, b.pk, 100),
        (1, d.pk, 100),
        (3, a.pk, -100),
        (3, c.pk, -100),
    ]
    assert [line[0] for line in _lines(_board(Measure.PRIZES))] == [1, 1, 3, 3]


def test_a_shared_first_rank_is_a_win_for_both() -> None:
    a, b, c = players(3)
    _table(a, b, c, places=(1, 1, 3))
    assert _lines(_board(Measure.WINS)) == [(1, a.pk, 1), (1, b.pk, 1)]


def test_a_tournament_belongs_to_the_utc_month_in_which_it_was_over() -> None:
    a, b = players(2, points=2 * FEE)
    last = datetime(2026, 3, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    _table(a, b, over_at=last)
    _table(b, a, over_at=last + timedelta(microseconds=1))
    assert _lines(_board(Measure.WINS, 3)) == [(1, a.pk, 1)]
    assert _lines(_board(Measure.WINS, 4)) == [(1, b.pk, 1)]
    assert _lines(_board(Measure.NET, 4)) == [(1, b.pk, 100), (2, a.pk, -100)]
    assert _lines(_board(Measure.WINS, 5)) == []


def test_december_ends_with_the_year() -> None:
    a, b = players(2)
    _table(a, b, over_at=datetime(2026, 12, 31, 12, tzinfo=UTC))
    assert _lines(_board(Measure.WINS, 12)) == [(1, a.pk, 1)]


def test_an_asset_has_a_list_of_its_own() -> None:
    _table(*players(2))
    board = leaderboard(year=2026, month=3, measure=Measure.NET, asset="PRACTICE")
    assert board.lines == ()
    assert len(_board(Measure.NET).lines) == 2


def test_bots_are_not_listed() -> None:
    a, b = players(2)
    tournament = _table(a, b)
    tournament.entries.filter(player=a).update(bot="steady")
    assert _lines(_board(Measure.WINS)) == []
    assert _lines(_board(Measure.PRIZES)) == [(1, b.pk, 400)]
    assert _lines(_board(Measure.NET)) == [(1, b.pk, -100)]


def test_refunds_of_an_aborted_tournament_leave_the_net_at_nothing() -> None:
    a, b = players(2)
    tournament = a_tournament(Shape.SINGLE, capacity=2)
    join(tournament, a, b)
    close_and_start(tournament)
    next_round(tournament)
    services.abort(tournament_id=tournament.pk, actor="x", reason="power cut", now=NOW)
    assert _lines(_board(Measure.NET)) == [(1, a.pk, 0), (1, b.pk, 0)]
    assert _lines(_board(Measure.WINS)) == []


def test_sixty_players_on_equal_values_are_each_on_one_page() -> None:
    people = players(60)
    for first, second in zip(people[::2], people[1::2], strict=True):
        _table(first, second, prizes="50,50")
    for measure in (Measure.PRIZES, Measure.NET):
        seen = [line.player_id for page in (1, 2) for line in _board(measure, page=page).lines]
        assert seen == [person.pk for person in people]


@pytest.mark.parametrize("measure", Measure)
def test_a_list_takes_as_many_queries_for_many_players_as_for_few(measure: Measure) -> None:
    counts = []
    for _ in range(2):
        for _ in range(4):
            _table(*players(3))
        with CaptureQueriesContext(connection) as queries:
            _board(measure)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 6


@pytest.mark.parametrize(("year", "month"), [(2026, 0), (2026, 13), (1999, 1), (9999, 1)])
def test_a_month_that_is_none_is_refused(year: int, month: int) -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        leaderboard(year=year, month=month, measure=Measure.WINS)
    assert (refusal.value.code, refusal.value.field) == (TournamentCode.NO_SUCH_MONTH, "month")


def test_gains_come_from_the_ledger() -> None:
    a, b = players(2)
    tournament = _table(a, b)
    assert money.gains([tournament], tournament.asset) == {a.pk: 100, b.pk: -100}
