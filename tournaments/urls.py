"""Addresses of tournaments and their rounds."""

from __future__ import annotations

from django.urls import path

from tournaments import in_person_views, player_views, views

app_name = "tournaments"

urlpatterns = [
    path("my/", player_views.mine, name="mine"),
    path("my/<str:public_id>/", player_views.result, name="result"),
    path("my/<str:public_id>/history.<str:form>", player_views.history, name="history"),
    path("leaderboards/", player_views.leaderboards, name="leaderboards"),
    path("players/<str:username>/", player_views.player, name="player"),
    path(
        "tournaments/<str:public_id>/draws/<int:number>/verify/",
        player_views.verify_draw,
        name="verify-draw",
    ),
    path("tournaments/<str:public_id>/", views.tournament, name="tournament"),
    path("tournaments/<str:public_id>/seating/", views.seating, name="seating"),
    path("tournaments/<str:public_id>/go-on/", in_person_views.go_on, name="go-on"),
    path("tournaments/<str:public_id>/rounds/<int:number>/", views.tournament_round, name="round"),
]
