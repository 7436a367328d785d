"""Reversing an entry: a new entry that points at the old one and moves everything back."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from ledger.errors import Code, LedgerError
from ledger.lines import Line, draft
from ledger.models import Entry, Transfer
from ledger.services.four_eyes import check_reversal
from ledger.services.posting import post_draft
from ledger.terms import Mode

APPROVED_BY: Final = "(approved by "
"""What the ledger writes behind a reason, before the name."""


def reverse(
    *,
    entry: int,
    key: str,
    actor: str,
    reason: str,
    approved_by: str = "",
    follows: bool = False,
    now: datetime,
) -> Entry:
    """Move back what entry `entry` (its id) moved, in its journal and under its reference.

    The lines are mirrored from the last to the first, so that an amount that was passed on comes
    back before it goes on. The same key gives the first reversal again.
    Raises `LedgerError`: UNKNOWN_ENTRY, NOT_REVERSIBLE (a hold or release, a reversal),
    ALREADY_REVERSED, and what `post` raises, such as `InsufficientFunds` where it was spent.
    """
    original, transfers = reversible(entry)
    if not follows:
        check_reversal(transfers, actor=actor, approved_by=approved_by)
    posting = draft(
        journal=original.journal.code,
        kind=f"reverse_{original.kind}"[:40],
        key=key,
        lines=[
            Line.post(debit=transfer.credit_id, credit=transfer.debit_id, amount=transfer.amount)
            for transfer in transfers
        ],
        actor=actor,
        reference=original.reference,
        reason=f"{reason} {APPROVED_BY}{approved_by.strip()})" if approved_by else reason,
        now=now,
        reverses=original.id,
        numbers=[transfer.line for transfer in transfers],
    )
    return post_draft(posting)


def reversible(entry: int) -> tuple[Entry, list[Transfer]]:
    """The entry (its id), and its transfers from the last to the first, if it can be reversed.

    Raises `LedgerError`: UNKNOWN_ENTRY, NOT_REVERSIBLE.
    """
    original = Entry.objects.select_related("journal").filter(id=entry).first()
    if original is None:
        raise LedgerError(Code.UNKNOWN_ENTRY, f"There is no entry {entry}.", field="entry")
    if original.reverses_id is not None:
        raise LedgerError(
            Code.NOT_REVERSIBLE, "A reversal is not reversed; post the entry anew.", field="entry"
        )
    sides = original.transfers.select_related("debit__asset", "credit")
    transfers = list(sides.order_by("-line"))
    if any(transfer.mode not in (Mode.POST, Mode.CAPTURE) for transfer in transfers):
        raise LedgerError(
            Code.NOT_REVERSIBLE,
            "A hold is released, not reversed; a release moved nothing.",
            field="entry",
        )
    return original, transfers
