"""What Celery runs for players: sending their e-mails."""

from __future__ import annotations

from datetime import UTC, datetime

from celery import shared_task

from players.services import inbox


@shared_task(name=inbox.SEND_TASK)
def send_mail() -> int:
    """Send every e-mail that is due; asked for on commit, and by a sweep for what was lost."""
    return inbox.send_mail(now=datetime.now(UTC))
