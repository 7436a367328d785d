"""How the two databases we support are opened.

SQLite serves the embedded profile (one process, nothing else installed), PostgreSQL the server
profile. Nothing here reads the environment.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

Synchronous = Literal["OFF", "FULL"]

BUSY_SECONDS: Final = 20


def sqlite(path: Path | str, *, synchronous: Synchronous = "FULL") -> dict[str, Any]:
    """A SQLite file.

    Transactions begin IMMEDIATE: a deferred one that turns into a writer fails at once with
    "database is locked". FULL, because a paid prize may not be lost with the power; OFF is for
    tests. `recursive_triggers` lets REPLACE fire delete triggers.
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": BUSY_SECONDS,
            "init_command": (
                f"PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; "
                "PRAGMA recursive_triggers = ON;"
            ),
        },
    }


def from_url(url: str, *, pool: bool = False) -> dict[str, Any]:
    """The database behind a `postgres://` or `sqlite:///` address.

    `pool` is for web processes only: a thread that ends under ASGI would leak its connection, and
    a forked worker would have its pool closed after every task.
    Raises `ImproperlyConfigured` for another kind of database.
    """
    scheme = urlsplit(url).scheme
    if scheme == "sqlite":
        return sqlite(environ.Env.db_url_config(url)["NAME"])
    if scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"DATABASE_URL begins with '{scheme}://'; use postgres:// or sqlite:///."
        )
    config: dict[str, Any] = dict(environ.Env.db_url_config(url))
    config["CONN_MAX_AGE"] = 0
    # Or each connection that died with the server would fail somebody after its return.
    config["CONN_HEALTH_CHECKS"] = True
    if pool:
        config.setdefault("OPTIONS", {})["pool"] = {"min_size": 1, "max_size": 8}
    return config
