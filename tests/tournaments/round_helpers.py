"""Rounds ended as a test needs them: places by table, any tie, any order."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from tests.tournaments.helpers import finish, next_round, open_tables, started, terms
from tournaments.models import (
    Entry,
    EntryState,
    Placing,
    Round,
    RoundTable,
    Shape,
    TableKind,
    Tournament,
)
from tournaments.structure.rounds import Advance


def knock_out(
    entrants: int, advance: Advance, *, format_name: str = "points", **changes: Any
) -> Tournament:
    """A running knock-out, its first round open."""
    wanted = terms(format_name, advance=advance, **changes)
    tournament = started(Shape.KNOCKOUT, entrants, terms=wanted)
    next_round(tournament)
    return tournament


def tie_breaks(tournament: Tournament) -> list[RoundTable]:
    """The tie-break tables being played."""
    return [table for table in open_tables(tournament) if table.kind == TableKind.TIE_BREAK]


def numbers_at(table: RoundTable) -> list[int]:
    """Entries' numbers in the order of seats."""
    return list(table.placings.order_by("seat").values_list("entry__number", flat=True))


def going_on(round_row: Round) -> list[int]:
    """Numbers of the entries that go on from a round."""
    placings = Placing.objects.filter(table__round=round_row, goes_on=True)
    found = placings.exclude(table__kind=TableKind.TIE_BREAK)
    return sorted(found.values_list("entry__number", flat=True))


def state_of(entry: Entry) -> str:
    """The entry's state as it is stored."""
    return Entry.objects.values_list("state", flat=True).get(pk=entry.pk)


def leave(entry: Entry) -> None:
    """The player has left the tournament, wherever he sits."""
    Entry.objects.filter(pk=entry.pk).update(state=EntryState.WITHDRAWN)


def finish_any(table: RoundTable, chance: random.Random) -> None:
    """End a table with random places, ties included, and scores that go with them."""
    size = table.placings.count()
    levels = sorted(chance.randint(0, size) for _ in range(size))
    places = tuple(1 + sum(other < level for other in levels) for level in levels)
    order = list(range(size))
    chance.shuffle(order)
    finish(
        table,
        *(20 * levels[at] for at in order),
        places=tuple(places[at] for at in order),
    )


def check_open_rounds(tournament: Tournament) -> None:
    """Nobody is at two open tables, nobody at two tables of a round that are no tie-breaks."""
    seats = Placing.objects.filter(table__round__tournament=tournament)
    playing = Counter(seats.filter(table__is_over=False).values_list("entry", flat=True))
    assert set(playing.values()) <= {1}
    plays = seats.exclude(table__kind=TableKind.TIE_BREAK).values_list("table__round", "entry")
    assert set(Counter(plays).values()) <= {1}


def play_out(tournament: Tournament, chance: random.Random) -> int:
    """Finish open tables in any order until nothing opens; how many tables there were."""
    tables = 0
    while True:
        check_open_rounds(tournament)
        waiting = open_tables(tournament)
        if not waiting:
            if next_round(tournament) is None and not open_tables(tournament):
                return tables
            continue
        finish_any(chance.choice(waiting), chance)
        tables += 1
        next_round(tournament)
