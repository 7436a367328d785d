"""Addresses of tables and deals, by their public ids."""

from __future__ import annotations

from django.urls import path

from tables import sheet_views, views

app_name = "tables"

urlpatterns = [
    path("tables/<str:public_id>/", views.table, name="table"),
    path("tables/<str:public_id>/sheet/", sheet_views.sheet, name="sheet"),
    path("deals/<str:public_id>/", views.deal, name="deal"),
]
