"""The yardstick of the reader's cost has the documented size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.yardstick import YARDSTICK_SIDE, YOLO_GFLOP, YOLO_WEIGHTS, write_yardstick
from vision.models.network import Network


def test_the_yardstick_has_the_published_weights_and_gflop(tmp_path: Path) -> None:
    net = write_yardstick(tmp_path / "net")
    assert net.weights == YOLO_WEIGHTS
    assert net.gflop == pytest.approx(YOLO_GFLOP, rel=0.01)


def test_the_engine_runs_the_yardstick_and_its_numbers_stay_ordinary(tmp_path: Path) -> None:
    write_yardstick(tmp_path / "net")
    frame = np.random.default_rng(1).integers(0, 256, (YARDSTICK_SIDE, YARDSTICK_SIDE, 3), dtype=np.uint8)
    out = Network(tmp_path / "net").run(frame)
    assert out.shape == (144, 8400)
    # vanishing or overflowing numbers would take another time than real ones
    assert np.isfinite(out).all()
    assert 0.01 < out.std() < 1000


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("same", 3), ("other", 4)):
        write_yardstick(tmp_path / name, seed)
    one, same, other = ((tmp_path / name).with_suffix(".bin").read_bytes() for name in ("one", "same", "other"))
    assert one == same
    assert one != other
