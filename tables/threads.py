"""Where sockets do their database work: a few threads that keep their connections.

On SQLite one thread a process, because writers starve one another; on PostgreSQL several. Opening a
connection for each move would cost more than the move.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from threading import Barrier, local
from typing import Any, Final, TypeVar

from django.db import InterfaceError, OperationalError, connection

T = TypeVar("T")

POSTGRESQL_THREADS: Final = 4


@lru_cache(maxsize=1)
def _executor() -> ThreadPoolExecutor:
    threads = 1 if connection.vendor == "sqlite" else POSTGRESQL_THREADS
    return ThreadPoolExecutor(threads, thread_name_prefix="table")


class _Server:
    """How often the database's server was found gone, and which of that each thread knows."""

    def __init__(self) -> None:
        self._times_gone = 0
        self._mine = local()

    def note_gone(self) -> None:
        """This thread could not reach it; all open their connections anew."""
        self._times_gone += 1
        connection.close()

    def forget_if_gone(self) -> None:
        """Another thread could not reach it: then this one's connection is dead as well."""
        if getattr(self._mine, "times_gone", 0) != self._times_gone:
            self._mine.times_gone = self._times_gone
            connection.close()


_server: Final = _Server()


def _run(work: Callable[[], T]) -> T:
    _server.forget_if_gone()
    try:
        return work()
    except (OperationalError, InterfaceError):
        # The next call, in whichever thread, opens a new connection.
        _server.note_gone()
        raise


async def in_database(work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Await `work(*args, **kwargs)` in one of the threads."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_executor(), _run, partial(work, *args, **kwargs))


def close_threads() -> None:
    """Close the threads and their connections, at the end of a process or a test."""
    executor = _executor()
    everybody = Barrier(executor._max_workers)

    def close() -> None:
        everybody.wait()  # or a quick thread would take the turn of another
        connection.close()

    for _ in range(executor._max_workers):
        executor.submit(close)
    executor.shutdown(wait=True)
    _executor.cache_clear()
