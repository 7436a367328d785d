"""What a live round or bracket is made of: tables, seats and pairings as they stand."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from django.core.paginator import Page

from tournaments.models import RoundTable, TableKind, Tournament
from tournaments.structure.sections import Section


class Status(StrEnum):
    """Where a table or pairing stands."""

    WAITING = "waiting"
    """One of its players is not known yet."""
    PLAYING = "playing"
    TIED = "tied"
    """Over, and a tie-break decides."""
    OVER = "over"
    BYE = "bye"


class LiveSeat(NamedTuple):
    """A player at a table. `place` and `score` are as of now, None before the first deal."""

    entry_id: int
    name: str
    seat: int
    seed: int | None
    place: int | None
    score: int | None
    still_in: bool
    goes_on: bool
    is_tied: bool


class LiveTable(NamedTuple):
    """A table with its players, best placed first; `places` go on from it, None: over all.

    A tie-break names the table whose places it decides, None for those over all tables.
    """

    number: int
    address: str
    kind: TableKind
    status: Status
    places: int | None
    stage: int
    decides: int | None
    seats: tuple[LiveSeat, ...]


class LiveRound(NamedTuple):
    """A page of a round's tables; tie-breaks come after the tables they belong to are over."""

    tournament: Tournament
    number: int
    is_closed: bool
    places: int | None
    tables: tuple[LiveTable, ...]
    page: Page[RoundTable]


class LivePairing(NamedTuple):
    """A match of a bracket: its two players as far as they are known."""

    round_number: int
    number: int
    status: Status
    is_third_place: bool
    first: LiveSeat | None
    second: LiveSeat | None
    winner_seed: int | None
    address: str


class LiveBracket(NamedTuple):
    """All pairings by round, or those of one section of a large bracket."""

    tournament: Tournament
    shown: Section[LivePairing]
    is_over: bool
    round_count: int
    section: int
    """Which of `sections` is shown; 0 for all pairings."""
    sections: int

    @property
    def rounds(self) -> tuple[tuple[LivePairing, ...], ...]:
        """The pairings shown, by round."""
        return self.shown.rounds
