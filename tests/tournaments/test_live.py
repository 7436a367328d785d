"""Rounds and brackets as they stand at this moment, by a fixed number of queries."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tables import services as table_services
from tables.rules.bots import Chance
from tests.tournaments.helpers import (
    NOW,
    finish,
    next_round,
    open_tables,
    secret_for,
    started,
    terms,
)
from tests.tournaments.round_helpers import knock_out, play_out, tie_breaks
from tournaments.errors import TournamentRefusal
from tournaments.models import RoundTable, Shape, TableKind, Tournament
from tournaments.play import bots
from tournaments.selectors import live, live_bracket, live_round
from tournaments.selectors.live_lines import Status
from tournaments.structure.rounds import BestOfTable

pytestmark = pytest.mark.django_db


def play_a_deal(table: RoundTable) -> None:
    """Deal the next deal of a table and let bots play it."""
    table.match.seats.update(bot="steady")
    deal, state = table_services.deal_next(match_id=table.match_id, secret_for=secret_for, now=NOW)
    table_services.play_deal_with_bots(
        deal=deal,
        state=state,
        chance=Chance(secret_for(f"live-{table.number}")),
        moments=bots.ticking(NOW),
    )


def queries(tournament: Tournament, read: object) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert callable(read)
        read(tournament.public_id)
    return len(captured)


def test_an_open_table_shows_the_scores_of_its_deals_so_far_and_its_leader_first() -> None:
    tournament = knock_out(7, BestOfTable(2), format_name="deals")
    table = open_tables(tournament)[0]
    before = live_round(tournament.public_id, 1).tables[0]
    assert {seat.score for seat in before.seats} == {160}
    play_a_deal(table)
    now = live_round(tournament.public_id, 1).tables[0]
    scores = [seat.score or 0 for seat in now.seats]
    assert scores == sorted(scores, reverse=True)
    assert sum(scores) == 4 * 160
    assert scores[0] > 160
    assert now.seats[0].place == 1
    assert (now.status, now.places) == (Status.PLAYING, 2)


def test_a_round_shows_who_goes_on_who_is_tied_and_what_the_tie_break_is_about() -> None:
    tournament = knock_out(7, BestOfTable(2))
    first, second = open_tables(tournament)
    finish(first, 0, 30, 30, 60, places=(1, 2, 2, 4))
    finish(second)
    [tied, decided] = live_round(tournament.public_id, 1).tables
    assert (tied.status, decided.status) == (Status.TIED, Status.OVER)
    assert [(seat.goes_on, seat.is_tied) for seat in tied.seats] == [
        (True, False),
        (False, True),
        (False, True),
        (False, False),
    ]
    next_round(tournament)
    shown = live_round(tournament.public_id, 1)
    assert not shown.is_closed
    tie_break = shown.tables[2]
    assert (tie_break.kind, tie_break.status) == (TableKind.TIE_BREAK, Status.PLAYING)
    assert (tie_break.decides, tie_break.stage, tie_break.places) == (1, 1, 1)
    finish(tie_breaks(tournament)[0])
    over = live_round(tournament.public_id, 1)
    assert over.is_closed
    assert [table.status for table in over.tables] == [Status.OVER] * 3
    assert sum(seat.goes_on for seat in over.tables[0].seats) == 2


def test_a_bracket_shows_byes_waiting_players_and_early_pairings() -> None:
    tournament = started(Shape.HEADS_UP, 5, terms=terms("points"))
    with pytest.raises(TournamentRefusal):
        live_bracket(tournament.public_id)
    next_round(tournament)
    finish(open_tables(tournament)[1])
    shown = live_bracket(tournament.public_id)
    first, second, final = shown.rounds
    assert [pairing.status for pairing in first] == [
        Status.BYE,
        Status.PLAYING,
        Status.BYE,
        Status.BYE,
    ]
    waiting, over = second
    assert (waiting.status, over.status) == (Status.WAITING, Status.OVER)
    assert waiting.first is not None
    assert (waiting.first.seed, waiting.second) == (1, None)
    assert over.winner_seed == 2
    assert final[0].second is not None
    assert final[0].second.seed == 2
    assert not shown.is_over


def test_a_bracket_shows_its_match_for_third_place_and_its_end() -> None:
    tournament = started(Shape.HEADS_UP, 4, terms=terms("points", third_place=True))
    play_out(tournament, random.Random(3))
    shown = live_bracket(tournament.public_id)
    assert shown.is_over
    assert [pairing.is_third_place for pairing in shown.rounds[-1]] == [False, True]
    assert all(pairing.status is Status.OVER for one in shown.rounds for pairing in one)


def test_the_sections_of_a_large_bracket_together_are_the_whole_of_it() -> None:
    """Each is read alone, with the players and tables that stand in it."""
    tournament = started(Shape.HEADS_UP, 35, terms=terms("points"))
    next_round(tournament)
    for table in open_tables(tournament):
        finish(table)
    next_round(tournament)
    whole = live_bracket(tournament.public_id)
    assert (whole.section, whole.sections) == (0, 3)
    read = [live_bracket(tournament.public_id, number) for number in (1, 2, 3)]
    pairings = [one for part in read for pairings in part.rounds for one in pairings]
    assert sorted(pairings, key=lambda one: (one.round_number, one.number)) == [
        one for row in whole.rounds for one in row
    ]
    assert [part.shown.first_round for part in read] == [1, 1, 6]
    assert live_bracket(tournament.public_id, 0) == live_bracket(tournament.public_id, 9) == read[2]


def test_a_bracket_too_large_to_be_shown_whole_is_shown_by_its_last_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tournament = started(Shape.HEADS_UP, 35, terms=terms("points"))
    next_round(tournament)
    monkeypatch.setattr(live, "FEW", 2)
    shown = live_bracket(tournament.public_id)
    assert shown == live_bracket(tournament.public_id, 3)
    address = f"/api/tournaments/{tournament.public_id}/bracket/"
    for query, rounds in (("", {6}), ("?section=1", {1, 2, 3, 4, 5}), ("?section=3", {6})):
        assert {one["round"] for one in Client().get(f"{address}{query}").json()} == rounds


def test_only_brackets_are_shown_as_such_and_only_rounds_that_are_there() -> None:
    tournament = knock_out(7, BestOfTable(2))
    with pytest.raises(TournamentRefusal):
        live_bracket(tournament.public_id)
    with pytest.raises(TournamentRefusal):
        live_round(tournament.public_id, 2)


def test_live_rounds_and_brackets_take_as_many_queries_for_many_as_for_few() -> None:
    def rounds(entrants: int) -> int:
        tournament = knock_out(entrants, BestOfTable(2), format_name="deals")
        play_a_deal(open_tables(tournament)[0])
        finish(open_tables(tournament)[1])
        return queries(tournament, lambda name: live_round(name, 1))

    def brackets(entrants: int) -> int:
        tournament = started(Shape.HEADS_UP, entrants, terms=terms("points"))
        next_round(tournament)
        for table in open_tables(tournament)[: entrants // 4]:
            finish(table)
        next_round(tournament)
        return queries(tournament, live_bracket)

    assert rounds(60) == rounds(12) <= 8
    assert brackets(64) == brackets(8) <= 9


def test_a_section_of_a_bracket_takes_as_many_queries_as_the_whole_and_fewer_rows() -> None:
    tournament = started(Shape.HEADS_UP, 64, terms=terms("points"))
    next_round(tournament)
    whole = queries(tournament, live_bracket)
    assert queries(tournament, lambda name: live_bracket(name, 1)) <= whole
    seated = [seat for one in live_bracket(tournament.public_id, 2).rounds[0] for seat in one[4:6]]
    assert len([seat for seat in seated if seat is not None]) == 32


def test_a_long_round_comes_in_pages() -> None:
    tournament = knock_out(153, BestOfTable(1), seats=3)
    first, second = (live_round(tournament.public_id, 1, page) for page in (1, 2))
    assert (len(first.tables), first.page.paginator.num_pages) == (50, 2)
    assert [table.number for table in second.tables] == [51]
    last = open_tables(tournament)[-1]
    names = {seat.entry_id for seat in second.tables[0].seats}
    assert names == set(last.placings.values_list("entry_id", flat=True))
