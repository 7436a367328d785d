"""A process full of players with real sockets, who play, wait or watch as they are told.

Started with a plan on its first line of input: `{"sites": [...], "tables": [...]}`. Then one
command a line, each answered by a line of JSON:

- `closed 3`: for 3 seconds each table moves as soon as all of it has seen its last move;
- `steady 3 250`: 250 moves a second, whatever the answers take;
- `bare 3`, `bare_steady 3 250`: the same with bare moves; `echo 3`: each socket an echo, and again;
- `watch 40`: for 40 seconds, how late each missed turn is seen;
- `storm`: every socket of every table is cut in one moment and opened anew in the next, by how long
  after the cut each has its snapshot, and why those have none that got none.

A move lasts from its frame being sent (at a steady rate: from the moment it was to be sent) until
the last of the *other* seats has the frame that tells of it. Times are in milliseconds.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import uvloop

from benchmarks.live_parts.lines import GREETING, PATIENCE, Line
from benchmarks.live_parts.seats import BareTable, GameTable

CONNECT_AT_ONCE = 20
LATEST = 1.5
"""Times the length of a run at a steady rate, after which no more moves are made."""

Answer = dict[str, Any]


class Moves(Protocol):
    """Somewhere one can move and learn how long it took."""

    lines: list[Line]

    async def move(self, since: float | None = None) -> float:
        """Make a move; milliseconds until every other seat saw it."""


async def closed(tables: Sequence[Moves], seconds: float) -> Answer:
    """Every table moves as fast as it can."""
    begun = time.perf_counter()
    late: list[float] = []

    async def play(table: Moves) -> None:
        while time.perf_counter() < begun + seconds:
            late.append(await table.move())

    await asyncio.gather(*map(play, tables))
    return {"seconds": time.perf_counter() - begun, "ms": late}


async def steady(tables: Sequence[Moves], seconds: float, rate: float) -> Answer:
    """So many moves a second, each at the table that has rested longest.

    A server that cannot keep up is spared the rest once the time is half over again.
    """
    begun = time.perf_counter()
    late: list[float] = []
    free: asyncio.Queue[Moves] = asyncio.Queue()
    for table in tables:
        free.put_nowait(table)

    async def play(table: Moves, due: float) -> None:
        late.append(await table.move(due))
        free.put_nowait(table)

    async with asyncio.TaskGroup() as moves:
        for number in range(round(seconds * rate)):
            due = begun + number / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if time.perf_counter() > begun + LATEST * seconds:
                break
            moves.create_task(play(await free.get(), due))
    return {"seconds": time.perf_counter() - begun, "ms": late}


async def echo(tables: Sequence[BareTable], seconds: float) -> Answer:
    """Every socket echoes without end."""
    begun = time.perf_counter()
    late: list[float] = []

    async def repeat(line: Line) -> None:
        while (sent := time.perf_counter()) < begun + seconds:
            await line.echo()
            late.append((time.perf_counter() - sent) * 1000)

    await asyncio.gather(*(repeat(line) for table in tables for line in table.lines))
    return {"seconds": time.perf_counter() - begun, "ms": late}


async def watch(tables: Sequence[GameTable], seconds: float) -> Answer:
    """How late the first missed turn of each table was seen, with the moment it was due."""
    await asyncio.sleep(seconds)
    return {"seen": [table.missed for table in tables if table.missed is not None]}


async def storm(tables: Sequence[GameTable]) -> Answer:
    """All sockets are cut at once, and nobody waits before he comes back."""
    lines = [line for table in tables for line in table.lines]
    begun = time.perf_counter()
    for line in lines:
        line.cut()

    async def come_back(line: Line) -> float:
        async with asyncio.timeout(PATIENCE):
            await line.open(GREETING)
            await line.has_snapshot()
        return (time.perf_counter() - begun) * 1000

    found = await asyncio.gather(*map(come_back, lines), return_exceptions=True)
    return {
        "ms": [ms for ms in found if isinstance(ms, float)],
        "errors": [repr(fault) for fault in found if not isinstance(fault, float)],
    }


async def connect(plan: Answer, kind: Callable[[Answer, Sequence[str]], Any]) -> list[Any]:
    """Every table of the plan with all its sockets open."""
    tables = [kind(address, plan["sites"]) for address in plan["tables"]]
    gate = asyncio.Semaphore(CONNECT_AT_ONCE)

    async def open_one(table: Any) -> None:
        async with gate:
            await table.open()

    await asyncio.gather(*map(open_one, tables))
    return tables


async def main() -> None:
    """Connect, then do what the input says until it ends."""
    loop = asyncio.get_running_loop()

    async def read() -> str:
        return await loop.run_in_executor(None, sys.stdin.readline)

    plan = json.loads(await read())
    begun = time.perf_counter()
    games = await connect(plan, GameTable)
    bare = await connect(plan, BareTable) if plan["bare"] else []
    print(json.dumps({"connected_seconds": time.perf_counter() - begun}), flush=True)
    # Thousands of clients in one process are ours, not a site's: their collector holds up no move.
    gc.disable()
    works: dict[str, Callable[..., Awaitable[Answer]]] = {
        "closed": lambda *given: closed(games, *given),
        "steady": lambda *given: steady(games, *given),
        "bare": lambda *given: closed(bare, *given),
        "bare_steady": lambda *given: steady(bare, *given),
        "echo": lambda *given: echo(bare, *given),
        "watch": lambda *given: watch(games, *given),
        "storm": lambda: storm(games),
    }
    while line := await read():
        name, *given = line.split()
        print(json.dumps(await works[name](*map(float, given))), flush=True)
        gc.collect()
    for table in (*games, *bare):
        table.close()


if __name__ == "__main__":
    uvloop.run(main())
