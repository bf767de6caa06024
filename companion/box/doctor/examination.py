"""The examination of the box: every part in its turn."""

from __future__ import annotations

import os
import platform
import pwd
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from companion.box.doctor import devices, machine, program
from companion.box.doctor.configuration import configuration, page_address
from companion.box.doctor.diagnosis import Diagnosis
from companion.box.doctor.examples import examples
from companion.box.doctor.journal import journal
from companion.box.installation import PACKAGES, PROGRAM_FOLDER
from companion.box.service import NAME, is_installed


def examine(state: Path) -> Iterator[Diagnosis]:
    """Every diagnosis, in the order of the report. `state` is the folder of the games."""
    yield machine.python()
    yield machine.processor(platform.machine(), 64 if sys.maxsize > 2**32 else 32)
    for name in PACKAGES:
        yield program.package(name, PROGRAM_FOLDER)
    for name, distribution in program.LIBRARIES.items():
        yield program.library(name, distribution)
    yield from program.together()
    yield from program.networks()
    yield program.reader()
    yield from configuration()
    yield machine.disk(state)
    yield journal(state)
    yield examples(state)
    yield machine.clock(datetime.now().astimezone())
    yield machine.power()
    host, number = page_address()
    refusal = machine.port_refusal(host, number)
    box_runs = bool(refusal) and machine.page_answers(number)
    yield machine.port(host, number, refusal, box_runs)
    yield machine.service()
    yield from _devices(box_runs)


def _devices(box_runs: bool) -> Iterator[Diagnosis]:
    user = NAME if is_installed() and devices.account_of(NAME) is not None else _user_name()
    video, gpio, spi = (
        sorted(each for pattern in patterns for each in Path("/dev").glob(pattern) if each.exists())
        for patterns in (("video*", "media*", "dma_heap/*"), ("gpiochip*",), ("spidev*",))
    )
    for name in ("pi", "webcam"):
        yield devices.camera(name, box_runs and bool(video))
    yield devices.access("video", video, user, "There are no cameras in /dev.")
    yield devices.access("gpio", gpio, user, "There is no GPIO chip here, so no panel of buttons and lamps.")
    yield devices.access(
        "spi",
        spi,
        user,
        "SPI is switched off: only an LED matrix needs it (`sudo raspi-config nonint do_spi 0`).",
    )
    yield devices.pins(box_runs and bool(gpio), bool(gpio))


def _user_name() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
