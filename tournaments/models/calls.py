"""Calls to the table, and lots: what a round leaves behind beside its tables."""

from __future__ import annotations

from django.db import models

from tournaments.models.core import Entry
from tournaments.models.playing import Round, RoundTable


class Call(models.Model):
    """A player was told that his table is open."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="calls", db_index=False)
    table = models.ForeignKey(RoundTable, models.PROTECT, related_name="calls")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "table"], name="tournaments_call_once")
        ]
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"call of entry {self.entry_id} to table {self.table_id}"


class Lot(models.Model):
    """Players whose tie-breaks tied to the end were divided by lot; the round's secret shows it."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="lots", db_index=False)
    decides = models.ForeignKey(
        RoundTable, models.PROTECT, null=True, blank=True, related_name="lots"
    )
    """The table whose places were at stake; None for those over all tables."""
    label = models.CharField(max_length=120)
    among: models.JSONField[list[int], list[int]] = models.JSONField()
    """Numbers of the entries, ascending."""
    drawn: models.JSONField[list[int], list[int]] = models.JSONField()
    """Numbers of those who go on, in the order drawn."""
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "label"], name="tournaments_lot_once")
        ]
        ordering = ["round", "id"]

    def __str__(self) -> str:
        return f"lot {self.label}"
