"""Rules 5.6 to 5.9: dropping, missing turns, leaving, and the last one left."""

from __future__ import annotations

import pytest

from tables.rules import events as ev
from tables.rules.commands import Discard, DrawClosed, DrawOpen, Drop, Expire, Leave
from tables.rules.deal import legal_commands
from tables.rules.errors import Code
from tables.rules.results import Outcome
from tables.rules.state import Phase
from tests.rules.deal.table import JUNK, LOW, WIN, Table, dealt, only, opened, terms

KNOCKOUT = terms("g24_knockout", drops=None)
DROPS = pytest.mark.parametrize(
    "drops", [(20, 40), (10, 30), (10, 20), (15, 30), (25, 50)], ids=str
)


# --- 5.6 drop --------------------------------------------------------------------------------


@DROPS
def test_drop_before_any_card_was_drawn_is_a_first_drop(drops: tuple[int, int]) -> None:
    table = dealt(JUNK, LOW, players=3, deal_terms=terms(drops=drops))
    out = only(ev.PlayerWentOut, table.do(Drop(1)))
    assert (out.outcome, out.points, out.cause) == (Outcome.FIRST_DROP, drops[0], ev.Cause.PLAYER)
    assert table.to_move == 2


@DROPS
def test_drop_after_a_card_was_drawn_is_a_middle_drop(drops: tuple[int, int]) -> None:
    table = dealt(JUNK, LOW, players=3, deal_terms=terms(drops=drops)).pass_turns(3)
    out = only(ev.PlayerWentOut, table.do(Drop(1)))
    assert (out.outcome, out.points) == (Outcome.MIDDLE_DROP, drops[1])


def test_card_taken_from_the_open_deck_makes_it_a_middle_drop_too() -> None:
    table = dealt(JUNK, LOW)
    table.do(DrawOpen(1), Discard(1, "KC"))
    table.pass_turns().do(Drop(1))
    assert table.scores == {1: (40, Outcome.MIDDLE_DROP), 2: (0, Outcome.WON)}


def test_missed_turn_without_a_draw_leaves_the_first_drop() -> None:
    table = dealt(JUNK, LOW, players=3)
    table.ring()
    table.pass_turns(2)
    assert only(ev.PlayerWentOut, table.do(Drop(1))).outcome is Outcome.FIRST_DROP


def test_drop_is_for_the_own_turn_before_drawing_only() -> None:
    table = dealt(JUNK, LOW)
    assert table.refusal(Drop(2)) is Code.NOT_YOUR_TURN
    table.do(DrawClosed(1))
    assert table.refusal(Drop(1)) is Code.ALREADY_DRAWN


@pytest.mark.parametrize("without", ["format", "seat"])
def test_without_a_drop_left_nobody_can_drop(without: str) -> None:
    if without == "format":
        table = dealt(JUNK, LOW, deal_terms=terms(drops=None))
    else:
        table = dealt(JUNK, LOW, no_drop=(1,))
    assert table.refusal(Drop(1)) is Code.NO_DROP
    assert Drop(1) not in legal_commands(table.state, 1)
    table.pass_turns()
    assert (Drop(2) in legal_commands(table.state, 2)) is (without == "seat")


def test_cards_of_a_player_who_dropped_stay_out_of_play_and_he_is_passed_over() -> None:
    table = dealt(JUNK, LOW, players=3, closed="2C 2S 3H 3S")
    table.do(Drop(1))
    table.pass_turns(2)
    assert table.to_move == 2
    assert table.seat(1).hand == dealt(JUNK).seat(1).hand
    assert table.refusal(DrawClosed(1)) is Code.OUT_OF_DEAL


# --- 5.7 missed turns ------------------------------------------------------------------------


def miss(table: Table, seat: int) -> Table:
    """Let the seat miss a turn; everybody else plays on until it is to move."""
    while table.to_move != seat:
        table.pass_turns()
    table.ring()
    return table


def test_turn_not_completed_in_time_is_missed_and_the_next_seat_moves() -> None:
    table = dealt(JUNK, LOW, players=3)
    happened = table.ring()
    assert only(ev.TurnMissed, happened).seat == 1
    assert table.to_move == 2
    assert table.state.open == ("9H",)


@pytest.mark.parametrize("draw", [DrawClosed, DrawOpen])
def test_card_drawn_in_a_missed_turn_is_discarded_for_the_player(
    draw: type[DrawClosed] | type[DrawOpen],
) -> None:
    """Also the one taken from the open deck, which he could not have discarded himself."""
    table = dealt(JUNK, LOW, closed="2C")
    before = table.seat(1).hand
    drawn = only(ev.CardDrawn, table.do(draw(1))).card
    forced = only(ev.CardDiscarded, table.ring())
    assert (forced.card, forced.forced) == (drawn, True)
    assert (table.seat(1).hand, table.state.open_top) == (before, drawn)


def test_third_consecutive_miss_is_a_middle_drop_even_without_a_card_drawn() -> None:
    table = dealt(JUNK, LOW, players=3)
    miss(miss(table, 1), 1)
    assert table.seat(1).is_in
    out = only(ev.PlayerWentOut, miss(table, 1).log)
    assert (out.seat, out.outcome, out.points) == (1, Outcome.MIDDLE_DROP, 40)
    assert out.cause is ev.Cause.MISSED_TURNS
    assert table.to_move == 2


def test_misses_count_also_when_a_card_was_drawn_each_time() -> None:
    table = dealt(JUNK, LOW, players=3)
    for missed in (1, 2, 3):
        assert table.to_move == 1
        table.do(DrawClosed(1))
        table.ring()
        assert table.seat(1).misses == missed
        table.pass_turns(2)
    assert table.seat(1).outcome is Outcome.MIDDLE_DROP


