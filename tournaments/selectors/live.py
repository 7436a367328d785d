"""Rounds and brackets as they stand at this moment: scores of open tables, who goes on, ties.

What a table that is over has brought stands in its rows; what one that is played shows is read out
of its match's log. The number of queries does not depend on how many tables there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Q

from tournaments import play
from tournaments.brackets import bracket_of, entries_by_seed, seeded
from tournaments.models import Entry, Placing, RoundTable, Shape, TableKind, Tournament
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
from tournaments.structure.sections import FEW, Section, section_of, sections_of

TABLES_A_PAGE: Final = 50


def live_round(public_id: str, number: int, page: str | int = 1) -> LiveRound:
    """A round's tables with the scores of this moment, in pages.

    Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`, for a round that is not there too.
    """
    tournament = tournament_named(public_id)
    found = tournament.rounds.filter(number=number).first()
    if found is None:
        raise unknown()
    tables = RoundTable.objects.select_related("match__table", "decides").filter(round=found)
    rows = Paginator(tables.order_by("number"), TABLES_A_PAGE).get_page(page)
    return LiveRound(
        tournament=tournament,
        number=number,
        is_closed=found.closed_at is not None,
        places=found.places,
        tables=tuple(_live_tables(rows)),
        page=rows,
    )


def live_bracket(public_id: str, section: int | None = None) -> LiveBracket:
    """A heads-up bracket with every pairing, played or not; or one section of it, 0 for the last.

    What has too many sections to be shown whole is shown by its last one.

    Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`, for another shape and before the draw too.
    """
    tournament = tournament_named(public_id)
    if tournament.shape != Shape.HEADS_UP or seeded(tournament) < 2:
        raise unknown()
    bracket = bracket_of(tournament)
    whole = [tuple(bracket.pairings(number)) for number in range(1, bracket.rounds + 1)]
    sections = sections_of(len(whole[0]))
    if section is None and sections > FEW:
        section = sections
    number = 0 if section is None else min(section or sections, sections)
    part = section_of(whole, number) if number else Section(1, tuple(whole))
    shown = [pairing for pairings in part.rounds for pairing in pairings]
    seeds = {seed for one in shown for seed in (one.first, one.second) if seed is not None}
    entries = entries_by_seed(tournament, seeds=seeds if number else None, with_players=True)
    tables = _tables_of(tournament, shown if number else None)
    return LiveBracket(
        tournament=tournament,
        shown=Section(
            part.first_round,
            tuple(
                tuple(_pairing(p, entries, tables) for p in pairings) for pairings in part.rounds
            ),
        ),
        is_over=bracket.is_over,
        round_count=bracket.rounds,
        section=number,
        sections=sections,
    )


def _tables_of(
    tournament: Tournament, shown: Sequence[Pairing] | None
) -> dict[tuple[int, int], LiveTable]:
    """Tables by round and number: those of some pairings, or all."""
    rows = RoundTable.objects.filter(round__tournament=tournament)
    rows = rows.exclude(kind=TableKind.TIE_BREAK)
    if shown is not None:
        wanted = Q(pk__in=())
        for number, at in groupby(shown, lambda pairing: pairing.round):
            wanted |= Q(round__number=number, number__in=[one.match_index + 1 for one in at])
        rows = rows.filter(wanted)
    found = list(rows.select_related("match__table", "decides", "round"))
    live = _live_tables(found)
    return {(row.round.number, row.number): one for row, one in zip(found, live, strict=True)}


def _live_tables(rows: Iterable[RoundTable]) -> list[LiveTable]:
    """Tables with their players. Three queries, fewer where none is played."""
    rows = list(rows)
    scores = play.live_scores([row.match_id for row in rows if not row.is_over])
    seats = _seats_at([row.pk for row in rows])
    return [_live_table(row, seats[row.pk], scores.get(row.match_id, {})) for row in rows]


def _seats_at(tables: Sequence[int]) -> dict[int, list[LiveSeat]]:
    """Who sits at tables as their rows have it. Plain values: they are many, and only shown."""
    found: dict[int, list[LiveSeat]] = {table: [] for table in tables}
    placings = Placing.objects.filter(table__in=tables).order_by("table", "seat")
    rows: Any = placings.values_list(
        "table_id",
        "entry__player__first_name",
        "entry__player__last_name",
        "entry__player__username",
        "entry_id",
        "seat",
        "entry__seed",
        "place",
        "score",
        "goes_on",
        "is_tied",
    )
    for table, first, last, log_in, entry, seat, seed, place, score, goes_on, is_tied in rows:
        name = f"{first} {last}".strip() or log_in  # as `player_name` has it
        found[table].append(LiveSeat(entry, name, seat, seed, place, score, True, goes_on, is_tied))
    return found


def _live_table(
    row: RoundTable, seats: Sequence[LiveSeat], scores: Mapping[int, play.LiveScore]
) -> LiveTable:
    seats = [_as_of_now(seat, scores.get(seat.seat)) for seat in seats]
    return LiveTable(
        number=row.number,
        address=row.match.table.public_id,
        kind=TableKind(row.kind),
        status=_status(row, seats),
        places=row.places,
        stage=row.stage,
        decides=None if row.decides is None else row.decides.number,
        seats=tuple(sorted(seats, key=lambda seat: (seat.place or len(seats) + 1, seat.seat))),
    )


def _status(row: RoundTable, seats: Sequence[LiveSeat]) -> Status:
    if not row.is_over:
        return Status.PLAYING
    is_tied = any(seat.is_tied for seat in seats) and row.kind != TableKind.TIE_BREAK
    return Status.TIED if is_tied else Status.OVER


def _as_of_now(seat: LiveSeat, now: play.LiveScore | None) -> LiveSeat:
    """With what the log of the match says, for a table that is being played."""
    if now is None:
        return seat
    return seat._replace(place=now.place, score=now.score, still_in=now.still_in)


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
