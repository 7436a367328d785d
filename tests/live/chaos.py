"""Sites whose processes are killed: in one process, and on servers; and the people at their tables.

A site has a database of its own and a desk (see `chaos_desk`) that looks into it.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import WebSocketException

from tables.rules.commands import Drop
from tests.live.client import Player
from tests.live.processes import (
    PATIENCE_SECONDS,
    ROOT,
    Process,
    free_port,
    postgresql,
    redis_server,
)

DOWN_SECONDS: Final = 6
"""How long things stay killed: longer than the clock's grace."""

SETTINGS: Final = """
from rummy_site.settings.dev import *
DATABASES["default"]["NAME"] = {database!r}
"""


class Desk:
    """The desk of a site, asked from the test."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self._log = log
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.live.chaos_desk"],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=out,
                text=True,
            )

    def ask(self, do: str, **order: Any) -> dict[str, Any]:
        """Have something done. Raises `RuntimeError` with the desk's log if it failed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do} | order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The desk ended: {self._log.read_text()[-2000:]}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def wait_for_clock(self) -> None:
        """Return once the clock of the site has begun to beat. Raises `TimeoutError`."""
        give_up = time.monotonic() + PATIENCE_SECONDS
        while not self.ask("clock")["beats"]:
            if time.monotonic() > give_up:
                raise TimeoutError
            time.sleep(0.1)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


class Site:
    """A site in a folder: its processes, its environment, its desk."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.port = free_port()

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"127.0.0.1:{self.port}"

    def manage(self, *arguments: str) -> None:
        """Run a management command."""
        subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            check=True,
            timeout=120,
        )

    def desk(self) -> Desk:
        """A desk for it."""
        return Desk(self.environment | {"RUMMY_WORKER": "on"}, self.folder / "desk.log")

    def serve(self, *options: str) -> Process:
        """Its web process; without options worker and beat run inside."""
        return Process(
            "web",
            [sys.executable, "manage.py", "serve", "--port", str(self.port), *options],
            folder=self.folder,
            environment=self.environment,
            is_ready=self._answers,
        )

    def celery(self, name: str, *arguments: str) -> Process:
        """A Celery process; it counts as ready at once, the match shows whether it works."""
        return Process(
            name,
            [sys.executable, "-m", "celery", "-A", "rummy_site", *arguments],
            folder=self.folder,
            environment=self.environment | {"RUMMY_WORKER": "on"},
            is_ready=lambda: True,
        )

    def _answers(self) -> bool:
        with suppress(OSError):
            return self.page("/healthz") == 200
        return False

    def page(self, path: str, token: str = "") -> int:
        """The status of an answer, asked for as the proxy does that ends TLS."""
        headers = {"X-Forwarded-Proto": "https"}
        if token:
            headers["Authorization"] = f"Token {token}"
        asked = urllib.request.Request(f"http://{self.address}{path}", headers=headers)
        try:
            with urllib.request.urlopen(asked, timeout=5) as answer:  # noqa: S310 - our own site
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code


def embedded_site(folder: Path) -> Site:
    """A site in one process with a SQLite file."""
    database = folder / "own.sqlite3"
    (folder / "own_settings.py").write_text(SETTINGS.format(database=str(database)))
    path = os.pathsep.join([str(folder), str(ROOT)])
    site = Site(folder, os.environ | {"DJANGO_SETTINGS_MODULE": "own_settings", "PYTHONPATH": path})
    site.manage("migrate", "-v0")
    return site


class ServerSite(Site):
    """A site on servers: web, worker, beat, Redis and PostgreSQL, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.redis, redis_url = redis_server(folder)
        self._home = tempfile.TemporaryDirectory(prefix="rummy_cluster_")
        self.postgresql, database_url = postgresql(folder, Path(self._home.name))
        settings = {
            "DJANGO_SETTINGS_MODULE": "rummy_site.settings.prod",
            "RUMMY_SECRET_KEY": "only-for-a-site-that-is-killed-4f1c9ab27de85063-QwErTyUiOp",
            "RUMMY_HOSTS": "127.0.0.1",
            "RUMMY_BEHIND_PROXY": "on",
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
        }
        super().__init__(folder, os.environ | settings)
        self.web = self.serve("--web")
        self.worker = self.celery(
            "worker", "worker", "--pool", "threads", "-c", "3", "-Q", "clock,site", "-l", "INFO"
        )
        self.beat = self.celery("beat", "beat", "-l", "INFO")

    def remove(self) -> None:
        """Remove the cluster's files, once nothing runs any more."""
        self._home.cleanup()


