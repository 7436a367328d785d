"""The ledger on PostgreSQL: eight processes, sudden death at every statement, roles, bulk loads."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import (
    DatabaseError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
    connection,
    transaction,
)
from django.db.backends.base.base import BaseDatabaseWrapper

from ledger.audit import Code
from ledger.errors import InsufficientFunds, LedgerBusy
from ledger.guards import grants
from ledger.models import Entry, Transfer
from ledger.selectors import balance_of
from ledger.services import Line, open_journal, post
from ledger.store import postgresql
from tests.ledger.books import NOW, Books
from tests.ledger.worker import run_all

pytestmark = pytest.mark.services


@pytest.fixture
def books(transactional_db: None) -> Books:
    """Fresh books where postings really commit."""
    return Books()


@pytest.fixture
def other(books: Books) -> Iterator[psycopg.Connection]:
    """A second connection, stepped by hand."""
    with psycopg.connect(**connection.get_connection_params() | {"cursor_factory": None}) as second:
        yield second
        second.rollback()


def database() -> str:
    return str(connection.settings_dict["NAME"])


def deadlocks() -> int:
    """Deadlocks that this database has ever seen."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def test_eight_processes_on_one_hot_account_lose_and_make_nothing(books: Books) -> None:
    """Each has a journal of its own, so they meet at the account only."""
    books.fund(books.anna, 1_000)
    for number in range(8):
        open_journal(code=f"table:{number}")
    job: dict[str, Any] = {"job": "spend", "times": 40, "amount": 10}
    job |= {"debit": books.anna.id, "credit": books.ben.id}
    jobs = [job | {"name": f"p{number}", "journal": f"table:{number}"} for number in range(8)]
    before = deadlocks()
    assert run_all(database(), jobs) == {"posted": 100, "insufficient_funds": 220}
    assert deadlocks() == before
    assert books.available(books.anna, books.ben) == [0, 1_000]
    assert books.faults() == []


def test_eight_processes_on_a_ring_of_accounts_never_deadlock(books: Books) -> None:
    accounts = [books.account(f"player:{number}") for number in range(10, 20)]
    for account in accounts:
        books.fund(account, 200)
    ids = [account.id for account in accounts]
    for number in range(8):
        open_journal(code=f"table:{number}")
    jobs = [
        {"job": "ring", "seed": seed, "times": 60, "accounts": ids}
        | {"name": f"p{seed}", "journal": f"table:{seed}"}
        for seed in range(8)
    ]
    before = deadlocks()
    outcomes = run_all(database(), jobs)
    assert set(outcomes) <= {"posted", "insufficient_funds"}
    assert outcomes["posted"] > 240
    assert deadlocks() == before
    assert sum(balance_of(account).posted for account in ids) == 2_000
    assert books.faults() == []


