"""Who may open and who may send what: every address of the site, by role.

A page that is not in `TABLE` fails a test, so whoever adds an address says whom it is for. A line
gives the answers to GET and to POST, in the order of `ROLES`: 302 for a visitor is the way to the
log-in, 403 and 404 are for people it is not for, 405 means that there is no such verb.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.contrib import admin
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.showcase import MORE_STAFF, ROLES, VISITOR, Showcase, make_showcase, url_names

pytestmark = pytest.mark.django_db

ANYBODY = "200 200 200 200 200 200"
LOGGED_IN = "302 200 200 200 200 200"
READ_ONLY = "405 405 405 405 405 405"
OWN_ONLY = "302 200 404 404 404 404"
LEADS_ON = "302 302 302 302 302 302"
NO_SUCH = "404 404 404 404 404 404"
NO_VERB = "302 405 405 405 405 405"
"""A visitor is asked to log in before he is told that there is no such verb."""
AUDIT = "403 403 403 403 200 200"
NO_AUDIT_VERB = "403 403 403 403 405 405"
NO_API_VERB = "403 405 405 405 405 405"
MONEY = "302 302 302 403 200 200"
"""Pages of the desk for who may look at everybody's money."""
NO_MONEY_VERB = "302 302 302 403 405 405"
OWN_MONEY = "302 302 302 200 200 200"
"""The payouts of a tournament, for who organises it too."""
NO_OWN_MONEY_VERB = "302 302 302 405 405 405"
NOT_SEATED = "302 404 404 404 404 404"
NO_SECRET = "302 403 403 403 403 403"
"""Asks for the password again; the people of the showcase have none."""

