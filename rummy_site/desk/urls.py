"""Addresses of the desk's pages of players and deals, under the admin's."""

from __future__ import annotations

from django.urls import path

from rummy_site.desk import views

app_name = "desk"

urlpatterns = [
    path("people/", views.people, name="people"),
    path("people/<str:username>/", views.person, name="person"),
    path("deals/", views.deals, name="deals"),
    path("deals/<str:public_id>/", views.deal, name="deal"),
    path("matches/<int:pk>/", views.match, name="match"),
]
