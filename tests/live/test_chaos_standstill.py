"""Everything stands still for a minute, on one machine and on servers, and nobody is timed out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence

import pytest

from tests.live.chaos import ServerSite, Site, Table, assert_sound, embedded_site
from tests.live.processes import PATIENCE_SECONDS, Process, running

pytestmark = pytest.mark.chaos

TURN_SECONDS = 30
CLOCK = {"turn_seconds": TURN_SECONDS, "declare_seconds": 30, "extra_seconds": 0}
GONE_BEFORE = 4.0
STANDSTILL_SECONDS = 60.0
LID_SECONDS = 8.0

Stop = Callable[[], None]


@pytest.fixture
def one_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, list[Process]]]:
    """A site in one process."""
    site = embedded_site(tmp_path_factory.mktemp("standstill"))
    process = site.serve()
    with running(process):
        yield site, [process]


@pytest.fixture
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, list[Process]]]:
    """A site in five processes, the databases first."""
    site = ServerSite(tmp_path_factory.mktemp("standstill"))
    everything = [site.redis, site.postgresql, site.web, site.worker, site.beat]
    with running(site.redis, site.postgresql):
        site.manage("migrate", "-v0")
        with running(*everything[2:]):
            yield site, everything
    site.remove()


@pytest.fixture
async def tables() -> AsyncIterator[list[Table]]:
    """Tables whose people are sent home in the end."""
    opened: list[Table] = []
    yield opened
    for table in opened:
        await table.hang_up()


async def _stands_still(
    site: Site, tables: list[Table], *, stop: Stop, start: Stop, seconds: float
) -> list[str]:
    """A turn of thirty seconds stops after four for so long; then it has the rest of them.

    Gives the kinds of events of the deal, played on for four moves.
    """
    desk = site.desk()
    table = Table(site, desk, desk.ask("open_match", people=2, clock=CLOCK))
    tables.append(table)
    await table.sit_down()
    await table.until_dealt()
    before = table.deal()
    await asyncio.sleep(GONE_BEFORE)
    stopped = time.monotonic()
    stop()
    await asyncio.sleep(seconds)
    at_least = time.monotonic() - stopped
    await asyncio.to_thread(start)
    await table.sit_down()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while "clock_shifted" not in (after := table.deal())["kinds"]:
            await asyncio.sleep(0.1)
    most = time.monotonic() - stopped + 3
    assert at_least <= after["deadline"] - before["deadline"] <= most
    mover = await table.mover()
    await mover.send({"type": "hello"})
    [ending] = (await mover.until("snapshot"))["clock"]["ends"]
    assert 10_000 < ending["left_ms"] <= 1000 * (TURN_SECONDS - GONE_BEFORE) + 3000
    for _ in range(4):
        assert (await table.move())["type"] == "done"
    kinds: list[str] = table.deal()["kinds"]
    assert_sound(table.facts())
    desk.close()
    return kinds


def _is_charged_to_nobody(kinds: Sequence[str]) -> bool:
    """Whether the clock was moved on once, and nobody's turn ran out."""
    return kinds.count("clock_shifted") == 1 and "turn_missed" not in kinds


def _kill(processes: Sequence[Process]) -> None:
    for process in reversed(processes):
        process.kill()


def _start(processes: Sequence[Process]) -> None:
    for process in processes:
        process.start()


async def test_a_minute_without_the_one_process_is_charged_to_nobody(
    one_machine: tuple[Site, list[Process]], tables: list[Table]
) -> None:
    site, everything = one_machine
    kinds = await _stands_still(
        site,
        tables,
        stop=lambda: _kill(everything),
        start=lambda: _start(everything),
        seconds=STANDSTILL_SECONDS,
    )
    assert _is_charged_to_nobody(kinds), kinds


async def test_a_closed_lid_is_charged_to_nobody(
    one_machine: tuple[Site, list[Process]], tables: list[Table]
) -> None:
    site, [process] = one_machine
    kinds = await _stands_still(
        site, tables, stop=process.suspend, start=process.resume, seconds=LID_SECONDS
    )
    assert _is_charged_to_nobody(kinds), kinds


@pytest.mark.services
async def test_a_minute_without_any_server_is_charged_to_nobody(
    servers: tuple[Site, list[Process]], tables: list[Table]
) -> None:
    site, everything = servers
    kinds = await _stands_still(
        site,
        tables,
        stop=lambda: _kill(everything),
        start=lambda: _start(everything),
        seconds=STANDSTILL_SECONDS,
    )
    assert _is_charged_to_nobody(kinds), kinds
