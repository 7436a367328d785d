"""A SQLite file that cannot grow: refused plainly, nothing half written, the same key works later.

Runs on SQLite only; `tests/services` asks the same of PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from ledger.errors import Code, StorageFailed
from ledger.models import CashDecision, CashRequest, Entry, Transfer
from ledger.services import CashKind, Line, open_journal
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import request_cash
from tests.ledger.worker import run_all

LINES = 200


@contextmanager
def full_disk() -> Iterator[None]:
    """The file may not get one page longer; what lies free inside is used up first."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 4294967294")


def many(books: Books) -> list[Line]:
    """An entry that takes several pages."""
    return [Line.post(debit=books.issuer.id, credit=books.anna.id, amount=1)] * LINES


def until_full(work: Callable[[int], object]) -> int:
    """Do `work` for 0, 1 … until it is refused; the number that was."""
    done: list[object] = []

    def again_and_again() -> None:
        while len(done) < 1_000:
            done.append(work(len(done)))

    with pytest.raises(StorageFailed, match="same key") as caught:
        again_and_again()
    assert caught.value.code == Code.STORAGE_FAILED
    return len(done)


def post_until_full(books: Books) -> int:
    """Post entries `full:0`, `full:1` … until one is refused; its number."""
    return until_full(lambda number: books.post(*many(books), key=f"full:{number}"))


def test_a_full_disk_refuses_an_entry_whole_and_its_key_works_later(
    committed_books: Books,
) -> None:
    books = committed_books
    with full_disk():
        posted = post_until_full(books)
        assert Entry.objects.count() == posted
        assert Transfer.objects.count() == posted * LINES
        assert books.available(books.anna) == [posted * LINES]
        assert books.faults() == []
    assert not books.post(*many(books), key=f"full:{posted}").replayed
    assert books.available(books.anna) == [(posted + 1) * LINES]
    assert books.faults() == []


def test_a_full_disk_undoes_the_callers_transaction_with_the_entry(
    committed_books: Books,
) -> None:
    """What the caller wrote before goes too, even where he swallows the refusal."""
    books = committed_books
    with full_disk():
        posted = post_until_full(books)
        with transaction.atomic():
            freed = books.account("player:77")
            with pytest.raises(StorageFailed):
                books.post(*many(books), key="inside")
    assert type(freed).objects.filter(owner="player:77").count() == 0
    assert Entry.objects.count() == posted
    assert books.faults() == []


def test_a_full_disk_leaves_no_request_without_its_entry(committed_books: Books) -> None:
    """A request and the entry that carries it out are written together or not at all."""
    books = committed_books
    open_journal(code="cashier")
    words: dict[str, Any] = {"actor": "operator:1", "reason": "because " * 60, "now": NOW}
    words |= {"kind": CashKind.ADJUSTMENT, "account": books.ben.id, "amount": 5}
    with full_disk():
        post_until_full(books)
        asked = until_full(lambda number: request_cash(key=f"cash:{number}", **words))
    assert CashRequest.objects.count() == CashDecision.objects.count() == asked
    assert books.available(books.ben) == [5 * asked]
    assert books.faults() == []


def test_writes_that_fail_at_any_page_leave_whole_entries_only(committed_books: Books) -> None:
    """The system refuses to let the log beside the file grow, in the middle of what is written."""
    books = committed_books
    log = Path(f"{connection.settings_dict['NAME']}-wal")
    job = {"job": "batches", "times": 60, "debit": books.issuer.id}
    job["accounts"] = [books.anna.id, books.ben.id, books.chitra.id]
    seen = 0
    for room in (40_000, 90_000, 150_000):
        grown = log.stat().st_size if log.exists() else 0
        outcomes = run_all(str(connection.settings_dict["NAME"]), [job | {"bytes": grown + room}])
        assert set(outcomes) <= {"posted", "replayed", "storage_failed"}
        assert outcomes["replayed"] == seen
        seen = Entry.objects.count()
        assert books.faults() == []
    outcomes = run_all(str(connection.settings_dict["NAME"]), [job])
    assert outcomes == {"posted": 60 - seen, "replayed": seen}
    assert books.faults() == []
