"""The socket of a control room: it says that something has changed, and nothing else.

The page asks for what it shows itself, as its own user. So nothing secret goes over this socket,
and a message that is lost is made good by the next one.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from channels.generic.websocket import AsyncWebsocketConsumer

from tournaments import rooms
from tournaments.play.sockets import in_database, login_of

NOT_YOURS: Final = 4403
CHANGED: Final = '{"kind": "changed"}'


class ControlConsumer(AsyncWebsocketConsumer):
    """One open control room (see `tournaments.rooms`)."""

    place: tuple[rooms.Room, rooms.Desk] | None = None
    telling: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Let in the tournament's organisers and arbiters only."""
        login = login_of(self.scope)
        await self.accept()
        name = self.scope["url_route"]["kwargs"]["public_id"]
        found = await in_database(rooms.opened, login, name)
        if found is None:
            await self.close(NOT_YOURS)
            return
        self.place = rooms.enter(login, found)
        self.telling = asyncio.create_task(self._keep_telling(self.place[1]))

    async def disconnect(self, code: int) -> None:
        """Look no more."""
        if self.place is not None:
            rooms.leave(*self.place)
        if self.telling is not None:
            self.telling.cancel()
            with suppress(asyncio.CancelledError):
                await self.telling

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is done by this socket; what a client says is not read."""

    async def _keep_telling(self, desk: rooms.Desk) -> None:
        while await desk.news():
            await self.send(CHANGED)
        await self.close(NOT_YOURS)
