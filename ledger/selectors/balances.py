"""What accounts hold now, read from the running totals: one row, however long the history."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ledger.errors import Code, LedgerError
from ledger.models import Balance
from ledger.selectors.sums import halves, total


class BalanceView(msgspec.Struct, frozen=True):
    """An account in the smallest unit of its asset; credits count up, debits down.

    `posted` is what was moved for good, `held` what is set aside to go out, `available` their
    difference, `incoming` what others have set aside for this account.
    """

    posted: int
    held: int
    available: int
    incoming: int
    last_transfer: int


class AssetTotals(msgspec.Struct, frozen=True):
    """All accounts of one asset added up; debits equal credits, posted and held."""

    asset: str
    debits: int
    credits: int
    debits_held: int
    credits_held: int

    @property
    def is_balanced(self) -> bool:
        """Whether nothing was made or lost."""
        return self.debits == self.credits and self.debits_held == self.credits_held


def view_of(balance: Balance) -> BalanceView:
    """The running totals as a person reads them."""
    posted = balance.credits - balance.debits
    return BalanceView(
        posted=posted,
        held=balance.debits_held,
        available=posted - balance.debits_held,
        incoming=balance.credits_held,
        last_transfer=balance.last_transfer,
    )


def balance_of(account_id: int) -> BalanceView:
    """The balance of one account; raises `LedgerError(UNKNOWN_ACCOUNT)`."""
    balance = Balance.objects.filter(account_id=account_id).first()
    if balance is None:
        raise LedgerError(
            Code.UNKNOWN_ACCOUNT, f"There is no account {account_id}.", field="account"
        )
    return view_of(balance)


def balances_of(account_ids: Sequence[int]) -> dict[int, BalanceView]:
    """The balances of many accounts by id; unknown ids are left out."""
    found = Balance.objects.filter(account_id__in=account_ids)
    return {balance.account_id: view_of(balance) for balance in found}


def trial_balance() -> tuple[AssetTotals, ...]:
    """The totals of every asset that has accounts, by code."""
    rows = (
        Balance.objects.values("account__asset_id")
        .annotate(
            **halves("debit_sum", "debits"),
            **halves("credit_sum", "credits"),
            **halves("debit_held_sum", "debits_held"),
            **halves("credit_held_sum", "credits_held"),
        )
        .order_by("account__asset_id")
    )
    return tuple(
        AssetTotals(
            asset=row["account__asset_id"],
            debits=total(row, "debit_sum"),
            credits=total(row, "credit_sum"),
            debits_held=total(row, "debit_held_sum"),
            credits_held=total(row, "credit_held_sum"),
        )
        for row in rows
    )
