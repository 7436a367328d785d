"""Tournaments in the admin: the list, and the way to the organisers' pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from tournaments import selectors
from tournaments.access import may_arbitrate, may_organise, seen_by
from tournaments.admin.addresses import own_pages
from tournaments.admin.base import TournamentsAdmin
from tournaments.admin.pages import organisers_pages
from tournaments.admin.setup import views
from tournaments.admin.steps import many
from tournaments.amounts import in_unit
from tournaments.models import HOLDS_A_SEAT, Tournament
from wording import part


class StateFilter(admin.ChoicesFieldListFilter):
    """By state, whose words are kept in English."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        """The states in the reader's words."""
        for choice in super().choices(changelist):
            yield {**choice, "display": part(str(choice["display"]))}


@admin.register(Tournament)
class TournamentAdmin(TournamentsAdmin):
    """One event."""

    list_display = ["name", "where_it_stands", "shape", "taken", "fee", "starts_at", "created_at"]
    list_filter: ClassVar[Any] = [("state", StateFilter), "shape", "in_person", "asset"]
    search_fields = ["name", "=public_id", "=draw_label"]
    ordering = ["-created_at", "-id"]
    actions = many.actions()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Those this user may see, with the number of seats taken."""
        rows = Tournament.objects.filter(seen_by(request.user))
        seated = Q(entries__state__in=HOLDS_A_SEAT)
        counted = rows.annotate(seated=Count("entries", filter=seated))
        return counted.order_by(*self.ordering)

    def get_actions(self, request: HttpRequest) -> Any:
        """What can be done to many, for who leads tournaments."""
        return super().get_actions(request) if many.may(request) else {}

    @display(description=_("State"), ordering="state")
    def where_it_stands(self, tournament: Tournament) -> str:
        """In words."""
        return selectors.state_words(tournament)

    @display(description=_("Seats taken"))
    def taken(self, tournament: Any) -> str:
        """Of how many."""
        return f"{tournament.seated} / {tournament.capacity}"

    @display(description=_("Entry fee"), ordering="entry_fee")
    def fee(self, tournament: Tournament) -> str:
        """With its unit."""
        return in_unit(tournament.entry_fee, tournament.asset)

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
        """The form for who may organise this one, its control room for who arbitrates in it.

        For others the row, to look at; so also before it is played.
        """
        found = self.get_object(request, object_id)
        if isinstance(found, Tournament):
            if may_organise(request.user, found):
                return views.change(request, found)
            if found.started_at and may_arbitrate(request.user, found):
                return redirect("admin:tournaments_control", found.pk)
        answer: HttpResponseBase = super().change_view(request, object_id, form_url, extra_context)
        return answer
