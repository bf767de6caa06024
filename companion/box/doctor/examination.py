"""Examines every part of the box in turn."""

from __future__ import annotations

import contextlib
import os
import platform
import pwd
import sqlite3
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.box.doctor import Diagnosis, absent, bad, devices, good, machine, poor, program
from companion.box.doctor.configuration import camera_config, configuration, is_private, panel_config, web_config
from companion.box.installation import PACKAGES, PROGRAM_FOLDER
from companion.box.service import NAME, is_installed
from companion.kept_file import is_aside
from companion.messages.message import Dice, Message
from companion.state_folder import as_owner_of

if TYPE_CHECKING:
    from companion.table import State


def examine(state: Path) -> Iterator[Diagnosis]:
    """Yield every diagnosis, in the report's order. `state` is the folder with the games."""
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
    yield from damaged_files(state)
    yield machine.clock(datetime.now().astimezone())
    yield machine.power()
    yield machine.wifi()
    yield from machine.first_start(state)
    web = web_config()
    refusal = machine.port_refusal(web.host, web.port)
    box_runs = bool(refusal) and machine.page_answers(web.port)
    yield machine.port(web.host, web.port, refusal, box_runs)
    yield machine.service()
    yield from _devices(box_runs)


def _devices(box_runs: bool) -> Iterator[Diagnosis]:
    user = NAME if is_installed() and devices.account_of(NAME) is not None else _user_name()
    video, gpio, spi, keys = (
        sorted(each for pattern in patterns for each in Path("/dev").glob(pattern) if each.exists())
        for patterns in (("video*", "media*", "dma_heap/*"), ("gpiochip*",), ("spidev*",), ("input/event*",))
    )
    for name in ("pi", "webcam"):
        yield devices.camera(name, box_runs and bool(video))
    source = camera_config().source
    if source is not None and "://" in source:
        yield devices.camera(source, box_runs=False)
    yield devices.access("video", video, user, "There are no cameras in /dev.")
    wanted = panel_config()
    if wanted.input == "usb":
        yield devices.access("input", keys, user, "There is no button and no keyboard here.")
        yield devices.buttons(wanted, box_runs)
        return
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


def examine_running(folder: Path, state: State) -> Iterator[Diagnosis]:
    """Yield every diagnosis, in the page's order. `folder` holds the games, `state` is the table's state.

    Packages and libraries are not checked, because the program is running. It holds the camera and the pins, so their
    condition comes from the table. The journal is not read to its end: that takes seconds and would slow the reading of
    dice.
    """
    yield from machine.first_start(folder)
    yield camera(state)
    yield machine.power()
    yield machine.disk(folder)
    if not state.journal.ok:
        yield bad("journal", state.journal.sentence)
    if not state.playing:
        yield journal(folder)
    elif state.journal.ok:
        yield good("journal", Message("What is played is saved."))
    yield panel(state)
    yield machine.clock(datetime.now().astimezone())
    yield machine.service()
    yield from configuration()
    yield examples(folder)
    yield from damaged_files(folder)
    yield from program.networks()


def camera(state: State) -> Diagnosis:
    """Check that the camera gives pictures."""
    now = state.camera
    if not now.ok:
        return bad("camera", now.sentence or Message("The camera gives no pictures."), remedy="camera")
    if now.phone:
        return good("camera", Message("The phones take the pictures."))
    return good("camera", Message("The camera gives pictures."))


def panel(state: State) -> Diagnosis:
    """Check the panel. It is optional."""
    if not state.panel.present:
        return absent("panel", state.panel.sentence or Message("There are no buttons and lamps."))
    if state.panel.sentence:
        return poor("panel", state.panel.sentence)
    return good("panel", Message("The panel is connected."))


DAMAGED_HINT: Final = Message(
    "Part of the saved games cannot be read. The damaged file can be set aside; all readable games stay."
)


def journal(state: Path) -> Diagnosis:
    """Check that the journal is undamaged: every event can be decoded, and they lead to a valid position."""
    from companion.table.errors import REPAIR_HINT, TableError
    from companion.table.journal.repair import damage_in
    from companion.table.journal.saved_games import journal_file, saved_games

    path = journal_file(state)
    if is_private(state):
        return absent("journal", f"Only the service and root may look into {state}.")
    try:
        if not path.exists():
            return absent("journal", Message("Nobody has played here yet."), str(state))
        with as_owner_of(state):
            damage = damage_in(state)
            games = 0 if damage else len(saved_games(state))
        if damage:
            return bad("journal", DAMAGED_HINT, f"{' '.join(damage)} {REPAIR_HINT}", remedy="journal")
    except (TableError, OSError, sqlite3.Error) as error:
        reason = str(error).rstrip(".")
        return bad("journal", Message("The saved games cannot be read: {reason}.", reason=reason), str(path))
    return good("journal", Message("All saved games can be read."), f"{path}, games: {games}")


def damaged_files(state: Path) -> Iterator[Diagnosis]:
    """The files that were set aside as damaged."""
    if is_private(state):
        return
    with contextlib.suppress(OSError), as_owner_of(state):
        for path in sorted(filter(is_aside, (*state.glob("*"), *state.glob("*/*")))):
            name = str(path.relative_to(state))
            said = Message("A damaged file was set aside as {name}; the box goes on without it.", name=name)
            yield absent("files", said, str(path))


def examples(state: Path) -> Diagnosis:
    """What `learn` in [camera] has collected, and the confidence above which the box no longer asks."""
    if not camera_config().learn:
        said = Message("No pictures of dice are kept to learn from.")
        return absent("examples", said, "learn in [camera] is false.")
    if is_private(state):
        return absent("examples", f"Only the service and root may look into {state}.")
    try:
        from companion.camera.example_file import EXAMPLE_FILE, ExampleFile, ExampleFileError
        from companion.camera.example_writer import own_threshold
        from vision.models.integrity import networks_id
        from vision.models.network import ModelError
        from vision.pipeline.confidence import Confidence
    except ImportError as error:  # the library's own diagnosis says what to do
        return poor("examples", f"They cannot be read: {error}.")
    file = ExampleFile(state / EXAMPLE_FILE)
    try:
        shipped = Confidence.load().ask_below
        networks = networks_id()
        with as_owner_of(state):
            kept = file.summary()
            threshold = own_threshold(file, networks, shipped)
    except (ExampleFileError, ModelError, OSError) as error:
        return poor(
            "examples",
            Message("The pictures of dice kept to learn from cannot be read. Dice are read without them."),
            f"{error} Remove the file to start again.",
        )
    how = "proven" if threshold.proven else "not proven yet"
    return good(
        "examples",
        Message("Pictures of {dice} are kept to learn from.", dice=Dice(kept.dice)),
        f"Players spoke of {kept.said}, {kept.bytes / 1e6:.0f} MB. They are asked below a probability of "
        f"{threshold.ask_below:.2f} ({how}); shipped: {shipped:.2f}",
    )
