"""What Celery runs for tournaments: a sweep that moves on whichever waits for it."""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime
from typing import Final

from celery import shared_task
from django.db import DatabaseError, close_old_connections, connection

from tournaments.services import progress

AFTER_FAULT: Final = 60.0
"""Seconds before a tournament that failed is tried again by this process."""

log = logging.getLogger(__name__)

_put_aside: dict[int, float] = {}


@shared_task(name="tournaments.run_tournaments")
def run_tournaments() -> int:
    """Open the rounds and settle the tournaments that are ready; how many were moved on.

    A fault of one is logged and the others are moved on.
    """
    try:
        return sum(_moved_on(tournament_id) for tournament_id in progress.waiting_to_go_on())
    except DatabaseError as fault:
        reason = (str(fault).splitlines() or [type(fault).__name__])[0]
        log.error("tournaments cannot reach the database", extra={"fault": reason})
        close_old_connections()
        return 0


def _moved_on(tournament_id: int) -> bool:
    if time.monotonic() < _put_aside.get(tournament_id, 0.0):
        return False
    try:
        return progress.go_on(tournament_id=tournament_id, now=datetime.now(UTC))
    except Exception:
        if not connection.is_usable():
            raise
        log.exception("a tournament does not go on", extra={"tournament": tournament_id})
        _put_aside[tournament_id] = time.monotonic() + AFTER_FAULT
        return False
