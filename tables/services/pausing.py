"""Pausing an owner's tables: clocks stand still, nothing is played or answered, nothing is lost.

Each row keeps since when it is paused and its times as they were then; when play goes on they are
moved by the length of the pause, once. Whatever writes into a paused match all the same (see
`bring_up`) first moves its times up to that moment, so that the log stays true. A standstill of
the site within a pause is part of the pause; `heartbeat` leaves what is paused alone.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from tables import broadcast, signals, store
from tables.models import Deal, Match, MatchStatus, Seat
from tables.rules.errors import RuleViolation
from tables.services import heartbeat
from tables.services.play import lock_deal
from tables.services.presence import tell_deal
from tables.services.shifting import Gap, in_time, move_deals

_ENDED = (MatchStatus.OVER, MatchStatus.VOID)


def pause_owner(*, owner: str, now: datetime) -> int:
    """Pause every match of this owner that is not over; how many were not paused already.

    Moves get the refusal `PAUSED` from now on, whoever makes them: people, bots, the clock.
    """
    with broadcast.together(), transaction.atomic():
        signals.deal_closing.send(sender=Match, owner=owner)
        heartbeat.counted_until(now=now)
        running = _locked(owner).filter(paused_at__isnull=True).exclude(status__in=_ENDED)
        matches = list(running.values_list("pk", flat=True))
        deals = Deal.objects.filter(match__table__owner=owner, over_at__isnull=True)
        deals = deals.filter(paused_at__isnull=True)
        # Locked in order, since an UPDATE of many locks them in any.
        list(deals.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
        deals.update(paused_at=now)
        Match.objects.filter(
            table__owner=owner, paused_at__isnull=True, over_at__isnull=True
        ).update(paused_at=now)
        for match_id in matches:
            broadcast.announce_match(match_id=match_id)
    return len(matches)


def resume_owner(*, owner: str, now: datetime) -> int:
    """Let every paused match of this owner go on with the time that was left; how many there were.

    Who came or went meanwhile is told to the deals now. Said again it finds nothing to do.
    """
    with broadcast.together(), transaction.atomic():
        signals.deal_closing.send(sender=Match, owner=owner)
        counted = heartbeat.counted_until(now=now)
        return in_time(partial(_go_on, owner, now), now=counted, deals=_live(owner).count())


def _go_on(owner: str, now: datetime, going_on: datetime) -> int:
    matches = list(_locked(owner).filter(paused_at__isnull=False))
    for match in matches:
        _let_go_on(match, going_on)
    live = list(_live(owner).select_for_update(of=("self",)).order_by("pk"))
    gaps = [Gap(deal, deal.paused_at, going_on) for deal in live if deal.paused_at is not None]
    for first in range(0, len(gaps), heartbeat.BATCH):
        move_deals(gaps[first : first + heartbeat.BATCH], now=now, pause=True)
    Deal.objects.filter(match__table__owner=owner, paused_at__isnull=False).update(paused_at=None)
    online = _online(matches)
    for deal in live:
        _tell_who_is_there(deal, online.get(deal.match_id, {}), now)
    return len(matches)


def bring_up(match: Match, *, now: datetime) -> None:
    """Move a paused match's times up to now: it stays paused, and may be written into at `now`.

    The caller holds the match's lock. A match that runs is left alone.
    """
    since = match.paused_at
    if since is None or now <= since:
        return
    if match.due_at is not None:
        match.due_at += now - since
    match.paused_at = now
    match.save(update_fields=["due_at", "paused_at"])
    for deal_id in match.deals.filter(over_at__isnull=True).values_list("pk", flat=True):
        move_deals([Gap(lock_deal(deal_id), since, now)], now=now, pause=True)
        Deal.objects.filter(pk=deal_id).update(paused_at=now)


def _live(owner: str) -> QuerySet[Deal]:
    """What was paused of this owner and is not over."""
    paused = Deal.objects.filter(match__table__owner=owner, paused_at__isnull=False)
    return paused.filter(over_at__isnull=True)


def _locked(owner: str) -> QuerySet[Match]:
    rows = Match.objects.select_for_update(of=("self",)).filter(table__owner=owner)
    return rows.order_by("pk")


def _let_go_on(match: Match, going_on: datetime) -> None:
    if match.due_at is not None and match.paused_at is not None:
        match.due_at += max(going_on, match.paused_at) - match.paused_at
    match.paused_at = None
    match.save(update_fields=["due_at", "paused_at"])
    broadcast.announce_match(match_id=match.pk)


def _online(matches: list[Match]) -> dict[int, dict[int, bool]]:
    """Who is there, by match and seat."""
    found: dict[int, dict[int, bool]] = {}
    seats = Seat.objects.filter(match__in=matches)
    for match_id, number, online in seats.values_list("match_id", "number", "online"):
        found.setdefault(match_id, {})[number] = online
    return found


def _tell_who_is_there(deal: Deal, online: dict[int, bool], now: datetime) -> None:
    """A deal that cannot be read holds up nobody; `move_deals` has logged it.

    Nothing but its times has changed since its row was read.
    """
    try:
        state = store.load(deal)
    except RuleViolation:
        return
    for seat in state.seats:
        if online.get(seat.seat, seat.online) != seat.online:
            tell_deal(lock_deal(deal.pk), seat.seat, online[seat.seat], now)
