"""Diagnoses of the parts: packages, libraries, networks, devices, cameras, pins, configuration, service. Without IO."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.box.doctor.diagnosis import Diagnosis, absent, bad, good, poor

APT_ONLY: Final = "picamera2"
"""Needed by a Raspberry Pi camera alone; pip does not have it."""


TAKEN: Final = "The box is running, and may have it: `sudo systemctl stop perudo`, and ask again."


@dataclass(frozen=True, slots=True)
class LibraryImport:
    """How importing a library went."""

    version: str = ""
    missing: bool = False
    """It is not installed."""
    error: str = ""
    """Why it does not import, although it is installed."""


@dataclass(frozen=True, slots=True)
class DeviceNode:
    """A device file."""

    path: str
    group: str
    usable: bool
    """Whether the user may read and write it."""


@dataclass(frozen=True, slots=True)
class CameraAnswer:
    """How opening a camera went."""

    name: str
    """As in the configuration."""
    called: str = ""
    """As players know it; empty where it did not answer."""
    still: tuple[int, int] = (0, 0)
    preview: tuple[int, int] = (0, 0)
    modes: tuple[str, ...] = ()
    """The modes of its sensor, where it has any."""
    absent: str = ""
    """Why it could not be opened."""
    broken: str = ""
    """Why it gave no frame, although it was opened."""


@dataclass(frozen=True, slots=True)
class PinsAnswer:
    """How opening the panel's pins went."""

    factory: str = ""
    """The pin factory of gpiozero's that answers; empty where none does."""
    refused: str = ""


def packages(origins: Mapping[str, Path | None], home: Path) -> Iterator[Diagnosis]:
    """Whether the packages that Python finds are ours: `web` and `hardware` are names others use too."""
    for name, origin in origins.items():
        if origin is None:
            yield bad(name, "The package is missing. Install the program again.")
        elif origin.parent != home:
            yield bad(
                name,
                f"Python finds another package of this name, {origin}. Use the program's own virtual environment, "
                "without PYTHONPATH.",
            )
        else:
            yield good(name, str(origin))


def libraries(found: Mapping[str, LibraryImport]) -> Iterator[Diagnosis]:
    """Whether each library imports."""
    for name, one in found.items():
        if one.version:
            yield good(name, one.version)
        elif one.missing and name == APT_ONLY:
            yield absent(
                name,
                "Only a Raspberry Pi camera needs it: `sudo apt install python3-picamera2`, then the set-up again.",
            )
        elif one.missing:
            yield bad(name, "It is not installed. Install the program again.")
        else:
            yield bad(name, f"It is installed, but does not import: {one.error}. Install the program again.")


def together(status: int | None, output: str) -> Iterator[Diagnosis]:
    """Whether numpy, cv2 and picamera2 import in one process; `status` is None without picamera2.

    They may not with pip's numpy beside apt's picamera2: github.com/raspberrypi/picamera2.
    """
    if status is None:
        return
    if status == 0:
        yield good("together", "numpy, cv2 and picamera2 import in one process")
        return
    last = output.strip().splitlines()[-1] if output.strip() else f"exit status {status}"
    yield bad(
        "together",
        f"numpy, cv2 and picamera2 do not import in one process: {last}. The virtual environment has another numpy "
        "than apt's: remove .venv and set up again, `python3 -m companion.bootstrap setup`, which holds to apt's.",
    )


def networks(broken: Mapping[str, str], ms: float | None, error: str) -> Iterator[Diagnosis]:
    """Whether the networks' files match their hashes, and the reader works; `ms` is how long an empty frame took."""
    for name, what in broken.items():
        yield bad(
            "model",
            f"vision/models/{name} {what}. Install the program again (`git -C FOLDER checkout vision/models`).",
        )
    if not broken:
        yield good("model", "the files of the networks are as they were published")
    if ms is None:
        yield bad("reader", f"The dice cannot be read: {error}.")
    else:
        yield good("reader", f"reads an empty frame in {ms:.0f} ms")


def devices(part: str, nodes: Sequence[DeviceNode], user: str, otherwise: str) -> Iterator[Diagnosis]:
    """Whether `user` may use devices of one kind; `otherwise` says what it means to have none."""
    if not nodes:
        yield absent(part, otherwise)
        return
    shut = [node for node in nodes if not node.usable]
    if not shut:
        yield good(part, f"{', '.join(node.path for node in nodes)}: {user} may use them")
        return
    groups = ",".join(sorted({node.group for node in shut}))
    yield poor(
        part,
        f"{', '.join(node.path for node in shut)}: {user} may not use them. "
        + (
            "Only root may, so no group helps: is this Raspberry Pi OS?"
            if groups == "root"
            else f"`sudo usermod -aG {groups} {user}`, then log in again."
        ),
    )


def cameras(found: Sequence[CameraAnswer], running: bool) -> Iterator[Diagnosis]:
    """How each camera answers; one that does not may be in use by the box, where that is `running`."""
    for one in found:
        if one.called:
            small = f", previews of {one.preview[0]} x {one.preview[1]}" if any(one.preview) else ""
            modes = f"; its sensor has {', '.join(one.modes)}" if one.modes else ""
            yield good(one.name, f"{one.called}: pictures of {one.still[0]} x {one.still[1]}{small}{modes}")
        elif one.broken:
            yield bad(one.name, one.broken)
        elif running:
            yield absent(one.name, f"{one.absent} {TAKEN}")
        else:
            yield absent(one.name, one.absent)


def pins(found: PinsAnswer, running: bool, chip: bool) -> Iterator[Diagnosis]:
    """Whether the panel's pins can be had; `running` as for `cameras`, and `chip` whether there is a GPIO chip."""
    if found.factory:
        yield good("pins", f"gpiozero reaches them by {found.factory}")
    elif running:
        yield absent("pins", f"{found.refused} {TAKEN}")
    elif chip:
        yield poor(
            "pins",
            f"{found.refused} There is a GPIO chip, and lgpio reaches it: `sudo apt install python3-lgpio`, then the "
            "set-up again.",
        )
    else:
        yield absent("pins", found.refused)


def configuration(place: str, exists: bool, mistakes: Sequence[str], private: bool = False) -> Iterator[Diagnosis]:
    """Whether the configuration can be read; a `private` one only the service and root may."""
    if private:
        yield absent("config", f"{place}: only the service and root may read it: `sudo .venv/bin/perudo doctor` does.")
        return
    for mistake in mistakes:
        yield bad("config", mistake)
    if not mistakes:
        yield good(
            "config", f"{place}: no mistakes" if exists else f"{place}: none there, so everything has its default"
        )


def service(installed: bool, active: str, status: str) -> Iterator[Diagnosis]:
    """How the service is: `active` is its state for systemd, `status` what it says of itself."""
    if not installed:
        yield absent(
            "service", "The box does not start with the power: `sudo .venv/bin/perudo install-service` sees to that."
        )
    elif active == "active":
        yield good("service", f"running{f': {status}' if status else ''}")
    else:
        yield poor("service", f"It is {active or 'unknown'}. `journalctl -u perudo -n 50` says why.")
