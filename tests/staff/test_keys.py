"""Keys that staff make and revoke for their programs are in the audit log; players' are not."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from players.models import Key
from staff.models import StaffAction
from tests.staff.helpers import member

pytestmark = pytest.mark.django_db

JSON: dict[str, Any] = {"content_type": "application/json"}


def _told() -> list[str]:
    """Actions about keys, in their order."""
    rows = StaffAction.objects.filter(subject_kind="key").order_by("id")
    return list(rows.values_list("action", flat=True))


def _press(client: Client) -> None:
    """Make and revoke keys in every way there is."""
    form = {"name": "Bot", "scopes": ["read"], "days": "30"}
    assert client.post("/account/tokens/", form).status_code == 200
    client.post("/account/tokens/", {"revoke": str(Key.objects.get().pk)})
    sent = {"name": "Bot", "scopes": ["read"], "days": 30}
    assert client.post("/api/tokens/", sent, **JSON).status_code == 201
    assert client.delete(f"/api/tokens/{Key.objects.get().pk}/").status_code == 204
    assert client.post("/api/tokens/", sent, **JSON).status_code == 201
    for _there_are_none_the_second_time in range(2):
        assert client.post("/api/token/revoke/", **JSON).status_code == 204


def test_every_key_that_staff_make_or_revoke_has_a_line(client: Client) -> None:
    """On the page, over the API, and for name and password."""
    client.force_login(member("olga"))
    _press(client)
    made, revoked = "players.make_key", "players.revoke_key"
    assert _told() == [made, revoked, made, revoked, made, revoked]
    first = StaffAction.objects.filter(action=made).order_by("id")[0]
    assert first.after["scopes"] == ["read"]
    assert "token" not in first.after
    named = {"username": "olga", "password": "secret"}
    text = Client().post("/api/token/", named, **JSON).json()["token"]
    assert _told()[-1] == made
    assert text not in str(StaffAction.objects.values())


def test_keys_of_players_have_no_line(client: Client) -> None:
    """The log is of staff."""
    client.force_login(User.objects.create_user("asha", password="secret"))
    _press(client)
    assert _told() == []
