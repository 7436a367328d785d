"""Who gets what answer from the API: every operation of its schema, by role and by scope of key.

The schema itself is walked, so an operation that has no line in `TABLE` fails a test. A line says
the scope that a key needs ("" for any, "-" where no key is looked at) and the answers to sessions
in the order of `WHO`. A key of that scope gets what its player's session gets, every other key is
refused. What a request did is undone before the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from ledger.models import Account, Entry
from players.models import Scope
from tests.programs import key_for, program
from tests.showcase import VISITOR, Showcase, make_showcase

pytestmark = pytest.mark.django_db

_STAFF: Final = ("organiser", "arbiter", "operator", "support", "superuser")
WHO: Final = (VISITOR, "player", "other", *_STAFF)
"""`player` sits at the table that is being played, and has entered; `other` has done nothing."""

OPEN = "200 200 200 200 200 200 200 200"
LOGGED_IN = "403 200 200 200 200 200 200 200"
MADE = "403 201 201 201 201 201 201 201"
DONE = "403 204 204 204 204 204 204 204"
NOT_NOW = "403 409 409 409 409 409 409 409"
WRONG = "403 400 400 400 400 400 400 400"
"""No such thing is on offer there, or one is not in it."""
UNCONFIRMED = NO_HINTS = "403 403 403 403 403 403 403 403"
NOT_FOUND = "403 404 404 404 404 404 404 404"
ENTERED = "403 200 404 404 404 404 404 404"
SEATED = ENTERED
AUDIT = "403 403 403 403 403 200 403 200"
BOOKS = "403 404 404 404 404 200 404 200"

NO_KEY, READ, PLAY, ACCOUNT, STAFF = "-", "read", "play", "account", "staff"

TABLE: Final[dict[str, tuple[str, str]]] = {
    "GET /api/deals/{public_id}/": (READ, SEATED),
    "GET /api/deals/{public_id}/checks/": (READ, LOGGED_IN),
    "GET /api/deals/{public_id}/history/": (READ, SEATED),
    "GET /api/deals/{public_id}/result/": (READ, LOGGED_IN),
    "GET /api/desk/actions/": (STAFF, AUDIT),
    "GET /api/desk/approvals/": (STAFF, AUDIT),
    "POST /api/desk/approvals/": (STAFF, "403 403 403 403 403 400 403 400"),
    "GET /api/desk/payouts/": (STAFF, AUDIT),
    "GET /api/desk/payouts/{public_id}/": (STAFF, AUDIT),
    "GET /api/leaderboards/": (READ, OPEN),
    "GET /api/ledger/accounts/": (READ, LOGGED_IN),
    "GET /api/ledger/accounts/{id}/": (READ, BOOKS),
    "GET /api/ledger/accounts/{id}/statement/": (READ, BOOKS),
    "GET /api/ledger/accounts/{id}/transfers/": (READ, BOOKS),
    "GET /api/ledger/checkpoints/": (STAFF, AUDIT),
    "GET /api/ledger/entries/": (STAFF, AUDIT),
    "GET /api/ledger/entries/{id}/": (STAFF, AUDIT),
    "GET /api/ledger/trial-balance/": (STAFF, AUDIT),
    "GET /api/me/": (READ, LOGGED_IN),
    "GET /api/me/calendar/": (READ, LOGGED_IN),
    "GET /api/me/calls/": (READ, LOGGED_IN),
    "POST /api/me/close/": (ACCOUNT, "403 403 403 409 409 409 409 409"),
    "GET /api/me/data/": (ACCOUNT, LOGGED_IN),
    "GET /api/me/entries/": (READ, LOGGED_IN),
    "GET /api/me/inbox/": (READ, LOGGED_IN),
    "POST /api/me/inbox/read/": (ACCOUNT, LOGGED_IN),
    "GET /api/me/limits/": (READ, LOGGED_IN),
    "PATCH /api/me/limits/": (ACCOUNT, LOGGED_IN),
    "POST /api/me/limits/exclusion/": (ACCOUNT, LOGGED_IN),
    "POST /api/me/limits/time-out/": (ACCOUNT, LOGGED_IN),
    "GET /api/me/matches/": (READ, LOGGED_IN),
    "GET /api/me/results/{public_id}/": (READ, ENTERED),
    "GET /api/me/results/{public_id}/history/": (READ, ENTERED),
    "GET /api/me/settings/": (READ, LOGGED_IN),
    "PATCH /api/me/settings/": (ACCOUNT, LOGGED_IN),
    "GET /api/me/tickets/": (READ, LOGGED_IN),
    "GET /api/me/welcome/": (READ, LOGGED_IN),
    "POST /api/me/welcome/": (PLAY, UNCONFIRMED),
    "GET /api/players/{username}/": (READ, OPEN),
    "GET /api/quick/": (READ, LOGGED_IN),
    "POST /api/quick/": (PLAY, MADE),
    "GET /api/quick/{public_id}/": (READ, NOT_FOUND),
    "POST /api/quick/{public_id}/leave/": (PLAY, NOT_FOUND),
    "GET /api/tables/{public_id}/": (READ, LOGGED_IN),
    "GET /api/tables/{public_id}/hint/": (READ, NO_HINTS),
    "GET /api/tables/{public_id}/history/": (READ, SEATED),
    "POST /api/tickets/use/": (PLAY, NOT_FOUND),
    "POST /api/token/": (NO_KEY, "403 403 403 403 403 403 403 403"),
    "POST /api/token/revoke/": ("", DONE),
    "GET /api/tokens/": (READ, LOGGED_IN),
    "POST /api/tokens/": (ACCOUNT, MADE),
    "DELETE /api/tokens/{key_id}/": (ACCOUNT, NOT_FOUND),
    "GET /api/tournaments/": (READ, OPEN),
    "GET /api/tournaments/{public_id}/": (READ, OPEN),
    "GET /api/tournaments/{public_id}/bracket/": (READ, OPEN),
    "POST /api/tournaments/{public_id}/check-in/": (PLAY, NOT_NOW),
    "GET /api/tournaments/{public_id}/chips/": (READ, OPEN),
    "GET /api/tournaments/{public_id}/draws/{number}/": (READ, OPEN),
    "GET /api/tournaments/{public_id}/entrants/": (READ, OPEN),
    "POST /api/tournaments/{public_id}/join/": (PLAY, "403 200 200 409 409 409 409 409"),
    "GET /api/tournaments/{public_id}/log/": (READ, OPEN),
    "GET /api/tournaments/{public_id}/prizes/": (READ, OPEN),
    "POST /api/tournaments/{public_id}/re-enter/": (PLAY, NOT_NOW),
    "POST /api/tournaments/{public_id}/rebuy/": (PLAY, WRONG),
    "GET /api/tournaments/{public_id}/rounds/": (READ, OPEN),
    "GET /api/tournaments/{public_id}/rounds/{number}/": (READ, OPEN),
    "GET /api/tournaments/{public_id}/seating/": (READ, OPEN),
    "GET /api/tournaments/{public_id}/standings/": (READ, OPEN),
    "GET /api/tournaments/{public_id}/waitlist/": (READ, OPEN),
    "POST /api/tournaments/{public_id}/withdraw/": (PLAY, WRONG),
    "GET /api/tournaments/{public_id}/you/": (READ, LOGGED_IN),
}

HOUSES: Final = Account.objects.exclude(owner__startswith="player")

BODIES: Final[dict[str, Any]] = {
    "POST /api/token/": {"username": "nobody", "password": "a guess"},
    "POST /api/tokens/": {"name": "Bot", "scopes": ["account"]},
    "PATCH /api/me/settings/": {"sounds": False},
    "PATCH /api/me/limits/": {"entries": 3},
    "POST /api/me/limits/time-out/": {"span": "day"},
    "POST /api/me/limits/exclusion/": {"span": "half", "sure": True},
    "POST /api/me/inbox/read/": {"notice": None},
    "POST /api/me/close/": {"password": "a guess"},
    "POST /api/tickets/use/": {"ticket": 1},
    "POST /api/quick/": {"seats": 3},
}
"""What is sent; nothing but an object otherwise."""


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of everything in the schema."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, methods in schema["paths"].items():
        for method, described in methods.items():
            if method in ("get", "post", "put", "patch", "delete"):
                yield method, path, described


def name_of(method: str, path: str) -> str:
    """As in `TABLE`."""
    return f"{method.upper()} {path}"


def address_of(showcase: Showcase, path: str) -> str:
    """A path with something of the showcase in it that `player` has to do with."""
    public_id = showcase.tournaments["running"].public_id
    if "/join/" in path or "/withdraw/" in path:
        public_id = showcase.tournaments["open"].public_id
    elif any(part in path for part in ("/bracket/", "/draws/", "/payouts/")):
        public_id = showcase.tournaments["played"].public_id
    elif path.startswith("/api/tables/"):
        public_id = showcase.table
    elif path in ("/api/deals/{public_id}/", "/api/deals/{public_id}/history/"):
        public_id = showcase.live_deal
    elif path.startswith("/api/deals/"):
        public_id = showcase.played_deal
    return path.format(
        public_id=public_id,
        number=1,
        key_id=0,
        username=showcase.people["player"].username,
        id=(Entry.objects if "/entries/" in path else HOUSES).earliest("pk").pk,
    )


@pytest.fixture
def showcase() -> Showcase:
    return make_showcase()


def browser(showcase: Showcase, who: str) -> APIClient:
    """Somebody's session."""
    client = APIClient(raise_request_exception=False)
    if who != VISITOR:
        client.force_login(showcase.people[who])
    return client