class Table:
    """People at one table of a site, and what the database says of their match."""

    def __init__(self, site: Site, desk: Desk, opened: dict[str, Any]) -> None:
        self.match: int = opened["match"]
        self.table: str = opened["table"]
        self._desk = desk
        self.players = [
            Player(site.address, opened["table"], {"Authorization": f"Token {token}"})
            for token in opened["tokens"]
        ]

    def facts(self) -> dict[str, Any]:
        """What the database says."""
        return self._desk.ask("facts", match=self.match)

    def deal(self) -> dict[str, Any]:
        """What the database says of the last deal."""
        last: dict[str, Any] = self.facts()["deals"][-1]
        return last

    async def sit_down(self) -> None:
        """Connect everybody, again where the connection was lost, trying until it works."""
        for player in self.players:
            await _patiently(player.close)
            await _patiently(player.open)
            await player.next()

    async def until_dealt(self) -> None:
        """Wait for the next deal at every seat."""
        for player in self.players:
            while player.view is None or player.view.is_over:
                await player.next()

    async def mover(self) -> Player:
        """Who has to act, once everybody has heard of it; the first of several who declare."""
        deal = self.deal()
        for player in self.players:
            while player.deal != deal["id"] or player.version < deal["version"]:
                await player.next()
        return next(player for player in self.players if player.must_act)

    async def move(self) -> dict[str, Any]:
        """Whoever has to act does something sensible; the answer."""
        mover = await self.mover()
        return await mover.act(mover.think())

    async def to_the_end(self) -> dict[str, Any]:
        """Everybody drops where he may, else plays, until the match is over; the facts then."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (facts := self.facts())["status"] != "over":
                if facts["status"] == "playing":
                    mover = await self.mover()
                    await mover.act(_shortest(mover))
                elif facts["status"] == "dealing":
                    self._desk.ask("deal_now", match=self.match)
                else:
                    await self._say_no()
        return facts

    async def _say_no(self) -> None:
        for player in self.players:
            await player.send({"type": "rejoin", "yes": False})
        await asyncio.sleep(0.1)

    def books(self) -> dict[str, Any]:
        """What the ledger says of the match's tournament."""
        return self._desk.ask("books", match=self.match)

    async def hang_up(self) -> None:
        """Everybody goes."""
        for player in self.players:
            await player.close()


def _shortest(mover: Player) -> dict[str, Any]:
    """The frame that ends a deal soonest."""
    if any(isinstance(command, Drop) for command in mover.legal):
        return {"type": "drop", "id": mover.new_id(), "seen": mover.version}
    return mover.think()


async def _patiently(act: Callable[[], Awaitable[object]]) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            await act()
        except (OSError, WebSocketException, TimeoutError):
            if time.monotonic() > give_up:
                raise
            await asyncio.sleep(0.2)
        else:
            return


def assert_sound(facts: dict[str, Any]) -> None:
    """No card is lost, no command acted twice, no turn ran out twice."""
    for deal in facts["deals"]:
        assert deal["faults"] == []
        assert deal["twice"] == []
        ran_out = 0
        for kind in deal["kinds"]:
            ran_out = 0 if kind == "turn_started" else ran_out + (kind == "turn_missed")
            assert ran_out <= 1, deal["kinds"]
