"""The local addresses of this machine at which phones can reach it. Nothing is sent to find them."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

LOOPBACK = "127.0.0.1"
_ELSEWHERE = "192.0.2.1"
"""an address for documentation (RFC 5737): nobody has it, and nothing is sent there"""
_ROUTES, _IPV6 = Path("/proc/net/fib_trie"), Path("/proc/net/if_inet6")
"""where Linux lists the addresses of this machine"""


def local_addresses() -> tuple[str, ...]:
    """This machine's own addresses in local networks, likeliest first, of IPv6 later; its loopback address, which no
    other machine reaches, where there is none.
    """
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect((_ELSEWHERE, 9))
        found.append(str(asking.getsockname()[0]))
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    with suppress(OSError):
        found += own_addresses(_ROUTES.read_text(encoding="ascii"))
    with suppress(OSError):
        found += own_ipv6_addresses(_IPV6.read_text(encoding="ascii"))
    reached = dict.fromkeys(address for address in found if is_local(address) and not _is_loopback(address))
    return tuple(reached) or (LOOPBACK,)


def own_addresses(routes: str) -> Iterator[str]:
    """The IPv4 addresses that Linux's table of routes names as this machine's own."""
    lines = [line.split() for line in routes.splitlines()]
    for (*_branch, address), words in pairwise(lines):
        if words == ["/32", "host", "LOCAL"]:
            yield address


def own_ipv6_addresses(interfaces: str) -> Iterator[str]:
    """The IPv6 addresses in Linux's list of interfaces, without those that hold on one of its cables only."""
    for line in interfaces.splitlines():
        digits = line.split()[0]
        address = ipaddress.IPv6Address(int(digits, 16))
        if not address.is_link_local:
            yield str(address)


def usual_form(address: str) -> str:
    """An address as browsers write it, however it was typed; other words as they are."""
    try:
        return str(ipaddress.ip_address(address.strip().strip("[]")))
    except ValueError:
        return address


def is_local(address: str) -> bool:
    """Whether an address is one of a local network, so that phones may be served there."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return parsed.is_private and not parsed.is_unspecified and not parsed.is_multicast


def _is_loopback(address: str) -> bool:
    return ipaddress.ip_address(address).is_loopback
