"""Diagnoses of the machine: interpreter, disk, clock, power, port. Without IO."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from companion.box.doctor.diagnosis import Diagnosis, absent, bad, good, poor

OLDEST_PYTHON: Final = (3, 11)
TRIED: Final = ("x86_64", "aarch64")
"""Processors that OpenCV has wheels for, and the tests have run on."""

FULL: Final = 100 * 2**20
"""Bytes. With less the journal may not last an evening."""
NEARLY_FULL: Final = 1024 * 2**20

PROGRAM_OF: Final = 2025
"""A clock in an earlier year is wrong."""

THROTTLED: Final = {
    0: ("the voltage is too low now", "power"),
    1: ("the processor is slowed down now, for want of voltage", "power"),
    2: ("the processor is throttled now", "heat"),
    3: ("the processor is hot now", "heat"),
    16: ("the voltage was too low since it was switched on", "power"),
    17: ("the processor was slowed down since then, for want of voltage", "power"),
    18: ("the processor was throttled since then", "heat"),
    19: ("the processor was hot since then", "heat"),
}
"""The bits of `vcgencmd get_throttled`, each with what it is about:
https://www.raspberrypi.com/documentation/computers/os.html#get_throttled.
"""

CURES: Final = {
    "power": "Use the power supply that belongs to this Pi, with its own cable: telephone chargers are too weak.",
    "heat": "Give it a heat sink or a fan, and air round its case.",
}


@dataclass(frozen=True, slots=True)
class StateDisk:
    """The folder of the games."""

    path: str
    free: int
    """Bytes."""
    refused: str = ""
    """Why nothing can be written there; empty where it can."""
    private: bool = False
    """Whether only the service and root may look into it."""


@dataclass(frozen=True, slots=True)
class PagePort:
    """The page's address, and who is there."""

    host: str
    number: int
    refused: str = ""
    """Why nothing can listen there; empty where it can."""
    holder: str = ""
    """The program that listens there, where that can be seen."""
    ours: bool = False
    """Whether what answers there is a page of this program."""


def python(version: tuple[int, int, int], machine: str, bits: int, executable: str) -> Iterator[Diagnosis]:
    """The interpreter and the kind of processor."""
    found = f"{'.'.join(map(str, version))}, {executable}"
    if version[:2] < OLDEST_PYTHON:
        yield bad("Python", f"{found}: it must be {OLDEST_PYTHON[0]}.{OLDEST_PYTHON[1]} or newer.")
    else:
        yield good("Python", found)
    if bits == 32:
        yield poor(
            "processor",
            f"{machine}, but a system of 32 bits, for which OpenCV has no packages of its own. Take the 64-bit "
            "Raspberry Pi OS; every Pi from the 3 on runs it.",
        )
    elif machine not in TRIED:
        yield poor("processor", f"{machine}: the program was tried on {' and '.join(TRIED)} only.")
    else:
        yield good("processor", f"{machine}, {bits} bits")


def disk(found: StateDisk) -> Iterator[Diagnosis]:
    """Whether games can be kept."""
    free = f"{found.path}, {found.free / 2**30:.1f} GiB free"
    if found.private:
        yield absent(
            "disk", f"{free}. Only the service and root may look into it: `sudo .venv/bin/perudo doctor` does."
        )
    elif found.refused:
        yield bad("disk", f"{found.path} cannot be written ({found.refused}). Name another with --state, or use sudo.")
    elif found.free < FULL:
        yield bad("disk", f"{free}: that does not last an evening. Remove what is not needed from the memory card.")
    elif found.free < NEARLY_FULL:
        yield poor("disk", f"{free}: make room soon. pictures in [table] says how much the judged pictures take.")
    else:
        yield good("disk", free)


def clock(now: datetime, synced: bool | None) -> Iterator[Diagnosis]:
    """Whether games will bear the right date. `synced` is None where nobody knows."""
    date = now.strftime("%Y-%m-%d %H:%M")
    if now.year < PROGRAM_OF:
        yield poor(
            "clock",
            f"It says {date}, so games will bear a wrong date. A Pi has no clock of its own: connect it to the "
            'internet once after switching on, or set it, `sudo date -s "2026-01-31 20:15"`.',
        )
    elif synced is False:
        yield poor(
            "clock",
            f"{date}, and nobody has set it since the start: without the internet a Pi goes on from where it was "
            "switched off. Only the dates of games depend on it.",
        )
    else:
        yield good("clock", date + ("" if synced is None else ", set by the network"))


def power(answer: str | None) -> Iterator[Diagnosis]:
    """Whether voltage and heat are well; `answer` is that of `vcgencmd get_throttled`."""
    if answer is None:
        yield absent("power", "There is no vcgencmd here, which knows of voltage and heat: only a Raspberry Pi has it.")
        return
    found = re.search(r"throttled=0x([0-9a-fA-F]+)", answer)
    if found is None:
        yield poor("power", f"vcgencmd said what cannot be understood: {answer.strip() or 'nothing'}")
        return
    bits = int(found[1], 16)
    set_bits = [bit for bit in THROTTLED if bits >> bit & 1]
    if not set_bits:
        yield good("power", "enough voltage, and not too hot, since it was switched on")
        return
    # What is now was too: one line of the two is enough.
    bits_to_tell = [bit for bit in set_bits if bit < 16 or bit - 16 not in set_bits]
    what = "; ".join(THROTTLED[bit][0] for bit in bits_to_tell)
    cures = " ".join(dict.fromkeys(CURES[THROTTLED[bit][1]] for bit in bits_to_tell))
    yield poor("power", f"{what[0].upper()}{what[1:]} (0x{bits:x}). {cures}")


def port(found: PagePort) -> Iterator[Diagnosis]:
    """Whether the page can be where the configuration says."""
    where = f"{found.host} port {found.number}"
    if not found.refused:
        yield good("port", f"{where} is free")
    elif found.ours:
        yield good("port", f"{where}: the box is running, and answers")
    else:
        by = f" It is taken by {found.holder}." if found.holder else ""
        yield bad(
            "port", f"{where}: {found.refused}.{by} Stop that, or name another port in [web] of the configuration."
        )
