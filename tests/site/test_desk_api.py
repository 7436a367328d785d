"""The desk over HTTP: for staff who hold the permission, with a key that is for it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from players.models import Scope
from rummy_site.roles import ARBITERS, OPERATORS, ORGANISERS, SUPPORT
from staff.models import StaffAction
from tests.programs import api, key_for, program, staff
from tests.tournaments.test_payouts import for_rupees
from tournaments import money
from tournaments.models import Payout

pytestmark = pytest.mark.django_db

READ = ("payouts/", "approvals/", "actions/")


def desk(path: str = "") -> str:
    """An address of the desk's API."""
    return f"/api/desk/{path}"


def test_an_operator_lists_payouts_audits_one_and_approves_it(settings: Settings) -> None:
    tournament, user = for_rupees(settings), staff(OPERATORS)
    mine = program(key_for(user, Scope.STAFF))
    [row] = mine.get(desk("payouts/"), {"state": "awaiting"}).json()["results"]
    assert (row["tournament"], row["amount"], row["prizes"]) == (tournament.public_id, 1500, 2)
    audit = mine.get(desk(f"payouts/{tournament.public_id}/")).json()
    assert audit["is_sound"] is True
    assert audit["figures"]["pool"] == {"amount": 1500, "transfers": 3}
    assert [part["rule"] for part in audit["prizes"][0]["parts"]] == ["share"]
    [waiting] = mine.get(desk("approvals/")).json()
    said = {"rows": [waiting["row"]], "verb": "approve"}
    answer = mine.post(desk("approvals/"), said, format="json")
    assert answer.json() == [{"row": waiting["row"], "refusal": ""}]
    assert Payout.objects.get(tournament=tournament).approved_by == user.username
    assert money.pool_of(tournament) == 0
    [line] = mine.get(desk("actions/"), {"action": "tournaments.approve_payout"}).json()["results"]
    assert (line["actor_name"], line["subject"]) == (user.username, tournament.public_id)


def test_a_refusal_needs_a_reason_and_what_is_wrong_is_said_of_its_row(settings: Settings) -> None:
    tournament = for_rupees(settings)
    mine = program(key_for(staff(OPERATORS), Scope.STAFF))
    row = f"payout-{tournament.pk}"
    empty = mine.post(desk("approvals/"), {"rows": [row], "verb": "refuse"}, format="json")
    assert (empty.status_code, empty.json()["field"]) == (400, "reason")
    for verb in ("refuse", "ask", "approve"):
        said = {"rows": [row], "verb": verb, "reason": "disputed"}
        [outcome] = mine.post(desk("approvals/"), said, format="json").json()
    assert "neither completed it" in outcome["refusal"]
    assert not StaffAction.objects.filter(action="tournaments.approve_payout").exists()
    assert (
        mine.post(desk("approvals/"), {"rows": ["x-1"], "verb": "ask"}, format="json").json() == []
    )


@pytest.mark.parametrize("role", [ORGANISERS, ARBITERS, SUPPORT, "player"])
def test_other_roles_are_refused_whatever_their_keys_are_for(settings: Settings, role: str) -> None:
    tournament = for_rupees(settings)
    user = User.objects.create_user("pia") if role == "player" else staff(role)
    mine = program(key_for(user, *Scope.values))
    for path in (*READ, f"payouts/{tournament.public_id}/"):
        assert mine.get(desk(path)).status_code == 403, path
    said = {"rows": [f"payout-{tournament.pk}"], "verb": "approve"}
    assert mine.post(desk("approvals/"), said, format="json").status_code == 403
    assert Payout.objects.get(tournament=tournament).state == "awaiting"


@pytest.mark.parametrize("scope", [Scope.READ, Scope.PLAY, Scope.ACCOUNT])
def test_an_operators_key_for_something_else_does_not_open_the_desk(
    settings: Settings, scope: Scope
) -> None:
    tournament = for_rupees(settings)
    mine = program(key_for(staff(OPERATORS), scope))
    for path in (*READ, f"payouts/{tournament.public_id}/"):
        answer = mine.get(desk(path))
        assert (answer.status_code, answer.json()["code"]) == (403, "out_of_scope"), path
    said = {"rows": [f"payout-{tournament.pk}"], "verb": "approve"}
    assert mine.post(desk("approvals/"), said, format="json").status_code == 403


def test_visitors_are_asked_who_they_are_and_unknown_tournaments_are_not_found() -> None:
    assert {api().get(desk(path)).status_code for path in READ} <= {401, 403}
    mine = program(key_for(staff(OPERATORS), Scope.STAFF))
    assert mine.get(desk("payouts/none/")).status_code == 404


def test_the_schema_names_the_desk_with_its_scope() -> None:
    schema = api().get("/api/schema/?format=json").json()
    for path in ("payouts/", "payouts/{public_id}/", "approvals/", "actions/"):
        for operation in schema["paths"][f"/api/desk/{path}"].values():
            assert operation["x-key-scope"] == "staff"
