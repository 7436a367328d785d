"""The history of one account over a period, and what moved per reason.

A period is half-open: from `since` on, before `until`; None leaves that side open. An entry belongs
to the period by its time, lines stand in the order in which the database applied them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec
from django.db.models import Count, Q, QuerySet

from ledger.errors import Code, LedgerError
from ledger.models import Account, Transfer
from ledger.selectors.sums import halves, total
from ledger.terms import Mode

LINES_LIMIT: Final = 100_000
"""Lines of one statement; ask for a shorter period beyond that."""

_MOVED: Final = (Mode.POST, Mode.CAPTURE)


class StatementLine(msgspec.Struct, frozen=True):
    """One transfer seen from the account, amounts in the smallest unit.

    `amount` is what came in (or went out, negative), `held` by how much the amount held on the
    account changed; `balance` and `balance_held` are what stood there afterwards.
    """

    transfer: int
    entry: int
    at: datetime
    kind: str
    mode: str
    reference: str
    reason: str
    other_owner: str
    other_purpose: str
    amount: int
    held: int
    balance: int
    balance_held: int


class Statement(msgspec.Struct, frozen=True):
    """An account over a period: what stood there, what moved, what stands there."""

    account: int
    owner: str
    purpose: str
    asset: str
    scale: int
    since: datetime | None
    until: datetime | None
    opening: int
    opening_held: int
    closing: int
    closing_held: int
    lines: tuple[StatementLine, ...]


class KindTotal(msgspec.Struct, frozen=True):
    """What moved for one reason: number of transfers and the sum of their amounts."""

    asset: str
    kind: str
    transfers: int
    amount: int


def transfers_of(account_id: int) -> QuerySet[Transfer]:
    """Every transfer on either side of the account with what a reader needs of its entry."""
    return Transfer.objects.filter(Q(debit_id=account_id) | Q(credit_id=account_id)).select_related(
        "entry", "debit", "credit", "hold"
    )


def statement(
    *, account: int, since: datetime | None = None, until: datetime | None = None
) -> Statement:
    """The statement of one account (its id).

    Raises `LedgerError`: UNKNOWN_ACCOUNT, or BAD_TIME for a period that ends before it begins or
    has more than `LINES_LIMIT` lines.
    """
    found = Account.objects.select_related("asset").filter(id=account).first()
    if found is None:
        raise LedgerError(Code.UNKNOWN_ACCOUNT, f"There is no account {account}.", field="account")
    if since is not None and until is not None and until < since:
        raise LedgerError(Code.BAD_TIME, "The period ends before it begins.", field="until")
    transfers = _within(transfers_of(account), since, until).order_by("id")
    opening, opening_held = (
        (0, 0)
        if since is None
        else _standing(account, Transfer.objects.filter(entry__at__lt=since))
    )
    lines = []
    balance, balance_held = opening, opening_held
    for transfer in transfers[: LINES_LIMIT + 1]:
        line = line_of(transfer, account, balance, balance_held)
        balance, balance_held = line.balance, line.balance_held
        lines.append(line)
    if len(lines) > LINES_LIMIT:
        raise LedgerError(
            Code.BAD_TIME, f"That is more than {LINES_LIMIT} lines; shorten it.", field="since"
        )
    return Statement(
        account=found.id,
        owner=found.owner,
        purpose=found.purpose,
        asset=found.asset_id,
        scale=found.asset.scale,
        since=since,
        until=until,
        opening=opening,
        opening_held=opening_held,
        closing=balance,
        closing_held=balance_held,
        lines=tuple(lines),
    )


def totals_by_kind(
    *, since: datetime | None = None, until: datetime | None = None
) -> tuple[KindTotal, ...]:
    """What moved in the period, per asset and reason code; holds and releases move nothing."""
    rows = (
        _within(Transfer.objects.filter(mode__in=_MOVED), since, until)
        .values("debit__asset_id", "entry__kind")
        .annotate(transfers=Count("id"), **halves("moved", "amount"))
        .order_by("debit__asset_id", "entry__kind")
    )
    return tuple(
        KindTotal(row["debit__asset_id"], row["entry__kind"], row["transfers"], total(row, "moved"))
        for row in rows
    )


def _within(
    transfers: QuerySet[Transfer], since: datetime | None, until: datetime | None
) -> QuerySet[Transfer]:
    if since is not None:
        transfers = transfers.filter(entry__at__gte=since)
    if until is not None:
        transfers = transfers.filter(entry__at__lt=until)
    return transfers


def transfers_within(
    account: int, since: datetime | None, until: datetime | None
) -> QuerySet[Transfer]:
    """The transfers of an account in a period, with what a line shows of them."""
    return _within(transfers_of(account), since, until)


def standing_after(account: int, transfer: int) -> tuple[int, int]:
    """Balance and amount held on the account once this transfer (its id) was applied."""
    return _standing(account, Transfer.objects.filter(id__lte=transfer))


def _standing(account: int, before: QuerySet[Transfer]) -> tuple[int, int]:
    """Balance and amount held on the account by these transfers."""
    moved = before.filter(mode__in=_MOVED)
    incoming = _sum(moved.filter(credit_id=account), "amount")
    outgoing = _sum(moved.filter(debit_id=account), "amount")
    held = _sum(before.filter(debit_id=account, mode=Mode.HOLD), "amount")
    resolved = _sum(before.filter(debit_id=account, hold__isnull=False), "hold__amount")
    return incoming - outgoing, held - resolved


def _sum(transfers: QuerySet[Transfer], field: str) -> int:
    return total(transfers.aggregate(**halves("sum", field)), "sum")


def line_of(transfer: Transfer, account: int, balance: int, balance_held: int) -> StatementLine:
    """A transfer seen from the account, where so much stood on it, and was held, before."""
    is_debit = transfer.debit_id == account
    other = transfer.credit if is_debit else transfer.debit
    moved = transfer.amount if transfer.mode in _MOVED else 0
    amount = -moved if is_debit else moved
    held = 0
    if is_debit and transfer.mode == Mode.HOLD:
        held = transfer.amount
    elif is_debit and transfer.hold is not None:
        held = -transfer.hold.amount
    return StatementLine(
        transfer=transfer.id,
        entry=transfer.entry_id,
        at=transfer.entry.at,
        kind=transfer.entry.kind,
        mode=Mode(transfer.mode).label,
        reference=transfer.entry.reference,
        reason=transfer.entry.reason,
        other_owner=other.owner,
        other_purpose=other.purpose,
        amount=amount,
        held=held,
        balance=balance + amount,
        balance_held=balance_held + held,
    )
