"""Every address of the site. Apps bring their own lists; this file only mounts them."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from rummy_site.views import health, home

admin.site.site_header = "Rummy tournaments"
admin.site.site_title = "Rummy tournaments"
admin.site.index_title = "Organisers' desk"

urlpatterns = [
    path("", home, name="home"),
    path("login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("api/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("healthz", health, name="health"),
]
