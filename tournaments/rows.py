"""Rows read and written so often that Django would spend more on their statements than databases.

A statement is composed once a process, out of the same query that Django would compose anew each
time; its values and its rows go the same way as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from django.db import connection, models

from tournaments.models import Entry, EntryState, Tournament

M = TypeVar("M", bound=models.Model)

_MARKS: Final = (-101, -102, -103)
"""Stand in a query for the values that are given later."""


class _Statement(NamedTuple):
    text: str
    order: list[int]
    """In which order the text takes the values."""
    fields: list[str]
    converters: Any
    """What Django does to the columns of a row, by place."""


class Row(Generic[M]):
    """At most one row of a model, found by a query of fixed form.

    `build` makes the query of marks, which stand for whole numbers. With `change`, the SET of an
    UPDATE, the row is changed and given back as it is afterwards; that locks it, too.
    """

    def __init__(
        self, build: Callable[..., models.QuerySet[M]], values: int, *, change: str = ""
    ) -> None:
        self._build = build
        self._values = values
        self._change = change
        self._statements: dict[str, _Statement] = {}

    def get(self, *values: int) -> M | None:
        """The row for these values, None where there is none."""
        statement = self._statements.get(connection.vendor) or self._composed()
        with connection.cursor() as cursor:
            cursor.execute(statement.text, [values[place] for place in statement.order])
            row = cursor.fetchone()
        if row is None:
            return None
        return self._made(statement, row)

    def _made(self, statement: _Statement, row: Sequence[Any]) -> M:
        found = list(row)
        for place, (converters, expression) in statement.converters.items():
            for convert in converters:
                found[place] = convert(found[place], expression, connection)
        model: Any = self._model
        made: M = model.from_db(connection.alias, statement.fields, found)
        return made

    def _composed(self) -> _Statement:
        query = self._build(*_MARKS[: self._values]).order_by()
        self._model = query.model
        compiler = query.query.get_compiler(connection=connection)
        text, marks = compiler.as_sql()
        if sorted(marks, reverse=True) != list(_MARKS[: self._values]):
            raise ValueError(f"The query has other values than its marks: {marks}.")
        if self._change:
            selected, _, condition = text.removeprefix("SELECT ").partition(" WHERE ")
            columns_text, _, table = selected.partition(" FROM ")
            text = f"UPDATE {table} SET {self._change} WHERE {condition} RETURNING {columns_text}"  # noqa: S608 - of our own query
        columns = [column for column, *_ in compiler.select]
        statement = _Statement(
            text=text,
            order=[_MARKS.index(mark) for mark in marks],
            fields=[column.target.attname for column in columns],
            converters=compiler.get_converters(columns),
        )
        self._statements[connection.vendor] = statement
        return statement


TOURNAMENT_LOCKED: Final = Row(
    lambda pk: Tournament.objects.filter(pk=pk), 1, change="changes = changes + 1"
)
"""Whoever locks a tournament is about to change something of it: every page of it is stale then."""
ENTRY_OF_PLAYER: Final = Row(
    lambda tournament, player: Entry.objects.filter(tournament_id=tournament, player_id=player), 2
)

_SOMEBODY_WAITS: Final = (
    "SELECT 1 FROM tournaments_entry WHERE tournament_id = %s AND state = %s LIMIT 1"
)
_MOVE_ON: Final = (
    "UPDATE tournaments_tournament SET numbers_given = %s, starts_at = %s, due_at = %s "
    "WHERE id = %s"
)


def somebody_waits(tournament_id: int) -> bool:
    """Whether anybody is on a tournament's waitlist."""
    with connection.cursor() as cursor:
        cursor.execute(_SOMEBODY_WAITS, [tournament_id, EntryState.WAITING.value])
        return cursor.fetchone() is not None


def save_seats(tournament: Tournament) -> None:
    """Save what changes with every entry: the numbers given, the start that waits for seats."""
    adapted = connection.ops.adapt_datetimefield_value
    with connection.cursor() as cursor:
        cursor.execute(
            _MOVE_ON,
            [
                tournament.numbers_given,
                adapted(tournament.starts_at),
                adapted(tournament.due_at),
                tournament.pk,
            ],
        )


def save_entry(entry: Entry) -> None:
    """Save an entry; a new one quicker than Django does."""
    if not entry._state.adding:
        entry.save()
        return
    fields = [field for field in Entry._meta.concrete_fields if not field.primary_key]
    values = [
        field.get_db_prep_save(field.pre_save(entry, add=True), connection) for field in fields
    ]
    with connection.cursor() as cursor:
        cursor.execute(_insertion(fields), values)
        (entry.pk,) = cursor.fetchone()
    entry._state.adding = False
    entry._state.db = connection.alias


def _insertion(fields: Sequence[Any]) -> str:
    names = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    return f"INSERT INTO tournaments_entry ({names}) VALUES ({marks}) RETURNING id"  # noqa: S608
