"""The ledger as a Django app."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LedgerConfig(AppConfig):
    """Registers the ledger's tables under the label `ledger`."""

    name = "ledger"
    label = "ledger"
    verbose_name = "Ledger"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Keep the guards of operators' rows in place."""
        from ledger.guards.operators import ALL  # noqa: PLC0415

        for guard in ALL:
            post_migrate.connect(guard.after_migration, sender=self, dispatch_uid=guard.name)
