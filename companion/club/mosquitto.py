"""The club's own broker: Debian's mosquitto as a child process, `perudo club --embedded`.

Everything is in one folder that nobody else may enter: what the broker retains, its permissions, and the certificates
of the club's own authority, which signs for this broker alone. Tables connect with TLS. The hub connects through a Unix
socket in the folder, where nobody else can listen while mosquitto is down, with a password that is new at each start
and stored in no file.
"""

from __future__ import annotations

import logging
import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import sysconfig
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final, Self

from calibration.atomic_write import write_atomically
from companion.club.credentials import HUB_USER, SALT_BYTES, SECURITY_FILE, with_hub
from companion.features.https.certificates import CertificateError, server_file, site_names
from companion.features.https.secure_site import SecureSite
from companion.member.address import MQTT_PORTS, BrokerAddress
from companion.member.errors import ClubError
from companion.member.payloads import LARGEST_PAYLOAD
from companion.page_address import for_phones, interfaces, lan_address
from web.access.guard import own_names

log = logging.getLogger(__name__)

BROKER_FOLDER: Final = "broker"
"""Folder name in the hub's state folder."""
RETAINED_FILE: Final = "mosquitto.db"
HUB_SOCKET: Final = "hub-{}.sock"
"""A new name at each start, because a mosquitto that is still stopping removes its own socket."""
CONFIGURATION: Final = Template(files(__package__).joinpath("mosquitto.conf").read_text(encoding="utf-8"))
SECURITY_PLUGIN: Final = "mosquitto_dynamic_security.so"
FREE_PORTS: Final = range(20_000, 32_768)
"""Below the ports that Linux gives to outgoing connections: a client retrying such a port while nobody listens could
connect to itself, and keep the port from its broker.
"""
START_SECONDS: Final = 15.0
END_SECONDS: Final = 5.0
"""Seconds that mosquitto may take to stop before it is killed."""
CERTIFICATE_SECONDS: Final = 300.0
"""Seconds between two checks of the certificate and this machine's addresses."""

_SYSTEM_PATH: Final = "/usr/sbin:/usr/local/sbin"
"""Where Debian installs mosquitto; a user's PATH may lack it."""
_ENDS_WITH_THE_HUB: Final = ("setpriv", "--pdeathsig", "TERM")
"""From util-linux: mosquitto ends however the hub does. systemd does that itself, and its sandbox refuses this."""
_DAMAGED: Final = ".damaged"
_NO_TCP: Final = "Unable to set TCP_NODELAY."
"""What mosquitto logs for each connection through a Unix socket."""
_LEVELS: Final = {"Error": logging.ERROR, "Warning": logging.WARNING}


