"""The refusal matrix: in every phase, every command of every kind of seat is allowed or refused.

`ok`, or the code of the refusal. The columns are a seat that is awaited (to move, finishing, or
still to declare), another seat that is in, one that is out, and one that is not in the deal at all.
In `show` the other seat in is the finisher, whose hand is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tables.rules import commands as cm
from tables.rules.codec import encode_state
from tables.rules.deal import decide, refusal_code, replay
from tables.rules.errors import Code, RuleViolation
from tables.rules.state import Phase
from tests.rules.deal.table import JUNK, LOW, WIN, Table, dealt

MATRIX = """
phase    command      awaited           other_in           out             unknown
new      draw_closed  deal_over         deal_over          -               not_seated
new      draw_open    deal_over         deal_over          -               not_seated
new      discard      deal_over         deal_over          -               not_seated
new      finish       deal_over         deal_over          -               not_seated
new      declare      deal_over         deal_over          -               not_seated
new      arrange      deal_over         deal_over          -               not_seated
new      drop         deal_over         deal_over          -               not_seated
new      auto_drop    deal_over         deal_over          -               not_seated
new      go_offline   deal_over         deal_over          -               not_seated
new      come_back    deal_over         deal_over          -               not_seated
new      leave        deal_over         deal_over          -               not_seated

draw     draw_closed  ok                not_your_turn      out_of_deal     not_seated
draw     draw_open    ok                not_your_turn      out_of_deal     not_seated
draw     discard      draw_first        not_your_turn      out_of_deal     not_seated
draw     finish       draw_first        not_your_turn      out_of_deal     not_seated
draw     declare      not_declaring     not_declaring      not_declaring   not_seated
draw     arrange      ok                ok                 out_of_deal     not_seated
draw     drop         ok                not_your_turn      out_of_deal     not_seated
draw     auto_drop    ok                ok                 ok              not_seated
draw     go_offline   ok                ok                 ok              not_seated
draw     come_back    already_so        already_so         already_so      not_seated
draw     leave        ok                ok                 out_of_deal     not_seated

discard  draw_closed  already_drawn     not_your_turn      out_of_deal     not_seated
discard  draw_open    already_drawn     not_your_turn      out_of_deal     not_seated
discard  discard      ok                not_your_turn      out_of_deal     not_seated
discard  finish       ok                not_your_turn      out_of_deal     not_seated
discard  declare      not_declaring     not_declaring      not_declaring   not_seated
discard  arrange      ok                ok                 out_of_deal     not_seated
discard  drop         already_drawn     not_your_turn      out_of_deal     not_seated
discard  auto_drop    ok                ok                 ok              not_seated
discard  go_offline   ok                ok                 ok              not_seated
discard  come_back    already_so        already_so         already_so      not_seated
discard  leave        ok                ok                 out_of_deal     not_seated

finish   draw_closed  not_your_turn     not_your_turn      not_your_turn   not_seated
finish   draw_open    not_your_turn     not_your_turn      not_your_turn   not_seated
finish   discard      not_your_turn     not_your_turn      not_your_turn   not_seated
finish   finish       not_your_turn     not_your_turn      not_your_turn   not_seated
finish   declare      ok                wait_for_finisher  out_of_deal     not_seated
finish   arrange      ok                ok                 out_of_deal     not_seated
finish   drop         not_your_turn     not_your_turn      not_your_turn   not_seated
finish   auto_drop    ok                ok                 ok              not_seated
finish   go_offline   ok                ok                 ok              not_seated
finish   come_back    already_so        already_so         already_so      not_seated
finish   leave        ok                ok                 out_of_deal     not_seated

show     draw_closed  not_your_turn     not_your_turn      not_your_turn   not_seated
show     draw_open    not_your_turn     not_your_turn      not_your_turn   not_seated
show     discard      not_your_turn     not_your_turn      not_your_turn   not_seated
show     finish       not_your_turn     not_your_turn      not_your_turn   not_seated
show     declare      ok                already_declared   out_of_deal     not_seated
show     arrange      ok                already_declared   out_of_deal     not_seated
show     drop         not_your_turn     not_your_turn      not_your_turn   not_seated
show     auto_drop    ok                ok                 ok              not_seated
show     go_offline   ok                ok                 ok              not_seated
show     come_back    already_so        already_so         already_so      not_seated
show     leave        ok                already_declared   out_of_deal     not_seated

