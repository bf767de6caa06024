"""The address of a broker: `mqtt://[USER[:PASSWORD]@]HOST[:PORT]`, or `mqtts://` with TLS."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from companion.member.errors import UnreadableInClubError

MQTT_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
"""Scheme -> its default port."""
MQTT_FORM: Final = "mqtt://HOST, or mqtts://USER:PASSWORD@HOST:8883 with a password and TLS"

_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*\.?")
_CONTROL: Final = re.compile(r"[\x00-\x20\x7f]")


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """The address of a broker, with the user to connect as."""

    host: str
    """A name or an IP address, IPv6 without brackets. With port 0, the path of a Unix socket, as in
    mosquitto.conf(5)."""
    port: int
    tls: bool
    username: str = ""
    """Empty if the broker asks for none."""
    password: str = field(default="", repr=False)

    @property
    def is_unix(self) -> bool:
        """True for a Unix socket."""
        return self.port == 0

    def __str__(self) -> str:
        """The address without user and password."""
        if self.is_unix:
            return f"unix:{self.host}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"mqtt{'s' * self.tls}://{host}:{self.port}"


def parse_broker_address(text: str) -> BrokerAddress:
    """Parse the address of a broker, with user and password percent-encoded.

    Raises `UnreadableInClubError`, which never contains the password.
    """
    text = text.strip()
    if _CONTROL.search(text):  # urlsplit silently removes line ends
        raise UnreadableInClubError("A broker's address has no spaces: write %20 for one in a user or a password.")
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise UnreadableInClubError(f"A broker's address is {MQTT_FORM}; an IPv6 address is in [brackets].") from error
    if parts.scheme not in MQTT_PORTS:
        raise UnreadableInClubError(f"A broker's address is {MQTT_FORM}.")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise UnreadableInClubError(
            "A broker's address ends after the host or the port. In a user or a password, write % and two digits for "
            "a special character: %2F for /, %3F for ?, %23 for #."
        )
    username, password = _decoded(parts.username), _decoded(parts.password)
    if password and not username:
        raise UnreadableInClubError("A broker's address with a password has a user, too: mqtt://USER:PASSWORD@HOST.")
    return BrokerAddress(_host(parts), _port(parts), parts.scheme == "mqtts", username, password)


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if ":" not in host:
        try:
            host.encode("idna")  # as the socket does, but in a thread, where an error would go unseen
        except UnicodeError:
            host = ""
        if not _HOST.fullmatch(host):
            raise UnreadableInClubError(f"A broker's address needs a host: {MQTT_FORM}.")
        return host
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError as error:
        raise UnreadableInClubError(f"[{host}] is no IPv6 address.") from error
    if address.scope_id is not None:
        raise UnreadableInClubError(f"[{host}] is an address of one network card (%): name another one of the broker.")
    return str(address)


def _port(parts: SplitResult) -> int:
    try:
        port = MQTT_PORTS[parts.scheme] if parts.port is None else parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise UnreadableInClubError("A broker's port is a number from 1 to 65535; an IPv6 address is in [brackets].")
    return port


def _decoded(part: str | None) -> str:
    """A user or a password, percent-decoded."""
    try:
        decoded = unquote(part or "", errors="strict")
    except UnicodeDecodeError as error:
        raise UnreadableInClubError("What % encodes in a broker's address is UTF-8.") from error
    if "\0" in decoded:  # not allowed in MQTT strings
        raise UnreadableInClubError("A user or a password has no %00.")
    return decoded
