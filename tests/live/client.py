"""A player with nothing but a socket: he knows what frames tell him, and keeps his own view."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from tables.rules.bots import Chance, Strength, choose
from tables.rules.codec import decode_event
from tables.rules.commands import SeatCommand
from tables.rules.evolve import evolve
from tables.rules.state import DealState

PATIENCE = 20.0
BREATH = 0.2
"""For so long a client that was too fast sends nothing."""

_opened: set[ClientConnection] = set()


async def hang_up() -> None:
    """Close every connection that a test of this loop has left open, as also a failed one does."""
    for connection in tuple(_opened):
        await connection.close()
    _opened.clear()


class Player:
    """One connection to one table."""

    def __init__(self, site: str, table: str, headers: dict[str, str] | None = None) -> None:
        self.url = f"ws://{site}/ws/tables/{table}/"
        self.headers = {"Origin": f"http://{site}"} | (headers or {})
        self.socket: ClientConnection | None = None
        self.seat: int | None = None
        self.deal = ""
        self.view: DealState | None = None
        self.legal: tuple[SeatCommand, ...] = ()
        self.board: dict[str, Any] = {}
        self.frames: list[dict[str, Any]] = []
        self.raw: list[str] = []
        self._ids = count(1)

    async def __aenter__(self) -> Player:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self, *, max_queue: int = 16) -> None:
        """Connect and say hello with what is known; so many frames unread, no more are taken."""
        self.socket = await connect(
            self.url,
            additional_headers=self.headers,
            max_size=2**20,
            max_queue=max_queue,
            open_timeout=PATIENCE,
        )
        _opened.add(self.socket)
        version = self.view.version if self.view and self.deal else 0
        await self.send({"type": "hello", "deal": self.deal, "version": version})

    async def close(self) -> None:
        """Hang up."""
        if self.socket is not None:
            await self.socket.close()
            _opened.discard(self.socket)

    async def send(self, frame: dict[str, Any] | str) -> None:
        """Send a frame, or any text."""
        assert self.socket is not None
        await self.socket.send(frame if isinstance(frame, str) else json.dumps(frame))

    async def next(self) -> dict[str, Any]:
        """The next frame, taken in."""
        assert self.socket is not None
        text = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(text, str)
        self.raw.append(text)
        frame: dict[str, Any] = json.loads(text)
        self.frames.append(frame)
        self.take(frame)
        return frame

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next frame of this type with these fields."""
        while True:
            frame = await self.next()
            if frame["type"] == kind and all(frame.get(k) == v for k, v in fields.items()):
                return frame

    def take(self, frame: dict[str, Any]) -> None:
        """Bring the view up to a frame."""
        match frame["type"]:
            case "snapshot":
                self.seat, self.deal = frame["seat"], frame["deal"]
                state = frame["state"]
                self.view = None if state is None else msgspec.convert(state, DealState)
                self.board = frame["scoreboard"]
                self._take_legal(frame)
            case "events":
                assert self.view is not None
                for event in frame["events"]:
                    self.view = evolve(self.view, decode_event(json.dumps(event)))
                assert self.view.version == frame["version"], (self.raw, frame)
                self._take_legal(frame)
            case "scoreboard":
                self.board = frame
            case "refused" if frame["snapshot"]:
                self.take(frame["snapshot"])
            case _:
                pass

    def _take_legal(self, frame: dict[str, Any]) -> None:
        self.legal = msgspec.convert(tuple(frame["legal"]), tuple[SeatCommand, ...])

    @property
    def version(self) -> int:
        """The version this player has."""
        return 0 if self.view is None else self.view.version

    @property
    def must_act(self) -> bool:
        """Whether the deal waits for this player, as far as he knows."""
        if self.view is None or self.view.is_over or self.seat is None:
            return False
        kinds = {command.__struct_config__.tag for command in self.legal}
        return bool(kinds & {"draw_closed", "discard", "declare"})

    def think(self, strength: Strength = Strength.STEADY) -> dict[str, Any]:
        """The frame of a sensible command."""
        assert self.view is not None
        command = choose(
            self.view, self.legal, strength=strength, chance=Chance(b"client" + bytes(26))
        )
        fields = msgspec.to_builtins(command)
        kind = fields.pop("do")
        fields.pop("seat")
        return {"type": kind, "id": self.new_id(), "seen": self.version} | fields

    def new_id(self) -> str:
        """An id for a command."""
        return f"c{next(self._ids)}"

    async def act(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Send a command and wait until it is done or refused; later again if it came too fast."""
        await self.send(frame)
        while True:
            answer = await self.next()
            if answer["type"] in ("done", "refused") and answer["id"] == frame["id"]:
                return answer
            if answer.get("code") == "too_fast":
                await asyncio.sleep(BREATH)
                await self.send(frame)
