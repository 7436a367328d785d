"""Rules 5.12 and 5.13: players who are away, played for or dropped, and how they come back."""

from __future__ import annotations

import pytest

from tables.rules import events as ev
from tables.rules.commands import (
    Arrange,
    ComeBack,
    Declare,
    Discard,
    DrawClosed,
    DrawOpen,
    Expire,
    Finish,
    GoOffline,
    SetAutoDrop,
)
from tables.rules.errors import Code
from tables.rules.results import Outcome
from tables.rules.state import Phase
from tables.rules.terms import ClockTerms, DealTerms
from tests.rules.deal.table import JUNK, LOW, WIN, Table, dealt, groups, only, opened, terms

AUTO = terms("classic_rummy")
AUTO_NO_DROP = terms("classic_rummy", drops=None)
WON = (0, Outcome.WON)


def away(seat: int = 1, *hands: str, players: int = 3, deal_terms: DealTerms = AUTO) -> Table:
    """Everybody has drawn once; this seat is cut off and its turn has just begun."""
    table = dealt(*(hands or (JUNK, LOW)), players=players, deal_terms=deal_terms)
    table.pass_turns(players + seat).do(GoOffline(seat))
    while table.to_move != seat:
        table.pass_turns()
    return table


# --- auto play -------------------------------------------------------------------------------


def test_absent_player_draws_from_the_closed_deck_and_discards_that_card() -> None:
    table = away()
    before, top = table.seat(1).hand, table.state.closed[0]
    assert table.seconds_left(1) == 1
    happened = table.ring()
    assert (only(ev.CardDrawn, happened).deck, only(ev.CardDrawn, happened).card) == (
        ev.Deck.CLOSED,
        top,
    )
    assert only(ev.CardDiscarded, happened).card == top
    assert (table.seat(1).hand, table.to_move) == (before, 2)
    assert not [event for event in happened if isinstance(event, ev.TurnMissed)]


def test_auto_play_lasts_for_the_rest_of_the_deal() -> None:
    table = away(players=2)
    for _ in range(40):
        table.ring()
        table.pass_turns()
    assert table.seat(1).is_in
    assert table.seat(1).misses == 0


def test_auto_play_may_be_limited_to_some_turns_after_which_turns_are_missed() -> None:
    table = away(deal_terms=terms("classic_rummy", auto_play_turns=2))
    for _ in range(2):
        table.ring()
        table.pass_turns(2)
    assert table.seconds_left(1) == 40
    for _ in range(3):
        assert table.seat(1).is_in
        assert only(ev.TurnMissed, table.ring()).seat == 1
        table.pass_turns(2)
    assert table.seat(1).outcome is Outcome.MIDDLE_DROP


def test_player_cut_off_in_his_turn_keeps_its_time_and_is_played_for_then() -> None:
    table = dealt(JUNK, LOW, deal_terms=AUTO, players=3).pass_turns(3).wait(12)
    table.do(DrawOpen(1), GoOffline(1))
    assert table.seconds_left(1) == 28
    taken = table.state.taken
    happened = table.ring()
    assert only(ev.CardDiscarded, happened).card == taken
    assert not [event for event in happened if isinstance(event, ev.TurnMissed)]


def test_profiles_without_auto_play_let_the_turns_be_missed() -> None:
    table = away(deal_terms=terms("g24_pool"))
    assert table.seconds_left(1) == 40
    assert only(ev.TurnMissed, table.ring()).seat == 1


@pytest.mark.parametrize("arranged", [True, False])
def test_show_while_auto_playing_counts_the_whole_hand(arranged: bool) -> None:
    """His last saved groups, even a complete hand, do not help."""
    table = dealt(WIN, WIN, LOW, deal_terms=AUTO).pass_turns(3)
    table.do(*([Arrange(1, groups(WIN))] if arranged else []), GoOffline(1))
    table.ring()
    table.show(2).do(Declare(3, ()))
    table.ring()
    assert table.scores == {1: (80, Outcome.FULL_COUNT), 2: WON, 3: (62, Outcome.LOST)}


def test_player_back_in_time_declares_himself() -> None:
    table = dealt(JUNK, WIN, deal_terms=AUTO).pass_turns(2)
    table.do(GoOffline(1))
    table.ring()
    table.show(2).do(ComeBack(1), Declare(1, ()))
    assert table.scores[1] == (80, Outcome.LOST)


