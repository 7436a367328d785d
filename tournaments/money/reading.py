"""Reading what moved for a tournament, and whether the books are sound."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from ledger import selectors
from ledger.audit import check_books
from tournaments.models import Tournament
from tournaments.money.accounts import reference_of


class Totals(NamedTuple):
    """What moved for a tournament so far, in the asset's smallest unit."""

    received: int
    refunded: int
    paid: int
    fee: int
    overlay: int


def totals_of(tournament: Tournament) -> Totals:
    """What moved for a tournament, added up from its transfers."""
    sums = selectors.moved_by_kind(reference_of(tournament))
    return Totals(
        received=sums.get("entry_fee", 0) + sums.get("rejoin", 0),
        refunded=sums.get("refund", 0),
        paid=sums.get("payout", 0),
        fee=sums.get("fee", 0) + sums.get("surplus", 0),
        overlay=sums.get("overlay", 0),
    )


def balances(account_ids: Sequence[int]) -> dict[int, selectors.BalanceView]:
    """What accounts hold: posted, held, available."""
    return selectors.balances_of(account_ids)


def trial_balance() -> tuple[selectors.AssetTotals, ...]:
    """Debits and credits of every asset; equal where nothing was made or lost."""
    return selectors.trial_balance()


def faults(*, now: datetime) -> tuple[str, ...]:
    """What is wrong in the books, in sentences; nothing in sound ones."""
    return tuple(f"{fault.where}: {fault.sentence}" for fault in check_books(now=now).found)
