"""A profile put together from what the steps of calibrating found."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.profile import Lens, Measurements, Profile
from calibration.sheet.board import SQUARE_MM
from calibration.solve.lens_fit import LensFit, TableFit
from calibration.solve.table_palette import TablePalette


def profile(
    name: str,
    made: str,
    lens: LensFit | Lens | None = None,
    laid: TableFit | None = None,
    learned: TablePalette | None = None,
    *,
    square_mm: float = SQUARE_MM,
    camera: str = "",
    lock: Mapping[str, float] | None = None,
    die_mm: float | None = None,
    instead_of: Profile | None = None,
) -> Profile:
    """The profile `name`, made at `made` (ISO 8601). What was not found anew is taken from `instead_of`.

    `lens`: as it was worked out, or one that was assumed. A new lens without `laid` has no table: the one of before was
    told in the pixels of another lens. Raises `ProfileError`.
    """
    before = instead_of or Profile(name, made)
    given = lens.lens if isinstance(lens, LensFit) else lens
    measured = before.measured or Measurements()
    solved = lens if isinstance(lens, LensFit) else None
    return Profile(
        name=name,
        made=made,
        lens=given or before.lens,
        table=laid.table if laid else None if given else before.table,
        palette=learned.palette if learned else before.palette,
        camera=camera or before.camera,
        lock=before.lock if lock is None else lock,
        die_mm=before.die_mm if die_mm is None else die_mm,
        measured=Measurements(
            error_px=solved.error_px if solved else 0.0 if given else measured.error_px,
            views=solved.views if solved else 0 if given else measured.views,
            square_mm=square_mm if laid else 0.0 if given else measured.square_mm,
            scale_error=laid.scale_error if laid else 0.0 if given else measured.scale_error,
            height_mm=laid.height_mm if laid else 0.0 if given else measured.height_mm,
            tilt=laid.tilt if laid else 0.0 if given else measured.tilt,
        ),
    )
