"""Which dice are in play: those that were under cups, and not those that lay in the middle before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import dist

import cv2
import numpy as np
import pytest

from calibration.image import Image
from vision.cloth import Cloth, Ignore
from vision.drawn.table_scene import DIE_MM, WIDTH_MM, SceneCup, SceneDie, SceneHand, TableScene, render_table
from vision.in_play import InPlay, dice_in_play, read_in_play
from vision.patch import registration
from vision.pipeline.expected_dice import questions, reconcile
from vision.quiet_table import QuietTable
from vision.reading import Die, Reading

WIDTH, HEIGHT = 1280, 960
SCALE = WIDTH / WIDTH_MM

RED = (SceneDie(-150, -60, 0.3, 4, "red"), SceneDie(-120, -90, 1.1, 2, "red"))
BLUE = (SceneDie(150, 60, 0.7, 1, "blue"), SceneDie(180, 80, 2.0, 6, "blue"), SceneDie(150, 100, 0.1, 3, "blue"))
LOST = (SceneDie(0, -10, 0.5, 5, "red"), SceneDie(30, 20, 1.4, 2, "blue"))
CUPS = (SceneCup(-135, -75, "red"), SceneCup(160, 80, "blue"))
EXPECTED = {"red": 2, "blue": 3}


def read(dice: tuple[SceneDie, ...]) -> tuple[Die, ...]:
    side = 1.2 * DIE_MM * SCALE
    places = [(WIDTH / 2 + die.x * SCALE, HEIGHT / 2 + die.y * SCALE) for die in dice]
    return tuple(
        Die(die.face, die.colour, (x - side / 2, y - side / 2, side, side), 0.97)
        for die, (x, y) in zip(dice, places, strict=True)
    )


def picture(dice: tuple[SceneDie, ...], cups: tuple[SceneCup, ...] = (), hands: tuple[SceneHand, ...] = ()) -> Image:
    """A drawn table with the noise of a camera, to draw on."""
    return _picture(dice, cups, hands).copy()


@cache
def _picture(dice: tuple[SceneDie, ...], cups: tuple[SceneCup, ...], hands: tuple[SceneHand, ...]) -> Image:
    image = render_table(TableScene(dice, cups, hands), (WIDTH, HEIGHT)).astype(np.float32)
    noise = np.random.default_rng(len(dice)).normal(0, 2, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def quiet(*dice: SceneDie, hands: tuple[SceneHand, ...] = (), cups: tuple[SceneCup, ...] = CUPS) -> QuietTable:
    return QuietTable(picture(dice, cups, hands), () if hands else read(dice))


def after(*lost_dice: SceneDie, before: tuple[QuietTable, ...], expected: dict[str, int] | None = EXPECTED) -> InPlay:
    dice = (*RED, *BLUE, *lost_dice)
    return dice_in_play(picture(dice), Reading(read(dice), WIDTH, HEIGHT), before, expected)


def faces(dice: tuple[Die, ...]) -> list[tuple[str, int]]:
    return sorted((die.colour, die.face) for die in dice)


PUSHED = (replace(LOST[0], x=20, y=-30, angle=0.9), LOST[1])
HAND = (SceneHand(15, 5, 0.4),)
EVERYWHERE = (slice(None), slice(None))


def changed(table: QuietTable, where: tuple[slice, slice]) -> QuietTable:
    """The table with something moving there, when the picture was taken."""
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[where] = 255
    return replace(table, changed=mask)


def lit(table: QuietTable, gain: float) -> QuietTable:
    return replace(table, image=np.clip(table.image.astype(np.float32) * gain, 0, 255).astype(np.uint8))


def in_shadow(table: QuietTable) -> QuietTable:
    """The dice look another colour, and the cloth's pattern does not show."""
    dark = tuple(replace(die, colour="purple") for die in table.dice)
    return QuietTable(cv2.GaussianBlur(table.image, (0, 0), 12), dark)


def half_hidden(table: QuietTable) -> QuietTable:
    """A cup hides the left half of the first die."""
    image, (x, _) = table.image.copy(), table.dice[0].centre
    image[:, : int(x)] = picture((), (SceneCup(-30, -10, "green"),))[:, : int(x)]
    return QuietTable(image, table.dice[1:])


