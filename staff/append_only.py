"""Tables whose rows are only ever added: the model refuses the rest, and so does the database.

The database does it by triggers, whoever asks. They are looked for after every migration, because
SQLite builds a table anew to change it and forgets its triggers. On PostgreSQL TRUNCATE is refused
too, and a replication role does not silence them; on SQLite REPLACE, which deletes the row in its
way without asking a delete trigger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

_LOOK: Final = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s",
    "postgresql": (
        "SELECT tgname FROM pg_trigger "
        "WHERE tgrelid = %s::regclass AND NOT tgisinternal AND tgenabled = 'A'"
    ),
}


class AppendOnly(models.Model):
    """A row that is written once."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert; a second save is refused with `TypeError`."""
        if not self._state.adding:
            self._refuse()
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Refused with `TypeError`."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} rows are never changed or deleted.")


@dataclass(frozen=True)
class AppendOnlyGuard:
    """The guard of one table. `unique`: sets of columns by which two rows are the same one."""

    table: str
    name: str
    """What its triggers' names begin with."""
    refusal: str
    """What the database says, such as `staff:actions_stay`."""
    unique: Sequence[tuple[str, ...]] = (("id",),)

    def missing(self, connection: BaseDatabaseWrapper) -> list[str]:
        """Names of the triggers that are not there, or not switched on."""
        with connection.cursor() as cursor:
            cursor.execute(_LOOK[connection.vendor], [self.table])
            present = {name for (name,) in cursor.fetchall()}
        return sorted(self._triggers(connection).keys() - present)

    def install(self, connection: BaseDatabaseWrapper) -> None:
        """Create what is missing."""
        absent = self.missing(connection)
        is_postgresql = connection.vendor == "postgresql"
        with connection.cursor() as cursor:
            if absent and is_postgresql:
                cursor.execute(self._function())
            for name in absent:
                if is_postgresql:
                    cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {self.table}")
                cursor.execute(self._triggers(connection)[name])
                if is_postgresql:
                    cursor.execute(f"ALTER TABLE {self.table} ENABLE ALWAYS TRIGGER {name}")

    def remove(self, connection: BaseDatabaseWrapper) -> None:
        """Drop every trigger; only tests that empty the tables do this."""
        on = f" ON {self.table}" if connection.vendor == "postgresql" else ""
        with connection.cursor() as cursor:
            for name in self._triggers(connection):
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")

    def is_there(self, connection: BaseDatabaseWrapper) -> bool:
        """Whether the table has been made; an older state of the code had none."""
        return self.table in connection.introspection.table_names()

    def after_migration(self, *, using: str = DEFAULT_DB_ALIAS, **_: Any) -> None:
        """Hear that the tables are as they should be."""
        connection = connections[using]
        if self.is_there(connection):
            self.install(connection)

    def _triggers(self, connection: BaseDatabaseWrapper) -> dict[str, str]:
        return self._for_sqlite() if connection.vendor == "sqlite" else self._for_postgresql()

    def _for_sqlite(self) -> dict[str, str]:
        refuse = f"BEGIN SELECT RAISE(ABORT, '{self.refusal}'); END"
        made = {
            f"{self.name}_{how.lower()}": (
                f"CREATE TRIGGER {self.name}_{how.lower()} BEFORE {how} ON {self.table} "
                f"FOR EACH ROW {refuse}"
            )
            for how in ("UPDATE", "DELETE")
        }
        name = f"{self.name}_replace"
        made[name] = (
            f"CREATE TRIGGER {name} BEFORE INSERT ON {self.table} FOR EACH ROW "
            f"WHEN {' OR '.join(map(self._is_taken, self.unique))} {refuse}"
        )
        return made

    def _is_taken(self, columns: tuple[str, ...]) -> str:
        same = " AND ".join(f"{column} = NEW.{column}" for column in columns)
        return f"EXISTS (SELECT 1 FROM {self.table} WHERE {same})"  # noqa: S608 - names of our own

    def _for_postgresql(self) -> dict[str, str]:
        return {
            f"{self.name}_rows": (
                f"CREATE TRIGGER {self.name}_rows BEFORE UPDATE OR DELETE ON {self.table} "
                f"FOR EACH ROW EXECUTE FUNCTION {self.name}()"
            ),
            f"{self.name}_truncate": (
                f"CREATE TRIGGER {self.name}_truncate BEFORE TRUNCATE ON {self.table} "
                f"FOR EACH STATEMENT EXECUTE FUNCTION {self.name}()"
            ),
        }

    def _function(self) -> str:
        return (
            f"CREATE OR REPLACE FUNCTION {self.name}() RETURNS trigger LANGUAGE plpgsql "
            f"AS $$ BEGIN RAISE EXCEPTION '{self.refusal}' "
            f"USING ERRCODE = 'check_violation'; END $$"
        )
