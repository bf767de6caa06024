"""Installs, through apt-get, what pip cannot: shared libraries, ensurepip, a browser.

Standard library only.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


DEBIAN_PACKAGES = Path("/usr/lib/python3/dist-packages")
"""Where apt installs Python packages."""

MODEL = Path("/proc/device-tree/model")
"""The file in which the kernel names the board."""

TAKE_64_BITS = "Take the 64-bit Raspberry Pi OS; every Pi from the 3 on runs it."


class SetupError(RuntimeError):
    """Something is missing and cannot be installed. The message says what to do by hand."""


class Need(NamedTuple):
    """Something that pip cannot install."""

    what: str
    why: str
    packages: tuple[str, ...]
    """The package's names in Debian and its derivatives, Debian 12's first."""
    present: Callable[[], bool]
    """Returns True if it is installed."""


def say(message: str) -> None:
    """Print a message to standard error."""
    print(f"perudo: {message}", file=sys.stderr, flush=True)


def dotted(version: Sequence[int]) -> str:
    """Format (3, 11) as "3.11"."""
    return ".".join(map(str, version))


def needs() -> list[Need]:
    """Everything that the program needs to start."""
    version = dotted(sys.version_info[:2])
    return [
        Need(
            f"ensurepip for Python {version}",
            "it makes the virtual environment",
            (f"python{version}-venv", "python3-venv"),
            lambda: importlib.util.find_spec("ensurepip") is not None,
        )
    ]


def has_desktop() -> bool:
    """True if the libraries that opencv-python loads to open windows are here. opencv-python-headless needs none."""
    return sys.platform != "linux" or (loads("libGL.so.1") and loads("libgthread-2.0.so.0"))


def pi_needs() -> list[Need]:
    """Everything that a Raspberry Pi's camera and pins need; empty on other machines.

    Without these the program runs with a USB camera and no panel.
    """
    if not (MODEL.is_file() and "Raspberry Pi" in MODEL.read_text(errors="replace")):
        return []
    return [
        Need("picamera2", "the Pi's camera is reached by it", ("python3-picamera2",), has_picamera2),
        Need("lgpio", "the panel's pins are reached by it", ("python3-lgpio",), has_lgpio),
        Need("evdev", "buttons by USB are read by it", ("python3-evdev",), (DEBIAN_PACKAGES / "evdev").is_dir),
    ]


def has_picamera2() -> bool:
    """True if picamera2 is among apt's packages."""
    return (DEBIAN_PACKAGES / "picamera2").is_dir()


def has_lgpio() -> bool:
    """True if lgpio is among apt's packages."""
    return (DEBIAN_PACKAGES / "lgpio.py").is_file()


def needs_of_tests() -> list[Need]:
    """Everything that the tests need beyond Python."""
    return [
        # The headless shell where there is one; Debian's chromium-driver brings Chromium itself.
        program("chromium", "tests drive the page in it", "chromium-headless-shell", "chromium", "chromium-browser"),
        program("chromedriver", "tests drive Chromium by it", "chromium-driver", "chromium-chromedriver"),
        program("npm", "it brings what checks the page", "npm"),
        program("mcopy", "tests write the image of a card by it", "mtools"),
        program("sfdisk", "tests write the image of a card by it", "fdisk"),
        program("mkfs.vfat", "tests write the image of a card by it", "dosfstools"),
        program("pdftoppm", "tests look at the calibration sheet by it", "poppler-utils"),
        program("openscad", "tests make the parts to print by it", "openscad"),
        program("groff", "tests read the page of the manual by it", "groff-base"),
        program("ssh-keygen", "it signs releases", "openssh-client"),
        program("openssl", "https makes its certificates by it", "openssl"),
        program("curl", "tests follow the documents by it", "curl"),
        program("systemd-analyze", "it finds faults in the service's units", "systemd"),
        program("dbus-daemon", "tests have a bus of their own by it", "dbus-daemon"),
        Need(
            "python3-dbusmock",
            "tests ask it in NetworkManager's place",
            ("python3-dbusmock",),
            (DEBIAN_PACKAGES / "dbusmock").is_dir,
        ),
        *needs_of_club(),
    ]


def needs_of_club() -> list[Need]:
    """Everything that a club needs."""
    return [program("mosquitto", "a club's tables and its hub talk by it", "mosquitto")]


def program(name: str, why: str, *packages: str) -> Need:
    """The need for a program that is in `packages`."""
    return Need(name, why, packages, lambda: shutil.which(name, path=search_path()) is not None)


