"""Addresses of sockets."""

from __future__ import annotations

from typing import Any

from django.urls import re_path

from tournaments.consumers import ControlConsumer

# Channels routes are made of Django's patterns with ASGI applications in them.
_control: Any = ControlConsumer.as_asgi()

websocket_urlpatterns: list[Any] = [
    re_path(r"^ws/control/(?P<public_id>[\w-]{1,24})/$", _control),
]
