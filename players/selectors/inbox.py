"""Reading inboxes, and in which language and zone a player is spoken to."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Q

from players.models.inbox import Notice, NoticeKind
from players.models.profiles import Lead, Profile

PAGE: Final = 25
MOST_NEWS: Final = 100
"""More unread notices than this are not counted."""
LEAD: Final = timedelta(minutes=Lead.MINUTES)
"""How long before the start who chose nothing is reminded."""


class Voice(NamedTuple):
    """How a player is spoken to; a lead of nothing is no reminder."""

    language: str
    zone: str
    lead: timedelta
    mail_calls: bool = False


class InboxPage(NamedTuple):
    """Notices, the newest first; `before` leads to older ones, 0 where there are none."""

    notices: list[Notice]
    before: int


class NewsNow(NamedTuple):
    """What waits for a player now."""

    calls: tuple[Notice, ...]
    unread: int


def voices_of(player_ids: Collection[int]) -> dict[int, Voice]:
    """Language, zone, reminder lead and e-mails of players, as each chose them. One query."""
    usual = Voice(settings.LANGUAGE_CODE, settings.TIME_ZONE, LEAD)
    found = dict.fromkeys(player_ids, usual)
    rows = Profile.objects.filter(pk__in=player_ids)
    chosen = rows.values_list("pk", "language", "zone", "lead_minutes", "mail_calls")
    for pk, language, zone, lead, mails in chosen:
        found[pk] = Voice(language or usual.language, zone, timedelta(minutes=lead), mails)
    return found


def inbox(player_id: int, *, before: int = 0, size: int = PAGE) -> InboxPage:
    """A stretch of a player's inbox. One query."""
    rows = Notice.objects.filter(player_id=player_id, taken_back_at__isnull=True)
    if before:
        rows = rows.filter(pk__lt=before)
    found = list(rows.order_by("-pk")[: size + 1])
    return InboxPage(found[:size], found[size - 1].pk if len(found) > size else 0)


def notice_of(player_id: int, notice_id: int) -> Notice | None:
    """A player's own notice."""
    return Notice.objects.filter(player_id=player_id, pk=notice_id).first()


def news_of(player_id: int) -> NewsNow:
    """What is unread, and the tables that wait. One query, bounded."""
    rows = Notice.objects.filter(
        Q(read_at__isnull=True) | Q(is_waiting=True),
        player_id=player_id,
        taken_back_at__isnull=True,
    ).order_by("-pk")[:MOST_NEWS]
    calls = tuple(row for row in rows if row.kind == NoticeKind.CALLED and row.is_waiting)
    return NewsNow(calls, sum(row.read_at is None for row in rows))


def told_already(key: str, player_ids: Collection[int]) -> set[int]:
    """Which of these players have a notice of this key."""
    rows = Notice.objects.filter(key=key, player_id__in=player_ids)
    return set(rows.values_list("player_id", flat=True))
