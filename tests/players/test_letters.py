"""Letters about an account are sent by a task, after the request, and are not lost on the way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from celery import current_app
from django.db import transaction
from django.test import Client
from django.urls import reverse
from kombu.exceptions import OperationalError

from players.services import letters
from players.tasks import send_letter

pytestmark = pytest.mark.django_db

Committing = Callable[..., AbstractContextManager[Any]]
NEW = {"username": "asha", "email": "asha@club.example", "password1": "open-deck-7"}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The letters that tasks were asked to send."""
    found: list[dict[str, Any]] = []

    def noted(name: str, *, kwargs: dict[str, Any], kwargsrepr: str) -> None:
        assert name == letters.SEND_TASK
        assert kwargs["letter"]["text"] not in kwargsrepr
        found.append(kwargs)

    monkeypatch.setattr(current_app, "send_task", noted)
    return found


def a_letter() -> letters.Letter:
    return letters.Letter(
        subject="Hello", text="a link", html="<p>a link</p>", sender="site@x", to=("asha@x",)
    )


def test_signing_up_sends_its_letter_by_a_task_with_all_that_it_says(
    client: Client,
    asked: list[dict[str, Any]],
    mailoutbox: list[Any],
    django_capture_on_commit_callbacks: Committing,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("account_signup"), NEW)
        assert (asked, mailoutbox) == ([], [])
    [wanted] = asked
    assert mailoutbox == []
    send_letter.apply(kwargs=wanted, throw=True)
    [sent] = mailoutbox
    assert sent.to == [NEW["email"]]
    assert "http" in sent.body
    assert sent.subject


def test_what_is_undone_sends_no_letter(
    asked: list[dict[str, Any]], django_capture_on_commit_callbacks: Committing
) -> None:
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        letters.post(a_letter())
        transaction.set_rollback(True)
    assert asked == []


def test_without_a_queue_a_letter_is_sent_at_once(
    monkeypatch: pytest.MonkeyPatch,
    mailoutbox: list[Any],
    django_capture_on_commit_callbacks: Committing,
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(current_app, "send_task", away)
    with django_capture_on_commit_callbacks(execute=True):
        letters.post(a_letter())
    [sent] = mailoutbox
    assert (sent.body, sent.alternatives[0].mimetype) == ("a link", "text/html")


def test_a_mail_server_that_was_away_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, asked: list[dict[str, Any]]
) -> None:
    tries = [ConnectionRefusedError(), None]
    sent: list[letters.Letter] = []

    def send(letter: letters.Letter) -> None:
        if fault := tries.pop(0):
            raise fault
        sent.append(letter)

    monkeypatch.setattr(letters, "send", send)
    letters._ask(a_letter())
    send_letter.apply(kwargs=asked[0])
    assert (sent, tries) == ([a_letter()], [])
