"""Deposits, withdrawals and adjustments by an operator, with a second pair of eyes above a limit.

One asks, with a reason and a reference to the paper behind it; above the limit somebody else
approves; several small amounts of a day count as one. All is written down and never changed. Money
to be withdrawn is held from the asking on. A currency is paid in from and out to the bank; play and
practice points can neither be bought nor cashed, they are issued and retired by adjustments; chips
belong to their tournament.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import IntegrityError

from ledger.errors import BadLine, Code, KeyReused, LedgerError
from ledger.lines import Line, checked_moment, checked_text
from ledger.models import Account, CashDecision, CashRequest, Entry, Journal
from ledger.selectors.entries import open_holds
from ledger.services import _transactions
from ledger.services.four_eyes import (
    answerable,
    check_not_own,
    check_same_answer,
    decided_alone,
    is_own,
    limit_of,
)
from ledger.services.posting import post
from ledger.services.registry import open_account, open_journal
from ledger.terms import AMOUNT_LIMIT, AssetKind, CashKind, Purpose, Rule

JOURNAL: Final = "cashier"
HOUSE: Final = "house"


def request_cash(
    *,
    kind: CashKind,
    account: int,
    amount: int,
    key: str,
    actor: str,
    reason: str,
    attachment: str = "",
    outwards: bool = False,
    actor_owner: str,
    now: datetime,
) -> CashRequest:
    """Ask to move `amount` into account `account` (out of it: a withdrawal, or `outwards`).

    Up to the limit of its asset it is carried out at once; above, `approve_cash` or `refuse_cash`
    answers it. What `actor` alone has moved at this account in the last 24 hours counts towards the
    limit; at an account of his own (`actor_owner`) he moves nothing alone. The same key gives the
    first request again.
    Raises `LedgerError`: UNKNOWN_ACCOUNT, BAD_ASSET, BAD_AMOUNT, BAD_LINE for the house's own side
    of it, BAD_TEXT, `KeyReused`, and what `post` raises.
    """
    if kind not in CashKind.values:
        raise LedgerError(Code.BAD_TEXT, f"There is no '{kind}' of cash.", field="kind")
    checked_text("key", key, 160)
    checked_text("actor", actor, 120)
    checked_text("reason", reason, 500)
    checked_text("attachment", attachment, 200, blank=True)
    checked_moment("now", now)
    if type(amount) is not int or not 0 < amount < AMOUNT_LIMIT:
        raise BadLine(Code.BAD_AMOUNT, "An amount is a positive whole number.", field="amount")
    own = Account.objects.select_related("asset").filter(id=account).first()
    if own is None:
        raise LedgerError(Code.UNKNOWN_ACCOUNT, f"There is no account {account}.", field="account")
    other = _counterpart(CashKind(kind), own)
    if other == own:
        raise BadLine(
            Code.BAD_LINE, "The house's own side cannot be paid by itself.", field="account"
        )
    out = kind == CashKind.WITHDRAWAL or (kind == CashKind.ADJUSTMENT and outwards)
    wanted = CashRequest(
        kind=CashKind(kind).value,
        key=key,
        debit=own if out else other,
        credit=other if out else own,
        amount=amount,
        reason=reason,
        attachment=attachment,
        needs_second=True,
        asked_by=actor,
        asked_at=now,
    )
    open_journal(code=JOURNAL)
    return _transactions.run(lambda: _ask(wanted, own, actor_owner), in_steps=True)


def _counterpart(kind: CashKind, own: Account) -> Account:
    """The house's account on the other side."""
    is_money = own.asset.kind == AssetKind.CURRENCY
    if own.asset.kind == AssetKind.CHIPS or (kind != CashKind.ADJUSTMENT and not is_money):
        raise LedgerError(
            Code.BAD_ASSET,
            f"{own.asset_id} can be neither paid in nor paid out.",
            field="account",
        )
    if kind == CashKind.ADJUSTMENT:
        purpose = "adjustments" if is_money else Purpose.ISSUANCE
        return open_account(asset=own.asset_id, owner=HOUSE, purpose=purpose, rule=Rule.UNBOUNDED)
    return open_account(
        asset=own.asset_id, owner=HOUSE, purpose=Purpose.BANK, rule=Rule.NEVER_POSITIVE
    )


