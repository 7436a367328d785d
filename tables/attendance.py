"""A process's sockets at seats: counted when they open, seen together, taken away when they end.

A socket that ends hands its channel over and is gone; match by match the players are cut off then,
one transaction each, between which others play. When the process ends, those that are left are
marked in one statement, and the next sweep takes them away: who has come back elsewhere meanwhile
was never offline. Whatever is lost on the way the sweep finds too (see `services.connections`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from django.db import DatabaseError

from tables.services import connections
from tables.threads import in_database

LOOK_SECONDS: Final = 3.0

log = logging.getLogger(__name__)


class Place(NamedTuple):
    """At which seat a socket is, and whose the seat has to be."""

    seat_id: int
    user_id: int | None


class _Counted:
    """A socket, and when it was last seen, in seconds of its loop."""

    __slots__ = ("place", "seen")

    def __init__(self, place: Place, seen: float) -> None:
        self.place = place
        self.seen = seen


def now() -> datetime:
    """The server's time, read at the edge only."""
    return datetime.now(UTC)


class _Attendance:
    """The sockets of one event loop, by channel, and those that have ended."""

    def __init__(self) -> None:
        self._counted: dict[str, _Counted] = {}
        self._ended: dict[str, None] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._is_over = False

    async def sit_down(self, channel: str, place: Place) -> None:
        self._counted[channel] = _Counted(place, asyncio.get_running_loop().time())
        self._keep_doing("see", self._see)
        await in_database(connections.counted, channel=channel, now=now(), **place._asdict())

    async def change_seat(self, channel: str, after: Place | None) -> None:
        if self._counted.pop(channel, None) is not None:
            await in_database(connections.sockets_closed, channels=[channel], now=now())
        if after is not None:
            await self.sit_down(channel, after)

    def stand_up(self, channel: str) -> None:
        if self._counted.pop(channel, None) is not None:
            self._ended[channel] = None
            self._keep_doing("take away", self._take_away)

    def close_down(self) -> None:
        self._is_over = True
        for task in self._tasks.values():
            task.cancel()

    async def end(self) -> None:
        self.close_down()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        left = [*self._ended, *self._counted]
        try:
            if left:
                await in_database(connections.given_up, channels=left, now=now())
        except DatabaseError as fault:
            log.warning("sockets are left to be missed", extra={"fault": type(fault).__name__})

    def _keep_doing(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if name not in self._tasks and not self._is_over:
            task = self._tasks[name] = asyncio.create_task(work())
            task.add_done_callback(partial(self._done, name))

    def _done(self, name: str, task: asyncio.Task[None]) -> None:
        del self._tasks[name]
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            log.error("sockets cannot be looked after", exc_info=fault, extra={"work": name})

    async def _take_away(self) -> None:
        """What has ended, until nothing is left."""
        while self._ended:
            ended = list(self._ended)[: connections.AT_ONCE]
            try:
                await self._close(ended)
            except DatabaseError as fault:
                log.warning("sockets are left to be missed", extra={"fault": type(fault).__name__})
            for channel in ended:
                del self._ended[channel]

    async def _close(self, channels: list[str]) -> None:
        for match_id in await in_database(connections.matches_of, channels=channels):
            try:
                await in_database(
                    connections.sockets_closed_at, match_id=match_id, channels=channels, now=now()
                )
            except DatabaseError:
                raise
            except Exception:  # a deal that cannot be read holds up no other
                log.exception("a socket could not be taken away", extra={"match": match_id})

    async def _see(self) -> None:
        """Now and then, while there are any."""
        while self._counted:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self._see_due()
            except DatabaseError as fault:
                log.warning("sockets are not seen", extra={"fault": type(fault).__name__})

    async def _see_due(self) -> None:
        before = asyncio.get_running_loop().time() - connections.SEEN_EVERY.total_seconds()
        due = [channel for channel, socket in self._counted.items() if socket.seen <= before]
        for first in range(0, len(due), connections.AT_ONCE):
            channels = due[first : first + connections.AT_ONCE]
            missed = await in_database(connections.sockets_seen, channels=channels, now=now())
            for channel in channels:
                await self._is_seen(channel, channel in missed)

    async def _is_seen(self, channel: str, is_missed: bool) -> None:
        """It may have ended meanwhile."""
        socket = self._counted.get(channel)
        if socket is None:
            return
        socket.seen = asyncio.get_running_loop().time()
        if is_missed:
            place = socket.place._asdict()
            await in_database(connections.counted, channel=channel, now=now(), **place)


_all: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, _Attendance]] = WeakKeyDictionary()


def _here() -> _Attendance:
    loop = asyncio.get_running_loop()
    if loop not in _all:
        _all[loop] = _Attendance()
    return _all[loop]


async def sit_down(channel: str, place: Place) -> None:
    """Count a socket at a seat; the first one brings its player back."""
    await _here().sit_down(channel, place)


async def change_seat(channel: str, after: Place | None) -> None:
    """Count a socket no more where it was, and at another seat if it has one."""
    await _here().change_seat(channel, after)


def stand_up(channel: str) -> None:
    """A socket has ended; its player is cut off soon if it was his last. Nothing, if at no seat."""
    _here().stand_up(channel)


def close_down() -> None:
    """The server is about to close all sockets: nobody is cut off for that any more."""
    _here().close_down()


async def end() -> None:
    """The process ends: leave whatever is still counted to the sweep, and do nothing more."""
    await _here().end()
