"""The data the confidence is fitted on, and that chance cannot give a feature the wrong sign."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from calibration.image import Image
from vision.pipeline.confidence import FEATURE_NAMES
from vision.reader import Reader
from vision.reading import Die
from vision.training.confidence_fit import candidate_rows, degraded, fit
from vision.training.pictures import Picture

DIE = Die(5, "red", (100.0, 100.0, 40.0, 40.0), 0.9)
FRAME = np.zeros((300, 300, 3), np.uint8)


class Message:
    """A reader with a fixed answer for every frame."""

    def __init__(self, *dice: Die) -> None:
        self.dice = dice

    def candidates(self, _frame: Image) -> list[tuple[Die, np.ndarray]]:
        return [(die, np.full(len(FEATURE_NAMES), k, np.float32)) for k, die in enumerate(self.dice)]


def picture(*dice: tuple[float, float, int, bool]) -> Picture:
    rows = [(x, y, 40, 40, face, -1, ignore) for x, y, face, ignore in dice]
    return Picture(FRAME, np.array(rows, np.float32).reshape(-1, 7), real=False)


BESIDE, AWAY = (replace(DIE, box=(x, y, 40.0, 40.0)) for x, y in ((112.0, 100.0), (200.0, 200.0)))


@pytest.mark.parametrize(
    ("candidates", "dice", "there", "right"),
    [
        ((DIE, BESIDE), [(120, 120, 5, False)], [1, 0], [1, 0]),
        ((DIE, AWAY), [(120, 120, 3, False), (220, 220, 5, True)], [1], [0]),
        ((DIE, AWAY), [], [0, 0], [0, 0]),
    ],
    ids=["a die seen twice is one", "a wrong face is not right, and an ignored die left out", "no dice"],
)
def test_each_candidate_is_a_row(
    candidates: tuple[Die, ...], dice: list[tuple[float, float, int, bool]], there: list[int], right: list[int]
) -> None:
    rows = candidate_rows(cast(Reader, Message(*candidates)), [picture(*dice)])
    assert (rows.there.tolist(), rows.right.tolist()) == (there, right)


def test_a_degraded_picture_has_the_same_dice_in_their_new_places() -> None:
    one = picture((150, 90, 4, False))
    (spoiled,) = degraded([one], np.random.default_rng(1))
    scale = spoiled.frame.shape[0] / FRAME.shape[0]
    assert 0.4 < scale < 0.95
    assert spoiled.dice[0, :4] == pytest.approx(one.dice[0, :4] * scale, abs=0.6)
    assert spoiled.dice[0, 4:].tolist() == one.dice[0, 4:].tolist()


def test_a_weight_of_the_wrong_sign_is_left_out() -> None:
    rng = np.random.default_rng(2)
    x: Any = rng.normal(0, 1, (400, len(FEATURE_NAMES)))
    x[:, 0] = 1
    spot, whole = FEATURE_NAMES.index("spot"), FEATURE_NAMES.index("whole")
    y = (x[:, spot] - 0.5 * x[:, whole] > 0).astype(float)
    weights = fit(x, y, np.ones(400))
    assert weights[spot] > 1
    assert weights[whole] == 0
