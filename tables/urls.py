"""Addresses of tables and deals, by their public ids."""

from __future__ import annotations

from django.urls import path

from tables import api, replay_views, sheet_views, table_views, views

app_name = "tables"

urlpatterns = [
    path("api/deals/<str:public_id>/", api.DealView.as_view(), name="api-deal"),
    path("api/deals/<str:public_id>/history/", api.DealHistoryView.as_view(), name="api-history"),
    path("api/deals/<str:public_id>/result/", api.DealResultView.as_view(), name="api-result"),
    path("api/deals/<str:public_id>/checks/", api.DealChecksView.as_view(), name="api-checks"),
    path("api/tables/<str:public_id>/", api.TableView.as_view(), name="api-table"),
    path("api/tables/<str:public_id>/hint/", api.HintView.as_view(), name="api-hint"),
    path(
        "api/tables/<str:public_id>/history/",
        api.TableHistoryView.as_view(),
        name="api-table-history",
    ),
    path("tables/<str:public_id>/", views.table, name="table"),
    path("tables/<str:public_id>/hint/", table_views.hint, name="hint"),
    path("tables/<str:public_id>/shares/", table_views.shares, name="shares"),
    path("tables/<str:public_id>/sheet/", sheet_views.sheet, name="sheet"),
    path("deals/<str:public_id>/", views.deal, name="deal"),
    path("deals/<str:public_id>/result/", table_views.result, name="result"),
    path("deals/<str:public_id>/replay/", replay_views.replay, name="replay"),
    path("deals/<str:public_id>/verify/", replay_views.verify, name="verify"),
    path("deals/<str:public_id>/history.<str:form>", replay_views.deal_history, name="history"),
    path(
        "tables/<str:public_id>/history.<str:form>",
        replay_views.table_history,
        name="table-history",
    ),
]