def test_turn_completed_in_between_starts_the_count_anew() -> None:
    table = dealt(JUNK, LOW, players=3)
    miss(miss(table, 1), 1).pass_turns(3)
    miss(miss(table, 1), 1)
    assert table.seat(1).is_in
    assert not miss(table, 1).seat(1).is_in


def test_three_misses_where_no_drop_exists_count_the_whole_hand() -> None:
    table = dealt(LOW, JUNK, deal_terms=terms(drops=None))
    miss(miss(miss(table, 1), 1), 1)
    assert table.scores == {1: (62, Outcome.FULL_COUNT), 2: (0, Outcome.WON)}


def test_three_misses_count_at_most_eighty() -> None:
    table = dealt(JUNK, LOW, deal_terms=terms(drops=None))
    miss(miss(miss(table, 1), 1), 1)
    assert table.scores[1] == (80, Outcome.FULL_COUNT)


def test_three_misses_in_a_knockout_end_the_deal_with_all_cards_counted() -> None:
    table = dealt(JUNK, WIN, deal_terms=KNOCKOUT)
    miss(miss(miss(table, 1), 1), 1)
    assert table.scores == {1: (109, Outcome.FULL_COUNT), 2: (0, Outcome.WON)}


def test_alarm_that_rings_twice_or_late_is_one_miss() -> None:
    table = dealt(JUNK, LOW, players=3)
    table.ring()
    assert table.refusal(Expire()) is Code.NOT_DUE
    assert table.seat(1).misses == 1


# --- 5.8 leaving -----------------------------------------------------------------------------


def test_leaving_before_a_card_was_drawn_is_a_first_drop() -> None:
    """On the own turn or on another's."""
    for seat, next_to_move in ((1, 2), (3, 1)):
        table = dealt(JUNK, LOW, players=3)
        out = only(ev.PlayerWentOut, table.do(Leave(seat)))
        assert (out.outcome, out.points) == (Outcome.FIRST_DROP, 20)
        assert (out.cause, table.to_move) == (ev.Cause.LEFT, next_to_move)


def test_leaving_after_a_card_was_drawn_is_a_middle_drop() -> None:
    table = dealt(JUNK, LOW, players=3).pass_turns(2)
    assert only(ev.PlayerWentOut, table.do(Leave(1))).outcome is Outcome.MIDDLE_DROP


@pytest.mark.parametrize("draw", [DrawClosed, DrawOpen])
def test_leaving_between_draw_and_discard_leaves_thirteen_cards(
    draw: type[DrawClosed] | type[DrawOpen],
) -> None:
    table = dealt(JUNK, LOW, players=3, closed="2C")
    drawn = only(ev.CardDrawn, table.do(draw(1))).card
    table.do(Leave(1))
    assert table.state.open_top == drawn
    assert (table.seat(1).points, table.to_move) == (40, 2)


def test_another_player_leaving_does_not_touch_the_running_turn() -> None:
    table = dealt(JUNK, LOW, players=3)
    table.do(DrawClosed(1))
    table.wait(12).do(Leave(2))
    assert (table.to_move, table.phase, table.seconds_left(1)) == (1, Phase.DISCARD, 28)
    assert table.do(Discard(1, "KC"))[-1].at == table.now
    assert table.to_move == 3


def test_leaving_where_no_drop_exists_counts_the_whole_hand() -> None:
    table = dealt(LOW, JUNK, JUNK.replace("QS", "2C"), deal_terms=terms(drops=None))
    table.do(Leave(1), Leave(2))
    assert table.scores == {1: (62, Outcome.LEFT), 2: (80, Outcome.LEFT), 3: (0, Outcome.WON)}


def test_player_without_a_drop_left_still_pays_the_drop_when_he_leaves() -> None:
    table = dealt(JUNK, LOW, players=3, no_drop=(1,))
    assert only(ev.PlayerWentOut, table.do(Leave(1))).points == 20


@pytest.mark.parametrize("way", [Drop, Leave])
def test_who_is_out_cannot_go_out_again(way: type[Drop] | type[Leave]) -> None:
    table = dealt(JUNK, LOW, players=3)
    table.do(Drop(1))
    assert table.refusal(way(1)) is Code.OUT_OF_DEAL


# --- 5.9 the last one ------------------------------------------------------------------------


def test_last_player_left_wins_at_once_though_it_is_not_his_turn() -> None:
    table = dealt(JUNK, LOW, WIN)
    table.do(Drop(1), Leave(3))
    assert table.scores == {
        1: (20, Outcome.FIRST_DROP),
        2: (0, Outcome.WON),
        3: (20, Outcome.FIRST_DROP),
    }
    ended = only(ev.DealEnded, table.log)
    assert (ended.reason, table.state.deadline) == (ev.EndReason.LAST_PLAYER, None)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_when_all_drop_the_last_to_remain_wins(players: int) -> None:
    table = dealt(players=players)
    for seat in range(1, players):
        table.do(Drop(seat))
    assert table.state.result is not None
    assert table.state.result.winner == players
    assert table.refusal(Drop(players)) is Code.DEAL_OVER


@pytest.mark.parametrize("players", [2, 6])
def test_when_all_are_on_auto_drop_the_last_in_turn_wins(players: int) -> None:
    table = opened(players, auto_drop=tuple(range(1, players + 1)))
    assert table.scores == {
        **dict.fromkeys(range(1, players), (20, Outcome.FIRST_DROP)),
        players: (0, Outcome.WON),
    }
