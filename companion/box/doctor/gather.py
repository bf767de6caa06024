"""What there is on this machine: every fact that the doctor judges, and all the IO it does."""

from __future__ import annotations

import contextlib
import grp
import http.client
import importlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import pwd
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.box.doctor import parts, system
from companion.box.doctor.finding import Check
from companion.box.doctor.parts import Imported, Node, Pins, Seen
from companion.box.doctor.system import Disk, Port
from companion.box.service.install import RECEIPT, Receipt
from companion.box.service.place import InstallError
from companion.box.service.unit import NAME, Service

if TYPE_CHECKING:
    from companion.config import Config

PACKAGES: Final = ("companion", "vision", "hardware", "web", "calibration")
"""Ours."""

LIBRARIES: Final = {"numpy": "numpy", "cv2": "opencv-python", "flask": "flask", "waitress": "waitress",
                    "gpiozero": "gpiozero", "picamera2": "picamera2"}  # fmt: skip
"""Import name -> distribution."""

TOGETHER: Final = "import numpy, cv2; from picamera2 import Picamera2"

CAMERAS: Final = ("pi", "webcam")

SLOW: Final = 60
"""Seconds that a command is given."""


def examine(state: Path) -> Iterator[Check]:
    """Everything, in the order it is told. `state` is the folder of the games."""
    yield from system.python(
        sys.version_info[:3], platform.machine(), 64 if sys.maxsize > 2**32 else 32, sys.executable
    )
    yield from parts.packages({name: origin(name) for name in PACKAGES}, Path(__file__).resolve().parents[3])
    yield from parts.libraries({name: imported(name) for name in LIBRARIES})
    yield from parts.together(*together())
    yield from networks()
    yield from configuration()
    yield from system.disk(disk(state))
    yield from system.clock(datetime.now().astimezone(), synced())
    yield from system.power(answer("vcgencmd", "get_throttled"))
    found = port()
    yield from system.port(found)
    installed = Path(RECEIPT).exists()
    yield from parts.service(installed, show("ActiveState"), show("StatusText"))
    user = NAME if installed and _account(NAME) is not None else _whoami()
    video, gpio = nodes(("video*", "media*", "dma_heap/*"), user), nodes(("gpiochip*",), user)
    yield from parts.cameras([camera(name) for name in CAMERAS], found.ours and bool(video))
    yield from parts.devices("video", video, user, "There are no cameras in /dev.")
    yield from parts.devices("gpio", gpio, user, "There is no GPIO chip here, so no panel of buttons and lamps.")
    yield from parts.devices(
        "spi", nodes(("spidev*",), user), user,
        "SPI is switched off: only an LED matrix needs it (`sudo raspi-config nonint do_spi 0`).",
    )  # fmt: skip
    yield from parts.pins(pins(), found.ours and bool(gpio), bool(gpio))


def origin(name: str) -> Path | None:
    """The folder of the package that Python finds by this name."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).resolve().parent if spec is not None and spec.origin else None


def imported(name: str) -> Imported:
    """Import a library."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        return Imported(missing=True) if error.name == name else Imported(error=str(error))
    except Exception as error:  # noqa: BLE001 - a library can break in any way; the doctor says how
        return Imported(error=str(error) or type(error).__name__)
    try:
        return Imported(importlib.metadata.version(LIBRARIES[name]))
    except importlib.metadata.PackageNotFoundError:
        return Imported(str(getattr(module, "__version__", "version unknown")))


def together() -> tuple[int | None, str]:
    """The exit status of a process that imports numpy, cv2 and picamera2, and what it said; None without picamera2."""
    try:
        if importlib.util.find_spec("picamera2") is None:
            return None, ""
    except (ImportError, ValueError):
        return None, ""
    # A process of its own: what breaks here may take the interpreter with it.
    try:
        done = subprocess.run(
            [sys.executable, "-c", TOGETHER], capture_output=True, text=True, check=False, timeout=SLOW
        )
    except subprocess.TimeoutExpired:
        return 1, f"nothing came of it within {SLOW} seconds"
    return done.returncode, done.stderr


def networks() -> Iterator[Check]:
    """The reader's networks: whole, and they run."""
    from vision.models.integrity import model_faults

    ms, error = None, ""
    try:
        import numpy as np

        from vision.reader import Reader

        ms = Reader.load().read(np.zeros((96, 128, 3), np.uint8)).ms
    except Exception as caught:  # noqa: BLE001 - whatever it is, the dice cannot be read
        error = str(caught).rstrip(".")
    return parts.networks(model_faults(), ms, error)


def config_place() -> Path:
    """The configuration: that of the service where it is installed and no other is named."""
    from companion.config import config_file

    service = Path(Service("").config)
    return service if not os.environ.get("PERUDO_CONFIG") and Path(RECEIPT).exists() else config_file()


def configured() -> Config:
    """What the box is configured to. Raises `ConfigError`."""
    from companion.config import config_file, load

    path = config_place()
    return load(None if path == config_file() else path)


def asked_port() -> int | None:
    """The port that the service was installed with, which wins over the configuration; None where there is none."""
    try:
        return Receipt.read(Path(RECEIPT).read_text(encoding="utf-8")).port
    except (OSError, InstallError):
        return None


def configuration() -> Iterator[Check]:
    """Whether the configuration can be read."""
    from companion.config import ConfigError

    path = config_place()
    mistakes: list[str] = []
    if _is_private(path):
        return parts.configuration(str(path), True, (), private=True)
    try:
        configured()
    except ConfigError as error:
        mistakes = [str(each) for each in error.mistakes]
    return parts.configuration(str(path), os.path.exists(path), mistakes)  # noqa: PTH110 - Path.exists() may raise


