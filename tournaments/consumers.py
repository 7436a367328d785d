"""The socket of a control room: it says that something has changed, and nothing else.

The page asks for what it shows itself, as its own user. So nothing secret goes over this socket,
and a message that is lost is made good by the next one.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.auth import get_user_model
from django.db import DatabaseError

from tournaments.access import served_by
from tournaments.models import Tournament
from tournaments.play.sockets import Login, ended, in_database, login_of
from tournaments.selectors.control import stamp_of

LOOK_SECONDS: Final = 2.0
NOT_YOURS: Final = 4403
CHANGED: Final = '{"kind": "changed"}'


class ControlConsumer(AsyncWebsocketConsumer):
    """One open control room. It is looked every two seconds whether there is anything new."""

    login: Login
    seen: tuple[int, ...] | None = None
    looking: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Let in the tournament's organisers and arbiters only."""
        self.login = login_of(self.scope)
        await self.accept()
        self.seen = await in_database(self._look)
        if self.seen is None:
            await self.close(NOT_YOURS)
            return
        self.looking = asyncio.create_task(self._keep_looking())

    async def disconnect(self, code: int) -> None:
        """Look no more."""
        if self.looking is not None:
            self.looking.cancel()
            with suppress(asyncio.CancelledError):
                await self.looking

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is done by this socket; what a client says is not read."""

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                found = await in_database(self._look)
            except DatabaseError:
                continue  # the database comes back, or the server ends
            if found is None:
                await self.close(NOT_YOURS)
                return
            if found != self.seen:
                self.seen = found
                await self.send(CHANGED)

    def _look(self) -> tuple[int, ...] | None:
        """How it stands; None for who may not look, or may not any more."""
        if self.login.user_id is None or ended([self.login], datetime.now(UTC)):
            return None
        users = get_user_model()._default_manager.filter(pk=self.login.user_id, is_active=True)
        user: Any = users.first()
        if user is None:
            return None
        name = self.scope["url_route"]["kwargs"]["public_id"]
        found = Tournament.objects.filter(served_by(user), public_id=name)
        key = found.values_list("pk", flat=True).first()
        return None if key is None else stamp_of(key)
