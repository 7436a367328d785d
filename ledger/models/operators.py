"""What operators ask to have reversed, and what the checks of the books found. Only ever added."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from ledger.models.books import Entry
from staff.append_only import AppendOnly


class ReversalRequest(AppendOnly):
    """An entry that somebody wants moved back, and why; the answer is a `ReversalDecision`."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    key = models.CharField(max_length=160, unique=True)
    reason = models.CharField(max_length=350)
    needs_second = models.BooleanField()
    asked_by = models.CharField(max_length=120)
    asked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(key="") & ~Q(reason="") & ~Q(asked_by=""), name="ledger_undo_named"
            ),
        ]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"reversal of entry {self.entry_id}"


class ReversalDecision(AppendOnly):
    """Who approved a reversal, with the entry that moved it back, or refused it."""

    request = models.OneToOneField(
        ReversalRequest, models.PROTECT, primary_key=True, related_name="decision"
    )
    decided_by = models.CharField(max_length=120)
    decided_at = models.DateTimeField()
    note = models.CharField(max_length=400, blank=True)
    reversal = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(decided_by=""), name="ledger_undo_decision_named"),
        ]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"reversal {self.request_id} {'refused' if self.reversal_id is None else 'approved'}"


class BooksCheck(AppendOnly):
    """What a check of the books found. `report` is its findings as JSON; `root` that of the newest
    checkpoint then, empty before the first."""

    at = models.DateTimeField()
    faults = models.PositiveIntegerField()
    entries = models.BigIntegerField()
    transfers = models.BigIntegerField()
    seconds = models.FloatField()
    root = models.CharField(max_length=64, blank=True)
    report = models.TextField()

    class Meta:
        default_permissions = ("view",)
        indexes = [models.Index(fields=["at"], name="ledger_check_at")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}: {self.faults} faults"