def ask(client: APIClient, showcase: Showcase, method: str, path: str) -> Any:
    """The answer, of which nothing stays."""
    body = BODIES.get(name_of(method, path), {})
    before = transaction.savepoint()
    said = None if method == "get" else body
    answer = getattr(client, method)(address_of(showcase, path), said)
    transaction.savepoint_rollback(before)
    return answer


def test_every_operation_of_the_schema_has_a_line_and_every_line_an_operation() -> None:
    """So that nobody adds an operation without saying whom it is for."""
    found = {name_of(method, path) for method, path, _described in operations()}
    assert found - TABLE.keys() == set(), "Add these to TABLE."
    assert TABLE.keys() - found == set(), "These are gone."


def test_the_schema_names_the_scope_that_the_table_does() -> None:
    """Programs read it there."""
    wrong = {
        name_of(method, path): described["x-key-scope"]
        for method, path, described in operations()
        if described["x-key-scope"] != TABLE[name_of(method, path)][0].replace(NO_KEY, "")
    }
    assert wrong == {}


def test_every_operation_answers_each_role_as_the_table_says(showcase: Showcase) -> None:
    """Sessions; a refusal always has code, sentence and field."""
    wrong = {}
    clients = {who: browser(showcase, who) for who in WHO}
    for method, path, _described in operations():
        answers = [ask(clients[who], showcase, method, path) for who in WHO]
        found = " ".join(str(answer.status_code) for answer in answers)
        if found != TABLE[name_of(method, path)][1]:
            wrong[name_of(method, path)] = found
        for answer in answers:
            if answer.status_code >= 400:
                assert set(answer.json()) == {"code", "detail", "field"}, (method, path)
    assert wrong == {}


def test_a_key_does_what_its_scope_says_and_what_its_owner_may(showcase: Showcase) -> None:
    """Of a player, and of an operator for what is about duties."""
    wrong = {}
    owners = {scope: "operator" if scope == STAFF else "player" for scope in Scope.values}
    keys = {
        scope: program(key_for(showcase.people[owner], scope)) for scope, owner in owners.items()
    }
    for method, path, _described in operations():
        scope, expected = TABLE[name_of(method, path)]
        by_session = dict(zip(WHO, expected.split(), strict=True))
        for own, client in keys.items():
            answer = ask(client, showcase, method, path)
            may = scope in ("", NO_KEY, own)
            wanted = by_session[VISITOR if scope == NO_KEY else owners[own]] if may else "403"
            found = (str(answer.status_code), not may)
            is_out = answer.status_code == 403 and answer.json()["code"] == "out_of_scope"
            if found != (wanted, is_out):
                wrong[name_of(method, path), own] = (*found, wanted)
    assert wrong == {}