def test_finisher_of_an_auto_play_profile_who_is_cut_off_and_late_declared_wrongly() -> None:
    table = dealt(WIN, LOW, players=3, deal_terms=AUTO).finish(1)
    table.do(Arrange(1, groups(WIN)), GoOffline(1))
    table.ring()
    assert table.seat(1).outcome is Outcome.WRONG_DECLARATION


def test_offline_when_the_deal_starts_is_a_first_drop_at_the_first_turn() -> None:
    table = opened(3, deal_terms=AUTO, offline=(1, 3))
    assert only(ev.PlayerWentOut, table.log).cause is ev.Cause.OFFLINE
    assert (table.seat(1).points, table.to_move) == (20, 2)
    table.pass_turns()
    assert table.scores == {1: (20, Outcome.FIRST_DROP), 2: WON, 3: (20, Outcome.FIRST_DROP)}


def test_offline_before_the_first_card_is_a_first_drop_when_the_turn_comes() -> None:
    table = dealt(JUNK, LOW, players=3, deal_terms=AUTO)
    table.do(GoOffline(2))
    table.pass_turns()
    assert (table.seat(2).points, table.to_move) == (20, 3)


def test_cut_off_in_the_first_turn_before_drawing_is_a_first_drop_when_time_is_up() -> None:
    table = dealt(JUNK, LOW, players=3, deal_terms=AUTO)
    table.do(GoOffline(1))
    assert table.to_move == 1
    table.ring()
    assert (table.seat(1).outcome, table.to_move) == (Outcome.FIRST_DROP, 2)


def test_back_before_the_first_turn_plays_as_if_nothing_was() -> None:
    table = dealt(JUNK, LOW, players=3, deal_terms=AUTO)
    table.do(GoOffline(2), ComeBack(2))
    table.pass_turns()
    assert (table.to_move, table.seconds_left(2)) == (2, 40)


def test_deal_show_before_the_absent_players_first_turn_counts_his_whole_hand() -> None:
    table = dealt(WIN, LOW, JUNK, deal_terms=AUTO)
    table.do(GoOffline(2))
    table.show(1).do(Declare(3, ()))
    table.ring()
    assert table.scores == {1: WON, 2: (62, Outcome.FULL_COUNT), 3: (80, Outcome.LOST)}


def test_where_no_drop_exists_auto_play_begins_without_a_first_card() -> None:
    table = opened(3, deal_terms=AUTO_NO_DROP, offline=(1,))
    assert table.to_move == 1
    table.ring()
    assert table.seat(1).is_in
    assert table.state.discards[-1][0] == 1


# --- coming back -----------------------------------------------------------------------------


def test_coming_back_in_time_gives_the_move_back_with_its_full_time() -> None:
    table = away().wait(0.9)
    table.do(ComeBack(1))
    assert table.seconds_left(1) == 40
    table.do(DrawClosed(1), Discard(1, "KC"))
    assert table.to_move == 2


def test_coming_back_after_the_move_was_made_is_for_the_next_turn() -> None:
    table = away()
    table.ring()
    table.do(ComeBack(1))
    assert table.pass_turns(2).seconds_left(1) == 40


@pytest.mark.parametrize(
    "clock",
    [
        ClockTerms(),
        ClockTerms(extra_seconds=0),
        ClockTerms(turn_seconds=1, extra_seconds=0),
        ClockTerms(turn_seconds=20, extra_seconds=10, auto_move_seconds=30),
        ClockTerms(turn_seconds=5, declare_seconds=1, extra_seconds=0),
    ],
)
def test_cutting_and_restoring_the_connection_never_gains_time(clock: ClockTerms) -> None:
    table = away(1, WIN, LOW, deal_terms=terms("classic_rummy", clock=clock))
    table.do(ComeBack(1))
    for play in ((), (DrawClosed(1),)):
        table.do(*play)
        _toggle(table)
    drawn = table.state.drawn
    assert drawn is not None
    table.do(Finish(1, drawn))
    _toggle(table)
    table.do(Declare(1, groups(WIN)))
    assert table.seat(1).until is None


def _toggle(table: Table) -> None:
    before = table.seat(1).until
    for _ in range(3):
        table.wait(0.1).do(GoOffline(1), ComeBack(1))
        assert table.seat(1).until == before


