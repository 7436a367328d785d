"""Reading and writing the two logs. Decides nothing, tells nobody.

Callers hold the lock of the deal or match they write. A process remembers states of deals, each
only once its transaction has committed, and goes on from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial, reduce
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

import msgspec
from django.db import connection, transaction

from tables.errors import TableCode, TableRefusal
from tables.models import Deal, Match, MatchEntry
from tables.rules import codec
from tables.rules.errors import RuleViolation
from tables.rules.events import Event
from tables.rules.evolve import evolve, replay
from tables.rules.formats import Entry, Opening, replayed
from tables.rules.formats import Match as Game
from tables.rules.state import DealState
from tables.states import StateCache as StateCache  # noqa: PLC0414 - exported

_Value = int | str | datetime | None

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)

# A move is three statements, always the same; Django would compose them anew each time, which takes
# longer than running them.
_LOCKED: Final = ("id", "match_id", "public_id", "version", "paused_at")
_LOCK: Final = f"SELECT {', '.join(_LOCKED)} FROM tables_deal WHERE id = %s"  # noqa: S608 - fixed
_STILL_DUE: Final = f"{_LOCK} AND version = %s AND deadline_at <= %s AND paused_at IS NULL"
_RUNNING: Final = "SELECT id, public_id FROM tables_deal WHERE match_id = %s AND over_at IS NULL"
_ADD: Final = (
    "INSERT INTO tables_dealevent (deal_id, seq, kind, payload, schema, command_id, at) VALUES "
)
_ADDED: Final = "(%s, %s, %s, %s, %s, %s, %s)"
_FOLLOWING: Final = (
    "SELECT log.deal_id, log.payload, log.schema FROM (VALUES {}) AS known "
    "JOIN tables_dealevent AS log ON log.deal_id = known.column1 AND log.seq > known.column2 "
    "ORDER BY log.deal_id, log.seq"
)
_MOVE_ON: Final = "UPDATE tables_deal SET version = %s, phase = %s, deadline_at = %s WHERE id = %s"

_entry_decoder: Final[msgspec.json.Decoder[Entry]] = msgspec.json.Decoder(Entry)
_opening_decoder: Final[msgspec.json.Decoder[Opening]] = msgspec.json.Decoder(Opening)


def to_ms(moment: datetime) -> int:
    """Milliseconds since 1970 of an aware moment, as the rules count time."""
    return (moment - _EPOCH) // _MILLISECOND


def from_ms(ms: int) -> datetime:
    """The moment of that many milliseconds since 1970, in UTC."""
    return _EPOCH + ms * _MILLISECOND


states: Final = StateCache()


class Running(NamedTuple):
    """The deal that a match is playing."""

    deal_id: int
    public_id: str


def running_deal(match_id: int) -> Running | None:
    """The deal being played in a match, if one is."""
    with connection.cursor() as cursor:
        cursor.execute(_RUNNING, [match_id])
        row = cursor.fetchone()
    return None if row is None else Running(*row)


class Position(NamedTuple):
    """Where a match is: its log's length and status, and its running deal's name and version."""

    entries: int
    status: str
    is_paused: bool
    deal: str
    version: int


def positions(match_ids: Sequence[int]) -> dict[int, Position]:
    """Where these matches are now. Two queries for any number of them."""
    running = Deal.objects.filter(match_id__in=match_ids, over_at__isnull=True)
    deals = {row[0]: row[1:] for row in running.values_list("match_id", "public_id", "version")}
    rows = Match.objects.filter(pk__in=match_ids)
    return {
        match_id: Position(entries, status, paused_at is not None, *deals.get(match_id, ("", 0)))
        for match_id, entries, status, paused_at in rows.values_list(
            "id", "version", "status", "paused_at"
        )
    }


def locked_deal(deal_id: int) -> Deal | None:
    """A deal's row, locked, with what a move needs of it; other columns are read when asked for."""
    can_lock = connection.features.has_select_for_update
    return _one_deal(f"{_LOCK} FOR UPDATE" if can_lock else _LOCK, [deal_id])


