"""A site that is told to stop with many sockets open ends soon and quietly, and loses nobody."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.live.chaos import Desk, ServerSite, Site, embedded_site
from tests.live.processes import Process, running

TABLES = 25
SEATS = 6
SOCKETS = TABLES * SEATS
AT_ONCE = 10
PATIENCE = 60.0
RESTART = 1012
ENDED = -signal.SIGTERM
"""uvicorn stops, and then lets the signal have its way."""
LOUD = ("Traceback", "level=ERROR", "level=CRITICAL", "timeout graceful shutdown exceeded")


@pytest.fixture(
    scope="module", params=["one machine", pytest.param("servers", marks=pytest.mark.chaos)]
)
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site whose web process is not started."""
    folder = tmp_path_factory.mktemp("stopping")
    if request.param == "one machine":
        yield embedded_site(folder)
        return
    servers = ServerSite(folder)
    with running(servers.postgresql, servers.redis):
        servers.manage("migrate", "-v0")
        yield servers
    servers.remove()


@pytest.fixture(scope="module")
def desk(site: Site) -> Iterator[Desk]:
    """The site's desk."""
    desk = site.desk()
    yield desk
    desk.close()


@pytest.fixture
def web(site: Site) -> Iterator[Process]:
    """Its web process, with everything inside where that is the whole site."""
    process = site.web if isinstance(site, ServerSite) else site.serve()
    with running(process):
        yield process


class Crowd:
    """People at many tables, each with a socket."""

    def __init__(self, site: Site, desk: Desk) -> None:
        opened = [desk.ask("open_match", people=SEATS) for _ in range(TABLES)]
        self._site = site
        self._seats = [(table["table"], token) for table in opened for token in table["tokens"]]
        self.sockets: list[ClientConnection] = []

    async def come(self, people: int = SOCKETS) -> None:
        """So many of them connect and have their first snapshot."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def open_one(table: str, token: str) -> ClientConnection:
            async with gate:
                socket = await connect(
                    f"ws://{self._site.address}/ws/tables/{table}/",
                    additional_headers={"Authorization": f"Token {token}"},
                    open_timeout=PATIENCE,
                )
                await socket.send('{"type":"hello"}')
                await asyncio.wait_for(socket.recv(), PATIENCE)
                return socket

        self.sockets = await asyncio.gather(
            *(open_one(table, token) for table, token in self._seats[:people])
        )

    async def codes(self) -> set[int | None]:
        """With which codes their sockets were closed."""
        for socket in self.sockets:
            await asyncio.wait_for(socket.wait_closed(), PATIENCE)
        return {socket.close_code for socket in self.sockets}

    def hang_up(self) -> None:
        """All at once, without a word."""
        for socket in self.sockets:
            socket.transport.abort()


def _is_quiet(web: Process) -> bool:
    text = web.log.read_text()
    assert [line for line in text.splitlines() if any(word in line for word in LOUD)] == []
    return "Shutting down" in text


async def test_a_stop_with_many_sockets_is_quiet_and_who_comes_back_was_never_offline(
    site: Site, desk: Desk, web: Process
) -> None:
    crowd = Crowd(site, desk)
    before = desk.ask("presence")["online"]
    await crowd.come()
    assert desk.ask("presence") == {"sockets": SOCKETS, "online": before}
    assert await asyncio.to_thread(web.stop) == ENDED
    assert _is_quiet(web)
    assert await crowd.codes() == {RESTART}
    assert desk.ask("presence") == {"sockets": SOCKETS, "online": before}
    await asyncio.to_thread(web.start)
    back = SOCKETS // 2
    await crowd.come(back)
    desk.ask("sweep")
    assert desk.ask("presence") == {"sockets": back, "online": before - SOCKETS + back}
    crowd.hang_up()


async def test_a_stop_right_after_everybody_has_hung_up_is_quiet_too(
    site: Site, desk: Desk, web: Process
) -> None:
    before = desk.ask("presence")["sockets"]  # of who was killed
    crowd = Crowd(site, desk)
    await crowd.come()
    crowd.hang_up()
    assert await asyncio.to_thread(web.stop) == ENDED
    assert _is_quiet(web)
    desk.ask("sweep")
    assert desk.ask("presence")["sockets"] == before
