"""Every address of the site. Apps bring their own lists; this file only mounts them."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.utils.translation import gettext_lazy as _
from django.views.generic import RedirectView
from django.views.i18n import set_language
from drf_spectacular.views import SpectacularAPIView

from rummy_site.api import CloseAccountView, OwnDataView
from rummy_site.desk.api import ApprovalsView, AuditView, PayoutsView
from rummy_site.desk.views import approvals
from rummy_site.own_views import download, own_data
from rummy_site.views import health
from staff.api import ActionsView
from tournaments.views import table_owner
from tournaments.views_lobby import lobby, save_view, tiles

admin.site.index_title = _("Desk")
# The admin has no log-in of its own, or a second factor could be passed by there.
setattr(admin.site, "login", secure_admin_login(admin.site.login))  # noqa: B010
# Nor a page of its own for passwords, which would tell nobody of the change.
_OWN_PASSWORD = RedirectView.as_view(pattern_name="account_change_password")
setattr(admin.site, "password_change", _OWN_PASSWORD)  # noqa: B010

urlpatterns = [
    path("", lobby, name="home"),
    path("lobby/tiles/", tiles, name="lobby-tiles"),
    path("lobby/view/", save_view, name="lobby-view"),
    path("", include("tournaments.urls")),
    path("", include("players.urls")),
    path("", include("tables.urls")),
    path("", include("ledger.urls")),
    # Tables do not know what they belong to; this address does.
    path("owners/<str:owner>/", table_owner, name="table-owner"),
    path("", include("players.account_urls")),
    path("admin/payouts/", include("tournaments.payout_urls")),
    path("admin/books/", include("ledger.desk.urls")),
    path("admin/approvals/", approvals, name="approvals"),
    path("admin/desk/", include("rummy_site.desk.urls")),
    path("admin/", admin.site.urls),
    path("api/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("api/desk/payouts/", PayoutsView.as_view(), name="api-desk-payouts"),
    path("api/desk/payouts/<str:public_id>/", AuditView.as_view(), name="api-desk-audit"),
    path("api/desk/approvals/", ApprovalsView.as_view(), name="api-desk-approvals"),
    path("api/desk/actions/", ActionsView.as_view(), name="api-desk-actions"),
    path("api/me/data/", OwnDataView.as_view(), name="api-own-data"),
    path("api/me/close/", CloseAccountView.as_view(), name="api-close"),
    path("language/", set_language, name="language"),
    path("account/data/", own_data, name="own-data"),
    path("account/data/download/", download, name="download-data"),
    path("healthz", health, name="health"),
]