class Mosquitto:
    """A mosquitto process, from `start` to `stop`, or in a `with`."""

    def __init__(
        self,
        state: Path,
        *,
        host: str = "",
        port: int = MQTT_PORTS["mqtts"],
        names: Callable[[], Sequence[str]] | None = None,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        """`state` is the hub's folder. mosquitto listens for tables on the address `host`; "" and :: mean all addresses
        of this machine. Port 0 takes a free one. `names` returns this machine's names and addresses, for the
        certificate. `ended` is called, in a thread, if mosquitto ends by itself.

        Raises `ClubError` if it is not installed.
        """
        self._program, self._plugin = mosquitto_program(), mosquitto_plugin()
        self._folder = state.absolute() / BROKER_FOLDER
        self._site = SecureSite(self._folder, "club", names or machine_names)
        self._host = "" if host == "::" else host
        self._wanted, self._tell_ended = port, ended
        self.ended = ""
        """Why it ended by itself, as a sentence; empty if it did not."""
        self._entered: int | None = None
        """The open folder."""
        self._process: subprocess.Popen[str] | None = None
        self._lines: deque[str] = deque(maxlen=8)
        """Its latest output."""
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self.address = BrokerAddress("", 0, tls=False)
        """The hub's own address."""
        self.for_tables = ""
        """The address for tables, without a host, such as "mqtts://:8883"."""
        self.authority = ""
        """The certificate (PEM) of the club's own authority."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """mosquitto's process; None before `start`."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it, and wait until it answers. It ends with the calling thread. Raises `ClubError`."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            self._entered = os.open(self._folder, os.O_PATH | os.O_DIRECTORY)
            self.authority = self._site.make().certificate.decode()
            self._write_settings()
        except CertificateError as error:
            raise ClubError(f"The broker has no certificate: {error}.") from error
        except OSError as error:
            raise ClubError(f"The broker cannot use {self._folder}: {error.strerror or error}.") from error
        if not self._run() and not (self._set_retained_aside() and self._run()):
            raise ClubError(self._trouble())
        self._start_thread(self._renew, "broker's certificate")

    def stop(self) -> None:
        """Stop it. Safe to call twice."""
        self._stopping.set()
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
        for thread in self._threads:
            thread.join()
        if self._entered is not None:
            os.close(self._entered)
            self._entered = None

    def look(self) -> None:
        """Renew the certificate if it expires soon or this machine has a new address, and make mosquitto reload it."""
        before = _signature(server_file(self._folder))
        self._site.refresh()
        if self._process is not None and _signature(server_file(self._folder)) != before:
            self._process.send_signal(signal.SIGHUP)

    def _renew(self) -> None:
        while not self._stopping.wait(CERTIFICATE_SECONDS):
            self.look()

    def _write_settings(self) -> None:
        """Write mosquitto's configuration, and the hub's new password. Raises `OSError`."""
        port = self._wanted or free_port(self._host)
        self.for_tables = f"mqtts://:{port}"
        password = secrets.token_urlsafe(32)
        for old in self._folder.glob(HUB_SOCKET.format("*")):
            old.unlink()
        hub_socket = HUB_SOCKET.format(secrets.token_hex(4))
        # Through the open folder, because the path of a Unix socket may have at most 107 bytes, however deep the state
        # is.
        path = f"/proc/self/fd/{self._entered}/{hub_socket}"
        self.address = BrokerAddress(path, 0, tls=False, username=HUB_USER, password=password)
        security = self._folder / SECURITY_FILE
        write_atomically(security, self._security(security, password), mode=0o600)
        text = CONFIGURATION.substitute(
            folder=self._folder,
            plugin=self._plugin,
            certificate=server_file(self._folder),
            largest_packet=LARGEST_PAYLOAD + 64 * 1024,
            port=port,
            host=self._host,
            hub_socket=hub_socket,
        )
        write_atomically(self._folder / "mosquitto.conf", text.encode(), mode=0o600)

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

    def _run(self) -> bool:
        """True if it runs and answers."""
        by_systemd = os.environ.get("SYSTEMD_EXEC_PID") == str(os.getpid())
        command = (*(() if by_systemd else _ENDS_WITH_THE_HUB), self._program, "-c", self._folder / "mosquitto.conf")
        process = self._process = subprocess.Popen(
            command,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C is for the hub, which then stops mosquitto
        )
        self._lines.clear()
        # Each connection is an open file.
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (most, most))
        answered = threading.Event()
        listener = self._start_thread(lambda: self._listen(process, answered), "mosquitto")
        until = time.monotonic() + START_SECONDS
        while process.poll() is None and time.monotonic() < until:
            if self._answers():
                answered.set()
                return True
            time.sleep(0.02)
        process.kill()
        listener.join()
        return False

    def _listen(self, process: subprocess.Popen[str], answered: threading.Event) -> None:
        """Log its lines until it ends."""
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                self._lines.append(line.rstrip())
                _log_line(line.rstrip())
        if answered.is_set() and not self._stopping.is_set():
            code = process.returncode
            how = signal.Signals(-code).name if code < 0 else f"exit status {code}"
            self.ended = f"mosquitto has ended ({how}), and the hub with it."
            self._tell_ended()

    def _start_thread(self, run: Callable[[], None], name: str) -> threading.Thread:
        thread = threading.Thread(target=run, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()
        return thread

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as attempt:
            attempt.settimeout(1.0)
            try:
                attempt.connect(self.address.host)
            except OSError:
                return False
        return True

    def _trouble(self) -> str:
        """Why it does not start, according to its output."""
        if any("Address already in use" in line for line in self._lines):
            port = self.for_tables.rpartition(":")[2]
            return f"Something else uses port {port} on this machine, maybe another hub or another mosquitto."
        errors = [line for line in self._lines if line.startswith("Error")] or list(self._lines) or ["it says nothing"]
        return f"mosquitto does not start: {' '.join(errors)}"

    def _set_retained_aside(self) -> bool:
        """Move what the broker retained, if it cannot read that: tables and the hub publish everything again."""
        file = self._folder / RETAINED_FILE
        if not file.exists() or not any("database" in line for line in self._lines):
            return False
        aside = file.with_name(file.name + _DAMAGED)
        log.warning("mosquitto cannot read what it kept. It begins without; the old file is %s.", aside)
        file.replace(aside)
        return True


def mosquitto_program() -> Path:
    """The path of mosquitto. Raises `ClubError`, which says how to install it."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path=_SYSTEM_PATH)
    if found is None:
        raise _not_installed("mosquitto")
    return Path(found)


def mosquitto_plugin() -> Path:
    """The path of its dynamic-security plugin; Debian's folder contains the architecture's name. Raises `ClubError`."""
    own = sysconfig.get_config_var("MULTIARCH") or "."
    folders = [Path("/usr/lib") / own, *sorted(Path("/usr/lib").glob("*-linux-*")), Path("/usr/lib")]
    for folder in (*folders, Path("/usr/lib64"), Path("/usr/local/lib")):
        if (plugin := folder / SECURITY_PLUGIN).is_file():
            return plugin
    raise _not_installed(f"mosquitto's plugin {SECURITY_PLUGIN}")


def _not_installed(what: str) -> ClubError:
    return ClubError(
        f"{what} is not installed here: sudo apt install mosquitto. Debian's package also starts a service of its own, "
        "which is not needed: sudo systemctl disable --now mosquitto."
    )


def free_port(host: str = "") -> int:
    """A TCP port of `host` on which nobody listens now; "" means all addresses. Raises `OSError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for _ in range(len(FREE_PORTS)):
        port = secrets.choice(FREE_PORTS)
        with socket.socket(family, socket.SOCK_STREAM) as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                attempt.bind((host, port))
            except OSError:
                continue
            return port
    raise OSError("no port is free")


def machine_names() -> tuple[str, ...]:
    """This machine's names, and its addresses in the local network."""
    return site_names((), {*for_phones(interfaces(), lan_address()), *own_names()})


def _log_line(line: str) -> None:
    if not line.endswith(_NO_TCP):
        log.log(_LEVELS.get(line.partition(":")[0].partition(" ")[0], logging.INFO), "mosquitto: %s", line)


def _signature(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