def test_a_posting_that_waits_too_long_says_busy_and_writes_nothing(
    books: Books, other: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock that is not to be had is never reported as a lack of funds."""
    monkeypatch.setattr(postgresql, "LOCK_TIMEOUT", "50ms")
    books.fund(books.anna, 100)
    for statement in (
        "SELECT 1 FROM ledger_journal WHERE code = 'house' FOR UPDATE",
        f"SELECT 1 FROM ledger_balance WHERE account_id = {books.anna.id} FOR UPDATE",
    ):
        other.execute(statement)
        with pytest.raises(LedgerBusy):
            books.pay(books.anna, books.ben, 10, key="late")
        other.rollback()
    assert Entry.objects.count() == 1
    assert not books.pay(books.anna, books.ben, 10, key="late").replayed


def test_a_posting_sees_what_was_committed_while_it_waited(books: Books) -> None:
    """The balance is read under the lock, not before it."""
    books.fund(books.anna, 100)
    posted, waiting = Event(), Event()

    def spend_first() -> None:
        with transaction.atomic():
            books.pay(books.anna, books.chitra, 100)
            posted.set()
            assert waiting.wait(10)
            time.sleep(0.2)
        connection.close()

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(spend_first)
        assert posted.wait(10)
        waiting.set()
        with pytest.raises(InsufficientFunds):
            books.pay(books.anna, books.ben, 100)
        first.result()
    assert books.available(books.anna, books.ben, books.chitra) == [0, 0, 100]


def test_busy_inside_a_callers_transaction_dooms_only_that_transaction(
    books: Books, other: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "LOCK_TIMEOUT", "50ms")
    books.fund(books.anna, 100)
    other.execute("SELECT 1 FROM ledger_journal WHERE code = 'house' FOR UPDATE")
    with transaction.atomic(), pytest.raises(LedgerBusy):
        books.pay(books.anna, books.ben, 10)
    other.rollback()
    books.pay(books.anna, books.ben, 10)
    assert books.available(books.ben) == [10]


@pytest.mark.parametrize("statement", [1, 2, 3])
def test_a_connection_killed_at_any_statement_leaves_all_or_nothing(
    books: Books, other: psycopg.Connection, statement: int
) -> None:
    """1: before the locks, 2: before the inserts, 3: before the commit."""
    books.fund(books.anna, 100)
    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    seen = 0

    def kill(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal seen
        seen += 1
        if seen == min(statement, 2):
            if statement == 3:
                execute(sql, params, many, context)
            other.execute("SELECT pg_terminate_backend(%s, 2000)", [backend])
            other.commit()
        return execute(sql, params, many, context)

    line = Line.post(debit=books.anna.id, credit=books.ben.id, amount=10)
    request: dict[str, Any] = {"journal": "house", "kind": "test", "key": "fee", "actor": "tester"}
    with connection.execute_wrapper(kill), pytest.raises(DatabaseError):
        post(lines=[line], now=NOW, **request)
    connection.close()
    assert Entry.objects.count() == 1
    assert books.available(books.anna, books.ben) == [100, 0]
    assert books.faults() == []
    assert not post(lines=[line], now=NOW, **request).replayed


def test_a_commit_whose_answer_was_lost_is_replayed(
    books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work is done and the caller does not know: the same key tells him."""
    books.fund(books.anna, 100)

    commit = BaseDatabaseWrapper._commit  # type: ignore[attr-defined]

    def lost(database: BaseDatabaseWrapper) -> None:
        commit(database)
        raise OperationalError("server closed the connection")

    with monkeypatch.context() as patch:
        patch.setattr(BaseDatabaseWrapper, "_commit", lost)
        with pytest.raises(OperationalError):
            books.pay(books.anna, books.ben, 10, key="fee")
    assert books.pay(books.anna, books.ben, 10, key="fee").replayed
    assert books.available(books.ben) == [10]


@pytest.fixture
def role(books: Books) -> Iterator[str]:
    """The role of a site that does not own its tables."""
    name = "ledger_site_role"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP ROLE IF EXISTS {name}")
        cursor.execute(f"CREATE ROLE {name}")
        for statement in grants.statements(connection, name):
            cursor.execute(statement)
        cursor.execute(f"SET ROLE {name}")
    yield name
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
        cursor.execute(f"DROP OWNED BY {name}")
        cursor.execute(f"DROP ROLE {name}")


def test_the_site_posts_with_a_role_that_owns_nothing(books: Books, role: str) -> None:
    books.account("player:77")
    open_journal(code="table:1")
    books.fund(books.anna, 100)
    hold = books.hold(books.anna, books.escrow, 40)
    books.post(Line.capture(hold, amount=10))
    assert books.available(books.anna) == [90]
    assert books.faults() == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_transfer SET amount = 1",
        "DELETE FROM ledger_transfer",
        "UPDATE ledger_entry SET reason = ''",
        "DELETE FROM ledger_entry",
        "TRUNCATE ledger_transfer",
        "DELETE FROM ledger_balance",
        "UPDATE ledger_account SET owner = 'x'",
        "ALTER TABLE ledger_transfer DISABLE TRIGGER USER",
        "DROP TRIGGER ledger_transfer_frozen ON ledger_transfer",
        "DROP TABLE ledger_checkpoint",
        # A trigger of its own, in which the balances would take any update.
        "CREATE TEMPORARY TABLE lever (n int)",
        "CREATE TABLE lever (n int)",
        "CREATE FUNCTION lever() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "CREATE TRIGGER lever AFTER INSERT ON ledger_accountchange"
        " FOR EACH ROW EXECUTE FUNCTION ledger_forbid()",
    ],
)
def test_the_role_of_the_site_may_not_even_try(books: Books, role: str, statement: str) -> None:
    with pytest.raises(ProgrammingError), connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_grants_are_printed_for_the_owner(books: Books, capsys: Any) -> None:
    call_command("ledger_grants", "site")
    printed = capsys.readouterr().out
    assert "ledger_transfer" in printed
    assert "DELETE" not in printed


def test_a_bulk_load_meets_the_same_guards(books: Books, other: psycopg.Connection) -> None:
    """COPY fires statement triggers too."""
    books.fund(books.anna, 100)
    columns = "entry_id, line, mode, debit_id, credit_id, amount"
    with (
        pytest.raises(psycopg.errors.CheckViolation),
        other.cursor() as cursor,
        cursor.copy(f"COPY ledger_transfer ({columns}) FROM STDIN") as copy,
    ):
        copy.write_row((12_345, 0, 1, books.anna.id, books.ben.id, 101))
    other.rollback()
    assert Transfer.objects.count() == 1


def test_a_repeated_key_is_found_by_the_audit(books: Books) -> None:
    """Its uniqueness and its guard dropped by the owner of the table."""
    books.fund(books.anna, 1)
    books.fund(books.anna, 2)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_key_once")
        cursor.execute("ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_frozen")
        cursor.execute("UPDATE ledger_entry SET key = 'twice'")
        assert Code.KEY_REPEATED in books.faults()
        assert Code.GUARD_MISSING in books.faults()
        transaction.set_rollback(True)
    assert books.faults() == []


def test_a_fork_of_the_chain_is_impossible_even_without_locks(
    books: Books, other: psycopg.Connection
) -> None:
    """Two entries with one number are one primary key."""
    last = books.fund(books.anna, 1)
    fields = {field.attname: getattr(last, field.attname) for field in Entry._meta.concrete_fields}
    fields |= {"key": "forked", "prev_hash": last.prev_hash}
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.create(**fields)
