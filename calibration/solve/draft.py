"""A profile in the making: what a calibration has found so far. Each step gives the next draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from calibration.image import Image
from calibration.profile import Lens, Measurements, Profile
from calibration.sheet.board import SQUARE_MM
from calibration.sheet.sighting import Sighting
from calibration.solve.lens_fit import LensFit, TableFit, fit_table
from calibration.solve.table_palette import ColourSample, TablePalette, learn_palette


@dataclass(frozen=True, slots=True)
class ProfileDraft:
    """What is known so far."""

    before: Profile | None = None
    """The profile that gives whatever was not found anew."""
    camera: str = ""
    """What the camera calls itself."""
    die_mm: float | None = None
    square_mm: float = SQUARE_MM
    """The side of the sheet's squares."""
    views: tuple[Sighting, ...] = ()
    """The sheet, held under the camera."""
    lens_fit: LensFit | Lens | None = None
    """The lens as it was worked out, or as its maker describes it."""
    flat: Sighting | None = None
    """The sheet, lying on the table."""
    table: TableFit | None = None
    palette: TablePalette | None = None

    @property
    def lens(self) -> Lens | None:
        """The lens, however it was found."""
        return self.lens_fit.lens if isinstance(self.lens_fit, LensFit) else self.lens_fit

    @property
    def is_new(self) -> bool:
        """Whether it holds anything that `before` does not."""
        return bool(self.table or (self.palette and self.palette.palette))

    def with_view(self, view: Sighting) -> Self:
        """One more view of the sheet."""
        return replace(self, views=(*self.views, view))

    def with_lens(self, lens: LensFit | Lens | None) -> Self:
        """The lens as `fit_lens` gives it for the views, or as its maker describes it; None forgets it."""
        return replace(self, lens_fit=lens)

    def with_table(self, flat: Sighting) -> Self:
        """The table, from a view of the sheet lying flat on it. Needs a lens. Raises `SolveError`."""
        assert self.lens is not None
        return replace(self, flat=flat, table=fit_table(flat, self.lens, self.square_mm))

    def with_square(self, square_mm: float) -> Self:
        """Another side of the sheet's squares; a known table is worked out again. Raises `SolveError`."""
        draft = replace(self, square_mm=square_mm)
        return draft if self.table is None or self.flat is None else draft.with_table(self.flat)

    def with_palette(self, image: Image, dice: Sequence[ColourSample], playing: Sequence[str] = ()) -> Self:
        """The colours of these dice; see `learn_palette`."""
        return replace(self, palette=learn_palette(image, dice, playing))

    def profile(self, name: str, made: str, lock: Mapping[str, float] | None = None) -> Profile:
        """The profile `name`, made at `made` (ISO 8601); `lock`: what the camera is held at, None for that of `before`.

        A new lens without a table leaves none: the former one is in pixels of another lens. Raises `ProfileError`.
        """
        before = self.before or Profile(name, made)
        return Profile(
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

    def _measurements(self, before: Measurements) -> Measurements:
        fit = self.lens_fit if isinstance(self.lens_fit, LensFit) else None
        base = Measurements() if self.lens else before
        if fit is not None:
            base = replace(base, error_px=fit.error_px, views=fit.views)
        if self.table is None:
            return base
        return replace(
            base,
            square_mm=self.square_mm,
            scale_error=self.table.scale_error,
            height_mm=self.table.height_mm,
            tilt=self.table.tilt,
        )
