"""What was played, entered or said is neither changed nor deleted, whoever asks."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management.sql import emit_post_migrate_signal
from django.db import DatabaseError, connection, models, transaction

from staff.append_only import AppendOnlyGuard
from tables import services
from tables.log_guards import CHAT, ENTRIES, EVENTS, LOGS, SHEET_LINES
from tables.models import ChatLine, DealEvent, MatchEntry, SheetLine
from tests.tables.helpers import NOW, a_match, dealt
from tests.tables.sheet_helpers import a_club_match, enter

pytestmark = pytest.mark.django_db

KINDS: list[tuple[type[models.Model], AppendOnlyGuard, str]] = [
    (DealEvent, EVENTS, "payload"),
    (MatchEntry, ENTRIES, "payload"),
    (SheetLine, SHEET_LINES, "actor"),
    (ChatLine, CHAT, "text"),
]


def _something_of_everything() -> None:
    match = a_match()
    dealt(match)
    services.say(seat_id=match.seats.order_by("number")[0].pk, text="Hello", now=NOW)
    enter(a_club_match(), 0, {1: 20})


def _rows(model: type[models.Model]) -> list[Any]:
    return list(model._default_manager.order_by("pk").values())


@pytest.mark.parametrize(("model", "guard", "field"), KINDS, ids=lambda one: str(one)[:40])
def test_no_line_of_a_log_is_changed_or_deleted(
    model: type[models.Model], guard: AppendOnlyGuard, field: str
) -> None:
    """Neither by the model, nor by a queryset, nor by a statement that goes round both."""
    _something_of_everything()
    before = _rows(model)
    assert before != []
    row: Any = model._default_manager.order_by("pk")[0]
    for act in (row.save, row.delete):
        with pytest.raises(TypeError):
            act()
    rows = model._default_manager.filter(pk=row.pk)
    for act in (lambda: rows.update(**{field: "x"}), lambda: rows._raw_delete(rows.db)):
        with pytest.raises(DatabaseError, match=guard.refusal), transaction.atomic():
            act()
    for statement in (f"UPDATE {guard.table} SET {field} = 'x'", f"DELETE FROM {guard.table}"):
        with (
            pytest.raises(DatabaseError, match=guard.refusal),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
    assert _rows(model) == before


def test_no_line_is_written_over_by_another_of_its_number() -> None:
    """SQLite's REPLACE would delete what is in its way; elsewhere a number is taken once."""
    _something_of_everything()
    before = _rows(DealEvent)
    one = before[0]
    replaces = "REPLACE" if connection.vendor == "sqlite" else "INSERT"
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            f"{replaces} INTO tables_dealevent (deal_id, seq, kind, payload, schema, at)"
            " SELECT deal_id, seq, 'forged', payload, schema, at FROM tables_dealevent"
            " WHERE id = %s",
            [one["id"]],
        )
    assert _rows(DealEvent) == before


def test_every_log_is_guarded() -> None:
    """And the guard of one that is gone is put back after the next migration."""
    connection.check_constraints()  # PostgreSQL changes no triggers while checks are pending
    for guard in LOGS:
        assert guard.missing(connection) == []
        guard.remove(connection)
    emit_post_migrate_signal(0, False, connection.alias)
    for guard in LOGS:
        assert guard.missing(connection) == []
