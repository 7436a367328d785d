"""Whole deals played by bots, with no table around them: for tests, recordings and benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tables.rules import deal
from tables.rules.bots.chance import Chance
from tables.rules.bots.choosing import Strength, choose
from tables.rules.events import Event
from tables.rules.state import DealState, Phase
from tables.rules.visibility import view_of

PACE_MS = 1000
"""Time between two commands of a deal played by bots."""


def seat_to_move(state: DealState) -> int | None:
    """The first seat the deal waits for, None when it is over."""
    if state.phase in (Phase.DRAW, Phase.DISCARD):
        return state.turn
    return next((seat.seat for seat in state.to_declare), None)


def steps_of(
    spec: deal.DealSpec, strengths: Mapping[int, Strength], chance: Chance, now: int
) -> Iterator[tuple[tuple[Event, ...], DealState]]:
    """Deal and play to the end: the events of each command, the dealing first, and the state after.

    `strengths` has a strength for every seat; `now` is when the cards are dealt (ms).
    """
    events = deal.open_deal(spec, now)
    state = deal.replay(events)
    yield events, state
    while (seat := seat_to_move(state)) is not None:
        view = view_of(state, seat)
        legal = deal.legal_commands(view, seat)
        command = choose(view, legal, strength=strengths[seat], chance=chance)
        now += PACE_MS
        events, state = deal.advance(state, command, now)
        yield events, state


def play_deal(
    spec: deal.DealSpec, strengths: Mapping[int, Strength], chance: Chance, now: int
) -> tuple[tuple[Event, ...], DealState]:
    """The whole log of a deal played by bots, and its last state; see `steps_of`."""
    steps = list(steps_of(spec, strengths, chance, now))
    return tuple(event for events, _ in steps for event in events), steps[-1][1]
