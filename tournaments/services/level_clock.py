"""The time of levels while the whole site stands still: it is charged to nobody."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import OuterRef, Subquery

from tournaments.models import Round, Shape, Tournament
from tournaments.services.levels import pauses_of
from tournaments.structure.levels import Pauses, seconds_of_play
from tournaments.structure.lifecycle import State


def move_on(*, since: datetime, until: datetime) -> None:
    """Let the last level of each tournament under way begin, and end, later by what stood still.

    In a transaction that locks the tournaments first, as a ruling does. A pause gives its own time
    back by itself.
    """
    newest = Round.objects.filter(tournament=OuterRef("pk")).order_by("-number").values("pk")[:1]
    running = Tournament.objects.filter(shape=Shape.LEVELS, state__in=(State.RUNNING, State.PAUSED))
    locked = running.select_for_update().order_by("pk").values_list("pk", flat=True)
    last = running.filter(pk__in=list(locked)).annotate(last=Subquery(newest)).values("last")
    for level in Round.objects.filter(pk__in=last).select_related("tournament").order_by("pk"):
        pauses = pauses_of(level.tournament)
        level.opened_at = _moved(level.opened_at, since, until, pauses)
        if level.closed_at is not None:
            level.closed_at = _moved(level.closed_at, since, until, pauses)
        level.save(update_fields=["opened_at", "closed_at"])


def _moved(at: datetime, since: datetime, until: datetime, pauses: Pauses) -> datetime:
    """From when as many seconds were played until `until` as from `at` until `since`."""
    if at >= until:
        return at
    played = seconds_of_play(at, since, pauses)
    moved = until - timedelta(seconds=played)
    while (missing := played - seconds_of_play(moved, until, pauses)) > 0:
        moved -= timedelta(seconds=missing)
    return moved
