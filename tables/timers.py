"""What the clock has to do next, as the database knows it: rows with a deadline, soonest first.

A row says only when somebody should look; whether anything is to be done is decided under its lock
(see `services.alarms`). Nothing here locks, writes or asks for the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from tables.models import Deal, Match, MatchStatus


class Kind(StrEnum):
    """What a deadline belongs to."""

    DEAL = "deal"
    """A turn or a declaration of this deal."""
    MATCH = "match"
    """The next deal of this match, or the time to answer."""


class Due(NamedTuple):
    """A deadline; a row that has moved on since has another `version`."""

    at: datetime
    kind: Kind
    row_id: int
    version: int


def soonest(limit: int, *, until: datetime | None = None) -> list[Due]:
    """Up to `limit` deadlines, soonest first; with `until` only those that have come by then.

    None of what is paused.
    """
    deals = Deal.objects.filter(deadline_at__isnull=False, paused_at__isnull=True)
    matches = Match.objects.filter(
        due_at__isnull=False,
        paused_at__isnull=True,
        status__in=(MatchStatus.DEALING, MatchStatus.ASKING),
    )
    deals, matches = deals.order_by("deadline_at"), matches.order_by("due_at")
    if until is not None:
        deals, matches = deals.filter(deadline_at__lte=until), matches.filter(due_at__lte=until)
    found = [
        *_named(Kind.DEAL, deals.values_list("deadline_at", "pk", "version")[:limit]),
        *_named(Kind.MATCH, matches.values_list("due_at", "pk", "version")[:limit]),
    ]
    return sorted(found)[:limit]


def _named(kind: Kind, rows: Iterable[tuple[datetime | None, int, int]]) -> list[Due]:
    return [Due(at, kind, row, version) for at, row, version in rows if at is not None]
