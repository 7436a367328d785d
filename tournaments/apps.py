"""The tournaments app: entries, rounds and prizes."""

from __future__ import annotations

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Reaches tables through `play`, the ledger through `money`, and hears tables' signals."""

    name = "tournaments"

    def ready(self) -> None:
        """Listen to the tables."""
        from tournaments import receivers  # noqa: F401, PLC0415
