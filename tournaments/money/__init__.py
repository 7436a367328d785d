"""The only door from tournaments to the ledger: what each step of a tournament posts.

A tournament has a journal and two escrow accounts: one for the prize pool, one for the organiser's
part of the fees, which is his only once the tournament has started. Idempotency keys are made of
what is paid for, so a step that is repeated posts nothing new.
"""

from __future__ import annotations

from ledger.errors import AccountClosed, InsufficientFunds, LedgerError
from ledger.lines import same_person
from ledger.money import refund_after_charge, split
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
from tournaments.money.auditing import owner_paid
from tournaments.money.chips import (
    chips_issuer,
    issue_chips,
    retire_chips,
    settle_deal,
    stacks_of,
)
from tournaments.money.closing import (
    Remains,
    earn_fees_before_refund,
    leave_to_house,
    remains_of,
    retire_all_chips,
)
from tournaments.money.correcting import return_chips, take_back_deals, take_back_rejoin
from tournaments.money.fees import (
    can_pay_fee,
    collect_fees,
    frozen_payers,
    hold_fee,
    release_fee,
    release_fees,
    take_late_fee,
    take_rejoin,
)
from tournaments.money.paying import Owed, PutIn, must_stop, pay_owed, put_in
from tournaments.money.prizes import close_pool, pool_of, pool_received, pools_received, top_up
from tournaments.money.reading import (
    Totals,
    balances,
    faults,
    gains,
    is_currency,
    net_of_player,
    totals_of,
    trial_balance,
)
from tournaments.money.rebuys import can_pay_rebuy, renew_stack, take_rebuy
from tournaments.money.tickets import free_ticket, value_of_ticket

__all__ = [
    "AccountClosed",
    "frozen_payers",
    "take_late_fee",
    "HOUSE",
    "PLAY_POINTS",
    "SYSTEM",
    "AssetKind",
    "Books",
    "InsufficientFunds",
    "LedgerError",
    "Owed",
    "PutIn",
    "Remains",
    "Totals",
    "balances",
    "books_of",
    "can_pay_fee",
    "can_pay_rebuy",
    "chips_asset",
    "chips_issuer",
    "close_pool",
    "collect_fees",
    "earn_fees_before_refund",
    "faults",
    "free_ticket",
    "gains",
    "grant",
    "hold_fee",
    "is_currency",
    "issue_chips",
    "leave_to_house",
    "must_stop",
    "net_of_player",
    "owner_paid",
    "open_asset",
    "pay_owed",
    "player_owner",
    "pool_of",
    "pool_received",
    "pools_received",
    "put_in",
    "reference_of",
    "refund_after_charge",
    "release_fee",
    "release_fees",
    "remains_of",
    "retire_all_chips",
    "renew_stack",
    "retire_chips",
    "same_person",
    "return_chips",
    "settle_deal",
    "split",
    "take_back_deals",
    "take_back_rejoin",
    "stacks_of",
    "take_rebuy",
    "take_rejoin",
    "top_up",
    "totals_of",
    "trial_balance",
    "value_of_ticket",
    "wallet_of",
    "wallets_of",
]