def looked_black(table: QuietTable) -> QuietTable:
    dice = (replace(die, colour="black", colours=(("black", 0.8), (die.colour, 0.2))) for die in table.dice)
    return replace(table, dice=tuple(dice))


def swayed(image: Image, dice: tuple[Die, ...], sway: tuple[float, float, float]) -> QuietTable:
    """The picture and its dice after the mast has swayed: right and down in pixels, and turned by some degrees."""
    move = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), sway[2], 1.0)
    move[:, 2] += sway[:2]
    moved = cv2.warpAffine(image, move, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)
    places = [move[:, :2] @ die.centre + move[:, 2] for die in dice]
    there = (
        replace(d, box=(x - d.box[2] / 2, y - d.box[3] / 2, *d.box[2:])) for d, (x, y) in zip(dice, places, strict=True)
    )
    return QuietTable(np.asarray(moved, np.uint8), tuple(there))


@pytest.mark.parametrize(
    ("lost", "before"),
    [
        pytest.param(LOST, lambda lay: (lay,), id="lay in the middle"),
        pytest.param(LOST, lambda lay: (replace(lay, dice=()),), id="as a flower does, which is no die"),
        pytest.param(LOST, lambda lay: (in_shadow(lay),), id="in a shadow"),
        pytest.param(LOST, lambda lay: (lit(lay, 0.6),), id="in darker light"),
        pytest.param(LOST, lambda lay: (lit(lay, 1.5),), id="in brighter light"),
        pytest.param(LOST, lambda lay: (half_hidden(lay),), id="half hidden by a cup"),
        pytest.param(LOST, lambda lay: (swayed(lay.image, lay.dice, (2, -1.5, 0.05)),), id="under a mast that sways"),
        pytest.param(LOST, lambda lay: (swayed(lay.image, lay.dice, (9, 6, 0.3)),), id="under a mast that was pushed"),
        pytest.param(LOST, lambda lay: (lay, quiet(*LOST, hands=HAND)), id="a hand over them in the last picture"),
        pytest.param(LOST, lambda lay: (changed(lay, np.s_[300:, :]),), id="a hand over them at the last moment"),
        pytest.param(
            LOST,
            lambda _: (changed(quiet(*RED, *LOST, cups=CUPS[1:]), np.s_[:, :560]),),
            id="dice in play peeked at just before the call",
        ),
        pytest.param(LOST, lambda lay: (quiet(*RED, *LOST, cups=CUPS[1:]), lay), id="dice in play peeked at"),
        pytest.param(PUSHED, lambda lay: (lay,), id="one pushed"),
        pytest.param(PUSHED, lambda lay: (looked_black(lay),), id="one pushed that looked another colour"),
        pytest.param(PUSHED, lambda lay: (changed(lay, EVERYWHERE),), id="one pushed by the last hand"),
        pytest.param(PUSHED, lambda lay: (lay, quiet(hands=HAND)), id="one pushed from where an arm rests"),
    ],
)
def test_lost_dice_are_out(lost: tuple[SceneDie, ...], before: Callable[[QuietTable], tuple[QuietTable, ...]]) -> None:
    play = after(*lost, before=before(quiet(*LOST)))
    assert faces(play.out_of_play) == [("blue", 2), ("red", 5)]
    assert faces(play.reading.dice) == [("blue", 1), ("blue", 3), ("blue", 6), ("red", 2), ("red", 4)]
    assert not play.reading.uncertain


@pytest.mark.parametrize("turn", [0.0, 0.4])
def test_lost_dice_are_known_although_the_mast_has_swayed_since(turn: float) -> None:
    """By a third of a die, and by half a degree."""
    dice = (*RED, *BLUE, *LOST)
    now = swayed(picture(dice), read(dice), (14, -9, turn))
    play = dice_in_play(now.image, Reading(now.dice, WIDTH, HEIGHT), (replace(quiet(*LOST), dice=()),))
    assert faces(play.out_of_play) == [("blue", 2), ("red", 5)]


