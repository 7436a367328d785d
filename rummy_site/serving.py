"""What `manage.py serve` has to know of its machine before it opens anything.

Its addresses, whether its port is free, and that it is the only one: a site in one process sends
messages through its memory, so a second process on the same file would not hear the first.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rummy_site.machine import EVERYWHERE, network_addresses

if sys.platform != "win32":
    import fcntl


_ANYBODYS: Final = 1024
_LAST: Final = 65535


class CannotServe(Exception):
    """Why the site cannot be served here, in a sentence that says what to do."""


def addresses(host: str, port: int) -> list[str]:
    """What to type into a browser, the machine's own first."""
    if host in EVERYWHERE:
        hosts = ["127.0.0.1", *network_addresses()]
    else:
        hosts = [f"[{host}]" if ":" in host else host]
    return [f"http://{name}:{port}" for name in hosts]


def check_free(host: str, port: int) -> None:
    """Try the port and let go of it. Raises `CannotServe` where it cannot be had."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as fault:
        raise CannotServe(f"This machine has no address {host}.") from fault
    for family, kind, protocol, _, address in found:
        with socket.socket(family, kind, protocol) as probe:
            # As the server itself: what lingers of an earlier one is in nobody's way.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as fault:
                if fault.errno == errno.EADDRNOTAVAIL:
                    raise CannotServe(f"This machine has no address {host}.") from fault
                raise CannotServe(
                    f"Port {port} of {host} cannot be had ({fault.strerror}). Choose another: "
                    f"make run PORT={_another(port)}, or serve --port {_another(port)}."
                ) from fault


@contextmanager
def only_one(database: Path, address: str) -> Iterator[None]:
    """Hold the site of this SQLite file; the system lets go of it however the process ends.

    Raises `CannotServe` while another process serves it.
    """
    if sys.platform == "win32":
        yield
        return
    try:
        gate = os.open(f"{database}-serving", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as fault:
        raise CannotServe(
            f"Nothing can be written in {database.parent} ({fault.strerror}), where the site keeps "
            "all it knows. Use a folder of your own on a disk with room."
        ) from fault
    try:
        try:
            fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            who = os.read(gate, 200).decode(errors="replace").strip() or "in another process"
            raise CannotServe(
                f"The site already runs, {who}. Open it there, or stop it first (Ctrl-C)."
            ) from fault
        os.ftruncate(gate, 0)
        os.write(gate, f"on {address} (process {os.getpid()})".encode())
        yield
    finally:
        os.close(gate)


def _another(port: int) -> int:
    return port + 1 if _ANYBODYS <= port < _LAST else 8000
