"""Two staff groups exist after every migration, and operators only look."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, Permission

from rummy_site.roles import OPERATORS, ORGANISERS, fill_groups

pytestmark = pytest.mark.django_db


def test_migrating_makes_both_groups() -> None:
    assert set(Group.objects.values_list("name", flat=True)) >= {ORGANISERS, OPERATORS}


def test_operators_look_at_the_ledger_and_change_nothing() -> None:
    names = Group.objects.get(name=OPERATORS).permissions.values_list("codename", flat=True)
    assert [name for name in names if not name.startswith("view_")] == []


def test_organisers_hold_no_permission_on_money() -> None:
    granted = Group.objects.get(name=ORGANISERS).permissions
    assert not granted.filter(content_type__app_label="ledger").exists()


def test_filling_again_keeps_what_a_site_added() -> None:
    group = Group.objects.get(name=OPERATORS)
    extra = Permission.objects.get(content_type__app_label="auth", codename="view_user")
    group.permissions.add(extra)
    before = group.permissions.count()
    fill_groups()
    assert group.permissions.count() == before
    assert extra in group.permissions.all()
