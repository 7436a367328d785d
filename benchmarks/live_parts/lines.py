"""One socket of a player, as light as a client can be: it looks only for what is needed."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

import msgspec
from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 60.0
GREETING = '{"type":"hello"}'


class Event(msgspec.Struct):
    """What is looked at of an event."""

    kind: str
    seat: int = -1
    card: Any = None


class Frame(msgspec.Struct):
    """What is looked at of any frame."""

    type: str
    version: int = 0
    events: tuple[Event, ...] = ()
    seat: int | None = None
    state: dict[str, Any] | None = None
    code: str = ""
    sentence: str = ""


_decoder = msgspec.json.Decoder(Frame)


class Table(Protocol):
    """Who is told what comes."""

    def seen(self, line: Line, frame: Frame) -> None:
        """A line has come to a version."""

    def refused(self, why: str) -> None:
        """Something was refused."""


class Line:
    """One socket; what comes is handed to its table."""

    def __init__(self, table: Table, site: str, path: str, token: str) -> None:
        self._table = table
        self._url = f"ws://{site}{path}"
        self._headers = {"Authorization": f"Token {token}"} if token else {}
        self._headers["Origin"] = f"http://{site}"
        self._socket: ClientConnection | None = None
        self._echoed = asyncio.Event()
        self._snapshot = asyncio.Event()
        self.version = 0
        self.seat: int | None = None

    async def open(self, greeting: str = "") -> None:
        """Connect, and greet."""
        self._snapshot.clear()
        self._socket = await connect(
            self._url, additional_headers=self._headers, open_timeout=PATIENCE, ping_interval=None
        )
        self._reading = asyncio.create_task(self._read(self._socket))
        if greeting:
            await self.send(greeting)

    async def send(self, text: str) -> None:
        """Send a frame."""
        assert self._socket is not None
        await self._socket.send(text)

    async def has_snapshot(self) -> None:
        """Wait for the first one since it was opened. Raises `ConnectionError` if it is closed."""
        waiting = asyncio.create_task(self._snapshot.wait())
        await asyncio.wait({waiting, self._reading}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not self._snapshot.is_set():
            code = None if self._socket is None else self._socket.close_code
            raise ConnectionError(f"The site closed a socket with {code}.")

    def cut(self) -> None:
        """Lose the connection, as with the network."""
        assert self._socket is not None
        self._reading.cancel()
        self._socket.transport.abort()

    async def echo(self) -> None:
        """Send an echo and wait for it."""
        self._echoed.clear()
        await self.send("echo")
        await self._echoed.wait()

    def close(self) -> None:
        """Hang up without a word."""
        self._reading.cancel()

    async def _read(self, socket: ClientConnection) -> None:
        async for text in socket:
            if text == "echo":
                self._echoed.set()
                continue
            frame = _decoder.decode(text)
            if frame.type == "snapshot":
                self._snapshot.set()
            if frame.version > self.version and frame.type in ("snapshot", "events", "moved"):
                self.version = frame.version
                self._table.seen(self, frame)
            elif frame.type == "refused":
                self._table.refused(f"{frame.code}: {frame.sentence}")
