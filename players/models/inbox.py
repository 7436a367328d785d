"""What players are told: one row a thing, read in the inbox and, where wanted, sent by e-mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class NoticeKind(models.TextChoices):
    """What it is about."""

    REGISTERED = "registered", "registered"
    WAITLISTED = "waitlisted", "on the waitlist"
    PROMOTED = "promoted", "moved up from the waitlist"
    REMINDER = "reminder", "reminder"
    CALLED = "called", "called to the table"
    RESULT = "result", "result"
    PRIZE = "prize", "prize"
    REFUND = "refund", "refund"
    CANCELLED = "cancelled", "called off"
    TOLD = "told", "told by the organiser"


class Notice(models.Model):
    """A thing that a player is told once; `key` names the thing among all of his."""

    player: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=12, choices=NoticeKind.choices)
    key = models.CharField(max_length=120)
    about = models.CharField(max_length=60, blank=True)
    """What it belongs to, e.g. `tournament:17`."""
    facts: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    """What its sentence is made of, in whatever language it is read."""
    link = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    is_waiting = models.BooleanField(default=False)
    """Of a call: the table waits still, or is being played."""
    taken_back_at = models.DateTimeField(null=True, blank=True)
    """It does not apply any more; it is neither shown nor sent."""
    mail_at = models.DateTimeField(null=True, blank=True)
    """When the e-mail is to be tried next; empty when it is sent, given up or not wanted."""
    mail_until = models.DateTimeField(null=True, blank=True)
    """After this it would be of no use."""
    mail_tries = models.PositiveSmallIntegerField(default=0)
    mailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key", "player"], name="players_notice_once"),
            models.CheckConstraint(
                condition=Q(kind__in=NoticeKind.values), name="players_notice_kind"
            ),
        ]
        indexes = [
            models.Index(fields=["player", "-id"], name="players_inbox"),
            models.Index(
                fields=["player"],
                name="players_news",
                condition=Q(taken_back_at__isnull=True)
                & (Q(read_at__isnull=True) | Q(is_waiting=True)),
            ),
            models.Index(
                fields=["mail_at"], name="players_mail", condition=Q(mail_at__isnull=False)
            ),
            models.Index(fields=["player", "about"], name="players_about"),
        ]
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.kind} for player {self.player_id}"
