"""What a process does every few seconds for all its sockets together.

*Sockets that missed a message and will get no other.* A lost message is healed by the next one,
which shows the gap. The last one before a silence - the channel server came back, and somebody's
turn began - has no next one. So each process looks where the matches of its sockets are, in two
queries, and brings up who is behind. *Sockets whose log-in has ended*, which are closed.

Whatever is sent to a socket is sent in a task of its own: who does not read holds up nobody else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Protocol
from weakref import WeakKeyDictionary

from tables import logins, store
from tables.threads import in_database

WATCH_SECONDS: Final = 3.0
LOOKS_PER_LOGIN: Final = 3
"""Every so many looks the log-ins are looked at too."""

log = logging.getLogger(__name__)


class Viewing(Protocol):
    """Who looks at a match."""

    @property
    def match_id(self) -> int: ...


class Socket(Protocol):
    """What is watched."""

    login: logins.Login

    @property
    def viewer(self) -> Viewing: ...

    def is_behind(self, position: store.Position) -> bool: ...

    async def heal(self, position: store.Position) -> None: ...

    async def log_out(self) -> None: ...


class _Watch:
    """The sockets of one event loop, and the task that looks after them."""

    def __init__(self) -> None:
        self.sockets: set[Socket] = set()
        self._busy: dict[Socket, asyncio.Task[None]] = {}
        self.task = asyncio.create_task(self._look())

    async def _look(self) -> None:
        looks = 0
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            looks += 1
            try:
                await self._heal()
                if looks % LOOKS_PER_LOGIN == 0:
                    await self._log_out()
            except Exception:
                # The database may be away; the next look may find it again.
                log.exception("Sockets could not be looked after.")

    async def _heal(self) -> None:
        sockets = list(self.sockets)
        found = await in_database(store.positions, sorted({s.viewer.match_id for s in sockets}))
        for socket in sockets:
            position = found.get(socket.viewer.match_id)
            if position is not None and socket.is_behind(position):
                self._start(socket, socket.heal(position))

    async def _log_out(self) -> None:
        sockets = list(self.sockets)
        ended = await in_database(logins.ended, {s.login for s in sockets}, datetime.now(UTC))
        for socket in sockets:
            if socket.login in ended:
                self._start(socket, socket.log_out())

    def _start(self, socket: Socket, work: Coroutine[Any, Any, None]) -> None:
        """Do something for a socket beside the look, unless it is gone or has not done the last."""
        if socket not in self.sockets or socket in self._busy:
            work.close()
            return
        task = self._busy[socket] = asyncio.create_task(work)
        task.add_done_callback(partial(self._done, socket))

    def _done(self, socket: Socket, task: asyncio.Task[None]) -> None:
        del self._busy[socket]
        fault = None if task.cancelled() else task.exception()
        if fault is not None:  # it is gone, or does not read, or the database is away
            log.info("a socket could not be brought up", extra={"fault": type(fault).__name__})


_watches: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, _Watch]] = WeakKeyDictionary()


def join(socket: Socket) -> None:
    """Watch a socket of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _watches:
        _watches[loop] = _Watch()
    _watches[loop].sockets.add(socket)


def leave(socket: Socket) -> None:
    """Watch it no more; the last one ends the watch. Said of one not watched, it is nothing."""
    loop = asyncio.get_running_loop()
    watch = _watches.get(loop)
    if watch is None:
        return
    watch.sockets.discard(socket)
    if not watch.sockets:
        watch.task.cancel()
        del _watches[loop]