TABLE: dict[str, tuple[str, str]] = {
    "home": (ANYBODY, READ_ONLY),
    "lobby-tiles": (ANYBODY, READ_ONLY),
    "lobby-view": (READ_ONLY, LEADS_ON),
    "tournaments:quick": (LOGGED_IN, LOGGED_IN),
    "tournaments:quick-seat": (NOT_SEATED, NO_VERB),
    "tournaments:quick-seat-part": (NOT_SEATED, NO_VERB),
    "tournaments:quick-leave": (NO_VERB, LEADS_ON),
    "tournaments:mine": (LOGGED_IN, NO_VERB),
    "tournaments:result": (OWN_ONLY, NO_VERB),
    "tournaments:history": (OWN_ONLY, NO_VERB),
    "tournaments:leaderboards": (ANYBODY, READ_ONLY),
    "tournaments:player": (ANYBODY, READ_ONLY),
    "tournaments:verify-draw": (ANYBODY, READ_ONLY),
    "tournaments:tournament": (ANYBODY, READ_ONLY),
    "tournaments:entrants": (ANYBODY, READ_ONLY),
    "tournaments:prizes": (ANYBODY, READ_ONLY),
    "tournaments:log": (ANYBODY, READ_ONLY),
    "tournaments:rounds": (ANYBODY, READ_ONLY),
    "tournaments:live": (ANYBODY, READ_ONLY),
    "tournaments:you": (ANYBODY, READ_ONLY),
    "tournaments:do": (READ_ONLY, "302 302 302 409 409 409"),
    "tournaments:screen": (ANYBODY, READ_ONLY),
    "tournaments:screen-part": (ANYBODY, READ_ONLY),
    "tournaments:event": (NO_SUCH, READ_ONLY),
    "tournaments:qr": (ANYBODY, READ_ONLY),
    "tournaments:my-code": (NOT_SEATED, NO_VERB),
    "tournaments:feed": (NO_SUCH, READ_ONLY),
    "tournaments:seating": (ANYBODY, READ_ONLY),
    "tournaments:go-on": (NO_VERB, "302 403 403 302 403 302"),
    "tournaments:round": (ANYBODY, READ_ONLY),
    "tables:table": (ANYBODY, READ_ONLY),
    "tables:hint": ("404 403 404 404 404 404", READ_ONLY),
    "tables:shares": (ANYBODY, READ_ONLY),
    "tables:sheet": ("302 403 403 404 403 404", "302 403 403 404 403 404"),
    "tables:deal": (ANYBODY, READ_ONLY),
    "tables:result": (ANYBODY, READ_ONLY),
    "tables:replay": (ANYBODY, READ_ONLY),
    "tables:verify": (ANYBODY, READ_ONLY),
    "tables:history": (ANYBODY, READ_ONLY),
    "tables:table-history": (OWN_ONLY, NO_VERB),
    "players:settings": (LOGGED_IN, LOGGED_IN),
    "players:limits": (LOGGED_IN, LOGGED_IN),
    "players:keep-limit": (NO_VERB, LEADS_ON),
    "players:stay-away": (NO_VERB, LEADS_ON),
    "players:tokens": (LOGGED_IN, LOGGED_IN),
    "players:inbox": (LOGGED_IN, NO_VERB),
    "players:mark": (NO_VERB, LEADS_ON),
    "players:news": ("204 200 200 200 200 200", READ_ONLY),
    "players:go": (NOT_SEATED, NO_VERB),
    "own-data": (LOGGED_IN, "302 409 409 409 409 409"),
    "download-data": (LOGGED_IN, NO_VERB),
    "wallet": (LOGGED_IN, NO_VERB),
    "wallet-welcome": (NO_VERB, LEADS_ON),
    "ledger-account-list": ("403 200 200 200 200 200", NO_API_VERB),
    "ledger-account-detail": ("403 404 404 404 200 200", NO_API_VERB),
    "ledger-account-statement": ("403 404 404 404 200 200", NO_API_VERB),
    "ledger-account-transfers": ("403 404 404 404 200 200", NO_API_VERB),
    "ledger-entry-list": (AUDIT, NO_AUDIT_VERB),
    "ledger-entry-detail": ("403 403 403 403 404 404", NO_AUDIT_VERB),
    "ledger-checkpoint-list": (AUDIT, NO_AUDIT_VERB),
    "ledger-trial-balance": (AUDIT, NO_AUDIT_VERB),
    "desk:people": (MONEY, NO_MONEY_VERB),
    "desk:person": (MONEY, NO_MONEY_VERB),
    "desk:deals": (MONEY, NO_MONEY_VERB),
    "desk:deal": (MONEY, NO_MONEY_VERB),
    "desk:match": ("302 302 302 403 404 404", NO_MONEY_VERB),
    "approvals": (MONEY, "302 302 302 403 302 302"),
    "books:overview": (MONEY, NO_MONEY_VERB),
    "books:check": (NO_MONEY_VERB, "302 302 302 403 302 302"),
    "books:find": ("302 302 302 403 302 302", NO_MONEY_VERB),
    "books:asset": (MONEY, NO_MONEY_VERB),
    "books:days": (MONEY, NO_MONEY_VERB),
    "books:proof": ("302 302 302 403 404 404", NO_MONEY_VERB),
    "books:accounts": (MONEY, NO_MONEY_VERB),
    "books:account": (MONEY, NO_MONEY_VERB),
    "books:adjust": (MONEY, MONEY),
    "books:freeze": (MONEY, MONEY),
    "books:entry": ("302 302 302 403 404 404", NO_MONEY_VERB),
    "books:reverse": ("302 302 302 403 404 404", "302 302 302 403 404 404"),
    "payouts:list": (MONEY, NO_MONEY_VERB),
    "payouts:export": (OWN_MONEY, NO_OWN_MONEY_VERB),
    "payouts:audit": (OWN_MONEY, NO_OWN_MONEY_VERB),
    "payouts:behind": (OWN_MONEY, NO_OWN_MONEY_VERB),
    "payouts:pay": (NO_MONEY_VERB, "302 302 302 403 302 302"),
    "table-owner": (LEADS_ON, READ_ONLY),
    "login": ("200 302 302 302 302 302", "200 302 302 302 302 302"),
    "logout": (READ_ONLY, LEADS_ON),
    "account_login": ("200 302 302 302 302 302", "200 302 302 302 302 302"),
    "account_logout": (LOGGED_IN, LEADS_ON),
    "account_inactive": (ANYBODY, READ_ONLY),
    "account_signup": ("200 302 302 302 302 302", "200 302 302 302 302 302"),
    "account_reauthenticate": (NO_SECRET, NO_SECRET),
    "account_request_reauthentication_code": (NO_SECRET, NO_SECRET),
    "account_confirm_reauthentication_code": (LEADS_ON, LEADS_ON),
    "account_email": (LOGGED_IN, LEADS_ON),
    "account_email_verification_sent": (ANYBODY, READ_ONLY),
    "account_change_password": (LEADS_ON, LEADS_ON),
    "account_set_password": (LOGGED_IN, LOGGED_IN),
    "account_reset_password": (ANYBODY, ANYBODY),
    "account_confirm_login_code": (LEADS_ON, LEADS_ON),
    "account_confirm_email": (ANYBODY, NO_SUCH),
    "account_reset_password_from_key_done": (ANYBODY, READ_ONLY),
    "account_reset_password_from_key": (ANYBODY, ANYBODY),
    "account_reset_password_done": (ANYBODY, READ_ONLY),
    "mfa_index": (LOGGED_IN, NO_VERB),
    "mfa_authenticate": (LEADS_ON, LEADS_ON),
    "mfa_reauthenticate": (NO_SECRET, NO_SECRET),
    "mfa_activate_totp": (NO_SECRET, NO_SECRET),
    "mfa_deactivate_totp": (NOT_SEATED, NOT_SEATED),
    "mfa_view_recovery_codes": (NOT_SEATED, NO_VERB),
    "mfa_generate_recovery_codes": (NO_SECRET, NO_SECRET),
    "mfa_download_recovery_codes": (NOT_SEATED, NOT_SEATED),
    "usersessions_list": (LOGGED_IN, LEADS_ON),
    "api-schema": (ANYBODY, READ_ONLY),
    "language": (LEADS_ON, LEADS_ON),
    "health": (ANYBODY, READ_ONLY),
}

