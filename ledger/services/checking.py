"""Checking the books and keeping what was found, so that a page can show the last result."""

from __future__ import annotations

from datetime import datetime
from time import monotonic

import msgspec

from ledger.audit import check_books
from ledger.models import BooksCheck
from ledger.selectors import newest_checkpoint


def keep_check(*, now: datetime) -> BooksCheck:
    """Recompute the whole books and write down the result; see `ledger.audit.check_books`."""
    began = monotonic()
    findings = check_books(now=now)
    newest = newest_checkpoint()
    return BooksCheck.objects.create(
        at=now,
        faults=findings.faults,
        entries=findings.entries,
        transfers=findings.transfers,
        seconds=round(monotonic() - began, 3),
        root="" if newest is None else newest.root,
        report=msgspec.json.encode(findings).decode(),
    )
