"""Fixtures of the ledger's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ledger.books import Books
from tests.ledger.flush import flush_allowed


@pytest.fixture(scope="session", autouse=True)
def _flush_allowed() -> Iterator[None]:
    """Transactional tests empty the tables, which the guards would refuse."""
    with flush_allowed():
        yield


@pytest.fixture
def books(db: None) -> Books:
    """Fresh books in a transaction that is rolled back."""
    return Books()


@pytest.fixture
def committed_books(transactional_db: None) -> Books:
    """Fresh books where postings really commit."""
    return Books()
