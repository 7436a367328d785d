"""The tables of the ledger: the books themselves, and what operators ask for and find."""

from ledger.models.books import (
    Account,
    AccountChange,
    Asset,
    Balance,
    CashDecision,
    CashRequest,
    Checkpoint,
    Entry,
    Journal,
    Transfer,
)
from ledger.models.operators import BooksCheck, ReversalDecision, ReversalRequest

__all__ = [
    "Account",
    "AccountChange",
    "Asset",
    "Balance",
    "BooksCheck",
    "CashDecision",
    "CashRequest",
    "Checkpoint",
    "Entry",
    "Journal",
    "ReversalDecision",
    "ReversalRequest",
    "Transfer",
]
