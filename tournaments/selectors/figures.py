"""Figures for the desk's first page, day by day, each in a fixed number of queries.

`which` is a filter of tournaments, such as `tournaments.access.organised_by`. Days are UTC's.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import NamedTuple

from django.db.models import Count, Q
from django.db.models.functions import TruncDate

from tournaments.models import Entry, EntryNote, NoteKind, RoundTable, Tournament
from tournaments.structure.lifecycle import State

_LIVE = (State.RUNNING, State.PAUSED)
_OUT = (NoteKind.NO_SHOW, NoteKind.REMOVED)


class InPlay(NamedTuple):
    """A tournament that runs, and how many of its tables are open."""

    name: str
    public_id: str
    state: str
    tables: int


def entries_by_day(which: Q, *, since: datetime) -> dict[date, int]:
    """Who joined on each day, withdrawn or not. One query."""
    joined = Entry.objects.filter(tournament__in=_of(which), joined_at__gte=since)
    return _counted(joined.annotate(day=TruncDate("joined_at")).order_by().values_list("day"))


def drop_outs_by_day(which: Q, *, since: datetime) -> dict[date, int]:
    """Who left in the middle, did not come, or was taken out, on each day. Two queries."""
    left = Entry.objects.filter(tournament__in=_of(which), left_at__gte=since)
    days = _counted(left.annotate(day=TruncDate("left_at")).order_by().values_list("day"))
    notes = EntryNote.objects.filter(entry__tournament__in=_of(which), kind__in=_OUT, at__gte=since)
    more = _counted(notes.annotate(day=TruncDate("at")).order_by().values_list("day"))
    return {day: days.get(day, 0) + more.get(day, 0) for day in {*days, *more}}


def in_play(which: Q, *, limit: int) -> list[InPlay]:
    """Tournaments that run, those with most open tables first. One query."""
    open_tables = Count("rounds__tables", filter=Q(rounds__tables__is_over=False))
    found = Tournament.objects.filter(which, state__in=_LIVE).annotate(tables=open_tables)
    rows = found.order_by("-tables", "-pk").values_list("name", "public_id", "state", "tables")
    return [InPlay(*row) for row in rows[:limit]]


def tables_in_play(which: Q) -> int:
    """How many tables are open. One query."""
    found = RoundTable.objects.filter(is_over=False, round__tournament__state__in=_LIVE)
    return found.filter(round__tournament__in=_of(which)).count()


def by_state(which: Q) -> dict[str, int]:
    """How many tournaments there are in each state. One query."""
    rows = Tournament.objects.filter(which).order_by().values_list("state")
    return dict(rows.annotate(number=Count("pk")))


def notes_of(player_id: int, *, limit: int) -> list[EntryNote]:
    """What staff did to a player's entries, the newest first. One query."""
    found = EntryNote.objects.filter(entry__player=player_id)
    return list(found.select_related("entry__tournament").order_by("-pk")[:limit])


def _of(which: Q) -> Iterable[Tournament]:
    return Tournament.objects.filter(which).values("pk")  # type: ignore[return-value]


def _counted(rows: object) -> dict[date, int]:
    return dict(rows.annotate(number=Count("pk")))  # type: ignore[attr-defined]
