"""What holds in every deal, whatever is played: random terms, hands, commands and silences.

`Table.do` counts the cards and measures the hands after every event of these streams.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.rules import commands as cm
from tables.rules import events as ev
from tables.rules.cards import HIDDEN, PACK, PRINTED_JOKER
from tables.rules.codec import encode_state
from tables.rules.deal import decide, legal_commands, replay
from tables.rules.errors import RuleViolation
from tables.rules.profiles import PROFILES
from tables.rules.results import Outcome
from tables.rules.state import DealState
from tables.rules.visibility import view_of
from tests.rules.deal.streams import play, random_table
from tests.rules.deal.table import Table, opened, terms

SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=40)
@given(SEEDS)
def test_replaying_the_log_gives_the_state_and_the_result_is_well_formed(seed: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    for place, _ in enumerate(play(table, chance)):
        if place % 8 == 0:
            assert replay(table.log) == table.state
    assert replay(table.log) == table.state == table.restart().state
    assert table.state.version == len(table.log)
    _check_result(table)


def _check_result(table: Table) -> None:
    """One winner who was never out, everybody's points within the cap or a price of the terms."""
    state = table.state
    assert state.result is not None
    assert [score.seat for score in state.result.scores] == [seat.seat for seat in state.seats]
    out = {e.seat: (e.points, e.outcome) for e in table.log if isinstance(e, ev.PlayerWentOut)}
    assert out.items() <= table.scores.items()
    assert state.result.winner not in out
    assert [o for _, o in table.scores.values()].count(Outcome.WON) == 1
    cap = state.terms.profile.cap or 130
    prices = {state.terms.first_drop, state.terms.middle_drop, state.terms.wrong_declaration}
    assert all(points <= cap or points in prices for points, _ in table.scores.values())
    assert state.deadline is None


@settings(max_examples=25)
@given(SEEDS)
def test_the_same_commands_at_the_same_times_give_the_same_log(seed: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    beginning = list(table.log)
    commands = [(table.now, command) for command in play(table, chance)]
    again = Table(beginning)
    for now, command in commands:
        again.now = now
        again.do(command)
    assert again.log == table.log


def every_command(state: DealState) -> Iterator[cm.SeatCommand]:
    """Each kind of command with each card and each seat, and with two seats nobody has."""
    for seat in (*(s.seat for s in state.seats), 0, 99):
        yield cm.DrawClosed(seat)
        yield cm.DrawOpen(seat)
        for card in (*PACK, PRINTED_JOKER, HIDDEN):
            yield cm.Discard(seat, card)
            yield cm.Finish(seat, card)
        yield cm.Declare(seat, ())
        yield cm.Arrange(seat, ())
        yield cm.Drop(seat)
        yield cm.SetAutoDrop(seat, True)
        yield cm.SetAutoDrop(seat, False)
        yield cm.GoOffline(seat)
        yield cm.ComeBack(seat)
        yield cm.Leave(seat)


def check_legal(table: Table) -> None:
    """What `legal_commands` says succeeds, everything else is refused, refusals change nothing."""
    state = table.state
    before = encode_state(state)
    legal = Counter(command for seat in state.seats for command in legal_commands(state, seat.seat))
    assert set(legal.values()) <= {1}
    accepted = set()
    for command in every_command(state):
        try:
            happened = decide(state, command, table.now)
        except RuleViolation:
            continue
        assert happened
        accepted.add(command)
    assert accepted == set(legal)
    assert encode_state(state) == before
    for seat in state.seats:
        view = view_of(state, seat.seat)
        assert legal_commands(view, seat.seat) == legal_commands(state, seat.seat)


@settings(max_examples=25)
@given(SEEDS)
def test_legal_commands_are_exactly_those_that_succeed(seed: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    check_legal(table)
    for _ in play(table, chance):
        if chance.random() < 0.08:
            check_legal(table)
    check_legal(table)
    assert all(legal_commands(table.state, seat.seat) == () for seat in table.state.seats)


def test_legal_commands_of_a_seat_not_in_the_deal_are_refused() -> None:
    with pytest.raises(RuleViolation, match="Seat 9 is not in this deal"):
        legal_commands(opened().state, 9)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("absent", [False, True])
@pytest.mark.parametrize("drops", [(20, 40), None])
def test_every_deal_ends_by_the_alarm_alone(
    profile: str, absent: bool, drops: tuple[int, int] | None
) -> None:
    """Nobody does anything, connected or not; and no alarm is needed that is not announced."""
    deal_terms = terms(profile, drops=drops)
    players = deal_terms.profile.max_players
    seats = tuple(range(1, players + 1)) if absent else ()
    table = opened(players, deal_terms=deal_terms, offline=seats)
    for _ in range(players * (deal_terms.profile.max_moves + 1)):
        if table.state.is_over:
            break
        table.ring()
    assert table.state.is_over


@settings(max_examples=30)
@given(SEEDS)
def test_every_deal_ends_by_the_alarm_alone_from_any_moment_on(seed: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    moments = play(table, chance)
    for _ in range(chance.randint(0, 60)):
        next(moments, None)
    for _ in range(1_000):
        if table.state.is_over:
            break
        table.ring()
    assert table.state.is_over


@settings(max_examples=25)
@given(SEEDS)
def test_every_command_brings_about_something_and_time_never_runs_back(seed: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    length = len(table.log)
    for command in play(table, chance):
        assert len(table.log) > length, command
        length = len(table.log)
    assert [event.at for event in table.log] == sorted(event.at for event in table.log)
    assert [type(event) for event in table.log].count(ev.DealEnded) == 1


def test_random_deals_get_into_every_phase_and_bring_about_every_event() -> None:
    """Else the tests above would prove less than they say."""
    happened: set[type] = set()
    wished: set[type] = set()
    for seed in range(60):
        chance = Random(seed)
        table = random_table(chance)
        wished.update(type(command) for command in play(table, chance))
        happened.update(type(event) for event in table.log)
    # No command calls a deal off; its owner does (see `voiding`).
    assert happened == set(get_args(ev.Event)) - {ev.DealVoided}
    assert wished == set(get_args(cm.Command))
