"""The site as a Django app: it brings commands, static files and the staff groups."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class RummySiteConfig(AppConfig):
    """Stands last in INSTALLED_APPS, so every permission exists when the groups are filled."""

    name = "rummy_site"
    verbose_name = "Site"

    def ready(self) -> None:
        """After each migration give the staff groups their permissions."""
        post_migrate.connect(_fill_groups, sender=self, dispatch_uid="rummy_site.roles")


def _fill_groups(using: str, **_: Any) -> None:
    from rummy_site.roles import fill_groups  # noqa: PLC0415 - models are not loaded before ready()

    fill_groups(using=using)
