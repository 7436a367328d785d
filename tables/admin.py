"""Tables in the admin: everything to look at, nothing to change.

The cards of a deal that is still being played, and the secret of a deal to come, are shown to
nobody, not even to a superuser; nor can they be guessed at by asking a list for rows that contain
them.
"""

from __future__ import annotations

from typing import Any, Final

from django.apps import apps
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import pgettext_lazy

from staff.admin_base import ReadOnlyAdmin
from tables.models import Deal, DealEvent, Match, MatchEntry, Seat, Table

HIDDEN: Final = "(shown when the deal is over)"
SECRET: Final = ("secret", "payload")
"""What the name of a field contains that is not to be shown or asked for."""


class TablesAdmin(ReadOnlyAdmin):
    """Shows no card that is in play and no secret that still is one."""

    secret_words = SECRET


@admin.register(Table)
class TableAdmin(TablesAdmin):
    """Where matches are played."""

    list_display = ["public_id", "owner", "number", "label", "created_at"]
    search_fields = ["public_id", "=owner", "label"]
    ordering = ["-id"]


@admin.register(Match)
class MatchAdmin(TablesAdmin):
    """A table's game in one format."""

    list_display = [
        "id",
        "table",
        "format_name",
        "profile_name",
        "status",
        "deals_dealt",
        "opened_at",
        "over_at",
    ]
    list_filter = ["status", "format_name", "profile_name"]
    list_select_related = ["table"]
    search_fields = ["table__public_id", "=table__owner"]
    ordering = ["-id"]


@admin.register(Seat)
class SeatAdmin(TablesAdmin):
    """Who sits where."""

    list_display = ["id", "match", "number", "player", "bot", "online", "auto_drop", "left"]
    list_filter = ["bot", "online", "left"]
    list_select_related = ["match", "player"]
    search_fields = ["player__username", "match__table__public_id"]
    ordering = ["-id"]


@admin.register(MatchEntry)
class MatchEntryAdmin(TablesAdmin):
    """The log of a match."""

    list_display = ["match", "seq", "kind", "at"]
    list_filter = ["kind"]
    list_select_related = ["match"]
    search_fields = ["match__table__public_id"]
    ordering = ["-id"]
    fields = ["match", "seq", "kind", "payload", "at"]

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Nothing: what happens between deals is seen by the whole table."""
        return []


@admin.register(Deal)
class DealAdmin(TablesAdmin):
    """Deals as their rows tell; the cards are in the log."""

    list_display = ["public_id", "match", "number", "phase", "version", "opened_at", "over_at"]
    list_filter = ["phase", "tie_break"]
    list_select_related = ["match"]
    search_fields = ["public_id", "label", "match__table__public_id"]
    ordering = ["-id"]


@admin.register(DealEvent)
class DealEventAdmin(TablesAdmin):
    """The log of a deal; what an event says is shown once the deal is over."""

    list_display = ["deal", "seq", "kind", "at"]
    list_filter = ["kind"]
    list_select_related = ["deal"]
    search_fields = ["=deal__public_id"]
    ordering = ["-id"]
    fields = ["deal", "seq", "kind", "at", "schema", "command_id", "what"]
    readonly_fields = ["what"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[DealEvent]:
        """Without the payloads, which lists do not need."""
        events: QuerySet[DealEvent] = super().get_queryset(request)
        return events.defer("payload")

    @admin.display(description=pgettext_lazy("field", "content"))
    def what(self, event: DealEvent) -> str:
        """The event as it is stored, or a notice."""
        return HIDDEN if event.deal.over_at is None else event.payload


# Whatever else the app keeps, in the plain way.
for model in apps.get_app_config("tables").get_models():
    if not admin.site.is_registered(model):
        admin.site.register(model, TablesAdmin)
