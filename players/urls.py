"""Addresses of a player's own pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from players import account_views, inbox_views

app_name = "players"

urlpatterns: list[URLPattern | URLResolver] = [
    path("account/settings/", account_views.settings, name="settings"),
    path("account/limits/", account_views.limits, name="limits"),
    path("account/limits/keep/", account_views.keep_limit, name="keep-limit"),
    path("account/limits/stay-away/", account_views.stay_away, name="stay-away"),
    path("inbox/", inbox_views.inbox, name="inbox"),
    path("inbox/mark/", inbox_views.mark, name="mark"),
    path("inbox/news/", inbox_views.news, name="news"),
    path("inbox/<int:notice_id>/", inbox_views.go, name="go"),
]
