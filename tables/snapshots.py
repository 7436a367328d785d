"""What a viewer of a table gets to see: the deal as he may know it, clocks, scoreboard, chat.

All frames that carry cards are made here, through `view_of` and `redact`, and nowhere else. A seat
sees its own deal; whoever plays no seat sees the last finished deal and never a running one.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec

from tables import store
from tables.errors import TableCode, TableRefusal
from tables.frames import (
    ChatOut,
    ClockOut,
    Ending,
    EventsOut,
    PlayerOut,
    ScoreboardOut,
    ScoreOut,
    SnapshotOut,
)
from tables.models import Deal, Match, MatchStatus, Seat
from tables.rules.commands import GoOffline, SeatCommand
from tables.rules.deal import legal_commands
from tables.rules.formats import Match as Game
from tables.rules.state import DealState, Phase
from tables.rules.visibility import redact, view_of
from tables.seats import shown_name

LAST_DEALS: Final = 10
LAST_LINES: Final = 50

_NO_STEP: Final = (MatchStatus.PLAYING, MatchStatus.VOID)
"""While a deal is played, and once the match was called off, nothing is asked between deals."""


class Viewer(NamedTuple):
    """Somebody at a table; `seat` is None for who only looks on."""

    match_id: int
    table: str
    seat: int | None
    seat_id: int | None


def viewer_of(*, table: str, user_id: int | None) -> Viewer:
    """How a user sees the last match of a table. Raises `TableRefusal(UNKNOWN_TABLE)`."""
    match = Match.objects.filter(table__public_id=table).order_by("-number").first()
    if match is None:
        raise TableRefusal(TableCode.UNKNOWN_TABLE, "There is no such table.", field="table")
    seat = match.seats.filter(player_id=user_id, bot="").first() if user_id else None
    if seat is None:
        return Viewer(match.pk, table, None, None)
    return Viewer(match.pk, table, seat.number, seat.pk)


def has_seat(seat_id: int, user_id: int | None) -> bool:
    """Whether a seat is still this player's."""
    return Seat.objects.filter(pk=seat_id, player_id=user_id).exists()


def deal_for(viewer: Viewer) -> Deal | None:
    """The deal a viewer sees now: a seat the running one, others the last that is over."""
    deals = Deal.objects.filter(match_id=viewer.match_id)
    if viewer.seat is None:
        return deals.filter(over_at__isnull=False).order_by("-number").first()
    return deals.filter(over_at__isnull=True).first()


def snapshot(viewer: Viewer, now: datetime) -> SnapshotOut:
    """Everything a viewer may know now. Between two deals a seat gets the scoreboard alone."""
    deal = deal_for(viewer)
    view = None if deal is None else view_of(store.load(deal), viewer.seat)
    paused_at = None if deal is None else deal.paused_at
    return SnapshotOut(
        table=viewer.table,
        seat=viewer.seat,
        deal="" if deal is None else deal.public_id,
        version=0 if view is None else view.version,
        state=view,
        legal=legal_for(view, viewer.seat, paused_at),
        clock=clock_of(view, store.to_ms(now), paused_at),
        scoreboard=scoreboard(viewer.match_id, now),
        chat=chat_of(viewer.match_id),
    )


def events_since(viewer: Viewer, deal: Deal, version: int, now: datetime) -> EventsOut:
    """What a seat has missed of its running deal."""
    state = store.load(deal)
    events = store.events_of(deal, after=version, until=state.version)
    view = view_of(state, viewer.seat)
    return EventsOut(
        deal=deal.public_id,
        version=view.version,
        events=tuple(redact(event, viewer.seat) for event in events),
        legal=legal_for(view, viewer.seat, deal.paused_at),
        clock=clock_of(view, store.to_ms(now), deal.paused_at),
    )


def legal_for(
    view: DealState | None, seat: int | None, paused_at: datetime | None
) -> tuple[SeatCommand, ...]:
    """The commands a seat could send now; none in a pause, or for who plays no seat of the deal.

    That somebody has gone is said by who counts his sockets, and by no frame of his.
    """
    if view is None or seat is None or paused_at is not None:
        return ()
    if all(s.seat != seat for s in view.seats):
        return ()
    return tuple(cm for cm in legal_commands(view, seat) if not isinstance(cm, GoOffline))


def clock_of(view: DealState | None, now_ms: int, paused_at: datetime | None) -> ClockOut:
    """Milliseconds left of every running time, in a pause as they were when it began."""
    if view is None:
        return ClockOut(server_ms=now_ms, ends=())
    counted = now_ms if paused_at is None else min(now_ms, store.to_ms(paused_at))
    return ClockOut(
        server_ms=now_ms,
        ends=tuple(
            Ending(s.seat, max(0, s.until - counted), _extra_within(view, s.until, s.extra_ms))
            for s in view.seats
            if s.until is not None
        ),
        paused=paused_at is not None,
    )


def _extra_within(view: DealState, until: int, extra_ms: int) -> int:
    """How much of a running time is extra time: none while auto play waits its second."""
    clock = view.terms.clock
    playing = view.phase in (Phase.DRAW, Phase.DISCARD)
    plain = 1000 * (clock.turn_seconds if playing else clock.declare_seconds)
    return max(0, min(extra_ms, until - view.turn_at - plain))


def scoreboard(match_id: int, now: datetime) -> ScoreboardOut:
    """The match as everybody may see it. Three queries."""
    match = Match.objects.get(pk=match_id)
    game = store.load_game(match)
    seats = match.seats.select_related("player").order_by("number")
    counted = now if match.paused_at is None else min(now, match.paused_at)
    due_in = (
        None if match.due_at is None else max(0, store.to_ms(match.due_at) - store.to_ms(counted))
    )
    return ScoreboardOut(
        entries=match.version,
        status=match.status,
        paused=match.paused_at is not None,
        due_in_ms=due_in,
        players=tuple(
            PlayerOut(s.number, shown_name(s.player), s.online, bool(s.bot)) for s in seats
        ),
        lines=tuple(
            ScoreOut(line.seat, line.place, line.score, line.still_in, line.drops_left)
            for line in game.standings()
        ),
        deals=tuple(
            tuple((score.seat, score.points) for score in result.scores)
            for result in game.results[-LAST_DEALS:]
        ),
        step=None if match.status in _NO_STEP else _step_of(game),
        next_commitment=match.next_commitment,
    )


def _step_of(game: Game) -> Any:
    """The next step without the terms, which the snapshot of a deal shows."""
    step = msgspec.to_builtins(game.next_step())
    step.pop("terms", None)
    return step


def chat_of(match_id: int) -> tuple[ChatOut, ...]:
    """The newest lines said at a table, oldest first."""
    match = Match.objects.get(pk=match_id)
    names = {s.number: shown_name(s.player) for s in match.seats.select_related("player")}
    newest = match.chat.order_by("-id")[:LAST_LINES]
    return tuple(
        ChatOut(seat=line.seat, name=names[line.seat], text=line.text, at_ms=store.to_ms(line.at))
        for line in reversed(newest)
    )
