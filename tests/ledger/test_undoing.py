"""Reversals that operators ask for: at once up to the limit, above it when another approves."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from pytest_django import Settings

from ledger.errors import Code, KeyReused, LedgerError
from ledger.guards.operators import ALL
from ledger.models import BooksCheck, Entry, ReversalDecision, ReversalRequest
from ledger.services import keep_check, refuse_reversal
from ledger.tasks import check_books
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import approve_reversal, ask_reversal


def ask(entry: Entry, key: str = "undo", actor: str = "olga") -> ReversalRequest:
    """Ask for a reversal."""
    return ask_reversal(entry=entry.pk, key=key, actor=actor, reason="a mistake", now=NOW)


def large(books: Books) -> Entry:
    """An entry above the limit."""
    books.fund(books.anna, 500_000)
    return books.pay(books.anna, books.ben, 200_000)


def refused(code: Code, call: Any, **words: Any) -> None:
    """The call is refused for this reason."""
    with pytest.raises(LedgerError) as caught:
        call(**words)
    assert caught.value.code == code


def test_a_small_entry_is_moved_back_at_once_and_the_asking_is_kept(books: Books) -> None:
    books.fund(books.anna, 500)
    request = ask(books.pay(books.anna, books.ben, 100))
    assert books.available(books.anna, books.ben) == [500, 0]
    assert not request.needs_second
    decision = ReversalDecision.objects.get(request=request)
    assert decision.reversal is not None
    assert (decision.decided_by, decision.reversal.actor) == ("olga", "olga")
    assert books.faults() == []


def test_a_large_entry_waits_for_somebody_else_whose_name_then_stands_in_the_reason(
    books: Books,
) -> None:
    request = ask(large(books))
    assert books.available(books.ben) == [200_000]
    for name in ("olga", " Olga"):
        refused(Code.NEEDS_APPROVAL, approve_reversal, request=request.pk, actor=name, now=NOW)
    decision = approve_reversal(request=request.pk, actor="meera", now=NOW)
    assert decision.reversal is not None
    assert decision.reversal.reason == "a mistake (approved by meera)"
    assert books.available(books.ben) == [0]
    again = approve_reversal(request=request.pk, actor="ravi", now=NOW)
    assert again.decided_by == "meera"
    assert books.faults() == []


def test_a_refused_request_moves_nothing_and_may_be_asked_anew(books: Books) -> None:
    entry = large(books)
    request = ask(entry)
    refuse_reversal(request=request.pk, actor="meera", note="it was right", now=NOW)
    refused(Code.ALREADY_DECIDED, approve_reversal, request=request.pk, actor="ravi", now=NOW)
    assert books.available(books.ben) == [200_000]
    assert ask(entry, key="again").pk != request.pk


def test_an_entry_is_asked_for_once_at_a_time_and_not_after_it_was_reversed(books: Books) -> None:
    entry = large(books)
    first = ask(entry)
    assert ask(entry).pk == first.pk
    refused(
        Code.ALREADY_REVERSED,
        ask_reversal,
        entry=entry.pk,
        key="other",
        actor="ravi",
        reason="twice",
        now=NOW,
    )
    approve_reversal(request=first.pk, actor="meera", now=NOW)
    with pytest.raises(LedgerError) as caught:
        ask(entry, key="third")
    assert caught.value.code == Code.ALREADY_REVERSED
    with pytest.raises(KeyReused):
        ask_reversal(entry=entry.pk, key="undo", actor="olga", reason="another", now=NOW)


def test_what_was_spent_meanwhile_cannot_be_moved_back_and_the_request_still_waits(
    books: Books,
) -> None:
    request = ask(large(books))
    books.pay(books.ben, books.chitra, 150_000)
    refused(Code.INSUFFICIENT_FUNDS, approve_reversal, request=request.pk, actor="meera", now=NOW)
    assert not ReversalDecision.objects.exists()
    refuse_reversal(request=request.pk, actor="meera", note="it is spent", now=NOW)


def test_unknown_entries_and_requests_reasons_and_reversals_are_refused(books: Books) -> None:
    words: dict[str, Any] = {"actor": "olga", "now": NOW}
    refused(Code.UNKNOWN_ENTRY, ask_reversal, entry=5, key="k", reason="x", **words)
    refused(Code.UNKNOWN_REQUEST, approve_reversal, request=5, **words)
    entry = books.fund(books.anna, 5)
    refused(Code.BAD_TEXT, ask_reversal, entry=entry.pk, key="k", reason="", **words)
    request = ask(entry)
    reversal = ReversalDecision.objects.get(request=request).reversal_id
    refused(Code.NOT_REVERSIBLE, ask_reversal, entry=reversal, key="k", reason="x", **words)
    refused(Code.BAD_TEXT, refuse_reversal, request=request.pk, note="", **words)
    assert list(ReversalRequest.objects.all()) == [request]
    assert ReversalDecision.objects.count() == 1


@pytest.mark.parametrize("statement", ["UPDATE {0} SET {1} = {1}", "DELETE FROM {0}"])
def test_the_database_changes_and_deletes_none_of_it(books: Books, statement: str) -> None:
    ask(books.fund(books.anna, 5))
    keep_check(now=NOW)
    for guard in ALL:
        assert guard.missing(connection) == []
        filled = statement.format(guard.table, guard.unique[0][0])
        with (
            pytest.raises(DatabaseError, match="ledger:append_only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(filled)
    with pytest.raises(TypeError):
        BooksCheck.objects.get().delete()


def test_a_check_of_the_books_keeps_what_it_found(books: Books, settings: Settings) -> None:
    books.fund(books.anna, 5)
    assert check_books() == 0
    kept = BooksCheck.objects.get()
    assert (kept.faults, kept.entries, kept.transfers, kept.root) == (0, 1, 1, "")
    assert settings.CELERY_BEAT_SCHEDULE["check of the books"]["task"] == check_books.name
