"""Dropping the index of a foreign key leaves everything else of its table as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from django.apps import apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.state import ProjectState

from ledger import guards
from staff.guards import ACTIONS
from staff.unindexing import Unindex
from tables.log_guards import EVENTS

pytestmark = pytest.mark.django_db

Missing = Callable[[BaseDatabaseWrapper], list[str]]
FIELDS: Final[dict[str, tuple[str, str, str, Missing]]] = {
    "of a number": ("tables", "dealevent", "deal", EVENTS.missing),
    "of a number that may be empty": ("staff", "staffaction", "actor", ACTIONS.missing),
    "of a text, with a second for LIKE": ("ledger", "account", "asset", guards.missing),
}


def _facts(app: str, model: str) -> dict[str, bool]:
    """Names of everything that stands on the table, and whether it is a mere index."""
    table = apps.get_model(app, model)._meta.db_table
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, table)
    return {name: facts["index"] and not facts["unique"] for name, facts in found.items()}


def _with_index(now: ProjectState, app: str, model: str, name: str) -> ProjectState:
    before = now.clone()
    field = before.models[app, model].fields[name].clone()
    field.db_index = True
    before.alter_field(app, model, name, field, preserve_default=True)
    return before


@pytest.mark.parametrize("kind", FIELDS)
def test_the_index_comes_back_and_goes_again_while_guards_and_constraints_stay(kind: str) -> None:
    """On the way back and forth; on PostgreSQL a text has two indexes."""
    app, model, name, missing = FIELDS[kind]
    step = Unindex(model, name)
    now = ProjectState.from_apps(apps)
    before = _with_index(now, app, model, name)
    without = _facts(app, model)
    editor = connection.schema_editor(atomic=False)

    step.database_backwards(app, editor, now, before)
    made = _facts(app, model)
    assert made.items() >= without.items()
    has_two = app == "ledger" and connection.vendor == "postgresql"
    assert [made[name] for name in made.keys() - without] == [True] * (2 if has_two else 1)
    assert missing(connection) == []

    step.database_forwards(app, editor, before, now)
    assert _facts(app, model) == without
    assert missing(connection) == []


@pytest.mark.parametrize("kind", FIELDS)
def test_the_state_that_it_leaves_is_that_of_the_models(kind: str) -> None:
    """So that no later migration makes the index anew."""
    app, model, name, _ = FIELDS[kind]
    now = ProjectState.from_apps(apps)
    state = _with_index(now, app, model, name)
    Unindex(model, name).state_forwards(app, state)
    left, wanted = (s.models[app, model].fields[name].deconstruct() for s in (state, now))
    assert left == wanted


def test_an_index_that_the_model_names_itself_stays() -> None:
    """The inbox has one of players alone, with a condition."""
    now = ProjectState.from_apps(apps)
    editor = connection.schema_editor(atomic=False)
    Unindex("notice", "player").database_forwards("players", editor, now, now)
    assert "players_news" in _facts("players", "notice")
