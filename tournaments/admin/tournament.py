"""Tournaments in the admin: the list, and the way to the organisers' pages."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from tournaments.access import seen_by
from tournaments.admin.base import TournamentsAdmin
from tournaments.models import Tournament


@admin.register(Tournament)
class TournamentAdmin(TournamentsAdmin):
    """One event."""

    list_display = [
        "name",
        "state",
        "shape",
        "asset",
        "entry_fee",
        "house_fee",
        "capacity",
        "created_at",
        "over_at",
    ]
    list_filter = ["state", "shape", "asset"]
    search_fields = ["name", "=public_id", "=draw_label"]
    ordering = ["-created_at", "-id"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Those this user may see."""
        return Tournament.objects.filter(seen_by(request.user)).order_by(*self.ordering)
