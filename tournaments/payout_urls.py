"""Addresses of the operators' pages of payouts, under the admin's."""

from __future__ import annotations

from django.urls import path

from tournaments import payout_views

app_name = "payouts"

urlpatterns = [
    path("", payout_views.payout_list, name="list"),
    path("export.<str:form>", payout_views.export, name="export"),
    path("<str:public_id>/", payout_views.audit, name="audit"),
    path("<str:public_id>/pay/", payout_views.pay, name="pay"),
    path("<str:public_id>/behind/<str:figure>/", payout_views.behind, name="behind"),
]
