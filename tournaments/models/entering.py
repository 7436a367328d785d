"""What stands beside an entry: who is invited, what staff and clock did, what is known of age."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from tournaments.models.core import Entry, Tournament

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class Invitation(models.Model):
    """Somebody who may enter where only invited players may."""

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="invitations", db_index=False
    )
    player: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    actor = models.CharField(max_length=120)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"], name="tournaments_invited_once"
            )
        ]
        ordering = ["tournament", "id"]

    def __str__(self) -> str:
        return f"invitation {self.pk} to tournament {self.tournament_id}"


class WrongCode(models.Model):
    """An entry code that a player gave and that was wrong; kept for as long as it counts."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="wrong_codes", db_index=False
    )
    player: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["tournament", "player", "at"], name="tournaments_wrong_codes")
        ]

    def __str__(self) -> str:
        return f"wrong code for tournament {self.tournament_id}"


class NoteKind(models.TextChoices):
    """What somebody else than the player did to an entry."""

    PROMOTED = "promoted", "moved up from the waitlist"
    PASSED_OVER = "passed_over", "passed over on the waitlist"
    ADDED = "added", "added by staff"
    FORCED = "forced", "added by staff against the rules"
    REMOVED = "removed", "removed by staff"
    APPROVED = "approved", "application approved"
    REFUSED = "refused", "application refused"
    NOT_SEATED = "not_seated", "no seat became free"
    NO_SHOW = "no_show", "not checked in"


class EntryNote(models.Model):
    """A line of an entry's story that the player should hear of: what, by whom, when, why."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="notes", db_index=False)
    attempt = models.PositiveSmallIntegerField()
    """Which joining of the player it belongs to."""
    kind = models.CharField(max_length=12, choices=NoteKind.choices)
    sentence = models.CharField(max_length=500)
    actor = models.CharField(max_length=120)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "attempt", "kind"], name="tournaments_note_once"
            )
        ]
        ordering = ["entry", "id"]

    def __str__(self) -> str:
        return f"{self.kind}: entry {self.entry_id}"


class PlayerFacts(models.Model):
    """What was confirmed of a player once, for every tournament that asks."""

    player: models.OneToOneField[User, User] = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    born_on = models.DateField()
    confirmed_by = models.CharField(max_length=120)
    confirmed_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "player facts"

    def __str__(self) -> str:
        return f"facts about player {self.player_id}"
