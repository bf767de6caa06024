"""`perudo count`, as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.profile import Lens, Profile
from calibration.profile_file import save
from companion.cli.count import count
from hardware.camera.protocol import Image
from vision.drawn.table_scene import SceneCup, SceneDie, TableScene, render_table
from vision.image_file import read_image, write_image

DICE = tuple(SceneDie(-150 + 60 * k, -40 + 15 * k, 0.5 * k, k + 1, colour)
             for k, colour in enumerate(("red", "orange", "yellow", "green", "blue", "purple")))  # fmt: skip


@pytest.fixture(scope="module")
def runner() -> CliRunner:
    return CliRunner()


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    write_image(path, render_table(TableScene(DICE)))
    return path


def refusal(runner: CliRunner, *words: object) -> tuple[int, str]:
    result = runner.invoke(count, [str(word) for word in words])
    return result.exit_code, result.output


def test_a_photo_gives_one_line_of_json(runner: CliRunner, photo: Path) -> None:
    result = runner.invoke(count, [str(photo), "--json"])
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    record = json.loads(line)
    assert record["file"] == str(photo)
    assert sorted((d["value"], d["colour"]) for d in record["dice"]) == sorted((d.face, d.colour) for d in DICE)
    assert record["counts"] == dict.fromkeys("123456", 1)
    assert record["ms"] > 0
    for die in record["dice"]:
        assert set(die) == {"value", "colour", "box", "confidence", "uncertain"}
        assert 0 <= die["confidence"] <= 1
        assert die["uncertain"] == (die["confidence"] < 0.5)
        x, y, w, h = die["box"]
        scene = DICE[die["value"] - 1]
        assert abs(x + w / 2 - (640 + scene.x * 1280 / 620)) < 8
        assert abs(y + h / 2 - (480 + scene.y * 1280 / 620)) < 8
        assert 28 < w < 60
        assert 28 < h < 60


def test_uncertain_dice_are_in_the_line_and_marked(runner: CliRunner, photo: Path) -> None:
    blurred = photo.with_name("blurred.png")
    write_image(blurred, np.asarray(cv2.GaussianBlur(read_image(photo), (0, 0), 5), np.uint8))
    shaken = photo.with_name("shaken.png")
    write_image(shaken, np.asarray(cv2.blur(read_image(photo), (9, 1)), np.uint8))
    result = runner.invoke(count, [str(blurred), str(shaken), "--json"], catch_exceptions=False)
    out_of_focus, every = (json.loads(line)["dice"] for line in result.stdout.splitlines())
    assert any(die["uncertain"] for die in out_of_focus)
    assert every
    assert all(die["uncertain"] for die in every)


def test_every_bad_file_has_its_own_line_and_the_good_ones_are_still_read(
    runner: CliRunner, photo: Path, tmp_path: Path
) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no picture")
    empty = tmp_path / "empty.png"
    write_image(empty, render_table(TableScene(())))
    files = [tmp_path / "gone.jpg", text, photo, tmp_path, empty]
    result = runner.invoke(count, [*map(str, files), "--json"])
    assert result.exit_code == 1
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [r["file"] for r in records] == [str(f) for f in files]
    assert ["error" in r for r in records] == [True, True, False, True, False]
    assert len(records[2]["dice"]) == 6
    assert records[4]["dice"] == []


def test_overlays_of_two_photos_of_one_name_do_not_overwrite_each_other(
    runner: CliRunner, photo: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other" / photo.name
    other.parent.mkdir()
    other.write_bytes(photo.read_bytes())
    out = tmp_path / "new" / "overlays"
    result = runner.invoke(count, [str(photo), str(other), "--save-overlay", str(out)])
    assert result.exit_code == 0
    assert "6 dice: 1×1 2×1 3×1 4×1 5×1 6×1" in result.stdout  # noqa: RUF001
    assert sorted(p.name for p in out.iterdir()) == ["table-2.png", "table.png"]
    assert read_image(out / "table.png").shape == (960, 1280, 3)
    (tmp_path / "overlays" / "table.png").mkdir(parents=True)
    assert refusal(runner, photo, "--save-overlay", tmp_path / "overlays")[0] == 1


def test_a_profile_corrects_the_distortion_of_its_lens(runner: CliRunner, photo: Path, tmp_path: Path) -> None:
    lens = Lens(1280, 960, ((900, 0, 640), (0, 900, 480), (0, 0, 1)), (-0.25, 0.05, 0, 0, 0))
    path = tmp_path / "profile.json"
    save(Profile("kitchen", "2026-01-01T12:00:00+00:00", lens), path)
    result = runner.invoke(count, [str(photo), "--json", "--profile", str(path)])
    assert result.exit_code == 0, result.output
    dice = json.loads(result.stdout)["dice"]
    assert sorted((d["value"], d["colour"]) for d in dice) == sorted((d.face, d.colour) for d in DICE)
    for die in dice:  # boxes are in the coordinates of the original photo
        scene = DICE[die["value"] - 1]
        assert abs(die["box"][0] + die["box"][2] / 2 - (640 + scene.x * 1280 / 620)) < 10


def test_a_profile_of_another_camera_is_refused_in_a_sentence(runner: CliRunner, photo: Path, tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    lens = Lens(1920, 1080, ((1500, 0, 960), (0, 1500, 540), (0, 0, 1)), (0, 0, 0, 0, 0))
    save(Profile("kitchen", "2026-01-01T12:00:00+00:00", lens), path)
    status, said = refusal(runner, photo, "--profile", path)
    assert (status, str(photo) in said) == (1, True)
    path.write_text("{", encoding="utf-8")
    status, said = refusal(runner, photo, "--profile", path)
    assert (status, said.startswith("Error: "), "profile.json" in said) == (1, True, True)


LOST = SceneDie(0, 120, 0.4, 6, "blue")
CUPS = tuple(SceneCup(die.x, die.y, die.colour) for die in DICE)
IN_PLAY = "red=1,orange=1,yellow=1,green=1,blue=1,purple=1"


@pytest.fixture
def before(tmp_path: Path) -> Path:
    path = tmp_path / "before.png"
    write_image(path, render_table(TableScene((LOST,), CUPS)))
    return path


@pytest.fixture
def after(tmp_path: Path) -> Path:
    path = tmp_path / "after.png"
    write_image(path, render_table(TableScene((*DICE, LOST))))
    return path


def test_a_die_that_lay_there_before_is_out_of_play(runner: CliRunner, before: Path, after: Path) -> None:
    result = runner.invoke(count, [str(after), "--before", str(before), "--expect", IN_PLAY, "--json"])
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert [(die["value"], die["colour"]) for die in record["out_of_play"]] == [(6, "blue")]
    assert set(record["out_of_play"][0]) == {"value", "colour", "box", "confidence", "uncertain"}
    assert record["counts"] == dict.fromkeys("123456", 1)
    assert record["asks"] == []
    sentence = runner.invoke(count, [str(after), "--before", str(before)]).stdout
    assert "6 dice" in sentence
    assert "; 1 more lay there before" in sentence


def test_without_the_earlier_picture_it_asks_about_the_die_too_many(runner: CliRunner, after: Path) -> None:
    record = json.loads(runner.invoke(count, [str(after), "--expect", IN_PLAY, "--json"]).stdout)
    blue = [n for n, die in enumerate(record["dice"]) if die["colour"] == "blue"]
    assert record["asks"] == [{"code": "extra", "colour": "blue", "dice": blue}]
    assert "out_of_play" not in record


def test_it_asks_about_a_missing_die_and_a_colour_that_nobody_plays(runner: CliRunner, after: Path) -> None:
    expected = "red=2,orange=1,yellow=1,green=1,blue=2"
    record = json.loads(runner.invoke(count, [str(after), "--expect", expected, "--json"]).stdout)
    assert [(ask["code"], ask["colour"]) for ask in record["asks"]] == [("missing", "red"), ("foreign", "purple")]


@pytest.mark.parametrize(
    ("earlier", "sentence"),
    [
        (
            render_table(TableScene((LOST,)), (640, 480)),
            "it is 1280 x 960 pixels and earlier.png is 640 x 480: both must come from one camera",
        ),
        (
            render_table(TableScene((LOST,), cloth=(150, 90, 60))),
            "earlier.png shows another table, or the camera was moved since",
        ),
        (None, "there is no such file"),
    ],
    ids=["another size", "another table", "no file"],
)
def test_an_earlier_picture_that_does_not_fit_is_refused(
    runner: CliRunner, tmp_path: Path, after: Path, earlier: Image | None, sentence: str
) -> None:
    if earlier is not None:
        write_image(tmp_path / "earlier.png", earlier)
    status, said = refusal(runner, after, "--before", tmp_path / "earlier.png")
    assert (status, sentence in said) == (1, True), said


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        ("pink=3", "'pink' is no colour of dice"),
        ("red", "'red' does not say how many dice: write red=5."),
        ("red=-1", "does not say how many dice"),
        ("red=1,red=2", "red is there twice."),
        ("red=99", "does not say how many dice"),
        ("red=²", "does not say how many dice"),
        ("", "'' is no colour of dice"),
    ],
)
def test_dice_in_play_that_make_no_sense_are_refused(
    runner: CliRunner, tmp_path: Path, expected: str, sentence: str
) -> None:
    status, said = refusal(runner, tmp_path / "any.png", "--expect", expected)
    assert (status, sentence in said) == (2, True), said


def test_a_table_without_dice_is_an_exit_status_of_1(runner: CliRunner, tmp_path: Path) -> None:
    write_image(tmp_path / "empty.png", render_table(TableScene()))
    status, said = refusal(runner, tmp_path / "empty.png")
    assert (status, "no dice" in said) == (1, True)
