"""Tie-breaks: tables of one deal among those who are level on the place that decides.

A *group* is who is tied for the same places: of one table, or of a round over all its tables. Its
tables and lots are drawn with the secret that its round committed to when it was opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import count, groupby
from typing import NamedTuple

from django.db.models import Count, Max, Q

from tournaments import play
from tournaments.models import Lot, Placing, Round, RoundTable, TableKind, Tournament
from tournaments.services import fates
from tournaments.services.lifecycle import SecretSource
from tournaments.services.opening import NewTable, open_tables
from tournaments.structure.deciding import (
    Division,
    by_place,
    divide_stage,
    lot_is_due,
    tie_break_tables,
)
from tournaments.structure.seating import seat_entrants

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


def open_due(
    tournament: Tournament, *, secret_for: SecretSource, now: datetime
) -> list[RoundTable]:
    """Open the next stage of every group that waits for one, or draw its lot."""
    opened: list[RoundTable] = []
    for round_row, groups in groupby(_due(tournament), key=lambda group: group.round):
        numbers = count(_last_number(round_row) + 1)
        wanted = [t for group in groups for t in _next_stage(tournament, group, numbers, now)]
        if wanted:
            opened += open_tables(
                tournament,
                round_row,
                wanted,
                options=play.tie_break_options(play.terms_of(tournament)),
                secret_for=secret_for,
                now=now,
            )
    return opened


def _last_number(round_row: Round) -> int:
    used = round_row.tables.aggregate(last=Max("number"))["last"] or 0
    return max(used, round_row.tables_planned or 0)


def _due(tournament: Tournament) -> list[Group]:
    """Groups with tied players and no tie-break being played, in order. Three queries."""
    tied = _tied(Q(table__round__tournament=tournament))
    keys = {_key(placing) for placing in tied}
    stages = _stages(keys) if keys else {}
    is_played = {key for key, tables in stages.items() if not all(t.is_over for t in tables)}
    taken = _taken(keys) if keys else {}
    groups = []
    for key, members in groupby(sorted(tied, key=_order), key=_key):
        if key not in is_played:
            groups.append(_group(list(members), stages.get(key, []), taken.get(key, 0)))
    return groups


def _tied(wanted: Q) -> list[Placing]:
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


def _stages(keys: Iterable[Key]) -> dict[Key, list[RoundTable]]:
    rounds = {round_id for round_id, _ in keys}
    rows = RoundTable.objects.filter(round__in=rounds, kind=TableKind.TIE_BREAK)
    found: dict[Key, list[RoundTable]] = {}
    for row in rows.order_by("number"):
        found.setdefault((row.round_id, row.decides_id), []).append(row)
    return found


def _taken(keys: Iterable[Key]) -> dict[Key, int]:
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


def _group(placings: list[Placing], tables: Sequence[RoundTable], taken: int) -> Group:
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


def _next_stage(
    tournament: Tournament, group: Group, numbers: Iterable[int], now: datetime
) -> list[NewTable]:
    """The tables to open for a group; none where it is decided without, or by lot."""
    gone = fates.gone_of(tournament, group.placings)
    present = [placing for placing in group.placings if placing.entry_id not in gone]
    if len(present) <= group.places_left:
        _settle(tournament, group, [p.entry_id for p in present], [])
        return []
    if lot_is_due(group.stages):
        _draw_lot(tournament, group, present, now)
        return []
    if gone:
        _settle(tournament, group, [], [p.entry_id for p in present])
    terms = play.terms_of(tournament)
    tables = tie_break_tables(len(present), group.places_left, terms.seats)
    by_number = {placing.entry.number: placing.entry for placing in present}
    label = play.tie_break_label(tournament, group.round.number, _name(group), group.stage)
    order = play.drawn_order(list(by_number), bytes.fromhex(group.round.lot_secret), label)
    seated = seat_entrants(order, [table.size for table in tables])
    return [
        NewTable(
            number=number,
            entries=tuple(by_number[entry] for entry in entries),
            kind=TableKind.TIE_BREAK,
            places=table.on,
            decides=group.table,
            stage=group.stage,
        )
        for table, entries, number in zip(tables, seated, numbers, strict=False)
    ]


def _name(group: Group) -> int | None:
    return None if group.table is None else group.table.number


def _draw_lot(
    tournament: Tournament, group: Group, present: Sequence[Placing], now: datetime
) -> None:
    """Divide those who tied to the end by lot; it is recorded, and shown with the secret."""
    by_number = {placing.entry.number: placing.entry_id for placing in present}
    label = play.lot_label(tournament, group.round.number, _name(group))
    order = play.drawn_order(list(by_number), bytes.fromhex(group.round.lot_secret), label)
    drawn = list(order[: group.places_left])
    Lot.objects.create(
        round=group.round,
        decides=group.table,
        label=label,
        among=sorted(by_number),
        drawn=drawn,
        at=now,
    )
    _settle(tournament, group, [by_number[number] for number in drawn], [])


def _settle(tournament: Tournament, group: Group, on: Sequence[int], tied: Sequence[int]) -> None:
    """Enter who of a group goes on, who is still tied, and put the others out."""
    fates.mark(group.placings, Division(tuple(on), tuple(tied), 0, ()))
    fates.write(group.placings)
    stay = {*tied}
    if group.table is None or group.table.kind != TableKind.THIRD_PLACE:
        stay |= {*on}
    out = {placing.entry_id for placing in group.placings} - stay
    fates.knock_out(tournament, group.round.number, out)


def take_stage(tournament: Tournament, table: RoundTable) -> None:
    """Once the last table of a stage is over: who goes on, who meets again, who is out."""
    key: Key = (table.round_id, table.decides_id)
    stages = _stages([key])[key]
    stage = [row for row in stages if row.stage == table.stage]
    if not all(row.is_over for row in stage):
        return
    seats = list(Placing.objects.filter(table__in=stage).select_related("entry"))
    at_stake = Q(table=table.decides) if table.decides_id else Q(table__round=table.round_id)
    group = _group(_tied(at_stake), stages, _taken([key]).get(key, 0))
    plan = tie_break_tables(len(seats), group.places_left, play.terms_of(tournament).seats)
    rankings = [
        by_place([(s.entry_id, s.place or 0) for s in seats if s.table_id == row.pk])
        for row in stage
    ]
    gone = fates.gone_of(tournament, seats)
    found = divide_stage(plan, rankings, group.places_left, gone)
    fates.mark(seats, found)
    fates.write(seats)
    _settle(tournament, group, found.on, found.tied)
