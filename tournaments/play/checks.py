"""What was played at a tournament's tables, and whether anything is wrong there."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import NamedTuple

from tables import owner_check, selectors
from tables.owner_check import Tally
from tables.rules.formats import LevelFormat, RejoinAnswered
from tournaments.models import Tournament
from tournaments.play.tables import owner_of

__all__ = ["Brought", "Tally", "brought_to", "last_moment", "table_faults", "tally"]


def tally(tournament: Tournament) -> Tally:
    """How many matches, deals and commands were played."""
    return owner_check.tally_of(owner_of(tournament))


def last_moment(tournament: Tournament, match_id: int | None = None) -> datetime | None:
    """When something last happened at its tables, or in one match of them."""
    return owner_check.last_moment(owner_of(tournament), match_id)


class Brought(NamedTuple):
    """Chips that a seat of a timed level's table began with, and the re-buys it made there."""

    chips: int
    rebuys: int


def brought_to(match_id: int) -> dict[int, Brought]:
    """What each seat of a level's table brought. Empty for another kind of table."""
    game = selectors.game_of(match_id)
    opening = game.opening
    if not isinstance(opening.format, LevelFormat):
        return {}
    bought = Counter(
        entry.seat for entry in game.kept if isinstance(entry, RejoinAnswered) and entry.comes_back
    )
    stacks = zip(opening.seats, opening.format.stacks, strict=True)
    return {seat: Brought(chips, bought[seat]) for seat, chips in stacks}


def table_faults(tournament: Tournament) -> tuple[str, ...]:
    """What is wrong with its matches and deals, every log replayed; nothing in sound ones."""
    return tuple(owner_check.faults_at(owner_of(tournament)))
