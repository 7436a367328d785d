"""Whether lines can be posted, judged against balances that are locked.

The database would refuse the same lines; this finds out before anything is written, names the
account and what lacks, and leaves the caller's transaction usable. Needs no database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from ledger.errors import (
    AccountClosed,
    AssetMismatch,
    BadLine,
    Code,
    HoldResolved,
    InsufficientFunds,
    LedgerError,
)
from ledger.lines import Line
from ledger.terms import TOTAL_LIMIT, Mode, Rule


class AccountState(msgspec.Struct):
    """An account with its locked balance; the counters move as lines are tried."""

    id: int
    asset: str
    owner: str
    purpose: str
    is_open: bool
    rule: str
    debits: int
    credits: int
    debits_held: int
    credits_held: int

    @property
    def missing(self) -> int:
        """By how much the account is past what its rule allows; 0 when it is not."""
        if self.rule == Rule.NEVER_NEGATIVE:
            return max(0, self.debits + self.debits_held - self.credits)
        if self.rule == Rule.NEVER_POSITIVE:
            return max(0, self.credits + self.credits_held - self.debits)
        return 0

    def identity(self) -> tuple[object, ...]:
        """What an entry's hash says of its accounts."""
        return (self.id, self.asset, self.owner, self.purpose, self.rule)


class HoldState(msgspec.Struct):
    """A hold that a line wants to resolve."""

    id: int
    debit: int
    credit: int
    amount: int
    expires_at: datetime | None
    resolved: bool


def try_lines(
    lines: Sequence[Line],
    accounts: Mapping[int, AccountState],
    holds: Mapping[int, HoldState],
    now: datetime,
) -> None:
    """Move the counters of `accounts` line by line, in order.

    The order counts: an account has to have an amount before it passes it on.
    Raises the `LedgerError` of the first line that cannot be posted; the counters are then void.
    """
    for number, line in enumerate(lines):
        debit, credit = _sides(number, line, accounts)
        posted, held = line.amount, 0
        if line.mode is Mode.HOLD:
            posted, held = 0, line.amount
        elif line.hold is not None:
            hold = _resolve(line, holds, now)
            posted = line.amount if line.mode is Mode.CAPTURE else 0
            held = -hold.amount
        debit.debits += posted
        debit.debits_held += held
        credit.credits += posted
        credit.credits_held += held
        for account in (debit, credit):
            if account.missing:
                raise InsufficientFunds(
                    f"{account.owner} lacks {account.missing} (smallest unit of {account.asset})"
                    f" in {account.purpose}.",
                    account=account.id,
                    missing=account.missing,
                )
        if (
            debit.debits + debit.debits_held >= TOTAL_LIMIT
            or credit.credits + credit.credits_held >= TOTAL_LIMIT
        ):
            raise LedgerError(
                Code.OVERFLOW, "The account's total would pass 64 bits.", field="lines"
            )


def _sides(
    number: int, line: Line, accounts: Mapping[int, AccountState]
) -> tuple[AccountState, AccountState]:
    debit, credit = accounts.get(line.debit), accounts.get(line.credit)
    if debit is None or credit is None:
        unknown = line.debit if debit is None else line.credit
        raise BadLine(
            Code.UNKNOWN_ACCOUNT, f"There is no account {unknown}.", field=f"lines.{number}"
        )
    if debit.asset != credit.asset:
        raise AssetMismatch(
            f"Account {debit.id} is in {debit.asset} and account {credit.id} in {credit.asset};"
            " a line joins two accounts of one asset."
        )
    # What was set aside may always go back.
    if line.mode is not Mode.RELEASE:
        for account in (debit, credit):
            if not account.is_open:
                raise AccountClosed(
                    f"Account {account.id} ({account.owner}, {account.purpose}) is frozen;"
                    " an operator can open it again.",
                    account=account.id,
                )
    return debit, credit


def _resolve(line: Line, holds: Mapping[int, HoldState], now: datetime) -> HoldState:
    hold = holds.get(line.hold) if line.hold is not None else None
    if hold is None:
        raise LedgerError(Code.UNKNOWN_HOLD, f"There is no hold {line.hold}.", field="hold")
    if hold.resolved:
        raise HoldResolved(hold.id)
    if (hold.debit, hold.credit) != (line.debit, line.credit):
        raise LedgerError(
            Code.HOLD_DIFFERS, f"Hold {hold.id} is between other accounts.", field="hold"
        )
    if line.amount > hold.amount or (line.mode is Mode.RELEASE and line.amount < hold.amount):
        raise LedgerError(
            Code.HOLD_DIFFERS,
            f"Hold {hold.id} is over {hold.amount}: capture at most that, or release all of it.",
            field="hold",
        )
    if line.mode is Mode.CAPTURE and hold.expires_at is not None and now >= hold.expires_at:
        raise LedgerError(
            Code.HOLD_EXPIRED, f"Hold {hold.id} has expired; make a new one.", field="hold"
        )
    hold.resolved = True
    return hold
