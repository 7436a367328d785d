"""The health answer tells a monitor the truth."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.test import Client


@pytest.mark.django_db
def test_health_is_ok_while_the_database_answers(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok"}
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_health_is_503_when_the_database_is_gone(client: Client) -> None:
    with patch.object(connection, "cursor", side_effect=OperationalError("gone")):
        answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "unreachable"


def test_health_takes_no_post(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
