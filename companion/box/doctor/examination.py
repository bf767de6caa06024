"""The examination of the box: every part in its turn."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from companion.box.doctor import facts, parts, system
from companion.box.doctor.diagnosis import Diagnosis
from companion.box.service.plans import RECEIPT_FILE
from companion.box.service.unit import NAME


def examine(state: Path) -> Iterator[Diagnosis]:
    """Every diagnosis, in the order of the report. `state` is the folder of the games."""
    yield from _software()
    yield from configuration()
    yield from system.disk(facts.disk(state))
    yield from system.clock(datetime.now().astimezone(), facts.clock_is_synced())
    yield from system.power(facts.command_output("vcgencmd", "get_throttled"))
    page = facts.port()
    yield from system.port(page)
    installed = Path(RECEIPT_FILE).exists()
    active, status = facts.service_property("ActiveState"), facts.service_property("StatusText")
    yield from parts.service(installed, active, status)
    user = NAME if installed and facts.account_of(NAME) is not None else facts.user_name()
    yield from _devices(user, box_runs=page.ours)


def _software() -> Iterator[Diagnosis]:

    yield from system.python(
        sys.version_info[:3], platform.machine(), 64 if sys.maxsize > 2**32 else 32, sys.executable
    )
    home = Path(__file__).resolve().parents[3]
    yield from parts.packages({name: facts.package_folder(name) for name in facts.PACKAGES}, home)
    yield from parts.libraries({name: facts.import_library(name) for name in facts.LIBRARIES})
    yield from parts.together(*facts.import_together())
    from vision.models.integrity import model_faults

    yield from parts.networks(model_faults(), *facts.trial_reading())


def configuration() -> Iterator[Diagnosis]:
    """Whether the configuration can be read."""
    from companion.config import ConfigError

    path = facts.config_file_in_use()
    mistakes: list[str] = []
    if facts.is_private(path):
        yield from parts.configuration(str(path), True, (), private=True)
        return
    try:
        facts.configuration_in_use()
    except ConfigError as error:
        mistakes = [str(each) for each in error.mistakes]
    yield from parts.configuration(str(path), os.path.exists(path), mistakes)  # noqa: PTH110 - Path.exists() may raise


def _devices(user: str, box_runs: bool) -> Iterator[Diagnosis]:
    video = facts.device_nodes(("video*", "media*", "dma_heap/*"), user)
    gpio = facts.device_nodes(("gpiochip*",), user)
    spi = facts.device_nodes(("spidev*",), user)
    yield from parts.cameras([facts.camera(name) for name in facts.CAMERAS], box_runs and bool(video))
    yield from parts.devices("video", video, user, "There are no cameras in /dev.")
    yield from parts.devices("gpio", gpio, user, "There is no GPIO chip here, so no panel of buttons and lamps.")
    yield from parts.devices(
        "spi",
        spi,
        user,
        "SPI is switched off: only an LED matrix needs it (`sudo raspi-config nonint do_spi 0`).",
    )
    yield from parts.pins(facts.pins(), box_runs and bool(gpio), bool(gpio))
