"""What reaches over the apps by HTTP: own accounts by session or key, welcome, data, closing."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client

from tests.programs import key_for, program, staff
from tests.tournaments.helpers import FEE, players

pytestmark = pytest.mark.django_db

ACCOUNTS = "/api/ledger/accounts/"


def test_nobody_reads_accounts_without_logging_in(client: Client) -> None:
    assert client.get(ACCOUNTS).status_code in (401, 403)


def test_a_token_shows_its_owners_accounts_and_nobody_elses(client: Client) -> None:
    mine, _ = players(2)
    key = key_for(User.objects.get(pk=mine.pk))
    answer = client.get(ACCOUNTS, headers={"Authorization": f"Token {key}"})
    assert answer.status_code == 200
    owners = [account["owner"] for account in answer.json()["results"]]
    assert owners == [f"player:{mine.pk}"]
    assert str(FEE) in answer.content.decode()


def test_the_schema_describes_the_ledger(client: Client) -> None:
    assert b"/api/ledger/accounts/" in client.get("/api/schema/").content


def test_welcome_points_are_taken_once_and_after_the_address_is_confirmed() -> None:
    person = User.objects.create_user("newcomer", email="new@example.com")
    mine, address = program(key_for(person)), "/api/me/welcome/"
    assert mine.get(address).json() == {"waiting": 10_000, "is_verified": False, "had": False}
    refused = mine.post(address)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_verified")
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    for _again in range(2):
        answer = mine.post(address)
        assert answer.status_code == 200
        assert answer.json() == {"waiting": 0, "is_verified": True, "had": True}
    [account] = mine.get(ACCOUNTS).json()["results"]
    assert account["balance"]["posted"] == 10_000


def test_ones_data_comes_as_one_file_for_a_key_that_is_for_it() -> None:
    [person] = players(1)
    answer = program(key_for(person, "account")).get("/api/me/data/")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        account = json.loads(archive.read("account.json"))
        assert json.loads(archive.read("player.json"))["keys"][0]["scope_list"] == "account"
    assert account["username"] == person.username
    refused = program(key_for(person, "read")).get("/api/me/data/")
    assert (refused.status_code, refused.json()["code"]) == (403, "out_of_scope")


def test_an_account_is_closed_by_who_knows_its_password() -> None:
    person = User.objects.create_user("leaver", password="long enough 7")
    mine = program(key_for(person))
    wrong = mine.post("/api/me/close/", {"password": "guess"})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "wrong_password")
    assert mine.post("/api/me/close/", {}).json()["field"] == "password"
    assert mine.post("/api/me/close/", {"password": "long enough 7"}).status_code == 204
    assert mine.get("/api/me/").status_code == 403
    assert User.objects.get(pk=person.pk).username.startswith("gone-")


def test_an_operators_key_sees_everybodys_accounts_only_if_it_is_for_duties() -> None:
    [player] = players(1)
    operator = staff("operators")
    for scopes, owners in ((("read",), set()), (("read", "staff"), {f"player:{player.pk}"})):
        rows = program(key_for(operator, *scopes)).get(ACCOUNTS).json()["results"]
        assert {row["owner"] for row in rows if row["owner"].startswith("player")} == owners
    balance = "/api/ledger/trial-balance/"
    assert program(key_for(operator, "read")).get(balance).json()["code"] == "out_of_scope"
    assert program(key_for(operator, "staff")).get(balance).status_code == 200
    assert program(key_for(player, "staff")).get(balance).json()["code"] == "forbidden"
