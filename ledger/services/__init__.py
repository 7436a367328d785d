"""Everything that changes the ledger: keyword-only use cases."""

from ledger.lines import Line
from ledger.services.cash import approve_cash, refuse_cash, request_cash
from ledger.services.checking import keep_check
from ledger.services.checkpoints import prove_journal, take_checkpoint
from ledger.services.freezing import freeze_account, reopen_account
from ledger.services.holds import release_expired
from ledger.services.posting import post
from ledger.services.registry import (
    ensure_asset,
    online_allowed,
    open_account,
    open_accounts,
    open_journal,
)
from ledger.services.reversal import reverse
from ledger.services.undoing import approve_reversal, ask_reversal, refuse_reversal
from ledger.services.welcome import give_welcome, had_welcome, welcome_points
from ledger.terms import AssetKind, CashKind, Mode, Purpose, Rule

__all__ = [
    "AssetKind",
    "CashKind",
    "Line",
    "Mode",
    "Purpose",
    "Rule",
    "approve_cash",
    "approve_reversal",
    "ask_reversal",
    "ensure_asset",
    "freeze_account",
    "give_welcome",
    "had_welcome",
    "keep_check",
    "online_allowed",
    "open_account",
    "open_accounts",
    "open_journal",
    "post",
    "prove_journal",
    "refuse_cash",
    "refuse_reversal",
    "release_expired",
    "reopen_account",
    "request_cash",
    "reverse",
    "take_checkpoint",
    "welcome_points",
]
