"""A decision in the making: the events so far and the state after them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tables.rules.events import Event
from tables.rules.evolve import evolve
from tables.rules.state import DealState


class Steps:
    """Collects events at one moment; `state` is always the state after the last of them."""

    __slots__ = ("events", "now", "state")

    def __init__(self, state: DealState, now: int) -> None:
        self.state = state
        self.now = now
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Let an event happen."""
        self.events.append(event)
        self.state = evolve(self.state, event)


Handler = Callable[[Steps, Any], None]
"""Decides one kind of command in one phase; raises `RuleViolation` before the first `emit`."""
