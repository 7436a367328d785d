"""Who of the staff runs which tournament, and who keeps its score sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.core import Tournament

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class StaffRole(models.TextChoices):
    """What somebody does for one tournament."""

    ORGANISER = "organiser", "organiser"
    ARBITER = "arbiter", "arbiter"


class TournamentStaff(models.Model):
    """A user's duty in one tournament; what he may do in it, his permissions say (`access`)."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="staff", db_index=False)
    user: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+"
    )
    role = models.CharField(max_length=12, choices=StaffRole.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "user", "role"], name="tournaments_duty_once"
            ),
            models.CheckConstraint(
                condition=Q(role__in=StaffRole.values), name="tournaments_duty_role"
            ),
        ]
        ordering = ["tournament", "role", "id"]
        verbose_name = "duty"
        verbose_name_plural = "duties"

    def __str__(self) -> str:
        return f"user {self.user_id}: {self.role} of tournament {self.tournament_id}"
