"""Calling a deal off from outside: it counts for nothing, and its table stands as before it.

No player can do this, so it is no command; who owns the table does.
"""

from __future__ import annotations

from tables.rules import events as ev
from tables.rules.errors import Code, RuleViolation
from tables.rules.evolve import evolve
from tables.rules.state import DealState


def void_deal(state: DealState, now: int) -> tuple[tuple[ev.Event, ...], DealState]:
    """The event that calls a running deal off at `now` (ms), and the state after it.

    Every hand, the closed deck and the secret are shown, so that the shuffle can be checked.
    Raises `RuleViolation(DEAL_OVER)`.
    """
    if state.is_over:
        raise RuleViolation(Code.DEAL_OVER, "This deal is over; it cannot be called off.")
    event = ev.DealVoided(
        at=now,
        revealed=tuple(ev.Revealed(s.seat, s.hand, s.arranged, s.declared) for s in state.seats),
        closed=state.closed,
        secret=state.secret,
    )
    return (event,), evolve(state, event)
