"""The site in one process: web, worker and beat start, are watched, and stop together."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.core.management import CommandError, call_command

from rummy_site.celery import app as site_app
from rummy_site.embedded import RESTARTS, Beat, Part, Parts, Worker
from rummy_site.lifespan import WithLifespan
from tests.site.test_serve import ROOT, free_port, wait_for

PATIENCE_SECONDS = 60


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether it comes true within a minute."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.05)
    return True


class Frail:
    """A part that is dead whenever one looks, until it has been started so many times."""

    def __init__(self, name: str, *, deaths: int = 0, log: list[str] | None = None) -> None:
        self.name = name
        self.deaths = deaths
        self.log = [] if log is None else log
        self.starts = 0

    def start(self) -> None:
        self.starts += 1
        self.log.append(f"start {self.name}")

    def is_alive(self) -> bool:
        return self.starts > self.deaths

    def stop(self) -> None:
        self.log.append(f"stop {self.name}")


@contextmanager
def running(*parts: Part) -> Iterator[list[str]]:
    """Watched parts, and the sentences with which they gave up."""
    sentences: list[str] = []
    watched = Parts(parts, give_up=sentences.append, look_seconds=0.01)
    watched.start()
    try:
        yield sentences
    finally:
        watched.stop()
        watched.stop()


def test_parts_start_in_order_and_stop_once_in_the_order_turned_round() -> None:
    log: list[str] = []
    with running(Frail("a", log=log), Frail("b", log=log)):
        pass
    assert log == ["start a", "start b", "stop b", "stop a"]


def test_a_part_that_dies_is_started_anew() -> None:
    frail, sound = Frail("worker", deaths=2), Frail("beat")
    with running(frail, sound) as sentences:
        assert eventually(lambda: frail.starts == 3)
        time.sleep(0.05)
    assert (frail.starts, sound.starts, sentences) == (3, 1, [])


def test_a_part_that_keeps_dying_takes_the_site_down_with_a_plain_sentence() -> None:
    frail = Frail("worker", deaths=99)
    with running(frail) as sentences:
        assert eventually(lambda: bool(sentences))
        time.sleep(0.05)
    assert sentences == ["The worker died 4 times within a minute; see the log."]
    assert frail.starts == 1 + RESTARTS


def test_a_part_that_cannot_be_started_again_takes_the_site_down() -> None:
    class Broken(Frail):
        def start(self) -> None:
            super().start()
            if self.starts > 1:
                raise OSError("no more threads")

    with running(Broken("beat", deaths=99)) as sentences:
        assert eventually(lambda: bool(sentences))
    assert sentences == ["The beat died and cannot be started: no more threads"]


@pytest.fixture
def pings() -> Iterator[tuple[Celery, list[float]]]:
    """A Celery application that is sent a ping every fifth of a second, and when they ran."""
    app = Celery("pings", broker="memory://localhost/", fixups=[], set_as_current=False)
    ran: list[float] = []
    app.conf.update(
        beat_scheduler="celery.beat.Scheduler",
        beat_schedule={
            "ping": {"task": "ping", "schedule": 0.2, "options": {"queue": "clock", "expires": 5}}
        },
        broker_transport_options={"polling_interval": 0.05},
        worker_hijack_root_logger=False,
    )

    @app.task(name="ping", ignore_result=True)
    def ping() -> None:
        ran.append(time.monotonic())

    # Threads of a pool ask for the default application, in a site the only one.
    app.set_default()
    yield app, ran
    site_app.set_default()
    app.close()


def test_worker_and_beat_run_tasks_in_threads_and_a_worker_that_ends_is_replaced(
    pings: tuple[Celery, list[float]],
) -> None:
    app, ran = pings
    worker, beat = Worker(app), Beat(app)
    with running(worker, beat) as sentences:
        assert eventually(lambda: len(ran) >= 2)
        worker._controller.stop()
        assert eventually(worker.is_alive)
        before = len(ran)
        assert eventually(lambda: len(ran) >= before + 2)
    assert (worker.is_alive(), beat.is_alive(), sentences) == (False, False, [])
    after = len(ran)
    time.sleep(0.5)
    assert len(ran) == after


def test_what_was_never_started_may_be_stopped(pings: tuple[Celery, list[float]]) -> None:
    for part in (Worker(pings[0]), Beat(pings[0])):
        part.stop()
        assert not part.is_alive()


async def test_a_start_that_fails_is_told_to_the_server() -> None:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, str]:
        return {"type": "lifespan.startup"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    def fail() -> None:
        raise OSError("no more threads")

    site = WithLifespan(None, start=fail, stop=lambda: None)
    await site({"type": "lifespan"}, receive, send)
    assert sent == [{"type": "lifespan.startup.failed", "message": "no more threads"}]


def test_settings_with_a_broker_of_their_own_are_served_as_web_only(settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1/0"
    with pytest.raises(CommandError, match="serve --web"):
        call_command("serve")


# A site of its own, in a process of its own.

SETTINGS = """
from rummy_site.settings.dev import *
DATABASES["default"]["NAME"] = {database!r}
"""
TABLES = """
import django; django.setup()
from django.utils import timezone
from msgspec.structs import replace
from tables import services
from tables.rules.formats import format_named
from tables.rules.profiles import profile_named
from tables.rules.terms import ClockTerms
from tests.tables.helpers import players, secret_for
def table(number, bot):
    places = tuple(services.Place(user.pk, bot) for user in players(2))
    return services.TableSpec(number=number, label=f"club/table-{number}", places=places)
