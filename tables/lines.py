"""The line to one client: how long a frame may wait to be taken, and nothing after the close.

A client that stops reading fills the buffers between it and us, and then whoever sends to it waits.
What comes up meanwhile is kept for it, so it may not be kept for ever: when its time is up it is
let go, and has lost nothing that it does not get when it comes back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from channels.exceptions import StopConsumer

UNREAD_SECONDS: Final = 15.0
"""So long a frame waits at most for a client that does not read."""

log = logging.getLogger(__name__)

Message = dict[str, Any]


class Line:
    """Sends to a client. Raises `StopConsumer` when it has not read for too long."""

    def __init__(self, send: Callable[[Message], Awaitable[None]]) -> None:
        self._send = send
        self._is_closed = False

    async def __call__(self, message: Message) -> None:
        """Hand a message to the server; after a close there is nobody to have it."""
        if self._is_closed:
            return
        self._is_closed = message["type"] == "websocket.close"
        try:
            async with asyncio.timeout(UNREAD_SECONDS):
                await self._send(message)
        except TimeoutError:
            self._is_closed = True
            log.info("a client does not read and is let go", extra={"seconds": UNREAD_SECONDS})
            raise StopConsumer from None
