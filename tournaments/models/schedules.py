"""Tournaments that come again by a rule."""

from __future__ import annotations

from django.db import models

from tournaments.models.core import Tournament, new_public_id


class Schedule(models.Model):
    """A rule, and the tournament that is copied on each of its dates."""

    public_id = models.CharField(max_length=24, unique=True, default=new_public_id)
    """Also names the series where a later event asks for its winners."""
    name = models.CharField(max_length=100)
    template = models.ForeignKey(Tournament, models.PROTECT, related_name="+")
    rule = models.TextField()
    """Days, hour, time zone and fold as JSON."""
    opens_minutes_before = models.PositiveIntegerField()
    """How long before the start registration opens."""
    ahead_minutes = models.PositiveIntegerField()
    """How long before the start the tournament is made and announced."""
    made_until = models.DateTimeField()
    """The start of the last tournament that was made; nothing before it is made any more."""
    next_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """When the next one is to be made; empty when the rule is over or the schedule is stopped."""
    is_stopped = models.BooleanField(default=False)
    actor = models.CharField(max_length=120)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name
