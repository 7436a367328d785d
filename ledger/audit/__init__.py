"""Recomputing the books from the first entry: what an auditor runs."""

from ledger.audit.books import check_books
from ledger.audit.findings import Code, Finding, Findings

__all__ = ["Code", "Finding", "Findings", "check_books"]
