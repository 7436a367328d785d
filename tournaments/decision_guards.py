"""The database's own refusal to change or delete a decision, whoever asks.

Looked for after every migration, because SQLite builds a table anew to change it and forgets its
triggers. On PostgreSQL TRUNCATE is refused too.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

TABLE: Final = "tournaments_decision"
REFUSAL: Final = "tournaments:decisions_stay"
_NAME: Final = "tournaments_decisions_stay"

_SQLITE: Final = {
    f"{_NAME}_{how.lower()}": (
        f"CREATE TRIGGER {_NAME}_{how.lower()} BEFORE {how} ON {TABLE} FOR EACH ROW "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    )
    for how in ("UPDATE", "DELETE")
}
_POSTGRESQL: Final = {
    f"{_NAME}_rows": (
        f"CREATE TRIGGER {_NAME}_rows BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW "
        f"EXECUTE FUNCTION {_NAME}()"
    ),
    f"{_NAME}_truncate": (
        f"CREATE TRIGGER {_NAME}_truncate BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT "
        f"EXECUTE FUNCTION {_NAME}()"
    ),
}
_FUNCTION: Final = (
    f"CREATE OR REPLACE FUNCTION {_NAME}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    f"RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'check_violation'; END $$"
)
_LOOK: Final = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal",
}


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of the triggers that are not there."""
    with connection.cursor() as cursor:
        cursor.execute(_LOOK[connection.vendor], [TABLE])
        present = {name for (name,) in cursor.fetchall()}
    return sorted(_triggers(connection).keys() - present)


def install(connection: BaseDatabaseWrapper) -> None:
    """Create what is missing."""
    absent = missing(connection)
    with connection.cursor() as cursor:
        if absent and connection.vendor == "postgresql":
            cursor.execute(_FUNCTION)
        for name in absent:
            cursor.execute(_triggers(connection)[name])


def remove(connection: BaseDatabaseWrapper) -> None:
    """Drop every trigger; only tests that empty the tables do this."""
    on = f" ON {TABLE}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for name in _triggers(connection):
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")


def _triggers(connection: BaseDatabaseWrapper) -> dict[str, str]:
    return _SQLITE if connection.vendor == "sqlite" else _POSTGRESQL


def after_migration(*, using: str = DEFAULT_DB_ALIAS, **_: Any) -> None:
    """Hear that the tables are as they should be; an older state of the code had none of them."""
    connection = connections[using]
    if TABLE in connection.introspection.table_names():
        install(connection)
