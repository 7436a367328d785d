"""What operators have asked for and what became of it."""

from __future__ import annotations

from django.db.models import QuerySet

from ledger.models import CashRequest


def cash_requests(*, is_waiting: bool | None = None) -> QuerySet[CashRequest]:
    """Requests with their accounts and decisions, newest first; only those that wait, or do not."""
    found = CashRequest.objects.select_related(
        "debit__asset", "credit__asset", "decision__entry"
    ).order_by("-id")
    if is_waiting is None:
        return found
    return found.filter(decision__isnull=is_waiting)
