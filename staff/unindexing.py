"""A migration's step that drops the index of a foreign key, and nothing else.

Django's own step builds the table anew on SQLite, which loses its triggers, and makes the foreign
key anew on PostgreSQL, which reads the whole table under a lock.
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class Unindex(Operation):
    """Gives a foreign key `db_index=False`: one whose column another index begins with."""

    reduces_to_sql = True
    reversible = True

    def __init__(self, model_name: str, name: str) -> None:
        """`name` is the foreign key's."""
        self.model_name = model_name
        self.name = name

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """The field as it was, without its index."""
        key = app_label, self.model_name.lower()
        field: Any = state.models[key].fields[self.name].clone()
        field.db_index = False
        state.alter_field(*key, self.name, field, preserve_default=True)

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Drop every index that Django made for the field; PostgreSQL has two for text."""
        model = from_state.apps.get_model(app_label, self.model_name)
        if not self.allow_migrate_model(schema_editor.connection.alias, model):
            return
        for name in _made_for(schema_editor.connection, model, model._meta.get_field(self.name)):
            schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Create them again."""
        model = to_state.apps.get_model(app_label, self.model_name)
        if not self.allow_migrate_model(schema_editor.connection.alias, model):
            return
        for made in schema_editor._field_indexes_sql(model, model._meta.get_field(self.name)):
            schema_editor.execute(made)

    def describe(self) -> str:
        """What `sqlmigrate` and `migrate --plan` say."""
        return f"Drop the index of {self.model_name}.{self.name}"


def _made_for(connection: Any, model: type[models.Model], field: Any) -> list[str]:
    """Names of indexes on the column alone, without those that the model names itself."""
    named = {index.name for index in model._meta.indexes}
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table)
    return sorted(
        name
        for name, facts in found.items()
        if facts["index"]
        and not facts["unique"]
        and facts["columns"] == [field.column]
        and name not in named
    )
