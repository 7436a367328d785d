"""The database's own refusal to change what was agreed once a tournament has started.

A trigger on each database; the model refuses the same with a better sentence. Before a migration
it is taken away, since PostgreSQL lets no column be altered that a trigger names and SQLite builds
the table anew, and after it it is put back. Where a migration fails the next one puts it back.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.models.entrance import LOCKED_AFTER_START

TABLE: Final = "tournaments_tournament"
PREFIX: Final = "tournaments_locked_"
TRIGGER: Final = PREFIX + hashlib.sha256(" ".join(LOCKED_AFTER_START).encode()).hexdigest()[:12]
"""Named after the columns it locks, so that another choice of columns makes another trigger."""
REFUSAL: Final = "tournaments:locked"


def _changed(operator: str) -> str:
    return " OR ".join(f"NEW.{field} {operator} OLD.{field}" for field in LOCKED_AFTER_START)


_SQLITE: Final = (
    f"CREATE TRIGGER {TRIGGER} BEFORE UPDATE ON {TABLE} FOR EACH ROW "
    f"WHEN OLD.started_at IS NOT NULL AND ({_changed('IS NOT')}) "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
)
_POSTGRESQL: Final = (
    f"CREATE OR REPLACE FUNCTION {TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    f"RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'check_violation'; END $$",
    f"CREATE TRIGGER {TRIGGER} BEFORE UPDATE ON {TABLE} FOR EACH ROW "
    f"WHEN (OLD.started_at IS NOT NULL AND ({_changed('IS DISTINCT FROM')})) "
    f"EXECUTE FUNCTION {TRIGGER}()",
)
_LOOK: Final = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE %s",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE tgname LIKE %s",
}
_DROP: Final = {
    "sqlite": "DROP TRIGGER {name}",
    "postgresql": f"DROP TRIGGER {{name}} ON {TABLE}",
}


def installed(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of the triggers by which the database refuses by itself: one, if all is well."""
    with connection.cursor() as cursor:
        cursor.execute(_LOOK[connection.vendor], [f"{PREFIX}%"])
        return [name for (name,) in cursor.fetchall()]


def install(connection: BaseDatabaseWrapper) -> None:
    """Create what is missing, and drop what locked other columns."""
    if installed(connection) == [TRIGGER]:
        return
    remove(connection)
    with connection.cursor() as cursor:
        for statement in _SQLITE if connection.vendor == "sqlite" else _POSTGRESQL:
            cursor.execute(statement)


def remove(connection: BaseDatabaseWrapper) -> None:
    """Drop what is there, whatever columns it locked."""
    present = installed(connection)
    with connection.cursor() as cursor:
        for name in present:
            cursor.execute(_DROP[connection.vendor].format(name=name))


def before_migration(*, using: str = DEFAULT_DB_ALIAS, **_: Any) -> None:
    """Make way for changes of the table."""
    remove(connections[using])


def after_migration(*, using: str = DEFAULT_DB_ALIAS, **_: Any) -> None:
    """Hear that the tables are as they should be, or as an older state of the code had them."""
    connection = connections[using]
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        if TABLE not in tables:
            return
        columns = connection.introspection.get_table_description(cursor, TABLE)
    if {column.name for column in columns}.issuperset(LOCKED_AFTER_START):
        install(connection)