@pytest.mark.parametrize("covered", ["by a cup", "by something put down"])
def test_a_lost_die_that_is_covered_raises_no_question(covered: str) -> None:
    dice = (*RED, *BLUE)
    image = picture(dice, (SceneCup(0, -10, "red"),) if covered == "by a cup" else ())
    if covered != "by a cup":
        x, y, w, h = map(round, read(LOST[:1])[0].box)
        cv2.rectangle(image, (x, y), (x + w, y + h), (90, 40, 160), -1)
    play = dice_in_play(image, Reading(read(dice), WIDTH, HEIGHT), (quiet(LOST[0]),), EXPECTED)
    assert len(play.reading.dice) == 5
    assert not play.reading.uncertain


def test_without_an_earlier_picture_every_die_is_in_play() -> None:
    assert len(after(*LOST, before=()).reading.dice) == 7


FLOWERS = [(x, y) for x in range(-240, 241, 60) for y in range(-180, 181, 60)]
"""Where a print stands on the cloth, in millimetres."""


def flowered(image: Image, turn: float = np.pi / 2) -> Image:
    """With a flower at each of `FLOWERS`, each turned by so much more than the one before."""
    for n, (x, y) in enumerate(FLOWERS):
        at = np.array([WIDTH / 2 + x * SCALE, HEIGHT / 2 + y * SCALE])
        for petal, colour in enumerate(((40, 40, 200), (60, 60, 230), (30, 30, 150))):
            angle = turn * n + 2.1 * petal
            tip = at + 8 * np.array([np.cos(angle), np.sin(angle)])
            cv2.circle(image, (round(float(tip[0])), round(float(tip[1]))), 7, colour, -1, cv2.LINE_AA)
    return image


def flowered_tables() -> tuple[Image, Image]:
    """A flowered cloth with cups, a lost die and then some dice."""
    before, after = flowered(picture((LOST[0],))), flowered(picture((LOST[0],)))
    for image, shown in ((before, picture((LOST[0],), CUPS)), (after, picture((LOST[0], *BLUE)))):
        where = np.abs(shown.astype(np.int16) - picture(())).max(axis=-1) > 40
        image[where] = shown[where]
    return before, after


