"""Rule 5.5: the closed deck runs out."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tables.rules import events as ev
from tables.rules.commands import Discard, DrawClosed, DrawOpen
from tables.rules.deal import decide
from tables.rules.state import Phase
from tests.rules.deal.table import JUNK, LOW, T0, Table, dealt, only


def ran_out() -> Table:
    """The closed deck is empty, the open deck is 3H 9C KD with KD on top, seat 1 is to move."""
    table = dealt(JUNK, LOW, open_card="3H", closed="9C KD", nothing_else=True).pass_turns(2)
    assert (table.state.closed, table.state.open) == ((), ("3H", "9C", "KD"))
    return table


@pytest.mark.parametrize("restart", [False, True])
def test_open_cards_but_the_top_one_become_the_closed_deck(restart: bool) -> None:
    """The king stays, the other two come once each, also when the process starts anew between."""
    table = ran_out()
    first = only(ev.CardDrawn, table.do(DrawClosed(1))).card
    assert table.state.open == ("KD",)
    if restart:
        table = table.restart()
    assert table.phase is Phase.DISCARD
    table.do(Discard(1, "KC"))
    second = only(ev.CardDrawn, table.do(DrawClosed(2))).card
    assert {first, second} == {"3H", "9C"}
    assert table.state.open == ("KD", "KC")


def test_order_is_fixed_by_the_secret_and_another_one_for_each_reshuffle() -> None:
    """The same open cards would come in another order the next time."""
    state = (
        dealt(JUNK, LOW, closed="9C KD 8C 8H QC TH 2C TS", nothing_else=True).pass_turns(8).state
    )
    orders = [
        only(ev.DeckReshuffled, decide(replace(state, reshuffles=number), DrawClosed(1), T0)).closed
        for number in (0, 1, 2, 0)
    ]
    assert orders[0] == orders[3]
    assert len(set(orders)) == 3
    assert {frozenset(order) for order in orders} == {frozenset(state.open[:-1])}


def test_a_long_deal_reshuffles_alike_after_a_restart() -> None:
    log = dealt(JUNK, LOW, open_card="3H", closed="9C KD 8C 8H QC TH 2C TS", nothing_else=True)
    again = log.restart()
    orders: list[list[tuple[str, ...]]] = [[], []]
    for table, order in zip((log, again), orders, strict=True):
        table.pass_turns(30)
        order += [event.closed for event in table.log if isinstance(event, ev.DeckReshuffled)]
    assert orders[0] == orders[1]
    assert len(orders[0]) >= 3


def test_deck_is_shuffled_only_when_somebody_draws_from_it() -> None:
    table = ran_out()
    table.do(DrawOpen(1))
    assert table.state.reshuffles == 0
    assert table.state.open == ("3H", "9C")


def test_with_nothing_left_to_draw_everybody_declares() -> None:
    """Closed deck empty and one open card only: no error, the deal ends by a show."""
    table = dealt(JUNK, LOW, open_card="3H", nothing_else=True)
    happened = table.do(DrawOpen(1), Discard(1, "KC"))
    assert table.state.open == ("KC",)
    assert only(ev.LimitReached, happened).limit is ev.Limit.NO_CARDS
    assert table.phase is Phase.SHOW
    table.ring()
    assert table.state.is_over


def test_two_open_cards_are_enough_to_go_on() -> None:
    table = dealt(JUNK, LOW, open_card="3H", closed="9C", nothing_else=True).pass_turns()
    assert table.state.open == ("3H", "9C")
    assert (table.phase, table.to_move) == (Phase.DRAW, 2)
    assert only(ev.CardDrawn, table.do(DrawClosed(2))).card == "3H"
