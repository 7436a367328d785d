"""Freezing an account and opening it again, with who did it and why."""

from __future__ import annotations

from datetime import datetime

from ledger.errors import Code, LedgerError
from ledger.lines import checked_moment, checked_text
from ledger.models import Account, AccountChange, Balance
from ledger.services import _transactions
from ledger.services.four_eyes import check_not_own


def freeze_account(
    *, account: int, actor: str, reason: str, actor_owner: str, now: datetime
) -> Account:
    """Let nothing in or out of the account; holds may still be released. Frozen already: no change.

    Raises `LedgerError`: UNKNOWN_ACCOUNT, BAD_TEXT, NEEDS_APPROVAL for whose account it is.
    """
    return _change(
        account, is_open=False, actor=actor, reason=reason, actor_owner=actor_owner, now=now
    )


def reopen_account(
    *, account: int, actor: str, reason: str, actor_owner: str, now: datetime
) -> Account:
    """Let the account give and take again. See `freeze_account`."""
    return _change(
        account, is_open=True, actor=actor, reason=reason, actor_owner=actor_owner, now=now
    )


def _change(
    account: int, *, is_open: bool, actor: str, reason: str, actor_owner: str, now: datetime
) -> Account:
    checked_text("actor", actor, 120)
    checked_text("reason", reason, 500)
    checked_moment("now", now)

    def work() -> Account:
        # The balance first, as postings do: whoever waits for it sees the account as it is then.
        if not Balance.objects.select_for_update().filter(account_id=account):
            raise LedgerError(
                Code.UNKNOWN_ACCOUNT, f"There is no account {account}.", field="account"
            )
        found = Account.objects.get(id=account)
        check_not_own([found], actor_owner)
        if found.is_open != is_open:
            Account.objects.filter(id=account).update(is_open=is_open)
            AccountChange.objects.create(
                account=found, is_open=is_open, actor=actor, reason=reason, at=now
            )
            found.is_open = is_open
        return found

    return _transactions.run(work, in_steps=True)
