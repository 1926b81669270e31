"""The local addresses of this machine at which phones can reach it. Nothing is sent to find them."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

LOOPBACK = "127.0.0.1"
_ELSEWHERE = "192.0.2.1"
"""an address for documentation (RFC 5737): nobody has it, and nothing is sent there"""


def local_addresses() -> tuple[str, ...]:
    """This machine's own IPv4 addresses in local networks, likeliest first; its loopback address last."""
    found = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect((_ELSEWHERE, 9))
        found.append(str(asking.getsockname()[0]))
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return (*dict.fromkeys(address for address in found if is_local(address) and address != LOOPBACK), LOOPBACK)


def is_local(address: str) -> bool:
    """Whether an address is one of a local network, so that phones may be served there."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return parsed.is_private and not parsed.is_unspecified and not parsed.is_multicast
