"""The clock's heartbeat: time in which the site stood still is charged to nobody (rule 5.11).

Whoever acts on deadlines beats first. One row keeps the last beat. If it is older than `GRACE`, the
site stood still since then, and every running time is moved on by that gap in the same transaction
that writes the new beat: once, whoever beats and whatever breaks in between.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, transaction
from django.db.models import OuterRef, Subquery

from tables import broadcast, store
from tables.models import ClockBeat, Deal, Match, MatchEntry
from tables.rules.commands import ShiftClock
from tables.rules.turns import MAX_SHIFT_MS
from tables.services.play import lock_deal, play

GRACE: Final = timedelta(seconds=3)
EVERY: Final = timedelta(seconds=1)
"""A younger beat is not written anew."""
PER_DEAL: Final = timedelta(milliseconds=3)
"""What moving one deal's time may take; nobody can play meanwhile, so it is given back too."""

log = logging.getLogger(__name__)


def beat(*, now: datetime) -> int:
    """Note that the site runs; how many deals were moved on because it had not been running."""
    last = ClockBeat.objects.filter(pk=1).values_list("at", flat=True).first()
    if last is not None and -GRACE <= now - last < EVERY:
        return 0
    started = time.monotonic()
    with transaction.atomic():
        clock, is_first = ClockBeat.objects.select_for_update().get_or_create(
            pk=1, defaults={"at": now}
        )
        if is_first or -GRACE <= now - clock.at < EVERY:
            return 0
        moved = 0
        if now - clock.at > GRACE:
            going_on = now + PER_DEAL * Deal.objects.filter(over_at__isnull=True).count()
            moved = _move_everything(clock.at, now, going_on)
            # Work longer than GRACE would look like a standstill to the next beat.
            took = timedelta(seconds=time.monotonic() - started)
            clock.at = max(going_on, now + took)
        else:
            clock.at = now
        clock.save(update_fields=["at"])
    return moved


def _move_everything(since: datetime, now: datetime, going_on: datetime) -> int:
    """Matches before deals, each by its id: the order in which rows are locked."""
    gap = (now - since).total_seconds()
    _move_matches(since, going_on)
    live = Deal.objects.filter(over_at__isnull=True).order_by("pk").values_list("pk", flat=True)
    moved = sum(_move_deal(deal_id, since, now, going_on) for deal_id in list(live))
    log.info("the site stood still; times move on", extra={"seconds": gap, "deals": moved})
    return moved


def _move_matches(since: datetime, going_on: datetime) -> None:
    newest = MatchEntry.objects.filter(match=OuterRef("pk")).order_by("-seq").values("at")[:1]
    waiting = Match.objects.filter(due_at__isnull=False).annotate(asked_at=Subquery(newest))
    for match in waiting.select_for_update(of=("self",)).order_by("pk"):
        began = max(since, match.asked_at or match.opened_at)
        if match.due_at is not None and going_on > began:
            match.due_at += going_on - began
            match.save(update_fields=["due_at"])
            broadcast.announce_match(match_id=match.pk)


def _move_deal(deal_id: int, since: datetime, now: datetime, going_on: datetime) -> bool:
    """Whether the deal's times were moved; a deal that cannot be read holds up nobody."""
    try:
        state = store.load(lock_deal(deal_id))
        began = max(store.to_ms(since), state.turn_at)
        by_ms = min(store.to_ms(going_on) - began, MAX_SHIFT_MS)
        if state.is_over or by_ms <= 0:
            return False
        command_id = f"shift:{store.to_ms(since)}"
        play(deal_id=deal_id, command=ShiftClock(by_ms), command_id=command_id, now=now)
    except DatabaseError:
        raise
    except Exception:
        log.exception("a deal's times could not be moved", extra={"deal": deal_id})
        return False
    return True
