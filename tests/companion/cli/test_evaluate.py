"""`perudo evaluate` with conditions, report and reliability; its plain output is tested beside `perudo count`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli.evaluate import evaluate
from vision.drawn.table_scene import SceneDie, TableScene, render_table
from vision.image_file import write_image

DICE = tuple(SceneDie(-150 + 60 * k, -40 + 15 * k, 0.5 * k, k + 1, colour)
             for k, colour in enumerate(("red", "orange", "yellow", "green", "blue", "purple")))  # fmt: skip


def label(d: SceneDie) -> dict[str, Any]:
    box = [640 + d.x * 1280 / 620 - 20, 480 + d.y * 1280 / 620 - 20, 40, 40]
    return {"value": d.face, "box": box, "colour": d.colour, "light_pips": d.colour not in {"orange", "yellow"}}


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


def test_for_machines_there_are_conditions_confusion_and_shares(labels: Path) -> None:
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


def test_people_see_conditions_when_they_ask(labels: Path) -> None:
    short = CliRunner().invoke(evaluate, [str(labels)]).stdout
    assert "silent errors 1 photos (50.0 %), flagged for nothing 0 photos (0.0 %)" in short
    assert len(short.splitlines()) <= 14
    told = CliRunner().invoke(evaluate, [str(labels), "--conditions"]).stdout
    assert told.startswith(short)
    assert "lamp" in told
    assert "1 silent" in told


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


def test_a_place_that_cannot_be_written_is_said_before_anything_is_read(labels: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(evaluate, [str(labels), "--report", str(tmp_path / "file" / "report")])
    assert result.exit_code == 1
    assert "nothing can be written there" in result.stderr
    assert result.stdout == ""
