"""Tours of all pages miss none: what axe looks at, and what pictures are taken of."""

from __future__ import annotations

import pytest
from django.urls import Resolver404, resolve

from tests.showcase import make_showcase
from tests.site.test_permissions import TABLE
from tests.web.test_account_pages import ASKS_AGAIN, WITH_FACTOR

pytestmark = pytest.mark.django_db

ELSEWHERE = {
    # On their own tours of what an account has.
    *ASKS_AGAIN,
    *WITH_FACTOR,
    "mfa_activate_totp",
    # The same page under a second address.
    "account_login",
    "account_set_password",
}
NO_PAGES = {
    # Parts that a page asks for again.
    *("lobby-tiles", "players:news", "tables:result", "tables:shares", "tournaments:live"),
    *("tournaments:screen-part", "tournaments:you"),
    # Files and pictures.
    *("download-data", "payouts:export", "tables:history", "tables:table-history"),
    *("tournaments:history", "tournaments:qr", "ledger-account-statement"),
    # For programs.
    *("api-schema", "health", "ledger-account-detail", "ledger-account-list"),
    *("ledger-account-transfers", "ledger-checkpoint-list", "ledger-entry-list"),
    "ledger-trial-balance",
}


def _name_of(address: str) -> str:
    try:
        return resolve(address.partition("?")[0]).view_name
    except Resolver404:
        return ""


def test_every_page_that_somebody_may_open_is_on_a_tour() -> None:
    showcase = make_showcase()
    gone_to = {_name_of(at) for at in (*showcase.pages.values(), *showcase.desk_pages.values())}
    pages = {name for name, (get, _post) in TABLE.items() if "200" in get.split()}
    assert sorted(pages - gone_to - ELSEWHERE - NO_PAGES) == []
    assert (
        sorted((ELSEWHERE | NO_PAGES) - pages - {*ASKS_AGAIN, *WITH_FACTOR, "mfa_activate_totp"})
        == []
    )
