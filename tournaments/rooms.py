"""One look at a tournament for all of its control rooms that are open in this process.

However many desks look on, the database is asked every two seconds once for each tournament how it
stands, and now and then whether those who look still may. A desk that reads slowly keeps no other
one waiting: it is woken, and tells by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.db import DatabaseError, InterfaceError

from tournaments.access import served_by
from tournaments.models import Tournament
from tournaments.play.sockets import Login, ended, in_database
from tournaments.selectors.control import stamp_of

LOOK_SECONDS: Final = 2.0
ACCESS_LOOKS: Final = 5
"""After so many looks it is asked who may still look; what is told has nothing secret in it."""
Stamp = tuple[int, ...]


class Opened(NamedTuple):
    """A tournament whose control room somebody may see, and how it stands now."""

    tournament_id: int
    stamp: Stamp | None


def opened(login: Login, public_id: str) -> Opened | None:
    """The tournament, if this log-in may look at its control room."""
    found = Tournament.objects.filter(public_id=public_id).values_list("pk", flat=True).first()
    if found is None or not _still_allowed({login}, found):
        return None
    return Opened(found, stamp_of(found))


def _still_allowed(logins: Collection[Login], tournament_id: int) -> set[Login]:
    """Those that hold, of who may serve in the tournament."""
    holding = set(logins) - ended(logins, datetime.now(UTC))
    ids = {login.user_id for login in holding if login.user_id is not None}
    users = get_user_model()._default_manager.filter(pk__in=ids, is_active=True)
    serving = {user.pk for user in users if _serves(user, tournament_id)}
    return {login for login in holding if login.user_id in serving}


def _serves(user: Any, tournament_id: int) -> bool:
    return Tournament.objects.filter(served_by(user), pk=tournament_id).exists()


class Desk:
    """An open control room: woken when there is something new, or when it is not its any more."""

    def __init__(self, login: Login) -> None:
        self.login = login
        self.is_let_in = True
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """There is something new."""
        self._woken.set()

    async def news(self) -> bool:
        """Wait for something new; False once this desk may look no more."""
        await self._woken.wait()
        self._woken.clear()
        return self.is_let_in


class Room:
    """The desks of one tournament, and the one who looks for them."""

    def __init__(self, key: _Key, seen: Stamp | None) -> None:
        self.key = key
        self.seen = seen
        self.desks: set[Desk] = set()
        self.looking = asyncio.create_task(self._keep_looking())

    async def _keep_looking(self) -> None:
        looks = 0
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            looks += 1
            try:
                await self._look(asks_who_may=looks % ACCESS_LOOKS == 0)
            except (DatabaseError, InterfaceError):
                continue  # the database comes back, or the server ends

    async def _look(self, *, asks_who_may: bool) -> None:
        number = self.key[1]
        found = await in_database(stamp_of, number)
        if asks_who_may or found is None:
            logins = {desk.login for desk in self.desks}
            allowed = await in_database(_still_allowed, logins, number)
            for desk in self.desks:
                if desk.login in logins and desk.login not in allowed:
                    desk.is_let_in = False
                    desk.wake()
        if found != self.seen:
            self.seen = found
            for desk in self.desks:
                desk.wake()


_Key = tuple[asyncio.AbstractEventLoop, int]
_rooms: Final[dict[_Key, Room]] = {}
"""By the loop that looks and the tournament's id; only as long as a desk is open."""


def enter(login: Login, found: Opened) -> tuple[Room, Desk]:
    """Open a desk, and begin to look where nobody does yet."""
    key = (asyncio.get_running_loop(), found.tournament_id)
    room = _rooms.get(key)
    if room is None:
        room = _rooms[key] = Room(key, found.stamp)
    desk = Desk(login)
    room.desks.add(desk)
    return room, desk


def leave(room: Room, desk: Desk) -> None:
    """Close a desk; nobody looks for a room without one."""
    room.desks.discard(desk)
    if not room.desks and _rooms.get(room.key) is room:
        del _rooms[room.key]
        room.looking.cancel()
