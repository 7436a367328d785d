"""The ledger's addresses alone, and the description of its API."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A refusal without the site's page, which links to the other apps."""
    return HttpResponseForbidden()


urlpatterns = [
    path("", include("ledger.urls")),
    path("admin/", admin.site.urls),
    path("api/schema/", SpectacularAPIView.as_view(permission_classes=[]), name="api-schema"),
]
