"""Who stands where on a waitlist: by joining, then by entry (rule 7)."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, OuterRef, Q, Subquery

from tournaments.models import Entry, EntryState


def _up_to(tournament: Any, joined_at: Any, pk: Any) -> Any:
    """Those who wait in a tournament, up to this entry and with it."""
    ahead = Q(joined_at__lt=joined_at) | Q(joined_at=joined_at, pk__lte=pk)
    return Entry.objects.filter(ahead, tournament=tournament, state=EntryState.WAITING)


def place_of(entry: Entry) -> int:
    """The place of an entry that waits, from 1. One query."""
    place: int = _up_to(entry.tournament_id, entry.joined_at, entry.pk).count()
    return place


def place_in_line() -> Subquery:
    """The same within a query of entries; nothing where nobody waits up to there."""
    ahead = _up_to(OuterRef("tournament"), OuterRef("joined_at"), OuterRef("pk"))
    return Subquery(ahead.order_by().values("tournament").annotate(n=Count("pk")).values("n"))
