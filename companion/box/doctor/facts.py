"""The facts of this machine that the doctor judges. All its IO is here."""

from __future__ import annotations

import contextlib
import grp
import http.client
import importlib
import importlib.metadata
import importlib.util
import json
import os
import pwd
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.box.doctor.parts import CameraAnswer, DeviceNode, LibraryImport, PinsAnswer
from companion.box.doctor.system import PagePort, StateDisk
from companion.box.service.installation import InstallError
from companion.box.service.plans import RECEIPT_FILE, Receipt
from companion.box.service.unit import NAME, Service

if TYPE_CHECKING:
    from companion.config import Config

PACKAGES: Final = ("companion", "vision", "hardware", "web", "calibration")
"""Ours."""

LIBRARIES: Final = {"numpy": "numpy", "cv2": "opencv-python", "flask": "flask", "waitress": "waitress",
                    "gpiozero": "gpiozero", "picamera2": "picamera2"}  # fmt: skip
"""Import name -> distribution."""

IMPORT_TOGETHER: Final = "import numpy, cv2; from picamera2 import Picamera2"

CAMERAS: Final = ("pi", "webcam")

COMMAND_TIMEOUT: Final = 60
"""Seconds."""


def package_folder(name: str) -> Path | None:
    """The folder of the package that Python finds by this name."""
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).resolve().parent if spec is not None and spec.origin else None


def import_library(name: str) -> LibraryImport:
    """Import a library."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        return LibraryImport(missing=True) if error.name == name else LibraryImport(error=str(error))
    except Exception as error:  # noqa: BLE001 - a library can break in any way; the doctor says how
        return LibraryImport(error=str(error) or type(error).__name__)
    try:
        return LibraryImport(importlib.metadata.version(LIBRARIES[name]))
    except importlib.metadata.PackageNotFoundError:
        return LibraryImport(str(getattr(module, "__version__", "version unknown")))


def import_together() -> tuple[int | None, str]:
    """The exit status and the output of a process that imports numpy, cv2 and picamera2; None without picamera2."""
    try:
        if importlib.util.find_spec("picamera2") is None:
            return None, ""
    except (ImportError, ValueError):
        return None, ""
    # A process of its own: what breaks here may take the interpreter with it.
    try:
        done = subprocess.run(
            [sys.executable, "-c", IMPORT_TOGETHER],
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        return 1, f"nothing came of it within {COMMAND_TIMEOUT} seconds"
    return done.returncode, done.stderr


def trial_reading() -> tuple[float | None, str]:
    """How many milliseconds the reader takes for an empty frame; None, and why, where it cannot read."""
    try:
        import numpy as np

        from vision.reader import Reader

        return Reader.load().read(np.zeros((96, 128, 3), np.uint8)).ms, ""
    except Exception as error:  # noqa: BLE001 - whatever it is, the dice cannot be read
        return None, str(error).rstrip(".")


def config_file_in_use() -> Path:
    """The configuration's file: the service's, where it is installed and no other is named."""
    from companion.config import config_file

    service = Path(Service("").config)
    return service if not os.environ.get("PERUDO_CONFIG") and Path(RECEIPT_FILE).exists() else config_file()


def configuration_in_use() -> Config:
    """The configuration of the box. Raises `ConfigError`."""
    from companion.config import config_file, load

    path = config_file_in_use()
    return load(None if path == config_file() else path)


def service_port() -> int | None:
    """The port that the service was installed with, if any; it wins over the configuration."""
    try:
        return Receipt.read(Path(RECEIPT_FILE).read_text(encoding="utf-8")).port
    except (OSError, InstallError):
        return None


def disk(path: Path) -> StateDisk:
    """Whether the folder can be written, and how much room there is."""
    try:
        nearest = next(parent for parent in (path, *path.parents) if parent.exists())
        found = os.statvfs(nearest)
        free = found.f_bavail * found.f_frsize
        try:
            with tempfile.TemporaryFile(dir=nearest):
                pass
        except OSError as error:
            return StateDisk(str(path), free, error.strerror or str(error), is_private(path))
        return StateDisk(str(path), free)
    except OSError as error:  # a folder above it may be shut
        return StateDisk(str(path), 0, error.strerror or str(error))


def is_private(path: Path) -> bool:
    """Whether this belongs to the service, and the user may not read it."""
    return (
        Path(RECEIPT_FILE).exists()
        and os.path.exists(path)  # noqa: PTH110 - Path.exists() raises where a folder above it is shut
        and not os.access(path, os.R_OK)
    )


def clock_is_synced() -> bool | None:
    """Whether the network has set the clock; None where nobody knows."""
    output = command_output("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return {"yes": True, "no": False}.get((output or "").strip())


def command_output(*command: str) -> str | None:
    """What a command printed; None where it failed, or is not there."""
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
            timeout=COMMAND_TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def service_property(what: str) -> str:
    """A property of the service from systemd; empty where nobody knows."""
    return (command_output("systemctl", "show", "--value", f"--property={what}", f"{NAME}.service") or "").strip()


def port() -> PagePort:
    """Whether the page's port is free, and who has it."""
    from companion.config import ConfigError, WebConfig

    web = WebConfig()
    with contextlib.suppress(ConfigError):  # told elsewhere
        web = configuration_in_use().web
    host, number = web.host, service_port() or web.port
    if number == 0:
        return PagePort(host, number)
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as trying:
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trying.bind(address)
    except OSError as error:
        return PagePort(host, number, error.strerror or str(error), port_holder(number), page_answers(number))
    return PagePort(host, number)