services.open_matches(
    owner="club:1", tables=[table(1, "random_legal"), table(2, "")],
    options=format_named("deals"), profile=profile_named("rummycircle"),
    clock=ClockTerms(turn_seconds=1, declare_seconds=2, extra_seconds=0),
    secret_for=secret_for, now=timezone.now(),
)
"""


class OwnSite:
    """A site in a folder, with a table of bots and one whose players are away."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "own.sqlite3"
        self.folder = folder
        (folder / "own_settings.py").write_text(SETTINGS.format(database=str(self.database)))
        self.environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "own_settings",
            "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
        }
        self._run("manage.py", "migrate", "-v0")
        self._run("-c", TABLES)

    def _run(self, *arguments: str) -> None:
        command = [sys.executable, *arguments]
        subprocess.run(command, cwd=ROOT, env=self.environment, check=True, timeout=120)

    @contextmanager
    def served(self, log: str) -> Iterator[subprocess.Popen[str]]:
        """The process that serves it, once it answers; it writes to that file of the folder."""
        port = free_port()
        with (self.folder / log).open("w") as out:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(port)],
                cwd=ROOT,
                env=self.environment,
                stdout=out,
                stderr=subprocess.STDOUT,
                text=True,
            )
            try:
                assert wait_for(f"http://127.0.0.1:{port}/healthz", process) == 200
                yield process
            finally:
                process.kill()
                process.wait()

    def count(self, kind: str) -> int:
        """How many events of this kind all deals have."""
        with closing(sqlite3.connect(self.database)) as connection:
            query = "SELECT count(*) FROM tables_dealevent WHERE kind = ?"
            return int(connection.execute(query, [kind]).fetchone()[0])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> OwnSite:
    """Made once; each test serves it anew."""
    return OwnSite(tmp_path_factory.mktemp("site"))


def test_a_site_in_one_process_deals_moves_and_times_out_survives_a_kill_and_stops(
    site: OwnSite,
) -> None:
    with site.served("killed") as process:
        assert eventually(lambda: site.count("card_discarded") >= 2)
        assert eventually(lambda: site.count("turn_missed") >= 2)
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE_SECONDS)
    before = site.count("card_drawn"), site.count("turn_missed")
    with site.served("stopped") as process:
        assert eventually(lambda: site.count("card_drawn") > before[0])
        assert eventually(lambda: site.count("turn_missed") > before[1])
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 0
    log = (site.folder / "stopped").read_text()
    assert log.count('said="stopped" part=worker') == log.count('said="stopped" part=beat') == 1
    assert "Traceback" not in log + (site.folder / "killed").read_text()


def test_stopped_twice_by_an_impatient_hand_it_still_ends_without_a_fault(site: OwnSite) -> None:
    with site.served("hurried") as process:
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_SECONDS)
    log = (site.folder / "hurried").read_text()
    assert "Traceback" not in log
    assert 'said="stopped" part=worker' in log
