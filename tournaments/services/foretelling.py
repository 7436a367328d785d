"""What a deed at the desk would change: it is done, compared with how things stood, and undone."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, TypeVar

from django.db import transaction

from tournaments.models import Entry, EntryState, Placing, RoundTable, Tournament
from tournaments.selectors.lists import player_name
from tournaments.services.lifecycle import lock

T = TypeVar("T")


class ChangeKind(StrEnum):
    """What is another one afterwards."""

    TOURNAMENT = "tournament"
    PLAYER = "player"
    GOES_ON = "goes_on"
    TABLE_OVER = "table_over"
    SEATED = "seated"


class Change(NamedTuple):
    """One thing that is another afterwards: whose, what it was and is, and at which table."""

    kind: ChangeKind
    name: str
    before: str = ""
    after: str = ""
    round_number: int = 0
    table_number: int = 0


class _Picture(NamedTuple):
    state: str
    entries: dict[int, tuple[str, str]]
    """Name and state by entry."""
    tables: dict[int, tuple[int, int]]
    """Round and number of the tables that are played."""
    seats: dict[tuple[int, int], tuple[str, int, int, bool]]
    """Name, round, table and whether he goes on, by table and entry, of rounds that are open."""


def only_looking(look: Callable[[], T]) -> T:
    """What `look` finds; whatever it wrote on the way is undone. Raises what it raises."""
    with transaction.atomic():
        found = look()
        transaction.set_rollback(True)
    return found


def foretell(*, tournament_id: int, act: Callable[[], object]) -> tuple[Change, ...]:
    """What `act` would change in a tournament; nothing is changed. Raises what `act` raises."""

    def tried() -> tuple[Change, ...]:
        tournament = lock(tournament_id)
        before = _picture(tournament)
        act()
        tournament.refresh_from_db()
        return _compared(before, _picture(tournament))

    return only_looking(tried)


def _picture(tournament: Tournament) -> _Picture:
    """Four queries."""
    rows = Entry.objects.filter(tournament=tournament).exclude(state=EntryState.WITHDRAWN)
    entries = {one.pk: (player_name(one), one.state) for one in rows.select_related("player")}
    tables = RoundTable.objects.filter(round__tournament=tournament)
    played = tables.filter(is_over=False).order_by("pk")
    placings = Placing.objects.filter(
        table__round__tournament=tournament, table__round__closed_at__isnull=True
    )
    return _Picture(
        state=tournament.state,
        entries=entries,
        tables={pk: (r, n) for pk, r, n in played.values_list("pk", "round__number", "number")},
        seats={
            (one.table_id, one.entry_id): (
                entries.get(one.entry_id, ("", ""))[0],
                one.table.round.number,
                one.table.number,
                one.goes_on,
            )
            for one in placings.select_related("table__round").order_by("table", "seat")
        },
    )


def _compared(before: _Picture, after: _Picture) -> tuple[Change, ...]:
    changes = []
    if before.state != after.state:
        changes.append(Change(ChangeKind.TOURNAMENT, "", before.state, after.state))
    for pk in sorted(before.entries.keys() | after.entries.keys()):
        name, was = before.entries.get(pk, ("", ""))
        name_now, now = after.entries.get(pk, (name, ""))
        if was != now:
            changes.append(Change(ChangeKind.PLAYER, name_now or name, was, now))
    for pk in sorted(before.tables.keys() - after.tables.keys()):
        at_round, number = before.tables[pk]
        changes.append(
            Change(ChangeKind.TABLE_OVER, "", round_number=at_round, table_number=number)
        )
    for key in sorted(after.seats):
        name, at_round, number, goes_on = after.seats[key]
        known = before.seats.get(key)
        if known is None:
            changes.append(
                Change(ChangeKind.SEATED, name, round_number=at_round, table_number=number)
            )
        elif goes_on and not known[3]:
            changes.append(
                Change(ChangeKind.GOES_ON, name, round_number=at_round, table_number=number)
            )
    return tuple(changes)