NO_DESK = {
    name: ("403", "403")
    for name in TABLE
    if name.startswith(("approvals", "books:", "desk:", "payouts:"))
}
ALSO_FOR: dict[str, dict[str, tuple[str, str]]] = {
    "arbiter": {
        **NO_DESK,
        "tables:sheet": ("404", "404"),
        "tournaments:do": ("405", "409"),
    },
    "support": {
        **NO_DESK,
        "desk:people": ("200", "405"),
        "desk:person": ("200", "405"),
        "tournaments:do": ("405", "409"),
    },
}
"""Where arbiters and support are answered otherwise than `other`, a player at no table."""

API = "api-"
OPEN_API = {
    "api-schema",
    "players:api-token",
    "tables:api-deal",
    "tables:api-history",
    "tournaments:api-bracket",
    "tournaments:api-chips",
    "tournaments:api-detail",
    "tournaments:api-draw",
    "tournaments:api-entrants",
    "tournaments:api-leaderboards",
    "tournaments:api-list",
    "tournaments:api-log",
    "tournaments:api-player",
    "tournaments:api-prizes",
    "tournaments:api-quick",
    "tournaments:api-round",
    "tournaments:api-rounds",
    "tournaments:api-seating",
    "tournaments:api-standings",
    "tournaments:api-waitlist",
}
"""What anybody may ask over HTTP; everything else wants to know who asks."""

ACCOUNT = ("account_", "mfa_", "usersessions_")
OPEN_ACCOUNT = {
    "account_confirm_email",
    "account_confirm_login_code",
    "account_email_verification_sent",
    "account_inactive",
    "account_login",
    "account_logout",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "account_signup",
    "mfa_authenticate",
}
"""What is on the way in or out; the other pages of an account are for who has logged in."""

ADMIN = "admin:"
MAY_LIST = {
    "organiser": {"tables", "tournaments"},
    "arbiter": {"tables", "tournaments"},
    "operator": {"ledger", "staff", "tables", "tournaments"},
    "support": set(),
}
"""Apps whose rows staff may look at in the admin; a superuser may everywhere."""


def _is_admin(name: str) -> bool:
    return name.startswith((ADMIN, "admin/"))


def _is_api(name: str) -> bool:
    return name.rpartition(":")[2].startswith(API)


def _is_account(name: str) -> bool:
    return name.startswith(ACCOUNT)


def _is_of_a_family(name: str) -> bool:
    """Whether a rule for all of its kind says whom it is for."""
    return _is_admin(name) or _is_account(name) or (_is_api(name) and name not in TABLE)


def _answers(showcase: Showcase, verb: str, address: str, roles: Iterable[str] = ROLES) -> str:
    """The status for each role; what a request did is undone before the next."""
    found = []
    for role in roles:
        client = _browser(showcase, role)
        before = transaction.savepoint()
        found.append(str(getattr(client, verb)(address).status_code))
        transaction.savepoint_rollback(before)
    return " ".join(found)


