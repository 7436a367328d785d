"""The list of public tournaments: in an order with a stable key, a stretch at a time.

A stretch begins after the last row of the one before, not at a number, so that nothing is shown
twice and nothing left out when a tournament is announced while somebody reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from django.db.models import Case, Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models import When as WhenRow
from django.db.models.functions import Coalesce

from tournaments import money
from tournaments.models import HOLDS_A_SEAT, Call, Entry, EntryState, Tournament
from tournaments.selectors.lists import Card, card_of, public_tournaments, with_counts
from tournaments.selectors.waiting import place_in_line
from tournaments.structure.lifecycle import State

TOURNAMENTS_A_PAGE: Final = 24
_TABLE: Final = "table__match__table__public_id"
_NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)
_FIRST: Final = {
    State.REGISTERING: 0,
    State.ANNOUNCED: 1,
    State.CLOSED: 1,
    State.RUNNING: 2,
    State.PAUSED: 2,
}


class Lobby(NamedTuple):
    """A stretch of the list; `after` is where the next one begins, empty at the end."""

    tournaments: tuple[Tournament, ...]
    after: str


class MyPlace(NamedTuple):
    """What a player is in a tournament; `waiting` is his place on the waitlist, 0 for none.

    `table` is the address of the table that waits for him, empty for none.
    """

    state: EntryState
    waiting: int
    table: str
    rank: int | None


def with_seats(rows: Any) -> Any:
    """With how many seats are taken, counted in the index of entries."""
    held = Entry.objects.filter(tournament=OuterRef("pk"), state__in=HOLDS_A_SEAT).order_by()
    counted = held.values("tournament").annotate(n=Count("pk")).values("n")
    return rows.annotate(
        seats_taken=Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))
    )


def _by_state(rows: Any) -> Any:
    whens = [WhenRow(state=state, then=Value(rank)) for state, rank in _FIRST.items()]
    return rows.annotate(key=Case(*whens, default=Value(3), output_field=IntegerField()))


def _by_start(rows: Any) -> Any:
    return rows.annotate(key=Coalesce("starts_at", Value(_NEVER)))


def _by_seats(rows: Any) -> Any:
    return with_seats(rows).annotate(key=F("seats_taken") - F("capacity"))


SORTS: Final[dict[str, Any]] = {
    "": _by_state,
    "starts": _by_start,
    "fee": lambda rows: rows.annotate(key=F("entry_fee")),
    "-fee": lambda rows: rows.annotate(key=-F("entry_fee")),
    "seats": _by_seats,
    "new": lambda rows: rows.annotate(key=Value(0, output_field=IntegerField())),
}
"""By name: what the rows are ordered by, lowest first; equal ones by their age, newest first."""


def lobby(wanted: QuerySet[Any] | None = None, *, sort: str = "", after: str = "") -> Lobby:
    """A stretch of these tournaments, of all public ones unless given. One query.

    What is no order and no place in the list is taken for the first one.
    """
    sort = sort if sort in SORTS else ""
    rows = SORTS[sort](public_tournaments() if wanted is None else wanted)
    place = _place(after, as_time=sort == "starts")
    if place is not None:
        key, pk = place
        rows = rows.filter(Q(key__gt=key) | Q(key=key, pk__lt=pk))
    found = list(rows.order_by("key", "-pk")[: TOURNAMENTS_A_PAGE + 1])
    shown = found[:TOURNAMENTS_A_PAGE]
    more = len(found) > TOURNAMENTS_A_PAGE
    return Lobby(tuple(shown), _named(shown[-1]) if more else "")


def _named(row: Any) -> str:
    key = row.key.isoformat() if isinstance(row.key, datetime) else row.key
    return f"{key}_{row.pk}"


def _place(text: str, *, as_time: bool) -> tuple[datetime | int, int] | None:
    key, _, pk = text.rpartition("_")
    try:
        read = datetime.fromisoformat(key) if as_time else int(key)
        number = int(pk)
    except ValueError:
        return None
    if isinstance(read, datetime) and read.tzinfo is None:
        return None
    return (read, number) if abs(number) < 2**63 and _fits(read) else None


def _fits(key: datetime | int) -> bool:
    return isinstance(key, datetime) or abs(key) < 2**63


def cards_of(tournaments: Sequence[Tournament]) -> list[Card]:
    """What a list says of these, in their order. A fixed number of queries."""
    rows = with_counts(Tournament.objects.filter(pk__in=[one.pk for one in tournaments]))
    counted: dict[int, Any] = {row.pk: row for row in rows}
    received = money.pools_received([row for row in counted.values() if row.started_at])
    return [card_of(counted[one.pk], received.get(one.pk)) for one in tournaments]


def my_places(player_id: int, tournaments: Sequence[Tournament]) -> dict[int, MyPlace]:
    """What a player is in those of these tournaments that he has to do with. One query."""
    called = Call.objects.filter(entry=OuterRef("pk"), table__is_over=False).order_by()
    rows = (
        Entry.objects.filter(player_id=player_id, tournament__in=[one.pk for one in tournaments])
        .exclude(state=EntryState.WITHDRAWN)
        .annotate(
            waiting=Case(WhenRow(state=EntryState.WAITING, then=place_in_line()), default=Value(0)),
            called=Case(
                WhenRow(state=EntryState.PLAYING, then=Subquery(called.values(_TABLE)[:1])),
                default=None,
            ),
        )
        .values_list("tournament_id", "state", "waiting", "called", "rank")
    )
    return {
        tournament: MyPlace(EntryState(state), waiting or 0, table or "", rank)
        for tournament, state, waiting, table, rank in rows
    }
