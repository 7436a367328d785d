"""How far the prizes of a tournament are, and what could not be paid."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import BigIntegerField, Count, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from tournaments.models import Payment, PaymentKind, Payout, PayoutState, Tournament

EXPORT_LIMIT = 50_000
"""Payments of one export."""


def payout_state(tournament: Tournament) -> PayoutState:
    """How far the prizes of a tournament are."""
    payout = Payout.objects.filter(tournament=tournament).first()
    return PayoutState.NONE if payout is None else PayoutState(payout.state)


def unpaid_of(tournament: Tournament) -> list[Payment]:
    """What is owed and not paid, with its entry and player; `fault` says why it failed."""
    owed = tournament.payments.filter(paid_at__isnull=True)
    return list(owed.select_related("entry__player").order_by("pk"))


def payouts(*, state: str = "", named: str = "", tournament: str = "") -> QuerySet[Payout]:
    """Payouts with their tournaments, the latest first; `prizes` and `amount` say how much it is.

    `named` is a piece of a tournament's name, `tournament` its public id.
    """
    found = Payout.objects.select_related("tournament").order_by("-pk")
    if state:
        found = found.filter(state=state)
    if named:
        found = found.filter(tournament__name__icontains=named)
    if tournament:
        found = found.filter(tournament__public_id=tournament)
    return found.annotate(prizes=_of_prizes(Count("pk")), amount=_of_prizes(Sum("amount")))


def _of_prizes(aggregate: Count | Sum) -> Coalesce:
    mine = Payment.objects.filter(tournament=OuterRef("tournament"))
    grouped = mine.exclude(kind=PaymentKind.REFUND).order_by().values("tournament")
    counted = Subquery(grouped.annotate(n=aggregate).values("n"), output_field=BigIntegerField())
    return Coalesce(counted, 0)


class PaymentRow(NamedTuple):
    """A payment as a list shows it; amounts in the asset's smallest unit."""

    tournament: str
    public_id: str
    asset: str
    rank: int | None
    player: str
    kind: str
    amount: int
    kept: int
    reason: str
    state: str
    asked_by: str
    approved_by: str
    owed_at: datetime
    paid_at: datetime | None
    fault: str


def payment_rows(of: QuerySet[Payout]) -> Iterator[PaymentRow]:
    """The payments of these payouts, by tournament and rank. One query."""
    rows = (
        Payment.objects.filter(tournament__in=of.order_by().values("tournament"))
        .order_by("-tournament_id", "entry__rank", "pk")
        .values_list(
            "tournament__name",
            "tournament__public_id",
            "tournament__asset",
            "entry__rank",
            "entry__player__username",
            "kind",
            "amount",
            "kept",
            "entry__prize_reason",
            "tournament__payout__state",
            "tournament__payout__asked_by",
            "tournament__payout__approved_by",
            "owed_at",
            "paid_at",
            "fault",
        )
    )
    for row in rows[:EXPORT_LIMIT].iterator():
        yield PaymentRow(*row)
