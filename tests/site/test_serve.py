"""`manage.py serve` is a whole site in one process that stops when it is told to."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_for(address: str, process: subprocess.Popen[str]) -> int:
    """The status of the first answer."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:  # noqa: S310 - our own
                return int(answer.status)
        except OSError:
            if process.poll() is not None or time.monotonic() > give_up:
                raise
            time.sleep(0.1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_site_serves_and_stops_on_a_signal(number: signal.Signals, tmp_path: Path) -> None:
    port = free_port()
    log = tmp_path / "log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "rummy_site.settings.test",
                "DATABASE_URL": "",
                "TMPDIR": str(tmp_path),
            },
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            assert wait_for(f"http://127.0.0.1:{port}/healthz", process) == 200
            assert wait_for(f"http://127.0.0.1:{port}/login/", process) == 200
            process.send_signal(number)
            process.wait(PATIENCE_SECONDS)
        finally:
            process.kill()
            process.wait()
    text = log.read_text()
    assert f"The site is on http://127.0.0.1:{port}" in text
    assert "Shutting down" in text
    assert "Traceback" not in text


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_does_not_exist_is_refused(port: int) -> None:
    with pytest.raises(CommandError, match="from 1 to 65535"):
        call_command("serve", port=port)
