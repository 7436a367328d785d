"""What a player is called to."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from tournaments.models import Call, EntryState, TableKind
from tournaments.structure.lifecycle import State

_CALLED_IN = (State.RUNNING, State.PAUSED)


class CallLine(NamedTuple):
    """A table that waits for the player; `table` is its name in addresses."""

    call_id: int
    tournament: str
    tournament_name: str
    round_number: int
    table_number: int
    table: str
    is_tie_break: bool
    at: datetime


def calls_of(player_id: int) -> tuple[CallLine, ...]:
    """The tables being played that a player is called to, the latest call first. One query.

    None of a tournament he has left, nor of one that is over.
    """
    calls = Call.objects.filter(
        entry__player_id=player_id,
        entry__state=EntryState.PLAYING,
        table__is_over=False,
        table__round__tournament__state__in=_CALLED_IN,
    ).select_related("table__round__tournament", "table__match__table")
    return tuple(map(_line, calls.order_by("-at", "-id")))


def _line(call: Call) -> CallLine:
    table = call.table
    tournament = table.round.tournament
    return CallLine(
        call_id=call.pk,
        tournament=tournament.public_id,
        tournament_name=tournament.name,
        round_number=table.round.number,
        table_number=table.number,
        table=table.match.table.public_id,
        is_tie_break=table.kind == TableKind.TIE_BREAK,
        at=call.at,
    )
