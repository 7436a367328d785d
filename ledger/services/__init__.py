"""Everything that changes the ledger: keyword-only use cases."""

from ledger.lines import Line
from ledger.services.posting import post
from ledger.services.registry import (
    ensure_asset,
    online_allowed,
    open_account,
    open_accounts,
    open_journal,
)
from ledger.terms import AssetKind, Mode, Purpose, Rule

__all__ = [
    "AssetKind",
    "Line",
    "Mode",
    "Purpose",
    "Rule",
    "ensure_asset",
    "online_allowed",
    "open_account",
    "open_accounts",
    "open_journal",
    "post",
]
