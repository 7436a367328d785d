"""Making the payments that were written down: in batches, each paid and marked or not at all.

What was interrupted goes on where it stopped, and what is paid stays paid: asking again and again
does no harm. Who cannot be paid keeps nobody else from his money; the reason stands with him.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from tournaments import money, people
from tournaments.amounts import kept_in_unit
from tournaments.models import Payment, PaymentKind, Payout, PayoutState, Tournament
from tournaments.services.lifecycle import lock
from tournaments.structure.lifecycle import State

log = logging.getLogger(__name__)

BATCH: Final = 500
"""Payments made in one transaction."""

_PRIZES: Final = (PaymentKind.PRIZE, PaymentKind.TICKET)


class Failure(NamedTuple):
    """A payment that could not be made, and why."""

    player_id: int
    kind: PaymentKind
    amount: int
    reason: str


class Paid(NamedTuple):
    """How many payments were made, and those that could not be."""

    made: int
    failed: tuple[Failure, ...]


def pay_due(*, tournament_id: int, now: datetime) -> Paid:
    """Make all payments of a tournament that may be made now; prizes only once approved.

    Raises `TournamentRefusal(UNKNOWN_TOURNAMENT)`.
    """
    made, after, failed = 0, 0, list[Failure]()
    while True:
        batch = _pay_batch(tournament_id, after, now)
        if batch is None:
            break
        after, paid, faults = batch
        made += paid
        failed += faults
    for failure in failed:
        log.warning(
            "a payment could not be made",
            extra={"tournament": tournament_id, "player": failure.player_id, "why": failure.reason},
        )
    _close(tournament_id, now)
    return Paid(made, tuple(failed))


def _pay_batch(
    tournament_id: int, after: int, now: datetime
) -> tuple[int, int, list[Failure]] | None:
    """The next payments, all of one kind: the last one's id, how many were made, the others."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        due = list(_due(tournament).filter(pk__gt=after).select_related("entry")[:BATCH])
        if not due:
            return None
        due = [payment for payment in due if payment.kind == due[0].kind]
        faults = money.pay_owed(tournament=tournament, owed=[_owed(p) for p in due], now=now)
        _mark(due, faults, now)
        _tell(tournament, [payment for payment in due if payment.pk not in faults], now)
    failed = [payment for payment in due if payment.pk in faults]
    return due[-1].pk, len(due) - len(failed), [_failure(p, faults[p.pk]) for p in failed]


def _due(tournament: Tournament) -> QuerySet[Payment]:
    unpaid = tournament.payments.filter(paid_at__isnull=True).order_by("kind", "pk")
    approved = Payout.objects.filter(tournament=tournament, state=PayoutState.APPROVED).exists()
    return unpaid if approved else unpaid.exclude(kind__in=_PRIZES)


def _owed(payment: Payment) -> money.Owed:
    return money.Owed(
        payment_id=payment.pk,
        kind=PaymentKind(payment.kind),
        player_id=payment.entry.player_id,
        amount=payment.amount,
        kept=payment.kept,
    )


def _mark(due: Sequence[Payment], faults: dict[int, str], now: datetime) -> None:
    paid = [payment.pk for payment in due if payment.pk not in faults]
    Payment.objects.filter(pk__in=paid).update(paid_at=now, fault="")
    for payment_id, fault in faults.items():
        Payment.objects.filter(pk=payment_id).update(fault=fault)


def _tell(tournament: Tournament, paid: Sequence[Payment], now: datetime) -> None:
    """Tell players what they were paid; all of one kind."""
    if not paid:
        return
    is_refund = paid[0].kind == PaymentKind.REFUND
    people.tell_entries(
        tournament,
        people.NoticeKind.REFUND if is_refund else people.NoticeKind.PRIZE,
        [payment.entry for payment in paid if payment.amount],
        what=f"paid-{paid[0].kind}",
        facts={
            payment.entry_id: {"amount": kept_in_unit(payment.amount, tournament.asset)}
            for payment in paid
        },
        now=now,
    )


def _failure(payment: Payment, reason: str) -> Failure:
    return Failure(payment.entry.player_id, PaymentKind(payment.kind), payment.amount, reason)


def _close(tournament_id: int, now: datetime) -> None:
    """Once everybody is paid, nothing stays behind: the rest is the house's."""
    with transaction.atomic():
        tournament = lock(tournament_id)
        if tournament.payments.filter(paid_at__isnull=True).exists():
            return
        payout = Payout.objects.filter(tournament=tournament).first()
        if payout is None:
            if tournament.state == State.ABORTED:
                money.leave_to_house(tournament=tournament, now=now)
            return
        if payout.state == PayoutState.APPROVED:
            money.close_pool(tournament=tournament, to_house=payout.to_house, now=now)
            payout.state, payout.paid_at = PayoutState.PAID, now
            payout.save(update_fields=["state", "paid_at"])


def waiting_to_be_paid() -> list[int]:
    """Ids of tournaments whose payments were interrupted; not those that failed for a reason."""
    unpaid = Payment.objects.filter(paid_at__isnull=True)
    refunds = unpaid.filter(kind=PaymentKind.REFUND, fault="").order_by()
    of_payout = unpaid.filter(tournament=OuterRef("tournament"))
    payouts = Payout.objects.filter(
        Exists(of_payout.filter(fault="")) | ~Exists(of_payout), state=PayoutState.APPROVED
    )
    found = {
        *refunds.values_list("tournament_id", flat=True),
        *payouts.values_list("tournament_id", flat=True),
    }
    return sorted(found)
