"""Doing away with what was built on a result: later tables, tie-breaks, lots.

Matches stay as they were played, called off; the rows that seated people at them are deleted, and
whoever does this writes them into his decision. The caller holds the tournament's lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q

from tournaments import people, play
from tournaments.models import (
    Call,
    Entry,
    EntryState,
    Lot,
    Round,
    RoundTable,
    Shape,
    TableKind,
    Tournament,
)
from tournaments.money import desk as desk_money
from tournaments.play import desk as desk_tables


def built_on(tournament: Tournament, table: RoundTable) -> list[RoundTable]:
    """Tables that were opened on the strength of a table's result, the latest first."""
    later = RoundTable.objects.filter(round__tournament=tournament, pk__gt=table.pk)
    after = later.filter(round__number__gt=table.round.number)
    found = [*later.filter(_tie_breaks_of(table)).select_related("round")]
    for row in after.select_related("round"):
        if tournament.shape != Shape.HEADS_UP or _is_down_the_bracket(table, row.decides or row):
            found.append(row)
    return sorted(found, key=lambda row: row.pk, reverse=True)


def _tie_breaks_of(table: RoundTable) -> Q:
    same = Q(decides=None) | Q(decides__in=[table.pk, table.decides_id])
    return same & Q(round=table.round, kind=TableKind.TIE_BREAK, stage__gt=table.stage)


def _is_down_the_bracket(table: RoundTable, later: RoundTable) -> bool:
    """Whether a player comes to `later` by way of this table; a loser to the match for third."""
    if table.kind == TableKind.THIRD_PLACE:
        return False
    if later.kind == TableKind.THIRD_PLACE:
        return True
    rounds = later.round.number - table.round.number
    return (table.number - 1) >> rounds == later.number - 1


def discard(
    tournament: Tournament,
    table: RoundTable,
    later: Sequence[RoundTable],
    *,
    actor: str,
    now: datetime,
) -> None:
    """Do away with `later`, and with lots that were drawn about the table itself."""
    lots = Q(decides=None) | Q(decides__in=[table.pk, table.decides_id])
    Lot.objects.filter(lots, round=table.round).delete()
    for row in later:
        _discard(tournament, row, actor, now)
    if tournament.shape != Shape.HEADS_UP:
        gone = Round.objects.filter(tournament=tournament, number__gt=table.round.number)
        Lot.objects.filter(round__in=gone).delete()
        gone.delete()


def _discard(tournament: Tournament, table: RoundTable, actor: str, now: datetime) -> None:
    entries = list(table.placings.values_list("entry_id", flat=True))
    desk_tables.call_off(match_id=table.match_id, now=now)
    if table.kind != TableKind.TIE_BREAK and play.plays_for_chips(play.terms_of(tournament)):
        desk_money.renew_stacks(
            tournament=tournament,
            chips=dict.fromkeys(entries, 0),
            named=f"discarded:{table.match_id}",
            actor=actor,
            now=now,
        )
    Lot.objects.filter(decides=table).delete()
    Call.objects.filter(table=table).delete()
    people.calls_over(tournament, table.pk)
    table.placings.all().delete()
    table.delete()
    Round.objects.filter(pk=table.round_id).update(closed_at=None)
    beaten = Entry.objects.filter(pk__in=entries, state=EntryState.OUT, left="")
    beaten.update(state=EntryState.PLAYING)


def as_record(tables: Sequence[RoundTable]) -> list[dict[str, Any]]:
    """What is to be kept of tables before they are discarded, for a decision."""
    return [
        {
            "round": table.round.number,
            "table": table.number,
            "kind": table.kind,
            "match": table.match_id,
            "placings": list(
                table.placings.order_by("seat").values(
                    "entry__number", "seat", "place", "score", "goes_on", "is_tied"
                )
            ),
        }
        for table in tables
    ]
