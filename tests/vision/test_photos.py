"""The reader on real photographs, which are not part of the repository; skipped with a reason where there are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.files import read_image
from vision.measure import Score, load_labels, score_photo
from vision.reader import Reader

pytestmark = pytest.mark.photos


def measure(labels: Path) -> Score:
    if not labels.is_file():
        pytest.skip(f"no photographs here: {labels} is missing")
    reader, total = Reader.load(), Score()
    for name, truth in load_labels(labels).items():
        total += score_photo(truth, reader.read(read_image(labels.parent / name)).dice)
    return total


def test_photographs_never_learned_from(photos: Path) -> None:
    score = measure(photos / "mixed_d6" / "test.json")
    assert score.right >= 0.95 * score.dice
    assert score.false <= score.photos / 5


def test_a_pi_camera_over_a_dark_tray(photos: Path) -> None:
    score = measure(photos / "picam_tray" / "labels.json")
    assert score.right >= 0.95 * score.dice


def test_translucent_dice_on_green(photos: Path) -> None:
    score = measure(photos / "throws" / "labels.json")
    assert score.right >= 0.9 * score.dice
