"""Addresses of a player's own pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "players"

urlpatterns: list[URLPattern | URLResolver] = []
