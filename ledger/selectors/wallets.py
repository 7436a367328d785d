"""An owner's accounts, and a page of what moved on one of them, newest first.

Pages go by the key of a transfer, which never changes: nothing is shown twice or left out while
others post. The number of queries does not depend on how much there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from ledger.models import Account, Transfer
from ledger.selectors.balances import BalanceView, balance_of, view_of
from ledger.selectors.statements import StatementLine, line_of, standing_after, transfers_within

LINES_A_PAGE: Final = 50


class Holding(NamedTuple):
    """An account with what stands on it."""

    account: Account
    balance: BalanceView


class StatementPage(NamedTuple):
    """Lines of an account, newest first, and whether there are newer and older ones."""

    lines: tuple[StatementLine, ...]
    newer: int | None
    """The key after which newer lines begin; None at the newest line."""
    older: int | None
    """The key before which older lines end; None at the oldest line."""


def holdings_of(owner: str, purpose: str) -> tuple[Holding, ...]:
    """An owner's accounts of one purpose with their assets, the oldest first. One query."""
    found = Account.objects.filter(owner=owner, purpose=purpose)
    rows = found.select_related("asset", "balance").order_by("pk")
    return tuple(Holding(account, view_of(account.balance)) for account in rows)


def statement_page(
    account: int,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
    after: int | None = None,
) -> StatementPage:
    """A page of an account's lines from `since` on and before `until`.

    `before` asks for those older than a transfer, `after` for those newer than one. The running
    balance of a line is what stood on the account after it, whatever the period.
    """
    transfers = transfers_within(account, since, until)
    if after is not None:
        rows = list(transfers.filter(id__gt=after).order_by("id")[: LINES_A_PAGE + 1])
        has_more, rows = len(rows) > LINES_A_PAGE, rows[:LINES_A_PAGE][::-1]
        newer = rows[0].pk if rows and has_more else None
        older = rows[-1].pk if rows else None
    else:
        wanted = transfers if before is None else transfers.filter(id__lt=before)
        rows = list(wanted.order_by("-id")[: LINES_A_PAGE + 1])
        has_more, rows = len(rows) > LINES_A_PAGE, rows[:LINES_A_PAGE]
        newer = rows[0].pk if rows and before is not None else None
        older = rows[-1].pk if rows and has_more else None
    return StatementPage(_lines(account, rows), newer, older)


def _lines(account: int, newest_first: Sequence[Transfer]) -> tuple[StatementLine, ...]:
    """The lines with what stood on the account after each, counted back from the newest."""
    if not newest_first:
        return ()
    balance, held = _standing(account, newest_first[0].pk)
    lines = []
    for transfer in newest_first:
        moved = line_of(transfer, account, 0, 0)
        lines.append(line_of(transfer, account, balance - moved.amount, held - moved.held))
        balance, held = balance - moved.amount, held - moved.held
    return tuple(lines)


def _standing(account: int, transfer: int) -> tuple[int, int]:
    """What stood there after a transfer; of the last one the running totals know it."""
    now = balance_of(account)
    if now.last_transfer == transfer:
        return now.posted, now.held
    return standing_after(account, transfer)
