"""Taking in the results of tables, and closing the rounds that are over by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
from django.db.models import Count

from tournaments import money, people, play
from tournaments.models import (
    EntryState,
    Placing,
    Round,
    RoundTable,
    TableKind,
    Tournament,
)
from tournaments.services import coming_back, fates, tie_breaks
from tournaments.structure.deciding import Division, by_place, divide, over_all_chain
from tournaments.structure.rounds import BestOverall
from tournaments.structure.standings import ranking, standings
from tournaments.structure.tiebreaks import Record, RoundScore


def take_result(
    *,
    tournament: Tournament,
    table: RoundTable,
    results: Mapping[int, play.SeatResult],
    split_weights: Sequence[tuple[int, int]] | None,
    now: datetime,
) -> None:
    """Enter a finished table; the caller holds the tournament's lock.

    Its best go on, those level on the place that decides wait for a tie-break, the others are out.
    Where the best of all tables go on, the last table of the round decides. Whoever has left the
    tournament goes on in no case. A table that reports twice is entered once.
    """
    if table.is_over:
        return
    placings = list(table.placings.select_related("entry").order_by("seat"))
    for placing in placings:
        result = results[placing.seat]
        placing.place, placing.score, placing.margin = result.place, result.score, result.margin
    table.is_over = True
    if split_weights is not None:
        table.split_weights = msgspec.json.encode(split_weights).decode()
    table.save(update_fields=["is_over", "split_weights"])
    people.calls_over(tournament, table.pk)
    out = _cut_table(tournament, table, placings)
    fates.save(placings, "place", "score", "margin")
    fates.knock_out(tournament, table.round.number, out)
    if table.kind == TableKind.TIE_BREAK:
        tie_breaks.take_stage(tournament, table)
    elif play.plays_for_chips(play.terms_of(tournament)):
        money.retire_chips(
            tournament=tournament,
            match_id=table.match_id,
            entry_ids=[placing.entry_id for placing in placings],
            now=now,
        )
    tournament.is_due = True
    tournament.save(update_fields=["is_due"])
    close_if_over(tournament, table.round, now=now)
    coming_back.give_back(tournament, now=now)


def _cut_table(
    tournament: Tournament, table: RoundTable, placings: Sequence[Placing]
) -> Sequence[int]:
    """Note who goes on and who is tied, where this table alone decides it; gives who is out."""
    places = places_of(tournament, table)
    if places is None or table.kind == TableKind.TIE_BREAK:
        return ()
    gone = fates.gone_of(tournament, placings)
    ranked = by_place([(placing.entry_id, placing.place or 0) for placing in placings])
    found = _winners(ranked, gone) if places == 0 else divide(ranked, places, gone)
    fates.mark(placings, found)
    if table.kind == TableKind.THIRD_PLACE:
        return [placing.entry_id for placing in placings if not placing.is_tied]
    return found.out


def _winners(ranked: Sequence[Sequence[int]], gone: set[int]) -> Division:
    """The first of a final, several if they tied: they share it. Who has left is not first."""
    best = next(
        (on for group in ranked if (on := tuple(e for e in group if e not in gone))), ranked[0]
    )
    out = tuple(entry for group in ranked for entry in group if entry not in best)
    return Division(tuple(best), (), 0, out)


def places_of(tournament: Tournament, table: RoundTable) -> int | None:
    """How many go on from a table; None where the best of all tables do."""
    if table.places is not None or table.round.places is not None:
        return table.places
    # A table that was opened before these were written down.
    return None if isinstance(play.terms_of(tournament).advance, BestOverall) else 1


def close_if_over(tournament: Tournament, round_row: Round, *, now: datetime) -> bool:
    """Close a round that is played out: every table, every tie-break; whether it is closed.

    Where the best of all tables go on, this is where the round is cut.
    """
    if round_row.closed_at is not None:
        return True
    if round_row.tables.filter(is_over=False).exists():
        return False
    played = round_row.tables.exclude(kind=TableKind.TIE_BREAK)
    counted = played.aggregate(all=Count("id"), of_table=Count("places"))
    if counted["all"] < max(1, round_row.tables_planned or 0):
        return False
    if round_row.places and counted["of_table"] < counted["all"]:
        _cut_round(tournament, round_row)
    tied = Placing.objects.filter(table__round=round_row, is_tied=True)
    if tied.exclude(table__kind=TableKind.TIE_BREAK).exists():
        return False
    round_row.closed_at = now
    round_row.save(update_fields=["closed_at"])
    coming_back.give_back(tournament, now=now)
    return True


def _cut_round(tournament: Tournament, round_row: Round) -> None:
    """Divide a round over all its tables, unless that is done already."""
    placings = list(
        Placing.objects.filter(table__round=round_row, table__kind=TableKind.PLAY).select_related(
            "entry"
        )
    )
    if any(placing.goes_on or placing.is_tied for placing in placings):
        return
    terms = play.terms_of(tournament)
    rule = over_all_chain(
        play.measure_of(terms),
        by_table_place=not play.plays_for_chips(terms),
        rounds=round_row.number,
    )
    ranked = ranking(standings(_records(tournament, round_row, placings), rule))
    gone = {p.entry_id for p in placings if p.entry.state != EntryState.PLAYING}
    found = divide(ranked, round_row.places or 0, gone)
    fates.mark(placings, found)
    fates.write(placings)
    fates.knock_out(tournament, round_row.number, found.out)


def _records(tournament: Tournament, round_row: Round, placings: Sequence[Placing]) -> list[Record]:
    """What those of a round have scored in it and in the rounds before. One query."""
    rows = Placing.objects.filter(
        table__round__tournament=tournament,
        table__round__number__lte=round_row.number,
        table__kind=TableKind.PLAY,
    ).values_list("entry_id", "table__round__number", "score", "place")
    scores: dict[int, dict[int, RoundScore]] = {placing.entry_id: {} for placing in placings}
    for entry, number, score, place in rows:
        if entry in scores:
            scores[entry][number] = RoundScore(max(0, score or 0), place)
    numbers = range(1, round_row.number + 1)
    return [
        Record(entry, round_row.number, tuple(rounds.get(number) for number in numbers))
        for entry, rounds in scores.items()
    ]