over     draw_closed  deal_over         deal_over          deal_over       not_seated
over     draw_open    deal_over         deal_over          deal_over       not_seated
over     discard      deal_over         deal_over          deal_over       not_seated
over     finish       deal_over         deal_over          deal_over       not_seated
over     declare      deal_over         deal_over          deal_over       not_seated
over     arrange      deal_over         deal_over          deal_over       not_seated
over     drop         deal_over         deal_over          deal_over       not_seated
over     auto_drop    deal_over         deal_over          deal_over       not_seated
over     go_offline   deal_over         deal_over          deal_over       not_seated
over     come_back    deal_over         deal_over          deal_over       not_seated
over     leave        deal_over         deal_over          deal_over       not_seated
"""

ALARM = {
    Phase.NEW: Code.DEAL_OVER,
    Phase.DRAW: Code.NOT_DUE,
    Phase.DISCARD: Code.NOT_DUE,
    Phase.FINISH: Code.NOT_DUE,
    Phase.SHOW: Code.NOT_DUE,
    Phase.OVER: Code.DEAL_OVER,
}
"""What an alarm that rings too early is told."""

COMMANDS: dict[str, Callable[[int, Table], cm.SeatCommand]] = {
    "draw_closed": lambda seat, _: cm.DrawClosed(seat),
    "draw_open": lambda seat, _: cm.DrawOpen(seat),
    "discard": lambda seat, table: cm.Discard(seat, _a_card(seat, table)),
    "finish": lambda seat, table: cm.Finish(seat, _a_card(seat, table)),
    "declare": lambda seat, _: cm.Declare(seat, ()),
    "arrange": lambda seat, _: cm.Arrange(seat, ()),
    "drop": lambda seat, _: cm.Drop(seat),
    "auto_drop": lambda seat, _: cm.SetAutoDrop(seat, True),
    "go_offline": lambda seat, _: cm.GoOffline(seat),
    "come_back": lambda seat, _: cm.ComeBack(seat),
    "leave": lambda seat, _: cm.Leave(seat),
}


def _a_card(seat: int, table: Table) -> str:
    hands = [s.hand for s in table.state.seats if s.seat == seat and s.hand]
    return hands[0][0] if hands else "KC"


def table_in(phase: Phase) -> tuple[Table, dict[str, int]]:
    """A table of four in this phase with the seats of each column; seat 1 is out."""
    table = dealt(JUNK, WIN, LOW, players=4, open_card="2D")
    roles = {"awaited": 2, "other_in": 3, "out": 1, "unknown": 9}
    if phase is Phase.NEW:
        table = Table(table.log[:1])
        assert replay(table.log).phase is Phase.NEW
        return table, roles
    table.do(cm.Drop(1))
    if phase is Phase.DISCARD:
        table.do(cm.DrawClosed(2))
    elif phase is Phase.FINISH:
        table.finish(2)
    elif phase is Phase.SHOW:
        table.show(2)
        roles |= {"awaited": 3, "other_in": 2}
    elif phase is Phase.OVER:
        table.do(cm.Drop(2), cm.Drop(3))
        roles |= {"awaited": 4, "other_in": 4}
    assert table.phase is phase
    return table, roles


def rows() -> Iterator[tuple[Phase, str, str, str]]:
    """Phase, command, kind of seat and what is to come of it."""
    header, *lines = (line.split() for line in MATRIX.strip().splitlines() if line)
    for phase, command, *cells in lines:
        for role, expected in zip(header[2:], cells, strict=True):
            if expected != "-":
                yield Phase(phase), command, role, expected


@pytest.mark.parametrize(("phase", "command", "role", "expected"), list(rows()))
def test_command_is_allowed_or_refused_and_a_refusal_changes_nothing(
    phase: Phase, command: str, role: str, expected: str
) -> None:
    table, roles = table_in(phase)
    before = encode_state(table.state)
    wish = COMMANDS[command](roles[role], table)
    if expected == "ok":
        assert decide(table.state, wish, table.now)
    else:
        assert table.refusal(wish) == expected
    assert encode_state(table.state) == before


def test_the_matrix_states_every_phase_and_command() -> None:
    stated = {(phase, command) for phase, command, _, _ in rows()}
    assert stated == {(phase, command) for phase in Phase for command in COMMANDS}
    kinds = {type(make(1, dealt(JUNK))) for make in COMMANDS.values()}
    assert kinds | {cm.Expire, cm.ShiftClock} == set(cm.Command.__args__)


@pytest.mark.parametrize("phase", Phase)
def test_alarm_that_rings_too_early_is_refused(phase: Phase) -> None:
    assert table_in(phase)[0].refusal(cm.Expire()) is ALARM[phase]


@pytest.mark.parametrize("phase", [Phase.DRAW, Phase.DISCARD, Phase.FINISH, Phase.SHOW])
def test_alarm_that_rings_in_time_is_heard(phase: Phase) -> None:
    assert table_in(phase)[0].ring()


@pytest.mark.parametrize("phase", Phase)
def test_refusal_code_of_a_phase_is_the_one_the_awaited_seat_gets(phase: Phase) -> None:
    """As far as the phase alone decides; coming back depends on the seat."""
    for stated, command, role, expected in rows():
        if (stated, role) == (phase, "awaited") and command != "come_back":
            kind = type(COMMANDS[command](1, dealt(JUNK)))
            assert (refusal_code(phase, kind) or "ok") == expected


def test_refusal_says_what_to_do_and_names_the_field_where_one_is_at_fault() -> None:
    table, _ = table_in(Phase.DRAW)
    with pytest.raises(RuleViolation) as refused:
        decide(table.state, cm.DrawClosed(3), table.now)
    assert str(refused.value) == "seat: It is seat 2's turn; wait for yours."
