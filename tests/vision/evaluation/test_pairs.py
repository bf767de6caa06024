"""How reveals are scored that were read from a picture before and one after the cups went up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vision.drawn.table_scene import DIE_MM, WIDTH_MM, SceneCup, SceneDie, TableScene, render_table
from vision.evaluation.pairs import PairScore, PairTruth, TrueDie, judge_pair, load_pairs, score_pair, summary
from vision.image_file import write_image
from vision.reader import Reader
from vision.reading import Die, Reading

RED, BLUE, LOST = (
    TrueDie(4, "red", (10.0, 10.0, 40.0, 40.0), lost=False),
    TrueDie(2, "blue", (110.0, 10.0, 40.0, 40.0), lost=False),
    TrueDie(5, "blue", (210.0, 10.0, 40.0, 40.0), lost=True),
)
TRUTH = PairTruth((), (RED, BLUE, LOST), {"red": 1, "blue": 1}, True, {})


def read(*dice: TrueDie, confidence: float = 0.9) -> Reading:
    return Reading(tuple(Die(die.face, die.colour, die.box, confidence) for die in dice), 640, 480)


@pytest.mark.parametrize(
    ("reading", "score"),
    [
        (read(RED, BLUE), PairScore(0, wrong=False, lost_counted=0)),
        (read(RED, BLUE, LOST), PairScore(1, wrong=True, lost_counted=0)),
        (read(RED), PairScore(1, wrong=True, lost_counted=0)),
        (read(RED, LOST), PairScore(0, wrong=True, lost_counted=1)),
        (read(RED, BLUE, confidence=0.2), PairScore(2, wrong=False, lost_counted=0)),
    ],
    ids=["right", "one too many", "one missing", "a lost die for one in play", "uncertain"],
)
def test_a_reveal_is_scored_by_its_questions_and_its_dice(reading: Reading, score: PairScore) -> None:
    assert score_pair(TRUTH, reading) == score


def test_the_summary_counts_what_players_notice() -> None:
    scores = [PairScore(0, wrong=False, lost_counted=0), PairScore(0, wrong=True, lost_counted=1),
              PairScore(2, wrong=True, lost_counted=0), PairScore(3, wrong=True, lost_counted=0)]  # fmt: skip
    assert summary(scores) == (
        "4 reveals: 2 judged without a question (50.0 %), 3 within two taps, 1 silently wrong, 1 lost dice counted"
    )


def test_a_folder_of_pairs_is_read_and_judged(tmp_path: Path) -> None:
    played, lost = SceneDie(-120, 0, 0.3, 4, "red"), SceneDie(0, 0, 1.0, 6, "red")
    write_image(tmp_path / "before.png", render_table(TableScene((lost,), (SceneCup(-120, 0, "red"),))))
    write_image(tmp_path / "after.png", render_table(TableScene((played, lost))))
    scale = 1280 / WIDTH_MM
    side = 1.2 * DIE_MM * scale
    dice = [
        {"value": die.face, "colour": die.colour, "lost": die is lost,
         "box": [640 + die.x * scale - side / 2, 480 + die.y * scale - side / 2, side, side]}
        for die in (played, lost)
    ]  # fmt: skip
    entry = {"dice": dice, "before": ["before.png"], "expect": {"red": 1}, "conditions": {"light": "side"}}
    alone = {"after.png": entry, "alone.png": {"dice": dice}, "single.png": {"dice": dice[:1]}}
    (tmp_path / "labels.json").write_text(json.dumps(alone))
    write_image(tmp_path / "single.png", render_table(TableScene((played,))))
    pairs = load_pairs(tmp_path)
    assert list(pairs) == ["after.png", "single.png"]  # of one picture nobody knows which dice are lost
    assert judge_pair(Reader.load(), tmp_path, "single.png", pairs["single.png"]) == PairScore(0, False, 0)
    score = judge_pair(Reader.load(), tmp_path, "after.png", pairs["after.png"])
    assert score == PairScore(0, wrong=False, lost_counted=0)
