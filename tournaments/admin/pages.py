"""The addresses of what an organiser does with his tournaments, below that of their list."""

from __future__ import annotations

from django.urls import URLPattern, path

from tournaments.admin.base import organisers_page
from tournaments.admin.steps import views as steps


def organisers_pages() -> list[URLPattern]:
    """Each with its name, `tournaments_…`."""
    return [
        path("<int:pk>/do/<slug:name>/", organisers_page(steps.step), name="tournaments_step"),
        path("<int:pk>/copy/", organisers_page(steps.copy), name="tournaments_copy"),
    ]
