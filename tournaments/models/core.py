"""The rows of a tournament itself: what it is, who entered, what became of them, its log.

Written by `tournaments.services` only. Money stands in the ledger, cards and deals in tables; here
are references to both. What a tournament is played under is stored with it as JSON (see `terms`).
"""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entrance import Entrance
from tournaments.structure.due import StartKind
from tournaments.structure.lifecycle import Action, State

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MAX_CAPACITY = 100_000


def new_public_id() -> str:
    """An unguessable name for use in addresses, twelve characters long."""
    return secrets.token_urlsafe(9)


def kinds_in(terms: str) -> tuple[str, str]:
    """Format and kind of stake as stored terms name them; empty where they cannot be read."""
    try:
        read = json.loads(terms)
        return str(read["format"].get("name", read["format"]["kind"])), read.get(
            "stake", "practice"
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return "", ""


def _choices(words: type[State] | type[Action]) -> list[tuple[str, str]]:
    return [(word.value, word.value.replace("_", " ")) for word in words]


class Shape(models.TextChoices):
    """How a field is brought down to a winner."""

    HEADS_UP = "heads_up", _("heads-up bracket")
    KNOCKOUT = "knockout", _("multi-table knock-out")
    SINGLE = "single", _("single table")
    LEVELS = "levels", _("timed levels")


class Tournament(Entrance):
    """One event. Locked before everything that belongs to it."""

    public_id = models.CharField(max_length=24, unique=True, default=new_public_id)
    name = models.CharField(max_length=120)
    draw_label = models.CharField(
        max_length=60, validators=[RegexValidator(r"^[\w:.-]+$")], default=new_public_id
    )
    """Names the tournament in its draws and shuffles; a repeated simulation repeats it."""
    shape = models.CharField(max_length=12, choices=Shape.choices)
    in_person = models.BooleanField(default=False)
    """Played with cards on real tables; scorers enter the deals."""
    terms = models.TextField()
    """Format, profile, clock, stake and prizes as JSON."""
    state = models.CharField(max_length=12, choices=_choices(State), default=State.DRAFT)
    asset = models.CharField(max_length=32)
    entry_fee = models.BigIntegerField()
    """In the asset's smallest unit, the organiser's part included."""
    house_fee = models.BigIntegerField()
    """The organiser's part of each entry fee."""
    capacity = models.PositiveIntegerField()
    min_entries = models.PositiveIntegerField(default=2)
    numbers_given = models.PositiveIntegerField(default=0)
    """The last number given to an entry."""
    next_commitment = models.CharField(max_length=64, blank=True)
    """The SHA-256 of the secret that the next draw will be made with."""
    next_secret = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    over_at = models.DateTimeField(null=True, blank=True)
    is_due = models.BooleanField(default=False)
    """A table has been finished, and nobody has looked yet at what may open or close by that."""
    changes = models.BigIntegerField(default=0)
    """Grows whenever the row is locked; what was read under one number is good while it stands."""
    format_name = models.CharField(max_length=40, blank=True, editable=False)
    """Out of the terms, for lists that are filtered; empty where they cannot be read."""
    stake = models.CharField(max_length=12, blank=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(entry_fee__gte=0, house_fee__gte=0, house_fee__lte=F("entry_fee")),
                name="tournaments_fees",
            ),
            models.CheckConstraint(
                condition=Q(
                    capacity__gte=2,
                    capacity__lte=MAX_CAPACITY,
                    min_entries__gte=2,
                    min_entries__lte=F("capacity"),
                ),
                name="tournaments_capacity",
            ),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in State]), name="tournaments_state"
            ),
            models.CheckConstraint(
                condition=Q(start_kind__in=[kind.value for kind in StartKind]),
                name="tournaments_start_kind",
            ),
            models.UniqueConstraint(
                fields=["schedule", "occurrence"], name="tournaments_occurrence_once"
            ),
            models.CheckConstraint(condition=Q(shape__in=Shape.values), name="tournaments_shape"),
        ]
        ordering = ["-created_at", "-id"]
        permissions = [
            ("run_tournament", "Can set up, run and settle own tournaments"),
            ("run_every_tournament", "Can do at every tournament what else is for own ones"),
            ("arbitrate", "Can override results at own tournaments"),
            ("mute", "Can mute players at the tables of own tournaments"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **options: Any) -> None:
        """Save; what lists are filtered by is taken out of the terms. Raises as `Entrance`."""
        fields = options.get("update_fields")
        if fields is None or "terms" in fields:
            self.format_name, self.stake = kinds_in(self.terms)
            if fields is not None:
                options["update_fields"] = {*fields, "format_name", "stake"}
        super().save(*args, **options)


class EntryState(models.TextChoices):
    """What became of somebody's wish to play."""

    APPLIED = "applied", _("waiting for the organiser's approval")
    REFUSED = "refused", _("refused by the organiser")
    WAITING = "waiting", _("on the waitlist")
    ENTERED = "entered", _("entered")
    WITHDRAWN = "withdrawn", _("withdrawn")
    NOT_SEATED = "not_seated", _("no seat became free")
    NO_SHOW = "no_show", _("not checked in")
    PLAYING = "playing", _("playing")
    OUT = "out", _("knocked out")
    RANKED = "ranked", _("ranked")
    REFUNDED = "refunded", _("given back the fee")


HOLDS_A_SEAT = (
    EntryState.ENTERED,
    EntryState.PLAYING,
    EntryState.OUT,
    EntryState.RANKED,
    EntryState.REFUNDED,
)


class Left(models.TextChoices):
    """Why somebody does not play on after the start, though he was not beaten."""

    WITHDRAWN = "withdrawn", "withdrawn"
    DISQUALIFIED = "disqualified", "disqualified"


class Entry(models.Model):
    """One player in one tournament; joining again after a withdrawal takes the same row."""

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="entries", db_index=False
    )
    player: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    number = models.PositiveIntegerField()
    """In the order of joining, from 1; anew with each joining."""
    state = models.CharField(max_length=12, choices=EntryState.choices)
    attempt = models.PositiveSmallIntegerField(default=1)
    """How often the player has joined; part of the ledger's keys."""
    joined_at = models.DateTimeField()
    bot = models.CharField(max_length=16, blank=True)
    """The strength of the bot that plays for this entry, empty for a person."""
    seed = models.PositiveIntegerField(null=True, blank=True)
    seed_rating = models.FloatField(null=True, blank=True)
    """The rating that the draw of round 1 went by, where it was seeded by rating."""
    rejoins = models.PositiveSmallIntegerField(default=0)
    reentries = models.PositiveSmallIntegerField(default=0)
    """How often the player paid again to come back after he was out."""
    checked_in_at = models.DateTimeField(null=True, blank=True)
    left = models.CharField(max_length=12, choices=Left.choices, blank=True)
    """Empty for who has not left in the middle; he ranks behind all who went out in his round."""
    left_reason = models.CharField(max_length=500, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True)
    reason = models.TextField(blank=True)
    """What decided the rank, in words."""
    prize = models.BigIntegerField(default=0)
    prize_reason = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"], name="tournaments_player_once"
            ),
            models.UniqueConstraint(
                fields=["tournament", "number"], name="tournaments_number_once"
            ),
            models.CheckConstraint(condition=Q(prize__gte=0), name="tournaments_prize"),
            models.CheckConstraint(
                condition=Q(state__in=EntryState.values), name="tournaments_entry_state"
            ),
            models.CheckConstraint(
                condition=(Q(state="ranked") & Q(rank__isnull=False))
                | (~Q(state="ranked") & Q(rank__isnull=True)),
                name="tournaments_ranked",
            ),
        ]
        indexes = [
            models.Index(fields=["tournament", "state", "number"], name="tournaments_queue"),
            models.Index(
                fields=["tournament", "state", "joined_at", "id"], name="tournaments_waitlist"
            ),
        ]
        ordering = ["tournament", "number"]
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return f"entry {self.number} of tournament {self.tournament_id}"


class LogLine(models.Model):
    """A change of a tournament's state: what, by whom, when, why."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="log")
    action = models.CharField(max_length=24, choices=[*_choices(Action), ("edit", "edit")])
    before = models.CharField(max_length=12)
    after = models.CharField(max_length=12)
    actor = models.CharField(max_length=120)
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["tournament", "id"]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor}"