def _ask(wanted: CashRequest, own: Account, actor_owner: str) -> CashRequest:
    # One after the other, so that two halves of an amount know of one another.
    Journal.objects.select_for_update().get(code=JOURNAL)
    earlier = CashRequest.objects.filter(key=wanted.key).first()
    if earlier is not None:
        if _content(earlier) != _content(wanted):
            raise KeyReused(wanted.key)
        return earlier
    alone = decided_alone(account=own.pk, actor=wanted.asked_by, now=wanted.asked_at)
    is_above = alone + wanted.amount > limit_of(own.asset_id)
    wanted.needs_second = is_above or is_own([own], actor_owner)
    try:
        wanted.save(force_insert=True)
    except IntegrityError as error:
        if "ledger_cash_key_once" in str(error) or "ledger:taken" in str(error):
            raise _transactions.SameKey from error
        raise
    if not wanted.needs_second:
        _decide(wanted, actor=wanted.asked_by, note="", approve=True, now=wanted.asked_at)
    elif wanted.kind == CashKind.WITHDRAWAL:
        hold = Line.set_aside(debit=wanted.debit_id, credit=wanted.credit_id, amount=wanted.amount)
        _post(wanted, "hold", hold, actor=wanted.asked_by, now=wanted.asked_at)
    return wanted


def _content(request: CashRequest) -> tuple[object, ...]:
    return (
        request.kind,
        request.debit_id,
        request.credit_id,
        request.amount,
        request.reason,
        request.attachment,
    )


def approve_cash(
    *, request: int, actor: str, note: str = "", actor_owner: str, now: datetime
) -> CashDecision:
    """Carry the request (its id) out. Approved already: the same decision again.

    Raises `LedgerError`: UNKNOWN_REQUEST, NEEDS_APPROVAL for the one who asked and for the one
    whose account it is, ALREADY_DECIDED when it was refused, and what `post` raises.
    """
    return _answer(request, actor=actor, note=note, approve=True, actor_owner=actor_owner, now=now)


def refuse_cash(*, request: int, actor: str, note: str, now: datetime) -> CashDecision:
    """Turn the request (its id) down and give back what it held.

    Who asked may do so too, and so may the one whose account it is.

    Raises `LedgerError`: UNKNOWN_REQUEST, BAD_TEXT, ALREADY_DECIDED when it was approved.
    """
    checked_text("note", note, 500)
    return _answer(request, actor=actor, note=note, approve=False, actor_owner="", now=now)


def _answer(
    request_id: int, *, actor: str, note: str, approve: bool, actor_owner: str, now: datetime
) -> CashDecision:
    checked_text("actor", actor, 120)
    checked_text("note", note, 500, blank=True)
    checked_moment("now", now)
    found = CashRequest.objects.select_related("debit", "credit").filter(id=request_id).first()
    request = answerable(found, request_id=request_id, actor=actor, approve=approve)
    if approve:
        check_not_own([request.debit, request.credit], actor_owner)
    return _transactions.run(
        lambda: _decide(request, actor=actor, note=note, approve=approve, now=now),
        in_steps=True,
    )


def _decide(
    request: CashRequest, *, actor: str, note: str, approve: bool, now: datetime
) -> CashDecision:
    earlier = CashDecision.objects.filter(request=request).first()
    if earlier is not None:
        check_same_answer(earlier, done=earlier.entry_id is not None, approve=approve)
        return earlier
    # By the key of its entry: anybody may hold something else under the same reference.
    held = open_holds().filter(entry__key=f"{_reference(request)}:hold").first()
    entry: Entry | None = None
    if approve and held is not None:
        entry = _post(request, request.kind, Line.capture(held), actor=actor, now=now)
    elif approve:
        line = Line.post(debit=request.debit_id, credit=request.credit_id, amount=request.amount)
        entry = _post(request, request.kind, line, actor=actor, now=now)
    elif held is not None:
        _post(request, "release", Line.release(held), actor=actor, now=now)
    try:
        return CashDecision.objects.create(
            request=request, decided_by=actor, decided_at=now, note=note, entry=entry
        )
    except IntegrityError as error:
        # Decided by somebody else a moment ago; the whole attempt is undone and looks again.
        raise _transactions.SameKey from error


def _post(request: CashRequest, what: str, line: Line, *, actor: str, now: datetime) -> Entry:
    reference = _reference(request)
    return post(
        journal=JOURNAL,
        kind=request.kind if what == request.kind else f"{request.kind}_{what}",
        key=f"{reference}:{what}",
        lines=[line],
        actor=actor,
        reference=reference,
        reason=request.reason,
        now=now,
    )


def _reference(request: CashRequest) -> str:
    return f"cash:{request.id}"
