"""Letters: e-mails about an account, written in a request and sent by a task after it.

A letter holds a link that opens an account, so it is kept nowhere: it goes through the queue, and
while there is no queue it is sent at once. What a player is told of his play is in the inbox.
"""

from __future__ import annotations

from typing import Final

import msgspec
from celery import current_app
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from kombu.exceptions import OperationalError

SEND_TASK: Final = "players.send_letter"


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """One e-mail; `html` is empty for plain text alone."""

    subject: str
    text: str
    html: str
    sender: str
    to: tuple[str, ...]


def post(letter: Letter) -> None:
    """Have a letter sent once the running transaction has committed."""
    transaction.on_commit(lambda: _ask(letter), robust=True)


def _ask(letter: Letter) -> None:
    try:
        # What the letter says stays out of logs and of what watches the queue.
        current_app.send_task(
            SEND_TASK, kwargs={"letter": msgspec.to_builtins(letter)}, kwargsrepr="{a letter}"
        )
    except OperationalError:
        send(letter)


def send(letter: Letter) -> None:
    """Send a letter now. Raises `OSError` where the mail server does not take it."""
    message = EmailMultiAlternatives(letter.subject, letter.text, letter.sender, list(letter.to))
    if letter.html:
        message.attach_alternative(letter.html, "text/html")
    message.send()
