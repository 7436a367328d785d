"""Seats as they were drawn, before staff moved players to other tables.

A draw is checked against where it put people. Each move is a decision that tells how its two tables
were seated before, so the seats of the draw are found by undoing the moves, the last one first.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.lots import Seated
from tournaments.models import Decision, DecisionKind, TableKind, Tournament


def as_drawn(tournament: Tournament, seated: Sequence[Seated]) -> list[Seated]:
    """The seats of these rounds without the moves since, in order. One query."""
    moves = Decision.objects.filter(tournament=tournament, kind=DecisionKind.MOVED)
    found = list(seated)
    for before in moves.order_by("-pk").values_list("before", flat=True):
        for number, entries in before["seats"].items():
            found = _seated_as(found, before["round"], int(number), entries)
    return sorted(found, key=lambda seat: (seat.round_number, seat.table, seat.seat))


def _seated_as(
    seated: Sequence[Seated], round_number: int, table: int, entries: Sequence[int]
) -> list[Seated]:
    others = [s for s in seated if (s.round_number, s.table) != (round_number, table)]
    if len(others) == len(seated):
        return others  # the round was discarded since, or is not asked about
    drawn = [
        Seated(round_number, table, seat, entry, TableKind.PLAY, 0, None)
        for seat, entry in enumerate(entries)
    ]
    return [*others, *drawn]
