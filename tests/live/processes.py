"""Real processes for tests that kill them: the site's own, a Redis and a PostgreSQL of their own.

Each runs in a folder of its own on a free loopback port, writes its output to a log there, and is
stopped by its own number. The machine's own servers are never touched.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
import redis

ROOT: Final = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS: Final = 60.0


def free_port() -> int:
    """A port of the loopback address that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def until(holds: Callable[[], bool], what: str, patience: float = PATIENCE_SECONDS) -> None:
    """Wait until it holds. Raises `TimeoutError` saying what did not come about."""
    give_up = time.monotonic() + patience
    while not holds():
        if time.monotonic() > give_up:
            raise TimeoutError(f"After {patience:.0f} s: {what}")
        time.sleep(0.05)


def program(name: str, *folders: Path) -> str:
    """Where a program is. Raises `FileNotFoundError` with a sentence if it is nowhere."""
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, folders)])
    found = shutil.which(name, path=path)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed; these tests start one of their own.")
    return found


class Process:
    """One process that may be killed and started again; `user` other than one's own if given."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        folder: Path,
        is_ready: Callable[[], bool],
        environment: Mapping[str, str] | None = None,
        user: str | None = None,
        working_in: Path = ROOT,
    ) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        self._command = list(command)
        self._is_ready = is_ready
        self._environment = dict(environment or os.environ)
        self._user = user
        self._working_in = working_in
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, wait: bool = True) -> None:
        """Start it and wait until it is ready."""
        with self.log.open("ab") as out:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._working_in,
                env=self._environment,
                stdout=out,
                stderr=subprocess.STDOUT,
                user=self._user,
                start_new_session=True,
            )
        if wait:
            self.wait_ready()

    def wait_ready(self) -> None:
        """Wait until it answers. Raises `RuntimeError` with the end of its log if it ended."""

        def ready() -> bool:
            assert self._process is not None
            if self._process.poll() is not None:
                raise RuntimeError(f"{self.name} ended: {self.log.read_text()[-2000:]}")
            return self._is_ready()

        until(ready, f"{self.name} is not ready")

    def suspend(self) -> None:
        """Let it stand still, as a closed lid does."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGCONT)

    def stop(self) -> int:
        """Ask it to end, as a supervisor does, and wait; with which code it ended."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(PATIENCE_SECONDS)

    def kill(self) -> None:
        """Kill -9 it, and the children it would leave behind, which are all of its own session."""
        if self._process is not None:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


@contextmanager
def running(*processes: Process) -> Iterator[None]:
    """Start in this order; kill all in the end, the last one first."""
    try:
        for process in processes:
            process.start()
        yield
    finally:
        for process in reversed(processes):
            process.kill()


def listens(port: int) -> bool:
    """Whether somebody listens on a loopback port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def redis_server(folder: Path) -> tuple[Process, str]:
    """A Redis that keeps its queue through a kill, and its address."""
    port = free_port()
    address = f"redis://127.0.0.1:{port}/0"

    def answers() -> bool:
        try:
            with redis.Redis.from_url(address, socket_timeout=1) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    options = ("--port", str(port), "--bind", "127.0.0.1", "--appendonly", "yes", "--save", "")
    command = [program("redis-server"), *options, "--dir", str(folder)]
    return Process("redis", command, folder=folder, is_ready=answers), address


def postgresql(folder: Path, home: Path) -> tuple[Process, str]:
    """A PostgreSQL cluster that trusts everybody on the loopback address, and its address.

    The server refuses to run as root; then it runs as `postgres`, who gets the folder `home`. That
    must not lie in pytest's, which is root's alone.
    """
    user = "postgres" if os.geteuid() == 0 else None
    port = free_port()
    if user:
        shutil.chown(home, user)
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    subprocess.run(
        [program("initdb", *installed), "-D", str(home), "-U", "postgres", "-A", "trust", "-N"],
        user=user,
        cwd="/",
        check=True,
        stdout=subprocess.DEVNULL,
    )
    options = {
        "port": port,
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "shared_buffers": "32MB",
    }
    arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    address = f"postgres://postgres@127.0.0.1:{port}/postgres"

    def answers() -> bool:
        try:
            psycopg.connect(address, connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    command = [program("postgres", *installed), "-D", str(home), *arguments]
    cluster = Process(
        "postgresql", command, folder=folder, is_ready=answers, user=user, working_in=home
    )
    return cluster, address
