"""Many threads at one moment, each with a connection of its own: everything happens once.

Runs on whichever database the settings name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from ledger.errors import LedgerError
from ledger.models import Account, Entry
from ledger.services import Line, open_journal, reverse
from tests.ledger.books import NOW, Books

Work = Callable[[], Entry]


def outcome(work: Work) -> str:
    """What became of one call: "posted", "replayed" or the code of the refusal."""
    try:
        return "replayed" if work().replayed else "posted"
    except LedgerError as error:
        return error.code


def storm(crowd: Sequence[Sequence[Work]]) -> Counter[str]:
    """A thread for each list of calls; all begin together. How often each outcome came."""
    barrier = Barrier(len(crowd))

    def one(calls: Sequence[Work]) -> Counter[str]:
        barrier.wait(timeout=30)
        try:
            return Counter(outcome(call) for call in calls)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(crowd)) as threads:
        return sum(threads.map(one, crowd), Counter())


def payment(
    books: Books, debit: Account, credit: Account, key: str, journal: str = "house"
) -> Work:
    """A call that pays 100."""
    return lambda: books.pay(debit, credit, 100, key=key, journal=journal)


def test_eight_threads_spend_a_thousand_exactly_once(committed_books: Books) -> None:
    """Each tries 10 times 100; the journals differ, so only the account keeps them apart."""
    books = committed_books
    books.fund(books.anna, 1_000)
    for thread in range(8):
        open_journal(code=f"table:{thread}")
    crowd = [
        [
            payment(books, books.anna, books.ben, f"{thread}:{time}", f"table:{thread}")
            for time in range(10)
        ]
        for thread in range(8)
    ]
    assert storm(crowd) == {"posted": 10, "insufficient_funds": 70}
    assert books.available(books.anna, books.ben) == [0, 1_000]
    assert books.faults() == []


def test_one_key_from_fifty_threads_is_one_entry(committed_books: Books) -> None:
    books = committed_books
    books.fund(books.anna, 10_000)
    crowd = [[payment(books, books.anna, books.ben, "fee:7:1")]] * 50
    assert storm(crowd) == {"posted": 1, "replayed": 49}
    assert Entry.objects.filter(key="fee:7:1").count() == 1
    assert books.available(books.anna, books.ben) == [9_900, 100]


def test_an_entry_is_reversed_once_by_sixteen_threads(committed_books: Books) -> None:
    books = committed_books
    books.fund(books.anna, 100)
    paid = books.pay(books.anna, books.ben, 100)
    books.fund(books.ben, 10_000)

    def undo(thread: int) -> Work:
        key = f"undo:{thread}"
        return lambda: reverse(entry=paid.id, key=key, actor="operator", reason="oops", now=NOW)

    crowd = [[undo(thread)] for thread in range(16)]
    assert storm(crowd) == {"posted": 1, "already_reversed": 15}
    assert books.available(books.anna, books.ben) == [100, 10_000]
    assert books.faults() == []


def test_entries_in_opposite_order_all_get_through(committed_books: Books) -> None:
    """Anna pays Ben while Ben pays Anna; both entries name the accounts the other way round."""
    books = committed_books
    books.fund(books.anna, 1_000)
    books.fund(books.ben, 1_000)
    pairs = [(books.anna, books.ben), (books.ben, books.anna)] * 4
    for thread in range(8):
        open_journal(code=f"table:{thread}")
    crowd = [
        [payment(books, debit, credit, f"{thread}:{time}", f"table:{thread}") for time in range(10)]
        for thread, (debit, credit) in enumerate(pairs)
    ]
    outcomes = storm(crowd)
    # Whoever is ahead by a thousand has emptied the other for a moment.
    assert set(outcomes) <= {"posted", "insufficient_funds"}
    assert outcomes["posted"] >= 40
    assert sum(books.available(books.anna, books.ben)) == 2_000
    assert books.faults() == []


def test_of_two_settlements_of_one_hold_one_wins(committed_books: Books) -> None:
    """One captures all of it, one a part, one gives it back."""
    books = committed_books
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 450)
    ways = [Line.capture(hold), Line.capture(hold, amount=300), Line.release(hold)]

    def settle(line: Line, number: int) -> Work:
        return lambda: books.post(line, key=f"settle:{number}")

    crowd = [[settle(line, number)] for number, line in enumerate(ways * 2)]
    assert storm(crowd) == {"posted": 1, "hold_resolved": 5}
    assert sum(books.available(books.anna, books.escrow)) == 500
    assert books.available(books.escrow)[0] in (0, 300, 450)
    assert books.faults() == []
