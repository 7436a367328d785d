"""The socket of a table: parses a frame, calls one service, sends what came of it.

A socket subscribes before it reads its snapshot, so nothing falls between the two. Every message of
the group carries the deal's version: an old one is left out, a gap is read from the database.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, cast

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation

from tables import admission, attendance, services, snapshots, store, watching
from tables import frames as fr
from tables.broadcast import group_of
from tables.errors import TableCode, TableRefusal
from tables.languages import language_of
from tables.limits import Allowance, Allowances, TokenBucket
from tables.lines import Line
from tables.logins import login_of
from tables.models import MatchStatus
from tables.playing import PlaysAtTable
from tables.rules import codec
from tables.rules.events import Event
from tables.rules.evolve import evolve
from tables.rules.state import DealState
from tables.rules.visibility import redact, view_of
from tables.threads import in_database
from wording import told

FRAMES_PER_SECOND: Final = 20
FRAMES_AT_ONCE: Final = 40
VISITORS_FRAMES_PER_SECOND: Final = 2
VISITORS_FRAMES_AT_ONCE: Final = 10
"""Of who has not logged in, by each socket: all there is for him to say is hello."""
REFUSED_AT_MOST: Final = 200
"""After so many frames over the limit the socket is closed; one a second is forgiven."""

NO_SUCH_TABLE: Final = 4404
TOO_LARGE: Final = 1009
TOO_MANY: Final = 4429
LOGGED_OUT: Final = 4401

log = logging.getLogger(__name__)

allowances: Final[Allowances[Allowance]] = Allowances()
"""Of users, each for all his sockets at all tables. A visitor has his socket's: behind a proxy all
may have one address.
"""


def now() -> datetime:
    """The server's time, read at the edge only."""
    return datetime.now(UTC)


def _allowance_of(user_id: int | None) -> Allowance:
    """What a client may still send."""
    at = time.monotonic()
    refusals = TokenBucket(per_second=1, burst=REFUSED_AT_MOST, now=at)
    if user_id is None:
        rate, burst = VISITORS_FRAMES_PER_SECOND, VISITORS_FRAMES_AT_ONCE
        return Allowance(TokenBucket(per_second=rate, burst=burst, now=at), refusals)
    frames = TokenBucket(per_second=FRAMES_PER_SECOND, burst=FRAMES_AT_ONCE, now=at)
    return allowances.keep(user_id, Allowance(frames, refusals))


