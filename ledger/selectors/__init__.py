"""Reading the ledger; nothing here writes."""

from ledger.selectors.about import (
    REVERSED,
    About,
    MovedLine,
    MovedSum,
    Wanted,
    lines_about,
    net_to_owners,
    sums_about,
)
from ledger.selectors.balances import (
    AssetTotals,
    BalanceView,
    balance_of,
    balances_of,
    trial_balance,
)
from ledger.selectors.cash import cash_requests
from ledger.selectors.entries import expired_holds, journal_of, open_holds
from ledger.selectors.moved import (
    accounts_with_something,
    moved_between,
    moved_by_kind,
    moved_of_owners,
    net_by_owner,
    net_by_reference,
)
from ledger.selectors.reports import journal_sheet, scales, sealed, statement_sheet, totals_sheet
from ledger.selectors.statements import (
    KindTotal,
    Statement,
    StatementLine,
    statement,
    totals_by_kind,
    transfers_of,
)
from ledger.selectors.wallets import Holding, StatementPage, holdings_of, statement_page

__all__ = [
    "REVERSED",
    "About",
    "AssetTotals",
    "BalanceView",
    "Holding",
    "KindTotal",
    "MovedLine",
    "MovedSum",
    "Statement",
    "StatementLine",
    "StatementPage",
    "Wanted",
    "accounts_with_something",
    "balance_of",
    "balances_of",
    "cash_requests",
    "expired_holds",
    "holdings_of",
    "journal_of",
    "journal_sheet",
    "lines_about",
    "moved_between",
    "moved_by_kind",
    "moved_of_owners",
    "net_by_owner",
    "net_by_reference",
    "net_to_owners",
    "open_holds",
    "scales",
    "sealed",
    "statement",
    "statement_page",
    "statement_sheet",
    "sums_about",
    "totals_by_kind",
    "totals_sheet",
    "transfers_of",
    "trial_balance",
]
