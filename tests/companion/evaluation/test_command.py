"""`perudo evaluate`, as it is typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.evaluation import command, play
from companion.evaluation.command import evaluate
from tests.fakes.process_pool import FakeProcessPool
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.evaluation import corruptions
from vision.image_file import write_image

DICE = tuple(SceneDie(-150 + 60 * k, -40 + 15 * k, 0.5 * k, k + 1, colour)
             for k, colour in enumerate(("red", "orange", "yellow", "green", "blue", "purple")))  # fmt: skip


def label(d: SceneDie) -> dict[str, Any]:
    box = [640 + d.x * 1280 / 620 - 20, 480 + d.y * 1280 / 620 - 20, 40, 40]
    return {"value": d.face, "box": box, "colour": d.colour, "light_pips": d.colour not in {"orange", "yellow"}}


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    write_image(path, render_table(TableScene(DICE)))
    return path


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Two photos of one table; in the second, the labels say 5 where a 6 lies."""
    image = render_table(TableScene(DICE))
    for name in ("right.png", "wrong.png"):
        write_image(tmp_path / name, image)
    right = [label(d) for d in DICE]
    wrong = [*right[:5], {**right[5], "value": 5}]
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({
        "right.png": {"dice": right, "conditions": {"light": "day"}},
        "wrong.png": {"dice": wrong, "conditions": {"light": "lamp"}},
    }))  # fmt: skip
    return path


def test_json_has_conditions_confusion_and_shares(labels: Path) -> None:
    result = CliRunner().invoke(evaluate, [str(labels), "--json"])
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert (record["silent"], record["silent_pct"], record["exact_pct"]) == (1, 50.0, 50.0)
    assert (record["coloured"], record["colour_right"]) == (12, 12)
    assert {"true": 5, "read": 6, "dice": 1} in record["confusion"]
    condition_tables = {table["name"]: table for table in record["conditions"]}
    light = {row["group"]: (row["photos"], row["right"], row["silent"]) for row in condition_tables["light"]["rows"]}
    assert light == {"day": (1, 6, 0), "lamp": (1, 5, 1)}
    pips = {row["group"]: (row["dice"], row["wrong"]) for row in condition_tables["light_pips"]["rows"]}
    assert pips == {"no": (4, 0), "yes": (8, 1)}
    assert sum(each["dice"] for each in record["reliability"]) == 12


