"""A socket whose seat, or whose table's match, may become another one while it is open.

Before the first deal a seat may be given to somebody else, and a table may be played again in a new
match. Whoever had the seat looks on from then on, whoever has it now plays from the socket he
has. The message that says so may be lost, so nothing is shown or done for a seat without asking
whose it is - except in a deal that was shown already: from the first deal on a seat stays.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from tables import attendance, snapshots
from tables.broadcast import group_of
from tables.errors import TableCode, TableRefusal
from tables.logins import Login
from tables.rules.state import DealState
from tables.snapshots import Viewer
from tables.threads import in_database


class FollowsTable(ABC):
    """The part of a table's consumer that knows who it plays for."""

    viewer: Viewer
    login: Login
    sending: asyncio.Lock
    is_greeted = False
    """Has had its first frame; before that, messages are left to what `hello` reads."""
    deal = ""
    view: DealState | None = None
    """The viewer's copy of the running deal, kept up to date with redacted events."""
    channel_name: str
    channel_layer: Any

    @abstractmethod
    async def _send_snapshot(self) -> None:
        """Send everything that the viewer may know."""

    def check_seat(self) -> None:
        """Look on from now on if the seat has become somebody else's. One query."""
        seat_id = self.viewer.seat_id
        if seat_id is not None and not snapshots.has_seat(seat_id, self.login.user_id):
            self.viewer = self.viewer._replace(seat=None, seat_id=None)
            self.deal, self.view = "", None

    def seat_now(self) -> tuple[int, int]:
        """Number and id of the seat that is still the viewer's. Raises `NOT_A_PLAYER`."""
        self.check_seat()
        return self.seat_as_known()

    def seat_as_known(self) -> tuple[int, int]:
        """The same without asking again, for a deal that was shown already."""
        if self.viewer.seat_id is None or self.viewer.seat is None:
            raise TableRefusal(
                TableCode.NOT_A_PLAYER, "You do not play at this table; you can only look on."
            )
        return self.viewer.seat, self.viewer.seat_id

    async def table_changed(self, message: Mapping[str, Any]) -> None:
        """A seat has another player, or the table another match."""
        async with self.sending:
            await self.follow()

    async def follow(self) -> bool:
        """Look at the table anew; whether it is another view. The caller holds `sending`."""
        before = self.viewer
        after = await in_database(
            snapshots.viewer_of, table=before.table, user_id=self.login.user_id
        )
        if after == before:
            return False
        if after.match_id != before.match_id:
            await self.channel_layer.group_discard(group_of(before.match_id), self.channel_name)
            await self.channel_layer.group_add(group_of(after.match_id), self.channel_name)
        self.viewer, self.deal, self.view = after, "", None
        await attendance.change_seat(self.channel_name, self._place())
        if self.is_greeted:
            await self._send_snapshot()
        return True

    async def sit_down(self) -> None:
        """Be counted among the sockets of the seat, if there is one."""
        place = self._place()
        if place is not None:
            await attendance.sit_down(self.channel_name, place)

    def _place(self) -> attendance.Place | None:
        seat_id = self.viewer.seat_id
        return None if seat_id is None else attendance.Place(seat_id, self.login.user_id)
