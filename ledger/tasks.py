"""Alarms: all look at the database again and do no harm when late, doubled or lost."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from ledger import services


@shared_task(name="ledger.release_expired_holds")
def release_expired_holds() -> int:
    """Give back what was held for too long; how many holds."""
    return services.release_expired(now=timezone.now())


@shared_task(name="ledger.take_checkpoint")
def take_checkpoint() -> str:
    """The hourly checkpoint; its root."""
    return services.take_checkpoint(occasion="hourly", now=timezone.now()).root


@shared_task(name="ledger.check_books")
def check_books() -> int:
    """The daily check of the whole books, kept for the operators' page; how many faults."""
    return services.keep_check(now=timezone.now()).faults
