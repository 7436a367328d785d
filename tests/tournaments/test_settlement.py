"""Ranks and prizes, to the last unit (rule 7)."""

from __future__ import annotations

import pytest

from tests.tournaments.helpers import (
    FEE,
    NOW,
    finish,
    next_round,
    run_out,
    started,
    terms,
)
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Shape, Tournament

pytestmark = pytest.mark.django_db


def _settled(tournament: Tournament) -> list[tuple[int | None, int]]:
    services.complete(tournament_id=tournament.pk, now=NOW)
    ranked = tournament.entries.filter(state=EntryState.RANKED).order_by("rank", "number")
    return [(entry.rank, entry.prize) for entry in ranked]


def _adds_up(tournament: Tournament) -> bool:
    totals = money.totals_of(tournament)
    return (
        totals.received + totals.overlay == totals.refunded + totals.paid + totals.fee
        and money.pool_of(tournament) == 0
        and money.faults(now=NOW) == ()
    )


def test_a_knock_out_ranks_everybody_and_pays_out_the_whole_pool() -> None:
    tournament = started(Shape.KNOCKOUT, 13)
    run_out(tournament)
    ranked = _settled(tournament)
    pool = 13 * FEE
    assert [prize for _, prize in ranked[:3]] == [pool * 50 // 100, pool * 30 // 100, pool // 5]
    assert [rank for rank, _ in ranked][:3] == [1, 2, 3]
    assert len(ranked) == 13
    assert _adds_up(tournament)


def test_settling_again_changes_nothing() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    run_out(tournament)
    first = _settled(tournament)
    assert _settled(tournament) == first
    assert money.totals_of(tournament).paid == 7 * FEE


def test_prizes_wait_for_the_final() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    for table in next_round(tournament).tables.all():
        finish(table)
    with pytest.raises(TournamentRefusal) as refusal:
        services.complete(tournament_id=tournament.pk, now=NOW)
    assert refusal.value.code is TournamentCode.ROUND_OPEN
    assert money.totals_of(tournament).paid == 0


def test_a_tied_final_adds_the_two_prizes_and_shares_them() -> None:
    tournament = started(Shape.HEADS_UP, 2, terms=terms("heads_up", prizes="60,40"))
    finish(next_round(tournament).tables.get(), 40, 40, places=(1, 1))
    assert _settled(tournament) == [(1, FEE), (1, FEE)]


def test_the_third_prize_goes_to_the_semi_finalist_who_lost_by_the_smaller_margin() -> None:
    tournament = started(Shape.HEADS_UP, 4, terms=terms("heads_up"))
    first, second = next_round(tournament).tables.all()
    finish(first, 10, 90)
    finish(second, 10, 40)
    finish(next_round(tournament).tables.get(), 5, 25)
    assert _settled(tournament) == [(1, 1000), (2, 600), (3, 0), (3, 400)] or _settled(
        tournament
    ) == [(1, 1000), (2, 600), (3, 400), (3, 0)]
    closer = Entry.objects.get(placings__table=second, placings__place=2)
    assert closer.prize == 400
    assert "smallest margin" in closer.prize_reason


def test_equal_margins_share_the_third_prize() -> None:
    tournament = started(Shape.HEADS_UP, 4, terms=terms("heads_up"))
    for table in next_round(tournament).tables.all():
        finish(table, 10, 40)
    finish(next_round(tournament).tables.get(), 5, 25)
    assert _settled(tournament) == [(1, 1000), (2, 600), (3, 200), (3, 200)]


def test_players_out_in_the_same_round_are_ranked_by_their_chips_in_it() -> None:
    tournament = started(Shape.KNOCKOUT, 8)
    first, second = next_round(tournament).tables.all()
    finish(first, 400, 100, 90, 50)
    finish(second, 400, 110, 70, 60)
    finish(next_round(tournament).tables.get(), 200, 120)
    _settled(tournament)
    out = Entry.objects.filter(tournament=tournament, rank__gt=2).order_by("rank")
    assert [entry.placings.get().score for entry in out] == [110, 100, 90, 70, 60, 50]


def test_equal_players_share_the_prizes_of_their_ranks() -> None:
    """Scores 90, 70, 70, 50 and prizes 500, 300, 200: the two in the middle get 250 each."""
    tournament = started(
        Shape.SINGLE, 4, terms=terms("deals", prizes="fixed:500,300,200"), entry_fee=250
    )
    finish(next_round(tournament).tables.get(), 90, 70, 70, 50, places=(1, 2, 2, 4))
    assert _settled(tournament) == [(1, 500), (2, 250), (2, 250), (4, 0)]


def test_a_guarantee_is_topped_up_by_the_house() -> None:
    tournament = started(Shape.SINGLE, 3, terms=terms("deals", prizes="winner", guarantee=5000))
    finish(next_round(tournament).tables.get())
    assert _settled(tournament)[0] == (1, 5000)
    assert money.totals_of(tournament).overlay == 5000 - 3 * FEE
    assert _adds_up(tournament)


def test_every_unit_of_an_odd_pool_is_paid() -> None:
    """901 at 50/30/20 is 451, 270 and 180."""
    tournament = started(Shape.HEADS_UP, 3, entry_fee=301, house_fee=0)
    run_out(tournament)
    paid = sum(prize for _, prize in _settled(tournament))
    assert paid == 903
    assert _adds_up(tournament)


def test_reasons_are_given_for_ranks_and_prizes() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    run_out(tournament)
    _settled(tournament)
    second = tournament.entries.get(rank=2)
    assert second.reason.startswith("Decided by")
    assert second.prize_reason == f"Rank 2: {second.prize:,} play points."
