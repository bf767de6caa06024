"""A state folder of a box that was used: games, pictures, a calibration, learned dice, the table's code and phones."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from calibration.profile import Lens, Profile
from calibration.profiles import Profiles
from companion.camera.example_file import ExampleFile
from companion.camera.examples import DieExample
from companion.table import Journal, Table, commands
from companion.table.game.judged_dice import Feedback
from tests.fakes.new_game import new_game
from tests.fakes.reader import laid_out
from web.access.access import Access

LENS = Lens(2304, 1296, ((1720.0, 0.0, 1151.5), (0.0, 1720.0, 647.5), (0.0, 0.0, 1.0)), (0.0,) * 5)


def picture(number: int, size: int = 3000) -> bytes:
    """Bytes that cannot be packed."""
    return b"\xff\xd8" + random.Random(number).randbytes(size) + b"\xff\xd9"


def play(table: Table, games: int, size: int = 3000) -> None:
    """Games that end with a count of dice from a picture each."""
    for _ in range(games):
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        table.do(commands.MakeBid("Ana", 9, 6))
        table.do(commands.CallDudo())
        request = table.reveal_wanted()
        assert request is not None
        number = len(list(table.pictures.glob("*.jpg"))) + 1
        table.take_reading(request.reveal, laid_out({"red": [2] * 5, "blue": [3] * 5}), picture(number, size))
        table.do(commands.EndGame())


def played_box(folder: Path, games: int = 2, calibration: str | None = "Attic", *, learns: bool = False) -> Access:
    """Make `folder` the state folder of such a box. Gives what its phones joined by."""
    with Table(Journal(folder)) as table:
        play(table, games)
    if calibration is not None:
        profiles = Profiles.of(folder)
        reference = np.tile(np.arange(0, 240, 2, dtype=np.uint8), (90, 1))
        profiles.save(Profile(calibration, "2026-05-01T18:30:00+02:00", LENS), reference)
        profiles.use(calibration)
    if learns:
        die = DieExample(word=Feedback.ADDED, face=4, colour="red", box=(1.0, 1.0, 4.0, 4.0), read=None, share=None)
        ExampleFile(folder / "examples" / "dice.sqlite3").keep([(die, b"\xff\xd8 a die")], "these")
    access = Access(folder, rng=random.Random(games))
    access.phones.join()
    return access
