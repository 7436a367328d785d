"""The addresses of what an organiser does with his tournaments, below that of their list."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from tournaments.admin import duties, template_pages
from tournaments.admin.base import organisers_page
from tournaments.admin.entrants import check_in, entry, files, listing, paper
from tournaments.admin.steps import views as steps


def organisers_pages() -> list[URLPattern]:
    """Each with its name, `tournaments_…`."""
    return [
        _page("do/<slug:name>/", steps.step, "step"),
        _page("copy/", steps.copy, "copy"),
        _page("keep/", template_pages.keep, "keep"),
        _page("entrants/", listing.entrants, "entrants"),
        _page("entrants/act/", listing.act, "entrants_act"),
        _page("entrants/add/", listing.add, "entrants_add"),
        _page("entrants/import/", files.import_file, "import"),
        _page("entrants/export.<slug:form>", files.export, "export"),
        _page("entrants/<int:key>/", entry.entrant, "entrant"),
        _page("entrants/<int:key>/birth/", entry.birth, "birth"),
        _page("invitations/", entry.invitations, "invitations"),
        _page("staff/", duties.staff_of, "staff"),
        _page("check-in/", check_in.desk, "check_in"),
        _page("check-in/<int:key>/here/", check_in.by_hand, "check_in_hand"),
        _page("check-in/<str:code>/", check_in.by_code, "check_in_code"),
        _page("print/<slug:what>/", paper.paper, "paper"),
    ]


def _page(rest: str, view: Any, name: str) -> URLPattern:
    return path(f"<int:pk>/{rest}", organisers_page(view), name=f"tournaments_{name}")
