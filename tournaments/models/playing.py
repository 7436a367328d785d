"""The rows of what is played in a tournament: rounds, their tables, and who sits where.

Cards and deals stand in tables; here are references to their matches.
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.core import Entry, Tournament


class Round(models.Model):
    """One round and its two commitments: the draw that seated it, and the lots drawn in it.

    The draw's secret is revealed with the draw, the lots' secret when the round is closed. Rounds
    of a bracket overlap: each closes by itself.
    """

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="rounds", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    draw_commitment = models.CharField(max_length=64)
    draw_secret = models.CharField(max_length=64)
    lot_commitment = models.CharField(max_length=64, blank=True)
    lot_secret = models.CharField(max_length=64, blank=True)
    """Shown to nobody before the round is closed."""
    places = models.PositiveIntegerField(null=True, blank=True)
    """How many go on, 0 from a final."""
    tables_planned = models.PositiveIntegerField(null=True, blank=True)
    """Tables that the round has in all, tie-breaks not counted; a bracket opens them singly."""
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournaments_round_once"),
        ]
        ordering = ["tournament", "number"]

    def __str__(self) -> str:
        return f"round {self.number} of tournament {self.tournament_id}"


class TableKind(models.TextChoices):
    """What a table of a round is for."""

    PLAY = "play", _("play")
    TIE_BREAK = "tie_break", _("tie-break")
    THIRD_PLACE = "third_place", _("match for third place")


class RoundTable(models.Model):
    """A table of a round; in a heads-up bracket its number is the pairing's, from 1."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="tables", db_index=False)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=TableKind.choices, default=TableKind.PLAY)
    match: models.OneToOneField[Any, Any] = models.OneToOneField(
        "tables.Match", models.PROTECT, related_name="+"
    )
    places = models.PositiveSmallIntegerField(null=True, blank=True)
    """How many go on from here; None where the best of all tables go on."""
    decides: models.ForeignKey[RoundTable | None, RoundTable | None] = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="tie_breaks"
    )
    """Of a tie-break: the table whose places are at stake; None for those over all tables."""
    stage = models.PositiveSmallIntegerField(default=0)
    """Of a tie-break: 1 for the first among these players, 2 where that one tied again."""
    is_over = models.BooleanField(default=False)
    reopened = models.PositiveSmallIntegerField(default=0)
    """How often its result was taken back, since its last deal was corrected."""
    split_weights = models.TextField(blank=True)
    """JSON pairs of seat and weight, where the players split the prize pool."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="tournaments_table_once"),
            models.CheckConstraint(
                condition=Q(kind__in=TableKind.values), name="tournaments_table_kind"
            ),
            models.CheckConstraint(
                condition=Q(kind="tie_break", stage__gte=1)
                | (~Q(kind="tie_break") & Q(stage=0, decides__isnull=True)),
                name="tournaments_tie_break",
            ),
        ]
        indexes = [
            models.Index(
                fields=["round"], name="tournaments_open_table", condition=Q(is_over=False)
            )
        ]
        ordering = ["round", "number"]

    def __str__(self) -> str:
        return f"table {self.number} of round {self.round_id}"


class Placing(models.Model):
    """An entry's seat at a table and, once the table is over, what it made of it."""

    table = models.ForeignKey(RoundTable, models.PROTECT, related_name="placings", db_index=False)
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="placings")
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.BigIntegerField(null=True, blank=True)
    """Chips or points, as the format counts."""
    margin = models.BigIntegerField(null=True, blank=True)
    """By how much the table's winner was missed, in a heads-up pairing."""
    goes_on = models.BooleanField(default=False)
    is_tied = models.BooleanField(default=False)
    """Level with others on the place that decides who goes on; a tie-break or lot is to come."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="tournaments_seat_once"),
            models.UniqueConstraint(fields=["table", "entry"], name="tournaments_placing_once"),
            models.CheckConstraint(
                condition=~Q(goes_on=True, is_tied=True), name="tournaments_one_fate"
            ),
        ]
        ordering = ["table", "seat"]

    def __str__(self) -> str:
        return f"seat {self.seat} of table {self.table_id}"
