"""Reading the ledger; nothing here writes."""

from ledger.selectors.balances import (
    AssetTotals,
    BalanceView,
    balance_of,
    balances_of,
    trial_balance,
)
from ledger.selectors.entries import expired_holds, journal_of, open_holds
from ledger.selectors.totals import totals_by_kind

__all__ = [
    "AssetTotals",
    "BalanceView",
    "balance_of",
    "balances_of",
    "expired_holds",
    "journal_of",
    "open_holds",
    "totals_by_kind",
    "trial_balance",
]
