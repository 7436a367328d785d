"""Worker and beat inside the web process, for a site on one machine with nothing else installed.

Each part runs in a thread of its own, tasks travel through memory, and messages to sockets through
`channel_layer`: a worker in a process of its own could not reach them. A watcher starts a part anew
that has died; one that keeps dying takes the whole site down, since a table without its clock would
stand still unnoticed.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from threading import Event, Thread
from typing import Any, Final, Protocol

from celery import Celery
from celery.beat import EmbeddedService
from celery.worker import state as worker_state

from rummy_site.celery import app as celery_app
from rummy_site.lifespan import WithLifespan, beat, settle_memory
from tables.tasks import watch
from tables.threads import close_threads

THREADS: Final = 3
"""The clock, the run that relieves it, and everything else."""
QUEUES: Final = "clock,site"
LOOK_SECONDS: Final = 1.0
RESTARTS: Final = 3
WITHIN_SECONDS: Final = 60.0
STOP_SECONDS: Final = 10.0

log = logging.getLogger(__name__)


class Part(Protocol):
    """Something that runs beside the web server."""

    name: str

    def start(self) -> None:
        """Begin, or begin anew after it has died."""

    def is_alive(self) -> bool:
        """Whether it runs."""

    def stop(self) -> None:
        """End it and wait until it has ended."""


class Worker:
    """A Celery worker whose tasks run in threads."""

    name = "worker"

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._controller: Any = None
        self._thread: Thread | None = None

    def start(self) -> None:
        """A new controller; Celery's flags of the last one are taken back."""
        worker_state.should_stop = worker_state.should_terminate = None
        self._controller = self._app.WorkController(
            pool="threads",
            concurrency=THREADS,
            queues=QUEUES,
            without_mingle=True,
            without_gossip=True,
            without_heartbeat=True,
        )
        self._thread = Thread(target=self._controller.start, name=self.name, daemon=True)
        self._thread.start()

    def is_alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def stop(self) -> None:
        """Let running tasks end, the clock's at once."""
        if self._thread is None:
            return
        watch.relieve()
        self._controller.stop()
        self._thread.join(STOP_SECONDS)


class Beat:
    """The Celery beat that sends the periodic tasks."""

    name = "beat"

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._service: Any = None

    def start(self) -> None:
        """A new service; without its class named, Celery would take the one that keeps a file."""
        self._service = EmbeddedService(
            self._app, thread=True, scheduler_cls=self._app.conf.beat_scheduler
        )
        self._service.start()

    def is_alive(self) -> bool:
        """Whether its thread runs."""
        return self._service is not None and self._service.is_alive()

    def stop(self) -> None:
        """Wait for its next look at the time, a second at most."""
        if self.is_alive():
            self._service.stop()


class Parts:
    """Starts, watches and stops parts; `give_up` is told in a sentence why the site must end."""

    def __init__(
        self,
        parts: Sequence[Part],
        *,
        give_up: Callable[[str], None],
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        self._parts = parts
        self._give_up = give_up
        self._look_seconds = look_seconds
        self._deaths: dict[str, deque[float]] = {part.name: deque() for part in parts}
        self._ending = Event()
        self._watcher = Thread(target=self._watch, name="watcher", daemon=True)

    def __len__(self) -> int:
        return len(self._parts)

    def start(self) -> None:
        """Start every part and watch over them."""
        for part in self._parts:
            part.start()
            log.info("started", extra={"part": part.name})
        self._watcher.start()

    def stop(self) -> None:
        """Stop every part, the last one started first. Asked again, nothing happens."""
        if self._ending.is_set():
            return
        self._ending.set()
        if self._watcher.is_alive():
            self._watcher.join(STOP_SECONDS)
        for part in reversed(self._parts):
            part.stop()
            log.info("stopped", extra={"part": part.name})

    def _watch(self) -> None:
        while not self._ending.wait(self._look_seconds):
            for part in self._parts:
                if not part.is_alive() and not self._revive(part):
                    return

    def _revive(self, part: Part) -> bool:
        """Start a dead part anew; False when that has been done too often."""
        deaths = self._deaths[part.name]
        deaths.append(time.monotonic())
        while deaths[0] < deaths[-1] - WITHIN_SECONDS:
            deaths.popleft()
        if len(deaths) > RESTARTS:
            self._end(f"The {part.name} died {len(deaths)} times within a minute; see the log.")
            return False
        log.error("died and is started anew", extra={"part": part.name})
        try:
            part.start()
        except Exception as fault:
            log.exception("cannot be started", extra={"part": part.name})
            self._end(f"The {part.name} died and cannot be started: {fault}")
            return False
        return True

    def _end(self, sentence: str) -> None:
        log.critical(sentence)
        self._give_up(sentence)


def worker_and_beat() -> list[Part]:
    """The two parts of a site, in the order of starting."""
    return [Worker(celery_app), Beat(celery_app)]


def with_parts(web: Any, parts: Parts) -> WithLifespan:
    """The site whose parts start before its first request and stop after its last.

    A site without parts is the web process of a site on servers, and beats.
    """

    def start() -> None:
        parts.start()
        settle_memory()

    def stop() -> None:
        parts.stop()
        close_threads()

    return WithLifespan(web, start=start, stop=stop, beside=None if parts else beat)
