"""Addresses of log-in, sign-up, e-mail, password, second factor and sessions, under `account/`.

`login` and `logout` are the site's own names for two of them.
"""

from __future__ import annotations

from allauth.account.views import login, logout
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.http import require_POST

urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", login, name="login"),
    path("logout/", require_POST(logout), name="logout"),
    path("account/", include("allauth.urls")),
]
