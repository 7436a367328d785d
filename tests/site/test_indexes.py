"""Every index costs each write; one that is only the beginning of another gives nothing for it."""

from __future__ import annotations

from collections import defaultdict
from typing import Final, NamedTuple

import pytest
from django.apps import apps
from django.db import connection

pytestmark = pytest.mark.django_db

APPS: Final = ("ledger", "players", "rummy_site", "staff", "tables", "tournaments")
# Table, index, whether unique, whether partial, column or expression with its operator class.
_LOOK: Final = {
    "sqlite": (
        "SELECT t.name, i.name, i.[unique], i.partial, coalesce(c.name, i.name) || ' ' || c.coll "
        "FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) c "
        "WHERE t.type = 'table' AND c.key ORDER BY t.name, i.name, c.seqno"
    ),
    "postgresql": (
        "SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, i.indisunique, "
        "i.indpred IS NOT NULL, pg_get_indexdef(i.indexrelid, k, true) || ' ' || i.indclass[k - 1] "
        "FROM pg_index i, generate_series(1, i.indnkeyatts) k ORDER BY 1, 2, k"
    ),
}


class Index(NamedTuple):
    table: str
    name: str
    is_unique: bool
    is_partial: bool


def _indexes() -> dict[Index, list[str]]:
    """Those of our own tables, with what they are sorted by; which way round does not matter."""
    tables = {
        model._meta.db_table
        for label in APPS
        for model in apps.get_app_config(label).get_models(include_auto_created=True)
    }
    found: defaultdict[Index, list[str]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_LOOK[connection.vendor])
        for table, name, is_unique, is_partial, column in cursor.fetchall():
            if table in tables:
                found[Index(table, name, bool(is_unique), bool(is_partial))].append(column)
    return found


def _beginnings() -> list[str]:
    """Names of the indexes that another of their table makes needless."""
    whole = {index: columns for index, columns in _indexes().items() if not index.is_partial}
    return sorted(
        index.name
        for index, columns in whole.items()
        if not index.is_unique
        and any(
            other.table == index.table and other != index and longer[: len(columns)] == columns
            for other, longer in whole.items()
        )
    )


def test_no_index_is_only_the_beginning_of_another_of_its_table() -> None:
    """As Django's own index of a foreign key is, where a unique one begins with it."""
    assert len(_indexes()) > len(APPS)
    assert _beginnings() == []


@pytest.mark.parametrize("columns", ["actor_id", "actor_id, id", "action"])
def test_one_that_is_would_be_found(columns: str) -> None:
    """Or the test above would say nothing."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE INDEX one_too_many ON staff_staffaction ({columns})")
    assert "one_too_many" in _beginnings()


def test_one_with_a_column_or_a_condition_of_its_own_is_not() -> None:
    """Each of the two can be of use."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE INDEX of_use ON staff_staffaction (actor_id, at)")
        cursor.execute("CREATE INDEX small ON staff_staffaction (actor_id) WHERE batch <> ''")
    assert not {"of_use", "small"} & set(_beginnings())
