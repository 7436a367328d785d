"""Tournaments that come again, in the admin."""

from __future__ import annotations

from django.contrib import admin

from tournaments.admin.base import TournamentsAdmin
from tournaments.models import Schedule


@admin.register(Schedule)
class ScheduleAdmin(TournamentsAdmin):
    """Tournaments that come again."""

    tournament_path = "template"
    list_display = ["name", "template", "next_at", "is_stopped", "actor"]
    list_filter = ["is_stopped"]
    list_select_related = ["template"]
    search_fields = ["name", "=public_id"]
    ordering = ["-id"]
