"""A broker of the club's own: Debian's mosquitto as a child, `perudo club --embedded`.

All of it is in one folder, which nobody else may enter: what the broker keeps, who may do what, and the certificates of
the club's own authority, which signs for this broker alone. Tables connect with TLS; the hub by a Unix socket in the
folder, where nobody else can listen while mosquitto is away, and by a password that is made anew at each start and is
in no file.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Self

from calibration.atomic_write import write_atomically
from companion.box.https.certificates import server_file
from companion.box.https.openssl import CertificateError
from companion.box.https.secure_site import SecureSite
from companion.box.https.site_names import site_names
from companion.club.broker.address import MQTT_PORTS, BrokerAddress
from companion.club.broker.child import Child
from companion.club.broker.errors import MosquittoStartError
from companion.club.broker.free_port import free_port
from companion.club.broker.mosquitto import CONFIGURATION_FILE, RETAINED_FILE, configuration, find_mosquitto
from companion.club.broker.security_file import HUB_USER, SALT_BYTES, SECURITY_FILE, with_hub
from companion.page_address import for_phones, interfaces, lan_address
from web.access.guard import own_names

log = logging.getLogger(__name__)

BROKER_FOLDER: Final = "broker"
"""In the hub's state folder."""
HUB_SOCKET: Final = "hub-{}.sock"
"""Another one at each start: a mosquitto that is still ending takes its own away."""
BROKER_START_SECONDS: Final = 15.0
CERTIFICATE_LOOK_SECONDS: Final = 300.0
"""Between two looks at the certificate and this machine's addresses."""

_DAMAGED: Final = ".damaged"
_NO_TCP: Final = "Unable to set TCP_NODELAY."
"""What mosquitto says of each connection by a Unix socket."""
_LEVELS: Final = {"Error": logging.ERROR, "Warning": logging.WARNING}


