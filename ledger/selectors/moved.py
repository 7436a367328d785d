"""Sums over what was posted about a reference."""

from __future__ import annotations

from ledger.models import Transfer
from ledger.selectors.sums import halves, total


def moved_by_kind(reference: str) -> dict[str, int]:
    """What all entries of each kind moved, held or gave back, in the smallest unit."""
    rows = (
        Transfer.objects.filter(entry__reference=reference)
        .order_by()
        .values("entry__kind")
        .annotate(**halves("moved", "amount"))
    )
    return {row["entry__kind"]: total(row, "moved") for row in rows}
