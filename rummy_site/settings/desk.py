"""How the admin looks and what stands at its side: for each role what it works with, by its words.

Lists of everything that is kept are a click further ("all applications").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PRIMARY: Final = {
    "50": "#ecf8f3",
    "100": "#d3efe3",
    "200": "#a8dfc9",
    "300": "#74c9a9",
    "400": "#4bb38d",
    "500": "#239470",
    "600": "#14795a",
    "700": "#0f6b4f",
    "800": "#0b533d",
    "900": "#083c2c",
    "950": "#04241b",
}
"""The green of the players' pages."""


def _icon(request: HttpRequest) -> str:
    return static("rummy_site/icon.svg")


def _with(*permissions: str) -> Callable[[HttpRequest], bool]:
    """Shown to who holds one of these permissions."""

    def may(request: HttpRequest) -> bool:
        return any(request.user.has_perm(permission) for permission in permissions)

    return may


def _item(title: str | Promise, icon: str, name: str, *permissions: str) -> dict[str, Any]:
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(name),
        "permission": _with(*permissions),
    }


_MONEY: Final = "ledger.view_money"
_LOOK: Final = "tournaments.view_tournament"

UNFOLD: Final[dict[str, Any]] = {
    "SITE_TITLE": _("Rummy tournaments"),
    "SITE_HEADER": _("Rummy tournaments"),
    "SITE_SUBHEADER": _("Organisers and operators"),
    "SITE_SYMBOL": "playing_cards",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _icon}],
    "SHOW_BACK_BUTTON": True,
    "DASHBOARD_CALLBACK": "rummy_site.desk.dashboard.add_dashboard",
    "COLORS": {"primary": PRIMARY},
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": True,
        "navigation": [
            {
                "title": _("Tournaments"),
                "items": [
                    _item(
                        _("Tournaments"),
                        "trophy",
                        "admin:tournaments_tournament_changelist",
                        _LOOK,
                    ),
                    _item(
                        _("Set one up"),
                        "add_circle",
                        "admin:tournaments_tournament_add",
                        "tournaments.add_tournament",
                    ),
                    _item(
                        _("Templates"),
                        "content_copy",
                        "admin:tournaments_template_changelist",
                        "tournaments.run_tournament",
                    ),
                    _item(
                        _("Schedules"),
                        "event_repeat",
                        "admin:tournaments_schedule_changelist",
                        "tournaments.view_schedule",
                    ),
                ],
            },
            {
                "title": _("Money"),
                "separator": True,
                "items": [
                    _item(
                        _("Approvals"),
                        "fact_check",
                        "approvals",
                        "ledger.approve_payouts",
                        "ledger.adjust",
                    ),
                    _item(_("Payouts"), "payments", "payouts:list", _MONEY),
                    _item(_("Books"), "account_balance", "books:overview", _MONEY),
                    _item(_("Accounts"), "wallet", "books:accounts", _MONEY),
                ],
            },
            {
                "title": _("Staff"),
                "separator": True,
                "items": [
                    _item(
                        _("Audit log"),
                        "history_edu",
                        "admin:staff_staffaction_changelist",
                        "staff.view_staffaction",
                    ),
                    _item(_("Players"), "person_search", "desk:people", "players.look_up"),
                    _item(_("Deals"), "playing_cards", "desk:deals", _MONEY),
                    _item(_("Users"), "group", "admin:auth_user_changelist", "auth.view_user"),
                ],
            },
        ],
    },
}
"""Settings of django-unfold."""
