"""Several processes at once, on whichever database the settings name: nothing is spent twice."""

from __future__ import annotations

import signal
import time
from typing import Any

from django.db import connection

from ledger.models import Entry
from ledger.selectors import balance_of
from ledger.services import open_journal
from tests.ledger.books import Books
from tests.ledger.worker import run_all, start


def database() -> str:
    """The test database, as a worker opens it."""
    return str(connection.settings_dict["NAME"])


def test_ten_times_a_tenth_is_all_that_can_be_spent(committed_books: Books) -> None:
    """4 processes try 10 times 100 each, from 1,000."""
    books = committed_books
    books.fund(books.anna, 1_000)
    job: dict[str, Any] = {"job": "spend", "times": 10, "amount": 100}
    job |= {"debit": books.anna.id, "credit": books.ben.id}
    outcomes = run_all(database(), [job | {"name": f"p{number}"} for number in range(4)])
    assert outcomes == {"posted": 10, "insufficient_funds": 30}
    assert books.available(books.anna, books.ben) == [0, 1_000]
    assert books.faults() == []


def test_one_key_from_many_sides_posts_once(committed_books: Books) -> None:
    books = committed_books
    books.fund(books.anna, 1_000)
    job: dict[str, Any] = {"job": "one_key", "times": 12, "amount": 100, "key": "fee:1"}
    job |= {"debit": books.anna.id, "credit": books.ben.id}
    outcomes = run_all(database(), [job] * 4)
    assert outcomes == {"posted": 1, "replayed": 47}
    assert books.available(books.anna) == [900]


def test_one_key_in_two_journals_posts_once(committed_books: Books) -> None:
    """Their journals do not serialise them; the key's uniqueness does."""
    books = committed_books
    open_journal(code="cashier")
    books.fund(books.anna, 1_000)
    job: dict[str, Any] = {"job": "one_key", "times": 6, "amount": 100, "key": "fee:1"}
    job |= {"debit": books.anna.id, "credit": books.ben.id}
    outcomes = run_all(database(), [job, job | {"journal": "cashier"}])
    assert outcomes["posted"] == 1
    assert outcomes["replayed"] + outcomes["key_reused"] == 11
    assert books.available(books.anna) == [900]


def test_one_hold_is_settled_once(committed_books: Books) -> None:
    books = committed_books
    books.fund(books.anna, 500)
    hold = books.hold(books.anna, books.escrow, 450)
    jobs = [{"job": "settle", "hold": hold.id, "name": f"p{number}"} for number in range(4)]
    assert run_all(database(), jobs) == {"posted": 1, "hold_resolved": 3}
    assert books.available(books.anna, books.escrow) == [50, 450]


def test_one_entry_is_reversed_once(committed_books: Books) -> None:
    books = committed_books
    books.fund(books.anna, 500)
    paid = books.pay(books.anna, books.ben, 100)
    books.fund(books.ben, 500)
    jobs = [{"job": "undo", "entry": paid.id, "name": f"p{number}"} for number in range(4)]
    assert run_all(database(), jobs) == {"posted": 1, "already_reversed": 3}
    assert books.available(books.anna, books.ben) == [500, 500]


def test_a_ring_of_accounts_conserves_every_point(committed_books: Books) -> None:
    """Lines in every order; locks are taken by account id, so nobody waits in a circle."""
    books = committed_books
    accounts = [books.account(f"player:{number}") for number in range(10, 18)]
    for account in accounts:
        books.fund(account, 100)
    for number in range(4):
        open_journal(code=f"table:{number}")
    ids = [account.id for account in accounts]
    jobs = [
        {"job": "ring", "seed": seed, "times": 25, "accounts": ids}
        | {"name": f"p{seed}", "journal": f"table:{seed}"}
        for seed in range(4)
    ]
    outcomes = run_all(database(), jobs)
    assert set(outcomes) <= {"posted", "insufficient_funds"}
    assert outcomes["posted"] > 40
    assert sum(balance_of(account).posted for account in ids) == 800
    assert books.faults() == []


def test_killed_again_and_again_the_books_are_as_if_nothing_had_happened(
    committed_books: Books,
) -> None:
    """One run of 1,000 batches, killed three times without warning, each time begun anew."""
    books = committed_books
    job: dict[str, Any] = {"job": "batches", "times": 1_000, "debit": books.issuer.id}
    job["accounts"] = [books.anna.id, books.ben.id, books.chitra.id]
    survived = 0
    for reached in (200, 500, 800):
        _kill_after(reached, job)
        assert survived < reached <= Entry.objects.count() < 1_000
        survived = Entry.objects.count()
        assert books.faults() == []
    outcomes = run_all(database(), [job])
    # A commit whose answer was lost with the process is replayed too.
    assert outcomes["posted"] + outcomes["replayed"] == 1_000
    assert outcomes["replayed"] >= survived
    assert Entry.objects.count() == 1_000
    assert books.available(books.anna, books.ben, books.chitra) == [
        sum(1 + (number + place) % 7 for number in range(1_000)) for place in range(3)
    ]
    assert books.faults() == []


def _kill_after(reached: int, job: dict[str, Any]) -> None:
    """Run the job until so many entries are there, then kill -9."""
    process = start(database(), job)
    while Entry.objects.count() < reached:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=20)
    assert process.returncode == -signal.SIGKILL
