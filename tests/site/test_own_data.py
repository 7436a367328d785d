"""Taking one's data along, and oneself away, with everything that must stay."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from players.models import Notice, Profile
from players.selectors.keys import key_of
from rummy_site.own_data import CannotClose, close_account
from tables.services.alarms import act_on_due
from tests.pages import text_of
from tests.programs import key_for
from tests.tournaments.helpers import NOW, a_tournament, join, leave, players
from tests.tournaments.test_quick import sit
from tournaments.models import Entry

pytestmark = pytest.mark.django_db

PASSWORD = "four kings and a joker"


def somebody() -> User:
    """A player with points and a password."""
    [person] = players(1)
    person.set_password(PASSWORD)
    person.email = "somebody@club.test"
    person.save()
    return person


def files_of(person: User) -> dict[str, Any]:
    client = Client()
    client.force_login(person)
    answer = client.get("/account/data/download/")
    assert answer["Content-Type"] == "application/zip"
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def refusal_of(person: User, password: str = PASSWORD) -> str:
    with pytest.raises(CannotClose) as refusal:
        close_account(user_id=person.pk, password=password)
    person.refresh_from_db()
    assert person.is_active
    return refusal.value.code


def test_a_player_takes_along_account_entries_statement_and_inbox() -> None:
    person = somebody()
    join(a_tournament(name="Spring cup"), person)
    found = files_of(person)
    assert found["account.json"]["email"] == "somebody@club.test"
    assert [entry["tournament__name"] for entry in found["entries.json"]] == ["Spring cup"]
    assert [notice["kind"] for notice in found["player.json"]["inbox"]] == ["registered"]
    lines = found["statement-PLAY.json"]
    assert lines[-1]["balance"] == lines[-1]["amount"] > 0
    assert all("other_owner" not in line for line in lines)


def test_a_deal_comes_along_without_the_cards_that_its_player_may_not_see() -> None:
    person = somebody()
    sit(person, with_bots=True)
    act_on_due(now=NOW + timedelta(seconds=10))
    found = files_of(person)
    [deal] = found["deals-0001.json"]["deals"]
    [dealt] = [event for event in deal["events"] if "hands" in event]
    seen = [len(set(hand)) > 1 for _, hand in dealt["hands"]]
    assert sorted(seen) == [False, True]
    assert not any(name.startswith("deals") for name in files_of(players(1)[0]))


def test_nobody_downloads_without_a_log_in(client: Client) -> None:
    for address in ("/account/data/", "/account/data/download/"):
        assert client.get(address).status_code == 302


def test_who_is_still_entered_cannot_close_his_account_until_he_has_left() -> None:
    person = somebody()
    tournament = a_tournament()
    join(tournament, person)
    assert refusal_of(person) == "still_entered"
    leave(tournament, person)
    close_account(user_id=person.pk, password=PASSWORD)
    person.refresh_from_db()
    assert not person.is_active


def test_a_wrong_password_closes_nothing_and_is_said_beside_its_field(client: Client) -> None:
    person = somebody()
    assert refusal_of(person, "guess") == "wrong_password"
    client.force_login(person)
    answer = client.post("/account/data/", {"password": "guess"})
    assert answer.status_code == 409
    assert "This is not your password." in text_of(answer.content.decode())


def test_staff_do_not_close_their_accounts_themselves() -> None:
    person = somebody()
    User.objects.filter(pk=person.pk).update(is_staff=True)
    assert refusal_of(person) == "is_staff"


def test_a_closed_account_names_nobody_and_lets_nobody_in(client: Client) -> None:
    person = somebody()
    name = person.username
    Profile.objects.create(user=person, zone="Asia/Kolkata")
    key = key_for(person)
    tournament = a_tournament()
    join(tournament, person)
    leave(tournament, person)
    client.force_login(person)
    assert client.post("/account/data/", {"password": PASSWORD})["Location"] == "/"
    person.refresh_from_db()
    assert person.username.startswith("gone-")
    assert (person.first_name, person.last_name, person.email) == ("", "", "")
    assert not person.has_usable_password()
    assert not Profile.objects.filter(user=person).exists()
    assert not Notice.objects.filter(player=person).exists()
    assert key_of(key, timezone.now()) is None
    assert Entry.objects.filter(player=person).exists()
    assert client.get("/wallet/").status_code == 302
    assert not client.login(username=name, password=PASSWORD)
