"""The only door from tournaments to the ledger: what each step of a tournament posts.

A tournament has a journal and two escrow accounts: one for the prize pool, one for the organiser's
part of the fees, which is his only once the tournament has started. Idempotency keys are made of
what is paid for, so a step that is repeated posts nothing new.
"""

from __future__ import annotations

from ledger.errors import InsufficientFunds
from ledger.money import split
from ledger.services import AssetKind
from tournaments.money.accounts import (
    HOUSE,
    PLAY_POINTS,
    SYSTEM,
    Books,
    books_of,
    chips_asset,
    grant,
    open_asset,
    player_owner,
    reference_of,
    wallet_of,
    wallets_of,
)
from tournaments.money.chips import chips_issuer, issue_chips, retire_chips, settle_deal
from tournaments.money.fees import (
    can_pay_fee,
    collect_fees,
    hold_fee,
    release_all,
    release_fee,
    take_rejoin,
)
from tournaments.money.prizes import pay_prizes, pool_of, top_up
from tournaments.money.reading import Totals, balances, faults, totals_of, trial_balance

__all__ = [
    "HOUSE",
    "PLAY_POINTS",
    "SYSTEM",
    "AssetKind",
    "Books",
    "InsufficientFunds",
    "Totals",
    "balances",
    "books_of",
    "can_pay_fee",
    "chips_asset",
    "chips_issuer",
    "collect_fees",
    "faults",
    "grant",
    "hold_fee",
    "issue_chips",
    "open_asset",
    "pay_prizes",
    "player_owner",
    "pool_of",
    "reference_of",
    "release_all",
    "release_fee",
    "retire_chips",
    "settle_deal",
    "split",
    "take_rejoin",
    "top_up",
    "totals_of",
    "trial_balance",
    "wallet_of",
    "wallets_of",
]
