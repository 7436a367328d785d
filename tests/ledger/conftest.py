"""Fixtures of the ledger's tests."""

from __future__ import annotations

import pytest
from django.db import connection

from tests.ledger.books import Books

# These take a SQLite file apart or fill its disk; `tests/services` does so on PostgreSQL.
collect_ignore_glob = [] if connection.vendor == "sqlite" else ["test_*_sqlite.py"]


@pytest.fixture
def books(db: None) -> Books:
    """Fresh books in a transaction that is rolled back."""
    return Books()


@pytest.fixture
def committed_books(transactional_db: None) -> Books:
    """Fresh books where postings really commit."""
    return Books()
