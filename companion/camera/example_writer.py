"""Keeps the dice of final verdicts as examples. The game never waits for it, nor fails with it."""

from __future__ import annotations

import logging
from typing import Final

from calibration.image import jpeg
from calibration.image_decoder import ImageError
from companion.camera.example_file import ExampleFile, ExampleFileError
from companion.camera.examples import examples_of
from companion.table.game.judged_dice import JudgedReading
from companion.table.table import Table
from vision.doubt_threshold import DoubtThreshold, doubt_threshold
from vision.image_file import read_image

log = logging.getLogger(__name__)

CROP_QUALITY: Final = 95
"""JPEG quality of an example's picture, 0 to 100: the picture was part of a JPEG before."""


class ExampleWriter:
    """Writes examples of the table's judged dice. Call it from one thread at a time."""

    def __init__(self, table: Table, file: ExampleFile, ask_below: float, networks: str) -> None:
        """Keep everything judged from now on.

        ask_below: the probability below which the reader asks. networks: the id of the networks that read.
        """
        self._table = table
        self._file = file
        self._ask_below = ask_below
        self._networks = networks
        shown = table.state().reading
        before = [reading.id for reading in table.judged_readings()]
        self._last_before = max([*before, 0 if shown is None else shown.id], default=0)
        self._kept: dict[int, tuple[JudgedReading, int | None]] = {}
        """Reading number -> the reading as kept, and its number in the file; None if it has no picture."""
        self._trouble = ""

    def step(self) -> None:
        """Keep everything judged since the last call. Call it every few seconds."""
        for reading in self._table.judged_readings():
            kept, number = self._kept.get(reading.id, (None, None))
            if reading.id > self._last_before and reading != kept:
                self._keep(reading, number)

    def _keep(self, reading: JudgedReading, instead_of: int | None) -> None:
        try:
            frame = read_image(self._table.pictures / f"{reading.id}.jpg")
            examples = [(die, jpeg(crop, CROP_QUALITY)) for die, crop in examples_of(reading, frame, self._ask_below)]
            number = self._file.keep(examples, self._networks, instead_of)
        except ImageError as error:
            log.warning("the dice of reading %d are not kept: its picture cannot be read: %s", reading.id, error)
            self._kept[reading.id] = reading, instead_of
        except ExampleFileError as error:  # the next step tries again
            if str(error) != self._trouble:
                self._trouble = str(error)
                log.warning("%s", error)
        except Exception:
            # A bug here must not stop the box.
            log.exception("the dice of reading %d are not kept", reading.id)
            self._kept[reading.id] = reading, instead_of
        else:
            self._trouble = ""
            self._kept[reading.id] = reading, number


def own_threshold(file: ExampleFile, networks: str, shipped: float) -> DoubtThreshold:
    """The doubt threshold fitted to the examples; `shipped` if they cannot be read."""
    try:
        dice = file.evidence(networks)
    except ExampleFileError as error:
        log.warning("%s", error)
        return DoubtThreshold(shipped, proven=False)
    found = doubt_threshold(dice, shipped)
    log.info("players are asked below a probability of %.2f, by %d dice", found.ask_below, len(dice))
    return found
