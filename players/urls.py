"""Addresses of a player's own pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from players import account_views, api, api_keys, inbox_views, token_views

app_name = "players"

urlpatterns: list[URLPattern | URLResolver] = [
    path("account/settings/", account_views.settings, name="settings"),
    path("account/limits/", account_views.limits, name="limits"),
    path("account/limits/keep/", account_views.keep_limit, name="keep-limit"),
    path("account/limits/stay-away/", account_views.stay_away, name="stay-away"),
    path("account/tokens/", token_views.tokens, name="tokens"),
    path("api/token/", api_keys.TokenObtainView.as_view(), name="api-token"),
    path("api/token/revoke/", api_keys.TokenRevokeView.as_view(), name="api-token-revoke"),
    path("api/tokens/", api_keys.KeysView.as_view(), name="api-keys"),
    path("api/tokens/<int:key_id>/", api_keys.KeyView.as_view(), name="api-key"),
    path("api/me/", api.MeView.as_view(), name="api-me"),
    path("api/me/settings/", api.SettingsView.as_view(), name="api-settings"),
    path("api/me/limits/", api.LimitsView.as_view(), name="api-limits"),
    path("api/me/limits/time-out/", api.TimeOutView.as_view(), name="api-time-out"),
    path("api/me/limits/exclusion/", api.ExclusionView.as_view(), name="api-exclusion"),
    path("api/me/inbox/", api.InboxView.as_view(), name="api-inbox"),
    path("api/me/inbox/read/", api.InboxReadView.as_view(), name="api-inbox-read"),
    path("inbox/", inbox_views.inbox, name="inbox"),
    path("inbox/mark/", inbox_views.mark, name="mark"),
    path("inbox/news/", inbox_views.news, name="news"),
    path("inbox/<int:notice_id>/", inbox_views.go, name="go"),
]
