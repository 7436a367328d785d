"""Recomputing the books from the first entry: what an auditor runs."""

from ledger.audit.beancount import beancount_lines
from ledger.audit.books import check_books
from ledger.audit.findings import Code, Finding, Findings

__all__ = ["Code", "Finding", "Findings", "beancount_lines", "check_books"]
