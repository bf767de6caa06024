"""How each step of a calibration looks at a frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from calibration.grade import Finding, Grade
from calibration.image import shrunk
from calibration.quality.picture_quality import JUDGED_WIDTH, picture_findings
from calibration.sheet.sighting import Sighting, find_sheet
from calibration.sheet.view_guide import view_fault
from companion.features.calibration.changes import CalibrationStep
from companion.features.calibration.picture_overlay import in_rows
from companion.features.calibration.progress import Look, Progress
from companion.messages.message import Message
from hardware.camera.protocol import Frame, Image, small_picture
from vision.reader import Reader
from vision.reading import Reading

AIM_EVERY: Final = 0.6
"""Seconds between two judgements of the light: a sentence has to stay long enough to be read."""
READ_EVERY: Final = 0.8
"""Seconds between two readings."""
STILL_SHEET: Final = 0.01
"""A sheet is held still if its corners moved less than this on average, as a share of the picture's width."""
HOLD_FOR: Final = 0.7
"""Seconds that the sheet has to be held still before a picture of it is taken."""
LINGER: Final = 0.6
"""Seconds between a picture of the sheet and the next search, so that users can read that it was taken."""

HOLD: Final = Message("Good. Hold it still.")
GOT_IT: Final = Message("Got it.")
NO_SHEET: Final = Message("I do not see the sheet. Put it under the camera, printed side up.")


class SheetStillness:
    """Tracks how long the sheet has been held still."""

    def __init__(self) -> None:
        self._anchor: Sighting | None = None
        self._since = 0.0
        self._not_before = float("-inf")

    def share(self, sighting: Sighting | None, at: float) -> float:
        """How long the sheet has been held still, as a share of `HOLD_FOR`, 0 to 1. `at`: the frame's time (s)."""
        if sighting is None or at < self._not_before:
            self._anchor = None
            return 0.0
        if self._anchor is None or self._anchor.shift(sighting) > STILL_SHEET:
            self._anchor, self._since = sighting, at
        return min(1.0, (at - self._since) / HOLD_FOR)

    def lingers(self, at: float) -> bool:
        """True if a picture of the sheet was taken just now."""
        return at < self._not_before

    def restart(self, at: float) -> None:
        """Start over after a picture of the sheet was taken."""
        self._anchor, self._not_before = None, at + LINGER


class Eye:
    """Looks at one frame after another. Not thread-safe."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` returns monotonic seconds."""
        self._clock = clock
        self._stillness = SheetStillness()
        self._aim: tuple[Finding, ...] = ()
        self._aim_at = float("-inf")
        self._reader: Reader | None = None
        self._read_at = float("-inf")

    def read_with(self, reader: Reader) -> None:
        """Use another reader from now on."""
        self._reader, self._read_at = reader, float("-inf")

    def see(self, progress: Progress, frame: Frame, settling: bool) -> Look:
        """Look at one frame as the step requires; no dice are read while the exposure is `settling`."""
        picture = small_picture(frame)
        match progress.step:
            case CalibrationStep.AIM:
                return Look(progress.step, frame, picture, aim=self._judge(progress, frame))
            case CalibrationStep.VIEWS:
                return self._view(progress, frame, picture)
            case CalibrationStep.FLAT:
                return _flat(progress, frame, picture)
            case CalibrationStep.COLOURS | CalibrationStep.CHECK if not settling:
                return Look(progress.step, frame, picture, reading=self._read(frame))
            case _:
                return Look(progress.step, frame, picture)

    def _judge(self, progress: Progress, frame: Frame) -> tuple[Finding, ...]:
        if self._clock() - self._aim_at < AIM_EVERY:
            return ()
        self._aim_at = self._clock()
        before, self._aim = self._aim, picture_findings(np.asarray(shrunk(frame.image, JUDGED_WIDTH), np.uint8))
        if progress.aim and _grades(before) != _grades(self._aim):
            return ()  # prevents flicker near a limit: only two looks in a row change the sentence
        return self._aim

    def _view(self, progress: Progress, frame: Frame, picture: Image) -> Look:
        """Take a view of the sheet if it is held still and the view is a new one."""
        sheet, (height, width) = find_sheet(picture), picture.shape[:2]
        stillness = self._stillness.share(sheet, frame.at)
        fault = view_fault(sheet, [view.at_size(width, height) for view in progress.draft.views])
        note: str = fault or HOLD
        view, captured = None, progress.capture
        if captured or (fault is None and stillness >= 1.0):
            large = sheet if picture is frame.image else find_sheet(frame.image)
            fault = view_fault(large, progress.draft.views)
            note, view = (GOT_IT, large) if fault is None else (fault, None)
            self._stillness.restart(frame.at)
            stillness = 0.0
        elif sheet is not None and self._stillness.lingers(frame.at):
            note = progress.note
        return Look(
            CalibrationStep.VIEWS,
            frame,
            picture,
            sheet=sheet,
            stillness=stillness,
            note=note,
            captured=captured,
            view=view,
        )

    def _read(self, frame: Frame) -> Reading | None:
        if self._reader is None or self._clock() - self._read_at < READ_EVERY:
            return None
        reading = in_rows(self._reader.read(frame.image))
        self._read_at = self._clock()
        return reading


def _flat(progress: Progress, frame: Frame, picture: Image) -> Look:
    """Capture the sheet once the users say that it lies flat."""
    sheet = find_sheet(picture)
    if not progress.capture:
        return Look(CalibrationStep.FLAT, frame, picture, sheet=sheet, note=None if sheet is None else "")
    flat = sheet if picture is frame.image else find_sheet(frame.image)
    note = NO_SHEET if flat is None else ""
    return Look(CalibrationStep.FLAT, frame, picture, sheet=sheet, note=note, captured=True, view=flat)


def _grades(findings: tuple[Finding, ...]) -> list[Grade]:
    return [each.grade for each in findings]