@pytest.mark.parametrize("expected", [{"blue": 3}, None])
def test_of_a_flowered_cloth_only_dice_and_what_may_be_one_is_read(expected: dict[str, int] | None) -> None:
    """A cup uncovers some of its flowers. Where nobody knows how many dice there are, they are asked about."""
    flowers = read(tuple(SceneDie(x, y, 0, 1, "red") for x, y in FLOWERS))
    flowers = tuple(die for die in flowers if dist(die.centre, read(LOST[:1])[0].centre) > 1.5 * die.width)
    before, image = flowered_tables()
    table = QuietTable.of(before, Reading((*read(LOST[:1]), *flowers), WIDTH, HEIGHT))
    assert read(LOST[:1])[0] in table.dice
    lain: list[tuple[Die, ...]] = []

    def read_one(
        image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading:
        assert ignore
        places = (*read(BLUE), *read(LOST[:1]), *flowers)
        out = ignore([die.box for die in places])
        lain.append(tuple(die for die, ignored in zip(places, out, strict=True) if not ignored))
        return Reading(lain[-1], WIDTH, HEIGHT)

    play = read_in_play(read_one, image, (table,), expected)
    assert [die for die in play.reading.dice if not die.uncertain] == list(read(BLUE))
    assert play.out_of_play[:1] == read(LOST[:1])
    if expected:
        assert len(play.reading.dice) == 3
        assert len(lain[0]) < 4 + len(CUPS) * 3, "the others cost no look"


@pytest.mark.parametrize(("printed", "settled"), [(True, False), (False, True)])
def test_something_doubtful_on_a_printed_cloth_is_not_surely_the_missing_die(printed: bool, settled: bool) -> None:
    flowers = read(tuple(SceneDie(x, y, 0, 1, "red") for x, y in FLOWERS))
    before, image = flowered_tables()
    doubtful = replace(read(BLUE)[0], confidence=0.3, there=0.4, if_there=0.9)

    def read_one(*_: object, ignore: Ignore | None = None, **__: object) -> Reading:
        assert ignore
        places = (doubtful, *read(BLUE)[1:], *(flowers if printed else ()))
        out = ignore([die.box for die in places])
        return Reading(tuple(die for die, ignored in zip(places, out, strict=True) if not ignored), WIDTH, HEIGHT)

    play = read_in_play(read_one, image, (QuietTable.of(before, Reading((), WIDTH, HEIGHT)),), {"blue": 3})
    assert questions(reconcile(play.reading, {"blue": 3}), {"blue": 3}) == (0 if settled else 1)


@pytest.mark.parametrize(
    ("expected", "flowers", "sure"), [({"red": 65}, 63, [1, 2]), ({"red": 4}, 0, [2]), (None, 63, [2])]
)
def test_what_looks_alike_so_often_is_a_print_unless_a_colour_has_so_many_dice(
    expected: dict[str, int] | None, flowers: int, sure: list[int]
) -> None:
    """A die with the face and colour of a print is asked about: it may be one that looks otherwise."""
    printed = read(tuple(SceneDie(x, y, 0, 1, "red") for x, y in FLOWERS))
    ace, two = read((SceneDie(30, 30, 0.3, 1, "red"), SceneDie(-30, 30, 0.3, 2, "red")))
    image = flowered(picture(()))
    shown = picture((SceneDie(30, 30, 0.3, 1, "red"), SceneDie(-30, 30, 0.3, 2, "red")))
    where = np.abs(shown.astype(np.int16) - picture(())).max(axis=-1) > 40
    image[where] = shown[where]

    def read_one(*_: object, **__: object) -> Reading:
        return Reading((*printed, ace, two), WIDTH, HEIGHT)

    dice = read_in_play(read_one, image, (), expected).reading.dice
    assert len(dice) == flowers + 2
    assert [die.face for die in dice[-2:] if not die.uncertain] == sure
    assert sum(not die.uncertain for die in dice[:-2]) == (63 if expected and flowers else 0)


def test_what_has_the_face_and_colour_of_a_print_is_one_if_nobody_plays_that_colour() -> None:
    printed = read(tuple(SceneDie(x, y, 0, 1, "red") for x, y in FLOWERS))
    ace = replace(read((SceneDie(30, 30, 0.3, 1, "red"),))[0], colours=(("red", 0.99), ("orange", 0.009)))
    image = flowered(picture((SceneDie(30, 30, 0.3, 1, "red"),)))

    def dice_left(ace: Die) -> int:
        seen = Reading((*printed, ace, *read(BLUE)), WIDTH, HEIGHT)
        return len(read_in_play(lambda *_, **__: seen, image, (), {"blue": 3, "orange": 2}).reading.dice)

    assert dice_left(ace) == 3
    assert dice_left(replace(ace, colours=(("red", 0.9), ("orange", 0.1)))) == 4


def test_of_what_lay_there_before_only_lost_dice_are_read() -> None:
    boxes = [die.box for die in read((*BLUE, *LOST))]
    image = picture((*BLUE, *LOST))
    still = np.array([[1.0, 0, 0], [0, 1, 0]])
    assert Cloth(image, image, still, boxes[3:]).shown(boxes) == [True] * 3 + [False] * 2


ON_A_FLOWER = (SceneDie(120, 60, 0.4, 1, "red"), SceneDie(180, 120, 0.9, 3, "blue"))
"""One in the colours of the flower."""
BESIDE_A_FLOWER = SceneDie(130, 120, 0.2, 5, "red")
"""It covers a part of the flower."""


def on_flowers(cups: tuple[SceneCup, ...], *dice: SceneDie) -> Image:
    image, shown, bare = flowered(picture(()), 0.7), picture(dice, cups), picture(())
    where = np.abs(shown.astype(np.int16) - bare).max(axis=-1) > 25
    image[where] = shown[where]
    return image


def test_what_the_cups_uncovered_of_a_print_is_known_by_the_prints_beside_it() -> None:
    """However it is turned, and if a die lies on a part of it; a die on a print is none."""
    before = on_flowers((SceneCup(150, 90, "white"),))
    sway = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 0.03, 1.0)
    sway[:, 2] += 1.7, -1.2
    before = np.asarray(np.clip(cv2.warpAffine(before, sway, (WIDTH, HEIGHT)) * 0.94, 0, 255), np.uint8)
    image = on_flowers((), *ON_A_FLOWER, BESIDE_A_FLOWER)
    flowers = [SceneDie(x, y, 0, 1, "red") for x, y in ((180, 60), (120, 120), (60, 60), (0, 0))]
    move = registration(before, image)
    boxes = [die.box for die in read((*ON_A_FLOWER, BESIDE_A_FLOWER, *flowers))]
    assert Cloth(image, before, move, ()).shown(boxes) == [False] * 3 + [True] * 4
    assert Cloth(image, before, move, ()).unchanged(boxes) == [False] * 5 + [True] * 2


