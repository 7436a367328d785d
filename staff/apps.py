"""The app of those who run the site."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class StaffConfig(AppConfig):
    """Audit lines and the admin's common pieces."""

    name = "staff"
    verbose_name = "Staff"

    def ready(self) -> None:
        """Keep the guard of the audit lines in place, hear of log-ins, and name what is kept."""
        from staff import model_words, receivers  # noqa: PLC0415
        from staff.guards import ACTIONS  # noqa: PLC0415

        post_migrate.connect(ACTIONS.after_migration, sender=self)
        receivers.connect()
        model_words.call_by_their_names()
