"""PostgreSQL cannot write: refused plainly, nothing half written, the same key works later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from ledger.errors import StorageFailed
from ledger.models import Entry, Transfer
from tests.ledger.books import Books

pytestmark = pytest.mark.services


@contextmanager
def failing(condition: str) -> Iterator[None]:
    """The server fails in this way once the lines are written, as it would in the middle."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION test_fails() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{condition}'; END $$"
        )
        cursor.execute(
            "CREATE TRIGGER test_fails AFTER INSERT ON ledger_entry"
            " FOR EACH ROW EXECUTE FUNCTION test_fails()"
        )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER test_fails ON ledger_entry")
            cursor.execute("DROP FUNCTION test_fails()")


@pytest.mark.parametrize("condition", ["disk_full", "io_error", "read_only_sql_transaction"])
def test_an_entry_that_cannot_be_written_is_refused_whole_and_its_key_works_later(
    transactional_db: None, condition: str
) -> None:
    books = Books()
    books.fund(books.anna, 100)
    with failing(condition), pytest.raises(StorageFailed):
        books.pay(books.anna, books.ben, 10, key="fee")
    assert Entry.objects.count() == Transfer.objects.count() == 1
    assert books.available(books.anna, books.ben) == [100, 0]
    assert not books.pay(books.anna, books.ben, 10, key="fee").replayed
    assert books.faults() == []
