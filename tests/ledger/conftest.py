"""Fixtures of the ledger's tests."""

from __future__ import annotations

import pytest

from tests.ledger.books import Books


@pytest.fixture
def books(db: None) -> Books:
    """Fresh books in a transaction that is rolled back."""
    return Books()


@pytest.fixture
def committed_books(transactional_db: None) -> Books:
    """Fresh books where postings really commit."""
    return Books()