def test_of_what_is_hardly_a_die_only_what_was_not_there_before_is_left() -> None:
    red, lost = read((RED[0],)), read(LOST)
    reading = Reading(red, WIDTH, HEIGHT, faint=(*lost, *read((RED[1],))))
    play = dice_in_play(picture((*RED, *LOST)), reading, (quiet(*LOST),), EXPECTED)
    assert faces(play.reading.faint) == [("red", 2)]
    assert play.out_of_play == ()


def test_a_pushed_lost_die_is_asked_about_if_the_count_differs() -> None:
    """One red die is under a hand: the pushed one would make up the number."""
    dice = (RED[0], *BLUE, replace(LOST[0], x=20, y=-30))
    play = dice_in_play(picture(dice), Reading(read(dice), WIDTH, HEIGHT), (quiet(LOST[0]),), {"red": 2, "blue": 3})
    assert [die.uncertain for die in play.reading.dice if die.colour == "red"] == [False, True]


def test_after_a_lost_die_is_taken_away_the_dice_of_its_colour_are_asked_about() -> None:
    play = after(before=(quiet(LOST[0]),))
    assert {die.colour for die in play.reading.dice if die.uncertain} == {"red"}


def test_pictures_without_any_detail_say_nothing() -> None:
    grey = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    dice = read((*RED, *BLUE))
    play = dice_in_play(grey, Reading(dice, WIDTH, HEIGHT), (QuietTable(grey, dice),), EXPECTED)
    assert play.reading.dice == dice


@pytest.mark.parametrize(("red", "closely"), [(1, [False]), (2, [False, True])])
def test_only_a_die_that_is_missing_is_looked_for_closely(red: int, closely: list[bool]) -> None:
    asked = []

    def read_one(
        image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading:
        asked.append(closely)
        die = Die(3, "red", (10.0, 10.0, 40.0, 40.0), 0.95, colours=(("red", 1.0),))
        return Reading((die, replace(die, box=(90.0, 10.0, 40.0, 40.0))) if closely else (die,), 640, 480)

    found = read_in_play(read_one, np.zeros((480, 640, 3), np.uint8), (), {"red": red}).reading
    assert len(found.dice) == red
    assert asked == closely


@pytest.mark.parametrize(("found", "widths"), [(1, [40.0]), (0, [40.0, None])])
def test_where_dice_have_the_known_width_nothing_of_another_is_a_die(found: int, widths: list[float | None]) -> None:
    asked = []

    def read_one(
        image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
    ) -> Reading:
        asked.append(die_width)
        die = Die(3, "red", (10.0, 10.0, 40.0, 40.0), 0.95, colours=(("red", 1.0),))
        caps = [replace(die, box=(90.0 + 70 * n, 10.0, 60.0, 60.0)) for n in range(2)]
        return Reading(tuple(caps) if die_width is None else (die,) * found, 640, 480)

    read_in_play(read_one, np.zeros((480, 640, 3), np.uint8), (), {"red": 2}, 40.0, closely=False)
    assert asked == widths
