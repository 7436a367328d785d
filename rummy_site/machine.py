"""This machine's names and addresses in its own networks; nobody outside is asked."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

import ifaddr

EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104 - to know them, not to listen there


def own_names() -> list[str]:
    """Every name under which a browser may ask for a site on this machine."""
    name = socket.gethostname().lower()
    return ["localhost", "127.0.0.1", "[::1]", name, f"{name}.local", *network_addresses()]


def network_addresses() -> list[str]:
    """Its IPv4 addresses that others can reach, in a stable order."""
    found = {
        ipaddress.IPv4Address(one.ip)
        for adapter in ifaddr.get_adapters()
        for one in adapter.ips
        if one.is_IPv4
    }
    return [str(address) for address in sorted(found) if _is_reachable(address)]


def _is_reachable(address: ipaddress.IPv4Address) -> bool:
    return not (address.is_loopback or address.is_unspecified or address.is_multicast)
