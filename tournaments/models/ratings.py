"""How strong players are, as their finished matches tell, and which matches were counted."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q


class Rating(models.Model):
    """A player's strength: the mean `mu` and the uncertainty `sigma` of a normal distribution."""

    player: models.OneToOneField[User, User] = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(sigma__gt=0), name="tournaments_rating_sigma")
        ]
        ordering = ["player"]

    def __str__(self) -> str:
        return f"rating of player {self.player_id}"


class RatedMatch(models.Model):
    """A match that was counted, in the order of counting; each once."""

    match_id = models.BigIntegerField(unique=True)
    at = models.DateTimeField()
    """When the match was over."""

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"match {self.match_id}"
