"""The app of those who run the site."""

from __future__ import annotations

from django.apps import AppConfig


class StaffConfig(AppConfig):
    """Audit lines and the admin's common pieces."""

    name = "staff"
    verbose_name = "Staff"
