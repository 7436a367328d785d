"""The threads of the sockets, when PostgreSQL ends all their connections at once."""

from __future__ import annotations

import asyncio
from threading import Barrier

import pytest
from django.db import OperationalError, connection

from tables.threads import POSTGRESQL_THREADS, close_threads, in_database

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def _backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


async def _in_every_thread() -> list[int]:
    """The server's ends of all threads' connections."""
    together = Barrier(POSTGRESQL_THREADS)

    def ask() -> int:
        together.wait(10)
        return _backend()

    return list(await asyncio.gather(*(in_database(ask) for _ in range(POSTGRESQL_THREADS))))


def _end(backends: list[int]) -> int:
    """End connections from the server's side; how many there were."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s) pid", [backends])
            return len([1 for (ended,) in cursor.fetchall() if ended])
    finally:
        connection.close()


async def test_one_call_fails_and_every_thread_has_a_new_connection() -> None:
    before = await _in_every_thread()
    assert len(set(before)) == POSTGRESQL_THREADS
    assert await asyncio.to_thread(_end, before) == POSTGRESQL_THREADS
    with pytest.raises(OperationalError):
        await in_database(_backend)
    after = await _in_every_thread()
    assert not set(before) & set(after)
    await asyncio.to_thread(close_threads)
