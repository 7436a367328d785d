"""`python -m tests.services_ready`: say in plain words whether the two servers can be reached.

Run before the tests that need them, so that a missing server is one sentence and not 500 errors.
"""

from __future__ import annotations

import os
import sys

import psycopg
import redis

SECONDS = 3


def missing() -> list[str]:
    """A sentence for each server that does not answer."""
    found = []
    database_url = os.environ.get("DATABASE_URL", "")
    if not database_url.startswith(("postgres://", "postgresql://")):
        found.append("DATABASE_URL is not a postgres:// address; these tests run on PostgreSQL.")
    else:
        try:
            psycopg.connect(database_url, connect_timeout=SECONDS).close()
        except psycopg.Error as error:
            found.append(f"PostgreSQL cannot be reached; set DATABASE_URL. {_first_line(error)}")
    try:
        client = redis.Redis.from_url(os.environ.get("REDIS_URL", ""), socket_timeout=SECONDS)
        client.ping()
        client.close()
    except (redis.RedisError, ValueError) as error:
        found.append(f"Redis cannot be reached; set REDIS_URL. {_first_line(error)}")
    return found


def _first_line(error: Exception) -> str:
    return f"({(str(error).splitlines() or [type(error).__name__])[0]})"


if __name__ == "__main__":
    sys.exit("\n".join(missing()) or None)
