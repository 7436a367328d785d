"""A running tournament as its desk sees it: rounds, tables with clocks, and who is missing.

No card is shown. The number of queries depends neither on the tables nor on the players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet

from tournaments import play
from tournaments.models import (
    Call,
    Decision,
    EntryState,
    Placing,
    Round,
    RoundTable,
    TableKind,
    Tournament,
)
from tournaments.play import floor
from tournaments.selectors.lists import player_name

TABLES_A_PAGE: Final = 30
MISSING_SHOWN: Final = 60
CHAT_SHOWN: Final = 200
LATE_AFTER: Final = timedelta(minutes=1)
"""Who was called so long ago and has not come is late."""


class Presence(StrEnum):
    """Where a player of an open table is."""

    HERE = "here"
    CALLED = "called"
    """Called a moment ago, and not there yet."""
    LATE = "late"
    """Called a while ago; has not come."""
    AWAY = "away"
    """Was there, and has no connection now."""
    BOT = "bot"
    LEFT = "left"
    OUT = "out"
    SEATED = "seated"
    """At a real table, or at one that is over: nobody counts."""


class SeatLine(NamedTuple):
    """A player at a table. `awaited` while the table waits for him."""

    player_id: int
    name: str
    seat: int
    presence: Presence
    awaited: bool
    misses: int
    muted: bool
    place: int | None
    score: int | None
    goes_on: bool

    @property
    def is_missing(self) -> bool:
        """Whether somebody should see to it that he comes."""
        return self.presence in (Presence.CALLED, Presence.LATE, Presence.AWAY)

    @property
    def is_in(self) -> bool:
        """Whether he still plays here."""
        return self.presence not in (Presence.LEFT, Presence.OUT)


class TableLine(NamedTuple):
    """A table of the round; `left_ms` is what its clock has, None where none runs."""

    pk: int
    number: int
    kind: TableKind
    address: str
    is_over: bool
    is_paused: bool
    status: str
    phase: str
    deal: int
    left_ms: int | None
    has_begun: bool
    seats: tuple[SeatLine, ...]


class RoundLine(NamedTuple):
    """A round: how many of its tables are played, and how many it has."""

    number: int
    open_tables: int
    table_count: int
    is_closed: bool


class MissingLine(NamedTuple):
    """Somebody who is not at his table."""

    player_id: int
    name: str
    round_number: int
    table_number: int
    table_pk: int
    presence: Presence
    called_at: datetime | None


class ControlRoom(NamedTuple):
    """Everything on the page. `missing` are the first of `missing_count`."""

    tournament: Tournament
    playing: int
    out: int
    rounds: tuple[RoundLine, ...]
    shown: int | None
    """The round whose tables are listed; None before the first."""
    tables: tuple[TableLine, ...]
    page: Page[RoundTable]
    missing: tuple[MissingLine, ...]
    missing_count: int
    decisions: tuple[Decision, ...]


def control_room(
    tournament: Tournament, *, number: int | None = None, page: str | int = 1, now: datetime
) -> ControlRoom:
    """The desk's view; of round `number`, or the newest with an open table."""
    rounds = _rounds(tournament)
    shown = _shown(rounds, number)
    rows = RoundTable.objects.filter(round__tournament=tournament, round__number=shown or 0)
    listed = Paginator(_with_all(rows).order_by("is_over", "number"), TABLES_A_PAGE).get_page(page)
    entries = tournament.entries.aggregate(
        playing=Count("pk", filter=Q(state=EntryState.PLAYING)),
        out=Count("pk", filter=Q(state=EntryState.OUT)),
    )
    missing_count, missing = _missing(tournament, now)
    decisions = tournament.decisions.select_related("entry__player").order_by("-pk")
    return ControlRoom(
        tournament=tournament,
        playing=entries["playing"],
        out=entries["out"],
        rounds=rounds,
        shown=shown,
        tables=tuple(_table_lines(list(listed), now)),
        page=listed,
        missing=missing,
        missing_count=missing_count,
        decisions=tuple(decisions[:8]),
    )


def stamp_of(tournament_id: int) -> tuple[int, ...] | None:
    """Numbers that differ after anything happened; None for no such tournament."""
    found = Tournament.objects.filter(pk=tournament_id).first()
    return None if found is None else floor.stamp_of(found)


def table_line(tournament: Tournament, pk: int, now: datetime) -> TableLine | None:
    """One table of the tournament."""
    rows = RoundTable.objects.filter(round__tournament=tournament, pk=pk)
    return next(iter(_table_lines(list(_with_all(rows)), now)), None)


def chat_at(table: int) -> list[floor.Said]:
    """What was said at a table of a round last, oldest first. Three queries."""
    match_id = RoundTable.objects.values_list("match_id", flat=True).get(pk=table)
    return floor.chat_of(match_id, CHAT_SHOWN)


def _rounds(tournament: Tournament) -> tuple[RoundLine, ...]:
    rows: QuerySet[Any] = Round.objects.filter(tournament=tournament).order_by("number")
    rows = rows.annotate(
        count=Count("tables"), played=Count("tables", filter=Q(tables__is_over=False))
    )
    return tuple(
        RoundLine(row.number, row.played, row.count, row.closed_at is not None) for row in rows
    )


def _shown(rounds: Sequence[RoundLine], wanted: int | None) -> int | None:
    if wanted is not None and any(line.number == wanted for line in rounds):
        return wanted
    played = [line.number for line in rounds if line.open_tables]
    return max(played, default=rounds[-1].number if rounds else None)


