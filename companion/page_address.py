"""The page's addresses: finds those that phones can reach, checks that the page answers, and announces it."""

from __future__ import annotations

import contextlib
import fcntl
import http.client
import ipaddress
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import click
import segno

from companion.box.network_name import avahi_name, network_name
from web.access.invitation import invitation

LOOPBACK: Final = "127.0.0.1"

NOWHERE: Final = ("192.0.2.1", 9)
"""An address reserved for documentation (RFC 5737). Nothing is sent to it."""

EVERYWHERE: Final = ("0.0.0.0", "::")
"""Hosts that mean all addresses of the machine; the first only its IPv4 addresses."""

_GET_FLAGS: Final = 0x8913
_GET_ADDRESS: Final = 0x8915
"""The requests SIOCGIFFLAGS and SIOCGIFADDR; see netdevice(7)."""

IPV6_ADDRESSES: Final = Path("/proc/net/if_inet6")
"""The kernel's list; missing without IPv6."""
_PASSING: Final = 0x01 | 0x08 | 0x20 | 0x40
"""IFA_F_TEMPORARY, _DADFAILED, _DEPRECATED and _TENTATIVE of if_addr.h: addresses that must not be printed."""

_UP: Final = 0x1
_LOOPBACK: Final = 0x8
_POINT_TO_POINT: Final = 0x10

_WITHIN: Final = ("docker", "br-", "veth", "virbr", "lxc", "lxd", "podman", "cni", "vnet")
"""Name prefixes of the networks of containers and virtual machines."""
_TUNNELS: Final = ("tun", "tap", "zt", "ham", "tailscale", "wg", "n2n", "edge")
"""Name prefixes of virtual private networks, some of which look like a cable (OpenVPN's tap, ZeroTier, n2n)."""


class PageAddress(NamedTuple):
    """The address on which the page's server listens."""

    host: str
    port: int
    probe: str = "/api/v1/state"
    """A path that answers once the page works."""

    @property
    def urls(self) -> list[str]:
        """The page's addresses for phones: the best first, the machine's name last."""
        hosts = [self.host]
        if self.host in EVERYWHERE:
            found = interfaces() if self.host == "::" else [each for each in interfaces() if ":" not in each.address]
            hosts = for_phones(found, lan_address()) or [LOOPBACK]
        if not _is_loopback(hosts[0]) and (name := local_name()) is not None:
            hosts.append(name)
        return list(dict.fromkeys(f"http://{f'[{host}]' if ':' in host else host}:{self.port}/" for host in hosts))

    @property
    def only_here(self) -> bool:
        """True if no other machine can reach the page."""
        return _is_loopback(urlsplit(self.urls[0]).hostname or "")

    def answers(self, within: float = 2.0) -> bool:
        """True if the page answers this machine within `within` seconds."""
        host = LOOPBACK if self.host in EVERYWHERE else self.host
        connection = http.client.HTTPConnection(host, self.port, timeout=within)
        try:
            connection.request("GET", self.probe)
            response = connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            return False
        else:
            return response.status == 200
        finally:
            connection.close()

    def wait(self, stop: threading.Event, within: float) -> bool:
        """Wait until the page answers; return False if `stop` is set first. Raises `TimeoutError`."""
        until = time.monotonic() + within
        while not self.answers():
            if stop.is_set():
                return False
            if time.monotonic() > until:
                raise TimeoutError(f"The server on port {self.port} does not answer.")
            stop.wait(0.05)
        return True

    def announce(self, code: str, secret: str | None) -> None:
        """Print the best address on a line of its own, and the table's code; with a `secret`, also the QR code.

        The address in the QR code contains the secret, so nobody has to enter the code.
        """
        address, *others = self.urls
        click.echo(address)
        click.echo(f"Table code: {code}")
        if secret is not None:
            invited = invitation(address, secret)
            print_qr(invited)
            if not self.only_here:
                at = " or ".join([address, *others])
                click.echo(f"Point a phone on the same Wi-Fi at this, or open {at} there and type the table code.")
            click.echo("Whoever only watches needs no code. Ctrl-C stops.")
            only = ", the only one that reaches it" if self.only_here else ""
            click.echo(f"Open this on this computer{only} (it asks for no code):\n{invited}")


def print_qr(text: str) -> None:
    """Print `text` as a QR code for a terminal."""
    segno.make(text, micro=False).terminal(out=sys.stdout, compact=True)


# The network


class Interface(NamedTuple):
    """An address of a network interface."""

    name: str
    address: str
    flags: int
    """The interface's flags; see netdevice(7)."""


def lan_address() -> str | None:
    """This machine's address on its default network, if any.

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
    """This machine's permanent IPv4 and IPv6 addresses, with their interfaces."""
    result = []
    ipv6 = list(_ipv6(IPV6_ADDRESSES.read_text(encoding="ascii"))) if IPV6_ADDRESSES.exists() else []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as query:
        for _, name in socket.if_nameindex():
            question = struct.pack("256s", name.encode()[:15])
            try:
                (flags,) = struct.unpack("H", fcntl.ioctl(query, _GET_FLAGS, question)[16:18])
            except OSError:
                continue  # it was removed
            with contextlib.suppress(OSError):  # it has no IPv4 address
                address = fcntl.ioctl(query, _GET_ADDRESS, question)[20:24]
                result.append(Interface(name, socket.inet_ntoa(address), flags))
            result += [Interface(name, address, flags) for where, address in ipv6 if where == name]
    return result


def _ipv6(listed: str) -> Iterator[tuple[str, str]]:
    """Interface and address of each line of the kernel's list."""
    for line in listed.splitlines():
        address, _, _, _, flags, name = line.split()
        if not int(flags, 16) & _PASSING:
            yield name, str(ipaddress.IPv6Address(bytes.fromhex(address)))


def for_phones(interfaces: Iterable[Interface], default: str | None) -> list[str]:
    """The addresses that a phone in the house can reach, `default` first; IPv6 ones only if there are no others.

    Loopback, container networks and link-local addresses are omitted; point-to-point ones too, unless the default route
    is one (a VPN). Tunnels come last, because only phones in the VPN can reach them.
    """
    addresses = [] if default is None else [default]
    tunnels = []
    for interface in interfaces:
        address = ipaddress.ip_address(interface.address)
        point_to_point = bool(interface.flags & _POINT_TO_POINT)
        if point_to_point or interface.name.startswith(_TUNNELS):
            tunnels.append(interface.address)
        if (
            interface.flags & _UP
            and not interface.flags & _LOOPBACK
            and not point_to_point
            and not interface.name.startswith(_WITHIN)
            and not (address.is_loopback or address.is_link_local or address.is_unspecified)
        ):
            addresses.append(interface.address)
    found = sorted(dict.fromkeys(addresses), key=lambda each: (each in tunnels, ":" in each))
    home = [each for each in found if each not in tunnels] or found
    return [each for each in found if ":" not in each or ":" in home[0]]


def local_name() -> str | None:
    """This machine's multicast DNS name, if a service here answers to it."""
    name = avahi_name() if sys.platform == "linux" else network_name()
    return f"{name}.local" if name and name != "localhost" else None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
