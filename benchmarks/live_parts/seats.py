"""Tables whose players move as they are told, and wait until all of them have seen it."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.live_parts.lines import GREETING, PATIENCE, Frame, Line


class _Table:
    """What both kinds of tables share: waiting until every line has a version."""

    lines: list[Line]

    def __init__(self) -> None:
        self._awaited = 0
        self._mover: Line | None = None
        self._others: float = 0.0
        self._all: asyncio.Future[None] | None = None

    def seen(self, line: Line, frame: Frame) -> None:
        """A line has come to a version."""
        if self._all is None or self._all.done():
            return
        behind = [one for one in self.lines if one.version < self._awaited]
        if line is not self._mover and not [one for one in behind if one is not self._mover]:
            self._others = self._others or time.perf_counter()
        if not behind:
            self._all.set_result(None)

    def refused(self, why: str) -> None:
        """A move was not taken; the run is worth nothing then."""
        if self._all is not None and not self._all.done():
            self._all.set_exception(RuntimeError(why))

    async def _moved(self, mover: Line, text: str, since: float | None) -> float:
        """Send a move; milliseconds until the last other line saw it. Ends when all have."""
        self._all = asyncio.get_running_loop().create_future()
        self._mover, self._others, self._awaited = mover, 0.0, mover.version + 1
        begun = time.perf_counter() if since is None else since
        await mover.send(text)
        await asyncio.wait_for(self._all, PATIENCE)
        return (self._others - begun) * 1000

    def close(self) -> None:
        """Hang up."""
        for line in self.lines:
            line.close()


class GameTable(_Table):
    """A table where each player draws from the closed deck and discards what he drew."""

    def __init__(self, address: dict[str, Any], sites: Sequence[str]) -> None:
        super().__init__()
        path = f"/ws/tables/{address['table']}/"
        self.lines = [
            Line(self, sites[seat % len(sites)], path, token)
            for seat, token in enumerate(address["tokens"])
        ]
        self._ids = itertools.count(1)
        self._turn = 0
        self._due = 0.0
        self._drawn = ""
        self.missed: tuple[float, float] | None = None
        """When the first turn was due, and how many milliseconds later it was seen as missed."""

    async def open(self) -> None:
        """Connect every seat and wait for its snapshot."""
        for line in self.lines:
            await line.open(GREETING)
        for line in self.lines:
            await line.has_snapshot()

    def seen(self, line: Line, frame: Frame) -> None:
        """Note whose turn it is and what he drew."""
        if frame.state is not None:
            line.seat, self._turn = frame.seat, frame.state["turn"]
            self._due = min(s["until"] for s in frame.state["seats"] if s["until"]) / 1000
        for event in frame.events:
            if event.kind == "turn_started":
                self._turn, self._drawn = event.seat, ""
            elif event.kind == "card_drawn" and event.seat == line.seat:
                self._drawn = event.card
            elif event.kind == "turn_missed" and self.missed is None:
                self.missed = (self._due, (time.time() - self._due) * 1000)
        super().seen(line, frame)

    async def move(self, since: float | None = None) -> float:
        """Draw, or discard; milliseconds until every other seat saw it."""
        mover = next(line for line in self.lines if line.seat == self._turn)
        head = f'"id":"b{next(self._ids)}","seen":{mover.version}'
        if self._drawn:
            text = f'{{"type":"discard",{head},"card":"{self._drawn}"}}'
        else:
            text = f'{{"type":"draw_closed",{head}}}'
        return await self._moved(mover, text, since)


class BareTable(_Table):
    """A group of bare sockets."""

    def __init__(self, address: dict[str, Any], sites: Sequence[str]) -> None:
        super().__init__()
        path = f"/ws/bare/{address['id']}/"
        self.lines = [
            Line(self, sites[seat % len(sites)], path, "") for seat in range(len(address["tokens"]))
        ]
        self._turn = itertools.cycle(self.lines)

    async def open(self) -> None:
        """Connect every socket."""
        for line in self.lines:
            await line.open()

    async def move(self, since: float | None = None) -> float:
        """A bare move; milliseconds until every other socket saw it."""
        return await self._moved(next(self._turn), "move", since)
