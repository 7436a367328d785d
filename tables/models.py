"""The rows behind a table: its matches, their deals, and the two logs that are the truth.

`MatchEntry` and `DealEvent` are only ever added. The other columns of `Match` and `Deal` repeat
what the logs say, so that a list or an alarm needs no replay. Rows are written by `tables.store`
and `tables.services`; nothing here decides.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from staff.append_only import AppendOnly
from tables.rules.profiles import MAX_SEATS
from tables.rules.state import Phase

PUBLIC_ID_BYTES = 9


def new_public_id() -> str:
    """An unguessable name for use in addresses, twelve characters long."""
    return secrets.token_urlsafe(PUBLIC_ID_BYTES)


class Table(models.Model):
    """A place to play, of somebody who is not known here."""

    public_id = models.CharField(max_length=24, unique=True, default=new_public_id)
    owner = models.CharField(max_length=64, db_index=True)
    """Opaque, e.g. `tournament:7`."""
    label = models.CharField(max_length=120)
    """Names the table in every shuffle, e.g. `autumn-cup/round-1/table-3`."""
    number = models.PositiveIntegerField()
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.owner} table {self.number}"


class MatchStatus(models.TextChoices):
    """What a match waits for."""

    DEALING = "dealing", _("the next deal is to be dealt")
    PLAYING = "playing", _("a deal is played")
    ASKING = "asking", _("answers to a rejoin or split are awaited")
    OVER = "over", _("over")
    VOID = "void", _("called off")


class Match(models.Model):
    """One table's game in one format. Locked before its deals."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="matches", db_index=False)
    number = models.PositiveSmallIntegerField(default=1)
    in_person = models.BooleanField(default=False)
    """Played with cards on a real table; a scorer enters its deals, and no clock runs."""
    hints = models.BooleanField(default=False)
    """Its players may ask for the best groups of their own hands."""
    format_name = models.CharField(max_length=24)
    profile_name = models.CharField(max_length=32)
    opening = models.TextField()
    """Format, profile, clock and seats as JSON; with the entries it makes the match again."""
    status = models.CharField(max_length=12, choices=MatchStatus.choices)
    version = models.PositiveIntegerField(default=0)
    """Number of entries."""
    deals_dealt = models.PositiveIntegerField(default=0)
    next_commitment = models.CharField(max_length=64, blank=True)
    """The SHA-256 of the secret that the next deal will be shuffled with."""
    next_secret = models.CharField(max_length=64, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    """When the next deal is to be dealt, or the time to answer is up."""
    paused_at = models.DateTimeField(null=True, blank=True)
    """Since when its clocks stand still; its times are as they were then."""
    opened_at = models.DateTimeField()
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="tables_match_once"),
            models.CheckConstraint(
                condition=models.Q(status__in=MatchStatus.values), name="tables_match_status"
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(status__in=("over", "void"), over_at__isnull=False)
                    | (~models.Q(status__in=("over", "void")) & models.Q(over_at__isnull=True))
                ),
                name="tables_match_over",
            ),
            models.CheckConstraint(
                condition=models.Q(in_person=False) | models.Q(due_at__isnull=True),
                name="tables_match_no_clock",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                name="tables_match_runs",
                condition=models.Q(due_at__isnull=False, paused_at__isnull=True),
            )
        ]
        permissions = [("enter_deals", "Can enter deals on score sheets")]

    def __str__(self) -> str:
        return f"{self.format_name} match {self.pk}"


class Seat(models.Model):
    """A player's place in a match."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    bot = models.CharField(max_length=16, blank=True)
    """The strength of the bot that plays this seat, empty for a person."""
    online = models.BooleanField(default=True)
    auto_drop = models.BooleanField(default=False)
    left = models.BooleanField(default=False)
    """Left the table for good."""
    muted = models.BooleanField(default=False)
    """May not chat, by an arbiter's word."""
    nonce = models.CharField(max_length=64, blank=True)
    """The player's own part in the next deal's shuffle."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="tables_seat_once"),
            models.UniqueConstraint(fields=["match", "player"], name="tables_player_once"),
            models.CheckConstraint(
                condition=models.Q(number__lt=MAX_SEATS), name="tables_seat_number"
            ),
        ]
        ordering = ["match", "number"]

    def __str__(self) -> str:
        return f"seat {self.number} of match {self.match_id}"


class MatchEntry(AppendOnly):
    """One entry of a match's log."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="entries", db_index=False)
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=24)
    payload = models.TextField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="tables_match_entry_once")
        ]
        ordering = ["match", "seq"]
        verbose_name_plural = "match entries"

    def __str__(self) -> str:
        return f"match {self.match_id} #{self.seq} {self.kind}"


