"""Tie-breaks: tables of one deal among those who are level on the place that decides.

A group's tables and lots are drawn with the secret that its round committed to when it was opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import count, groupby

from django.db.models import Max, Q

from tournaments import play
from tournaments.models import Lot, Placing, Round, RoundTable, TableKind, Tournament
from tournaments.services import fates
from tournaments.services.lifecycle import SecretSource
from tournaments.services.opening import NewTable, open_tables
from tournaments.services.tied import Group, Key, group_of, groups_due, stages_of, taken_of, tied_of
from tournaments.structure.deciding import (
    Division,
    by_place,
    divide_stage,
    lot_is_due,
    tie_break_tables,
)
from tournaments.structure.seating import seat_entrants


def open_due(
    tournament: Tournament, *, secret_for: SecretSource, now: datetime
) -> list[RoundTable]:
    """Open the next stage of every group that waits for one, or draw its lot."""
    opened: list[RoundTable] = []
    for round_row, groups in groupby(groups_due(tournament), key=lambda group: group.round):
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
    stages = stages_of([key])[key]
    stage = [row for row in stages if row.stage == table.stage]
    if not all(row.is_over for row in stage):
        return
    seats = list(Placing.objects.filter(table__in=stage).select_related("entry"))
    at_stake = Q(table=table.decides) if table.decides_id else Q(table__round=table.round_id)
    group = group_of(tied_of(at_stake), stages, taken_of([key]).get(key, 0))
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
