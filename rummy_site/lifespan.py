"""What happens when an ASGI server starts and stops the site around serving.

Servers that know the lifespan protocol (uvicorn, granian) call. Daphne does not; nothing breaks.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

GC_THRESHOLD: Final = (50_000, 50, 50)

log = logging.getLogger(__name__)

Scope = dict[str, Any]


def settle_memory() -> None:
    """Let the collector leave alone what lives as long as the process: its walks would stop play.

    With 1,000 sockets that is most of the time for which a frame can be held up.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)


class WithLifespan:
    """An ASGI application with something to start before it and to stop after it."""

    def __init__(self, app: Any, *, start: Callable[[], None], stop: Callable[[], None]) -> None:
        self._app = app
        self._start = start
        self._stop = stop

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answer the lifespan here, pass everything else on."""
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return
        await receive()
        if not await self._done(self._start, "startup", send):
            return
        # A server that is told to stop at once cancels this; the process ends anyhow.
        with suppress(asyncio.CancelledError):
            await receive()
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
