"""The tables app: one table, its match and its deals."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TablesConfig(AppConfig):
    """Knows nothing of tournaments or money."""

    name = "tables"

    def ready(self) -> None:
        """Keep the guards of the logs in place."""
        from tables.log_guards import LOGS  # noqa: PLC0415

        for guard in LOGS:
            post_migrate.connect(guard.after_migration, sender=self)
