"""Draws, tables, byes, and what a finished table does to its players (rule 7)."""

from __future__ import annotations

import pytest

from tests.tournaments.helpers import (
    NOW,
    a_tournament,
    finish,
    next_round,
    run_out,
    secret_for,
    started,
    terms,
)
from tournaments import money, play, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import EntryState, Placing, Shape
from tournaments.services.rounds import bracket_of

pytestmark = pytest.mark.django_db


def test_a_round_asked_for_twice_is_opened_once() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    assert next_round(tournament) is not None
    assert next_round(tournament) is None
    assert tournament.rounds.count() == 1


def test_seven_players_sit_at_a_table_of_four_and_one_of_three() -> None:
    opened = next_round(started(Shape.KNOCKOUT, 7))
    assert [table.placings.count() for table in opened.tables.all()] == [4, 3]


def test_the_draw_is_the_one_that_was_committed_to_and_can_be_drawn_again() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    promised = tournament.next_commitment
    opened = next_round(tournament)
    secret = bytes.fromhex(opened.draw_secret)
    assert opened.draw_commitment == promised == play.commitment_of(secret)
    seated = Placing.objects.filter(table__round=opened).order_by("table__number", "seat")
    numbers = list(seated.values_list("entry__number", flat=True))
    assert list(play.drawn_order(numbers, secret, play.draw_label(tournament, 1))) == numbers


def test_the_next_draw_is_committed_to_when_a_round_opens_and_with_another_secret() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    opened = next_round(tournament)
    tournament.refresh_from_db()
    assert tournament.next_secret != opened.draw_secret
    assert len(tournament.next_commitment) == 64


def test_winners_go_on_and_the_others_are_out() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    first, second = next_round(tournament).tables.all()
    finish(first)
    assert tournament.entries.filter(state=EntryState.OUT).count() == 3
    assert tournament.rounds.get().closed_at is None
    finish(second)
    assert tournament.rounds.get().closed_at is not None
    assert tournament.entries.filter(state=EntryState.PLAYING).count() == 2
    assert next_round(tournament).tables.get().placings.count() == 2


def test_a_table_that_reports_twice_is_entered_once() -> None:
    tournament = started(Shape.KNOCKOUT, 7)
    table = next_round(tournament).tables.first()
    finish(table)
    finish(table, places=(4, 3, 2, 1))
    assert table.placings.get(place=1).seat == 0


def test_thirty_six_players_take_six_tables_and_a_final() -> None:
    tournament = started(Shape.KNOCKOUT, 36)
    assert run_out(tournament) == 2
    assert [r.tables.count() for r in tournament.rounds.all()] == [6, 1]


@pytest.mark.parametrize("entrants", range(2, 18))
def test_a_bracket_of_any_size_is_played_to_one_winner_with_byes_in_round_one_only(
    entrants: int,
) -> None:
    tournament = started(Shape.HEADS_UP, entrants)
    rounds = run_out(tournament)
    assert rounds == (entrants - 1).bit_length()
    tables = sum(opened.tables.count() for opened in tournament.rounds.all())
    assert tables == entrants - 1
    winner = tournament.entries.get(state=EntryState.PLAYING)
    assert bracket_of(tournament).champion == winner.seed
    for number, opened in enumerate(tournament.rounds.all(), 1):
        seated = opened.tables.count() * 2
        playing = entrants if number == 1 else 1 << (rounds - number + 1)
        assert seated == playing - (((1 << rounds) - entrants) if number == 1 else 0)


def test_nobody_sits_at_two_tables_of_a_round() -> None:
    tournament = started(Shape.KNOCKOUT, 20)
    opened = next_round(tournament)
    seated = Placing.objects.filter(table__round=opened).values_list("entry_id", flat=True)
    assert len(seated) == len(set(seated)) == 20


def test_no_round_opens_after_a_single_table_or_a_shared_final() -> None:
    single = started(Shape.SINGLE, 4)
    finish(next_round(single).tables.get())
    assert next_round(single) is None
    pair = started(Shape.HEADS_UP, 2, terms=terms("heads_up"))
    finish(next_round(pair).tables.get(), 40, 40, places=(1, 1))
    assert pair.entries.filter(state=EntryState.PLAYING).count() == 2
    assert next_round(pair) is None
    assert bracket_of(pair).final_is_shared


def test_only_a_running_tournament_opens_rounds() -> None:
    with pytest.raises(TournamentRefusal) as refusal:
        services.open_round(tournament_id=a_tournament().pk, secret_for=secret_for, now=NOW)
    assert refusal.value.code is TournamentCode.NOT_RUNNING


def test_chips_are_issued_to_each_seat_and_retired_when_the_table_is_over() -> None:
    tournament = started(Shape.SINGLE, 4)
    table = next_round(tournament).tables.get()
    asset = money.chips_asset(tournament)

    def in_play() -> int:
        issuer = money.chips_issuer(tournament)
        return -money.balances([issuer])[issuer].posted

    assert in_play() == 4 * 160
    finish(table, 400, 240, 0, 0)
    assert in_play() == 0
    assert asset in {totals.asset for totals in money.trial_balance()}


@pytest.mark.parametrize("shape", [Shape.HEADS_UP, Shape.KNOCKOUT])
def test_a_round_takes_a_constant_number_of_queries_a_table(
    shape: Shape, django_assert_max_num_queries: object
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries(entrants: int) -> int:
        tournament = started(shape, entrants, terms=terms("points"))
        with CaptureQueriesContext(connection) as captured:
            next_round(tournament)
        return len(captured)

    assert queries(48) == queries(12)
