"""Freezing: nothing goes in or out, and it is known who did it and why."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.errors import Code, LedgerError
from ledger.models import AccountChange
from tests.ledger.books import NOW, Books
from tests.ledger.by_nobody import freeze_account, reopen_account


def test_freezing_an_account_is_logged_with_who_and_why(books: Books) -> None:
    request: dict[str, Any] = {
        "account": books.anna.id,
        "actor": "operator:2",
        "reason": "a complaint",
    }
    assert not freeze_account(**request, now=NOW).is_open
    assert not freeze_account(**request, now=NOW).is_open
    with pytest.raises(LedgerError):
        books.fund(books.anna, 5)
    assert reopen_account(**request | {"reason": "settled"}, now=NOW).is_open
    books.fund(books.anna, 5)
    changes = AccountChange.objects.order_by("id").values_list("is_open", "actor", "reason")
    assert list(changes) == [
        (False, "operator:2", "a complaint"),
        (True, "operator:2", "settled"),
    ]


def test_an_unknown_account_cannot_be_frozen_nor_any_without_a_reason(books: Books) -> None:
    for account, reason, code in ((0, "why", Code.UNKNOWN_ACCOUNT), (1, "", Code.BAD_TEXT)):
        with pytest.raises(LedgerError) as caught:
            freeze_account(account=account, actor="operator:2", reason=reason, now=NOW)
        assert caught.value.code == code