def locked_deal_due(deal_id: int, *, version: int, now: datetime) -> Deal | None:
    """As `locked_deal`; None unless the row is due at `now` and still of this version.

    None also where somebody else holds it, as far as the database can tell (PostgreSQL).
    """
    can_skip = connection.features.has_select_for_update_skip_locked
    statement = f"{_STILL_DUE} FOR UPDATE SKIP LOCKED" if can_skip else _STILL_DUE
    at = connection.ops.adapt_datetimefield_value(now)
    return _one_deal(statement, [deal_id, version, at])


def locked_deals_due(limit: int, *, now: datetime) -> list[Deal]:
    """Up to `limit` deals that are due at `now`, those due longest first, each locked.

    What somebody else holds is left out, as far as the database can tell (PostgreSQL).
    """
    due = Deal.objects.filter(deadline_at__lte=now, paused_at__isnull=True)
    free = due.order_by("deadline_at").select_for_update(skip_locked=True)
    return list(free.only(*_LOCKED, "deadline_at")[:limit])


def _one_deal(statement: str, values: list[_Value]) -> Deal | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone()
    return None if row is None else Deal.from_db(connection.alias, _LOCKED, row)


def events_of(deal: Deal, *, after: int = 0, until: int | None = None) -> list[Event]:
    """The events of a deal that follow number `after`, in order; with `until` none beyond that.

    Who reads without the deal's lock says until which version: others may move meanwhile.
    """
    found = deal.events.filter(seq__gt=after)
    if until is not None:
        found = found.filter(seq__lte=until)
    rows = found.order_by("seq").values_list("payload", "schema")
    return [codec.decode_event(payload, schema) for payload, schema in rows]


def load(deal: Deal) -> DealState:
    """The state of a deal at its row's version. Raises `LOG_CONFLICT` if the log is not that long.

    What is remembered of it, also what was before the last moves of others, is not read again.
    """
    state = states.get(deal.public_id, deal.version)
    if state is None:
        state = replay(events_of(deal, until=deal.version))
    elif state.version < deal.version:
        for event in events_of(deal, after=state.version, until=deal.version):
            state = evolve(state, event)
    if state.version != deal.version:
        raise TableRefusal(
            TableCode.LOG_CONFLICT,
            f"Deal {deal.public_id} has {state.version} events, its row says {deal.version}.",
        )
    return state


def load_all(deals: Sequence[Deal]) -> dict[int, DealState]:
    """As `load` for several deals, by id, with one query for whatever is not remembered.

    A log that cannot be read, or is not that long, is passed over; who loads it will be told.
    """
    known = {deal.pk: states.get(deal.public_id, deal.version) for deal in deals}
    read = {deal.pk: 0 if (state := known[deal.pk]) is None else state.version for deal in deals}
    missing = _logs_after(
        {deal.pk: read[deal.pk] for deal in deals if read[deal.pk] < deal.version}
    )
    found: dict[int, DealState] = {}
    for deal in deals:
        with suppress(RuleViolation):
            state, events = known[deal.pk], missing.get(deal.pk, [])
            decoded = [codec.decode_event(*event) for event in events]
            state = replay(decoded) if state is None else reduce(evolve, decoded, state)
            if state.version == deal.version:
                found[deal.pk] = state
    return found


def _logs_after(versions: dict[int, int]) -> dict[int, list[tuple[str, int]]]:
    """Payload and schema of what follows these versions in the deals' logs, in order."""
    if not versions:
        return {}
    after = [value for pair in versions.items() for value in pair]
    with connection.cursor() as cursor:
        cursor.execute(_FOLLOWING.format(", ".join(["(%s, %s)"] * len(versions))), after)
        rows = cursor.fetchall()
    return {
        deal_id: [(payload, schema) for _, payload, schema in log]
        for deal_id, log in groupby(rows, key=itemgetter(0))
    }


class Step(NamedTuple):
    """What a command has brought about in a deal whose lock the caller holds."""

    deal: Deal
    events: Sequence[Event]
    state: DealState
    """The state after the last of them."""
    command_id: str


def append(
    deal: Deal, events: Sequence[Event], state: DealState, *, command_id: str, now: datetime
) -> None:
    """Add a command's events and bring the deal's row up to `state`.

    Raises `IntegrityError` when the command id was used before or the log has moved on.
    """
    append_all([Step(deal, events, state, command_id)], now=now)


