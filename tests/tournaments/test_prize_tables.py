"""What can be won, expected and actual, and that it is what is paid (case M1)."""

from __future__ import annotations

from typing import Any

import pytest
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
    run_out,
    started,
    terms,
)
from tournaments import money, services
from tournaments.models import Shape, Tournament
from tournaments.selectors import prize_preview, prize_tables
from tournaments.structure.prizes import FixedAmounts

pytestmark = pytest.mark.django_db


def _amounts(table: Any) -> list[int]:
    return [row.amount for row in table.rows]


def test_before_the_start_the_table_is_that_of_all_seats_taken() -> None:
    tournament = a_tournament(capacity=6, house_fee=50)
    join(tournament, *players(2))
    expected, actual = prize_tables(tournament)
    assert actual is None
    assert (expected.entries, expected.pool) == (6, 6 * 450)
    assert [(row.rank, row.amount, row.share) for row in expected.rows] == [
        (1, 1350, 5000),
        (2, 810, 3000),
        (3, 540, 2000),
    ]


def test_from_the_start_on_the_real_entries_count() -> None:
    tournament = a_tournament(capacity=6, house_fee=50)
    join(tournament, *players(4))
    close_and_start(tournament)
    tournament.refresh_from_db()
    expected, actual = prize_tables(tournament)
    assert expected.pool == 6 * 450
    assert actual is not None
    assert (actual.entries, actual.pool, _amounts(actual)) == (4, 1800, [900, 540, 360])


def test_a_rejoin_makes_the_table_grow_at_once_and_is_paid_out() -> None:
    tournament = started(
        Shape.SINGLE, 3, terms=terms("pool101", prizes="70,30"), house_fee=50, entry_fee=250
    )
    player = tournament.entries.order_by("number")[0].player_id
    money.grant(
        asset=tournament.asset, player_ids=[player], amount=250, key="more", actor="x", now=NOW
    )
    tournament.refresh_from_db()
    assert _actual(tournament) == [420, 180]
    money.take_rejoin(tournament=tournament, player_id=player, number=1, now=NOW)
    assert _actual(tournament) == [560, 240]
    finish(next_round(tournament).tables.get())
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert _actual(tournament) == [560, 240]
    assert money.totals_of(tournament).paid == 800


def _actual(tournament: Tournament) -> list[int]:
    table = prize_tables(tournament).actual
    assert table is not None
    return _amounts(table)


@pytest.mark.parametrize("entries", [2, 3, 40, 1000])
def test_a_table_can_be_had_for_any_number_of_entries(entries: int) -> None:
    table = prize_preview(terms(prizes="50,30,20"), entries=entries, entry_fee=100, house_fee=10)
    assert (table.entries, table.pool) == (entries, 90 * entries)
    assert len(table.rows) == min(3, entries)
    assert sum(_amounts(table)) == 90 * entries


def test_the_guarantee_shows_what_the_house_adds() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("deals", prizes="winner", guarantee=5000))
    tournament.refresh_from_db()
    table = prize_tables(tournament).actual
    assert table is not None
    assert (table.pool, table.overlay, _amounts(table)) == (5000, 5000 - 3 * FEE, [5000])


@pytest.mark.parametrize(
    ("entrants", "fee", "prizes", "paid"),
    [
        (2, 50, "33.34,33.33,33.33", [50, 50]),
        (5, 1, "50,50", [3, 2]),
        (17, 53, "50,30,20", [451, 270, 180]),
        (30, 500, "fixed:55,25,10", [9167, 4167, 1666]),
        (4, 25, "33.34,33.33,33.33", [34, 33, 33]),
    ],
    ids=["100-over-two", "5-at-50-50", "901", "15000", "100-over-three"],
)
def test_every_unit_of_the_pool_is_paid_as_the_table_says(
    entrants: int, fee: int, prizes: str, paid: list[int]
) -> None:
    tournament = started(
        Shape.HEADS_UP, entrants, entry_fee=fee, terms=terms("heads_up", prizes=prizes)
    )
    tournament.refresh_from_db()
    table = prize_tables(tournament).actual
    assert table is not None
    assert _amounts(table) == paid
    run_out(tournament)
    services.complete(tournament_id=tournament.pk, now=NOW)
    assert money.totals_of(tournament).paid == entrants * fee == sum(paid)
    best = list(tournament.entries.order_by("rank", "-prize").values_list("prize", flat=True))
    assert best[: min(2, entrants)] == paid[:2]


def test_fixed_prizes_of_a_small_field_shrink_and_the_tournament_can_be_settled() -> None:
    tournament = a_tournament(
        Shape.SINGLE, capacity=6, entry_fee=250, terms=terms(prizes="fixed:800,500,200")
    )
    join(tournament, *players(2))
    close_and_start(tournament)
    finish(next_round(tournament).tables.get())
    services.complete(tournament_id=tournament.pk, now=NOW)
    ranked = tournament.entries.order_by("rank").values_list("prize", flat=True)
    assert list(ranked) == [308, 192]
    assert money.pool_of(tournament) == 0


def test_what_fixed_prizes_leave_to_the_house_is_said() -> None:
    keeps = FixedAmounts((500,), surplus="to_house")  # type: ignore[arg-type]
    tournament = a_tournament(Shape.SINGLE, capacity=3, terms=terms(prizes="winner"))
    Tournament.objects.filter(pk=tournament.pk).update(
        terms=tournament.terms.replace(
            '{"type":"winner_takes_all"}',
            '{"type":"fixed_amounts","amounts":[500],"surplus":"to_house"}',
        )
    )
    tournament.refresh_from_db()
    table = prize_tables(tournament).expected
    assert keeps.amounts == (500,)
    assert (table.pool, _amounts(table), table.to_house) == (1500, [500], 1000)


def test_the_tables_take_as_many_queries_for_many_entrants_as_for_few() -> None:
    counts = []
    for entrants in (3, 40):
        tournament = started(Shape.KNOCKOUT, entrants)
        tournament.refresh_from_db()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            prize_tables(tournament)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 4
