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

import ifaddr
import pytest
from django.core.management import CommandError, call_command

from rummy_site import machine, serving

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


def test_a_port_that_is_taken_is_refused_before_anything_is_set_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = int(other.getsockname()[1])
        with pytest.raises(CommandError, match=rf"Port {port} .* make run PORT={port + 1}"):
            call_command("serve", port=port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(CommandError, match=r"has no address 203\.0\.113\.77"):
        call_command("serve", host="203.0.113.77", port=free_port())
    with pytest.raises(CommandError, match=r"has no address nowhere\.invalid"):
        call_command("serve", host="nowhere.invalid", port=free_port())


def test_a_second_site_on_the_same_file_is_refused_and_told_where_the_first_is(
    tmp_path: Path,
) -> None:
    file = tmp_path / "rummy.sqlite3"
    told = rf"already runs, on http://127\.0\.0\.1:8001 \(process {os.getpid()}\)"
    with (
        serving.only_one(file, "http://127.0.0.1:8001"),
        pytest.raises(serving.CannotServe, match=told),
        serving.only_one(file, "http://127.0.0.1:8002"),
    ):
        pass
    with serving.only_one(file, "http://127.0.0.1:8002"):
        pass  # the first one has ended


def test_a_folder_that_cannot_be_written_is_refused_in_words(tmp_path: Path) -> None:
    """A folder that is none, so that it holds for whoever may write everywhere, too."""
    (tmp_path / "var").write_text("")
    with (
        pytest.raises(serving.CannotServe, match="Nothing can be written in"),
        serving.only_one(tmp_path / "var" / "rummy.sqlite3", "http://127.0.0.1:8001"),
    ):
        pass


def test_a_site_for_all_networks_says_what_phones_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "network_addresses", lambda: ["10.42.0.1"])
    own, others = serving.addresses(machine.EVERYWHERE[0], 8000)
    assert (own, others) == ("http://127.0.0.1:8000", "http://10.42.0.1:8000")
    assert serving.addresses("::1", 8000) == ["http://[::1]:8000"]
    assert serving.addresses("localhost", 81) == ["http://localhost:81"]


def test_others_reach_a_machine_by_the_ipv4_addresses_of_its_networks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of all adapters, each address once; not by those that only it knows."""
    addresses = ("127.0.0.1", "10.42.0.1", "192.168.1.7", "9.9.9.9", "10.42.0.1", "224.0.0.1")
    ips = [ifaddr.IP(one, 24, "lan") for one in addresses]
    six = ifaddr.IP(("fe80::1", 0, 0), 64, "lan")
    adapters = [ifaddr.Adapter("lan", "lan", [*ips, six]), ifaddr.Adapter("down", "down", [])]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    assert machine.network_addresses() == ["9.9.9.9", "10.42.0.1", "192.168.1.7"]


def test_no_machine_answers_for_the_network_by_an_address_of_its_own_only() -> None:
    assert not [one for one in machine.network_addresses() if one.startswith("127.")]
    assert {"localhost", "127.0.0.1", socket.gethostname().lower()} <= set(machine.own_names())
