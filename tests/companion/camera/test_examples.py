"""Which dice of a table are kept as examples, what of them, and that the game never notices."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.image import jpeg
from companion.camera.example_file import ExampleFile, ExampleFileError
from companion.camera.example_writer import ExampleWriter, own_threshold
from companion.camera.examples import CROP_WIDTHS, DieExample
from companion.table import Journal, Table, commands
from companion.table.game.events import TableDie
from companion.table.game.judged_dice import Feedback
from tests.fakes.new_game import new_game
from tests.fakes.reader import laid_out
from vision.doubt_threshold import DieEvidence, DoubtThreshold
from vision.reading import Die, Reading

FULL = {"red": [4, 4, 1, 2, 3], "blue": [6, 6, 5, 4, 1]}
SHIPPED = 0.8


def picture(reading: Reading) -> bytes:
    """A picture in which each die's place has its own grey level."""
    image = np.full((reading.height, reading.width, 3), 60, np.uint8)
    for n, die in enumerate(reading.dice):
        x, y, w, h = map(int, die.box)
        image[y : y + h, x : x + w] = 100 + 10 * n
    return jpeg(image, 95)


class Play:
    """A table that learns, and what it keeps."""

    def __init__(self, folder: Path) -> None:
        self.table = Table(Journal(folder / "state"), learn=True)
        self.file = ExampleFile(folder / "state" / "examples" / "dice.sqlite3")
        self.writer = ExampleWriter(self.table, self.file, SHIPPED, "these")
        self.table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))

    def judge(self, **doubts: list[tuple[str, int]]) -> None:
        state = self.table.state()
        self.table.do(commands.MakeBid(state.turn or "", 4, 4))
        self.table.do(commands.CallDudo())
        request = self.table.reveal_wanted()
        lying = {player.colour: FULL[player.colour][: player.dice] for player in state.players}
        reading = laid_out(lying, uncertain=doubts.get("doubts", []))
        self.table.take_reading(request.reveal, reading, picture(reading))

    @property
    def words(self) -> list[Feedback]:
        return [die.word for _, die, _ in self.file.pictures()]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    play = Play(tmp_path)
    yield play
    play.table.close()


def test_dice_are_kept_once_the_players_have_gone_on(play: Play) -> None:
    play.judge(doubts=[("red", 3)])
    play.table.do(commands.SetDie(3, face=2))
    play.table.do(commands.SetDie(0, face=5))
    play.writer.step()
    assert play.words == []
    play.table.do(commands.OpenRound())
    play.writer.step()
    names = [name for name, _, _ in play.file.pictures()]
    play.writer.step()
    assert [name for name, _, _ in play.file.pictures()] == names  # written once
    assert sorted(play.words) == [Feedback.CONFIRMED, Feedback.CORRECTED, *[Feedback.UNDISPUTED] * 8]


