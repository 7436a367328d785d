"""A deal that is called off counts for nothing, and its shuffle can still be checked."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.rules import commands as cm
from tables.rules.deal import decide, legal_commands
from tables.rules.errors import Code, RuleViolation
from tables.rules.evolve import evolve, replay
from tables.rules.shoe import commitment_of
from tables.rules.visibility import redact, view_of
from tables.rules.voiding import void_deal
from tests.rules.deal.streams import play, random_table

SEEDS = st.integers(0, 10_000)


@settings(max_examples=25)
@given(SEEDS, st.integers(0, 60))
def test_a_deal_called_off_at_any_moment_is_over_without_a_result(seed: int, moves: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    _ = list(islice(play(table, chance), moves))
    if table.state.is_over:
        with pytest.raises(RuleViolation) as refusal:
            void_deal(table.state, 5)
        assert refusal.value.code is Code.DEAL_OVER
        return
    before = table.state
    events, after = void_deal(before, before.opened_at + 1)
    assert after.is_over
    assert after.result is None
    assert after.deadline is None
    assert after.cards() == before.cards()
    assert replay([*table.log, *events]) == after
    assert commitment_of(bytes.fromhex(after.secret)) == after.commitment
    for seat in before.seats:
        assert legal_commands(after, seat.seat) == ()
        with pytest.raises(RuleViolation) as refusal:
            decide(after, cm.Drop(seat.seat), before.opened_at + 2)
        assert refusal.value.code is Code.DEAL_OVER


@settings(max_examples=15)
@given(SEEDS)
def test_everybody_sees_the_same_once_a_deal_is_called_off(seed: int) -> None:
    chance = Random(seed)
    table = random_table(chance)
    _ = list(islice(play(table, chance), 8))
    if table.state.is_over:
        return
    [event], after = void_deal(table.state, table.state.opened_at + 1)
    for viewer in (None, *(seat.seat for seat in table.state.seats)):
        followed = evolve(view_of(table.state, viewer), redact(event, viewer))
        assert followed == view_of(after, viewer) == after
