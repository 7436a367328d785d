"""Limits that a player sets himself, and what counts against them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class Limits(models.Model):
    """One row for a player who ever set a limit; it is locked while he enters something.

    `next_*` is a raise or removal (empty) that takes effect at `next_*_at`, by itself.
    """

    user: models.OneToOneField[User, User] = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    entries = models.PositiveIntegerField(null=True, blank=True)
    next_entries = models.PositiveIntegerField(null=True, blank=True)
    next_entries_at = models.DateTimeField(null=True, blank=True)
    points = models.PositiveBigIntegerField(null=True, blank=True)
    next_points = models.PositiveBigIntegerField(null=True, blank=True)
    next_points_at = models.DateTimeField(null=True, blank=True)
    away_until = models.DateTimeField(null=True, blank=True)
    excluded_until = models.DateTimeField(null=True, blank=True)
    excluded_for_ever = models.BooleanField(default=False)
    day_zone = models.CharField(max_length=64, blank=True)
    """The zone whose day runs on until `day_until`, though the player has chosen another since."""
    day_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"Limits of player {self.user_id}"

    def value(self, name: str, now: datetime) -> int | None:
        """The limit `entries` or `points` that holds now; nothing where there is none."""
        due: datetime | None = getattr(self, f"next_{name}_at")
        found: int | None = getattr(self, f"next_{name}" if due and due <= now else name)
        return found


class Spending(models.Model):
    """An entry, re-entry or re-buy that counts against a player's limits on its day."""

    player: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    about = models.CharField(max_length=60)
    """What it belongs to, e.g. `tournament:17`."""
    at = models.DateTimeField()
    points = models.PositiveBigIntegerField()
    """Smallest units of the asset."""
    asset = models.CharField(max_length=16, default="PLAY")
    is_entry = models.BooleanField()

    class Meta:
        indexes = [models.Index(fields=["player", "at"], name="players_spent")]

    def __str__(self) -> str:
        return f"{self.points} of player {self.player_id} for {self.about}"