def test_an_example_has_what_was_read_and_its_part_of_the_picture(play: Play) -> None:
    play.judge()
    play.table.do(commands.SetDie(6, face=5))
    play.table.do(commands.OpenRound())
    play.writer.step()
    ((_, example, crop),) = [each for each in play.file.pictures() if each[1].word is Feedback.CORRECTED]
    assert (example.face, example.read.face, example.read.likeliest) == (5, 6, ((6, 0.98),))
    assert example.share == pytest.approx(0.992)  # 0.98 is 96 % of the way from 0.5 to 1, and so of 0.8 to 1
    image = cv2.imdecode(np.frombuffer(crop, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[:2] == (40 * CROP_WIDTHS, 40 * CROP_WIDTHS)
    x, y, w, h = map(int, example.box)
    assert image[y : y + h, x : x + w].mean() == pytest.approx(160, abs=3)
    assert image[y - 8 : y - 2, x : x + w].mean() == pytest.approx(60, abs=5)
    assert sorted((near.face, near.colour) for near in example.nearby) == [
        (1, "red"), (4, "red"), (4, "red"), (5, "blue"), (6, "blue")
    ]  # fmt: skip


def test_a_correction_after_going_back_replaces_what_was_kept(play: Play) -> None:
    play.judge()
    play.table.do(commands.OpenRound())
    play.writer.step()
    play.table.do(commands.Undo(play.table.state().undo.step))
    play.table.do(commands.SetDie(0, face=5))
    play.writer.step()
    play.table.do(commands.OpenRound())
    play.writer.step()
    assert sorted(play.words) == [Feedback.CORRECTED, *[Feedback.UNDISPUTED] * 9]


def test_what_was_read_before_the_box_learned_is_not_kept(play: Play) -> None:
    play.judge()
    play.table.do(commands.OpenRound())
    later = ExampleWriter(play.table, play.file, SHIPPED, "these")
    play.judge()
    shown = ExampleWriter(play.table, play.file, SHIPPED, "these")
    play.table.do(commands.OpenRound())
    shown.step()
    assert play.words == []
    later.step()
    assert len(play.words) == 9


def test_a_die_that_any_threshold_asks_about_is_no_evidence(play: Play) -> None:
    play.table.do(commands.MakeBid("Ana", 4, 4))
    play.table.do(commands.CallDudo())
    doubtful, cut_off = Die(4, "red", (40, 40, 40, 40), 0.3), Die(2, "red", (100, 40, 40, 40), 0.9).as_uncertain()
    reading = laid_out(FULL)
    reading = replace(reading, dice=(doubtful, cut_off, *reading.dice[2:]))
    play.table.take_reading(play.table.reveal_wanted().reveal, reading, picture(reading))
    for die in (0, 1):
        play.table.do(commands.SetDie(die, face=4))
    play.table.do(commands.OpenRound())
    play.writer.step()
    asked = [each for each in play.file.evidence("these") if each.asked]
    assert asked == [DieEvidence(pytest.approx(0.48), wrong=False, asked=True)]


def test_a_picture_that_is_gone_is_no_matter(play: Play) -> None:
    play.judge()
    play.table.do(commands.OpenRound())
    for path in play.table.pictures.iterdir():
        path.unlink()
    play.writer.step()
    assert play.words == []


def test_a_full_disk_is_no_matter_and_is_tried_again(play: Play, caplog: pytest.LogCaptureFixture) -> None:
    full = ExampleFile(play.file.path, reserve=2**62)
    writer = ExampleWriter(play.table, full, SHIPPED, "these")
    play.judge()
    play.table.do(commands.OpenRound())
    for _ in range(3):
        writer.step()
    assert [record.message for record in caplog.records if "No space left" in record.message] == [
        f"{play.file.path} cannot be written: No space left on device."
    ]
    assert not play.file.path.exists()
    play.writer.step()
    assert len(play.words) == 10


@pytest.mark.parametrize("content", [b"no database", b""])
def test_a_broken_file_is_no_matter(play: Play, content: bytes) -> None:
    play.file.path.parent.mkdir()
    play.file.path.write_bytes(content)
    assert own_threshold(play.file, "these", SHIPPED) == DoubtThreshold(SHIPPED, proven=False)
    play.judge()
    play.table.do(commands.OpenRound())
    play.writer.step()
    assert play.table.state().phase == "bidding"
    if content:
        assert play.file.path.with_name("dice.damaged-1.sqlite3").read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "dice.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    with pytest.raises(ExampleFileError, match="another program's"):
        ExampleFile(path).keep([example()], "these")
    assert path.read_bytes() == before


# Evidence


def example(word: Feedback = Feedback.UNDISPUTED, size: int = 1000, **read: bool) -> tuple[DieExample, bytes]:
    box = (10.0, 10.0, 40.0, 40.0)
    die = TableDie(0, 4, "red", box, 0.9, **{"uncertain": False, **read})
    corrected = 5 if word is Feedback.CORRECTED else 4
    share = None if word is Feedback.ADDED else 0.9
    return (
        DieExample(
            word=word, face=corrected, colour="red", box=box, read=None if word is Feedback.ADDED else die, share=share
        ),
        bytes(size),
    )


@pytest.mark.parametrize(
    ("word", "read", "evidence"),
    [
        (Feedback.UNDISPUTED, {}, DieEvidence(0.9, wrong=False, asked=False)),
        (Feedback.CONFIRMED, {"uncertain": True}, DieEvidence(0.9, wrong=False, asked=True)),
        (Feedback.CORRECTED, {}, DieEvidence(0.9, wrong=True, asked=False)),
        (Feedback.RECOLOURED, {}, DieEvidence(0.9, wrong=False, asked=False)),
        (Feedback.STRUCK, {"uncertain": True}, DieEvidence(0.9, wrong=True, asked=True)),
        (Feedback.STRUCK, {}, None),
        (Feedback.ADDED, {}, None),
        (Feedback.CORRECTED, {"uncertain": True, "flagged": True}, None),
    ],
)
def test_what_a_die_tells_about_the_threshold(
    word: Feedback, read: dict[str, bool], evidence: DieEvidence | None
) -> None:
    assert example(word, **read)[0].evidence == evidence


def test_dice_that_other_networks_read_tell_nothing(tmp_path: Path) -> None:
    file = ExampleFile(tmp_path / "examples" / "dice.sqlite3")
    file.keep([example(), example()], "these")
    file.keep([example()], "others")
    assert (len(file.evidence("these")), len(file.evidence("others"))) == (2, 1)


def test_the_threshold_is_set_from_the_kept_dice(tmp_path: Path) -> None:
    file = ExampleFile(tmp_path / "examples" / "dice.sqlite3")
    assert own_threshold(file, "these", SHIPPED) == DoubtThreshold(SHIPPED, proven=False)
    file.keep([example() for _ in range(300)] + [example(Feedback.CORRECTED)], "these")
    assert own_threshold(file, "these", SHIPPED).ask_below > 0.9
    assert own_threshold(file, "others", SHIPPED).ask_below == SHIPPED


# The file


def test_the_file_never_grows_past_its_limit_and_undisputed_pictures_go_first(tmp_path: Path) -> None:
    file = ExampleFile(tmp_path / "examples" / "dice.sqlite3", most=1_000_000)
    for n in range(40):
        file.keep([example(Feedback.CONFIRMED, 10_000), *[example(size=10_000)] * 4], "these")
        assert file.path.stat().st_size <= 1_000_000, n
    words = [die.word for _, die, _ in file.pictures()]
    assert words.count(Feedback.CONFIRMED) == 40
    assert 0 < words.count(Feedback.UNDISPUTED) < 80
    assert len(file.evidence("these")) == 200  # the words stay
    names = [name for name, die, _ in file.pictures() if die.word is Feedback.UNDISPUTED]
    assert min(int(name.split("-")[0]) for name in names) > 20  # the oldest are gone


def test_when_there_are_no_pictures_left_the_oldest_words_go(tmp_path: Path) -> None:
    file = ExampleFile(tmp_path / "examples" / "dice.sqlite3", most=100_000)
    for _ in range(40):
        file.keep([example(size=0)] * 20, "these")
        assert file.path.stat().st_size <= 100_000
    assert 20 <= len(file.evidence("these")) < 800


def test_an_example_is_a_label_of_its_picture(tmp_path: Path) -> None:
    (itself,) = example(Feedback.CORRECTED)[0].labels
    assert json.loads(json.dumps(itself)) == {
        "value": 5, "box": [10.0, 10.0, 40.0, 40.0], "colour": "red", "word": "corrected"
    }  # fmt: skip
    (struck,) = example(Feedback.STRUCK)[0].labels
    assert struck["ignore"] is True
