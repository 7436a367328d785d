"""What a tournament's tables do now, and who sits at them: for its control room."""

from __future__ import annotations

from tables.floor import (
    Floor,
    FloorSeat,
    MatchStatus,
    Missing,
    Phase,
    Said,
    chat_of,
    floors_of,
    seated_at,
)
from tables.floor import missing_at as _missing_at
from tables.floor import stamp_of as _stamp_of
from tournaments.models import Tournament
from tournaments.play.tables import owner_of

__all__ = [
    "Floor",
    "FloorSeat",
    "MatchStatus",
    "Missing",
    "Phase",
    "Said",
    "chat_of",
    "floors_of",
    "missing_at",
    "seated_at",
    "stamp_of",
]


def missing_at(tournament: Tournament, limit: int) -> tuple[int, list[Missing]]:
    """How many players are not at their open tables, and up to `limit` of them. Two queries."""
    return _missing_at(owner_of(tournament), limit)


def stamp_of(tournament: Tournament) -> tuple[int, ...]:
    """Numbers that differ after anything happened in a tournament or at its tables."""
    return (tournament.changes, *_stamp_of(owner_of(tournament)))
