"""Chips, buy-ins and results that followed from a wrong deal go back, or the deal stands."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Match
from tables.rules.formats import NextDeal
from tests.tables.sheet_helpers import (
    correct,
    enter,
    rejoin,
    version,
)
from tests.tournaments.helpers import (
    FEE,
    NOW,
    a_tournament,
    close_and_start,
    join,
    next_round,
    players,
    terms,
    wallet,
)
from tests.tournaments.sheets import (
    game,
    in_person,
    in_play,
    match_of,
    placings,
    stacks,
    table_of,
    win_by_hand,
)
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import EntryState, Shape, Tournament

pytestmark = pytest.mark.django_db


def pool_table(rejoins: int = 3) -> tuple[Tournament, Match]:
    """A single pool table of three, two of whom are close to the limit."""
    tournament = a_tournament(Shape.SINGLE, capacity=3, terms=terms("pool101"), in_person=True)
    join(tournament, *players(3, points=FEE * (1 + rejoins)))
    close_and_start(tournament)
    next_round(tournament)
    match = match_of(table_of(tournament))
    enter(match, 0, {1: 80, 2: 20})
    enter(match, 0, {1: 30, 2: 5})
    return tournament, match


def entry_at(match: Match, seat: int) -> Any:
    """The entry of a seat."""
    return table_of(Tournament.objects.get()).placings.get(seat=seat).entry


def test_a_rejoin_is_paid_and_a_correction_gives_the_buy_in_back() -> None:
    tournament, match = pool_table()
    player = entry_at(match, 1).player
    rejoin(match, 1)
    assert (wallet(player).posted, money.pool_of(tournament)) == (2 * FEE, 4 * FEE)
    assert entry_at(match, 1).rejoins == 1
    correct(match, 0, {1: 2, 2: 5})
    assert (wallet(player).posted, money.pool_of(tournament)) == (3 * FEE, 3 * FEE)
    assert entry_at(match, 1).rejoins == 0
    assert money.totals_of(tournament).received == 3 * FEE
    assert money.pool_received(tournament) == 3 * FEE


def test_a_rejoin_after_a_void_one_is_paid_again() -> None:
    tournament, match = pool_table()
    player = entry_at(match, 1).player
    rejoin(match, 1)
    correct(match, 0, {1: 31, 2: 5})
    rejoin(match, 1)
    assert (wallet(player).posted, money.pool_of(tournament)) == (2 * FEE, 4 * FEE)
    assert entry_at(match, 1).rejoins == 1
    win_by_hand_with_refusals(match)
    services.complete(tournament_id=tournament.pk, now=NOW)
    paid = sum(entry.prize for entry in tournament.entries.all())
    assert paid == 4 * FEE
    assert money.faults(now=NOW) == ()


def win_by_hand_with_refusals(match: Match) -> None:
    """Play a pool to its end, nobody coming back."""
    from tables.rules.formats import AwaitRejoin, MatchOver

    while not isinstance(step := game(match).next_step(), MatchOver):
        if isinstance(step, AwaitRejoin):
            rejoin(match, step.seats[0], False)
            continue
        assert isinstance(step, NextDeal)
        winner, *others = sorted(step.seats)
        enter(match, winner, dict.fromkeys(others, 40))


def test_who_cannot_pay_does_not_come_back_and_the_sheet_stays_as_it_was() -> None:
    _, match = pool_table(rejoins=0)
    before = version(match)
    with pytest.raises(money.InsufficientFunds):
        rejoin(match, 1)
    assert version(match) == before
    rejoin(match, 1, False)


def test_a_correction_moves_the_chips_back_and_the_right_ones_instead() -> None:
    tournament = in_person(Shape.SINGLE, 3)
    next_round(tournament)
    table = table_of(tournament)
    match = match_of(table)
    enter(match, 0, {1: 45, 2: 10})
    assert stacks(tournament, table) == {0: 215, 1: 115, 2: 150}
    correct(match, 2, {1: 54, 0: 10})
    assert stacks(tournament, table) == {0: 150, 1: 106, 2: 224}
    correct(match, 2, {1: 54, 0: 11})
    assert stacks(tournament, table) == {0: 149, 1: 106, 2: 225}


def test_a_table_that_was_over_is_finished_anew_and_its_chips_are_retired_once() -> None:
    tournament = in_person(Shape.SINGLE, 2, terms=terms(prizes="60,40"))
    next_round(tournament)
    table = table_of(tournament)
    match = match_of(table)
    enter(match, 0, {1: 45})
    enter(match, 0, {1: 20})
    assert in_play(tournament) == 0
    table.refresh_from_db()
    assert table.is_over
    correct(match, 1, {0: 45})
    table.refresh_from_db()
    assert (table.is_over, table.reopened, in_play(tournament)) == (False, 1, 320)
    assert table.round.closed_at is None
    assert set(table.placings.values_list("place", "goes_on")) == {(None, False)}
    assert tournament.entries.filter(state=EntryState.PLAYING).count() == 2
    enter(match, 1, {0: 3})
    assert in_play(tournament) == 0
    correct(match, 0, {1: 3})
    assert in_play(tournament) == 0
    services.complete(tournament_id=tournament.pk, now=NOW)
    table.refresh_from_db()
    assert table.placings.get(place=1).seat == 0
    assert money.faults(now=NOW) == ()


def test_a_correction_turns_the_winner_of_a_knock_out_table_round() -> None:
    tournament = in_person(Shape.KNOCKOUT, 7, terms=terms("points"))
    opened = next_round(tournament)
    first, second = opened.tables.order_by("number")
    win_by_hand(match_of(first))
    win_by_hand(match_of(second))
    opened.refresh_from_db()
    assert opened.closed_at is not None
    correct(match_of(first), 1, {0: 5, 2: 8, 3: 9})
    opened.refresh_from_db()
    assert opened.closed_at is not None
    assert [p.seat for p in first.placings.filter(goes_on=True)] == [1]
    assert [p.seat for p in second.placings.filter(goes_on=True)] == [0]
    assert tournament.entries.filter(state=EntryState.PLAYING).count() == 2
    seated = set(next_round(tournament).tables.get().placings.values_list("entry_id", flat=True))
    assert first.placings.get(seat=1).entry_id in seated


def test_a_result_that_the_next_round_stands_on_is_not_corrected() -> None:
    tournament = in_person(Shape.KNOCKOUT, 7, terms=terms("points"))
    tables = list(next_round(tournament).tables.order_by("number"))
    for table in tables:
        win_by_hand(match_of(table))
    next_round(tournament)
    before = placings(tournament)
    with pytest.raises(TournamentRefusal) as refusal:
        correct(match_of(tables[0]), 1, {0: 5, 2: 8, 3: 9})
    assert refusal.value.code is TournamentCode.RESULT_USED
    assert "table 1 of round 2" in refusal.value.sentence
    assert placings(tournament) == before


def test_settled_prizes_stand() -> None:
    tournament = in_person(Shape.SINGLE, 2, terms=terms("points", prizes="100"))
    next_round(tournament)
    match = match_of(table_of(tournament))
    enter(match, 0, {1: 20})
    services.complete(tournament_id=tournament.pk, now=NOW)
    with pytest.raises(TournamentRefusal) as refusal:
        correct(match, 1, {0: 20})
    assert refusal.value.code is TournamentCode.NOT_RUNNING


def test_a_pairing_is_corrected_until_its_winner_meets_the_next() -> None:
    tournament = in_person(Shape.HEADS_UP, 4, terms=terms("heads_up"))
    first, second = next_round(tournament).tables.order_by("number")
    for table in (first, second):
        win_by_hand(match_of(table))
    correct(match_of(first), 1, {0: 130})
    assert [p.seat for p in first.placings.filter(goes_on=True)] == [1]
    next_round(tournament)
    with pytest.raises(TournamentRefusal) as refusal:
        correct(match_of(second), 1, {0: 130})
    assert refusal.value.code is TournamentCode.RESULT_USED
