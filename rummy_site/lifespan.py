"""What happens when an ASGI server starts and stops the site around serving, and all the while.

Servers that know the lifespan protocol (uvicorn, granian) call. Daphne does not; nothing breaks.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

from django.db import DatabaseError

from tables import attendance
from tables.services import heartbeat
from tables.threads import in_database

GC_THRESHOLD: Final = (10_000, 50, 50)

log = logging.getLogger(__name__)

Scope = dict[str, Any]


def settle_memory() -> None:
    """Let the collector leave alone what lives as long as the process: its walks would stop play.

    With 1,000 sockets that is most of the time for which a frame can be held up.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)


async def beat() -> None:
    """Note every second that this web process serves; without any, no player's time runs."""
    while True:
        try:
            await in_database(heartbeat.web_beat, now=datetime.now(UTC))
        except DatabaseError as fault:
            log.warning("the web's beat is not noted", extra={"fault": type(fault).__name__})
        await asyncio.sleep(heartbeat.EVERY.total_seconds())


class WithLifespan:
    """An ASGI application with something to start before it, to stop after it, and to do beside."""

    def __init__(
        self,
        app: Any,
        *,
        start: Callable[[], None],
        stop: Callable[[], None],
        beside: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        self._app = app
        self._start = start
        self._stop = stop
        self._beside = beside

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answer the lifespan here, pass everything else on."""
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return
        await receive()
        if not await self._done(self._start, "startup", send):
            return
        beside = None if self._beside is None else asyncio.create_task(self._beside())
        # A server that is told to stop at once cancels this; the process ends anyhow.
        with suppress(asyncio.CancelledError):
            await receive()
            if beside is not None:
                beside.cancel()
            await attendance.end()
            await self._done(self._stop, "shutdown", send)

    async def _done(self, work: Callable[[], None], phase: str, send: Any) -> bool:
        """Do it in a thread, since it may wait, and tell the server how it went."""
        try:
            await asyncio.to_thread(work)
        except Exception as fault:
            log.exception("lifespan failed", extra={"phase": phase})
            await send({"type": f"lifespan.{phase}.failed", "message": str(fault)})
            return False
        await send({"type": f"lifespan.{phase}.complete"})
        return True
