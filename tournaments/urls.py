"""Addresses of tournaments and their rounds."""

from __future__ import annotations

from django.urls import path

from tournaments import in_person_views, views

app_name = "tournaments"

urlpatterns = [
    path("tournaments/<str:public_id>/", views.tournament, name="tournament"),
    path("tournaments/<str:public_id>/seating/", views.seating, name="seating"),
    path("tournaments/<str:public_id>/go-on/", in_person_views.go_on, name="go-on"),
    path("tournaments/<str:public_id>/rounds/<int:number>/", views.tournament_round, name="round"),
]