def page_answers(number: int) -> bool:
    """Whether this program's page answers on this port."""
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


def port_holder(number: int, proc: Path = Path("/proc")) -> str:
    """The process that listens on a TCP port, by proc(5); empty where that cannot be seen."""
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


def camera(name: str) -> CameraAnswer:
    """Open a camera, and take a frame."""
    try:
        from hardware.camera.camera_choice import open_camera
        from hardware.camera.picamera import PiCamera
        from hardware.camera.protocol import CameraError
    except ImportError as error:  # numpy or cv2 is broken, which has a line of its own
        return CameraAnswer(name, absent=f"No camera can be asked for: {error}.")
    try:
        opened = open_camera(name)
    except CameraError as error:
        return CameraAnswer(name, absent=str(error))
    try:
        frame = opened.frame()
        height, width = frame.image.shape[:2]
        known = opened.modes if isinstance(opened, PiCamera) else ()
        modes = tuple(f"{mode.size[0]} x {mode.size[1]} ({mode.bits} bits)" for mode in known)
        return CameraAnswer(name, opened.name, (width, height), opened.sizes.preview, modes)
    except CameraError as error:
        return CameraAnswer(name, broken=str(error))
    finally:
        opened.close()


def pins() -> PinsAnswer:
    """Open the panel."""
    try:
        from hardware.panel.panel import Panel, PanelError
    except ImportError as error:
        return PinsAnswer(refused=f"The pins cannot be asked for: {error}.")

    try:
        panel = Panel()
    except PanelError as error:
        return PinsAnswer(refused=str(error))
    try:
        from gpiozero import Device

        return PinsAnswer(type(Device.pin_factory).__name__)
    finally:
        panel.close()


def device_nodes(patterns: Sequence[str], user: str, dev: Path = Path("/dev")) -> list[DeviceNode]:
    """The devices that match, and whether `user` may read and write them."""
    account = account_of(user)
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
        found.append(DeviceNode(str(path), _group(status.st_gid), usable))
    return found


def _both(mode: int, one: int, other: int) -> bool:
    return bool(mode & one and mode & other)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def account_of(user: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(user)
    except KeyError:
        return None


def user_name() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
