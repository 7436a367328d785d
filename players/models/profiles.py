"""What a player prefers, and what he confirmed about himself; made when it is first changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Lead(models.IntegerChoices):
    """Minutes before a start at which a player is reminded."""

    OFF = 0, _("no reminder")
    MINUTES = 10, _("10 minutes before")
    HOUR = 60, _("1 hour before")
    DAY = 1440, _("1 day before")


class Profile(models.Model):
    """One row a player; who has none gets what stands here."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    zone = models.CharField(max_length=64, default="UTC")
    language = models.CharField(max_length=8, blank=True)
    """Empty: as the browser asks."""
    lead_minutes = models.PositiveSmallIntegerField(choices=Lead.choices, default=Lead.MINUTES)
    mail_calls = models.BooleanField(default=False)
    """An e-mail, too, when a table of his opens."""
    sounds = models.BooleanField(default=True)
    four_colours = models.BooleanField(default=False)
    of_age_since = models.DateField(null=True, blank=True)
    """The day on which he confirmed that he is 18 or older."""

    class Meta:
        permissions = [("look_up", "Can look up a player")]

    def __str__(self) -> str:
        return f"Profile of player {self.user_id}"
