"""What Celery runs for tournaments: a sweep that moves on whichever waits for it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final

from celery import shared_task
from django.db import DatabaseError, close_old_connections, connection

from tournaments.services import (
    payments,
    progress,
    ratings,
    reminding,
    schedules,
    sweep,
    tickets,
)

AFTER_FAULT: Final = 60.0
"""Seconds before a tournament that failed is tried again by this process."""

log = logging.getLogger(__name__)

_put_aside: dict[tuple[str, int], float] = {}
"""Until when, by what is to be done and for which row."""


@shared_task(name="tournaments.run_tournaments")
def run_tournaments() -> int:
    """Make what schedules ask for, do what is due, open rounds and settle; how many steps.

    A fault of one is logged and the others are moved on.
    """
    now = datetime.now(UTC)
    try:
        acted = _all("make", schedules.due_schedules(now=now), _make)
        acted += _all("act", sweep.due_tournaments(now=now), _act)
        acted += _all("go on", progress.waiting_to_go_on(), _go_on)
        acted += _all("pay", payments.waiting_to_be_paid(), _pay)
        acted += ratings.rate_due(now=now)
        return acted + tickets.pay_out_unused(now=now)
    except DatabaseError as fault:
        reason = (str(fault).splitlines() or [type(fault).__name__])[0]
        log.error("tournaments cannot reach the database", extra={"fault": reason})
        close_old_connections()
        return 0


def _make(schedule_id: int) -> int:
    return schedules.make_of(schedule_id=schedule_id, now=datetime.now(UTC))


def _act(tournament_id: int) -> int:
    return sweep.act_on(tournament_id=tournament_id, now=datetime.now(UTC))


def _go_on(tournament_id: int) -> int:
    return progress.go_on(tournament_id=tournament_id, now=datetime.now(UTC))


def _pay(tournament_id: int) -> int:
    return payments.pay_due(tournament_id=tournament_id, now=datetime.now(UTC)).made


def _all(what: str, rows: Iterable[int], step: Callable[[int], int]) -> int:
    return sum(_moved_on(what, row, step) for row in rows)


def _moved_on(what: str, row: int, step: Callable[[int], int]) -> int:
    if time.monotonic() < _put_aside.get((what, row), 0.0):
        return 0
    try:
        return step(row)
    except Exception:
        if not connection.is_usable():
            raise
        log.exception("a tournament does not go on", extra={"tournament": row, "step": what})
        _put_aside[what, row] = time.monotonic() + AFTER_FAULT
        return 0


@shared_task(name="tournaments.send_reminders")
def send_reminders() -> int:
    """Remind players of starts whose time has come; how many."""
    return reminding.remind_due(now=datetime.now(UTC))
