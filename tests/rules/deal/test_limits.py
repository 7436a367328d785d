"""Rule 5.10: after so many moves or minutes everybody declares and the fewest points win."""

from __future__ import annotations

import pytest

from tables.rules import events as ev
from tables.rules.commands import Arrange, Declare, Discard, DrawClosed, Drop, Expire, GoOffline
from tables.rules.errors import Code
from tables.rules.profiles import PROFILES
from tables.rules.results import Outcome
from tables.rules.state import Phase
from tests.rules.deal.table import JUNK, LOW, PARTLY, WIN, Table, dealt, groups, only, terms

WON = (0, Outcome.WON)


def at_limit(*hands: str, moves: int = 2, players: int = 0) -> Table:
    """Everybody has made his moves and is asked to declare."""
    table = dealt(*hands, players=players, deal_terms=terms("g24_points", max_moves=moves))
    table.pass_turns(moves * len(table.state.seats))
    assert table.phase is Phase.SHOW
    return table


def test_limits_are_those_of_the_profile() -> None:
    stated = {name: (p.max_moves, p.max_deal_seconds) for name, p in PROFILES.items()}
    assert stated.pop("g24_points") == (25, 1800)
    assert set(stated.values()) == {(60, None)}


def test_everybody_declares_when_all_have_made_their_last_move() -> None:
    table = dealt(JUNK, LOW, players=3, deal_terms=terms("g24_points")).pass_turns(74)
    assert (table.phase, table.to_move) == (Phase.DRAW, 3)
    table.pass_turns()
    assert only(ev.LimitReached, table.log).limit is ev.Limit.MOVES
    assert [seat.seat for seat in table.state.to_declare] == [1, 2, 3]
    assert table.state.deadline == table.now + 55_000
    assert table.refusal(DrawClosed(1)) is Code.NOT_YOUR_TURN


def test_missed_turn_is_a_move_used_up() -> None:
    table = dealt(JUNK, LOW, deal_terms=terms("g24_points", max_moves=2))
    for _ in range(4):
        table.ring()
    assert table.phase is Phase.SHOW


def test_fewest_points_win_and_the_winner_scores_none() -> None:
    table = at_limit(LOW, PARTLY, JUNK)
    table.do(Declare(2, groups(PARTLY)), Declare(3, ()), Declare(1, ()))
    assert table.scores == {1: (62, Outcome.LOST), 2: WON, 3: (80, Outcome.LOST)}
    assert only(ev.DealEnded, table.log).reason is ev.EndReason.LIMIT


def test_tie_goes_to_the_earlier_in_turn_order_whoever_declared_first() -> None:
    table = at_limit(JUNK, LOW, LOW)
    table.do(Declare(3, ()), Declare(2, ()), Declare(1, ()))
    assert table.scores == {1: (80, Outcome.LOST), 2: WON, 3: (62, Outcome.LOST)}


def test_complete_hands_win_before_all_others_and_the_later_of_two_counts_two() -> None:
    table = at_limit(LOW, WIN, WIN)
    for seat, shown in ((3, groups(WIN)), (2, groups(WIN)), (1, ())):
        table.do(Declare(seat, shown))
    assert table.scores == {1: (62, Outcome.LOST), 2: WON, 3: (2, Outcome.LOST)}


def test_badly_grouped_hand_at_a_limit_is_no_wrong_declaration() -> None:
    table = at_limit(JUNK, PARTLY)
    table.do(Declare(1, groups("KC QD JS")), Declare(2, groups(PARTLY)))
    assert table.scores == {1: (80, Outcome.LOST), 2: WON}


def test_who_is_out_with_fewer_points_does_not_win() -> None:
    table = dealt(JUNK, LOW, players=3, deal_terms=terms("g24_points", max_moves=1))
    table.pass_turns(2).do(Drop(3))
    assert table.phase is Phase.SHOW
    table.do(Declare(1, ()), Declare(2, ()))
    assert table.scores == {
        1: (80, Outcome.LOST),
        2: WON,
        3: (20, Outcome.FIRST_DROP),
    }


@pytest.mark.parametrize("online", [True, False])
def test_who_keeps_silent_has_declared_his_last_arrangement(online: bool) -> None:
    table = at_limit(PARTLY, LOW)
    table.do(Arrange(1, groups(PARTLY)), *([] if online else [GoOffline(1)]))
    table.ring()
    assert table.scores == {1: WON, 2: (62, Outcome.LOST)}


def test_after_thirty_minutes_everybody_declares_at_once() -> None:
    """Also in the middle of a turn: the drawn card goes to the open deck."""
    clocked = terms("g24_points", max_deal_seconds=60)
    table = dealt(JUNK, LOW, closed="2C 2S", deal_terms=clocked)
    table.wait(25).pass_turns()
    table.wait(25).do(DrawClosed(2))
    assert table.state.deadline == table.now + 10_000
    assert table.wait(9.999).refusal(Expire()) is Code.NOT_DUE
    happened = table.wait(0.001).do(Expire())
    assert only(ev.LimitReached, happened).limit is ev.Limit.TIME
    assert only(ev.CardDiscarded, happened).card == "2S"
    assert [seat.seat for seat in table.state.to_declare] == [1, 2]


def test_turn_that_would_begin_after_the_time_limit_does_not() -> None:
    """The alarm is late; the discard was in time by its own clock."""
    clocked = terms("g24_points", max_deal_seconds=60)
    table = dealt(JUNK, LOW, closed="2C 2S", deal_terms=clocked)
    table.wait(25).pass_turns().wait(33).do(DrawClosed(2))
    table.wait(3).do(Discard(2, "2S"))
    assert only(ev.LimitReached, table.log).limit is ev.Limit.TIME
    assert table.phase is Phase.SHOW


def test_finish_made_in_time_is_declared_after_the_time_limit() -> None:
    clocked = terms("g24_points", max_deal_seconds=60)
    table = dealt(WIN, LOW, deal_terms=clocked).wait(25).finish(1)
    assert table.wait(40).refusal(Expire()) is Code.NOT_DUE
    table.do(Declare(1, groups(WIN)))
    assert [seat.seat for seat in table.state.to_declare] == [2]


def test_wrong_declaration_after_the_time_limit_leads_to_the_show() -> None:
    clocked = terms("g24_points", max_deal_seconds=60)
    table = dealt(JUNK, LOW, players=3, deal_terms=clocked).wait(25).finish(1)
    table.wait(40).do(Declare(1, ()))
    assert table.phase is Phase.SHOW
    assert [seat.seat for seat in table.state.to_declare] == [2, 3]
