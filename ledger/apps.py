"""The ledger as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    """Registers the ledger's tables under the label `ledger`."""

    name = "ledger"
    label = "ledger"
    verbose_name = "Ledger"
    default_auto_field = "django.db.models.BigAutoField"
