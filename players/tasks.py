"""What Celery runs for players: sending their e-mails and letters."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from celery import shared_task

from players.services import inbox, letters


@shared_task(name=inbox.SEND_TASK)
def send_mail() -> int:
    """Send every e-mail that is due; asked for on commit, and by a sweep for what was lost."""
    return inbox.send_mail(now=datetime.now(UTC))


@shared_task(
    name=letters.SEND_TASK,
    autoretry_for=(OSError,),
    retry_backoff=15,
    retry_backoff_max=900,
    max_retries=8,
    acks_late=True,
)
def send_letter(letter: dict[str, Any]) -> None:
    """Send a letter; a mail server that is away is tried again for the better part of an hour."""
    letters.send(msgspec.convert(letter, letters.Letter))
