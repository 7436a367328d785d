"""An audit line, once written, is neither changed nor deleted, whoever asks and by whatever way."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import ProtectedError

from staff.guards import ACTIONS
from staff.models import StaffAction
from staff.services.audit import note
from tests.staff.helpers import cup, doer

pytestmark = pytest.mark.django_db


def _line() -> StaffAction:
    note(by=doer(), action="x", subject=cup(), reason="why")
    connection.check_constraints()  # PostgreSQL empties no table while checks are pending
    return StaffAction.objects.get()


def test_the_model_refuses_a_second_save_and_a_delete() -> None:
    """Before any database is asked."""
    line = _line()
    with pytest.raises(TypeError):
        line.save()
    with pytest.raises(TypeError):
        line.delete()


def test_a_bulk_update_and_a_bulk_delete_are_refused() -> None:
    """A queryset goes round the model and meets the trigger."""
    line = _line()
    for act in (
        lambda: StaffAction.objects.update(reason="x"),
        lambda: StaffAction.objects.all().delete(),
        lambda: StaffAction.objects.bulk_update([line], ["reason"]),
    ):
        line.reason = "x"
        with pytest.raises(DatabaseError, match=ACTIONS.refusal), transaction.atomic():
            act()
    assert StaffAction.objects.get().reason == "why"


_COPIED = (
    "SELECT id, at, actor_name, origin, 'forged', subject_kind, subject, subject_name, "
    "before, after, reason, batch, actor_id FROM staff_staffaction"
)
STATEMENTS = {
    "update": ("UPDATE staff_staffaction SET reason = 'x'", ""),
    "delete": ("DELETE FROM staff_staffaction", ""),
    "replace": (f"REPLACE INTO staff_staffaction {_COPIED}", "sqlite"),
    "truncate": ("TRUNCATE staff_staffaction", "postgresql"),
    "as a replica": (
        "SET LOCAL session_replication_role = replica; DELETE FROM staff_staffaction",
        "postgresql",
    ),
}


@pytest.mark.parametrize("how", STATEMENTS)
def test_the_database_refuses_every_statement_that_would_touch_a_line(how: str) -> None:
    """A statement that a database does not know is refused too, if for another reason."""
    line = _line()
    statement, only_on = STATEMENTS[how]
    says = ACTIONS.refusal if only_on in ("", connection.vendor) else None
    with (
        pytest.raises(DatabaseError, match=says),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    kept = StaffAction.objects.get()
    assert (kept.action, kept.reason) == (line.action, "why")


def test_who_has_acted_cannot_be_deleted() -> None:
    """A line without its doer would be worth little."""
    line = _line()
    assert line.actor is not None
    with pytest.raises(ProtectedError):
        line.actor.delete()


def test_triggers_that_are_gone_are_found_missing_and_put_back() -> None:
    """As after a table was built anew."""
    assert ACTIONS.missing(connection) == []
    ACTIONS.remove(connection)
    assert len(ACTIONS.missing(connection)) >= 2
    ACTIONS.after_migration()
    assert ACTIONS.missing(connection) == []


def test_before_the_table_is_made_there_is_nothing_to_guard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An older state of the code has no such table, and migrating to it does not fail."""
    monkeypatch.setattr(connection.introspection, "table_names", list)
    ACTIONS.remove(connection)
    ACTIONS.after_migration()
    assert ACTIONS.missing(connection) != []
