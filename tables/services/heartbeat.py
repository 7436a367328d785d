"""The clock's heartbeat: time in which the site stood still is charged to nobody (rule 5.11).

Whoever acts on deadlines beats first. One row keeps the last beat. If it is older than `GRACE`, the
site stood still since then, and every running time is moved on by that gap: those of matches in the
transaction that writes the new beat, those of deals in batches after it, each once, whoever beats
and whatever breaks in between (see `standstill`). Until all are moved nobody acts on deadlines.

Web processes beat too, since nobody can play without one. While none does, the clock stands still
with them; the first one that is back takes the beat back to when the last one was there, and so the
same gap is moved. A site that runs in one process has no use for this, and no web beat.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Count, Max, OuterRef, Q, Subquery
from django.db.models.functions import Least

from tables import broadcast, signals, store
from tables.models import ClockBeat, Deal, Match, MatchEntry
from tables.services.shifting import Gap, in_time, move_deals
from tables.services.standstill import Standstill, from_row, to_row

GRACE: Final = timedelta(seconds=3)
EVERY: Final = timedelta(seconds=1)
"""A younger beat is not written anew."""
BATCH: Final = 50
"""So many deals are moved in one transaction."""

log = logging.getLogger(__name__)


def beat(*, now: datetime) -> int | None:
    """Note that the site runs; how many deals were moved on because it had not been running.

    None while no web process is there: then nothing is to be acted on.
    """
    last = ClockBeat.objects.filter(pk=1).first()
    if last is not None and not _is_served(last, now):
        log.warning("no web process beats; times stand still", extra={"since": last.web_at})
        return None
    if last is not None and not last.standstill and _is_fresh(last, now):
        return 0
    begun, at, moved = time.monotonic(), now, 0
    with broadcast.together():
        while True:
            step = in_time(partial(_step, at), now=at)
            if step is None:
                return None
            moved += step.moved
            if step.left.is_over:
                return moved
            if step.left.owed:
                _tell_owners(step.left)
            at = now + timedelta(seconds=time.monotonic() - begun)


class _Step(NamedTuple):
    """How many deals one transaction moved, and what is left to do."""

    moved: int
    left: Standstill


def _step(now: datetime, going_on: datetime) -> _Step | None:
    """Beat, and do one part of what is due because the site stood still."""
    clock, is_first = ClockBeat.objects.select_for_update().get_or_create(
        pk=1, defaults={"at": now}
    )
    if not _is_served(clock, now):
        return None
    moved, left = 0, from_row(clock.standstill)
    if is_first or (left.is_over and _is_fresh(clock, now)):
        return _Step(0, left)
    if now - clock.at > GRACE:
        _begin(left, clock.at, now, going_on)
        clock.at = going_on
    elif left.parts:
        moved = _move_batch(left, now, going_on)
        clock.at = going_on
    else:
        clock.at = now
    clock.standstill = to_row(left)
    clock.save(update_fields=["at", "standstill"])
    return _Step(moved, left)


def _is_fresh(beat: ClockBeat, now: datetime) -> bool:
    return -GRACE <= now - beat.at < EVERY


def web_beat(*, now: datetime) -> None:
    """Note that a web process serves."""
    row = ClockBeat.objects.filter(pk=1)
    if not row.exists():
        ClockBeat.objects.get_or_create(pk=1, defaults={"at": now, "web_at": now})
    row.filter(web_at__lt=now - GRACE).update(at=Least("at", "web_at"), web_at=now)
    is_old = Q(web_at__lt=now - EVERY / 2) | Q(web_at__gt=now + GRACE)
    row.filter(Q(web_at=None) | is_old).update(web_at=now)


def is_beating(*, now: datetime) -> bool:
    """Whether a clock acts on deadlines, and would move whatever is late by its time."""
    last = ClockBeat.objects.filter(pk=1).first()
    return last is not None and abs(now - last.at) <= GRACE


def _is_served(beat: ClockBeat, now: datetime) -> bool:
    return beat.web_at is None or now - beat.web_at <= GRACE


def counted_until(*, now: datetime) -> datetime:
    """Until when time counts: what is later than this the next beat gives back to whatever runs.

    Nobody beats any more until the caller's transaction ends.
    """
    clock = ClockBeat.objects.select_for_update().filter(pk=1).first()
    if clock is None:
        return now
    at = clock.at
    if clock.web_at is not None and not _is_served(clock, now):
        at = min(at, clock.web_at)
    return at if now - at > GRACE else now


def _begin(left: Standstill, since: datetime, now: datetime, going_on: datetime) -> None:
    """Move what waits between deals, and note that the deals and their owners are to follow."""
    live = Deal.objects.filter(_stood_still(since), over_at__isnull=True)
    found = live.aggregate(newest=Max("pk"), deals=Count("pk"))
    left.begins(since, going_on, found["newest"] or 0)
    _move_matches(since, going_on)
    about = {"seconds": (now - since).total_seconds(), "deals": found["deals"]}
    log.info("the site stood still; times move on", extra=about)


def _move_batch(left: Standstill, now: datetime, going_on: datetime) -> int:
    """Move some deals by what they stood still, locked by id; the beat's row is held."""
    part = left.parts[0]
    since = store.from_ms(part.since)
    live = Deal.objects.filter(_stood_still(since), over_at__isnull=True)
    rows = live.filter(pk__gt=left.after, pk__lte=part.to).order_by("pk")
    deals = list(rows.select_for_update(of=("self",))[:BATCH])
    moved = move_deals([Gap(deal, since, deal.paused_at or going_on) for deal in deals], now=now)
    left.has_done(deals[-1].pk if len(deals) == BATCH else None)
    return moved


def _tell_owners(left: Standstill) -> None:
    """In the order of all locks: they lock their own rows before the beat's is taken."""
    with transaction.atomic():
        for gap in left.owed:
            since, until = store.from_ms(gap.since), store.from_ms(gap.until)
            signals.stood_still.send(sender=ClockBeat, since=since, until=until)
        clock = ClockBeat.objects.select_for_update().get(pk=1)
        kept = from_row(clock.standstill)
        if kept.owed != left.owed:  # another clock was quicker
            transaction.set_rollback(True)
            return
        kept.owed = []
        clock.standstill = to_row(kept)
        clock.save(update_fields=["standstill"])


def _stood_still(since: datetime) -> Q:
    """What was not paused all the time; a pause gives its own time back when it ends."""
    return Q(paused_at__isnull=True) | Q(paused_at__gt=since)


def _move_matches(since: datetime, work_ends: datetime) -> None:
    newest = MatchEntry.objects.filter(match=OuterRef("pk")).order_by("-seq").values("at")[:1]
    waiting = Match.objects.filter(_stood_still(since), due_at__isnull=False)
    waiting = waiting.annotate(asked_at=Subquery(newest))
    for match in waiting.select_for_update(of=("self",)).order_by("pk"):
        began = max(since, match.asked_at or match.opened_at)
        going_on = match.paused_at or work_ends
        if match.due_at is not None and going_on > began:
            match.due_at += going_on - began
            match.save(update_fields=["due_at"])
            broadcast.announce_match(match_id=match.pk)
