"""The tournaments app: entries, rounds and prizes."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class TournamentsConfig(AppConfig):
    """Reaches tables through `play`, the ledger through `money`, and hears tables' signals."""

    name = "tournaments"

    def ready(self) -> None:
        """Listen to the tables, and keep the lock on started tournaments in place."""
        from tournaments import (  # noqa: PLC0415
            guards,
            receivers,  # noqa: F401
            renaming,  # noqa: F401
        )
        from tournaments.decision_guards import DECISIONS  # noqa: PLC0415

        pre_migrate.connect(guards.before_migration, sender=self)
        post_migrate.connect(guards.after_migration, sender=self)
        post_migrate.connect(DECISIONS.after_migration, sender=self)
