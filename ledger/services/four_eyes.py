"""Above which amount a second person is asked, and how much somebody has decided alone lately.

What moves on an account of one's own is never for oneself to decide, whatever the amount. Services
know such accounts by `actor_owner`, the owner (`player:17`) as which whoever acts has accounts. Its
caller has to say it; the empty text says that nobody's account is meant, as where a task acts.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, TypeVar

from django.conf import settings
from django.db.models import Q

from ledger.errors import Code, LedgerError
from ledger.lines import same_person
from ledger.models import (
    Account,
    CashDecision,
    CashRequest,
    ReversalDecision,
    ReversalRequest,
    Transfer,
)
from ledger.terms import AssetKind

R = TypeVar("R", CashRequest, ReversalRequest)

LIMIT: Final = 100_000
"""Above this many units of the smallest kind a second person is asked, unless
`RUMMY_LEDGER_FOUR_EYES` (asset code → limit) says otherwise."""
WINDOW: Final = timedelta(hours=24)
"""What one person decides alone about one account within this time counts together."""


def limit_of(asset: str) -> int:
    """Up to which amount one person may decide alone."""
    limits: dict[str, int] = getattr(settings, "RUMMY_LEDGER_FOUR_EYES", {})
    return limits.get(asset, LIMIT)


def decided_alone(*, account: int, actor: str, now: datetime) -> int:
    """How much `actor` has moved into and out of the account (its id) lately without a second.

    What somebody else approved, or has yet to, does not count: two have looked at it. The caller
    holds the cashier's journal, so that nobody is asked about the same account meanwhile.
    """
    about = Q(debit=account) | Q(credit=account)
    recent = CashRequest.objects.filter(about, asked_at__gt=now - WINDOW, needs_second=False)
    asked = recent.values_list("asked_by", "amount")
    return sum(amount for who, amount in asked if same_person(who, actor))


def check_reversal(transfers: Iterable[Transfer], *, actor: str, approved_by: str) -> None:
    """Raises `LedgerError(NEEDS_APPROVAL)` where a second person has to agree, and none did.

    Chips are worth something only within their tournament, so nobody need be asked about them.
    """
    over = above_limit(transfers)
    if over and (not approved_by.strip() or same_person(approved_by, actor)):
        raise LedgerError(
            Code.NEEDS_APPROVAL,
            f"More than {limit_of(over[0]):,} {over[0]} would be moved back; somebody else than "
            "who asks has to approve.",
            field="approved_by",
        )


def above_limit(transfers: Iterable[Transfer]) -> list[str]:
    """The assets of which more than one person may decide alone would be moved; never chips."""
    moved: dict[str, int] = {}
    for transfer in transfers:
        asset = transfer.debit.asset
        if asset.kind != AssetKind.CHIPS:
            moved[asset.code] = moved.get(asset.code, 0) + transfer.amount
    return [asset for asset, amount in moved.items() if amount > limit_of(asset)]


def answerable(request: R | None, *, request_id: int, actor: str, approve: bool) -> R:
    """The request, which `actor` may answer so.

    Raises `LedgerError`: UNKNOWN_REQUEST, NEEDS_APPROVAL for the one who asked.
    """
    if request is None:
        raise LedgerError(
            Code.UNKNOWN_REQUEST, f"There is no request {request_id}.", field="request"
        )
    if approve and request.needs_second and same_person(actor, request.asked_by):
        raise LedgerError(
            Code.NEEDS_APPROVAL, "Somebody else than who asked has to approve.", field="actor"
        )
    return request


def is_own(accounts: Iterable[Account], actor_owner: str) -> bool:
    """Whether one of some accounts belongs to whoever acts."""
    return bool(actor_owner) and any(account.owner == actor_owner for account in accounts)


def check_not_own(accounts: Iterable[Account], actor_owner: str) -> None:
    """Raises `LedgerError(NEEDS_APPROVAL)` where one of the accounts belongs to whoever acts."""
    if is_own(accounts, actor_owner):
        raise LedgerError(
            Code.NEEDS_APPROVAL,
            "It is about an account of your own; somebody else has to decide.",
            field="actor",
        )


def both_sides(transfers: Iterable[Transfer]) -> list[Account]:
    """The accounts on either side of some transfers."""
    return [side for transfer in transfers for side in (transfer.debit, transfer.credit)]


def check_same_answer(
    earlier: CashDecision | ReversalDecision, *, done: bool, approve: bool
) -> None:
    """Raises `LedgerError(ALREADY_DECIDED)` where it was answered otherwise."""
    if done != approve:
        raise LedgerError(
            Code.ALREADY_DECIDED,
            f"{earlier.decided_by} has decided otherwise already.",
            field="request",
        )
