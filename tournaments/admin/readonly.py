"""Rows of tournaments in the admin: everything to look at, nothing to change.

The secret of the next draw is shown to nobody, not even to a superuser; nor can it be guessed at by
asking the list for rows that contain a piece of it.
"""

from __future__ import annotations

from django.contrib import admin

from tournaments.admin.base import TournamentsAdmin
from tournaments.models import (
    Call,
    Decision,
    Entry,
    EntryNote,
    Invitation,
    LogLine,
    Lot,
    Payment,
    Payout,
    Placing,
    PlayerFacts,
    RatedMatch,
    Rating,
    Round,
    RoundTable,
    Ticket,
)


@admin.register(Entry)
class EntryAdmin(TournamentsAdmin):
    """Who wants or wanted to play, and what came of it."""

    list_display = [
        "tournament",
        "number",
        "player",
        "state",
        "seed",
        "rejoins",
        "rank",
        "prize",
        "bot",
        "joined_at",
    ]
    list_filter = ["state", "bot"]
    list_select_related = ["tournament", "player"]
    search_fields = ["player__username", "tournament__name", "=tournament__public_id"]
    ordering = ["-tournament_id", "number"]


@admin.register(Round)
class RoundAdmin(TournamentsAdmin):
    """Rounds; the secret of a round's draw is public since the round was drawn.

    The secret of its lots is public once it is closed, and then shown with the draws.
    """

    list_display = ["tournament", "number", "draw_commitment", "opened_at", "closed_at"]
    list_filter = ["number"]
    list_select_related = ["tournament"]
    search_fields = ["tournament__name", "=tournament__public_id"]
    ordering = ["-id"]


@admin.register(RoundTable)
class RoundTableAdmin(TournamentsAdmin):
    """The tables of a round."""

    tournament_path = "round__tournament"
    list_display = ["id", "round", "number", "kind", "match", "is_over"]
    list_filter = ["kind", "is_over"]
    list_select_related = ["round", "match"]
    search_fields = ["round__tournament__name", "=round__tournament__public_id"]
    ordering = ["-id"]


@admin.register(Placing)
class PlacingAdmin(TournamentsAdmin):
    """Who sat where and what he made of it."""

    tournament_path = "table__round__tournament"
    list_display = [
        "id",
        "table",
        "seat",
        "entry",
        "place",
        "score",
        "margin",
        "goes_on",
        "is_tied",
    ]
    list_filter = ["goes_on", "is_tied", "place"]
    list_select_related = ["table", "entry"]
    search_fields = ["entry__player__username", "=entry__tournament__public_id"]
    ordering = ["-id"]


@admin.register(Call)
class CallAdmin(TournamentsAdmin):
    """Who was called to which table, and whether he has seen it."""

    tournament_path = "entry__tournament"
    list_display = ["id", "entry", "table", "at", "seen_at", "emailed_at"]
    list_select_related = ["entry", "table"]
    search_fields = ["entry__player__username", "=entry__tournament__public_id"]
    ordering = ["-id"]


@admin.register(Lot)
class LotAdmin(TournamentsAdmin):
    """Who was divided by lot."""

    tournament_path = "round__tournament"
    list_display = ["id", "round", "label", "among", "drawn", "at"]
    list_select_related = ["round"]
    search_fields = ["=round__tournament__public_id", "label"]
    ordering = ["-id"]


@admin.register(LogLine)
class LogLineAdmin(TournamentsAdmin):
    """Changes of state: what, by whom, when, why."""

    list_display = ["tournament", "action", "before", "after", "actor", "reason", "at"]
    list_filter = ["action"]
    list_select_related = ["tournament"]
    search_fields = ["tournament__name", "=tournament__public_id", "actor"]
    ordering = ["-id"]


@admin.register(Decision)
class DecisionAdmin(TournamentsAdmin):
    """What staff decided in the middle, and how things stood around it."""

    list_display = ["tournament", "kind", "entry", "table_name", "actor", "reason", "at"]
    list_filter = ["kind"]
    list_select_related = ["tournament", "entry"]
    search_fields = ["tournament__name", "=tournament__public_id", "actor"]
    ordering = ["-id"]


@admin.register(EntryNote)
class EntryNoteAdmin(TournamentsAdmin):
    """What staff and the clock did to an entry."""

    tournament_path = "entry__tournament"
    list_display = ["entry", "kind", "sentence", "actor", "at"]
    list_filter = ["kind"]
    list_select_related = ["entry"]
    search_fields = ["entry__player__username", "=entry__tournament__public_id", "actor"]
    ordering = ["-id"]


@admin.register(Invitation)
class InvitationAdmin(TournamentsAdmin):
    """Who may enter where only invited players may."""

    list_display = ["tournament", "player", "actor", "at"]
    list_select_related = ["tournament", "player"]
    search_fields = ["player__username", "=tournament__public_id"]
    ordering = ["-id"]


@admin.register(PlayerFacts)
class PlayerFactsAdmin(TournamentsAdmin):
    """Whose age was confirmed, and by whom."""

    list_display = ["player", "confirmed_by", "confirmed_at"]
    list_select_related = ["player"]
    search_fields = ["player__username"]
    ordering = ["-id"]


@admin.register(Payment)
class PaymentAdmin(TournamentsAdmin):
    """What is owed to players, and whether it is paid."""

    list_display = ["id", "tournament", "entry", "kind", "amount", "kept", "paid_at", "fault"]
    list_filter = ["kind", ("paid_at", admin.EmptyFieldListFilter)]
    list_select_related = ["tournament", "entry"]
    search_fields = ["entry__player__username", "=tournament__public_id"]
    ordering = ["-id"]


@admin.register(Payout)
class PayoutAdmin(TournamentsAdmin):
    """Whose prizes wait for approval, and who approved the others."""

    list_display = ["tournament", "state", "asked_by", "asked_at", "approved_by", "paid_at"]
    list_filter = ["state"]
    list_select_related = ["tournament"]
    search_fields = ["tournament__name", "=tournament__public_id", "asked_by", "approved_by"]
    ordering = ["-id"]


@admin.register(Ticket)
class TicketAdmin(TournamentsAdmin):
    """Entries into other tournaments that were won."""

    tournament_path = "payment__tournament"
    list_display = ["id", "payment", "target", "state", "changed_at"]
    list_filter = ["state"]
    list_select_related = ["payment", "target"]
    search_fields = ["payment__entry__player__username", "target__name", "=target__public_id"]
    ordering = ["-id"]


@admin.register(Rating)
class RatingAdmin(TournamentsAdmin):
    """How strong players are."""

    is_public = True
    list_display = ["player", "mu", "sigma", "matches"]
    list_select_related = ["player"]
    search_fields = ["player__username"]
    ordering = ["-mu", "id"]


@admin.register(RatedMatch)
class RatedMatchAdmin(TournamentsAdmin):
    """Matches that were counted in the ratings, in the order of counting."""

    is_public = True
    list_display = ["id", "match_id", "at"]
    search_fields = ["=match_id"]
    ordering = ["-id"]
