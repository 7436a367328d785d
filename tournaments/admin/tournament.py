"""Tournaments in the admin: the list, and the way to the organisers' pages."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern

from tournaments.access import may_organise, seen_by
from tournaments.admin.addresses import own_pages
from tournaments.admin.base import TournamentsAdmin
from tournaments.admin.pages import organisers_pages
from tournaments.admin.setup import views
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

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """Organisers set up tournaments."""
        return views.may_add(request.user)

    def get_urls(self) -> list[URLPattern]:
        """The organisers' pages before the admin's own."""
        return [*own_pages(), *organisers_pages(), *super().get_urls()]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponseBase:
        """The one form; a service saves it."""
        return views.add(request)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponseBase:
        """The form for who may organise this one; for others the row, to look at."""
        found = self.get_object(request, object_id)
        if isinstance(found, Tournament) and may_organise(request.user, found):
            return views.change(request, found)
        answer: HttpResponseBase = super().change_view(request, object_id, form_url, extra_context)
        return answer
