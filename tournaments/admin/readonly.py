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


class NewestFirst(TournamentsAdmin):
    """Rows in the order in which they were written, the last one first."""

    ordering = ["-id"]


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
    search_fields = ["player__username", "tournament__name", "=tournament__public_id"]
    ordering = ["-tournament_id", "number"]


@admin.register(Round)
class RoundAdmin(NewestFirst):
    """Rounds; the secret of a round's draw is public since the round was drawn.

    The secret of its lots is public once it is closed, and then shown with the draws.
    """

    list_display = ["tournament", "number", "draw_commitment", "opened_at", "closed_at"]
    list_filter = ["number"]
    search_fields = ["tournament__name", "=tournament__public_id"]


@admin.register(RoundTable)
class RoundTableAdmin(NewestFirst):
    """The tables of a round."""

    tournament_path = "round__tournament"
    list_display = ["id", "round", "number", "kind", "match", "is_over"]
    list_filter = ["kind", "is_over"]
    search_fields = ["round__tournament__name", "=round__tournament__public_id"]


@admin.register(Placing)
class PlacingAdmin(NewestFirst):
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
    search_fields = ["entry__player__username", "=entry__tournament__public_id"]


@admin.register(Call)
class CallAdmin(NewestFirst):
    """Who was called to which table, and whether he has seen it."""

    tournament_path = "entry__tournament"
    list_display = ["id", "entry", "table", "at"]
    search_fields = ["entry__player__username", "=entry__tournament__public_id"]


@admin.register(Lot)
class LotAdmin(NewestFirst):
    """Who was divided by lot."""

    tournament_path = "round__tournament"
    list_display = ["id", "round", "label", "among", "drawn", "at"]
    search_fields = ["=round__tournament__public_id", "label"]


@admin.register(LogLine)
class LogLineAdmin(NewestFirst):
    """Changes of state: what, by whom, when, why."""

    list_display = ["tournament", "action", "before", "after", "actor", "reason", "at"]
    list_filter = ["action"]
    search_fields = ["tournament__name", "=tournament__public_id", "actor"]


@admin.register(Decision)
class DecisionAdmin(NewestFirst):
    """What staff decided in the middle, and how things stood around it."""

    list_display = ["tournament", "kind", "entry", "table_name", "actor", "reason", "at"]
    list_filter = ["kind"]
    search_fields = ["tournament__name", "=tournament__public_id", "actor"]


@admin.register(EntryNote)
class EntryNoteAdmin(NewestFirst):
    """What staff and the clock did to an entry."""

    tournament_path = "entry__tournament"
    list_display = ["entry", "kind", "sentence", "actor", "at"]
    list_filter = ["kind"]
    search_fields = ["entry__player__username", "=entry__tournament__public_id", "actor"]


@admin.register(Invitation)
class InvitationAdmin(NewestFirst):
    """Who may enter where only invited players may."""

    list_display = ["tournament", "player", "actor", "at"]
    search_fields = ["player__username", "=tournament__public_id"]


@admin.register(PlayerFacts)
class PlayerFactsAdmin(NewestFirst):
    """Whose age was confirmed, and by whom."""

    list_display = ["player", "confirmed_by", "confirmed_at"]
    search_fields = ["player__username"]


@admin.register(Payment)
class PaymentAdmin(NewestFirst):
    """What is owed to players, and whether it is paid."""

    list_display = ["id", "tournament", "entry", "kind", "amount", "kept", "paid_at", "fault"]
    list_filter = ["kind", ("paid_at", admin.EmptyFieldListFilter)]
    search_fields = ["entry__player__username", "=tournament__public_id"]


@admin.register(Payout)
class PayoutAdmin(NewestFirst):
    """Whose prizes wait for approval, and who approved the others."""

    list_display = ["tournament", "state", "asked_by", "asked_at", "approved_by", "paid_at"]
    list_filter = ["state"]
    search_fields = ["tournament__name", "=tournament__public_id", "asked_by", "approved_by"]


@admin.register(Ticket)
class TicketAdmin(NewestFirst):
    """Entries into other tournaments that were won."""

    tournament_path = "payment__tournament"
    list_display = ["id", "payment", "target", "state", "changed_at"]
    list_filter = ["state"]
    search_fields = ["payment__entry__player__username", "target__name", "=target__public_id"]


@admin.register(Rating)
class RatingAdmin(TournamentsAdmin):
    """How strong players are."""

    is_public = True
    list_display = ["player", "mu", "sigma", "matches"]
    search_fields = ["player__username"]
    ordering = ["-mu", "id"]


@admin.register(RatedMatch)
class RatedMatchAdmin(NewestFirst):
    """Matches that were counted in the ratings, in the order of counting."""

    is_public = True
    list_display = ["id", "match_id", "at"]
    search_fields = ["=match_id"]