def test_going_and_coming_twice_is_refused() -> None:
    table = dealt(JUNK, LOW)
    assert table.refusal(ComeBack(1)) is Code.ALREADY_SO
    table.do(GoOffline(1))
    assert table.refusal(GoOffline(1)) is Code.ALREADY_SO


# --- auto drop -------------------------------------------------------------------------------


def test_auto_drop_takes_the_first_drop_of_the_deal_at_the_first_turn_at_once() -> None:
    table = opened(3, deal_terms=terms(drops=(25, 50)), auto_drop=(1, 2))
    out = [event for event in table.log if isinstance(event, ev.PlayerWentOut)]
    assert [(e.seat, e.points, e.cause) for e in out] == [
        (1, 25, ev.Cause.AUTO_DROP),
        (2, 25, ev.Cause.AUTO_DROP),
    ]
    assert table.scores[3] == WON


def test_auto_drop_switched_on_in_a_deal_is_for_the_following_ones() -> None:
    table = dealt(JUNK, LOW, players=3)
    table.do(SetAutoDrop(2, True), SetAutoDrop(1, True))
    table.pass_turns(2)
    assert table.seat(1).is_in
    assert table.seat(2).is_in
    assert (table.seat(1).auto_drop, table.seat(3).auto_drop) == (True, False)


@pytest.mark.parametrize("back", [ComeBack(3), SetAutoDrop(3, False)])
def test_back_before_the_first_turn_ends_auto_drop(back: ComeBack | SetAutoDrop) -> None:
    table = dealt(JUNK, LOW, players=3, auto_drop=(3,))
    table.do(back)
    assert table.pass_turns(2).to_move == 3
    assert not table.seat(3).auto_drop


def test_back_after_the_drop_does_not_undo_it() -> None:
    table = opened(4, auto_drop=(1,))
    table.do(ComeBack(1))
    assert (table.seat(1).points, table.seat(1).auto_drop) == (20, False)


def test_on_again_after_being_back_is_for_the_following_deals() -> None:
    table = dealt(JUNK, LOW, players=3, auto_drop=(3,))
    table.do(ComeBack(3), SetAutoDrop(3, True))
    assert table.pass_turns(2).to_move == 3


def test_show_before_the_first_turn_of_a_player_on_auto_drop_costs_him_the_first_drop() -> None:
    """He gets the first drop in every deal until he is back, so in this one too."""
    table = dealt(WIN, LOW, JUNK, auto_drop=(3,)).show(1)
    assert (table.seat(3).points, table.seat(3).outcome) == (20, Outcome.FIRST_DROP)
    assert [seat.seat for seat in table.state.to_declare] == [2]
    table.do(Declare(2, ()))
    assert table.scores == {1: WON, 2: (62, Outcome.LOST), 3: (20, Outcome.FIRST_DROP)}


def test_finisher_wins_at_once_when_all_others_are_on_auto_drop() -> None:
    table = dealt(WIN, LOW, JUNK, auto_drop=(2, 3)).show(1)
    assert table.scores == {
        1: WON,
        2: (20, Outcome.FIRST_DROP),
        3: (20, Outcome.FIRST_DROP),
    }


def test_auto_drop_does_not_act_after_a_first_turn_that_was_played() -> None:
    table = dealt(JUNK, LOW, players=3)
    table.do(SetAutoDrop(1, True))
    assert table.pass_turns(3).to_move == 1
    assert table.seat(1).is_in


def test_auto_drop_is_refused_where_no_drop_exists_and_when_it_is_so_already() -> None:
    assert dealt(JUNK, LOW, deal_terms=AUTO_NO_DROP).refusal(SetAutoDrop(1, True)) is Code.NO_DROP
    assert dealt(JUNK, LOW).refusal(SetAutoDrop(1, False)) is Code.ALREADY_SO


@pytest.mark.parametrize("phase", [Phase.FINISH, Phase.SHOW])
def test_auto_drop_may_be_switched_at_any_time(phase: Phase) -> None:
    table = dealt(WIN, LOW, players=3)
    if phase is Phase.FINISH:
        table.finish(1)
    else:
        table.show(1)
    table.do(SetAutoDrop(1, True), SetAutoDrop(2, True))
    assert table.phase is phase
    assert table.refusal(Expire()) is Code.NOT_DUE
