"""A site on servers goes on after any one of them is killed, and nothing is lost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tables.services.heartbeat import EVERY
from tables.tasks import SPAN_SECONDS
from tests.live.chaos import DOWN_SECONDS, Desk, ServerSite, Table, assert_sound
from tests.live.processes import PATIENCE_SECONDS, Process, running

pytestmark = [pytest.mark.services, pytest.mark.chaos]

LONG = {"turn_seconds": 60, "declare_seconds": 60, "extra_seconds": 0}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerSite]:
    """All five processes, running."""
    site = ServerSite(tmp_path_factory.mktemp("servers"))
    with running(site.redis, site.postgresql):
        site.manage("migrate", "-v0")
        with running(site.web, site.worker, site.beat):
            yield site
    site.remove()


@pytest.fixture(scope="module")
def desk(site: ServerSite) -> Iterator[Desk]:
    """The site's desk."""
    desk = site.desk()
    desk.wait_for_clock()
    yield desk
    desk.close()


@pytest.fixture
async def table(site: ServerSite, desk: Desk) -> AsyncIterator[Table]:
    """Two people at a table whose first deal is dealt and under way."""
    table = Table(site, desk, desk.ask("open_match", people=2, clock=LONG))
    await table.sit_down()
    await table.until_dealt()
    assert (await table.move())["type"] == "done"
    yield table
    await table.hang_up()


async def _away(process: Process) -> float:
    """Kill it, leave it down, start it; for how long at least it was away."""
    killed = time.monotonic()
    process.kill()
    await asyncio.sleep(DOWN_SECONDS)
    at_least = time.monotonic() - killed
    await asyncio.to_thread(process.start)
    return at_least


async def _goes_on(table: Table) -> None:
    """Six more moves, then the log is sound and nobody has missed a turn."""
    for _ in range(6):
        assert (await table.move())["type"] == "done"
    facts = table.facts()
    assert "turn_missed" not in facts["deals"][0]["kinds"]
    assert_sound(facts)


async def _until_shifted(table: Table, before: dict[str, Any]) -> float:
    """By how much the deal's deadline has been moved on since, once."""
    shifts = before["kinds"].count("clock_shifted")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (deal := table.deal())["kinds"].count("clock_shifted") == shifts:
            await asyncio.sleep(0.1)
    assert deal["kinds"].count("clock_shifted") == shifts + 1
    moved: float = deal["deadline"] - before["deadline"]
    return moved


async def test_after_a_killed_web_process_people_come_back_and_its_absence_is_charged_to_nobody(
    site: ServerSite, table: Table
) -> None:
    before = table.deal()
    at_least = await _away(site.web)
    await table.sit_down()
    assert await _until_shifted(table, before) >= at_least
    await _goes_on(table)


async def test_after_a_killed_worker_its_absence_is_charged_to_nobody(
    site: ServerSite, table: Table
) -> None:
    before = table.deal()
    at_least = await _away(site.worker)
    assert await _until_shifted(table, before) >= at_least
    await _goes_on(table)


async def test_people_play_on_without_a_worker(site: ServerSite, table: Table) -> None:
    site.worker.kill()
    await _goes_on(table)
    await asyncio.to_thread(site.worker.start)
    assert table.deal()["kinds"].count("card_drawn") >= 3


async def test_after_a_killed_redis_the_same_sockets_go_on(site: ServerSite, table: Table) -> None:
    """The clock's last run goes on without it for a moment, in which times run on too."""
    before = table.deal()
    at_least = await _away(site.redis)
    assert await _until_shifted(table, before) >= at_least - SPAN_SECONDS
    await _goes_on(table)


async def test_a_move_without_redis_counts_and_is_seen_afterwards(
    site: ServerSite, table: Table
) -> None:
    mover = await table.mover()
    site.redis.kill()
    assert (await mover.act(mover.think()))["type"] == "done"
    await asyncio.to_thread(site.redis.start)
    [other] = [player for player in table.players if player is not mover]
    await other.send({"type": "hello", "deal": other.deal, "version": other.version})
    await other.until("events", version=mover.version)
    await _goes_on(table)


async def test_after_a_killed_postgresql_people_come_back_to_their_hands(
    site: ServerSite, table: Table
) -> None:
    before = table.deal()
    at_least = await _away(site.postgresql)
    await table.sit_down()
    assert await _until_shifted(table, before) >= at_least
    await _goes_on(table)


async def test_after_a_killed_postgresql_the_same_web_process_serves_the_next_who_asks(
    site: ServerSite, table: Table
) -> None:
    """Not only who asks again: none of the connections it had is given to anybody."""

    token = table.players[0].headers["Authorization"].removeprefix("Token ")

    def accounts() -> int:
        return site.page("/api/ledger/accounts/", token)

    assert await asyncio.gather(*(asyncio.to_thread(accounts) for _ in range(8))) == [200] * 8
    site.postgresql.kill()
    await asyncio.to_thread(site.postgresql.start)
    await asyncio.sleep(2 * EVERY.total_seconds())
    assert [accounts() for _ in range(10)] == [200] * 10
    for player in table.players * 4:
        await player.close()
        await player.open()
        await player.next()
    await _goes_on(table)


async def test_everything_killed_and_started_again_goes_on_where_it_stood(
    site: ServerSite, table: Table
) -> None:
    before = table.deal()
    everything = (site.beat, site.worker, site.web, site.redis, site.postgresql)
    killed = time.monotonic()
    for process in everything:
        process.kill()
    await asyncio.sleep(DOWN_SECONDS)
    at_least = time.monotonic() - killed
    for process in reversed(everything):
        await asyncio.to_thread(process.start)
    await table.sit_down()
    assert await _until_shifted(table, before) >= at_least
    await _goes_on(table)
