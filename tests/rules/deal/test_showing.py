"""Rules 3 and 4 in a deal: finishing, declaring, wrong declarations and what the losers count."""

from __future__ import annotations

import pytest

from tables.rules import events as ev
from tables.rules.commands import Arrange, Declare, Discard, DrawClosed, Finish, GoOffline, Leave
from tables.rules.errors import Code
from tables.rules.results import Outcome
from tables.rules.state import Phase
from tests.rules.deal.table import JUNK, LOW, PARTLY, WIN, cards, dealt, groups, only, terms

KNOCKOUT = terms("g24_knockout", drops=None)
WON = (0, Outcome.WON)


def test_fourteenth_card_goes_to_the_finish_slot_and_the_turn_is_over() -> None:
    table = dealt(WIN, JUNK, closed="7D")
    table.do(DrawClosed(1), Finish(1, "7D"))
    assert (table.phase, table.state.finish_slot) == (Phase.FINISH, "7D")
    assert table.seat(1).hand == cards(WIN)
    assert table.state.open == ("9H",)
    assert table.refusal(Discard(1, "KS")) is Code.NOT_YOUR_TURN


def test_others_cannot_declare_before_the_finisher() -> None:
    table = dealt(WIN, PARTLY).finish(1)
    assert table.refusal(Declare(2, groups(PARTLY))) is Code.WAIT_FOR_FINISHER


def test_valid_declaration_opens_the_show_for_everybody_else() -> None:
    table = dealt(WIN, PARTLY, players=3).show(1)
    assert table.phase is Phase.SHOW
    assert [seat.seat for seat in table.state.to_declare] == [2, 3]
    assert table.refusal(Declare(1, groups(WIN))) is Code.ALREADY_DECLARED


def test_losers_count_the_groups_they_declare() -> None:
    table = dealt(WIN, PARTLY, LOW).show(1)
    table.do(Declare(2, groups(PARTLY)), Declare(3, ()))
    assert table.scores == {1: WON, 2: (45, Outcome.LOST), 3: (62, Outcome.LOST)}
    assert only(ev.DealEnded, table.log).reason is ev.EndReason.DECLARED


def test_who_dropped_before_the_show_keeps_his_drop() -> None:
    table = dealt(JUNK, WIN, LOW)
    table.do(Leave(1))
    table.show(2).do(Declare(3, ()))
    assert table.scores == {1: (20, Outcome.FIRST_DROP), 2: WON, 3: (62, Outcome.LOST)}


def test_complete_hand_that_was_not_first_counts_two() -> None:
    table = dealt(WIN, WIN).show(1)
    table.do(Declare(2, groups(WIN)))
    assert table.scores == {1: WON, 2: (2, Outcome.LOST)}


def test_complete_hand_declared_in_bad_groups_does_not_count_two() -> None:
    """What counts are the groups he declared, not the best ones he could have."""
    table = dealt(WIN, WIN).show(1)
    table.do(Declare(2, groups("2S 3S 4S | 5H 6H 7H | 8H 9C TC | JC KS KH KD")))
    assert table.scores[2] == (67, Outcome.LOST)


@pytest.mark.parametrize(
    ("declared", "points"),
    [
        ("KC | QD | JS | TD | 9S | 8C | 7D | 6C | 5S | 4D | QH | JH | QS", 80),
        (PARTLY, 80),
        ("4C 5C 6C | 9D TD JD QD | KC | QH | 8S | 7D | 5S | 3C", 43),
    ],
)
def test_octro_counts_a_flat_eighty_unless_two_runs_lie_there_one_of_four(
    declared: str, points: int
) -> None:
    table = dealt(WIN, declared, deal_terms=terms("octro")).show(1)
    table.do(Declare(2, groups(declared)))
    assert table.scores[2] == (points, Outcome.LOST)


def test_octro_counts_a_flat_eighty_for_few_points_too() -> None:
    """The twos and threes here would count 30 under any other profile."""
    low = "AS AC AH 2D 2H 2C 3D 3H 3C 2S 3S AD 4D"
    table = dealt(WIN, low, wild="KH", deal_terms=terms("octro", cap=80)).show(1)
    table.do(Declare(2, ()))
    assert table.scores[2] == (80, Outcome.LOST)


# --- wrong declarations ----------------------------------------------------------------------


