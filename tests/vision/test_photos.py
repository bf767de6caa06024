"""The reader on real photographs, which are not part of the repository; skipped without them."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from vision.evaluation.scores import Score, load_labels, score_photo
from vision.image_file import read_image
from vision.reader import Reader
from vision.reading import Stillness
from vision.stillness import StillnessCheck

pytestmark = pytest.mark.photos


def measure(labels: Path) -> Score:
    if not labels.is_file():
        pytest.skip(f"no photographs here: {labels} is missing")
    reader, total_score = Reader.load(), Score()
    for name, truth in load_labels(labels).items():
        total_score += score_photo(truth, reader.read(read_image(labels.parent / name)).dice)
    return total_score


def test_photographs_that_were_not_used_in_training(photos: Path) -> None:
    score = measure(photos / "mixed_d6" / "test.json")
    assert score.right >= 0.95 * score.dice
    assert score.false <= score.photos / 5


def test_a_pi_camera_over_a_dark_tray(photos: Path) -> None:
    score = measure(photos / "picam_tray" / "labels.json")
    assert score.right >= 0.95 * score.dice


def test_translucent_dice_on_green(photos: Path) -> None:
    score = measure(photos / "throws" / "labels.json")
    assert score.right >= 0.9 * score.dice


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_throw_is_read_only_after_it_has_settled(photos: Path, number: int) -> None:
    """A hand throws; the dice lie still, for a fifth of a second at least, and the hand is back."""
    labels = photos / "throws" / "labels.json"
    if not labels.is_file():
        pytest.skip(f"no photographs here: {labels} is missing")
    truths = {name: truth for name, truth in load_labels(labels).items() if name.startswith(f"tirada_{number}_")}
    reader, settle = Reader.load(), StillnessCheck(still_for=0.1)
    video = cv2.VideoCapture(str(photos / "throws" / f"tirada_{number}.mp4"))
    read: set[tuple[int, ...]] = set()
    frame_number = 0
    while True:
        good, frame = video.read()
        if not good:
            break
        if settle.see(frame, frame_number / 30) is Stillness.STILL and not read:
            faces = tuple(sorted(die.face for die in reader.read(frame).dice))
            read |= {faces} if faces else set()
        frame_number += 1
    (truth,) = truths.values()
    assert read == {tuple(sorted(face for face, n in truth.counts.items() for _ in range(n)))}
