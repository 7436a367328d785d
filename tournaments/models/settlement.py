"""What a tournament owes its players and how far it has been paid: prizes, tickets, refunds.

A *payment* is written down before it is made, so that what was interrupted is resumed and nothing
is paid twice. A *payout* is the approval of a tournament's prizes.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from tournaments.models.core import Entry, Tournament


class PaymentKind(models.TextChoices):
    """What somebody is paid for."""

    PRIZE = "prize", "prize"
    TICKET = "ticket", "ticket for another tournament"
    REFUND = "refund", "refund"


class Payment(models.Model):
    """An amount owed to the player of an entry, once a kind; paid when it has a moment.

    `amount` is what he gets; `kept` is what a refund leaves to the organiser.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="payments")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="payments", db_index=False)
    kind = models.CharField(max_length=8, choices=PaymentKind.choices)
    amount = models.BigIntegerField()
    kept = models.BigIntegerField(default=0)
    actor = models.CharField(max_length=120)
    fault = models.CharField(max_length=300, blank=True)
    """Why it could not be paid when it was last tried."""
    owed_at = models.DateTimeField()
    paid_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "kind"], name="tournaments_payment_once"),
            models.CheckConstraint(
                condition=Q(amount__gte=0, kept__gte=0), name="tournaments_payment_amounts"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=PaymentKind.values), name="tournaments_payment_kind"
            ),
        ]
        indexes = [
            models.Index(
                fields=["tournament", "id"],
                name="tournaments_unpaid",
                condition=Q(paid_at__isnull=True),
            )
        ]
        ordering = ["tournament", "id"]

    def __str__(self) -> str:
        return f"{self.kind} of {self.amount} for entry {self.entry_id}"


class PayoutState(models.TextChoices):
    """How far the prizes of a tournament are."""

    NONE = "none", "nothing to pay yet"
    AWAITING = "awaiting", "awaiting approval"
    HELD = "held", "put back"
    APPROVED = "approved", "approved"
    PAID = "paid", "paid"


class Payout(models.Model):
    """The prizes of a tournament as a whole: who asked for them to be paid, who approved it."""

    tournament = models.OneToOneField(Tournament, models.PROTECT, related_name="payout")
    state = models.CharField(
        max_length=8, choices=PayoutState.choices, default=PayoutState.AWAITING
    )
    to_house = models.BigIntegerField(default=0)
    """What fixed prizes leave of the pool."""
    asked_by = models.CharField(max_length=120)
    asked_at = models.DateTimeField()
    approved_by = models.CharField(max_length=120, blank=True)
    """Empty where no approval was needed."""
    approved_at = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    held_by = models.CharField(max_length=120, blank=True)
    """Who put it back last instead of approving it, and why; it is asked for anew."""
    held_at = models.DateTimeField(null=True, blank=True)
    held_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=PayoutState.values), name="tournaments_payout_state"
            ),
            models.CheckConstraint(
                condition=(
                    Q(state=PayoutState.PAID, paid_at__isnull=False)
                    | (~Q(state=PayoutState.PAID) & Q(paid_at__isnull=True))
                ),
                name="tournaments_payout_paid",
            ),
            models.CheckConstraint(
                condition=Q(approved_by="") | ~Q(approved_by=F("asked_by")),
                name="tournaments_payout_two_people",
            ),
        ]
        indexes = [
            models.Index(
                fields=["id"],
                name="tournaments_payout_due",
                condition=Q(state=PayoutState.APPROVED),
            )
        ]

    def __str__(self) -> str:
        return f"payout of tournament {self.tournament_id}: {self.state}"


class TicketState(models.TextChoices):
    """What became of a ticket."""

    UNUSED = "unused", "not used yet"
    USED = "used", "used"
    PAID_OUT = "paid_out", "paid into the wallet"


class Ticket(models.Model):
    """A prize that is an entry into another tournament; its value lies in the ledger for it."""

    payment = models.OneToOneField(Payment, models.PROTECT, related_name="ticket")
    target = models.ForeignKey(Tournament, models.PROTECT, related_name="tickets")
    state = models.CharField(max_length=8, choices=TicketState.choices, default=TicketState.UNUSED)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=TicketState.values), name="tournaments_ticket_state"
            )
        ]
        indexes = [
            models.Index(
                fields=["target"],
                name="tournaments_ticket_unused",
                condition=Q(state=TicketState.UNUSED),
            )
        ]

    def __str__(self) -> str:
        return f"ticket {self.pk} for tournament {self.target_id}: {self.state}"
