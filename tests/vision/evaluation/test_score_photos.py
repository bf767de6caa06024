"""Our scoring gives the same numbers as the independent tool that comes with the photographs.

Skipped where that tool is not beside the repository; it is no part of it.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.count import count
from vision.evaluation.scores import evaluate_photo, load_labels, total_score
from vision.reading import Die

TOOL = Path(__file__).resolve().parents[4] / "shared" / "tools" / "score_photos.py"


def load() -> ModuleType:
    if not TOOL.is_file():
        pytest.skip(f"the independent scoring is not here: {TOOL} is missing")
    spec = importlib.util.spec_from_file_location("score_photos", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return load()


def ours_and_theirs(tool: ModuleType, folder: Path, labels: dict[str, Any], answers: dict[str, Any]) -> None:
    """Score both ways and compare every number that both give."""
    path = folder / "labels.json"
    path.write_text(json.dumps(labels), encoding="utf-8")
    photos = [
        evaluate_photo(
            name, truth, [Die(d["value"], "red", tuple(d["box"]), d["confidence"]) for d in answers.get(name, [])]
        )
        for name, truth in load_labels(path).items()
    ]
    s, theirs = total_score(photos), tool.score(labels, answers)
    for key in ("photos", "dice", "right", "wrong", "missed", "false"):
        assert getattr(s, key) == theirs[key], key
    n = s.photos
    assert [round(100 * part / n, 2) if n else None for part in (s.exact, s.silent, s.flagged)] == [
        theirs[key] for key in ("photos_right_pct", "silent_errors_pct", "flagged_for_nothing_of_all_pct")
    ]
    assert (round(100 * s.flagged / s.exact, 2) if s.exact else None) == theirs["flagged_for_nothing_pct"]
    wrong = {f"{t} read {r}": k for (t, r), k in s.confusion.items() if t and r and t != r}
    assert wrong == theirs["confusion"]
    for photo in photos:
        p = theirs["per_photo"][photo.name]
        assert (photo.score.exact, photo.score.silent, photo.score.flagged) == (
            p["exact"], p["silent"], p["flagged_for_nothing"],
        ), photo.name  # fmt: skip


@pytest.mark.photos
@pytest.mark.parametrize("name", ["mixed_d6/test.json", "picam_tray/labels.json"])
def test_both_tools_score_perudo_count_alike(photos: Path, tool: ModuleType, tmp_path: Path, name: str) -> None:
    labels = json.loads((photos / name).read_text(encoding="utf-8"))
    files = [str((photos / name).parent / photo) for photo in labels]
    result = CliRunner().invoke(count, [*files, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output[-2000:]
    answers, _ = tool.read_answers(result.stdout.splitlines())
    assert set(answers) == set(labels)
    ours_and_theirs(tool, tmp_path, labels, answers)


places = st.integers(0, 6).map(lambda k: 7.0 * k)
boxes = st.tuples(places, places, st.sampled_from([8.0, 14.0, 20.0]), st.sampled_from([8.0, 14.0, 20.0])).map(list)
true_dice = st.fixed_dictionaries(
    {"value": st.integers(1, 6), "box": boxes}, optional={"ignore": st.booleans(), "tilt": st.floats(0, 40)}
)
truths = st.one_of(
    st.lists(true_dice, max_size=6),
    st.dictionaries(st.sampled_from("123456"), st.integers(0, 4)).map(lambda counts: {"counts": counts}),
)
read_dice = st.fixed_dictionaries(
    {"value": st.integers(1, 6), "box": boxes, "confidence": st.sampled_from([0.1, 0.49, 0.5, 0.9, 1.0])}
)


@given(st.lists(st.tuples(truths, st.lists(read_dice, max_size=6)), max_size=4))
def test_both_tools_score_any_answers_alike(tmp_path_factory: pytest.TempPathFactory, drawn: list[Any]) -> None:
    tool = load()
    labels = {f"{k}.jpg": truth for k, (truth, _) in enumerate(drawn)}
    answers = {f"{k}.jpg": read for k, (_, read) in enumerate(drawn)}
    ours_and_theirs(tool, tmp_path_factory.mktemp("labels"), labels, answers)
