"""Whether a bowed sheet is called bowed, and a flat one is not, on simulated lenses and views.

`python -m tests.calibration.solve.test_sheet_shape 200` prints it for as many of each kind of views and each bow,
`... 500 0` for flat sheets only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from calibration.grade import Grade
from calibration.image import Doubles
from calibration.solve.lens_fit import LensFit, SolveError, fit_lens
from tests.calibration.rendered import Eye
from tests.calibration.solve.test_lens_error import KINDS, MIDDLE, poses, seen

BOWS = (0.0, 1.0, 2.0, 3.0, -3.0, 5.0)
Shape = Callable[[float, np.random.Generator], Callable[[Doubles], Doubles]]
EDGE = np.stack(np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9)), axis=-1).reshape(-1, 2) * MIDDLE


def bowed(mm: float, rng: np.random.Generator) -> Callable[[Doubles], Doubles]:
    """A sheet rolled about any axis, or a dish: `mm` from its lowest place to its highest."""
    angle, dish = rng.uniform(0, np.pi), rng.random() < 0.4
    along = np.array([np.cos(angle), np.sin(angle)])

    def height(places: Doubles) -> Doubles:
        return np.asarray((places**2).sum(axis=1) if dish else (places @ along) ** 2)

    return lambda places: mm * height(places) / np.ptp(height(EDGE))


def curled(mm: float, rng: np.random.Generator) -> Callable[[Doubles], Doubles]:
    """A sheet that is flat but for an edge or a corner, which stands `mm` up."""
    angle = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(angle), np.sin(angle)])
    edge = (EDGE @ along).max()
    return lambda places: np.asarray(mm * (np.maximum(0, places @ along / edge - 0.2) / 0.8) ** 2)


def lens(kind: str, mm: float, seed: int, shaped: Shape = bowed) -> LensFit | None:
    """A lens from views of a sheet with this bow; None if they are refused."""
    rng = np.random.default_rng([seed, KINDS.index(kind), round(10 * mm) + 100])
    off = tuple(rng.normal(0, 15, 2))
    eye = Eye(focal=rng.uniform(1200, 2300), off=off, distortion=(rng.uniform(-0.1, 0.1), 0.02, 0, 0, 0))
    shape = shaped(mm, rng)
    views = [view for view in (seen(eye, pose, rng, shape) for pose in poses(kind, eye, rng)) if len(view.ids) >= 14]
    try:
        return fit_lens(views)
    except SolveError:
        return None


@pytest.mark.parametrize("kind", ["as guided", "eight"])
@pytest.mark.parametrize(("mm", "shaped"), [(2.0, bowed), (3.0, bowed), (-3.0, bowed), (6.0, bowed), (4.0, curled)])
def test_a_sheet_that_is_bowed_or_has_an_edge_that_curls_is_called_bowed(kind: str, mm: float, shaped: Shape) -> None:
    for seed in range(2):
        found = lens(kind, mm, seed, shaped)
        assert found.grade is not Grade.GOOD
        assert found.sentence.startswith("The sheet was bent")
        if shaped is bowed:
            assert found.bow.mm == pytest.approx(abs(mm), abs=0.5)
            assert f"bent by about {round(abs(mm))} mm" in found.sentence


@pytest.mark.parametrize("kind", ["as guided", "eight"])
def test_a_flat_sheet_is_not_called_bowed(kind: str) -> None:
    for seed in range(4):
        found = lens(kind, 0.0, seed)
        assert not found.bow.certain
        assert "bent by" not in found.sentence


def main(count: int, bows: Sequence[float]) -> None:
    for kind in KINDS:
        for shaped in (bowed, curled):
            for mm in bows if shaped is bowed else filter(None, bows):
                fits = [found for seed in range(count) if (found := lens(kind, mm, seed, shaped)) is not None]
                called = sum(found.bow.certain for found in fits)
                off = np.median([abs(found.bow.mm - abs(mm)) for found in fits]) if fits else np.nan
                print(
                    f"{kind}, {shaped.__name__} {mm:g} mm: {len(fits)} of {count} give a lens, {called} called bowed, "
                    f"right to {off:.2f} mm",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]), [float(mm) for mm in sys.argv[2:]] or BOWS)
