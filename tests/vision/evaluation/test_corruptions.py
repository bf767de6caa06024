"""Tables under worse conditions: the picture changes, and where the dice lie in it, never what is in play."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision.drawn.table_scene import DIE_MM, WIDTH_MM, SceneDie, TableScene, render_table
from vision.evaluation import corruptions
from vision.evaluation.corruptions import CORRUPTIONS, LabelledTable, judge_tables
from vision.evaluation.pairs import TrueDie
from vision.image_file import write_image
from vision.reader import Reader

SIZE = (960, 720)
SCALE = SIZE[0] / WIDTH_MM
LAID = (SceneDie(-120, -60, 0.3, 4, "red"), SceneDie(-90, -30, 1.1, 2, "red"), SceneDie(140, 70, 0.7, 1, "blue"),
        SceneDie(200, -90, 2.0, 6, "blue"))  # fmt: skip
BLUR = ("blur of 0.2 die widths", "blur of 0.3 die widths")


@pytest.fixture(scope="module")
def table() -> LabelledTable:
    side = 1.15 * DIE_MM * SCALE
    dice = [
        TrueDie(
            die.face,
            die.colour,
            (SIZE[0] / 2 + die.x * SCALE - side / 2, SIZE[1] / 2 + die.y * SCALE - side / 2, side, side),
            lost=False,
        )
        for die in LAID
    ]
    return LabelledTable(render_table(TableScene(LAID), SIZE), tuple(dice))


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_condition_changes_the_picture_and_not_what_is_in_play(name: str, table: LabelledTable) -> None:
    before = table.image.copy()
    worse = CORRUPTIONS[name](table, np.random.default_rng(1))
    again = CORRUPTIONS[name](table, np.random.default_rng(1))
    assert np.array_equal(worse.image, again.image), "the same generator makes the same picture"
    assert np.array_equal(table.image, before), "the picture itself is left alone"
    assert name == "as taken" or worse.image.shape != before.shape or not np.array_equal(worse.image, before)
    assert [(die.face, die.colour) for die in worse.dice] == [(die.face, die.colour) for die in table.dice]


@pytest.mark.parametrize("name", ["a webcam of 640 pixels", "25 degrees of tilt", "a cheap lens"])
def test_the_dice_are_where_it_says(name: str, table: LabelledTable) -> None:
    worse = CORRUPTIONS[name](table, np.random.default_rng(1))
    found = Reader.load().read(worse.image).dice
    for true in worse.dice:
        x, y, w, h = true.box
        near = [die for die in found if x < die.centre[0] < x + w and y < die.centre[1] < y + h]
        assert [die.face for die in near] == [true.face]


def test_a_die_that_is_cut_off_shows_in_part(table: LabelledTable) -> None:
    image, dice, _ = CORRUPTIONS["a die cut off"](table, np.random.default_rng(1))
    height, width = image.shape[:2]
    outside = [x < 0 or y < 0 or x + w > width or y + h > height for x, y, w, h in (die.box for die in dice)]
    assert outside.count(True) == 1


def test_tables_with_every_colour_named_are_judged_under_every_condition(
    table: LabelledTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = {name: CORRUPTIONS[name] for name in ("as taken", "a sleeve over a die", "glare on a die in four", *BLUR)}
    monkeypatch.setattr(corruptions, "CORRUPTIONS", some)  # all take long
    write_image(tmp_path / "table.png", table.image)
    dice = [{"value": die.face, "colour": die.colour, "box": die.box} for die in table.dice]
    nameless = [{key: die[key] for key in ("value", "box")} for die in dice]
    entries = {"table.png": dice, "without a colour.png": nameless, "nothing.png": {"counts": {"3": 2}}}
    (tmp_path / "labels.json").write_text(json.dumps(entries), encoding="utf-8")
    judged = list(judge_tables(Reader.load(), tmp_path / "labels.json"))
    assert [(each.name, each.condition) for each in judged] == [("table.png", name) for name in some]
    assert (judged[0].score.taps, judged[0].score.wrong) == (0, False)
    assert [each.condition for each in judged if each.score.silent] == []
    assert all(each.score.taps for each in judged if each.condition in BLUR), "nobody could read these"
