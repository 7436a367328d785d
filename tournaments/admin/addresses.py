"""The addresses of the organisers' pages, below that of the list of tournaments."""

from __future__ import annotations

from django.urls import URLPattern, path

from staff.desk import desk_page
from tournaments.access import RUN
from tournaments.admin.base import organisers_page, staff_page
from tournaments.admin.control import views as control
from tournaments.admin.setup import views as setup


def own_pages() -> list[URLPattern]:
    """Each with its name, `tournaments_…`."""
    return [
        path("new/preview/", desk_page(RUN)(setup.preview), name="tournaments_new_preview"),
        path("new/redraw/", desk_page(RUN)(setup.redraw), name="tournaments_new_redraw"),
        path("<int:pk>/preview/", organisers_page(setup.preview), name="tournaments_preview"),
        path("<int:pk>/redraw/", organisers_page(setup.redraw), name="tournaments_redraw"),
        path("<int:pk>/control/", staff_page(control.room), name="tournaments_control"),
        path("<int:pk>/control/floor/", staff_page(control.part), name="tournaments_control_part"),
        path(
            "<int:pk>/control/chat/<int:table>/",
            staff_page(control.chat),
            name="tournaments_control_chat",
        ),
        path("<int:pk>/control/<slug:name>/", staff_page(control.deed), name="tournaments_deed"),
    ]
