"""Tournaments in the admin: organisers set up and run their own, everybody else looks.

Rows are written by services only, each time with a line in the audit log. `readonly` has the lists
that nothing can be changed in; the others lead to the organisers' pages.
"""

from __future__ import annotations

from django.apps import apps
from django.contrib import admin

from tournaments.admin import readonly, schedule, templates, tournament
from tournaments.admin.base import TournamentsAdmin

__all__ = ["readonly", "schedule", "templates", "tournament"]

# Whatever else the app keeps, in the plain way.
for model in apps.get_app_config("tournaments").get_models():
    if not admin.site.is_registered(model):
        admin.site.register(model, TournamentsAdmin)
