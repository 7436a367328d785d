"""Ranks and prizes, to the last unit (rule 7)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.money import split
from tables.models import Match
from tables.rules.formats import AwaitRejoin, NextDeal, format_named
from tables.rules.formats.base import SplitAnswered, SplitOffered
from tests.tables.sheet_helpers import enter, rejoin, say
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
from tests.tournaments.sheets import game, match_of, table_of
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Entry, EntryState, Placing, RoundTable, Shape, Tournament
from tournaments.selectors import faults_of, prize_tables

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


def test_equal_margins_are_no_matter_where_one_semi_final_has_none() -> None:
    """As after a forfeit: they cannot be told apart, so they share."""
    tournament = started(Shape.HEADS_UP, 4, terms=terms("heads_up"))
    first, second = next_round(tournament).tables.all()
    finish(first, 10, 90)
    finish(second, 10, 40)
    Placing.objects.filter(table=first, place=2).update(margin=None)
    finish(next_round(tournament).tables.get(), 5, 25)
    assert _settled(tournament) == [(1, 1000), (2, 600), (3, 200), (3, 200)]


def _pool_table(*deals: dict[int, str | int], prizes: str, **changes: Any) -> Tournament:
    """A pool table with real cards, its deals as a scorer enters them; seat 0 wins each."""
    fee, players_ = changes.pop("entry_fee", FEE), changes.pop("players", 4)
    tournament = started(
        Shape.SINGLE,
        players_,
        in_person=True,
        entry_fee=fee,
        terms=terms("pool101", prizes=prizes, **changes.pop("more", {})),
        **changes,
    )
    next_round(tournament)
    match = match_of(table_of(tournament))
    for losses in deals:
        enter(match, 0, losses)
    return tournament


NO_REJOIN = format_named("pool101", rejoin=False, auto_split=False)


@pytest.mark.parametrize(
    ("first", "second", "ranked"),
    [
        ({1: 40, 2: 50, 3: 60}, {1: 70, 2: 60, 3: 50}, [(1, 1000), (2, 600), (3, 400), (4, 0)]),
        ({1: 50, 2: 50, 3: 60}, {1: 70, 2: 60, 3: 50}, [(1, 1000), (2, 500), (2, 500), (4, 0)]),
    ],
    ids=["unequal-before", "equal-before"],
)
def test_two_out_in_the_same_deal_are_ranked_by_their_totals_before_it_or_share(
    first: dict[int, str | int], second: dict[int, str | int], ranked: list[tuple[int, int]]
) -> None:
    """Totals of 40, 50 and 60 before the deal in which all three reach 101 (case D4)."""
    tournament = _pool_table(first, second, prizes="50,30,20", more={"format": NO_REJOIN})
    assert _settled(tournament) == ranked
    assert _adds_up(tournament)


def test_a_split_pays_exactly_the_pool_in_the_shares_that_were_told(client: Client) -> None:
    """Six with a fee of 12 %, totals 60, 80 and 95: a half, a third and a sixth (rule 6.3.6)."""
    tournament = started(
        Shape.SINGLE,
        6,
        in_person=True,
        house_fee=60,
        terms=terms("pool101", prizes="winner", format=format_named("pool101", rejoin=False)),
    )
    next_round(tournament)
    match = match_of(table_of(tournament))
    enter(match, 0, {1: 40, 2: 40, 3: 60, 4: 60, 5: 60})
    enter(match, 1, {0: 30, 2: 55, 3: 60, 4: 60, 5: 60})
    enter(match, 2, {0: 30, 1: 40})
    told = f"/tables/{match.table.public_id}/shares/"
    assert client.get(told).json() == {"shares": {}}
    say(match, SplitOffered(0))
    assert client.get(told).json() == {
        "shares": {"0": "1,320 play points", "1": "880 play points", "2": "440 play points"}
    }
    for seat in (1, 2):
        say(match, SplitAnswered(seat, True))
    ranked = _settled(tournament)
    assert [prize for _, prize in ranked][:3] == [1320, 880, 440]
    assert sum(prize for _, prize in ranked) == 6 * 440 == money.totals_of(tournament).paid
    assert _adds_up(tournament)


def test_a_rejoin_reaches_the_pool_at_once_and_is_won_with_it() -> None:
    tournament = _pool_table({1: 80, 2: 10, 3: 10}, prizes="winner", house_fee=50)
    match = match_of(table_of(tournament))
    back = tournament.entries.get(placings__seat=1)
    money.grant(
        asset=tournament.asset,
        player_ids=[back.player_id],
        amount=FEE,
        key="more",
        actor="x",
        now=NOW,
    )
    enter(match, 0, {1: 30, 2: 10, 3: 10})
    assert money.pool_of(tournament) == 4 * 450
    rejoin(match, 1)
    assert money.pool_of(tournament) == 5 * 450
    tournament.refresh_from_db()
    table = prize_tables(tournament).actual
    assert table is not None
    assert [row.amount for row in table.rows] == [5 * 450]
    while match_of(table_of(tournament)).status != "over":
        _lose(match)
    assert _settled(tournament)[0] == (1, 5 * 450)
    assert money.totals_of(tournament).fee == 5 * 50
    assert _adds_up(tournament)


def _lose(match: Match) -> None:
    """One more deal that seat 0 wins; nobody else buys in again."""
    step = game(match).next_step()
    if isinstance(step, AwaitRejoin):
        rejoin(match, step.seats[0], comes_back=False)
    else:
        assert isinstance(step, NextDeal)
        enter(match, 0, {seat: 40 for seat in step.seats if seat != 0})


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


STRUCTURES = st.one_of(
    st.just("winner"),
    st.lists(st.integers(1, 100), min_size=1, max_size=6).map(
        lambda weights: ",".join(
            f"{share / 100:.2f}" for share in split(10_000, sorted(weights, reverse=True))
        )
    ),
    st.lists(st.integers(1, 400), min_size=1, max_size=6).map(
        lambda amounts: "fixed:" + ",".join(map(str, sorted(amounts, reverse=True)))
    ),
)


@settings(max_examples=8)
@given(
    STRUCTURES,
    st.sampled_from(
        [(Shape.SINGLE, "deals"), (Shape.KNOCKOUT, "deals"), (Shape.HEADS_UP, "heads_up")]
    ),
    st.integers(2, 12),
    st.integers(0, 3000),
    st.randoms(use_true_random=False),
)
def test_whatever_is_tied_exactly_the_pool_is_paid(
    prizes: str, kind: tuple[Shape, str], entrants: int, guarantee: int, chance: Random
) -> None:
    """Any structure, field, guarantee and scores: nothing is lost, and nobody is without a rank."""
    shape, name = kind
    entrants = min(entrants, 6) if shape is Shape.SINGLE else entrants
    tournament = a_tournament(
        shape,
        capacity=6 if shape is Shape.SINGLE else 12,
        entry_fee=500,
        house_fee=chance.choice((0, 7)),
        terms=terms(name, prizes=prizes, guarantee=max(guarantee, 2400)),
    )
    join(tournament, *players(entrants))
    close_and_start(tournament)
    while next_round(tournament):
        for table in RoundTable.objects.filter(round__tournament=tournament, is_over=False):
            _finish_by_chance(table, chance)
    done = services.complete(tournament_id=tournament.pk, now=NOW)
    assert faults_of(done) == ()
    assert _adds_up(done)
    assert done.entries.filter(rank__isnull=False).count() == entrants


def _finish_by_chance(table: RoundTable, chance: Random) -> None:
    """Places by scores that are often level; the first place is level in a final only."""
    size = table.placings.count()
    scores = sorted((chance.randint(0, 3) for _ in range(size)), reverse=True)
    if table.places:
        scores[0] += 1
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    finish(table, *scores, places=places)
