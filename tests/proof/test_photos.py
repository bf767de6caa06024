"""`python -m tests.proof photos`, with two drawn tables in place of photographs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.proof.__main__ import main
from tests.proof.photos import MARKS, in_game
from vision.drawn.table_scene import WIDTH_MM, SceneDie, TableScene, render_table
from vision.evaluation.scores import Label, Truth
from vision.image_file import write_image
from vision.reading import Die

SIZE = (1600, 1200)


@pytest.mark.browser
def test_pictures_are_sent_through_the_page_and_their_figures_written(tmp_path: Path) -> None:
    scene = TableScene(
        tuple(
            SceneDie(60.0 * (place - 1), 70.0 * (row - 0.5), 0.4 * place, face, colour)
            for row, (colour, faces) in enumerate({"red": (4, 4, 2), "blue": (6, 5, 3)}.items())
            for place, face in enumerate(faces)
        )
    )
    image = render_table(scene, SIZE)
    write_image(tmp_path / "good.jpg", image, 92)
    write_image(tmp_path / "bare.jpg", render_table(TableScene(), SIZE), 92)
    scale, (width, height) = SIZE[0] / WIDTH_MM, SIZE
    dice = [
        {
            "value": die.face,
            "colour": die.colour,
            "box": [width / 2 + scale * (die.x - 12), height / 2 + scale * (die.y - 12), 24 * scale, 24 * scale],
        }
        for die in scene.dice
    ]
    labels, document = tmp_path / "labels.json", tmp_path / "document.md"
    labels.write_text(json.dumps({"good.jpg": dice, "bare.jpg": []}))
    document.write_text(f"before\n{MARKS[0]}\nold\n{MARKS[1]}\nafter\n")
    result = CliRunner().invoke(main, ["photos", str(labels), "--figures", str(document)])
    assert result.exit_code == 0, result.output
    row = f"| {tmp_path.name} | 2 | 6 | 6 (100.0 %) | 6 (100.0 %) | 100.0 % | 1 | 0 | 0 | 1 |"
    assert document.read_text().splitlines()[-3:] == [row, MARKS[1], "after"]


def test_a_game_has_the_dice_of_the_labels_or_else_those_that_were_read() -> None:
    box = (0.0, 0.0, 9.0, 9.0)
    labels = (Label(4, box, colour="red"), Label(0, box, ignore=True, colour="blue"), Label(2, box, colour="red"))
    read = [Die(1, "green", box, 0.9)] * 9
    assert in_game(Truth(labels, {}), read) == {"red": 2, "blue": 1}
    assert in_game(Truth((Label(4, box),), {}), read) == {"green": 6, "red": 1}
