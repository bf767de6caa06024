"""A profile in the making: what a calibration has found so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from msgspec import structs

from calibration.profile import Lens, Measurements, Profile
from calibration.profile_file import from_json, to_json
from calibration.sheet.board import SQUARE_MM
from calibration.sheet.sighting import Sighting
from calibration.solve.lens_fit import SURE, LensFit, TableFit, fit_table
from calibration.solve.table_palette import TablePalette


@dataclass(frozen=True, slots=True)
class ProfileDraft:
    """What was found so far; everything else comes from the profile `before`."""

    before: Profile | None = None
    camera: str = ""
    """The camera's name."""
    die_mm: float | None = None
    square_mm: float = SQUARE_MM
    """Side of the sheet's squares."""
    views: tuple[Sighting, ...] = ()
    """Views of the sheet held under the camera."""
    lens_fit: LensFit | None = None
    """The lens, fitted to the views or as its maker specifies it."""
    flat: Sighting | None = None
    """The sheet lying on the table."""
    table: TableFit | None = None
    palette: TablePalette | None = None

    @property
    def lens(self) -> Lens | None:
        return self.lens_fit.lens if self.lens_fit else None

    @property
    def is_new(self) -> bool:
        """True if it holds anything that `before` does not."""
        return bool(self.table or (self.palette and self.palette.palette))

    def with_table(self, flat: Sighting) -> Self:
        """Compute the table from a view of the sheet lying flat on it. Needs a lens. Raises `SolveError`."""
        assert self.lens_fit is not None
        error = SURE * self.lens_fit.edge_error
        return replace(self, flat=flat, table=fit_table(flat, self.lens_fit.lens, self.square_mm, error))

    def with_square(self, square_mm: float) -> Self:
        """Change the side of the sheet's squares; a known table is computed again. Raises `SolveError`."""
        draft = replace(self, square_mm=square_mm)
        return draft if self.table is None or self.flat is None else draft.with_table(self.flat)

    def profile(self, name: str, made: str, lock: Mapping[str, float] | None = None) -> Profile:
        """The profile; `made` is in ISO 8601, `lock` the camera's settings, by default those of `before`.

        With a new lens, the table of `before` is dropped: it is in pixels of the old lens. Raises `ProfileError`.
        """
        before = self.before or Profile(name, made)
        profile = Profile(
            name=name,
            made=made,
            lens=self.lens or before.lens,
            table=self.table.table if self.table else None if self.lens else before.table,
            palette=self.palette.palette if self.palette else before.palette,
            camera=self.camera or before.camera,
            lock=before.lock if lock is None else lock,
            die_mm=before.die_mm if self.die_mm is None else self.die_mm,
            measured=self._measurements(before.measured or Measurements()),
        )
        return from_json(to_json(profile))  # checks what was measured

    def _measurements(self, before: Measurements) -> Measurements:
        lens = Measurements(self.lens_fit.error_px, self.lens_fit.views) if self.lens_fit else before
        if self.table is None:
            return lens
        return structs.replace(
            lens,
            square_mm=self.square_mm,
            scale_error=self.table.scale_error,
            height_mm=self.table.height_mm,
            tilt=self.table.tilt,
        )