def test_wrong_declaration_costs_eighty_and_the_deal_goes_on() -> None:
    table = dealt(JUNK, WIN, LOW, closed="2C").show(1, "KC QD JS")
    assert (table.seat(1).points, table.seat(1).outcome) == (80, Outcome.WRONG_DECLARATION)
    assert (table.phase, table.to_move) == (Phase.DRAW, 2)
    assert table.state.open == ("9H", "2C")
    assert (table.state.finish_slot, table.state.finisher) == (None, None)
    assert table.seat(1).hand == cards(JUNK)
    table.show(2).do(Declare(3, ()))
    assert table.scores == {
        1: (80, Outcome.WRONG_DECLARATION),
        2: WON,
        3: (62, Outcome.LOST),
    }


def test_next_player_may_take_the_card_that_was_finished_wrongly() -> None:
    table = dealt(JUNK, LOW, players=3, closed="2C").show(1, "KC QD JS")
    assert table.state.may_take_open
    assert table.state.discards == ((1, "2C"),)


def test_wrong_declaration_costs_what_the_format_says() -> None:
    table = dealt(JUNK, LOW, players=3, deal_terms=terms(wrong=60)).show(1, "KC QD JS")
    assert table.seat(1).points == 60


def test_complete_hand_declared_in_wrong_groups_is_a_wrong_declaration() -> None:
    table = dealt(WIN, LOW).show(1, "2S 3S 4S | 5H 6H 7H | 8H 9C TC | JC KS KH KD")
    assert table.scores == {1: (80, Outcome.WRONG_DECLARATION), 2: WON}


def test_hand_with_a_loose_card_is_a_wrong_declaration() -> None:
    table = dealt(WIN, LOW).show(1, WIN.replace(" 8H", ""))
    assert table.scores[1] == (80, Outcome.WRONG_DECLARATION)


def test_with_one_player_left_after_a_wrong_declaration_he_wins() -> None:
    table = dealt(JUNK, LOW).show(1, "KC QD JS")
    assert table.scores == {1: (80, Outcome.WRONG_DECLARATION), 2: WON}
    assert only(ev.DealEnded, table.log).reason is ev.EndReason.LAST_PLAYER


def test_wrong_declarer_of_a_knockout_counts_all_his_cards_pure_sequence_or_not() -> None:
    table = dealt(WIN, JUNK, deal_terms=KNOCKOUT).show(1, WIN.replace(" 8H", ""))
    assert table.scores == {1: (94, Outcome.WRONG_DECLARATION), 2: WON}


# --- the time to declare ---------------------------------------------------------------------


def test_connected_finisher_who_lets_the_time_pass_made_a_wrong_declaration() -> None:
    """Even though the arrangement on his screen is complete."""
    table = dealt(WIN, LOW, players=3).finish(1)
    table.do(Arrange(1, groups(WIN)))
    table.ring()
    assert (table.seat(1).points, table.seat(1).outcome) == (80, Outcome.WRONG_DECLARATION)
    assert table.to_move == 2


def test_connected_finisher_of_a_knockout_who_is_late_counts_all_his_cards() -> None:
    table = dealt(WIN, LOW, deal_terms=KNOCKOUT, open_card="9D").finish(1)
    table.ring()
    assert table.scores == {1: (94, Outcome.WRONG_DECLARATION), 2: WON}


def test_finisher_cut_off_is_taken_to_have_declared_his_last_arrangement() -> None:
    table = dealt(WIN, LOW, players=3, deal_terms=terms("g24_pool"))
    table.do(Arrange(1, groups(WIN)))
    table.finish(1).do(GoOffline(1))
    table.ring()
    assert table.phase is Phase.SHOW
    assert table.seat(1).declared == groups(WIN)


def test_finisher_cut_off_without_a_complete_arrangement_declared_wrongly() -> None:
    table = dealt(WIN, LOW, players=3, deal_terms=terms("g24_pool")).finish(1)
    table.do(Arrange(1, groups("2S 3S 4S")), GoOffline(1))
    table.ring()
    assert table.seat(1).outcome is Outcome.WRONG_DECLARATION


def test_finisher_who_leaves_is_taken_to_have_declared_his_last_arrangement() -> None:
    table = dealt(WIN, LOW, players=3)
    table.do(Arrange(1, groups(WIN)))
    table.finish(1).do(Leave(1))
    assert table.phase is Phase.SHOW