def _browser(showcase: Showcase, role: str) -> Client:
    client = Client(raise_request_exception=False)
    if role != VISITOR:
        client.force_login(showcase.people[role])
    return client


def test_every_address_says_whom_it_is_for() -> None:
    missing = {name for name in url_names() if not _is_of_a_family(name)} - TABLE.keys()
    assert missing == set(), "Add these to TABLE."


def test_every_address_answers_each_role_as_the_table_says() -> None:
    showcase = make_showcase()
    wrong = {}
    for name, parts in url_names().items():
        if name not in TABLE:
            continue
        address = showcase.address_of(name, *parts)
        found = (_answers(showcase, "get", address), _answers(showcase, "post", address))
        if found != TABLE[name]:
            wrong[name] = {"expected": TABLE[name], "found": found}
    assert wrong == {}


@pytest.mark.parametrize("role", MORE_STAFF)
def test_arbiters_and_support_are_answered_like_players_but_for_their_own_work(role: str) -> None:
    """What is not in `ALSO_FOR` is for them what it is for a player at no table."""
    showcase = make_showcase()
    as_other, wrong = ROLES.index("other"), {}
    for name, parts in url_names().items():
        if name not in TABLE:
            continue
        address = showcase.address_of(name, *parts)
        expected = ALSO_FOR[role].get(name) or tuple(
            answers.split()[as_other] for answers in TABLE[name]
        )
        found = tuple(_answers(showcase, verb, address, [role]) for verb in ("get", "post"))
        if found != expected:
            wrong[name] = {"expected": expected, "found": found}
    assert wrong == {}


def test_the_api_tells_strangers_only_what_is_open_and_breaks_for_nobody() -> None:
    showcase = make_showcase()
    wrong = []
    for name, parts in url_names().items():
        if not _is_api(name):
            continue
        address = showcase.address_of(name, *parts)
        for verb in ("get", "post"):
            visitor, *others = _answers(showcase, verb, address).split()
            if any(status[0] in "35" for status in (visitor, *others)):
                wrong.append((name, verb, visitor, *others))
            elif visitor not in ("401", "403", "405") and name not in OPEN_API:
                wrong.append((name, verb, visitor))
    assert wrong == []


def test_the_pages_of_an_account_are_for_who_has_logged_in_and_break_for_nobody() -> None:
    showcase = make_showcase()
    wrong = []
    for name, parts in url_names().items():
        if not _is_account(name):
            continue
        address = showcase.address_of(name, *parts)
        for verb in ("get", "post"):
            visitor, *others = _answers(showcase, verb, address).split()
            if any(status[0] == "5" for status in (visitor, *others)):
                wrong.append((name, verb, visitor, *others))
            elif visitor not in ("302", "401", "403", "405") and name not in OPEN_ACCOUNT:
                wrong.append((name, verb, visitor))
    assert wrong == []


def test_the_admin_sends_whoever_is_no_staff_to_its_log_in() -> None:
    showcase = make_showcase()
    lists = [reverse("admin:index"), *_admin_lists().values()]
    for role in (VISITOR, "player", "other"):
        client = _browser(showcase, role)
        for address in lists:
            answer = client.get(address)
            assert answer.status_code == 302, (role, address)
            assert "login" in answer["Location"]


def test_staff_look_at_the_rows_of_their_apps_and_at_no_others() -> None:
    showcase = make_showcase()
    wrong = []
    for role, apps in MAY_LIST.items():
        client = _browser(showcase, role)
        for app, address in _admin_lists().items():
            status = client.get(address).status_code
            if (status == 200) != (app.partition(".")[0] in apps) or status >= 500:
                wrong.append((role, app, status))
    assert wrong == []


def test_an_operator_adds_nothing_in_the_admin() -> None:
    client = _browser(make_showcase(), "operator")
    for app, address in _admin_lists().items():
        assert client.get(f"{address}add/").status_code in (403, 404), app


def _admin_lists() -> dict[str, str]:
    """The list of each model in the admin, by `app.model`."""
    return {
        f"{model._meta.app_label}.{model._meta.model_name}": reverse(
            f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        )
        for model in admin.site._registry
    }
