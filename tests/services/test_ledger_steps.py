"""Two postings stepped by hand: one stops at a statement of its path, the other comes along.

Whatever the step, they end as if one had come after the other. On PostgreSQL, where they meet at
rows; SQLite lets one of them begin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Any, Final

import pytest
from django.db import connection

from ledger.models import Entry
from ledger.services import Line, open_journal, reverse
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import freeze_account
from tests.ledger.test_storms import Work, outcome

pytestmark = pytest.mark.services

STEPS: Final = {"before the locks": 0, "under the locks": 1, "before the commit": 2}
WORDS: Final[dict[str, Any]] = {"actor": "operator", "reason": "a test", "now": NOW}


@pytest.fixture
def books(transactional_db: None) -> Books:
    """Fresh books where postings really commit."""
    return Books()


def stepped(first: Work, second: Work, step: int) -> Counter[str]:
    """Stop `first` after so many statements, start `second`, let both end; their outcomes.

    Once `first` has its locks `second` waits for it.
    """
    stopped, go_on = Event(), Event()

    def pause() -> None:
        stopped.set()
        assert go_on.wait(20)

    def slow() -> str:
        seen = 0

        def stop(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            nonlocal seen
            seen += "ledger_lock(" in sql or "ledger_write(" in sql
            is_here = seen == max(step, 1) and not stopped.is_set()
            if is_here and step == 0:
                pause()
            done = execute(sql, params, many, context)
            if is_here and step:
                pause()
            return done

        try:
            with connection.execute_wrapper(stop):
                return outcome(first)
        finally:
            connection.close()

    def quick() -> str:
        try:
            return outcome(second)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        one = threads.submit(slow)
        assert stopped.wait(20)
        two = threads.submit(quick)
        done, _ = wait([two], timeout=20 if step == 0 else 0.2)
        assert bool(done) == (step == 0)
        go_on.set()
        return Counter([one.result(), two.result()])


Scenario = Callable[[Books], tuple[Work, Work, dict[str, int]]]


def one_key(books: Books) -> tuple[Work, Work, dict[str, int]]:
    pay = lambda: books.pay(books.anna, books.ben, 100, key="fee")  # noqa: E731
    return pay, pay, {"posted": 1, "replayed": 1}


def the_last_hundred(books: Books) -> tuple[Work, Work, dict[str, int]]:
    return (
        lambda: books.pay(books.anna, books.ben, 100, key="a", journal="table:1"),
        lambda: books.pay(books.anna, books.chitra, 100, key="b", journal="table:2"),
        {"posted": 1, "insufficient_funds": 1},
    )


def one_hold(books: Books) -> tuple[Work, Work, dict[str, int]]:
    hold = books.hold(books.anna, books.escrow, 100)
    return (
        lambda: books.post(Line.capture(hold, amount=60), key="a", journal="table:1"),
        lambda: books.post(Line.release(hold), key="b", journal="table:2"),
        {"posted": 1, "hold_resolved": 1},
    )


def one_entry(books: Books) -> tuple[Work, Work, dict[str, int]]:
    paid = books.pay(books.anna, books.ben, 50)
    return (
        lambda: reverse(entry=paid.id, key="a", **WORDS),
        lambda: reverse(entry=paid.id, key="b", **WORDS),
        {"posted": 1, "already_reversed": 1},
    )


def there_and_back(books: Books) -> tuple[Work, Work, dict[str, int]]:
    books.fund(books.ben, 100)
    return (
        lambda: books.pay(books.anna, books.ben, 100, key="a", journal="table:1"),
        lambda: books.pay(books.ben, books.anna, 100, key="b", journal="table:2"),
        {"posted": 2},
    )


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
@pytest.mark.parametrize(
    "scenario", [one_key, the_last_hundred, one_hold, one_entry, there_and_back]
)
def test_two_postings_end_as_if_one_came_after_the_other(
    books: Books, scenario: Scenario, step: int
) -> None:
    for number in (1, 2):
        open_journal(code=f"table:{number}")
    books.fund(books.anna, 100)
    first, second, outcomes = scenario(books)
    assert stepped(first, second, step) == outcomes
    assert sum(books.available(books.anna, books.ben, books.chitra, books.escrow)) in (100, 200)
    assert books.faults() == []


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_freeze_comes_before_a_posting_or_after_it(books: Books, step: int) -> None:
    """It waits for what has its locks; what comes to the locks later is refused."""
    books.fund(books.anna, 100)

    def freeze() -> Entry:
        freeze_account(account=books.anna.id, **WORDS)
        return Entry.objects.order_by("-id")[0]

    pay = lambda: books.pay(books.anna, books.ben, 100, key="fee")  # noqa: E731
    outcomes = stepped(pay, freeze, step)
    assert outcomes == ({"posted": 2} if step else {"account_closed": 1, "posted": 1})
    assert books.available(books.ben) == [100 if step else 0]
    assert books.faults() == []
