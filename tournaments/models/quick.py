"""Quick tables: one-table tournaments that players make by themselves, and kinds of them."""

from __future__ import annotations

from django.db import models

from tournaments.models.core import Tournament


class QuickKind(models.Model):
    """A kind of quick table; its row is locked while somebody looks for a seat at one."""

    name = models.CharField(max_length=40, unique=True)

    def __str__(self) -> str:
        return self.name


class QuickTable(models.Model):
    """Marks a tournament as a quick table, of a kind."""

    tournament = models.OneToOneField(Tournament, models.PROTECT, related_name="quick")
    kind = models.ForeignKey(QuickKind, models.PROTECT, related_name="tables")
    with_bots = models.BooleanField(default=False)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"quick table {self.tournament_id}"
