"""Reading quick tables: where somebody sits, and whether his table has begun."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet

from tournaments.models import HOLDS_A_SEAT, Entry, EntryState, Placing, QuickTable, Tournament
from tournaments.structure.lifecycle import State

_OPEN = (State.REGISTERING, State.CLOSED, State.RUNNING, State.PAUSED)


class QuickSeat(NamedTuple):
    """A player's seat; `taken` of `seats` are, `table` names the table once it has begun."""

    tournament: Tournament
    kind_id: int
    with_bots: bool
    taken: int
    table: str

    @property
    def seats(self) -> int:
        """How many the table has."""
        return self.tournament.capacity

    @property
    def is_waiting(self) -> bool:
        """Whether it still waits for players."""
        return self.tournament.state in (State.REGISTERING, State.CLOSED)

    @property
    def has_begun(self) -> bool:
        """Whether there is a table to go to."""
        return bool(self.table)


def open_seats_of(player_id: int) -> list[QuickSeat]:
    """The quick tables at which a player sits, those that wait and those being played."""
    return _seats(
        player_id,
        _tables().filter(tournament__state__in=_OPEN),
        (EntryState.ENTERED, EntryState.PLAYING),
    )


def seat_of(public_id: str, player_id: int) -> QuickSeat | None:
    """A player's seat at one quick table, whatever became of it; None without one."""
    states = (*HOLDS_A_SEAT, EntryState.WITHDRAWN)
    found = _seats(player_id, _tables().filter(tournament__public_id=public_id), states)
    return found[0] if found else None


def _tables() -> QuerySet[Any]:
    taken = Count("tournament__entries", filter=Q(tournament__entries__state__in=HOLDS_A_SEAT))
    return QuickTable.objects.select_related("tournament").annotate(taken=taken)


def _seats(player_id: int, rows: QuerySet[Any], states: tuple[EntryState, ...]) -> list[QuickSeat]:
    """Two queries, however many seats."""
    mine = Entry.objects.filter(player_id=player_id, state__in=states)
    found = list(rows.filter(tournament__in=mine.values("tournament")).order_by("-pk"))
    named = dict(
        Placing.objects.filter(
            entry__player_id=player_id,
            entry__tournament__in=[row.tournament_id for row in found],
        ).values_list("entry__tournament_id", "table__match__table__public_id")
    )
    return [
        QuickSeat(
            row.tournament,
            row.kind_id,
            row.with_bots,
            row.taken,
            named.get(row.tournament_id, ""),
        )
        for row in found
    ]
