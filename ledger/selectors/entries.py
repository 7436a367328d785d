"""What was posted: the entries of a reference, holds that are open."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from ledger.models import Entry, Transfer
from ledger.terms import Mode


def journal_of(reference: str) -> QuerySet[Entry]:
    """Every entry about a reference with its lines and accounts, oldest first."""
    return (
        Entry.objects.filter(reference=reference)
        .select_related("journal")
        .prefetch_related("transfers__debit", "transfers__credit")
        .order_by("at", "id")
    )


def _unresolved() -> QuerySet[Transfer]:
    resolutions = Transfer.objects.filter(hold_id=OuterRef("id"))
    return Transfer.objects.filter(Q(mode=Mode.HOLD), ~Exists(resolutions)).order_by("id")


def open_holds(*, reference: str | None = None, account: int | None = None) -> QuerySet[Transfer]:
    """Holds that were neither captured nor released, of a reference or of an account's side."""
    found = _unresolved().select_related("entry")
    if reference is not None:
        found = found.filter(entry__reference=reference)
    if account is not None:
        found = found.filter(Q(debit_id=account) | Q(credit_id=account))
    return found


def expired_holds(now: datetime) -> QuerySet[Transfer]:
    """Open holds whose time is over, oldest expiry first."""
    return (
        _unresolved()
        .filter(expires_at__lte=now)
        .select_related("entry__journal")
        .order_by("expires_at", "id")
    )