def disk(path: Path) -> Disk:
    """Whether the folder can be written, and how much room there is."""
    try:
        nearest = next(parent for parent in (path, *path.parents) if parent.exists())
        found = os.statvfs(nearest)
        free = found.f_bavail * found.f_frsize
        try:
            with tempfile.TemporaryFile(dir=nearest):
                pass
        except OSError as error:
            return Disk(str(path), free, error.strerror or str(error), _is_private(path))
        return Disk(str(path), free)
    except OSError as error:  # a folder above it may be shut
        return Disk(str(path), 0, error.strerror or str(error))


def _is_private(path: Path) -> bool:
    """Whether this is the service's, and whoever asks may not read it."""
    return (
        Path(RECEIPT).exists()
        and os.path.exists(path)  # noqa: PTH110 - Path.exists() raises where a folder above it is shut
        and not os.access(path, os.R_OK)
    )


def synced() -> bool | None:
    """Whether the network has set the clock since the start; None where nobody knows."""
    said = answer("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return {"yes": True, "no": False}.get((said or "").strip())


def answer(*command: str) -> str | None:
    """What a command said; None where there is no such command, or it failed."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=SLOW,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def show(what: str) -> str:
    """A property of the service, as systemd has it; empty where nobody knows."""
    return (answer("systemctl", "show", "--value", f"--property={what}", f"{NAME}.service") or "").strip()


def port() -> Port:
    """Whether the page can be where it should, and who is there."""
    from companion.config import ConfigError, WebConfig

    web = WebConfig()
    with contextlib.suppress(ConfigError):  # told elsewhere
        web = configured().web
    host, number = web.host, asked_port() or web.port
    if number == 0:
        return Port(host, number)
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as trying:
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trying.bind(address)
    except OSError as error:
        return Port(host, number, error.strerror or str(error), holder(number), answers(number))
    return Port(host, number)


def answers(number: int) -> bool:
    """Whether a page of this program answers at this port of this machine."""
    connection = http.client.HTTPConnection("127.0.0.1", number, timeout=2.0)
    try:
        connection.request("GET", "/healthz")
        found = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return False
    else:
        return isinstance(found, dict) and {"ok", "reasons", "phase"} <= found.keys()
    finally:
        connection.close()


def holder(number: int, proc: Path = Path("/proc")) -> str:
    """The name and number of the process that listens at a TCP port, proc(5); empty where that cannot be seen."""
    inodes = set()
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in (proc / "net" / name).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == number:
                    inodes.add(f"socket:[{fields[9]}]")
    for process in proc.glob("[0-9]*"):
        with contextlib.suppress(OSError):  # another user's, or gone
            if any(str(each.readlink()) in inodes for each in (process / "fd").iterdir()):
                return f"{(process / 'comm').read_text().strip()} (process {process.name})"
    return ""


def camera(name: str) -> Seen:
    """Ask for a camera."""
    try:
        from hardware.camera.choose import open_camera
        from hardware.camera.picamera import PiCamera
        from hardware.camera.protocol import CameraError
    except ImportError as error:  # numpy or cv2 is broken, which has a line of its own
        return Seen(name, absent=f"No camera can be asked for: {error}.")
    try:
        opened = open_camera(name)
    except CameraError as error:
        return Seen(name, absent=str(error))
    try:
        frame = opened.frame()
        height, width = frame.image.shape[:2]
        known = opened.modes if isinstance(opened, PiCamera) else ()
        modes = tuple(f"{mode.size[0]} x {mode.size[1]} ({mode.bits} bits)" for mode in known)
        return Seen(name, opened.name, (width, height), opened.sizes.preview, modes)
    except CameraError as error:
        return Seen(name, broken=str(error))
    finally:
        opened.close()


def pins() -> Pins:
    """Ask gpiozero for the panel's pins."""
    try:
        from hardware.panel.panel import Panel, PanelError
    except ImportError as error:
        return Pins(refused=f"The pins cannot be asked for: {error}.")

    try:
        panel = Panel()
    except PanelError as error:
        return Pins(refused=str(error))
    try:
        from gpiozero import Device

        return Pins(type(Device.pin_factory).__name__)
    finally:
        panel.close()


def nodes(patterns: Sequence[str], user: str, dev: Path = Path("/dev")) -> list[Node]:
    """The devices of these names, and whether `user` may read and write them."""
    account = _account(user)
    groups = set(os.getgrouplist(user, account.pw_gid)) if account is not None else set()
    found = []
    for path in sorted({each for pattern in patterns for each in dev.glob(pattern)}):
        try:
            status = path.stat()
        except OSError:
            continue
        mode = status.st_mode
        usable = account is not None and (
            account.pw_uid == 0
            or (status.st_uid == account.pw_uid and _both(mode, stat.S_IRUSR, stat.S_IWUSR))
            or (status.st_gid in groups and _both(mode, stat.S_IRGRP, stat.S_IWGRP))
            or _both(mode, stat.S_IROTH, stat.S_IWOTH)
        )
        found.append(Node(str(path), _group(status.st_gid), usable))
    return found


def _both(mode: int, one: int, other: int) -> bool:
    return bool(mode & one and mode & other)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _account(user: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(user)
    except KeyError:
        return None


def _whoami() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
