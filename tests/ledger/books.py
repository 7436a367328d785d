"""A small set of books to test with: one asset, an issuer, three wallets and an escrow."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from typing import Any

from ledger.audit import Code, check_books
from ledger.models import Account, Entry, Transfer
from ledger.selectors import balance_of, open_holds
from ledger.services import (
    AssetKind,
    Line,
    Purpose,
    Rule,
    ensure_asset,
    open_account,
    open_journal,
    post,
)

NOW = datetime(2026, 5, 1, 18, 30, tzinfo=UTC)


class Books:
    """Short ways to post; each call takes a fresh key unless one is given."""

    def __init__(self) -> None:
        ensure_asset(code="PLAY", kind=AssetKind.PLAY)
        open_journal(code="house")
        self.issuer = open_account(
            asset="PLAY", owner="house", purpose=Purpose.ISSUANCE, rule=Rule.UNBOUNDED
        )
        self.escrow = self.account("tournament:7", Purpose.ESCROW)
        self.anna, self.ben, self.chitra = (
            self.account(f"player:{number}") for number in (1, 2, 3)
        )
        self._keys = count(1)

    def account(self, owner: str, purpose: str = Purpose.WALLET, asset: str = "PLAY") -> Account:
        """An account that never goes below zero."""
        return open_account(asset=asset, owner=owner, purpose=purpose, rule=Rule.NEVER_NEGATIVE)

    def post(self, *lines: Line, key: str | None = None, **words: Any) -> Entry:
        """Post lines in the journal `house`."""
        request: dict[str, Any] = {"journal": "house", "kind": "test", "actor": "tester"}
        request |= {"now": NOW} | words
        return post(key=key or f"auto:{next(self._keys)}", lines=lines, **request)

    def fund(self, account: Account, amount: int) -> Entry:
        """Issue play points to an account."""
        return self.post(Line.post(debit=self.issuer.id, credit=account.id, amount=amount))

    def pay(self, debit: Account, credit: Account, amount: int, **words: Any) -> Entry:
        """Move an amount from one account to another."""
        return self.post(Line.post(debit=debit.id, credit=credit.id, amount=amount), **words)

    def hold(
        self, debit: Account, credit: Account, amount: int, *, until: datetime | None = None
    ) -> Transfer:
        """Set an amount aside; the hold itself."""
        line = Line.set_aside(debit=debit.id, credit=credit.id, amount=amount, expires_at=until)
        return self.post(line).transfers.get()

    def available(self, *accounts: Account) -> list[int]:
        """What the accounts can spend."""
        return [balance_of(account.id).available for account in accounts]

    def faults(self, now: datetime = NOW) -> Sequence[Code]:
        """What an audit finds."""
        return [fault.code for fault in check_books(now=now).found]


def is_open(hold: Transfer) -> bool:
    """Whether the hold was neither captured nor released."""
    return open_holds().filter(id=hold.id).exists()
