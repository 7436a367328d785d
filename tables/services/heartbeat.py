"""The clock's heartbeat: time in which the site stood still is charged to nobody (rule 5.11).

Whoever acts on deadlines beats first. One row keeps the last beat. If it is older than `GRACE`, the
site stood still since then, and every running time is moved on by that gap in the same transaction
that writes the new beat: once, whoever beats and whatever breaks in between.

Web processes beat too, since nobody can play without one. While none does, the clock stands still
with them; the first one that is back takes the beat back to when the last one was there, and so the
same gap is moved. A site that runs in one process has no use for this, and no web beat.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, transaction
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Least

from tables import broadcast, signals, store
from tables.models import ClockBeat, Deal, DealEvent, Match, MatchEntry
from tables.rules.commands import ShiftClock
from tables.rules.turns import MAX_SHIFT_MS
from tables.services.play import lock_deal, play

GRACE: Final = timedelta(seconds=3)
EVERY: Final = timedelta(seconds=1)
"""A younger beat is not written anew."""
PER_DEAL: Final = timedelta(milliseconds=3)
"""What moving one deal's time takes at least."""

log = logging.getLogger(__name__)


def beat(*, now: datetime) -> int | None:
    """Note that the site runs; how many deals were moved on because it had not been running.

    None while no web process is there: then nothing is to be acted on.
    """
    last = ClockBeat.objects.filter(pk=1).first()
    if last is not None and not _is_served(last, now):
        log.warning("no web process beats; times stand still", extra={"since": last.web_at})
        return None
    if last is not None and -GRACE <= now - last.at < EVERY:
        return 0
    with transaction.atomic():
        clock, is_first = ClockBeat.objects.select_for_update().get_or_create(
            pk=1, defaults={"at": now}
        )
        if not _is_served(clock, now):
            return None
        if is_first or -GRACE <= now - clock.at < EVERY:
            return 0
        moved = 0
        if now - clock.at > GRACE:
            moved, clock.at = _move_everything(clock.at, now)
        else:
            clock.at = now
        clock.save(update_fields=["at"])
    return moved


def web_beat(*, now: datetime) -> None:
    """Note that a web process serves."""
    row = ClockBeat.objects.filter(pk=1)
    if not row.exists():
        ClockBeat.objects.get_or_create(pk=1, defaults={"at": now, "web_at": now})
    row.filter(web_at__lt=now - GRACE).update(at=Least("at", "web_at"), web_at=now)
    is_old = Q(web_at__lt=now - EVERY / 2) | Q(web_at__gt=now + GRACE)
    row.filter(Q(web_at=None) | is_old).update(web_at=now)


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


class Work:
    """The moving itself, during which nobody can play either: it is given back with the rest.

    When it ends is told in advance from how long the deals so far have taken.
    """

    def __init__(self, now: datetime, deals: int) -> None:
        self._now = now
        self._deals = deals
        self._done = 0
        self._started = time.monotonic()

    @property
    def ends_at(self) -> datetime:
        """When play goes on, by what is known now."""
        each = self._took / self._done if self._done else PER_DEAL
        return self._now + max(self._took, max(each, PER_DEAL) * self._deals)

    @property
    def _took(self) -> timedelta:
        return timedelta(seconds=time.monotonic() - self._started)

    def has_done_one(self) -> None:
        """One deal more is moved."""
        self._done += 1


def _move_everything(since: datetime, now: datetime) -> tuple[int, datetime]:
    """How many deals were moved, and when play goes on.

    Matches come before deals, each by its id: the order in which rows are locked.
    """
    live = Deal.objects.filter(_stood_still(since), over_at__isnull=True).order_by("pk")
    deals = list(live.values_list("pk", "paused_at"))
    work = Work(now, len(deals))
    _move_matches(since, work.ends_at)
    moved = 0
    for deal_id, paused_at in deals:
        moved += move_deal(deal_id, since, now, paused_at or work.ends_at)
        work.has_done_one()
    signals.stood_still.send(sender=ClockBeat, since=since, until=work.ends_at)
    gap = (now - since).total_seconds()
    log.info("the site stood still; times move on", extra={"seconds": gap, "deals": moved})
    return moved, work.ends_at


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


def move_deal(
    deal_id: int, since: datetime, now: datetime, going_on: datetime, *, pause: bool = False
) -> bool:
    """Whether the deal's times were moved; a deal that cannot be read holds up nobody.

    In a pause all of the time counts. In a standstill people may have played for a while, so that
    a turn began later than it did.
    """
    try:
        deal = lock_deal(deal_id)
        state = store.load(deal)
        began = store.to_ms(since)
        if not pause and state.turn_at > began:
            began = max(began, min(state.turn_at, _last_event_ms(deal)))
        by_ms = min(store.to_ms(going_on) - began, MAX_SHIFT_MS)
        if state.is_over or by_ms <= 0:
            return False
        command_id = f"{'pause' if pause else 'shift'}:{store.to_ms(since)}"
        play(deal_id=deal_id, command=ShiftClock(by_ms), command_id=command_id, now=now)
    except DatabaseError:
        raise
    except Exception:
        log.exception("a deal's times could not be moved", extra={"deal": deal_id})
        return False
    return True


def _last_event_ms(deal: Deal) -> int:
    """When something last happened; a turn that was given more time seems to have begun later."""
    at = DealEvent.objects.filter(deal=deal, seq=deal.version).values_list("at", flat=True)
    return store.to_ms(at.get())
