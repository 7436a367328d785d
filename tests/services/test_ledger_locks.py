"""The order of locks and the journal's lock, taken away: what they are there for comes about.

Beside each fault the same steps with the lock as it is. Real connections on PostgreSQL.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Final

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction

from ledger import guards
from ledger.guards import postings
from ledger.models import Entry
from tests.ledger.books import Books

pytestmark = pytest.mark.services

SIGNATURE, BODY = postings.FUNCTIONS["ledger_lock"]
IN_ORDER: Final = "ORDER BY b.account_id"
AS_NAMED: Final = "ORDER BY array_position(accounts, b.account_id)"
JOURNAL_LOCK: Final = "WHERE code = journal FOR UPDATE"
# The first column is worked out for a row just before that row is locked.
AT_ONCE: Final = "SELECT head.id,"
SLOWLY: Final = "SELECT CASE WHEN pg_sleep(0.2) IS NULL THEN 0 ELSE head.id END,"


@pytest.fixture
def books(transactional_db: None) -> Iterator[Books]:
    """Fresh books where postings really commit; the function is put back afterwards."""
    yield Books()
    guards.install(connection)


def change_lock(*pieces: tuple[str, str]) -> None:
    """Replace pieces of the text of the function that locks for a posting."""
    body = BODY
    for old, new in pieces:
        assert body.count(old) == 1
        body = body.replace(old, new)
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE OR REPLACE FUNCTION ledger_lock{SIGNATURE} LANGUAGE plpgsql"
            f" AS $test${body}$test$"
        )


def lock(accounts: list[int], journal: str, together: Barrier) -> str:
    """Lock for an entry on a connection of its own; "locked" or "deadlock"."""
    parameters = connection.get_connection_params() | {"cursor_factory": None}
    with psycopg.connect(**parameters) as own:
        together.wait(timeout=30)
        try:
            own.execute("SELECT * FROM ledger_lock('10s', %s, '', %s)", [journal, accounts])
        except psycopg.errors.DeadlockDetected:
            return "deadlock"
        finally:
            own.rollback()
    return "locked"


@pytest.mark.parametrize(
    ("order", "outcomes"),
    [(IN_ORDER, ["locked", "locked"]), (AS_NAMED, ["deadlock", "locked"])],
    ids=["in order", "as named"],
)
def test_balances_locked_out_of_order_wait_in_a_circle(
    books: Books, order: str, outcomes: list[str]
) -> None:
    """Two entries name Anna and Ben in opposite order, with a pause before each lock."""
    change_lock((AT_ONCE, SLOWLY), (IN_ORDER, order))
    together = Barrier(2)
    ids = [books.anna.id, books.ben.id]
    with ThreadPoolExecutor(2) as threads:
        ways = [(ids, "journal:1"), (ids[::-1], "journal:2")]
        found = [threads.submit(lock, way, journal, together) for way, journal in ways]
        assert sorted(each.result() for each in found) == outcomes


@pytest.mark.parametrize("is_locked", [True, False], ids=["locked", "not locked"])
def test_without_the_lock_of_the_journal_two_entries_want_one_number(
    books: Books, is_locked: bool
) -> None:
    """Other accounts in the same journal: with the lock the second waits and is numbered next.

    Without it the chain does not fork even so: unique keys refuse the second entry.
    """
    books.fund(books.anna, 100)
    books.fund(books.ben, 100)
    change_lock((JOURNAL_LOCK, JOURNAL_LOCK if is_locked else "WHERE code = journal"))
    posted = Event()

    def first() -> None:
        with transaction.atomic():
            books.pay(books.anna, books.escrow, 100)
            posted.set()
            time.sleep(0.3)
        connection.close()

    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(first)
        assert posted.wait(10)
        if is_locked:
            assert books.pay(books.ben, books.chitra, 100).seq == 4
        else:
            with pytest.raises(IntegrityError, match="ledger_transfer_line_once"):
                books.pay(books.ben, books.chitra, 100)
        running.result()
    guards.install(connection)
    assert Entry.objects.count() == (4 if is_locked else 3)
    assert books.faults() == []