class TableConsumer(PlaysAtTable, AsyncWebsocketConsumer):
    """One client at one table."""

    board: tuple[int, str, bool] = (0, "", False)
    """Entries and status of the last scoreboard sent, and whether it was paused."""

    counted: admission.Who | None = None
    """As whose socket at which table it is counted."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve it to its end, whatever that is - a close, a fault, a client that cannot be sent
        to any more - and take it away then.
        """
        line: Any = Line(send)  # typed for Channels as for HTTP
        try:
            await super().__call__(scope, receive, line)
        finally:
            try:
                await self._leave()
                forget = getattr(self.channel_layer, "forget", None)
                if forget is not None:
                    await forget(self.channel_name)
            except Exception:
                # The database may be away; the sweep finds the socket not seen any more.
                log.exception("A socket could not be taken away.")

    async def dispatch(self, message: dict[str, Any]) -> None:
        """As Channels does it, but for looking after database connections at each message.

        Sockets have none: `tables.threads` keeps them. The look would take a thread and a moment.
        """
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        """Accept whoever may look at the table, and subscribe him.

        Whoever was cut off for sending too much, or opens too many, is turned away for a while,
        before anything but his log-in is read.
        """
        table = self.scope["url_route"]["kwargs"]["table"]
        self.login = await in_database(login_of, self.scope)
        user_id, at = self.login.user_id, time.monotonic()
        who = None if user_id is None else (table, user_id)
        if who is not None and not admission.may_come(who, allowances.get(user_id), at):
            await self._turn_away(TOO_MANY)
            return
        try:
            self.viewer = await in_database(snapshots.viewer_of, table=table, user_id=user_id)
        except TableRefusal:
            await self._turn_away(NO_SUCH_TABLE)
            return
        self.allowance, self.language = _allowance_of(user_id), language_of(self.scope)
        if who is not None:
            self.counted = who
            admission.has_come(who, at)
        self.sending = asyncio.Lock()
        await self.channel_layer.group_add(group_of(self.viewer.match_id), self.channel_name)
        await self.accept()
        watching.join(self)
        await self.sit_down()

    async def _turn_away(self, code: int) -> None:
        """Accept it only to say why it is closed."""
        await self.accept()
        await self.close(code)

    async def _leave(self) -> None:
        """Unsubscribe; the player's last socket takes him offline."""
        if self.counted is not None:
            admission.has_gone(self.counted)
        if not hasattr(self, "viewer"):
            return
        watching.leave(self)
        try:
            group = group_of(self.viewer.match_id)
            await self.channel_layer.group_discard(group, self.channel_name)
        finally:
            attendance.stand_up(self.channel_name)

    # From the client

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """One frame, bounded in size and rate, then handled by its type."""
        data = text_data if text_data is not None else bytes_data
        if data is None or len(data) > fr.MAX_FRAME_BYTES:
            await self.close(TOO_LARGE)
            return
        if not self.allowance.frames.take(time.monotonic()):
            await self._over_limit()
            return
        frame: fr.InFrame | None = None
        try:
            frame = fr.read_frame(data)
            await self._handle(frame)
        except Exception as refusal:
            if not hasattr(refusal, "sentence"):
                raise
            await self._refuse(cast(Any, refusal), frame)

    async def _over_limit(self) -> None:
        """Say so each time, for it is not known which frame it was: it has not been read."""
        if not self.allowance.refusals.take(time.monotonic()):
            await self.close(TOO_MANY)
            return
        is_visitor = self.login.user_id is None
        frames_per_second = VISITORS_FRAMES_PER_SECOND if is_visitor else FRAMES_PER_SECOND
        refusal = TableRefusal(
            TableCode.TOO_FAST,
            f"Send at most {frames_per_second} frames a second; send this one again later.",
        )
        await self._refuse(refusal, None)

    async def _handle(self, frame: fr.InFrame) -> None:
        match frame:
            case fr.Hello():
                await self._greet(frame)
            case fr.ChatFrame(text=text):
                await in_database(self._say, text)
            case fr.NonceFrame(text=text):
                await in_database(self._set_nonce, text)
            case fr.RejoinFrame() | fr.OfferSplitFrame() | fr.AnswerSplitFrame():
                await self._answer(frame)
            case _:
                await self._command(frame)

    def _say(self, text: str) -> None:
        services.say(seat_id=self.seat_now()[1], text=text, now=now())

    def _set_nonce(self, text: str) -> None:
        services.set_nonce(seat_id=self.seat_now()[1], text=text)

    async def _greet(self, frame: fr.Hello) -> None:
        """Send what the client lacks: the events since its version, or everything."""
        async with self.sending:
            self.is_greeted = True
            if self.viewer.seat is not None and frame.deal:
                missing = await in_database(self._missing, frame.deal, frame.version)
                if missing is not None:
                    await self._send(missing)
                    return
            await self._send_snapshot()

    def _missing(self, name: str, version: int) -> fr.EventsOut | None:
        self.check_seat()
        deal = snapshots.deal_for(self.viewer)
        if deal is None or deal.public_id != name or not 0 < version <= deal.version:
            return None
        self.deal, self.view = deal.public_id, view_of(store.load(deal), self.viewer.seat)
        return snapshots.events_since(self.viewer, deal, version, now())

    async def _command(self, frame: fr.CommandFrame) -> None:
        """Play it; the sender has its events before he is told that it is done."""
        deal, played = await in_database(self.play, frame)
        if deal and not played.repeated:
            await self._take(deal, played.version, played.events)
        await self._send(fr.DoneOut(id=frame.id, version=played.version, repeated=played.repeated))

    async def _answer(
        self, frame: fr.RejoinFrame | fr.OfferSplitFrame | fr.AnswerSplitFrame
    ) -> None:
        await in_database(self.enter, frame)

    async def _refuse(self, refusal: Any, frame: fr.InFrame | None) -> None:
        """Say why; a client that was behind gets a fresh snapshot with it."""
        seen = getattr(frame, "seen", None)
        behind = seen is not None and (self.view is None or seen != self.view.version)
        with translation.override(self.language):
            sentence = told(refusal.sentence)
        async with self.sending:
            await self._send(
                fr.RefusedOut(
                    id=getattr(frame, "id", None),
                    code=str(refusal.code),
                    sentence=sentence,
                    field=refusal.field,
                    snapshot=await in_database(self._snapshot) if behind else None,
                )
            )

    # From the table

    async def deal_events(self, message: Mapping[str, Any]) -> None:
        """Events of a deal, to be sent on as far as this viewer may know them."""
        if self.viewer.seat is None or not self.is_greeted:
            return
        if not self._has(message["deal"], message["version"]):
            events = [codec.decode_event(text) for text in message["events"]]
            await self._take(message["deal"], message["version"], events)

    def _has(self, deal: str, version: int) -> bool:
        """Whether the viewer has been sent this version: the player who moved has, at once."""
        return deal == self.deal and self.view is not None and version <= self.view.version

    async def _take(self, deal: str, version: int, events: Sequence[Event]) -> None:
        """Send on what is new; leave out what is old, read what was missed, and all in a pause."""
        async with self.sending:
            if deal != self.deal or self.view is None:
                await self._send_snapshot()
            elif self._has(deal, version):
                return
            elif version - len(events) > self.view.version or self.board[2]:
                await self._catch_up()
            else:
                await self._pass_on(events[len(events) - (version - self.view.version) :])

    def is_behind(self, position: store.Position) -> bool:
        """Whether the client has not been sent what is there now."""
        if not self.is_greeted:
            return False
        if position.deal and self.viewer.seat is not None:
            has_all = self._has(position.deal, position.version)
            return not has_all or self.board[2] != position.is_paused
        return self.board != (position.entries, position.status, position.is_paused)

    async def heal(self, position: store.Position) -> None:
        """Bring a client up that is behind and may get no further message (see `watching`)."""
        async with self.sending:
            if not self.is_behind(position):
                return
            if position.status == MatchStatus.VOID and await self.follow():
                return
            was_told = self.board[2] == position.is_paused
            if position.deal and self.viewer.seat is not None and was_told:
                await self._catch_up()
            else:
                await self._send_snapshot()

    async def log_out(self) -> None:
        """Close it: what it was opened with does not hold any more (see `watching`)."""
        await self.close(LOGGED_OUT)

    async def _catch_up(self) -> None:
        """A message was lost: read what is missing, or everything if the deal is another."""
        version = 0 if self.view is None else self.view.version
        missing = await in_database(self._missing, self.deal, version)
        await (self._send_snapshot() if missing is None else self._send(missing))

    async def _pass_on(self, events: Sequence[Event]) -> None:
        seat = self.viewer.seat
        shown = [redact(event, seat) for event in events]
        for event in shown:
            self.view = evolve(cast(DealState, self.view), event)
        view = cast(DealState, self.view)
        await self._send(
            fr.EventsOut(
                deal=self.deal,
                version=view.version,
                events=tuple(shown),
                legal=snapshots.legal_for(view, seat, None),
                clock=snapshots.clock_of(view, store.to_ms(now()), None),
            )
        )

    async def match_changed(self, message: Mapping[str, Any]) -> None:
        """The match has come to another step."""
        if not self.is_greeted:
            return
        async with self.sending:
            if self.viewer.seat is None:
                await self._send_snapshot()
                return
            board = await in_database(snapshots.scoreboard, self.viewer.match_id, now())
            if board.paused != self.board[2]:
                await self._send_snapshot()
                return
            self.board = (board.entries, board.status, board.paused)
            await self._send(board)

    async def chat_said(self, message: Mapping[str, Any]) -> None:
        """Somebody said something."""
        await self._send(fr.ChatOut(**message["line"]))

    async def _send_snapshot(self) -> None:
        await self._send(await in_database(self._snapshot))

    def _snapshot(self) -> fr.SnapshotOut:
        self.check_seat()
        found = snapshots.snapshot(self.viewer, now())
        self.deal, self.view = found.deal, found.state
        board = found.scoreboard
        self.board = (board.entries, board.status, board.paused)
        return found

    async def _send(self, frame: fr.OutFrame) -> None:
        await self.send(text_data=fr.write_frame(frame))
