"""What a whole field goes through costs as many queries for ten entries as for many.

SQLite takes so many rows in one statement only, so the fields are small enough for one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.helpers import FEE, NOW, a_tournament, join, players, terms, wallet
from tests.tournaments.test_check_in import with_check_in
from tournaments import services
from tournaments.models import EntryState, Tournament
from tournaments.structure.conditions import EntryRules

pytestmark = pytest.mark.django_db

FEW, MANY = 12, 60
Act = Callable[[Tournament], Any]


def field_of(entrants: int, *, waiting: int = 0, **rules: Any) -> Tournament:
    """Registration is open, so many are in, so many wait."""
    tournament = a_tournament(capacity=entrants, terms=terms(entering=EntryRules(**rules)))
    join(tournament, *players(entrants + waiting))
    return tournament


def close(tournament: Tournament) -> None:
    services.close_registration(tournament_id=tournament.pk, actor="organiser", now=NOW)


def start(tournament: Tournament) -> None:
    services.start(tournament_id=tournament.pk, actor="organiser", now=NOW)


def cancel(tournament: Tournament) -> None:
    services.cancel(tournament_id=tournament.pk, actor="organiser", reason="rain", now=NOW)


def abort(tournament: Tournament) -> None:
    services.abort(tournament_id=tournament.pk, actor="organiser", reason="rain", now=NOW)


def end_check_in(tournament: Tournament) -> None:
    services.end_check_in(tournament_id=tournament.pk, actor="organiser", now=NOW)


def queries(made: Tournament, act: Act, *before: Act) -> int:
    """How many statements the last of these things takes."""
    for earlier in before:
        earlier(made)
    with CaptureQueriesContext(connection) as captured:
        act(made)
    return len(captured)


def states(tournament: Tournament) -> dict[str, int]:
    """How many entries are in which state."""
    found = list(tournament.entries.values_list("state", flat=True))
    return {state: found.count(state) for state in set(found)}


def test_a_start_takes_the_fees_of_many_in_as_many_queries_as_of_a_few() -> None:
    few = queries(field_of(FEW), start, close)
    many = field_of(MANY)
    assert queries(many, start, close) == few
    assert states(many) == {EntryState.PLAYING: MANY}
    assert {wallet(entry.player).posted for entry in many.entries.all()} == {0}


def test_closing_leaves_many_waiting_without_a_seat_in_as_many_queries_as_a_few() -> None:
    few = queries(field_of(2, waiting=FEW), close)
    many = field_of(2, waiting=MANY)
    assert queries(many, close) == few
    assert states(many) == {EntryState.ENTERED: 2, EntryState.NOT_SEATED: MANY}


def test_closing_gives_many_applicants_their_fees_back_in_as_many_queries_as_a_few() -> None:
    few = queries(field_of(FEW, needs_approval=True), close)
    many = field_of(MANY, needs_approval=True)
    assert queries(many, close) == few
    assert states(many) == {EntryState.WITHDRAWN: MANY}
    assert {wallet(entry.player).available for entry in many.entries.all()} == {FEE}


@pytest.mark.parametrize("before", [(), (close,)])
def test_cancelling_gives_many_fees_back_in_as_many_queries_as_a_few(
    before: tuple[Act, ...],
) -> None:
    few = queries(field_of(FEW, waiting=2), cancel, *before)
    many = field_of(MANY, waiting=2)
    assert queries(many, cancel, *before) == few
    assert {wallet(entry.player).available for entry in many.entries.all()} == {FEE}
    assert not many.payments.filter(paid_at__isnull=True).exists()


def test_aborting_gives_many_fees_back_in_as_many_queries_as_a_few() -> None:
    few = queries(field_of(FEW), abort, close, start)
    many = field_of(MANY)
    assert queries(many, abort, close, start) == few
    assert states(many) == {EntryState.REFUNDED: MANY}
    assert {wallet(entry.player).available for entry in many.entries.all()} == {FEE}


@pytest.mark.parametrize("keeps_fee", [False, True])
def test_many_no_shows_and_many_waiting_for_nothing_cost_as_much_as_a_few(keeps_fee: bool) -> None:
    def absent(number: int) -> Tournament:
        rules = {"no_show_keeps_fee": keeps_fee, "waitlist_moves_up": False}
        tournament = with_check_in(capacity=number, **rules)
        join(tournament, *players(2 * number))
        return tournament

    few = queries(absent(FEW), end_check_in, close)
    many = absent(MANY)
    assert queries(many, end_check_in, close) == few
    assert states(many) == {EntryState.NO_SHOW: MANY, EntryState.NOT_SEATED: MANY}


def test_each_no_show_whose_seat_is_given_on_costs_the_same_among_many() -> None:
    """A seat is offered to one after another, since each may lack the points."""

    def per_seat(number: int) -> float:
        tournament = with_check_in(capacity=number, waitlist_moves_up=True)
        join(tournament, *players(2 * number))
        counted = queries(tournament, end_check_in, close)
        assert states(tournament) == {EntryState.NO_SHOW: number, EntryState.ENTERED: number}
        return counted / number

    assert per_seat(MANY) <= per_seat(FEW)
