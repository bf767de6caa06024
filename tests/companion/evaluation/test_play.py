"""Evenings at a drawn table: the same seed plays the same, and what is read is held against what lies there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from math import dist
from typing import Any

import numpy as np
import pytest

from calibration.image import Image
from companion.evaluation import play
from companion.evaluation.play import play_evening
from companion.evaluation.reveals import JudgedPicture, RevealResult, evening_score
from companion.evaluation.stage import Item
from companion.evaluation.tabletop import Tabletop
from vision.cloth import Ignore
from vision.evaluation.pairs import TrueDie
from vision.reading import Die, Reading

SMALL = (480, 360)

Mistake = Callable[[list[Die]], list[Die]]


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "PICTURE_SIZES", (SMALL,))


@dataclass
class TruthfulReader:
    """A fake reader that knows the table: it sees the dice in play that nothing hides, but for one mistake."""

    tabletop: Tabletop
    mistake: Mistake = list

    def read(
        self, image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading:
        items = list(self.tabletop.stage.items.values())
        dice = [
            die for die in self.tabletop.stage.dice() if not die.lost and not any(hides(item, die) for item in items)
        ]
        read = [Die(d.face, d.colour, d.box, 0.99, ((d.face, 0.99),), ((d.colour, 0.99),)) for d in dice]
        return Reading(tuple(self.mistake(read)), image.shape[1], image.shape[0])

    def confirms(self, reading: Reading, before: Image, image: Image) -> bool:
        return True


def hides(item: Item, die: TrueDie) -> bool:
    """Whether something other than a die covers the die's middle."""
    if item.die is not None:
        return False
    x, y, width, height = die.box
    row, column = round(y + height / 2) - item.placed.top, round(x + width / 2) - item.placed.left
    rows, columns = item.placed.cutout.keep.shape[:2]
    return 0 <= row < rows and 0 <= column < columns and item.placed.cutout.keep[row, column, 0] < 20


def rounds(mistake: Mistake = list, *, count: int = 2, seed: int = 7) -> list[JudgedPicture]:
    judged: list[JudgedPicture] = []
    played = play_evening(seed, 0, lambda tabletop: TruthfulReader(tabletop, mistake), judged.append)  # type: ignore[arg-type,return-value]
    assert len(list(islice(played, count))) == count
    return judged


def misread(die: Die) -> Die:
    """The next face, read without a doubt."""
    face = die.face % 6 + 1
    return replace(die, face=face, likeliest=((face, 0.99),))


def without_cost(result: RevealResult) -> RevealResult:
    return replace(result, processor=0.0)


def test_what_is_read_right_is_judged_without_a_question() -> None:
    for number, judged in enumerate(rounds(), 1):
        result = judged.result
        assert result.round == number
        assert (result.codes, result.taps, result.wrong) == ((), 0, False)
        assert judged.state.verdict is not None
        assert result.readings > 0
        assert 0 < result.seconds < 10


def test_the_same_seed_plays_the_same_evening() -> None:
    one, again, other = (rounds(count=1, seed=seed) for seed in (7, 7, 8))
    assert [without_cost(judged.result) for judged in one] == [without_cost(judged.result) for judged in again]
    assert [judged.dice for judged in one] == [judged.dice for judged in again]
    assert all(np.array_equal(a.image, b.image) for a, b in zip(one, again, strict=True))
    assert [judged.dice for judged in one] != [judged.dice for judged in other]


def test_a_die_misread_with_no_doubt_is_silently_wrong() -> None:
    (judged,) = rounds(lambda dice: [*map(misread, dice[:1]), *dice[1:]], count=1)
    assert (judged.result.asked, judged.result.wrong, judged.result.silent) == (False, True, True)
    assert evening_score([judged.result]).silent == 1


def test_the_taps_that_a_question_takes_are_counted() -> None:
    def doubt(dice: list[Die]) -> list[Die]:
        return [*(die.as_uncertain() for die in dice[:2]), *dice[2:]]

    (judged,) = rounds(doubt, count=1)
    assert judged.result.codes == ("uncertain", "uncertain")
    assert (judged.result.taps, judged.result.wrong, judged.result.silent) == (2, False, False)
    assert "not sure" in judged.result.question[0]


def test_a_die_that_was_not_seen_is_added() -> None:
    (judged,) = rounds(lambda dice: dice[1:], count=1)
    assert judged.result.codes == ("missing",)
    assert (judged.result.taps, judged.result.wrong) == (1, False)


def test_a_misread_die_beside_an_uncertain_one_stays_wrong() -> None:
    def mistake(dice: list[Die]) -> list[Die]:
        if len(dice) < 2:
            return dice
        return [dice[0].as_uncertain(), misread(dice[1]), *dice[2:]]

    (judged,) = rounds(mistake, count=1)
    result = judged.result
    assert (result.asked, result.taps, result.wrong) == (True, 1, True)
    assert evening_score([result]).wrong_answers == 1


def test_lost_dice_lie_in_the_middle_of_some_tables_and_never_among_the_dice_in_play() -> None:
    tables: list[Tabletop] = []

    def reader(tabletop: Tabletop) -> Any:
        tables.append(tabletop)
        return TruthfulReader(tabletop)

    results = [next(play_evening(3, number, reader)) for number in range(4)]
    assert {result.conditions["lost dice"] for result in results} == {"in the middle", "away"}
    for table, result in zip(tables, results, strict=True):
        assert not table.lost or result.conditions["lost dice"] == "in the middle"
        dice = [die for die in table.stage.dice() if not die.lost]
        places = [(guest.seat.x, guest.seat.y) for guest in table.guests.values()]
        assert all(dist(lost.at, seat) > 3 * table.edge for lost in table.lost for seat in places)
        assert all(min(dist(middle(die), seat) for seat in places) < 3 * table.edge for die in dice)
    assert any(table.lost for table in tables)


def middle(die: TrueDie) -> tuple[float, float]:
    x, y, width, height = die.box
    return x + width / 2, y + height / 2
