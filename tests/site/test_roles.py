"""Four staff groups exist after every migration, and each holds what its work asks for."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, Permission

from rummy_site.roles import ARBITERS, OPERATORS, ORGANISERS, SUPPORT, fill_groups

pytestmark = pytest.mark.django_db


def _held(name: str) -> set[str]:
    """What a group holds, as `app.codename`."""
    rows = Group.objects.get(name=name).permissions.values_list(
        "content_type__app_label", "codename"
    )
    return {f"{app}.{codename}" for app, codename in rows}


def _acting(name: str) -> set[str]:
    """What a group may do beside looking."""
    return {held for held in _held(name) if not held.partition(".")[2].startswith("view_")}


def test_migrating_makes_all_groups() -> None:
    names = set(Group.objects.values_list("name", flat=True))
    assert names >= {ORGANISERS, ARBITERS, OPERATORS, SUPPORT}


def test_operators_look_at_all_money_approve_and_correct_and_do_nothing_else() -> None:
    assert "ledger.view_money" in _held(OPERATORS)
    assert "staff.view_staffaction" in _held(OPERATORS)
    assert _acting(OPERATORS) == {
        "ledger.approve_payouts",
        "ledger.adjust",
        "staff.export_staffaction",
        "players.look_up",
    }


def test_organisers_set_up_and_run_tournaments_and_hold_no_permission_on_money() -> None:
    assert _acting(ORGANISERS) >= {"tournaments.run_tournament", "tables.enter_deals"}
    assert [held for held in _held(ORGANISERS) if held.startswith("ledger.")] == []


def test_arbiters_keep_score_override_and_mute() -> None:
    assert _acting(ARBITERS) == {"tournaments.arbitrate", "tournaments.mute", "tables.enter_deals"}


def test_support_looks_up_players_and_sees_nothing_else() -> None:
    assert _held(SUPPORT) == {"players.look_up"}


@pytest.mark.parametrize("name", [ORGANISERS, ARBITERS, OPERATORS, SUPPORT])
def test_no_role_runs_the_tournaments_of_others_or_deletes_anything(name: str) -> None:
    assert "tournaments.run_every_tournament" not in _held(name)
    assert [held for held in _held(name) if ".delete_" in held] == []


def test_filling_again_keeps_what_a_site_added() -> None:
    group = Group.objects.get(name=OPERATORS)
    extra = Permission.objects.get(content_type__app_label="auth", codename="view_user")
    group.permissions.add(extra)
    before = group.permissions.count()
    fill_groups()
    assert group.permissions.count() == before
    assert extra in group.permissions.all()
