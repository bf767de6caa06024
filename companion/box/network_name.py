"""The name under which phones on the network find this machine, without .local."""

from __future__ import annotations

import socket
from typing import Final

from jeepney import AuthenticationError, DBusAddress, DBusErrorResponse, MessageFlag, new_method_call
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

_AVAHI: Final = DBusAddress("/", "org.freedesktop.Avahi", "org.freedesktop.Avahi.Server")
AVAHI_PATIENCE: Final = 1.0
"""Seconds."""


def network_name() -> str:
    """The name that Avahi announces. Without Avahi, the host name."""
    return avahi_name() or _label(socket.gethostname())


def avahi_name() -> str | None:
    """The name that Avahi announces: of two machines called perudo, one is perudo-2. None if Avahi does not run."""
    question = new_method_call(_AVAHI, "GetHostName")
    question.header.flags |= MessageFlag.no_auto_start
    try:
        with open_dbus_connection("SYSTEM", auth_timeout=AVAHI_PATIENCE) as bus:
            (name,) = unwrap_msg(bus.send_and_get_reply(question, timeout=AVAHI_PATIENCE))
    except (OSError, TimeoutError, AuthenticationError, DBusErrorResponse):  # Avahi or the bus does not run
        return None
    return _label(str(name))


def _label(name: str) -> str:
    return name.partition(".")[0].lower()
