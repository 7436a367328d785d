"""Moving the running times of deals on: many deals with a few statements.

Times are moved to a moment a little ahead, by which the moving has ended, since nobody can play
meanwhile. If it has not, it is undone and done again with more time: nobody's turn gets shorter.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeVar

from django.db import transaction
from django.db.models import F

from tables import broadcast, store
from tables.models import Deal, DealEvent
from tables.rules.commands import ShiftClock
from tables.rules.deal import advance
from tables.rules.errors import RuleViolation
from tables.rules.state import DealState
from tables.rules.turns import MAX_SHIFT_MS

AHEAD: Final = timedelta(milliseconds=200)
"""So long the moving may take, and for each deal `PER_DEAL` more."""
PER_DEAL: Final = timedelta(milliseconds=3)

T = TypeVar("T")

log = logging.getLogger(__name__)


class Gap(NamedTuple):
    """A locked deal, and from when until when its time did not run."""

    deal: Deal
    since: datetime
    going_on: datetime


def in_time(work: Callable[[datetime], T], *, now: datetime, deals: int = 0) -> T:
    """`work(going_on)` in one transaction, which has ended by that moment."""
    begun, ahead = time.monotonic(), AHEAD + deals * PER_DEAL
    while True:
        going_on = now + timedelta(seconds=time.monotonic() - begun) + ahead
        with transaction.atomic():
            found = work(going_on)
            if now + timedelta(seconds=time.monotonic() - begun) <= going_on:
                return found
            transaction.set_rollback(True)
        ahead *= 2


def move_deals(gaps: Sequence[Gap], *, now: datetime, pause: bool = False) -> int:
    """How many deals' times were moved; one that cannot be read is logged and holds up nobody.

    In a pause all of the time counts. In a standstill people may have played for a while, so that
    a turn began later than it did.
    """
    states = store.load_all([gap.deal for gap in gaps])
    moved_meanwhile = {} if pause else _last_events(_later(gaps, states))
    steps = []
    for gap in gaps:
        state = states.get(gap.deal.pk)
        if state is None:
            log.error("a deal's times could not be moved", extra={"deal": gap.deal.pk})
            continue
        began = store.to_ms(gap.since)
        if gap.deal.pk in moved_meanwhile:
            began = max(began, min(state.turn_at, moved_meanwhile[gap.deal.pk]))
        step = _step(gap.deal, state, store.to_ms(gap.going_on) - began, now, pause=pause)
        if step is not None:
            steps.append(step)
    store.append_all(steps, now=now)
    for deal, events, after, _ in steps:
        broadcast.announce_events(
            match_id=deal.match_id, deal=deal.public_id, version=after.version, events=events
        )
    return len(steps)


def _step(
    deal: Deal, state: DealState, by_ms: int, now: datetime, *, pause: bool
) -> store.Step | None:
    """None where there is nothing to move."""
    if state.is_over or by_ms <= 0:
        return None
    try:
        command = ShiftClock(min(by_ms, MAX_SHIFT_MS))
        events, after = advance(state, command, store.to_ms(now))
    except RuleViolation:
        log.exception("a deal's times could not be moved", extra={"deal": deal.pk})
        return None
    name = f"{'pause' if pause else 'shift'}:{deal.version}"
    return store.Step(deal, events, after, name)


def _later(gaps: Iterable[Gap], states: dict[int, DealState]) -> list[int]:
    """The deals in which a turn seems to have begun after the gap did."""
    return [
        gap.deal.pk
        for gap in gaps
        if (state := states.get(gap.deal.pk)) is not None and state.turn_at > store.to_ms(gap.since)
    ]


def _last_events(deals: Sequence[int]) -> dict[int, int]:
    """When something last happened; a turn that was given more time seems to have begun later."""
    if not deals:
        return {}
    last = DealEvent.objects.filter(deal__in=deals, seq=F("deal__version"))
    return {deal: store.to_ms(at) for deal, at in last.values_list("deal_id", "at")}
