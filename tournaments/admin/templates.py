"""Templates in the admin: the list, and the way to their pages."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from tournaments.access import SEES_ALL, templates_of
from tournaments.admin.base import TournamentsAdmin
from tournaments.admin.template_pages import template
from tournaments.models import Template


@admin.register(Template)
class TemplateAdmin(TournamentsAdmin):
    """Set-ups that are kept under a name."""

    list_display = ("name", "whose", "created_at")
    search_fields = ("name", "=public_id")
    ordering = ("name", "id")
    list_before_template = "admin/tournaments/templates_hint.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """One's own and the site's; all, for who may read what all of the staff did."""
        user: Any = request.user
        seen = Q() if user.has_perm(SEES_ALL) else templates_of(user)
        return Template.objects.filter(seen).select_related("owner").order_by(*self.ordering)

    @display(description=gettext_lazy("For"))
    def whose(self, kept: Template) -> str:
        """Whom it is for."""
        return _("all organisers") if kept.owner is None else kept.owner.get_username()

    def get_urls(self) -> list[URLPattern]:
        """The page of one before the admin's own."""
        return [path("<int:pk>/", template, name="tournaments_template"), *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponseBase:
        """Its own page, for who may start from it; for others the row, to look at."""
        own = Template.objects.filter(templates_of(request.user))
        if request.method == "GET" and object_id.isdecimal() and own.filter(pk=object_id).exists():
            return redirect("admin:tournaments_template", object_id)
        answer: HttpResponseBase = super().change_view(request, object_id, form_url, extra_context)
        return answer