def search_path() -> str:
    """The PATH with the sbin folders, which a user's PATH lacks."""
    return os.environ.get("PATH", os.defpath) + ":/usr/local/sbin:/usr/sbin:/sbin"


def loads(library: str) -> bool:
    """True if a shared library can be loaded."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def provide(wanted: Sequence[Need]) -> None:
    """Install what is missing with apt-get. Raises `SetupError`."""
    missing = [need for need in wanted if not need.present()]
    if not missing:
        return
    by_hand = shlex.join([need.packages[0] for need in missing])
    lacking = "; ".join(f"{need.what} ({need.why})" for need in missing)
    if shutil.which("apt-get") is None:
        raise SetupError(
            f"missing here: {lacking}. There is no apt-get to install it with: install it by hand (Debian calls it "
            f"{by_hand}), then type the same command again."
        )
    become_root = [] if os.geteuid() == 0 else ["sudo"]
    if become_root and shutil.which("sudo") is None:
        raise SetupError(
            f"missing here: {lacking}. Installing it needs root, and there is no sudo. As root, type\n"
            f"    apt-get update && apt-get install --no-install-recommends {by_hand}\n"
            "and then, as yourself, the same command again."
        )
    asks = ", with sudo, which may ask for your password" if become_root else ""
    say(f"fetching the lists of packages (apt-get update{asks}) ...")
    updated, output = apt_get(become_root, "update")
    if not updated:
        say(f"apt-get update failed; going on with the lists that are here. It said:\n{tail(output)}")
    packages = [available_package(need.packages) for need in missing]
    for package, need in zip(packages, missing, strict=True):
        say(f"apt-get installs {package}, with what it depends on: {need.why}")
    installed, output = apt_get(become_root, "install", "--no-install-recommends", *packages)
    if not installed and "dpkg --configure -a" in output:  # an earlier attempt was cut off half-way
        say("finishing an installation that was interrupted (dpkg --configure -a) ...")
        quietly([*become_root, "env", *debian_environment(), "dpkg", "--configure", "-a"])
        installed, output = apt_get(become_root, "install", "--no-install-recommends", *packages)
    if not installed and len(packages) > 1:  # one unavailable package must not block the others
        for package in packages:
            apt_get(become_root, "install", "--no-install-recommends", package)
    still = [need.what for need in missing if not need.present()]
    if still:
        raise SetupError(
            f"{' and '.join(still)} could not be installed. Install by hand, as root:\n"
            f"    apt-get install --no-install-recommends {shlex.join(packages)}\n"
            f"then type the same command again. apt-get said:\n{tail(output)}"
        )
    if not installed:
        say(f"apt-get complained, but all that was missing is here now. It said:\n{tail(output)}")


def available_package(names: Sequence[str]) -> str:
    """The first of the names that apt knows; if it knows none, the first."""
    for name in names:
        _, output = quietly(["apt-cache", "show", "--no-all-versions", name])
        if "Package:" in output:  # apt-cache also succeeds, without output, for a name that other packages mention
            return name
    return names[0]


def debian_environment() -> list[str]:
    """The environment for dpkg, which needs the sbin folders."""
    return ["DEBIAN_FRONTEND=noninteractive", f"PATH={search_path()}"]


def apt_get(become_root: Sequence[str], *arguments: str) -> tuple[bool, str]:
    """Run apt-get; return its success and its output. Waits for another apt, such as at a Pi's first start."""
    options = ["-y", "-q", "-o", "DPkg::Lock::Timeout=300", "-o", "Dpkg::Use-Pty=0"]
    return quietly([*become_root, "env", *debian_environment(), "apt-get", *options, *arguments])


def quietly(
    command: Sequence[str], hold: Sequence[int] = (), heard: Callable[[str], None] | None = None
) -> tuple[bool, str]:
    """Run a command without input; return its success and its output. `heard` gets each line as it comes.

    The command inherits the file descriptors in `hold`, so that a lock on one lasts as long as the command.
    """
    lines = []
    try:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            pass_fds=hold,
        ) as process:
            for line in process.stdout or ():
                lines.append(line)
                if heard:
                    heard(line)
    except OSError as error:
        return False, str(error)
    return process.returncode == 0, "".join(lines)


def tail(text: str, lines: int = 15) -> str:
    """The last lines of a command's output, indented."""
    return "\n".join("    " + line for line in text.strip().splitlines()[-lines:])