def append_all(steps: Sequence[Step], *, now: datetime) -> None:
    """As `append` for one step in each of several deals: all of them are written or none."""
    if not steps:
        return
    at = connection.ops.adapt_datetimefield_value(now)
    rows: list[_Value] = []
    moves: list[tuple[str, list[_Value]]] = []
    for deal, events, state, command_id in steps:
        for seq, event in enumerate(events, deal.version + 1):
            first = command_id if seq == deal.version + 1 else None
            kind, payload = event.__struct_config__.tag, codec.encode_event(event)
            rows += (deal.pk, seq, kind, payload, codec.SCHEMA, first, at)
        update_row(deal, state, now)
        if not state.is_over:
            deadline = connection.ops.adapt_datetimefield_value(deal.deadline_at)
            moves.append((_MOVE_ON, [deal.version, deal.phase, deadline, deal.pk]))
    added = ", ".join([_ADDED] * (len(rows) // _ADDED.count("%s")))
    _run([(_ADD + added, rows), *moves])
    for deal, _, state, _ in steps:
        if state.is_over:
            deal.save(update_fields=["version", "phase", "deadline_at", "result", "over_at"])
        transaction.on_commit(partial(states.put, deal.public_id, state))


def _run(statements: list[tuple[str, list[_Value]]]) -> None:
    """Run statements in order, on their way together where the driver can (PostgreSQL)."""
    if connection.vendor == "postgresql":
        texts, values = zip(*statements, strict=True)
        statements = [("; ".join(texts), [value for part in values for value in part])]
    with connection.cursor() as cursor:
        for text, given in statements:
            cursor.execute(text, given)


def update_row(deal: Deal, state: DealState, now: datetime) -> None:
    """Repeat in the row what the log now says; does not save."""
    deal.version = state.version
    deal.phase = state.phase.value
    deal.deadline_at = None if state.deadline is None else from_ms(state.deadline)
    if state.result is not None:
        deal.result = msgspec.json.encode(state.result).decode()
        deal.over_at = now


def answer_to(deal: Deal, command_id: str) -> tuple[int, list[Event]] | None:
    """Version and events that a command brought about before; None if it never was played."""
    first = deal.events.filter(command_id=command_id).values_list("seq", flat=True).first()
    if first is None:
        return None
    following = (
        deal.events.filter(seq__gt=first, command_id__isnull=False)
        .order_by("seq")
        .values_list("seq", flat=True)
        .first()
    )
    events = events_of(deal, after=first - 1)
    if following is not None:
        events = events[: following - first]
    return first + len(events) - 1, events


def load_game(match: Match) -> Game:
    """A match's format state, from its opening and log."""
    return _game(match, match.entries.order_by("seq").values_list("payload", flat=True))


def load_games(match_ids: Sequence[int]) -> dict[int, Game]:
    """Several matches' format states, by id. Two queries, however many."""
    payloads: dict[int, list[str]] = {match_id: [] for match_id in match_ids}
    logs = MatchEntry.objects.filter(match__in=match_ids).order_by("match", "seq")
    for match_id, payload in logs.values_list("match_id", "payload"):
        payloads[match_id].append(payload)
    matches = Match.objects.in_bulk(match_ids)
    return {match_id: _game(match, payloads[match_id]) for match_id, match in matches.items()}


def _game(match: Match, payloads: Iterable[str]) -> Game:
    return replayed(
        _opening_decoder.decode(match.opening), [_entry_decoder.decode(p) for p in payloads]
    )


def encode_opening(opening: Opening) -> str:
    """An opening as it is stored with its match."""
    return msgspec.json.encode(opening).decode()


def append_entry(match: Match, entry: Entry, *, now: datetime) -> None:
    """Add an entry to a match's log; the match's row is saved by the caller."""
    match.version += 1
    MatchEntry.objects.create(
        match=match,
        seq=match.version,
        kind=str(entry.__struct_config__.tag),
        payload=msgspec.json.encode(entry).decode(),
        at=now,
    )
