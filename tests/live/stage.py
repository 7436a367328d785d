"""A table with people at it, for tests of single sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from websockets.exceptions import ConnectionClosed

from tables import services
from tables.models import Deal, Match
from tables.rules.commands import Arrange
from tables.rules.evolve import replay
from tables.rules.visibility import view_of
from tables.selectors import check_deal
from tables.store import events_of
from tables.threads import in_database
from tests.live.client import Player
from tests.live.test_matches import seated
from tests.tables.helpers import a_match, dealt

PATIENCE = 15.0


class Stage(NamedTuple):
    """A match whose deal is under way, and its players by seat, each with a snapshot."""

    match: Match
    deal: Deal
    players: list[Player]
    table: str

    @property
    def by_turn(self) -> list[Player]:
        """Who has to act comes first."""
        return sorted(self.players, key=lambda player: not player.must_act)

    def tab_of(self, player: Player) -> Player:
        """Another tab of a player."""
        return Player(player.url.split("/")[2], self.table, player.headers)


@asynccontextmanager
async def a_stage(
    site: str, people: int = 2, headers_of: Callable[[Match], list[dict[str, str]]] = seated
) -> AsyncIterator[Stage]:
    """People at a table whose deal is dealt now; they go home in the end."""
    match = await in_database(a_match, people)
    deal, _ = await in_database(dealt, match, datetime.now(UTC))
    table = await in_database(lambda: match.table.public_id)
    players = [Player(site, table, header) for header in await in_database(headers_of, match)]
    for player in players:
        await player.open()
        await player.until("snapshot")
    try:
        yield Stage(match, deal, players, table)
    finally:
        for player in players:
            await player.close()


def arrange(deal: Deal, seat: int, times: int, start: int = 0) -> None:
    """Save so many groupings, each an event for everybody."""
    hand = replay(events_of(deal)).seat_state(seat).hand
    for number in range(start, start + times):
        services.play(
            deal_id=deal.pk,
            command=Arrange(seat, (hand[: 3 + number % 2],)),
            command_id=f"arrange:{number}",
            now=datetime.now(UTC),
        )


async def all_see_the_truth(deal: Deal, *players: Player) -> None:
    """Each view becomes the one that the log gives, and the log is sound."""
    state = replay(await in_database(events_of, deal))
    for player in players:
        while player.version < state.version:
            await player.next()
        assert player.view == view_of(state, player.seat)
    row = await in_database(Deal.objects.get, pk=deal.pk)
    assert (await in_database(check_deal, row)).faults == ()


async def until(holds: Callable[[], Any], *, in_thread: bool = False) -> None:
    """Wait until it holds; asked in the database's thread on demand."""
    async with asyncio.timeout(PATIENCE):
        while not (await in_database(holds) if in_thread else holds()):
            await asyncio.sleep(0.02)


async def closed_with(player: Player) -> int | None:
    """The code that a player's socket is closed with, read to its end."""
    assert player.socket is not None
    with suppress(ConnectionClosed):
        async with asyncio.timeout(PATIENCE):
            async for _ in player.socket:
                pass
    return player.socket.close_code
