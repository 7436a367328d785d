"""The app of those who run the site."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class StaffConfig(AppConfig):
    """Audit lines and the admin's common pieces."""

    name = "staff"
    verbose_name = "Staff"

    def ready(self) -> None:
        """Keep the guard of the audit lines in place, and hear of log-ins."""
        from staff import receivers  # noqa: PLC0415
        from staff.guards import ACTIONS  # noqa: PLC0415

        post_migrate.connect(ACTIONS.after_migration, sender=self)
        receivers.connect()
