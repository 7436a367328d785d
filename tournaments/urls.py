"""Addresses of tournaments and their rounds."""

from __future__ import annotations

from django.urls import path

from tournaments import (
    api,
    api_mine,
    api_playing,
    api_reading,
    in_person_views,
    player_views,
    views,
    views_entering,
    views_quick,
    views_sharing,
)

app_name = "tournaments"

_TOURNAMENT = "api/tournaments/<str:public_id>"

_api = [
    path("api/tournaments/", api.TournamentListView.as_view(), name="api-list"),
    path(f"{_TOURNAMENT}/", api.TournamentView.as_view(), name="api-detail"),
    path(f"{_TOURNAMENT}/entrants/", api.EntrantsView.as_view(), name="api-entrants"),
    path(f"{_TOURNAMENT}/standings/", api.StandingsView.as_view(), name="api-standings"),
    path(f"{_TOURNAMENT}/prizes/", api.PrizesView.as_view(), name="api-prizes"),
    path(f"{_TOURNAMENT}/rounds/", api.RoundsView.as_view(), name="api-rounds"),
    path(f"{_TOURNAMENT}/rounds/<int:number>/", api.RoundView.as_view(), name="api-round"),
    path(f"{_TOURNAMENT}/log/", api_reading.LogView.as_view(), name="api-log"),
    path(f"{_TOURNAMENT}/waitlist/", api_reading.WaitlistView.as_view(), name="api-waitlist"),
    path(f"{_TOURNAMENT}/chips/", api_reading.ChipsView.as_view(), name="api-chips"),
    path(f"{_TOURNAMENT}/seating/", api_reading.SeatingView.as_view(), name="api-seating"),
    path(f"{_TOURNAMENT}/bracket/", api_reading.BracketView.as_view(), name="api-bracket"),
    path(f"{_TOURNAMENT}/draws/<int:number>/", api_reading.DrawView.as_view(), name="api-draw"),
    path("api/leaderboards/", api_reading.LeaderboardView.as_view(), name="api-leaderboards"),
    path("api/players/<str:username>/", api_reading.PlayerView.as_view(), name="api-player"),
    path(f"{_TOURNAMENT}/you/", api_mine.OffersView.as_view(), name="api-you"),
    path("api/me/tickets/", api_mine.TicketsView.as_view(), name="api-tickets"),
    path("api/me/calendar/", api_mine.CalendarView.as_view(), name="api-calendar"),
    path("api/me/results/<str:public_id>/", api_mine.MyResultView.as_view(), name="api-result"),
    path(
        "api/me/results/<str:public_id>/history/",
        api_mine.MyHistoryView.as_view(),
        name="api-my-history",
    ),
    path(f"{_TOURNAMENT}/join/", api_playing.JoinView.as_view(), name="api-join"),
    path(f"{_TOURNAMENT}/withdraw/", api_playing.WithdrawView.as_view(), name="api-withdraw"),
    path(f"{_TOURNAMENT}/check-in/", api_playing.CheckInView.as_view(), name="api-check-in"),
    path(f"{_TOURNAMENT}/re-enter/", api_playing.ReEnterView.as_view(), name="api-re-enter"),
    path(f"{_TOURNAMENT}/rebuy/", api_playing.RebuyView.as_view(), name="api-rebuy"),
    path("api/tickets/use/", api_playing.UseTicketView.as_view(), name="api-use-ticket"),
    path("api/me/entries/", api_playing.MyEntriesView.as_view(), name="api-entries"),
    path("api/me/calls/", api_playing.MyCallsView.as_view(), name="api-calls"),
    path("api/me/matches/", api_playing.MyMatchesView.as_view(), name="api-matches"),
    path("api/quick/", api_playing.QuickListView.as_view(), name="api-quick"),
    path("api/quick/<str:public_id>/", api_playing.QuickView.as_view(), name="api-quick-seat"),
    path(
        "api/quick/<str:public_id>/leave/",
        api_playing.QuickLeaveView.as_view(),
        name="api-quick-leave",
    ),
]

urlpatterns = [
    *_api,
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
    path("tournaments/<str:public_id>/my-code.svg", views_sharing.my_code, name="my-code"),
    path("calendar/<str:token>.ics", views_sharing.feed, name="feed"),
    path("tournaments/<str:public_id>/seating/", views.seating, name="seating"),
    path("tournaments/<str:public_id>/go-on/", in_person_views.go_on, name="go-on"),
    path("tournaments/<str:public_id>/rounds/<int:number>/", views.tournament_round, name="round"),
]
