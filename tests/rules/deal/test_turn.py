"""Rules 5.3 and 5.4: draw, then discard; and who may take a joker from the open deck."""

from __future__ import annotations

import pytest

from tables.rules.cards import is_joker
from tables.rules.commands import Discard, DrawClosed, DrawOpen, Drop, Finish
from tables.rules.deal import legal_commands
from tables.rules.errors import Code
from tables.rules.state import Phase
from tests.rules.deal.table import JUNK, LOW, Table, cards, dealt, opened, terms


def test_turn_is_a_draw_then_a_discard_then_the_next_seat() -> None:
    table = dealt(JUNK, LOW, players=3, closed="2C 2S")
    table.do(DrawClosed(1))
    assert table.seat(1).hand == (*cards(JUNK), "2C")
    table.do(Discard(1, "KC"))
    assert " ".join(table.state.open) == "9H KC"
    assert (table.to_move, table.phase) == (2, Phase.DRAW)
    table.do(DrawOpen(2))
    assert " ".join(table.state.open) == "9H"
    assert table.seat(2).hand == (*cards(LOW), "KC")
    table.do(Discard(2, "2D")).clear()
    assert table.pass_turns().to_move == 1


def test_second_draw_and_discard_before_a_draw_are_refused() -> None:
    table = dealt(JUNK)
    for early in (Discard(1, "KC"), Finish(1, "KC")):
        assert table.refusal(early) is Code.DRAW_FIRST
    table.do(DrawClosed(1))
    for late in (DrawClosed(1), DrawOpen(1), Drop(1)):
        assert table.refusal(late) is Code.ALREADY_DRAWN


@pytest.mark.parametrize("play", [Discard, Finish])
def test_only_a_card_of_the_own_hand_can_be_played(play: type[Discard] | type[Finish]) -> None:
    table = dealt(JUNK, LOW, closed="2C")
    table.do(DrawClosed(1))
    assert table.refusal(play(1, "2H")) is Code.CARD_NOT_IN_HAND


@pytest.mark.parametrize("text", ["??", "", "1H", "kc", "X" * 1_000_000])
def test_text_that_is_no_card_is_refused_as_such_and_not_echoed_at_length(text: str) -> None:
    table = dealt(JUNK, closed="2C")
    table.do(DrawClosed(1))
    for play in (Discard(1, text), Finish(1, text)):
        assert table.refusal(play) is Code.BAD_CARD


def test_card_drawn_from_the_closed_deck_may_be_discarded_at_once() -> None:
    table = dealt(JUNK, closed="2C")
    table.do(DrawClosed(1), Discard(1, "2C"))
    assert table.state.open_top == "2C"


def test_card_taken_from_the_open_deck_may_not_be_discarded_on_the_same_turn() -> None:
    table = dealt(JUNK)
    table.do(DrawOpen(1))
    assert table.refusal(Discard(1, "9H")) is Code.JUST_TAKEN
    table.do(Discard(1, "KC")).clear()
    table.pass_turns().do(DrawClosed(1), Discard(1, "9H"))


def test_twin_of_the_taken_card_may_be_discarded() -> None:
    table = dealt(JUNK, open_card="9S")
    table.do(DrawOpen(1), Discard(1, "9S"))
    assert table.seat(1).hand.count("9S") == 1


def test_taken_card_may_go_into_the_finish_slot() -> None:
    table = dealt(JUNK)
    table.do(DrawOpen(1), Finish(1, "9H"))
    assert table.state.finish_slot == "9H"


def test_profile_may_allow_discarding_the_taken_card() -> None:
    table = dealt(JUNK, deal_terms=terms(may_discard_taken_card=True))
    table.do(DrawOpen(1), Discard(1, "9H"))
    assert table.state.open == ("9H",)


JOKERS = pytest.mark.parametrize(
    ("wild", "joker"), [("AD", "AC"), ("AD", "JK"), ("JK", "AC"), ("9D", "9H"), ("JK", "JK")]
)


def _takes_open(table: Table, seat: int) -> bool:
    """Whether the seat may take the open card: by refusal and by `legal_commands` alike."""
    legal = DrawOpen(seat) in legal_commands(table.state, seat)
    if not legal:
        assert table.refusal(DrawOpen(seat)) is Code.JOKER_NOT_TAKEABLE
    return legal


@JOKERS
def test_joker_turned_up_first_may_be_taken_by_the_first_player_on_his_first_turn(
    wild: str, joker: str
) -> None:
    table = dealt(JUNK, wild=wild, open_card=joker)
    assert _takes_open(table, 1)
    table.do(DrawOpen(1), Discard(1, "KC"))
    assert joker in table.seat(1).hand


@JOKERS
def test_joker_turned_up_first_may_not_be_taken_by_the_second_player(wild: str, joker: str) -> None:
    """The first player drops, so that the joker still lies on top."""
    table = dealt(JUNK, wild=wild, open_card=joker, players=3)
    table.do(Drop(1))
    assert table.to_move == 2
    assert not _takes_open(table, 2)


def test_joker_turned_up_first_is_lost_when_the_first_player_is_on_auto_drop() -> None:
    """The second player is to move first, but he is not the first player."""
    deals = (opened(3, auto_drop=(1,), secret=bytes([number] * 32)) for number in range(99))
    table = next(t for t in deals if is_joker(t.state.open[0], t.state.wild_rank))
    assert table.to_move == 2
    assert not _takes_open(table, 2)


def test_joker_turned_up_first_may_not_be_taken_after_the_first_turn_was_missed() -> None:
    table = dealt(JUNK, open_card="JK")
    table.ring()
    assert not _takes_open(table, 2)
    table.ring()
    assert not _takes_open(table, 1)


@JOKERS
def test_discarded_joker_may_be_taken_by_nobody(wild: str, joker: str) -> None:
    table = dealt("QD JS TD 8S 8C 7D 6C 5S 4D QH JH QS 3S", wild=wild, open_card="2C", closed=joker)
    table.pass_turns()
    assert table.state.open_top == joker
    assert not _takes_open(table, 2)


def test_profile_may_allow_taking_discarded_jokers() -> None:
    table = dealt(JUNK, closed="JK", deal_terms=terms(may_take_discarded_jokers=True))
    table.pass_turns()
    assert _takes_open(table, 2)


def test_joker_of_a_wrong_declaration_may_be_taken_by_nobody() -> None:
    table = dealt(JUNK, closed="JK", players=3).show(1, "KC")
    assert table.state.open_top == "JK"
    assert not _takes_open(table, 2)


def test_card_that_is_no_joker_may_be_taken_by_the_next_player() -> None:
    table = dealt(JUNK, closed="KD")
    assert _takes_open(table.pass_turns(), 2)
