"""Having an entry moved back: one asks with a reason, above the limit somebody else approves.

Up to the limit of its asset (see `four_eyes`) it is moved back at once. What was asked and decided
is written down and never changed; the entry itself stays, the reversal is a new one.
"""

from __future__ import annotations

from datetime import datetime

from ledger.errors import Code, KeyReused, LedgerError
from ledger.lines import checked_moment, checked_text
from ledger.models import Entry, Journal, ReversalDecision, ReversalRequest
from ledger.services import _transactions
from ledger.services.four_eyes import (
    above_limit,
    answerable,
    both_sides,
    check_not_own,
    check_same_answer,
    is_own,
)
from ledger.services.reversal import APPROVED_BY, reverse, reversible


def ask_reversal(
    *, entry: int, key: str, actor: str, reason: str, actor_owner: str, now: datetime
) -> ReversalRequest:
    """Ask to have entry `entry` (its id) moved back. The same key gives the first request again.

    What moved on an account of his own (`actor_owner`) nobody moves back alone.
    Raises `LedgerError`: UNKNOWN_ENTRY, NOT_REVERSIBLE, ALREADY_REVERSED, also while another
    request for it waits, BAD_TEXT, `KeyReused`, and at once what `reverse` raises.
    """
    checked_text("key", key, 160)
    checked_text("actor", actor, 120)
    checked_text("reason", reason, 350)
    if APPROVED_BY in reason.casefold():
        raise LedgerError(
            Code.BAD_TEXT,
            "Leave out of the reason who approved; that is added where somebody has.",
            field="reason",
        )
    checked_moment("now", now)
    wanted = ReversalRequest(key=key, reason=reason, asked_by=actor, asked_at=now)
    return _transactions.run(lambda: _ask(wanted, entry, actor_owner), in_steps=True)


def _ask(wanted: ReversalRequest, entry: int, actor_owner: str) -> ReversalRequest:
    original, transfers = reversible(entry)
    # One after the other, so that two who ask for the same entry know of one another.
    Journal.objects.select_for_update().get(pk=original.journal_id)
    earlier = ReversalRequest.objects.filter(key=wanted.key).first()
    if earlier is not None:
        if (earlier.entry_id, earlier.reason) != (entry, wanted.reason):
            raise KeyReused(wanted.key)
        return earlier
    waiting = ReversalRequest.objects.filter(entry=entry, decision__isnull=True)
    if waiting.exists() or Entry.objects.filter(reverses=entry).exists():
        raise LedgerError(
            Code.ALREADY_REVERSED,
            "It was reversed before, or somebody has asked for it already.",
            field="entry",
        )
    request = ReversalRequest.objects.create(
        entry=original,
        key=wanted.key,
        reason=wanted.reason,
        needs_second=bool(above_limit(transfers)) or is_own(both_sides(transfers), actor_owner),
        asked_by=wanted.asked_by,
        asked_at=wanted.asked_at,
    )
    if not request.needs_second:
        _decide(request, actor=request.asked_by, note="", approve=True, now=request.asked_at)
    return request


def approve_reversal(
    *, request: int, actor: str, note: str = "", actor_owner: str, now: datetime
) -> ReversalDecision:
    """Move it back. Approved already: the same decision again.

    Raises `LedgerError`: UNKNOWN_REQUEST, NEEDS_APPROVAL for the one who asked and for the one
    whose account it is about, ALREADY_DECIDED when it was refused, and what `reverse` raises.
    """
    return _answer(request, actor=actor, note=note, approve=True, actor_owner=actor_owner, now=now)


def refuse_reversal(*, request: int, actor: str, note: str, now: datetime) -> ReversalDecision:
    """Leave it as it is; who asked may do so too, and the one whose account it is about.

    Raises `LedgerError`: UNKNOWN_REQUEST, BAD_TEXT, ALREADY_DECIDED when it was approved.
    """
    checked_text("note", note, 400)
    return _answer(request, actor=actor, note=note, approve=False, actor_owner="", now=now)


def _answer(
    request_id: int, *, actor: str, note: str, approve: bool, actor_owner: str, now: datetime
) -> ReversalDecision:
    checked_text("actor", actor, 120)
    checked_text("note", note, 400, blank=True)
    checked_moment("now", now)
    found = ReversalRequest.objects.select_related("entry").filter(pk=request_id).first()
    request = answerable(found, request_id=request_id, actor=actor, approve=approve)
    if approve:
        moved = request.entry.transfers.select_related("debit", "credit")
        check_not_own(both_sides(moved), actor_owner)
    return _transactions.run(
        lambda: _decide(request, actor=actor, note=note, approve=approve, now=now), in_steps=True
    )


def _decide(
    request: ReversalRequest, *, actor: str, note: str, approve: bool, now: datetime
) -> ReversalDecision:
    Journal.objects.select_for_update().get(pk=request.entry.journal_id)
    earlier = ReversalDecision.objects.filter(request=request).first()
    if earlier is not None:
        check_same_answer(earlier, done=earlier.reversal_id is not None, approve=approve)
        return earlier
    reversal: Entry | None = None
    if approve:
        reversal = reverse(
            entry=request.entry_id,
            key=f"reversal:{request.pk}",
            actor=request.asked_by,
            reason=request.reason,
            approved_by=actor if request.needs_second else "",
            now=now,
        )
    return ReversalDecision.objects.create(
        request=request, decided_by=actor, decided_at=now, note=note, reversal=reversal
    )