@pytest.mark.parametrize("online", [True, False])
def test_late_player_is_taken_to_have_declared_his_last_arrangement(online: bool) -> None:
    table = dealt(WIN, PARTLY).show(1)
    table.do(Arrange(2, groups(PARTLY)), *([] if online else [GoOffline(2)]))
    table.ring()
    assert table.scores == {1: WON, 2: (45, Outcome.LOST)}


def test_late_player_of_a_knockout_counts_all_his_cards_unless_he_is_cut_off() -> None:
    partly = PARTLY.replace("4C 5C 6C", "4D 5D 6D")
    for online, points in ((True, 89), (False, 45)):
        table = dealt(WIN, partly, deal_terms=KNOCKOUT).show(1)
        table.do(Arrange(2, groups(partly)), *([] if online else [GoOffline(2)]))
        table.ring()
        assert table.scores[2][0] == points


def test_card_discarded_since_is_taken_out_of_the_arrangement() -> None:
    table = dealt(PARTLY, WIN, closed="2C 7C")
    table.do(Arrange(1, groups(PARTLY)), DrawClosed(1), Discard(1, "KC"))
    table.show(2)
    table.ring()
    assert table.seat(1).declared == groups(PARTLY.replace("KC | ", ""))
    assert table.scores[1] == (37, Outcome.LOST)


# --- leaving while hands are declared --------------------------------------------------------


def test_player_who_leaves_while_the_finisher_declares_goes_out_as_from_a_turn() -> None:
    table = dealt(WIN, PARTLY, LOW).finish(1)
    table.do(Leave(2))
    assert (table.seat(2).points, table.phase) == (20, Phase.FINISH)
    table.do(Declare(1, groups(WIN)), Declare(3, ()))
    assert table.scores == {1: WON, 2: (20, Outcome.FIRST_DROP), 3: (62, Outcome.LOST)}


def test_finisher_whom_all_others_leave_wins() -> None:
    table = dealt(JUNK, LOW).finish(1)
    table.do(Leave(2))
    assert table.scores == {1: WON, 2: (20, Outcome.FIRST_DROP)}


def test_player_who_leaves_in_the_show_is_taken_to_have_declared_his_arrangement() -> None:
    table = dealt(WIN, PARTLY, LOW).show(1)
    table.do(Arrange(2, groups(PARTLY)), Leave(2), Declare(3, ()))
    assert table.scores[2][0] == 45


# --- what may be declared --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        ((("KC", "KC"),), Code.NOT_YOUR_CARDS),
        ((("2S", "3S", "4S"),), Code.NOT_YOUR_CARDS),
        ((("KC",), ("QD", "KC")), Code.NOT_YOUR_CARDS),
        (((),), Code.WRONG_CARD_COUNT),
        ((("KC",),) * 14, Code.WRONG_CARD_COUNT),
        ((("??",),), Code.BAD_CARD),
        ((("X" * 1_000_000,),), Code.BAD_CARD),
    ],
)
def test_groups_of_other_cards_than_the_hand_are_refused(
    shown: tuple[tuple[str, ...], ...], code: Code
) -> None:
    table = dealt(JUNK, LOW).finish(1)
    for command in (Declare(1, shown), Arrange(1, shown)):
        assert table.refusal(command) is code


def test_arranging_is_for_everybody_in_at_any_time_until_he_declared() -> None:
    table = dealt(WIN, PARTLY, players=3)
    table.do(Arrange(2, groups(PARTLY)), Arrange(1, groups(WIN)))
    table.do(DrawClosed(1), Arrange(1, groups(WIN)))
    assert table.state.drawn is not None
    table.do(Finish(1, table.state.drawn), Arrange(2, ()), Declare(1, groups(WIN)))
    assert table.refusal(Arrange(1, ())) is Code.ALREADY_DECLARED
    table.do(Arrange(2, groups(PARTLY)), Declare(2, ()))
    assert table.refusal(Arrange(2, ())) is Code.ALREADY_DECLARED


def test_everything_is_laid_open_at_the_end() -> None:
    table = dealt(WIN, PARTLY, deal_terms=terms()).show(1)
    table.do(Declare(2, groups(PARTLY)))
    ended = only(ev.DealEnded, table.log)
    assert [(r.seat, r.hand) for r in ended.revealed] == [(1, cards(WIN)), (2, cards(PARTLY))]
    assert ended.closed == table.state.closed
    assert ended.secret == table.state.secret != ""
