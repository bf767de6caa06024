"""Debian's mosquitto: where it is, and the configuration for a club."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path
from typing import Final, NamedTuple

from companion.club.broker.errors import NoMosquittoError
from companion.club.payloads import LARGEST_PAYLOAD

CONFIGURATION_FILE: Final = "mosquitto.conf"
RETAINED_FILE: Final = "mosquitto.db"
"""What the broker keeps: retained messages."""

SECURITY_PLUGIN: Final = "mosquitto_dynamic_security.so"
_SYSTEM_PATH: Final = "/usr/sbin:/usr/local/sbin"
"""Where Debian has it; a user's PATH may not."""

LARGEST_PACKET: Final = LARGEST_PAYLOAD + 64 * 1024
"""Bytes of a payload with its topic and properties. Who sends a larger one is disconnected."""
MOST_QUEUED: Final = 10_000
"""Messages that wait for one client: for a hub on which all tables descend with what they have kept."""
MOST_QUEUED_BYTES: Final = 32 * 2**20
MOST_CONNECTIONS: Final = 10_000
"""Of tables. One that says nothing takes 43 KB for 90 seconds, after which mosquitto ends it."""
CHANGES_PER_SAVE: Final = 1000
"""Each save writes everything: 8 MB with 1,000 tables, which takes 30 ms, and 80 KB with ten."""

GET_MOSQUITTO: Final = (
    "{what} is not installed here: sudo apt install mosquitto. Debian's package also starts a service of its own, "
    "which is not needed: sudo systemctl disable --now mosquitto."
)


class Mosquitto(NamedTuple):
    """What is installed."""

    program: Path
    plugin: Path
    """The dynamic-security plugin."""


def find_mosquitto() -> Mosquitto:
    """The program and its plugin. Raises `NoMosquittoError`, which says how to get them."""
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path=_SYSTEM_PATH)
    if program is None:
        raise NoMosquittoError(GET_MOSQUITTO.format(what="mosquitto"))
    return Mosquitto(Path(program), _find_plugin())


def _find_plugin() -> Path:
    """Debian has it in a folder named for the architecture, as /usr/lib/aarch64-linux-gnu."""
    own = sysconfig.get_config_var("MULTIARCH") or "."
    folders = [Path("/usr/lib") / own, *sorted(Path("/usr/lib").glob("*-linux-*")), Path("/usr/lib")]
    for folder in (*folders, Path("/usr/lib64"), Path("/usr/local/lib")):
        if (plugin := folder / SECURITY_PLUGIN).is_file():
            return plugin
    raise NoMosquittoError(GET_MOSQUITTO.format(what=f"mosquitto's plugin {SECURITY_PLUGIN}"))


def configuration(
    folder: Path, plugin: Path, security: Path, certificate: Path, port: int, hub_socket: str, host: str = ""
) -> str:
    """The text of mosquitto.conf(5), for a broker that runs in `folder` and keeps its data there.

    `security` is the plugin's file, `certificate` the server's key and certificates (PEM). `port` is for tables, with
    TLS, on the address `host` or on all; `hub_socket`, the name of a Unix socket in `folder`, is for the hub.
    """
    # Tables keep their events until the hub has them: the broker need not, and a table that is away costs nothing.
    # The listener for the hub is last: once it answers, the other one does. Its path is relative: mosquitto reads none
    # with spaces there, and Linux none of more than 107 bytes. `user root` only says: change no user.
    return f"""\
per_listener_settings false
allow_anonymous false
plugin {plugin}
plugin_opt_config_file {security}
user root

persistence true
persistence_location {folder}/
persistence_file {RETAINED_FILE}
autosave_on_changes true
autosave_interval {CHANGES_PER_SAVE}
persistent_client_expiration 1d

max_packet_size {LARGEST_PACKET}
max_queued_messages {MOST_QUEUED}
max_queued_bytes {MOST_QUEUED_BYTES}
set_tcp_nodelay true

log_dest stderr
log_timestamp false
log_type error
log_type warning
log_type notice
log_type information

listener {port} {host}
certfile {certificate}
keyfile {certificate}
tls_version tlsv1.2
max_connections {MOST_CONNECTIONS}

listener 0 {hub_socket}
"""
