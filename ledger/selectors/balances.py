"""What accounts hold now, read from the running totals: one row, however long the history."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from django.db.models import Sum

from ledger.errors import Code, LedgerError
from ledger.models import Balance


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
            debit_sum=Sum("debits"),
            credit_sum=Sum("credits"),
            debit_held_sum=Sum("debits_held"),
            credit_held_sum=Sum("credits_held"),
        )
        .order_by("account__asset_id")
        .values_list(
            "account__asset_id", "debit_sum", "credit_sum", "debit_held_sum", "credit_held_sum"
        )
    )
    return tuple(AssetTotals(row[0], *map(int, row[1:])) for row in rows)
