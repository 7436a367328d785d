"""Reading the whole ledger as of one moment, row by row, without building models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

from django.db import connection, transaction

CHUNK: Final = 2_000


@contextmanager
def one_moment() -> Iterator[None]:
    """All reads inside see the same state, and nobody waits for them.

    Inside a transaction that is open already, that one's own view holds.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        # Not `atomic`: that would take SQLite's write lock for as long as the audit runs.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("ROLLBACK")


def rows(sql: str, values: Sequence[int | str] = ()) -> Iterator[tuple[Any, ...]]:
    """The rows of a query, fetched in chunks."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, list(values))
        while chunk := cursor.fetchmany(CHUNK):
            yield from chunk


def aware(value: Any) -> datetime | None:
    """A moment as the driver gave it, with its time zone; SQLite stores UTC without one."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return None
