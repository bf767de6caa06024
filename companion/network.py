"""The addresses by which phones reach this machine."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from collections.abc import Iterable
from typing import Final, NamedTuple

LOOPBACK: Final = "127.0.0.1"

NOWHERE: Final = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737). Nothing is sent there."""

EVERYWHERE: Final = ("0.0.0.0", "::", "")
"""Hosts that mean every address of the machine."""

_GET_FLAGS: Final = 0x8913
_GET_ADDRESS: Final = 0x8915
"""Requests to Linux about a network interface: SIOCGIFFLAGS and SIOCGIFADDR of netdevice(7)."""

_UP: Final = 0x1
_LOOPBACK: Final = 0x8
_POINT_TO_POINT: Final = 0x10

_WITHIN: Final = ("docker", "br-", "veth", "virbr", "lxc", "lxd", "podman", "cni", "vnet")
"""How the names of container and virtual machine networks begin."""


class Interface(NamedTuple):
    """One network interface that has an IPv4 address."""

    name: str
    address: str
    flags: int = _UP
    """As netdevice(7) has them."""


def lan_address() -> str | None:
    """The address of this machine on its default network, if it is on one.

    Connecting a datagram socket sends nothing; it only looks up the route.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        try:
            route.connect(NOWHERE)
        except OSError:
            return None
        address = str(route.getsockname()[0])
    return None if ipaddress.ip_address(address).is_unspecified else address


def interfaces() -> list[Interface]:
    """Every interface of this machine that has an IPv4 address."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as query:
        for _, name in socket.if_nameindex():
            question = struct.pack("256s", name.encode()[:15])
            try:
                address = fcntl.ioctl(query, _GET_ADDRESS, question)[20:24]
                (flags,) = struct.unpack("H", fcntl.ioctl(query, _GET_FLAGS, question)[16:18])
            except OSError:
                continue  # it has no IPv4 address, or was removed
            found.append(Interface(name, socket.inet_ntoa(address), flags))
    return found


def for_phones(interfaces: Iterable[Interface], default: str | None) -> list[str]:
    """The addresses that a phone in the house may reach, the `default` one first.

    Loopback, tunnels, networks of containers and link-local addresses are left out.
    """
    addresses = [] if default is None else [default]
    for interface in interfaces:
        address = ipaddress.ip_address(interface.address)
        if (
            interface.flags & _UP
            and not interface.flags & (_LOOPBACK | _POINT_TO_POINT)
            and not interface.name.startswith(_WITHIN)
            and not (address.is_loopback or address.is_link_local or address.is_unspecified)
        ):
            addresses.append(interface.address)
    return list(dict.fromkeys(addresses))


def local_name() -> str | None:
    """This machine's name in multicast DNS, if it has one of its own."""
    name = socket.gethostname().split(".")[0]
    return f"{name.lower()}.local" if name and name.lower() != "localhost" else None


def url(host: str, port: int) -> str:
    """The page's address for phones, for a server that listens on `host` and `port`."""
    if host in EVERYWHERE:
        host = lan_address() or LOOPBACK
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def urls(host: str, port: int) -> list[str]:
    """Every address of the page for phones, the best first, the name last."""
    hosts = [host]
    if host in EVERYWHERE:
        hosts = for_phones(interfaces(), lan_address()) or [LOOPBACK]
    if not _only_here(hosts[0]) and (name := local_name()) is not None:
        hosts.append(name)
    return list(dict.fromkeys(url(each, port) for each in hosts))


def _only_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
