"""Rounds and brackets as they stand at this moment: scores of open tables, who goes on, ties.

What a table that is over has brought stands in its rows; what one that is played shows is read out
of its match's log. The number of queries does not depend on how many tables there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Prefetch

from tournaments import play
from tournaments.brackets import bracket_of, entries_by_seed
from tournaments.models import Entry, Placing, RoundTable, Shape, TableKind
from tournaments.selectors.lists import player_name, tournament_named, unknown
from tournaments.selectors.live_lines import (
    LiveBracket,
    LivePairing,
    LiveRound,
    LiveSeat,
    LiveTable,
    Status,
)
from tournaments.structure.bracket import Pairing

TABLES_A_PAGE: Final = 50


def live_round(public_id: str, number: int, page: str | int = 1) -> LiveRound:
    """A round's tables with the scores of this moment, in pages.

    Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`, for a round that is not there too.
    """
    tournament = tournament_named(public_id)
    found = tournament.rounds.filter(number=number).first()
    if found is None:
        raise unknown()
    rows = Paginator(_tables().filter(round=found).order_by("number"), TABLES_A_PAGE).get_page(page)
    return LiveRound(
        tournament=tournament,
        number=number,
        is_closed=found.closed_at is not None,
        places=found.places,
        tables=tuple(_live_tables(rows)),
        page=rows,
    )


def live_bracket(public_id: str) -> LiveBracket:
    """A heads-up bracket with every pairing, played or not.

    Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`, for another shape and before the draw too.
    """
    tournament = tournament_named(public_id)
    seeded = entries_by_seed(tournament, with_players=True)
    if tournament.shape != Shape.HEADS_UP or len(seeded) < 2:
        raise unknown()
    bracket = bracket_of(tournament)
    rows = list(_tables().filter(round__tournament=tournament).exclude(kind=TableKind.TIE_BREAK))
    tables = {
        (row.round.number, row.number): live
        for row, live in zip(rows, _live_tables(rows), strict=True)
    }
    numbers = range(1, bracket.rounds + 1)
    return LiveBracket(
        tournament=tournament,
        rounds=tuple(
            tuple(_pairing(p, seeded, tables) for p in bracket.pairings(number))
            for number in numbers
        ),
        is_over=bracket.is_over,
    )


def _tables() -> Any:
    placings = Placing.objects.select_related("entry__player").order_by("seat")
    return RoundTable.objects.select_related("round", "match__table", "decides").prefetch_related(
        Prefetch("placings", queryset=placings)
    )


def _live_tables(rows: Iterable[RoundTable]) -> list[LiveTable]:
    rows = list(rows)
    scores = play.live_scores([row.match_id for row in rows if not row.is_over])
    return [_live_table(row, scores.get(row.match_id, {})) for row in rows]


def _live_table(row: RoundTable, scores: Mapping[int, play.LiveScore]) -> LiveTable:
    placings = list(row.placings.all())
    seats = [_live_seat(placing, scores.get(placing.seat)) for placing in placings]
    return LiveTable(
        number=row.number,
        address=row.match.table.public_id,
        kind=TableKind(row.kind),
        status=_status(row, placings),
        places=row.places,
        stage=row.stage,
        decides=None if row.decides is None else row.decides.number,
        seats=tuple(sorted(seats, key=lambda seat: (seat.place or len(seats) + 1, seat.seat))),
    )


def _status(row: RoundTable, placings: Sequence[Placing]) -> Status:
    if not row.is_over:
        return Status.PLAYING
    is_tied = any(placing.is_tied for placing in placings) and row.kind != TableKind.TIE_BREAK
    return Status.TIED if is_tied else Status.OVER


def _live_seat(placing: Placing, now: play.LiveScore | None) -> LiveSeat:
    entry = placing.entry
    return LiveSeat(
        entry_id=entry.pk,
        name=player_name(entry),
        seat=placing.seat,
        seed=entry.seed,
        place=placing.place if now is None else now.place,
        score=placing.score if now is None else now.score,
        still_in=now is None or now.still_in,
        goes_on=placing.goes_on,
        is_tied=placing.is_tied,
    )


def _pairing(
    pairing: Pairing,
    seeded: Mapping[int, Entry],
    tables: Mapping[tuple[int, int], LiveTable],
) -> LivePairing:
    table = tables.get((pairing.round, pairing.match_index + 1))
    not_open = Status.BYE if pairing.is_bye else Status.WAITING
    seats = {} if table is None else {seat.seed: seat for seat in table.seats}
    first, second = (
        None if seed is None else seats.get(seed) or _known(seeded[seed])
        for seed in (pairing.first, pairing.second)
    )
    return LivePairing(
        round_number=pairing.round,
        number=pairing.match_index + 1,
        status=not_open if table is None else table.status,
        is_third_place=pairing.is_third_place,
        first=first,
        second=second,
        winner_seed=pairing.winner,
        address="" if table is None else table.address,
    )


def _known(entry: Entry) -> LiveSeat:
    """A player who waits for his opponent."""
    return LiveSeat(
        entry_id=entry.pk,
        name=player_name(entry),
        seat=0,
        seed=entry.seed,
        place=None,
        score=None,
        still_in=True,
        goes_on=False,
        is_tied=False,
    )
