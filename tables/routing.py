"""Addresses of sockets."""

from __future__ import annotations

from django.urls import re_path

from tables.consumers import TableConsumer

websocket_urlpatterns = [
    re_path(r"^ws/tables/(?P<table>[\w-]{1,24})/$", TableConsumer.as_asgi()),
]