def test_people_see_conditions_on_request(labels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two = dict(list(corruptions.CORRUPTIONS.items())[:2])  # all take long
    monkeypatch.setattr(corruptions, "CORRUPTIONS", two)
    short = CliRunner().invoke(evaluate, [str(labels)]).stdout
    assert "silent errors 1 photos (50.0 %), flagged for nothing 0 photos (0.0 %)" in short
    assert len(short.splitlines()) <= 14
    output = CliRunner().invoke(evaluate, [str(labels), "--conditions"]).stdout
    assert output.startswith(short)
    assert "lamp" in output
    assert "1 silent" in output
    assert all(f"    {condition:<30} " in output for condition in two)


def test_the_report_and_the_picture_are_written(labels: Path, tmp_path: Path) -> None:
    out, svg = tmp_path / "new" / "report", tmp_path / "pictures" / "reliability.svg"
    result = CliRunner().invoke(evaluate, [str(labels), "--report", str(out), "--reliability", str(svg)])
    assert result.exit_code == 0, result.output
    assert str(out / "index.html") in result.stderr
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "wrong.png: silent error" in page
    assert "true 5 purple, read 6 purple" in page
    assert len(list((out / "pictures").iterdir())) == 2
    assert "11 of 12 dice right" in svg.read_text(encoding="utf-8")


def test_an_unwritable_place_is_reported_before_anything_is_read(labels: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(evaluate, [str(labels), "--report", str(tmp_path / "file" / "report")])
    assert result.exit_code == 1
    assert "nothing can be written there" in result.stderr
    assert result.stdout == ""


def test_a_photo_is_compared_with_its_labels(photo: Path) -> None:
    labels = photo.parent / "labels.json"
    labels.write_text(json.dumps({photo.name: [{"value": d.face, "box": label(d)["box"]} for d in DICE]}))
    result = CliRunner().invoke(evaluate, [str(labels)])
    assert result.exit_code == 0, result.output
    assert "dice right 6 (100.0 %)" in result.stdout
    assert "photos exactly right 1 (100.0 %)" in result.stdout
    record = json.loads(CliRunner().invoke(evaluate, [str(labels), "--json"]).stdout)
    assert record["right"] == 6
    assert record["per_value"][0] == {"value": 1, "dice": 1, "right": 1, "wrong": 0, "missed": 0, "false": 0}


def test_unreadable_photos_are_named(tmp_path: Path) -> None:
    labels = tmp_path / "labels.json"
    labels.write_text('{"gone.jpg": [{"value": 1, "box": [0, 0, 9, 9]}]}')
    result = CliRunner().invoke(evaluate, [str(labels), str(tmp_path / "none.json")])
    assert result.exit_code == 1
    assert "gone.jpg: there is no such file" in result.stderr
    assert "none.json" in result.stderr
    assert "missed 1" in result.stdout


def test_the_table_of_figures_is_written_between_its_markers(photo: Path, tmp_path: Path) -> None:
    labels = photo.parent / "labels.json"
    labels.write_text(json.dumps({photo.name: {"counts": {str(k): 1 for k in range(1, 7)}}}))
    readme = tmp_path / "README.md"
    readme.write_text("# A\n<!-- figures -->\nold\n<!-- /figures -->\nrest\n")
    result = CliRunner().invoke(evaluate, [str(labels), "--figures", str(readme)])
    assert result.exit_code == 0, result.output
    text = readme.read_text()
    assert "1 photos, 6 dice | 100.0 %" in text
    assert "old" not in text
    assert text.endswith("rest\n")


@pytest.fixture
def short_evenings(monkeypatch: pytest.MonkeyPatch) -> None:
    """One round each, in small pictures."""
    monkeypatch.setattr(play, "MOST_ROUNDS", 1)
    monkeypatch.setattr(play, "PICTURE_SIZES", ((320, 240),))


@pytest.mark.usefixtures("short_evenings")
def test_evenings_are_played_and_their_figures_written(tmp_path: Path) -> None:
    readme, out = tmp_path / "README.md", tmp_path / "report"
    readme.write_text("# A\n<!-- evenings -->\nold\n<!-- /evenings -->\nrest\n")
    typed = ["--evenings", "1", "--seed", "3", "--report", str(out), "--figures", str(readme), "--conditions"]
    result = CliRunner().invoke(evaluate, typed)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("1 reveals, ")
    assert "  lost dice\n    " in result.stdout
    assert "By condition: cloth" in (out / "index.html").read_text(encoding="utf-8")
    text = readme.read_text()
    assert "| all | 1 | " in text
    assert "old" not in text
    assert text.endswith("rest\n")


@pytest.mark.usefixtures("short_evenings")
def test_each_reveal_of_an_evening_is_in_the_json() -> None:
    record = json.loads(CliRunner().invoke(evaluate, ["--evenings", "1", "--json"]).stdout)
    assert (record["evenings"], record["seed"], record["reveals"]) == (1, 1, 1)
    (reveal,) = record["each"]
    assert reveal["round"] == 1
    assert reveal["conditions"]["players"] in range(2, 7)
    assert {table["name"] for table in record["conditions"]} == set(reveal["conditions"])


def test_many_evenings_are_each_played_once_and_no_process_plays_many(monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[list[int]] = []
    monkeypatch.setattr(command, "ProcessPoolExecutor", lambda *_, **__: FakeProcessPool(pools))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    CliRunner().invoke(evaluate, ["--evenings", "23"])
    assert [number for pool in pools for number in pool] == list(range(23))
    assert max(map(len, pools)) <= 2 * command.EVENINGS_A_PROCESS


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ([], "Name a LABELS.json, or say how many --evenings to play."),
        (["labels.json", "--evenings", "2"], "not both"),
        (["labels.json", "--seed", "2"], "--seed is for --evenings"),
        (["--evenings", "2", "--reliability", "a.svg"], "--reliability is drawn from photographs"),
    ],
)
def test_what_does_not_go_together_is_refused(typed: list[str], told: str) -> None:
    result = CliRunner().invoke(evaluate, typed)
    assert result.exit_code == 2
    assert told in result.stderr


def test_perudo_has_the_command_in_a_clone() -> None:
    listed = CliRunner().invoke(main, ["--help"]).stdout
    assert "  evaluate         Measure the reader by photographs or drawn evenings.\n" in listed
    assert CliRunner().invoke(main, ["evaluate", "--help"]).stdout.startswith("Usage: main evaluate [OPTIONS] [LABELS")


def test_without_the_package_perudo_lacks_the_command() -> None:
    program = (
        "import sys; sys.modules['companion.evaluation'] = None; from companion.cli import main; "
        "main(sys.argv[1:], prog_name='perudo')"
    )
    listed, typed = (
        subprocess.run([sys.executable, "-c", program, word], capture_output=True, text=True, check=False)
        for word in ("--help", "evaluate")
    )
    assert listed.returncode == 0
    assert "  replay " in listed.stdout
    assert "evaluate" not in listed.stdout
    assert typed.returncode == 2
    assert "No such command 'evaluate'" in typed.stderr
