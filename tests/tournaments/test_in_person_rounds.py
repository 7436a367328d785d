"""Corrections where more hangs on a result: tie-breaks, the best of all, levels, pauses."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from tables.errors import TableCode, TableRefusal
from tables.models import Match, MatchStatus
from tables.rules.errors import Code, RuleViolation
from tables.rules.formats import DealsStopped, RejoinAnswered
from tests.tables.sheet_helpers import correct, correct_rows, enter, row, say
from tests.tournaments.helpers import NOW, next_round, secret_for, terms
from tests.tournaments.level_helpers import begun, level_terms
from tests.tournaments.sheets import game, in_person, match_of, open_tables, stacks, win_by_hand
from tournaments import money, services
from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import EntryState, RoundTable, Shape, TableKind, Tournament
from tournaments.services import desk
from tournaments.structure.rounds import BestOfTable, BestOverall

pytestmark = pytest.mark.django_db


def knockout(entrants: int, advance: Any, seats: int = 4) -> tuple[Tournament, list[RoundTable]]:
    """A running knock-out in points, with the tables of its first round."""
    wanted = msgspec.structs.replace(terms("points"), advance=advance, seats=seats)
    tournament = in_person(Shape.KNOCKOUT, entrants, terms=wanted)
    next_round(tournament)
    return tournament, open_tables(tournament)


def on(table: RoundTable) -> list[int]:
    """Seats that go on."""
    return list(table.placings.filter(goes_on=True).order_by("seat").values_list("seat", flat=True))


def tied(table: RoundTable) -> list[int]:
    """Seats that wait for a tie-break."""
    return list(table.placings.filter(is_tied=True).order_by("seat").values_list("seat", flat=True))


def refused(match: Match, winner: int, losses: dict[int, Any]) -> TournamentRefusal:
    with pytest.raises(TournamentRefusal) as refusal:
        correct(match, winner, losses)
    return refusal.value


# Tie-breaks


def level_for_second() -> tuple[Tournament, RoundTable]:
    """Two of each table go on, and at the first two are level on the second place."""
    tournament, tables = knockout(8, BestOfTable(places=2))
    enter(match_of(tables[0]), 0, {1: 20, 2: 20, 3: 40})
    enter(match_of(tables[1]), 0, {1: 20, 2: 30, 3: 40})
    return tournament, tables[0]


def test_a_tie_that_was_entered_by_mistake_is_corrected_away() -> None:
    _, table = level_for_second()
    assert (on(table), tied(table)) == ([0], [1, 2])
    correct(match_of(table), 0, {1: 20, 2: 19, 3: 40})
    assert (on(table), tied(table)) == ([0, 2], [])
    table.round.refresh_from_db()
    assert table.round.closed_at is not None


def test_a_table_stands_once_its_tie_break_is_open() -> None:
    tournament, table = level_for_second()
    next_round(tournament)
    refusal = refused(match_of(table), 0, {1: 20, 2: 19, 3: 40})
    assert refusal.code is TournamentCode.RESULT_USED
    assert "table 3 of round 1" in refusal.sentence


def test_the_other_table_of_the_round_can_still_be_corrected() -> None:
    tournament, _ = level_for_second()
    other = RoundTable.objects.get(round__tournament=tournament, number=2)
    next_round(tournament)
    correct(match_of(other), 0, {1: 31, 2: 30, 3: 40})
    assert on(other) == [0, 2]


def test_the_deal_of_a_tie_break_is_corrected_and_another_goes_on() -> None:
    tournament, table = level_for_second()
    next_round(tournament)
    [tie_break] = open_tables(tournament)
    assert tie_break.kind == TableKind.TIE_BREAK
    match = match_of(tie_break)
    by_seat = dict(tie_break.placings.values_list("seat", "entry__number"))
    enter(match, 0, {1: 10})
    assert [by_seat[seat] for seat in on(tie_break)] == [by_seat[0]]
    correct(match, 1, {0: 10})
    assert on(tie_break) == [1]
    went = table.placings.filter(goes_on=True).values_list("entry__number", flat=True)
    assert by_seat[1] in went
    assert by_seat[0] not in went
    assert tied(table) == []
    states = dict(tournament.entries.values_list("number", "state"))
    assert (states[by_seat[1]], states[by_seat[0]]) == (EntryState.PLAYING, EntryState.OUT)
    next_round(tournament)
    assert refused(match, 0, {1: 10}).code is TournamentCode.RESULT_USED


# The best of all tables


def test_a_round_over_all_tables_is_cut_anew() -> None:
    tournament, tables = knockout(8, BestOverall(percent=50))
    enter(match_of(tables[0]), 0, {1: 5, 2: 6, 3: 7})
    enter(match_of(tables[1]), 0, {1: 50, 2: 60, 3: 70})
    assert [on(table) for table in tables] == [[0, 1], [0, 1]]
    tables[0].round.refresh_from_db()
    assert tables[0].round.closed_at is not None
    correct(match_of(tables[0]), 0, {1: 80, 2: 79, 3: 78})
    assert [on(table) for table in tables] == [[0, 3], [0, 1]]
    assert tournament.entries.filter(state=EntryState.PLAYING).count() == 4


def test_who_has_left_the_tournament_stays_away_when_a_table_is_opened_again() -> None:
    _, tables = knockout(8, BestOfTable(places=1))
    for table in tables:
        win_by_hand(match_of(table))
    gone = tables[0].placings.get(seat=2).entry
    gone.left = "withdrawn"
    gone.save(update_fields=["left"])
    correct(match_of(tables[0]), 2, {0: 5, 1: 6, 3: 7})
    gone.refresh_from_db()
    assert gone.state == EntryState.OUT
    assert on(tables[0]) == [0]


def test_who_has_left_the_tournament_does_not_come_back_by_a_correction() -> None:
    tournament = in_person(Shape.KNOCKOUT, 4, terms=terms("pool101"))
    next_round(tournament)
    [table] = open_tables(tournament)
    match = match_of(table)
    enter(match, 0, {1: 5, 2: 6, 3: 7})
    gone = table.placings.get(seat=2).entry
    desk.withdraw(
        tournament_id=tournament.pk,
        player_id=gone.player_id,
        actor="desk",
        reason="ill",
        now=NOW,
    )
    assert not game(match).is_in(2)
    refusal = refused(match, 0, {1: 8, 2: 6, 3: 7})
    assert refusal.code is TournamentCode.RESULT_USED
    assert "has left the tournament" in refusal.sentence
    rows = [row(0, "won"), row(1, 8), row(2, 6, leaves=True), row(3, 7)]
    correct_rows(match, rows)
    assert not game(match).is_in(2)


# Pauses


def test_nothing_is_entered_in_a_pause() -> None:
    tournament, tables = knockout(8, BestOfTable(places=1))
    match = match_of(tables[0])
    enter(match, 0, {1: 5, 2: 6, 3: 7})
    from tables.services.pausing import pause_owner

    other = match_of(tables[1])
    pause_owner(owner=other.table.owner, now=NOW)
    with pytest.raises(TableRefusal) as refusal:
        enter(other, 0, {1: 5, 2: 6, 3: 7})
    assert refusal.value.code is TableCode.PAUSED
    Tournament.objects.filter(pk=tournament.pk).update(state="paused")
    assert refused(match, 1, {0: 5, 2: 6, 3: 7}).code is TournamentCode.NOT_RUNNING


# Timed levels

UP = NOW + timedelta(minutes=10)


def a_level(**changes: Any) -> tuple[Tournament, RoundTable, Match]:
    """A table of three in the first level, ten minutes long."""
    tournament, _ = begun(3, terms=level_terms(**changes), in_person=True)
    services.open_round(tournament_id=tournament.pk, secret_for=secret_for, now=NOW)
    [table] = open_tables(tournament)
    return tournament, table, match_of(table)


def test_a_level_is_played_by_hand_until_its_time_is_up() -> None:
    tournament, table, match = a_level()
    enter(match, 0, {1: 20, 2: 10})
    assert stacks(tournament, table) == {0: 1150, 1: 900, 2: 950}
    with pytest.raises(RuleViolation) as refusal:
        say(match, DealsStopped())
    assert refusal.value.code is Code.NOT_DUE
    enter(match, 1, {0: 10, 2: 10}, now=UP)
    match.refresh_from_db()
    assert match.status == MatchStatus.OVER
    assert stacks(tournament, table) == {0: 1100, 1: 1000, 2: 900}


def test_a_level_ends_by_the_scorers_hand_when_no_deal_is_being_played() -> None:
    _, table, match = a_level()
    enter(match, 0, {1: 20, 2: 10})
    say(match, DealsStopped(), now=UP)
    table.refresh_from_db()
    assert table.is_over


def test_the_last_deal_of_a_level_is_corrected_until_chips_are_bought() -> None:
    tournament, table, match = a_level()
    enter(match, 0, {1: 80, 2: 10}, now=UP)
    table.refresh_from_db()
    assert table.is_over
    correct(match, 0, {1: 20, 2: 10}, now=UP)
    table.refresh_from_db()
    assert table.is_over
    assert stacks(tournament, table) == {0: 1150, 1: 900, 2: 950}
    loser = table.placings.get(seat=1).entry
    services.rebuy(tournament_id=tournament.pk, player_id=loser.player_id, actor="desk", now=UP)
    assert refused(match, 0, {1: 21, 2: 10}).code is TournamentCode.RESULT_USED


def test_chips_bought_at_the_table_after_a_deal_keep_it_from_being_corrected() -> None:
    tournament, table, match = a_level(levels=((10, 800), (20, 1600), (30, 2400)))
    enter(match, 0, {1: 80, 2: 2})
    say(match, RejoinAnswered(1, True))
    assert stacks(tournament, table)[1] == 1200
    refusal = refused(match, 0, {1: 8, 2: 2})
    assert refusal.code is TournamentCode.RESULT_USED
    assert "Chips were bought" in refusal.sentence
    assert money.faults(now=NOW) == ()