class EmbeddedBroker:
    """mosquitto, from `start` to `stop`, or in a `with`."""

    def __init__(
        self,
        state: Path,
        *,
        host: str = "",
        port: int = MQTT_PORTS["mqtts"],
        names: Callable[[], Sequence[str]] | None = None,
    ) -> None:
        """`state` is the hub's folder. It listens for tables on the address `host`; "" and :: are all of this
        machine's. Port 0 takes a free one. `names` gives this machine's names and addresses, for the certificate.

        Raises `NoMosquittoError`.
        """
        self._found = find_mosquitto()
        self._folder = state.absolute() / BROKER_FOLDER
        self._site = SecureSite(self._folder, "club", names or machine_names)
        self._host = "" if host == "::" else host
        self._wanted = port
        self._entered: int | None = None
        """The folder, open."""
        self._child: Child | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="broker's certificate", daemon=True)
        self.address = BrokerAddress("", 0, tls=False)
        """The hub's own."""
        self.for_tables = ""
        """The address for tables, without a host: "mqtts://:8883"."""
        self.authority = ""
        """The certificate of the club's own authority, PEM."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """mosquitto's process; None while it is started again."""
        return None if self._child is None else self._child.pid

    def start(self) -> None:
        """Start it, and wait until it answers. Raises `MosquittoStartError`."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            self._entered = os.open(self._folder, os.O_PATH | os.O_DIRECTORY)
            self.authority = self._site.make().certificate.decode()
            self._write_settings()
        except CertificateError as error:
            raise MosquittoStartError(f"The broker has no certificate: {error}.") from error
        except OSError as error:
            raise MosquittoStartError(f"The broker cannot use {self._folder}: {error.strerror or error}.") from error
        try:
            self._run()
        except MosquittoStartError:
            if not self._set_retained_aside():
                raise
            self._run()
        self._thread.start()

    def stop(self) -> None:
        """End it. Safe to call twice."""
        self._stopping.set()
        if self._child is not None:
            self._child.stop()
        if self._thread.ident is not None:
            self._thread.join()
        if self._entered is not None:
            os.close(self._entered)
            self._entered = None

    def look(self) -> None:
        """Renew the certificate, if it ends soon or this machine has a new address, and have mosquitto read it."""
        before = _signature(server_file(self._folder))
        self._site.refresh()
        if self._child is not None and _signature(server_file(self._folder)) != before:
            self._child.signal(signal.SIGHUP)

    def _watch(self) -> None:
        while not self._stopping.wait(CERTIFICATE_LOOK_SECONDS):
            self.look()

    def _write_settings(self) -> None:
        """Write mosquitto's configuration, and the hub's new password. Raises `OSError`."""
        port = self._wanted or free_port(self._host)
        self.for_tables = f"mqtts://:{port}"
        password = secrets.token_urlsafe(32)
        for old in self._folder.glob(HUB_SOCKET.format("*")):
            old.unlink()
        hub_socket = HUB_SOCKET.format(secrets.token_hex(4))
        # By the open folder: the path of a Unix socket has at most 107 bytes, however deep the state is.
        path = f"/proc/self/fd/{self._entered}/{hub_socket}"
        self.address = BrokerAddress(path, 0, tls=False, username=HUB_USER, password=password)
        security = self._folder / SECURITY_FILE
        write_atomically(security, self._security(security, password), mode=0o600)
        certificate = server_file(self._folder)
        text = configuration(self._folder, self._found.plugin, security, certificate, port, hub_socket, host=self._host)
        write_atomically(self._folder / CONFIGURATION_FILE, text.encode(), mode=0o600)

    def _security(self, file: Path, password: str) -> bytes:
        salt = secrets.token_bytes(SALT_BYTES)
        content = file.read_bytes() if file.exists() else None
        try:
            return with_hub(content, password, salt)
        except ValueError as error:
            aside = file.with_name(file.name + _DAMAGED)
            file.replace(aside)
            log.warning("The broker's passwords are damaged (%s): invite each table again. See %s.", error, aside)
            return with_hub(None, password, salt)

    def _run(self) -> None:
        command = [str(self._found.program), "-c", str(self._folder / CONFIGURATION_FILE)]
        self._child = Child(command, _heard, folder=self._folder)
        self._child.start()
        until = time.monotonic() + BROKER_START_SECONDS
        while not self._answers():
            if self._child.ended.wait(0.02) or time.monotonic() > until:
                self._child.stop()
                raise MosquittoStartError(self._trouble(self._child.lines))

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as attempt:
            attempt.settimeout(1.0)
            try:
                attempt.connect(self.address.host)
            except OSError:
                return False
        return True

    def _trouble(self, lines: Sequence[str]) -> str:
        """Why it did not start, by what it said."""
        if any("Address already in use" in line for line in lines):
            port = self.for_tables.rpartition(":")[2]
            return f"Something else uses port {port} on this machine, maybe another hub or another mosquitto."
        errors = [line for line in lines if line.startswith("Error")] or list(lines) or ["it says nothing"]
        return f"mosquitto does not start: {' '.join(errors)}"

    def _set_retained_aside(self) -> bool:
        """Move what the broker kept, if that is what it cannot read: tables and the hub say it all again."""
        file = self._folder / RETAINED_FILE
        lines = () if self._child is None else self._child.lines
        if not file.exists() or not any("database" in line for line in lines):
            return False
        aside = file.with_name(file.name + _DAMAGED)
        log.warning("mosquitto cannot read what it kept. It begins without; the old file is %s.", aside)
        file.replace(aside)
        return True


def machine_names() -> tuple[str, ...]:
    """This machine's names and addresses in the house."""
    return site_names((), {*for_phones(interfaces(), lan_address()), *own_names()})


def _heard(line: str) -> None:
    """Log a line of mosquitto's."""
    if line.endswith(_NO_TCP):
        return
    log.log(_LEVELS.get(line.partition(":")[0].partition(" ")[0], logging.INFO), "mosquitto: %s", line)


def _signature(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
