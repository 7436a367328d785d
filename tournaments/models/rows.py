"""Writing some fields of many rows by one statement.

Django's `bulk_update` writes a CASE for each field with a branch for each row, and takes most of
its time to compose it; here the new values stand beside the keys as a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import connection, models

BATCH: Final = 500
"""Rows in one statement."""


def update_rows(rows: Iterable[models.Model], names: Sequence[str]) -> None:
    """Write the named fields of rows of one model that are in the database; nothing for none.

    Neither `save` nor signals are called.
    """
    listed = list(rows)
    for start in range(0, len(listed), BATCH):
        _update(listed[start : start + BATCH], names)


def _update(rows: Sequence[models.Model], names: Sequence[str]) -> None:
    meta = rows[0]._meta
    key: Any = meta.pk
    fields: list[Any] = [key, *(meta.get_field(name) for name in names)]
    quote = connection.ops.quote_name
    table = quote(meta.db_table)
    changes = ", ".join(
        f"{quote(field.column)} = {_typed(field, number)}"
        for number, field in enumerate(fields[1:], 2)
    )
    one = f"({', '.join(['%s'] * len(fields))})"
    statement = (
        f"UPDATE {table} SET {changes} FROM (VALUES {', '.join([one] * len(rows))}) AS new"  # noqa: S608 - names of columns, and placeholders
        f" WHERE {table}.{quote(key.column)} = {_typed(key, 1)}"
    )
    values = [
        field.get_db_prep_save(getattr(row, field.attname), connection)
        for row in rows
        for field in fields
    ]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _typed(field: Any, number: int) -> str:
    """A column of the new values; PostgreSQL takes one of nulls alone for text."""
    column = f"new.column{number}"
    if connection.vendor != "postgresql":
        return column
    return f"CAST({column} AS {field.cast_db_type(connection)})"