class SheetLine(AppendOnly):
    """What a scorer entered: the entry of the match's log with this number, by whom and why.

    The secret decides lots that follow the entry; its commitment stood before the entry was made.
    """

    match = models.ForeignKey(Match, models.PROTECT, related_name="sheet_lines", db_index=False)
    seq = models.PositiveIntegerField()
    actor = models.CharField(max_length=120)
    reason = models.CharField(max_length=500, blank=True)
    written = models.TextField(blank=True)
    """The rows of a deal as they were written, cards included, as JSON."""
    commitment = models.CharField(max_length=64)
    secret = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="tables_sheet_line_once")
        ]
        ordering = ["match", "seq"]

    def __str__(self) -> str:
        return f"match {self.match_id} #{self.seq} by {self.actor}"


class Deal(models.Model):
    """One deal. Its columns repeat the log as far as lists and alarms need it."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="deals", db_index=False)
    public_id = models.CharField(max_length=24, unique=True, default=new_public_id)
    number = models.PositiveIntegerField()
    tie_break = models.BooleanField(default=False)
    label = models.CharField(max_length=140)
    """Names the deal in its shuffle."""
    commitment = models.CharField(max_length=64)
    version = models.PositiveIntegerField()
    """Number of events."""
    phase = models.CharField(max_length=8, choices=[(p.value, p.value) for p in Phase])
    deadline_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    """As its match's, so that a move need not look there."""
    result = models.TextField(blank=True)
    opened_at = models.DateTimeField()
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="tables_deal_once"),
            models.UniqueConstraint(
                fields=["match"],
                name="tables_one_live_deal",
                condition=models.Q(over_at__isnull=True),
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(phase="over", over_at__isnull=False)
                    | (~models.Q(phase="over") & models.Q(over_at__isnull=True))
                ),
                name="tables_deal_over",
            ),
        ]
        indexes = [
            models.Index(
                fields=["deadline_at"],
                name="tables_deal_runs",
                condition=models.Q(deadline_at__isnull=False, paused_at__isnull=True),
            )
        ]
        ordering = ["match", "number"]

    def __str__(self) -> str:
        return f"deal {self.number} of match {self.match_id}"


class DealEvent(AppendOnly):
    """One event of a deal's log, with the command that brought it about.

    `command_id` stands on the first event of a command only; the command's other events follow up
    to the next event that has one.
    """

    deal = models.ForeignKey(Deal, models.PROTECT, related_name="events", db_index=False)
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=24)
    payload = models.TextField()
    schema = models.PositiveSmallIntegerField()
    command_id = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 - unique
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deal", "seq"], name="tables_deal_event_once"),
            models.UniqueConstraint(
                fields=["deal", "command_id"],
                name="tables_deal_command_once",
                condition=models.Q(command_id__isnull=False),
            ),
        ]
        ordering = ["deal", "seq"]

    def __str__(self) -> str:
        return f"deal {self.deal_id} #{self.seq} {self.kind}"


class ChatLine(AppendOnly):
    """Something said at a table; kept with the match."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="chat", db_index=False)
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["match", "-id"], name="tables_chat_newest")]
        ordering = ["match", "id"]

    def __str__(self) -> str:
        return f"seat {self.seat} of match {self.match_id}"


class Connection(models.Model):
    """An open socket of a seat. A process that dies leaves rows that are seen no more."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="connections")
    channel = models.CharField(max_length=120, unique=True)
    seen_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["seen_at"], name="tables_connection_seen")]

    def __str__(self) -> str:
        return f"a socket of {self.seat}"


class ClockBeat(models.Model):
    """The site's heartbeat, one row: until when it was known to run."""

    at = models.DateTimeField()
    """Until when deadlines were acted on."""
    web_at = models.DateTimeField(null=True, blank=True)
    """Until when a web process served; empty where none has ever said so."""
    standstill = models.JSONField(default=dict, blank=True)
    """What is still to be moved on since the site stood still (see `services.standstill`)."""

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(pk=1), name="tables_one_clock_beat")
        ]

    def __str__(self) -> str:
        return f"clock at {self.at.isoformat()}"
