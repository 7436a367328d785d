"""Who sits where now, for a list on the wall, and the score sheet of a table."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Prefetch

from tournaments.errors import TournamentCode, TournamentRefusal
from tournaments.models import Placing, RoundTable, TableKind, Tournament
from tournaments.play import sheets
from tournaments.selectors.lists import player_name, tournament_named


class SeatedTable(NamedTuple):
    """A table that is being played; `names` are its players in the order of the seats."""

    round: int
    number: int
    kind: str
    address: str
    """The public id of the table, for its pages."""
    names: tuple[str, ...]


class SeatingList(NamedTuple):
    """The tables of a tournament that are being played."""

    tournament: Tournament
    tables: tuple[SeatedTable, ...]


def seating_list(public_id: str) -> SeatingList:
    """Everybody's table and seat now. Three queries, whatever the number of tables.

    Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`.
    """
    tournament = tournament_named(public_id)
    placings = Placing.objects.select_related("entry__player").order_by("seat")
    tables = (
        RoundTable.objects.filter(round__tournament=tournament, is_over=False)
        .select_related("round", "match__table")
        .prefetch_related(Prefetch("placings", placings))
        .order_by("round__number", "number")
    )
    return SeatingList(
        tournament,
        tuple(
            SeatedTable(
                table.round.number,
                table.number,
                "" if table.kind == TableKind.PLAY else table.get_kind_display(),
                table.match.table.public_id,
                tuple(player_name(placing.entry) for placing in table.placings.all()),
            )
            for table in tables
        ),
    )


def score_sheet(table_id: int) -> sheets.Sheet:
    """The sheet of a table: players, deals so far, totals, what is asked, what may be written.

    Raises `TournamentRefusal(UNKNOWN_TABLE)`.
    """
    match_id = RoundTable.objects.filter(pk=table_id).values_list("match_id", flat=True).first()
    if match_id is None:
        raise TournamentRefusal(
            TournamentCode.UNKNOWN_TABLE, "There is no such table.", field="table"
        )
    return sheets.sheet_of(match_id)
