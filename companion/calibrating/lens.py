"""From what was seen to a lens, a table and a profile: what takes long, or may fail, as values."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import cv2

from calibration.profile import Lens, Profile
from calibration.sheet.sighting import Sighting
from calibration.solve import assemble
from calibration.solve.lens_fit import LENS_MODELS, LensFit, SolveError, fit_lens, fit_table, maker_lens
from companion.calibrating import sentences as says
from companion.calibrating.look import jpeg
from companion.calibrating.work import Work
from companion.messages.message import Message
from hardware.camera.protocol import Camera
from vision.pipeline.rectify import Rectifier, RectifyError

log = logging.getLogger(__name__)


def assumed(camera: Camera) -> Lens | None:
    """The lens as its maker describes it; None where this camera's is not known."""
    width, height = camera.sizes.still
    model = next((name for name in sorted(LENS_MODELS, key=len, reverse=True) if name in camera.name), "")
    return maker_lens(model, width, height) if model and width else None


def worked_out(views: Sequence[Sighting]) -> tuple[LensFit | None, str]:
    """The lens from these views, or why there is none."""
    try:
        return fit_lens(views), ""
    except SolveError as error:
        return None, error.said
    except cv2.error:
        log.exception("the lens could not be worked out")
        return None, says.NO_LENS


def laid_down(work: Work, base: Profile | None, camera: str, now: datetime) -> tuple[dict[str, bytes], str]:
    """Where the table lies, by the sheet lying on it: `work.laid`. Gives the pictures of before and after as JPEG, or
    why it cannot be told.
    """
    if work.lens is None or work.flat is None or work.image is None:
        return {}, says.NO_SHEET
    try:
        work.laid = fit_table(work.flat, work.lens, work.square_mm)
        rectifier = Rectifier(draft(work, base, camera, now), work.image.shape[1], work.image.shape[0])
    except (SolveError, RectifyError) as error:
        work.laid = None
        return {}, error.said if isinstance(error, SolveError) else Message("{text}", text=str(error))
    return {"before": jpeg(work.image), "after": jpeg(rectifier.frame(work.image))}, ""


def measured(work: Work, square_mm: float) -> None:
    """So wide are the sheet's squares; where the table was told by them already, it is told anew."""
    work.square_mm = square_mm
    if work.laid is not None and work.flat is not None and work.lens is not None:
        work.laid = fit_table(work.flat, work.lens, square_mm)


def draft(work: Work, base: Profile | None, camera: str, now: datetime, name: str = "-") -> Profile:
    """The profile as it would be now; what was not found anew is that of `base`."""
    return assemble.profile(
        name,
        now.isoformat(timespec="seconds"),
        work.solved,
        work.laid,
        work.learned,
        square_mm=work.square_mm,
        camera=camera,
        lock=work.lock,
        instead_of=None if base is None else replace(base, name=name),
    )
