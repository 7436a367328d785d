"""Rule 5.11: 30 s a move, 45 s to declare, and extra time that lasts for the whole deal."""

from __future__ import annotations

import pytest

from tables.rules import events as ev
from tables.rules.commands import (
    ComeBack,
    Declare,
    Discard,
    DrawClosed,
    Expire,
    Finish,
    GoOffline,
    ShiftClock,
)
from tables.rules.errors import Code
from tables.rules.state import Phase
from tables.rules.terms import EXTRA_SECONDS, ClockTerms, Stake
from tests.rules.deal.table import JUNK, LOW, WIN, Table, dealt, groups, opened, terms


def clocked(extra: int, *hands: str, players: int = 3) -> Table:
    """A table with this much extra time."""
    clock = ClockTerms(extra_seconds=extra)
    return dealt(*(hands or (JUNK, LOW)), players=players, deal_terms=terms(clock=clock))


def take(table: Table, seconds: float) -> Table:
    """The player to move completes his turn after so many seconds."""
    return table.wait(seconds).pass_turns()


def test_times_are_thirty_and_forty_five_seconds_and_extra_time_goes_by_stake() -> None:
    assert (ClockTerms().turn_seconds, ClockTerms().declare_seconds) == (30, 45)
    assert EXTRA_SECONDS == {Stake.CASH: 120, Stake.PROMOTIONAL: 20, Stake.PRACTICE: 10}


@pytest.mark.parametrize("extra", [0, 10, 20, 120])
def test_a_turn_lasts_thirty_seconds_and_what_is_left_of_the_extra_time(extra: int) -> None:
    assert clocked(extra).seconds_left(1) == 30 + extra
    assert opened(deal_terms=terms(clock=ClockTerms(extra_seconds=extra))).seconds_left(1) == (
        30 + extra
    )


def test_drawing_does_not_lengthen_the_turn() -> None:
    table = clocked(10).wait(20)
    table.do(DrawClosed(1))
    assert table.seconds_left(1) == 20


@pytest.mark.parametrize(("seconds", "left"), [(0, 20), (30, 20), (30.5, 19.5), (45, 5), (50, 0)])
def test_only_time_beyond_thirty_seconds_is_taken_from_the_extra_time(
    seconds: float, left: float
) -> None:
    table = take(clocked(20), seconds)
    assert table.seat(1).extra_ms == 1000 * left
    assert table.seconds_left(2) == 50
    assert table.pass_turns(2).seconds_left(1) == 30 + left


def test_extra_time_is_used_up_across_moves_and_the_declaration() -> None:
    """20 s: 5 in the first turn, 7 in the second before the finish, 3 in declaring."""
    table = take(clocked(20, WIN, LOW), 35).pass_turns(2)
    assert table.seconds_left(1) == 45
    table.wait(37).finish(1)
    assert table.seconds_left(1) == 45 + 8
    table.wait(48).do(Declare(1, groups(WIN)))
    assert table.seat(1).extra_ms == 5000
    assert table.seconds_left(2) == table.seconds_left(3) == 65


def test_players_declare_within_forty_five_seconds_and_their_own_extra_time() -> None:
    table = take(clocked(20, JUNK, WIN), 40)
    table.show(2)
    assert table.seconds_left(1) == 55
    assert table.seconds_left(3) == 65
    table.wait(55).do(Expire())
    assert table.phase is Phase.SHOW
    assert [seat.seat for seat in table.state.to_declare] == [3]
    table.wait(10).do(Expire())
    assert table.state.is_over


def test_time_the_finisher_took_to_declare_is_nobody_elses() -> None:
    table = clocked(20, WIN, LOW).finish(1).wait(50)
    table.do(Declare(1, groups(WIN)))
    table.wait(46).do(Declare(2, ()))
    assert table.seat(2).extra_ms == 19_000
    assert table.seconds_left(3) == 19


def test_missed_turn_uses_up_all_extra_time() -> None:
    table = clocked(20)
    table.ring()
    assert table.pass_turns(2).seconds_left(1) == 30


@pytest.mark.parametrize("late", [0, 60, 3600])
def test_late_alarm_takes_no_more_than_the_turn_had(late: float) -> None:
    """And what an absent player's turn takes is not taken from his extra time at all."""
    clock = ClockTerms(extra_seconds=120)
    table = dealt(JUNK, LOW, deal_terms=terms("classic_rummy", clock=clock)).pass_turns()
    table.do(GoOffline(1))
    table.pass_turns().wait(1 + late).do(Expire())
    assert table.to_move == 2
    assert table.seat(1).extra_ms == 120_000


def test_move_just_in_time_beats_the_alarm_that_is_already_on_its_way() -> None:
    """The alarm is delivered twice: the log holds the move and no time-out."""
    table = clocked(20)
    table.do(DrawClosed(1))
    table.wait(49.99).do(Discard(1, "KC"))
    table.wait(0.01)
    for _ in range(2):
        assert table.refusal(Expire()) is Code.NOT_DUE
    assert not [event for event in table.log if isinstance(event, ev.TurnMissed)]


def test_alarm_before_the_time_does_nothing() -> None:
    assert clocked(20).wait(49.999).refusal(Expire()) is Code.NOT_DUE
    assert clocked(20, WIN).finish(1).wait(64.999).refusal(Expire()) is Code.NOT_DUE
    assert clocked(20, WIN).show(1).wait(64.999).refusal(Expire()) is Code.NOT_DUE


def test_the_deadline_is_always_the_next_time_that_is_up() -> None:
    table = clocked(20, WIN, LOW)
    for step in (DrawClosed(1), Finish(1, "KD"), Declare(1, ())):
        table.wait(1).do(step)
        running = [seat.until for seat in table.state.seats if seat.until is not None]
        assert [table.state.deadline] == [min(running)] == running


def test_player_cut_off_loses_no_time_and_touches_nobody_elses() -> None:
    table = clocked(20).wait(12)
    before = [(seat.seat, seat.until, seat.extra_ms) for seat in table.state.seats]
    table.do(GoOffline(3), GoOffline(1), ComeBack(1), ComeBack(3))
    assert [(seat.seat, seat.until, seat.extra_ms) for seat in table.state.seats] == before


def test_a_standstill_is_charged_to_nobody() -> None:
    """10 s into a turn everything stops for 60 s: the player still has his 20 s."""
    table = clocked(0).wait(10)
    table.wait(60).do(ShiftClock(60_000))
    assert table.seconds_left(1) == 20
    assert table.refusal(Expire()) is Code.NOT_DUE
    assert take(table, 20).seat(1).extra_ms == 0
    assert table.seconds_left(2) == 30


def test_a_standstill_moves_the_extra_time_and_the_deals_own_limit_too() -> None:
    table = dealt(JUNK, LOW, players=3, deal_terms=terms("g24_points"))
    before = table.state.time_limit
    extra = table.seat(1).extra_ms
    table.wait(45).do(ShiftClock(45_000))
    assert before is not None
    assert table.state.time_limit == before + 45_000
    assert take(table, 30).seat(1).extra_ms == extra


@pytest.mark.parametrize("by_ms", [0, -1, 366 * 24 * 3_600_000 + 1])
def test_a_clock_is_not_shifted_back_or_by_more_than_a_year(by_ms: int) -> None:
    assert clocked(0).refusal(ShiftClock(by_ms)) is Code.BAD_OPTION


def test_nobody_shifts_the_clock_of_a_deal_that_is_over() -> None:
    table = clocked(0)
    while not table.state.is_over:
        table.ring()
    assert table.refusal(ShiftClock(1000)) is Code.DEAL_OVER
