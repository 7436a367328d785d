"""This machine's names and addresses in its own networks; nobody outside is asked."""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104 - to know them, not to listen there
_ADDRESS_OF: Final = 0x8915
"""Linux: `SIOCGIFADDR`, the address of an interface."""


def own_names() -> list[str]:
    """Every name under which a browser may ask for a site on this machine."""
    name = socket.gethostname().lower()
    return ["localhost", "127.0.0.1", "[::1]", name, f"{name}.local", *network_addresses()]


def network_addresses() -> list[str]:
    """Its IPv4 addresses that others can reach, in a stable order."""
    found = {ipaddress.IPv4Address(text) for text in (*_of_interfaces(), *_of_name(), *_on_way())}
    return [str(address) for address in sorted(found) if _is_reachable(address)]


def _is_reachable(address: ipaddress.IPv4Address) -> bool:
    return not (address.is_loopback or address.is_unspecified or address.is_multicast)


def _of_interfaces() -> Iterator[str]:
    if sys.platform != "linux":
        return
    import fcntl  # noqa: PLC0415 - there is none on Windows

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # one without an address
                asked = struct.pack("256s", name.encode()[:15])
                answer = fcntl.ioctl(asking.fileno(), _ADDRESS_OF, asked)
                yield socket.inet_ntoa(answer[20:24])


def _of_name() -> Iterator[str]:
    with suppress(OSError):
        yield from socket.gethostbyname_ex(socket.gethostname())[2]


def _on_way() -> Iterator[str]:
    """The address that packets to elsewhere would have; nothing is sent."""
    with (
        suppress(OSError),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking,
    ):
        asking.connect(("192.0.2.1", 9))
        yield str(asking.getsockname()[0])
