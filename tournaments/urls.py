"""Addresses of tournaments and their rounds."""

from __future__ import annotations

from django.urls import path

from tournaments import (
    in_person_views,
    player_views,
    views,
    views_entering,
    views_quick,
    views_sharing,
)

app_name = "tournaments"

urlpatterns = [
    path("quick/", views_quick.quick, name="quick"),
    path("quick/<str:public_id>/", views_quick.quick_seat, name="quick-seat"),
    path("quick/<str:public_id>/part/", views_quick.quick_seat_part, name="quick-seat-part"),
    path("quick/<str:public_id>/leave/", views_quick.quick_leave, name="quick-leave"),
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
    path("tournaments/<str:public_id>/entrants/", views.entrants, name="entrants"),
    path("tournaments/<str:public_id>/prizes/", views.prizes, name="prizes"),
    path("tournaments/<str:public_id>/log/", views.log, name="log"),
    path("tournaments/<str:public_id>/rounds/", views.rounds, name="rounds"),
    path("tournaments/<str:public_id>/live/", views.live, name="live"),
    path("tournaments/<str:public_id>/you/", views_entering.mine, name="you"),
    path("tournaments/<str:public_id>/do/<str:wanted>/", views_entering.act, name="do"),
    path("tournaments/<str:public_id>/screen/", views_sharing.screen, name="screen"),
    path("tournaments/<str:public_id>/screen/part/", views_sharing.screen_part, name="screen-part"),
    path("tournaments/<str:public_id>/calendar.ics", views_sharing.event, name="event"),
    path("tournaments/<str:public_id>/qr.svg", views_sharing.qr, name="qr"),
    path("calendar/<str:token>.ics", views_sharing.feed, name="feed"),
    path("tournaments/<str:public_id>/seating/", views.seating, name="seating"),
    path("tournaments/<str:public_id>/go-on/", in_person_views.go_on, name="go-on"),
    path("tournaments/<str:public_id>/rounds/<int:number>/", views.tournament_round, name="round"),
]
