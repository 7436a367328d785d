"""What a server keeps for a client that does not read is bounded, pongs as well."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import connect

from rummy_site.management.commands import serve
from rummy_site.sockets_protocol import BoundedWebSocket

SMALL = 4096
PINGS = 10_000
PING = bytes(110)
PATIENCE = 60
ROUNDS = 20
LIMIT = 64 * 1024
"""The transport's high-water mark; what comes in at once may be answered beyond it."""


async def _idle(scope: Any, receive: Any, send: Any) -> None:
    """Accept, and wait for the end."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def _kept_for_who_pings_and_reads_nothing(protocol: type[WebSocketsSansIOProtocol]) -> int:
    """Bytes that the server keeps for such a client in the end."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(_idle, ws=protocol, lifespan="off", log_config=None, ws_ping_interval=None)
    )
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    narrow = socket.create_connection(listener.getsockname())
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    narrow.setblocking(False)
    client = await connect("ws://rummy.invalid/", sock=narrow, ping_interval=None)
    client.transport.pause_reading()
    for number in range(PINGS):
        await client.ping(number.to_bytes(4, "big") + PING)
    [end] = server.server_state.connections
    assert isinstance(end, protocol)
    async with asyncio.timeout(PATIENCE):
        while end.writable.is_set():
            await asyncio.sleep(0.01)
        kept = await _in_the_end(end)
    client.transport.abort()
    server.should_exit = True
    with suppress(KeyboardInterrupt):
        await serving
    return kept


async def _in_the_end(end: WebSocketsSansIOProtocol) -> int:
    """What is kept when the loop, which reads what has come each time round, adds no more to it."""
    kept, rounds = -1, 0
    while rounds < ROUNDS:
        await asyncio.sleep(0.01)
        size = int(end.transport.get_write_buffer_size())
        kept, rounds = size, rounds + 1 if size == kept else 0
    return kept


async def test_pings_of_a_client_that_does_not_read_are_not_answered() -> None:
    assert await _kept_for_who_pings_and_reads_nothing(BoundedWebSocket) < 5 * LIMIT


async def test_with_uvicorns_own_protocol_they_would_fill_the_memory() -> None:
    """If this fails, uvicorn has mended it, and ours can go."""
    assert await _kept_for_who_pings_and_reads_nothing(WebSocketsSansIOProtocol) > 10 * LIMIT


async def test_pings_of_a_client_that_reads_are_answered() -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(_idle, ws=BoundedWebSocket, lifespan="off", log_config=None)
    )
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    port = listener.getsockname()[1]
    async with connect(f"ws://127.0.0.1:{port}/") as client, asyncio.timeout(PATIENCE):
        for _ in range(100):
            assert await (await client.ping()) >= 0  # its latency
    server.should_exit = True
    await serving


def test_the_site_is_served_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _served_with(monkeypatch).ws is BoundedWebSocket


def _served_with(monkeypatch: pytest.MonkeyPatch) -> uvicorn.Config:
    """What `serve` tells its server."""
    made: list[uvicorn.Config] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda server: made.append(server.config))
    serve._serve(serve.Command(), "127.0.0.1", 8000, web_only=True)
    [config] = made
    return config


async def test_nobody_on_this_machine_says_which_address_he_comes_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Limits of attempts and the audit log know people by it."""
    served = _served_with(monkeypatch)
    seen: list[str] = []

    async def told(scope: Any, receive: Any, send: Any) -> None:
        seen.append(f"{scope['scheme']} {scope['client'][0]}")
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    served.app, served.lifespan = told, "off"
    served.load()
    forged = [(b"x-forwarded-for", b"198.51.100.9"), (b"x-forwarded-proto", b"https")]
    scope = {"type": "http", "scheme": "http", "client": ("127.0.0.1", 5), "headers": forged}

    async def passed(message: Any) -> None:
        """Nobody reads it."""

    await served.loaded_app(scope, passed, passed)
    assert seen == ["http 127.0.0.1"]
