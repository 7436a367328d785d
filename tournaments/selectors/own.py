"""All entries of one player, for himself to take along, and whether any still binds him."""

from __future__ import annotations

from typing import Any

from tournaments.models import HOLDS_A_SEAT, Entry, EntryState, Placing
from tournaments.structure.lifecycle import State

_OPEN = (*HOLDS_A_SEAT, EntryState.APPLIED, EntryState.WAITING)
_OVER = (State.COMPLETED, State.CANCELLED, State.ABORTED)


def entries_of(player_id: int) -> list[dict[str, Any]]:
    """What he ever entered, the oldest first. One query."""
    rows = (
        Entry.objects.filter(player_id=player_id)
        .order_by("pk")
        .values(
            "tournament__public_id",
            "tournament__name",
            "number",
            "state",
            "joined_at",
            "rejoins",
            "rank",
            "reason",
            "prize",
            "prize_reason",
        )
    )
    return [dict(row) for row in rows]


def state_words(state: str) -> str:
    """What such a state of an entry is called."""
    return str(EntryState(state).label)


def all_matches_of(player_id: int) -> list[int]:
    """Every match he had a seat in, the oldest first. One query."""
    rows = Placing.objects.filter(entry__player_id=player_id, table__match_id__isnull=False)
    return list(rows.order_by("table_id").values_list("table__match_id", flat=True).distinct())


def bound_by(player_id: int) -> str:
    """The name of a tournament that is not over and that he is in; empty if there is none."""
    rows = Entry.objects.filter(player_id=player_id, state__in=_OPEN)
    open_ones = rows.exclude(tournament__state__in=_OVER)
    return open_ones.values_list("tournament__name", flat=True).first() or ""
