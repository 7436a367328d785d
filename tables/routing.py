"""Addresses of sockets."""

from __future__ import annotations

from typing import Any

from django.urls import re_path

from tables.consumers import TableConsumer

# Channels routes are made of Django's patterns with ASGI applications in them.
_table: Any = TableConsumer.as_asgi()

websocket_urlpatterns: list[Any] = [
    re_path(r"^ws/tables/(?P<table>[\w-]{1,24})/$", _table),
]
