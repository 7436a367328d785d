"""The app of players."""

from __future__ import annotations

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """Profiles, limits and inboxes."""

    name = "players"
    verbose_name = "Players"
