"""The ledger's API where the site serves it: by session or by token, own accounts only."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.programs import key_for
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
