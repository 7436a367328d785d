"""Sums over what was posted about a reference."""

from __future__ import annotations

from django.db.models import Sum

from ledger.models import Transfer


def moved_by_kind(reference: str) -> dict[str, int]:
    """What all entries of each kind moved, held or gave back, in the smallest unit."""
    rows = (
        Transfer.objects.filter(entry__reference=reference)
        .order_by()
        .values_list("entry__kind")
        .annotate(total=Sum("amount"))
    )
    return {kind: int(total) for kind, total in rows}
