"""Holds that end by themselves: a sweep that may be late, doubled or lost without harm."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from ledger.errors import HoldResolved, LedgerError
from ledger.lines import Line
from ledger.selectors.entries import expired_holds
from ledger.services.posting import post

SWEEP_LIMIT: Final = 1_000
"""Holds released by one sweep; the next one goes on."""


def release_expired(*, now: datetime, limit: int = SWEEP_LIMIT) -> int:
    """Release holds whose expiry has come, oldest first; how many.

    Each is an entry of its own in the journal that made the hold. One that somebody else has
    resolved meanwhile is passed over. One that cannot be released does not keep the others from it:
    its `LedgerError` is raised when they are done.
    """
    released = 0
    failed: LedgerError | None = None
    for hold in list(expired_holds(now)[:limit]):
        try:
            entry = post(
                journal=hold.entry.journal.code,
                kind="expire",
                key=f"expire:{hold.id}",
                lines=[Line.release(hold)],
                actor="ledger",
                reference=hold.entry.reference,
                now=now,
            )
        except HoldResolved:
            continue
        except LedgerError as error:
            failed = failed or error
            continue
        released += not entry.replayed
    if failed is not None:
        raise failed
    return released
