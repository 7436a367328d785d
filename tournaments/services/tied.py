"""Who is tied for the same places, and how far their tie-breaks have come.

A *group* is who is tied for the places of one table, or of a round over all its tables. It is read
out of the rows anew each time, so that whatever was interrupted is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from django.db.models import Count, Q

from tournaments.models import Placing, Round, RoundTable, TableKind, Tournament

Key = tuple[int, int | None]
"""Round and table whose places are at stake, None for those over all tables."""


class Group(NamedTuple):
    """The tied of one group, with their seats at the tables where they tied."""

    round: Round
    table: RoundTable | None
    placings: list[Placing]
    places_left: int
    stages: tuple[int, ...]
    """How many tables each stage so far had."""

    @property
    def stage(self) -> int:
        """The number of the next stage."""
        return len(self.stages) + 1


def groups_due(tournament: Tournament) -> list[Group]:
    """Groups with tied players and no tie-break being played, in order. Three queries."""
    tied = tied_of(Q(table__round__tournament=tournament))
    keys = {_key(placing) for placing in tied}
    stages = stages_of(keys) if keys else {}
    is_played = {key for key, tables in stages.items() if not all(t.is_over for t in tables)}
    taken = taken_of(keys) if keys else {}
    groups = []
    for key, members in groupby(sorted(tied, key=_order), key=_key):
        if key not in is_played:
            groups.append(group_of(list(members), stages.get(key, []), taken.get(key, 0)))
    return groups


def tied_of(wanted: Q) -> list[Placing]:
    """Seats at which somebody tied and is tied still; tie-breaks' own seats aside."""
    rows = Placing.objects.filter(wanted, is_tied=True).exclude(table__kind=TableKind.TIE_BREAK)
    return list(rows.select_related("entry", "table__round"))


def _key(placing: Placing) -> Key:
    table = placing.table
    return table.round_id, None if table.places is None else table.pk


def _order(placing: Placing) -> tuple[int, int, int, int]:
    table = placing.table
    of_all = table.places is None
    return table.round.number, 0 if of_all else table.number, table.number, placing.seat


def stages_of(keys: Iterable[Key]) -> dict[Key, list[RoundTable]]:
    rounds = {round_id for round_id, _ in keys}
    rows = RoundTable.objects.filter(round__in=rounds, kind=TableKind.TIE_BREAK)
    found: dict[Key, list[RoundTable]] = {}
    for row in rows.order_by("number"):
        found.setdefault((row.round_id, row.decides_id), []).append(row)
    return found


def taken_of(keys: Iterable[Key]) -> dict[Key, int]:
    """How many places of each group are given already."""
    rounds = {round_id for round_id, _ in keys}
    rows = (
        Placing.objects.filter(table__round__in=rounds, goes_on=True)
        .exclude(table__kind=TableKind.TIE_BREAK)
        .order_by()
        .values_list("table__round", "table", "table__places")
        .annotate(Count("id"))
    )
    taken: Counter[Key] = Counter()
    for round_id, table_id, places, number in rows:
        taken[round_id, None if places is None else table_id] += number
    return dict(taken)


def group_of(placings: list[Placing], tables: Sequence[RoundTable], taken: int) -> Group:
    table = placings[0].table
    places = table.round.places if table.places is None else table.places
    by_stage = Counter(row.stage for row in tables)
    return Group(
        round=table.round,
        table=None if table.places is None else table,
        placings=placings,
        places_left=(places or 0) - taken,
        stages=tuple(by_stage[stage] for stage in sorted(by_stage)),
    )
