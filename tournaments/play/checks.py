"""What was played at a tournament's tables, and whether anything is wrong there."""

from __future__ import annotations

from datetime import datetime

from tables import owner_check
from tables.owner_check import Tally
from tournaments.models import Tournament
from tournaments.play.tables import owner_of

__all__ = ["Tally", "last_moment", "table_faults", "tally"]


def tally(tournament: Tournament) -> Tally:
    """How many matches, deals and commands were played."""
    return owner_check.tally_of(owner_of(tournament))


def last_moment(tournament: Tournament, match_id: int | None = None) -> datetime | None:
    """When something last happened at its tables, or in one match of them."""
    return owner_check.last_moment(owner_of(tournament), match_id)


def table_faults(tournament: Tournament) -> tuple[str, ...]:
    """What is wrong with its matches and deals, every log replayed; nothing in sound ones."""
    return tuple(owner_check.faults_at(owner_of(tournament)))
