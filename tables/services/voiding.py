"""Calling off everything an owner's tables are playing: deals count for nothing, matches end.

Clocks stop, since nothing has a deadline any more, and every socket at the tables is told.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tables import broadcast, signals, store
from tables.models import Deal, Match, MatchStatus
from tables.rules.voiding import void_deal
from tables.services.play import lock_deal

_ENDED = (MatchStatus.OVER, MatchStatus.VOID)


def void_matches(*, owner: str, now: datetime) -> int:
    """Call off every match of this owner that is not over; how many were.

    A deal that was cut off is void: its table stands as before it was dealt, and its cards are
    shown so that the shuffle can be checked. Called again it finds nothing to do.
    """
    with transaction.atomic():
        signals.deal_closing.send(sender=Match, owner=owner)
        matches = list(
            Match.objects.select_for_update(of=("self",))
            .filter(table__owner=owner)
            .exclude(status__in=_ENDED)
            .order_by("pk")
        )
        for deal_id in _running(matches):
            _void_deal(deal_id, now)
        for match in matches:
            match.status, match.due_at, match.over_at = MatchStatus.VOID, None, now
            match.paused_at = None
            broadcast.announce_match(match_id=match.pk)
        changed = ["status", "due_at", "over_at", "paused_at"]
        Match.objects.bulk_update(matches, changed, batch_size=200)
    return len(matches)


def void_match(match: Match, *, now: datetime) -> None:
    """Call off one match, even one that is over; the caller holds its lock."""
    for deal_id in _running([match]):
        _void_deal(deal_id, now)
    match.status, match.due_at, match.over_at = MatchStatus.VOID, None, match.over_at or now
    match.paused_at = None
    match.save(update_fields=["status", "due_at", "over_at", "paused_at"])
    broadcast.announce_match(match_id=match.pk)


def _running(matches: list[Match]) -> list[int]:
    running = Deal.objects.filter(match__in=matches, over_at__isnull=True).order_by("pk")
    return list(running.values_list("pk", flat=True))


def _void_deal(deal_id: int, now: datetime) -> None:
    deal = lock_deal(deal_id)
    events, state = void_deal(store.load(deal), store.to_ms(now))
    # A deal without a result is over all the same.
    deal.over_at = now
    store.append(deal, events, state, command_id="void", now=now)
    Deal.objects.filter(pk=deal_id, paused_at__isnull=False).update(paused_at=None)
    broadcast.announce_events(
        match_id=deal.match_id, deal=deal.public_id, version=state.version, events=events
    )
