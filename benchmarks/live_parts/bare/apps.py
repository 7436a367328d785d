"""Adds the bare socket to the site's, and lifts the limit that people never reach."""

from __future__ import annotations

from django.apps import AppConfig
from django.urls import re_path


class BareConfig(AppConfig):
    """Installed by the benchmark's settings only."""

    name = "benchmarks.live_parts.bare"
    label = "bare"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Before the site's routes are read."""
        from benchmarks.live_parts.bare.sockets import BareConsumer  # noqa: PLC0415 - opens models
        from tables import consumers, routing  # noqa: PLC0415

        consumers.FRAMES_PER_SECOND = consumers.FRAMES_AT_ONCE = 100_000  # type: ignore[misc]
        routing.websocket_urlpatterns.append(
            re_path(r"^ws/bare/(?P<group>\d{1,9})/$", BareConsumer.as_asgi())  # type: ignore[arg-type]
        )
