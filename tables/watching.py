"""Sockets that missed a message and will get no other: found by looking at the versions.

A lost message is healed by the next one, which shows the gap. The last one before a silence - the
channel server came back, and somebody's turn began - has no next one. So each process looks every
few seconds where the matches of its sockets are, in two queries, and brings up who is behind.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol
from weakref import WeakKeyDictionary

from tables import store
from tables.threads import in_database

WATCH_SECONDS: Final = 3.0

log = logging.getLogger(__name__)


class Viewing(Protocol):
    """Who looks at a match."""

    @property
    def match_id(self) -> int: ...


class Socket(Protocol):
    """What is watched."""

    @property
    def viewer(self) -> Viewing: ...

    async def heal(self, position: store.Position) -> None: ...


class _Watch:
    """The sockets of one event loop, and the task that looks after them."""

    def __init__(self) -> None:
        self.sockets: set[Socket] = set()
        self.task = asyncio.create_task(self._look())

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            try:
                await self._heal()
            except Exception:
                # The database may be away; the next look may find it again.
                log.exception("Sockets could not be looked after.")

    async def _heal(self) -> None:
        sockets = list(self.sockets)
        found = await in_database(store.positions, sorted({s.viewer.match_id for s in sockets}))
        for socket in sockets:
            position = found.get(socket.viewer.match_id)
            if position is not None and socket in self.sockets:
                await socket.heal(position)


_watches: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, _Watch]] = WeakKeyDictionary()


def join(socket: Socket) -> None:
    """Watch a socket of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _watches:
        _watches[loop] = _Watch()
    _watches[loop].sockets.add(socket)


def leave(socket: Socket) -> None:
    """Watch it no more; the last one ends the watch."""
    loop = asyncio.get_running_loop()
    watch = _watches.get(loop)
    if watch is None:
        return
    watch.sockets.discard(socket)
    if not watch.sockets:
        watch.task.cancel()
        del _watches[loop]
