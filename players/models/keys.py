"""Keys with which a player's programs ask in his name; only their digests are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class Scope(models.TextChoices):
    """What a key lets a program do."""

    READ = "read", _("read what you may read")
    PLAY = "play", _("join, pay, sit down and play in your name")
    ACCOUNT = "account", _("change your settings, limits, inbox and keys")
    STAFF = "staff", _("do what your duties allow")


class Key(models.Model):
    """A key; it holds until it is revoked, expires, or its player's password changes."""

    user: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the key, in hexadecimal digits."""
    scope_list = models.CharField(max_length=60)
    """Scopes with blanks between them."""
    stamp = models.CharField(max_length=128)
    """Of the player's password when the key was made, as his sessions carry it."""
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used = models.DateField(null=True, blank=True)
    by_password = models.BooleanField(default=False)
    """Whether a program got it for name and password."""

    class Meta:
        indexes = [models.Index(fields=["user", "made_at"], name="players_keys")]

    def __str__(self) -> str:
        return f"Key {self.name} of player {self.user_id}"

    @property
    def scopes(self) -> tuple[str, ...]:
        """Its scopes, in the order of `Scope`."""
        return tuple(scope for scope in Scope.values if scope in self.scope_list.split())
