"""The health answer tells a monitor the truth."""

from __future__ import annotations

import logging
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


def test_who_asks_for_a_host_of_somebody_else_writes_no_error_into_the_log(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    assert client.get("/healthz", headers={"host": "other.example"}).status_code == 400
    assert [line for line in caplog.records if line.levelno >= logging.ERROR] == []


def test_health_takes_no_post(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
