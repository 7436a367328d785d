"""Addresses of the wallet and of the ledger's API."""

from __future__ import annotations

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from ledger import views
from ledger.api import (
    AccountViewSet,
    CheckpointViewSet,
    EntryViewSet,
    TrialBalanceView,
    WelcomeView,
)

router = SimpleRouter()
router.register("accounts", AccountViewSet, basename="ledger-account")
router.register("entries", EntryViewSet, basename="ledger-entry")
router.register("checkpoints", CheckpointViewSet, basename="ledger-checkpoint")

urlpatterns = [
    path("wallet/", views.wallet, name="wallet"),
    path("wallet/welcome/", views.claim_welcome, name="wallet-welcome"),
    path("api/me/welcome/", WelcomeView.as_view(), name="api-welcome"),
    path("api/ledger/", include(router.urls)),
    path("api/ledger/trial-balance/", TrialBalanceView.as_view(), name="ledger-trial-balance"),
]