def _with_all(rows: QuerySet[RoundTable]) -> QuerySet[RoundTable]:
    return rows.select_related("match__table", "round__tournament")


class _Seen(NamedTuple):
    """What the tables of a page do now."""

    floors: Mapping[int, floor.Floor]
    scores: Mapping[int, Mapping[int, play.LiveScore]]
    calls: Mapping[tuple[int, int], Call]
    now: datetime


def _table_lines(rows: Sequence[RoundTable], now: datetime) -> list[TableLine]:
    """Tables with their players."""
    ids = [row.match_id for row in rows if not row.is_over]
    calls = _calls([row.pk for row in rows if not row.is_over])
    seen = _Seen(floor.floors_of(ids), play.live_scores(ids), calls, now)
    placings: dict[int, list[Placing]] = {row.pk: [] for row in rows}
    found = Placing.objects.filter(table__in=placings).select_related("entry__player")
    for placing in found.order_by("table", "seat"):
        placings[placing.table_id].append(placing)
    return [_table(row, placings[row.pk], seen) for row in rows]


def _calls(tables: Sequence[int]) -> dict[tuple[int, int], Call]:
    """The calls to some tables, by table and player."""
    rows = Call.objects.filter(table__in=tables).select_related("entry")
    return {(call.table_id, call.entry.player_id): call for call in rows}


def _table(row: RoundTable, placings: Sequence[Placing], seen: _Seen) -> TableLine:
    played = seen.floors.get(row.match_id)
    return TableLine(
        pk=row.pk,
        number=row.number,
        kind=TableKind(row.kind),
        address=row.match.table.public_id,
        is_over=row.is_over,
        is_paused=played is not None and played.paused_at is not None,
        status="" if played is None else played.status,
        phase="" if played is None or played.phase is None else played.phase,
        deal=0 if played is None else played.deal,
        left_ms=None if played is None else _left_ms(played, seen.now),
        has_begun=row.is_over or (played is not None and played.deal > 0),
        seats=tuple(_seat_line(row, placing, seen) for placing in placings),
    )


def _left_ms(played: floor.Floor, now: datetime) -> int | None:
    """What the clock has; a paused one has what it had when it was stopped."""
    if played.due_at is None:
        return None
    left = played.due_at - (played.paused_at or now)
    return max(0, round(left.total_seconds() * 1000))


def _seat_line(row: RoundTable, placing: Placing, seen: _Seen) -> SeatLine:
    played = seen.floors.get(row.match_id)
    score = seen.scores.get(row.match_id, {}).get(placing.seat)
    seat = None
    if played is not None and not row.round.tournament.in_person:
        seat = next((one for one in played.seats if one.number == placing.seat), None)
    call = seen.calls.get((row.pk, placing.entry.player_id))
    return SeatLine(
        player_id=placing.entry.player_id,
        name=player_name(placing.entry),
        seat=placing.seat,
        presence=_presence(placing, seat, score is None or score.still_in, call, seen.now),
        awaited=played is not None and placing.seat in played.awaits,
        misses=0 if seat is None else seat.misses,
        muted=seat is not None and seat.muted,
        place=placing.place if score is None else score.place,
        score=placing.score if score is None else score.score,
        goes_on=placing.goes_on,
    )


def _presence(
    placing: Placing,
    seat: floor.FloorSeat | None,
    still_in: bool,
    call: Call | None,
    now: datetime,
) -> Presence:
    if placing.entry.left or (seat is not None and seat.left):
        return Presence.LEFT
    if not still_in:
        return Presence.OUT
    if placing.entry.bot:
        return Presence.BOT
    if seat is None:
        return Presence.SEATED
    return Presence.HERE if seat.is_here else _absence(seat.was_here, call, now)


def _absence(was_here: bool, call: Call | None, now: datetime) -> Presence:
    """Whoever was there has lost his connection; the others have not come yet."""
    if call is None or was_here:
        return Presence.AWAY
    return Presence.LATE if call.at + LATE_AFTER <= now else Presence.CALLED


def _missing(tournament: Tournament, now: datetime) -> tuple[int, tuple[MissingLine, ...]]:
    """Who is not at an open table, table by table, first those that were called first."""
    count, found = floor.missing_at(tournament, MISSING_SHOWN)
    if not found:
        return count, ()
    rows = Placing.objects.filter(
        table__match__in={one.match_id for one in found}, table__is_over=False, entry__left=""
    ).select_related("entry__player", "table__round")
    at = {(placing.table.match_id, placing.seat): placing for placing in rows}
    absent = [(at[key], one) for one in found if (key := (one.match_id, one.seat)) in at]
    calls = _calls([placing.table_id for placing, _ in absent])
    lines = []
    for placing, one in absent:
        call = calls.get((placing.table_id, placing.entry.player_id))
        lines.append(
            MissingLine(
                player_id=placing.entry.player_id,
                name=player_name(placing.entry),
                round_number=placing.table.round.number,
                table_number=placing.table.number,
                table_pk=placing.table_id,
                presence=_absence(one.was_here, call, now),
                called_at=None if call is None else call.at,
            )
        )
    called: dict[int, datetime] = {}
    for line in lines:
        at_table = line.called_at or now
        called[line.table_pk] = min(called.get(line.table_pk, at_table), at_table)
    lines.sort(key=lambda line: (called[line.table_pk], line.table_pk, line.called_at or now))
    return count, tuple(lines)
