"""Where sockets do their database work: a few threads that keep their connections.

On SQLite one thread a process, because writers starve one another; on PostgreSQL several. Opening a
connection for each move would cost more than the move.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from threading import Barrier
from typing import Any, Final, TypeVar

from django.db import InterfaceError, OperationalError, connection

T = TypeVar("T")

POSTGRESQL_THREADS: Final = 4


@lru_cache(maxsize=1)
def _executor() -> ThreadPoolExecutor:
    threads = 1 if connection.vendor == "sqlite" else POSTGRESQL_THREADS
    return ThreadPoolExecutor(threads, thread_name_prefix="table")


def _run(work: Callable[[], T]) -> T:
    try:
        return work()
    except (OperationalError, InterfaceError):
        # The server may have gone; the next call opens a new connection.
        connection.close()
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
