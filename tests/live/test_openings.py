"""Sockets without end: a player opens more and more, or comes and goes, and harms nobody else.

Whoever has many sockets, at one table or at many, may send no more by them than by one.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tables import admission, consumers
from tables.limits import Allowances
from tables.threads import in_database
from tests.live.client import Player
from tests.live.stage import Stage, a_stage, until
from tests.live.test_attacks import play_on
from tests.tables.helpers import a_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def stage(site: str) -> AsyncIterator[Stage]:
    """Three people at a table whose deal is under way."""
    async with a_stage(site, 3) as stage:
        yield stage


async def _turned_away(tab: Player) -> bool:
    async with connect(tab.url, additional_headers=tab.headers) as socket:
        await socket.wait_closed()
    return socket.close_code == consumers.TOO_MANY


async def test_a_player_has_only_so_many_sockets_open_at_a_table_and_the_others_are_let_in(
    stage: Stage, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "OPEN_AT_MOST", 3)
    player, other, _ = stage.players
    async with stage.tab_of(player) as second, stage.tab_of(player) as third:
        for tab in (second, third):
            await tab.until("snapshot")
        assert await _turned_away(stage.tab_of(player))
        for welcome in (stage.tab_of(other), Player(site, stage.table)):
            async with welcome:
                await welcome.until("snapshot")
    await until(lambda: sum(admission.open_sockets.values()) == len(stage.players))
    async with stage.tab_of(player) as again:
        await again.until("snapshot")
    await play_on(stage, stage.players, 2)


async def test_who_comes_and_goes_without_end_is_turned_away_and_the_others_play_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "openings", Allowances())
    monkeypatch.setattr(admission, "OPENED_AT_ONCE", 5)
    restless = stage.players[0]
    begun, let_in = time.monotonic(), 0
    for _ in range(40):
        let_in += not await _comes_and_goes(stage.tab_of(restless))
    assert 5 <= let_in <= 5 + time.monotonic() - begun
    await play_on(stage, stage.players, 2)


async def _comes_and_goes(tab: Player) -> bool:
    """Whether he was turned away."""
    async with connect(tab.url, additional_headers=tab.headers) as socket:
        with suppress(ConnectionClosed):
            await socket.send('{"type":"hello"}')
            await socket.recv()
            return False
    return socket.close_code == consumers.TOO_MANY


async def test_sockets_of_one_player_at_many_tables_share_what_he_may_send(
    stage: Stage, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "FRAMES_PER_SECOND", 0)
    monkeypatch.setattr(consumers, "allowances", Allowances())
    other = await in_database(a_match)
    player = stage.players[0]
    async with (
        stage.tab_of(player) as here,
        Player(site, other.table.public_id, player.headers) as there,
    ):
        for tab in (here, there):
            await tab.until("snapshot")
        for _ in range(consumers.FRAMES_AT_ONCE - 2):
            await there.send({"type": "hello"})
            await there.until("snapshot")
        for tab in (here, there):
            await tab.send({"type": "hello"})
            assert (await tab.until("refused"))["code"] == "too_fast"
    async with stage.tab_of(stage.players[1]) as unharmed:
        await unharmed.until("snapshot")


async def test_who_has_not_logged_in_may_send_little_by_each_socket(
    stage: Stage, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "VISITORS_FRAMES_PER_SECOND", 0)
    async with Player(site, stage.table) as visitor, Player(site, stage.table) as another:
        await another.until("snapshot")
        for _ in range(consumers.VISITORS_FRAMES_AT_ONCE - 1):
            await visitor.until("snapshot")
            await visitor.send({"type": "hello"})
        await visitor.until("snapshot")
        await visitor.send({"type": "hello"})
        assert (await visitor.until("refused"))["code"] == "too_fast"
        await another.send({"type": "hello"})
        await another.until("snapshot")
