"""What staff decided in a running tournament: who, when, why, and how things stood around it.

Rows are only ever added: the model refuses anything else, and the database (`decision_guards`).
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q

from staff.append_only import AppendOnly
from tournaments.models.core import Entry, Tournament


class DecisionKind(models.TextChoices):
    """What was decided."""

    EXTENDED = "extended", "more time given"
    WITHDRAWN = "withdrawn", "withdrawn"
    DISQUALIFIED = "disqualified", "disqualified"
    SUBSTITUTED = "substituted", "player substituted"
    OVERRIDDEN = "overridden", "result overridden"
    REDONE = "redone", "table played again"
    MOVED = "moved", "player moved to another table"


class Decision(AppendOnly):
    """One decision. `before` and `after` are JSON in the words of who wrote them."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=12, choices=DecisionKind.choices)
    entry = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="decisions"
    )
    """Whom it is about, where it is about one."""
    table_name = models.CharField(max_length=60, blank=True)
    """Such as `round 2, table 3`; a table that was discarded has no row any more."""
    actor = models.CharField(max_length=120)
    reason = models.CharField(max_length=500)
    before: models.JSONField[Any, Any] = models.JSONField(default=dict)
    after: models.JSONField[Any, Any] = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=DecisionKind.values), name="tournaments_decision_kind"
            )
        ]
        ordering = ["tournament", "id"]

    def __str__(self) -> str:
        return f"{self.kind} by {self.actor}"
