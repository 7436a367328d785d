"""A real site for the time of a measurement: its processes, its database, nothing left behind."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import psycopg
import redis

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0
STOP_SECONDS = 20.0
COMMIT_SECONDS = 1.0
REDIS_DATABASES = 16

Environment = dict[str, str]


class Site:
    """What the two kinds of site share; a context that leaves no process and no database."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.environment: Environment = dict(os.environ)
        self._processes: list[subprocess.Popen[bytes]] = []
        self._afterwards = ExitStack()

    def __enter__(self) -> Site:
        try:
            self._make_database()
            self._run("manage.py", "migrate", "--run-syncdb", "--verbosity", "0")
        except BaseException:
            self._afterwards.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._afterwards.close()

    def _make_database(self) -> None:
        raise TypeError("Only an embedded site or one on services has a database.")

    def start(self) -> None:
        """Start every process and wait until the web ones answer."""
        raise TypeError("Only an embedded site or one on services can be started.")

    def stop(self) -> None:
        """Ask the processes to end, and end those that do not."""
        for process in self._processes:
            process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        for process in self._processes:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()
        self.addresses.clear()

    @property
    def cpu_seconds(self) -> float:
        """What the web processes have used of a processor so far, 0 where that cannot be read."""
        spent = 0
        for process in self._processes[: len(self.addresses)]:
            with suppress(OSError):
                fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
                spent += int(fields[11]) + int(fields[12])  # in user and in system mode
        return spent / os.sysconf("SC_CLK_TCK")

    def prepare(self, *work: str | int) -> dict[str, Any]:
        """Run `benchmarks.live_parts.prepare`; what it found."""
        done = self._run("-m", "benchmarks.live_parts.prepare", *map(str, work))
        found: dict[str, Any] = json.loads(done)
        return found

    def commits(self) -> float:
        """Bare commits a second: one connection inserts a row and commits, again and again."""
        raise TypeError("Only an embedded site or one on services has a database.")

    def _run(self, *arguments: str) -> bytes:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            check=True,
            stdout=subprocess.PIPE,
        ).stdout

    def _spawn(self, *arguments: str, **environment: str) -> None:
        self._processes.append(
            subprocess.Popen(
                [sys.executable, *arguments],
                cwd=ROOT,
                env=self.environment | environment,
                stdout=subprocess.DEVNULL,
            )
        )

    def _spawn_web(self, *flags: str) -> None:
        port = _free_port()
        self._spawn("manage.py", "serve", "--port", str(port), *flags)
        self.addresses.append(f"127.0.0.1:{port}")

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        for address in self.addresses:
            host, port = address.split(":")
            while socket.socket().connect_ex((host, int(port))) != 0:
                if time.monotonic() > deadline or any(
                    p.poll() is not None for p in self._processes
                ):
                    raise RuntimeError("The site did not start; its messages are above.")
                time.sleep(0.1)


class EmbeddedSite(Site):
    """`manage.py serve` on SQLite: web, sockets, worker and beat in one process."""

    def _make_database(self) -> None:
        folder = self._afterwards.enter_context(tempfile.TemporaryDirectory(prefix="rummy_live_"))
        self._file = str(Path(folder) / "rummy.sqlite3")
        self.environment |= {
            "DJANGO_SETTINGS_MODULE": "benchmarks.live_parts.embedded",
            "BENCHMARK_FILE": self._file,
            "RUMMY_LOG_LEVEL": "ERROR",
        }

    def start(self) -> None:
        """One process."""
        self._spawn_web()
        self._wait()

    def commits(self) -> float:
        """In write-ahead mode with full synchronisation, as the site is opened."""
        connection = sqlite3.connect(self._file, isolation_level=None, timeout=20)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS raw (id INTEGER PRIMARY KEY, text TEXT)")

        def commit() -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO raw (text) VALUES (?)", ("x" * 80,))
            connection.execute("COMMIT")

        rate = _rate(commit)
        connection.close()
        return rate


class ServicesSite(Site):
    """Two `serve --web`, a worker and a beat, on PostgreSQL and Redis."""

    def __init__(self, postgresql: str, redis_url: str) -> None:
        super().__init__()
        self._server = postgresql
        self._redis = redis_url

    def _make_database(self) -> None:
        name = f"rummy_live_{os.getpid()}"
        self._execute(f"CREATE DATABASE {name}")
        self._afterwards.callback(self._execute, f"DROP DATABASE {name} WITH (FORCE)")
        self._database = f"{self._server.rsplit('/', 1)[0]}/{name}"
        self.environment |= {
            "DJANGO_SETTINGS_MODULE": "benchmarks.live_parts.services",
            "BENCHMARK_PREFIX": name,
            "DATABASE_URL": self._database,
            "REDIS_URL": self._empty_redis(),
            "RUMMY_SECRET_KEY": secrets.token_hex(32),
            "RUMMY_HOSTS": "127.0.0.1",
            "RUMMY_LOG_LEVEL": "ERROR",
        }

    def _empty_redis(self) -> str:
        """The address of a database of the Redis server that holds nothing; emptied afterwards."""
        server = self._redis.rsplit("/", 1)[0] if self._redis.count("/") > 2 else self._redis
        for number in reversed(range(1, REDIS_DATABASES)):
            client = redis.Redis.from_url(f"{server}/{number}")
            if client.dbsize() == 0:
                self._afterwards.callback(client.flushdb)
                return f"{server}/{number}"
        raise RuntimeError(
            "Every database of the Redis server is in use; empty one or name another."
        )

    def start(self) -> None:
        """The processes of docs/operations.md, the clock's worker with two of its own."""
        for _ in range(2):
            self._spawn_web("--web")
        celery = ("-m", "celery", "-A", "rummy_site")
        for queue, processes in (("clock", "2"), ("site", "1")):
            worker = ("worker", "-Q", queue, "-n", f"{queue}@%h", "--concurrency", processes)
            self._spawn(*celery, *worker, "--loglevel", "ERROR", RUMMY_WORKER="on")
        self._spawn(*celery, "beat", "--loglevel", "ERROR", RUMMY_WORKER="on")
        self._wait()

    def commits(self) -> float:
        """With the server's own durability."""
        with psycopg.connect(self._database) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS raw (id BIGSERIAL, text TEXT)")
            connection.commit()

            def commit() -> None:
                connection.execute("INSERT INTO raw (text) VALUES (%s)", ("x" * 80,))
                connection.commit()

            return _rate(commit)

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self._server, autocommit=True) as server:
            server.execute(statement)


def _rate(work: Callable[[], object]) -> float:
    """How often a second."""
    begun, done = time.perf_counter(), 0
    while time.perf_counter() < begun + COMMIT_SECONDS:
        work()
        done += 1
    return done / (time.perf_counter() - begun)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class Players:
    """A process of `benchmarks.live_parts.players`; a context that ends with it."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.live_parts.players"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.tell(json.dumps(plan))

    def __enter__(self) -> Players:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def tell(self, line: str) -> None:
        """Give a line of input."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """The next line of output. Raises `RuntimeError` when the process has ended."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("The players gave up; their message is above.")
        found: dict[str, Any] = json.loads(line)
        return found

    def ask(self, *command: str | float) -> dict[str, Any]:
        """Give a command and wait for its answer."""
        self.tell(" ".join(map(str, command)))
        return self.answer()
