"""How much of the books a posting reads: as much when they are full as when they were empty."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.db import connection, transaction

from ledger.services import Line, reverse
from tests.ledger.books import NOW, Books

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

EARLIER: Final = 300
ROWS_AT_MOST: Final = 60
"""Accounts, balances, head, lines and headers that a posting of one line may look at."""


def one_of_each(books: Books) -> dict[str, Callable[[], Any]]:
    """A posting of every kind, all over accounts that the earlier ones have used."""
    taken, given_back = (books.hold(books.anna, books.escrow, 10) for _ in range(2))
    paid = books.pay(books.anna, books.ben, 10).id
    undo: dict[str, Any] = {"key": "undo", "actor": "operator", "reason": "a test", "now": NOW}
    return {
        "payment": lambda: books.pay(books.anna, books.ben, 10),
        "hold": lambda: books.hold(books.anna, books.escrow, 10),
        "capture": lambda: books.post(Line.capture(taken)),
        "release": lambda: books.post(Line.release(given_back)),
        "reversal": lambda: reverse(entry=paid, **undo),
    }


def rows_read() -> int:
    """Rows of the ledger's tables that scans gave this connection since it last told of them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))"
            " FROM pg_stat_xact_user_tables WHERE relname LIKE 'ledger\\_%%'"
        )
        return int(cursor.fetchone()[0])


def test_a_posting_reads_as_few_rows_when_the_books_have_grown_under_its_connection() -> None:
    """The plan made for the first, of many lines, is kept for the next, of one."""
    books = Books()
    give = Line.post(debit=books.issuer.id, credit=books.anna.id, amount=1000)
    books.post(*[give] * EARLIER)
    for _ in range(EARLIER):
        books.hold(books.anna, books.escrow, 1)
    read: dict[str, int] = {}
    for kind, posting in one_of_each(books).items():
        with transaction.atomic():
            before = rows_read()
            posting()
            read[kind] = rows_read() - before
    assert max(read.values()) <= ROWS_AT_MOST, read
