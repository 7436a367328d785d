"""What Celery runs for the tables: the clock, and tidying up behind sockets that died.

Celery beat sends `run_clock` each second. One run acts on everything due and sleeps to each next
deadline, until the next run relieves it. No rule and no deadline lives here.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Event, Lock
from typing import Final

from celery import shared_task
from django.db import DatabaseError, close_old_connections

from tables.services import alarms, bot_turns, connections, heartbeat

SPAN_SECONDS: Final = 1.5
"""How long a run goes on if none relieves it."""
SHORTEST_SLEEP: Final = 0.005
LONGEST_SLEEP: Final = 0.5
"""A deadline nearer than this may be set by a move meanwhile; none is in play."""
BOTS_EVERY: Final = 0.25
PATIENCE: Final = 0.1
"""A run that waits to relieve another looks so often whether it has been relieved itself."""

log = logging.getLogger(__name__)


class Watch:
    """In one process one run keeps the watch; the next one relieves it, so there is no gap."""

    def __init__(self) -> None:
        self._duty = Lock()
        self._guard = Lock()
        self._newest = Event()

    @contextmanager
    def kept(self) -> Iterator[Event]:
        """Relieve the run before and keep the watch; the event is set when one is relieved.

        Who is relieved while still waiting for the one before never comes to it.
        """
        relieved = Event()
        with self._guard:
            self._newest.set()
            self._newest = relieved
        while not self._duty.acquire(timeout=PATIENCE):
            if relieved.is_set():
                yield relieved
                return
        try:
            yield relieved
        finally:
            self._duty.release()

    def relieve(self) -> None:
        """Let the run that keeps the watch end now, as when the process stops."""
        self._newest.set()


watch: Final = Watch()


@shared_task(name="tables.run_clock")
def run_clock() -> int:
    """Keep the watch over all deadlines for about a second; how many were acted on."""
    try:
        with watch.kept() as relieved:
            return _keep(relieved, time.monotonic() + SPAN_SECONDS)
    except DatabaseError as fault:
        log.error("the clock cannot reach the database", extra={"fault": _first_line(fault)})
        close_old_connections()
        return 0


@shared_task(name="tables.drop_unseen_sockets")
def drop_unseen_sockets() -> int:
    """Take players offline whose sockets died with their process; how many sockets there were."""
    try:
        return connections.drop_unseen(now=now())
    except DatabaseError as fault:
        log.error("dead sockets stay for now", extra={"fault": _first_line(fault)})
        close_old_connections()
        return 0


def now() -> datetime:
    """The server's time, read at the edge only."""
    return datetime.now(UTC)


def _keep(relieved: Event, until: float) -> int:
    acted, bots_at = 0, 0.0
    while not relieved.is_set() and time.monotonic() < until:
        moment = now()
        if heartbeat.beat(now=moment) is None:
            relieved.wait(SPAN_SECONDS)  # nobody can play
            continue
        done = alarms.act_on_due(now=moment)
        if time.monotonic() >= bots_at:
            moment = now()
            heartbeat.beat(now=moment)
            moved = bot_turns.move_bots(now=moment)
            done += moved
            bots_at = time.monotonic() + (0 if moved else BOTS_EVERY)
        acted += done
        if not done:
            relieved.wait(min(_ahead(), *(at - time.monotonic() for at in (bots_at, until))))
    return acted


def _ahead() -> float:
    """Seconds to the next deadline, within bounds."""
    due = alarms.next_due()
    seconds = LONGEST_SLEEP if due is None else (due - now()).total_seconds()
    return min(max(seconds, SHORTEST_SLEEP), LONGEST_SLEEP)


def _first_line(fault: Exception) -> str:
    return (str(fault).splitlines() or [type(fault).__name__])[0]
