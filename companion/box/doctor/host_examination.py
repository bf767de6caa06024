"""The examination from within the running program, for the host's phone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from companion.box.doctor import machine, program
from companion.box.doctor.configuration import configuration
from companion.box.doctor.diagnosis import Diagnosis, absent, bad, good
from companion.box.doctor.examples import examples
from companion.box.doctor.journal import journal
from companion.messages.message import Message
from companion.table import State


def examine_running(folder: Path, state: State) -> Iterator[Diagnosis]:
    """Every diagnosis, in the order of the page. `folder` is that of the games, `state` the table's.

    The program runs, so its packages and libraries are there. It has the camera and the pins, and its table knows how
    they are. During a game the journal is not read to its end: that takes seconds, and would slow the reading of dice.
    """
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
    yield from program.networks()


def camera(state: State) -> Diagnosis:
    """Whether it gives pictures."""
    now = state.camera
    if not now.ok:
        return bad("camera", now.sentence or Message("The camera gives no pictures."), mend="camera")
    if now.phone:
        return good("camera", Message("The phones take the pictures."))
    return good("camera", Message("The camera gives pictures."))


def panel(state: State) -> Diagnosis:
    """Whether there is one. A box goes without."""
    if not state.panel.present:
        return absent("panel", state.panel.sentence or Message("There are no buttons and lamps."))
    return good("panel", Message("The buttons and lamps are connected."))
