"""From a call to a reading, with a scripted camera, reader and clock. Settling and fusing are real."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, count, cycle, repeat
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profile import Lens, Profile, TablePlane
from companion.camera.reveal import (
    AGREE_AFTER,
    ASK_AFTER,
    BLURRED_FRAMES,
    CLOSE_LOOKS,
    CONFIRM_AFTER,
    DISAGREEMENTS,
    LOOK_AGAIN,
    MOST_READINGS,
    STUCK_AFTER,
    WAIT_LOOK,
    RevealWorker,
)
from companion.camera.supervised_camera import SupervisedCamera
from companion.table import Journal, Table, commands
from companion.table.game import sentences
from hardware.camera.protocol import Camera, CameraError, Frame, Image
from tests.fakes.camera import LitCamera, ScriptedCamera
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from tests.fakes.reader import FakeStillness, ScriptedReader, laid_out
from vision.drawn.table_scene import SceneCup, SceneDie, TableScene, render_table
from vision.quiet_table import QuietPicture
from vision.reader import Reader
from vision.reading import Reading
from vision.stillness import StillnessCheck

FULL = {"red": [4, 4, 1, 2, 3], "blue": [6, 6, 5, 4, 1]}
COVERED = {"red": [4, 4, 1], "blue": [6, 6, 5, 4, 1]}

SHOWS_ALL, HALF_COVERED, WITH_DOUBT, EMPTY, ONE_PLAYER, GLINT, BLACK = 100, 110, 120, 130, 140, 150, 0
"""Grey levels of pictures, by which the scripted reader tells them apart."""


def still(grey: int) -> Image:
    return np.full((96, 128, 3), grey, np.uint8)


def noisy(grey: int, step: int) -> Image:
    """A picture with the noise of a sensor: no two are equal."""
    image = still(grey)
    image[92, 124] += step
    return image


def hand(grey: int, step: int) -> Image:
    """The table with a hand that moves at every step."""
    image = still(grey)
    image[20:60, 10 + 20 * (step % 5) : 30 + 20 * (step % 5)] = 240
    return image


READINGS: dict[int, list[Reading | Exception]] = {
    SHOWS_ALL: [laid_out(FULL)],
    HALF_COVERED: [laid_out(COVERED)],
    WITH_DOUBT: [laid_out(FULL, uncertain=[("blue", 3)])],
    EMPTY: [laid_out({})],
    BLACK: [laid_out({})],
}


class Desk:
    """A table with a call made, and a reveal over a scripted camera."""

    def __init__(self, folder: Path) -> None:
        self.clock = FakeClock(1000.0, step=0.04)
        self.table = Table(Journal(folder))
        self.reader = ScriptedReader(READINGS)
        self.camera: ScriptedCamera | None = None
        self.watched: list[SupervisedCamera] = []
        self.worker: RevealWorker | None = None

    def call(self) -> None:
        self.table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        self.table.do(commands.MakeBid("Ana", 5, 4))  # as many as there are: the verdict depends on each of them
        self.table.do(commands.CallDudo())

    def watch(self, script: Iterable[Image | str], reader: ScriptedReader | None = None) -> RevealWorker:
        self.reader = reader or self.reader
        self.camera = ScriptedCamera(script, self.clock)
        return self.reveal(lambda: self.camera)

    def reveal(self, opener: Callable[[], Camera]) -> RevealWorker:
        self.watched.append(SupervisedCamera(opener, self.clock, self.table.set_camera, hangs=60.0))
        self.worker = RevealWorker(
            self.table,
            self.watched[-1],
            self.reader,
            StillnessCheck(still_for=0.2),
            patience=20.0,
            give_up=40.0,
            clock=self.clock,
            sleep=self.clock.sleep,
        )
        return self.worker

    @property
    def phase(self) -> str:
        return str(self.table.state().phase)

    @property
    def waits_for(self) -> str | None:
        waiting = self.table.state().waiting
        return waiting and str(waiting.code)

    def until(self, reached: Callable[[], bool], most: int = 5000) -> None:
        for _ in range(most):
            if reached():
                return
            self.worker.step()
        raise AssertionError(f"still {self.phase}, waiting for {self.waits_for}")

    def until_read(self) -> None:
        self.until(lambda: self.phase != "reading")

    def go_on(self, seconds: float) -> None:
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.worker.step()

    def close(self) -> None:
        for camera in self.watched:
            camera.close()
        self.table.close()


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[Desk]:
    """Before a call."""
    desk = Desk(tmp_path)
    yield desk
    desk.close()


@pytest.fixture
def desk(idle: Desk) -> Desk:
    idle.call()
    return idle


def test_the_cups_go_up_the_dice_lie_still_and_the_call_is_judged(desk: Desk) -> None:
    desk.watch([still(EMPTY), *(hand(SHOWS_ALL, step) for step in range(15)), still(SHOWS_ALL)])
    desk.until(lambda: desk.phase == "verdict")
    state = desk.table.state()
    assert state.verdict.sentence.startswith("3 fours and 2 pacos make 5. The bid was 5 fours: that is right.")
    assert not state.reading.problems
    assert picture_shape(desk) == (96, 128, 3)


def picture_shape(desk: Desk) -> tuple[int, ...]:
    picture = cv2.imread(str(desk.table.pictures / "1.jpg"))
    return picture.shape


def test_nothing_is_read_while_anything_moves(desk: Desk) -> None:
    desk.watch(hand(SHOWS_ALL, step) for step in range(10_000))
    desk.go_on(8)
    assert (desk.reader.asked, desk.phase, desk.waits_for) == ([], "reading", "moving")


def stirred(desk: Desk, script: Iterable[Image | str], reader: ScriptedReader, *, hides: bool) -> RevealWorker:
    """A reveal of dice over which something moves for ever: a hand if it hides what is there, else light."""
    reveal = desk.watch(script, reader)
    reveal._stillness = FakeStillness()
    reveal._stillness.left_out = np.ones((12, 16), np.bool_)
    reveal._stillness.hiding = np.full((12, 16), hides)
    reveal._stillness.place = (0.0, 0.25, 0.5, 0.5)
    return reveal


@pytest.mark.parametrize("confidence", [0.98, 0.6])
def test_of_dice_in_moving_light_frames_seconds_apart_must_agree(desk: Desk, confidence: float) -> None:
    began, full = desk.clock.now, laid_out(FULL)
    full = replace(full, dice=tuple(replace(die, confidence=confidence) for die in full.dice))
    frames = (noisy(SHOWS_ALL, n % 7) for n in count())
    stirred(desk, frames, ScriptedReader({SHOWS_ALL: [full]}), hides=False)
    desk.until(lambda: desk.phase == "verdict")
    assert desk.clock.now - began >= AGREE_AFTER


def test_a_die_that_is_turned_in_those_seconds_is_not_judged(desk: Desk) -> None:
    turned = ScriptedReader({SHOWS_ALL: [laid_out(FULL)], GLINT: [laid_out({**FULL, "blue": [6, 6, 5, 4, 2]})]})
    stirred(desk, (noisy((SHOWS_ALL, GLINT)[n // 12 % 2], n % 7) for n in count()), turned, hides=False)
    desk.until_read()
    assert desk.phase == "checking"


def test_a_hand_that_stays_at_the_dice_is_shown_and_nothing_is_judged(desk: Desk) -> None:
    stirred(desk, (noisy(SHOWS_ALL, n % 7) for n in count()), desk.reader, hides=True)
    desk.go_on(10)
    waiting = desk.table.state().waiting
    assert (waiting.sentence, waiting.place) == (sentences.KEEPS_MOVING, (0.0, 0.25, 0.5, 0.5))


def test_of_dice_that_a_hand_may_hide_nothing_is_asked(desk: Desk) -> None:
    reveal = stirred(desk, (noisy(HALF_COVERED, n % 7) for n in count()), desk.reader, hides=True)
    reveal._stillness.hiding[:-1] = False  # away from the dice that are seen
    desk.go_on(30)
    assert desk.waits_for == "missing"


def test_every_frame_is_newer_than_the_press_and_than_the_one_before(desk: Desk) -> None:
    pressed = desk.clock.now
    desk.watch([still(SHOWS_ALL)])
    desk.until(lambda: desk.phase == "verdict")
    assert desk.camera.asked[0] > pressed
    assert desk.camera.asked == sorted(set(desk.camera.asked))


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        (COVERED, "I see 3 of Ana's 5 red dice; waiting for cups and hands."),
        ({"red": FULL["red"]}, "I see none of Ben's dice: are they still under a cup?"),
    ],
    ids=["some of a player's", "all of a player's"],
)
def test_missing_dice_are_named_and_waited_for(desk: Desk, seen: Mapping[str, list[int]], sentence: str) -> None:
    moved = [hand(SHOWS_ALL, 1), hand(SHOWS_ALL, 2)]
    reader = ScriptedReader(READINGS | {HALF_COVERED: [laid_out(seen)]})
    desk.watch([*repeat(still(HALF_COVERED), 60), *moved, still(SHOWS_ALL)], reader)
    desk.until(lambda: desk.waits_for == "missing")
    assert desk.table.state().waiting.sentence == sentence
    desk.until(lambda: desk.phase == "verdict")


def test_dice_under_a_cup_are_not_read_over_and_over(desk: Desk) -> None:
    reveal = desk.watch([still(HALF_COVERED)])
    begin = desk.clock.now
    desk.until(lambda: desk.waits_for == "missing")
    desk.until(lambda: desk.clock.now - begin > 18)
    assert len(desk.reader.asked) <= len(LOOK_AGAIN) + 18 / LOOK_AGAIN[-1] + 1
    before = desk.camera.taken
    reveal.step()
    assert desk.camera.asked[-1] == before + WAIT_LOOK, "nor is each frame looked at"


def test_after_a_long_wait_the_players_are_asked_with_the_picture(desk: Desk) -> None:
    desk.watch([still(HALF_COVERED)])
    begin = desk.clock.now
    desk.until(lambda: desk.phase == "checking")
    assert 20.0 <= desk.clock.now - begin < 22.0
    state = desk.table.state()
    assert [problem.code for problem in state.reading.problems] == ["missing"]
    assert (desk.table.pictures / "1.jpg").exists()
    assert state.verdict is None


def test_a_missing_die_is_looked_for_closely_and_the_players_are_asked_about_its_likeliest_place(desk: Desk) -> None:
    *dice, last = laid_out(FULL).dice
    faint = replace(last, there=0.03, confidence=0.2)
    hard = replace(laid_out(FULL), dice=tuple(dice), faint=(faint,))
    desk.watch([still(SHOWS_ALL)], ScriptedReader({SHOWS_ALL: [hard]}))
    desk.until_read()
    while_waiting = desk.reader.closely[: desk.reader.closely.index(True)], sum(desk.reader.closely)
    assert while_waiting[0] == [False, False]  # the first reading, and the second before it looks closely
    assert while_waiting[1] >= CLOSE_LOOKS
    state = desk.table.state()
    assert [problem.code for problem in state.reading.problems] == ["uncertain"]
    (doubtful,) = (die for die in state.reading.dice if die.uncertain)
    assert tuple(doubtful.box) == last.box
    assert desk.table.do(commands.SetDie(doubtful.id, face=last.face)).phase == "verdict"


def test_a_die_that_only_a_close_look_finds_is_judged_without_waiting_for_cups(desk: Desk) -> None:
    seen, hard = laid_out(FULL), replace(laid_out(FULL), dice=laid_out(FULL).dice[:-1])
    desk.watch([still(SHOWS_ALL)], ScriptedReader({SHOWS_ALL: [hard, hard, hard, seen]}))
    begin = desk.clock.now
    desk.until(lambda: desk.phase == "verdict")
    assert desk.clock.now - begin < 7.0  # seconds, not the patience with cups


def test_of_a_picture_without_colours_nothing_is_asked_until_it_has_some(desk: Desk) -> None:
    """As night vision's; a table that is grey itself is asked about in the end."""
    night = still(WITH_DOUBT)
    night[48:] = 20
    desk.watch([night])
    desk.until(lambda: desk.table.state().waiting.sentence == sentences.NO_COLOUR)
    desk.until_read()
    assert desk.phase == "checking"
    asked = len(desk.reader.asked)
    desk.table.do(commands.AskReading())
    dusk = night.copy()
    dusk[48:, :, 2] = 60
    desk.watch([dusk])
    desk.until_read()
    assert len(desk.reader.asked) - asked < asked


def test_a_plain_reading_is_judged_once_a_later_frame_confirms_it(desk: Desk) -> None:
    desk.watch([still(SHOWS_ALL)])
    desk.until(lambda: len(desk.reader.asked) == 1)
    read_at = desk.clock.now
    desk.until(lambda: desk.phase == "verdict")
    assert desk.clock.now - read_at >= CONFIRM_AFTER
    assert len(desk.reader.asked) == 1


def test_a_glint_of_a_third_of_a_second_is_not_judged(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    glint = laid_out(FULL | {"blue": [6, 6, 5, 5, 1]})
    reader = ScriptedReader({GLINT: [glint], SHOWS_ALL: [laid_out(FULL)]})
    read_at: list[float] = []
    read = reader.read

    def timed(*each: Any, **more: Any) -> Reading:
        read_at.append(desk.clock.now)
        return read(*each, **more)

    def pictures() -> Iterator[Image]:
        while True:
            yield still(SHOWS_ALL if read_at and desk.clock.now - read_at[0] > 0.3 else GLINT)

    monkeypatch.setattr(reader, "read", timed)
    desk.watch(pictures(), reader)
    desk.until_read()
    assert reader.asked[0] == GLINT
    assert desk.table.state().verdict.count == 5


SURE, DOUBTFUL = laid_out(FULL), laid_out(FULL, uncertain=[("blue", 3)])
DIFFERENT = laid_out(FULL | {"blue": [6, 6, 5, 5, 1]})
HARDLY_SURE = replace(SURE, dice=(replace(SURE.dice[0], confidence=0.6), *SURE.dice[1:]))
SHAKEN = replace(laid_out({"red": [6, 6, 6, 6, 6], "blue": [6, 6, 6, 6, 6]}), blurred=True)


@pytest.mark.parametrize(
    ("readings", "phase", "asked"),
    [
        pytest.param([HARDLY_SURE], "verdict", 2, id="hardly sure"),
        pytest.param([DOUBTFUL, SURE], "verdict", 2, id="doubtful and sure"),
        pytest.param(
            [laid_out(FULL, uncertain=[("red", 0)]), DIFFERENT], "checking", MOST_READINGS, id="doubtful and different"
        ),
        pytest.param([SURE, DIFFERENT] * 50, "checking", 1 + DISAGREEMENTS, id="a die that rocks on its edge"),
        pytest.param([SHAKEN, SURE], "verdict", 2, id="a frame that shook"),
        pytest.param([replace(SURE, blurred=True)], "verdict", BLURRED_FRAMES + 1, id="a table that looks blurred"),
    ],
)
def test_several_readings_are_judged_where_they_agree(
    desk: Desk, readings: list[Reading | Exception], phase: str, asked: int
) -> None:
    desk.watch([still(SHOWS_ALL)], ScriptedReader({SHOWS_ALL: readings}))
    desk.until_read()
    state = desk.table.state()
    assert (state.phase, len(desk.reader.asked)) == (phase, asked)
    if phase == "verdict":
        assert state.verdict.count == 5
    else:
        assert {problem.code for problem in state.reading.problems} == {"uncertain"}


def test_a_second_reading_may_confirm_the_first_as_well(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A glance at the later frame was not enough."""
    desk.watch([still(SHOWS_ALL)])
    monkeypatch.setattr(desk.reader, "confirms", lambda *_: False)
    desk.until(lambda: desk.phase == "verdict")
    assert len(desk.reader.asked) == 2


def test_after_a_doubtful_reading_the_table_is_exposed_for_longer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    lying = [SceneDie(40.0 * n - 80, 10.0 * n, 0.3 * n, n + 1, "red") for n in range(5)]
    table = render_table(TableScene(tuple(lying)), (640, 480))
    grain = np.random.default_rng(3)
    noise = []

    def read(image: Image, *_: object, **__: object) -> Reading:
        noise.append(float((image.astype(float) - table).std()))
        return laid_out(FULL, uncertain=[("blue", 3)] if len(noise) == 1 else [], size=(640, 480))

    def confirms(_: Reading, *images: Image) -> bool:
        noise.extend(float((image.astype(float) - table).std()) for image in images)
        return True

    desk.watch(np.clip(table + grain.normal(0, 12, table.shape), 0, 255).astype(np.uint8) for _ in count())
    monkeypatch.setattr(desk.reader, "read", read)
    monkeypatch.setattr(desk.reader, "confirms", confirms)
    desk.until(lambda: desk.phase == "verdict")
    first, *later = noise
    assert first > 10
    assert len(later) == 3, "a frame that is read, twice, and one that confirms it"
    assert max(later) < 0.6 * first


def test_but_not_for_longer_than_people_like_to_wait(desk: Desk) -> None:
    desk.watch([still(WITH_DOUBT)])
    desk.until(lambda: desk.waits_for == "again")
    begin = desk.clock.now
    desk.until(lambda: desk.phase == "checking")
    assert desk.clock.now - begin <= ASK_AFTER + 2 * CONFIRM_AFTER
    assert 2 <= len(desk.reader.asked) <= MOST_READINGS


def test_dice_that_went_missing_for_a_moment_are_waited_for(desk: Desk) -> None:
    script = [laid_out(dice) for dice in (FULL, COVERED, FULL)]
    desk.watch([still(SHOWS_ALL)], ScriptedReader({SHOWS_ALL: script}))
    desk.until(lambda: desk.waits_for == "missing")
    desk.until(lambda: desk.phase == "verdict")
    assert not desk.table.state().reading.problems


def test_frames_before_a_request_do_not_count_as_stillness_after_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    reveal = desk.watch([still(WITH_DOUBT)])
    resets: list[int] = []
    monkeypatch.setattr(reveal._stillness, "reset", lambda: resets.append(reveal._progress.reveal))
    desk.until(lambda: desk.phase == "checking")
    desk.table.do(commands.AskReading())
    desk.until(lambda: desk.phase == "checking")
    assert resets == [1, 2]


def test_a_colour_that_was_outvoted_is_asked_about_only_if_a_die_is_missing(desk: Desk) -> None:
    def frames(shown: Mapping[str, list[int]]) -> ScriptedReader:
        one = laid_out(shown)
        other = replace(one, dice=(replace(one.dice[0], colour="orange", confidence=0.6), *one.dice[1:]))
        return ScriptedReader({SHOWS_ALL: [one, other, one] * 50})

    reveal = desk.watch([still(SHOWS_ALL)], frames(FULL))
    desk.until(lambda: desk.phase == "verdict")
    desk.table.do(commands.Undo(desk.table.state().undo.step))
    desk.table.do(commands.CallDudo())
    reveal.read_with(frames({"red": [4, 4, 1, 2], "blue": FULL["blue"]}))
    desk.until(lambda: desk.phase != "reading", most=4000)
    assert desk.phase == "checking"


def test_the_expected_dice_are_weighed_against_all_frames_of_a_reading_together(desk: Desk) -> None:
    """Six dice are read as red and four as blue, where there are five of each. The frames disagree on which red one
    may be blue; together they say it is the last."""
    one = laid_out({"red": [4, 4, 1, 2, 3, 6], "blue": [6, 5, 4, 1]})

    def frame(*blue: float) -> Reading:
        chances = dict(zip((4, 5), blue, strict=True))
        dice = [
            replace(die, colours=(("red", 1 - chances[n]), ("blue", chances[n]))) if n in chances else die
            for n, die in enumerate(one.dice)
        ]
        return replace(one, dice=tuple(dice))

    desk.watch([still(SHOWS_ALL)], ScriptedReader({SHOWS_ALL: [frame(0.26, 0.25), frame(0.1, 0.4)] * 50}))
    desk.until_read()
    dice = desk.table.state().reading.dice
    assert sorted(die.face for die in dice if die.colour == "blue") == [1, 4, 5, 6, 6]
    assert not any(die.uncertain for die in dice)


def test_counting_by_hand_ends_the_reading(desk: Desk) -> None:
    reveal = desk.watch([still(HALF_COVERED)])
    desk.until(lambda: desk.waits_for == "missing")
    desk.table.do(commands.CountByHand({"Ana": FULL["red"], "Ben": FULL["blue"]}))
    requests = len(desk.reader.asked)
    for _ in range(100):
        assert not reveal.step()
    assert len(desk.reader.asked) == requests
    assert desk.phase == "verdict"


def test_a_reading_that_comes_too_late_changes_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    reveal = desk.watch([still(SHOWS_ALL)])
    confirms = desk.reader.confirms

    def meanwhile(*each: object) -> bool:
        desk.table.do(commands.CountByHand({"Ana": [2, 2, 2, 2, 2], "Ben": [2, 2, 2, 2, 2]}))
        return confirms(*each)

    monkeypatch.setattr(desk.reader, "confirms", meanwhile)
    desk.until_read()
    reveal.step()
    state = desk.table.state()
    assert state.byhand is not None
    assert state.reading is None
    assert state.verdict.count == 0


# A camera that fails


def test_a_camera_failure_is_reported_and_the_camera_used_again(desk: Desk) -> None:
    desk.watch([*repeat("The cable is out.", 3), still(SHOWS_ALL)])
    desk.until(lambda: desk.waits_for == "camera")
    state = desk.table.state()
    assert not state.camera.ok
    assert "The cable is out." in state.camera.sentence
    assert "count by hand" in state.waiting.sentence
    desk.until(lambda: desk.phase == "verdict")
    assert desk.table.state().camera.ok


def test_an_unexpected_exception_of_the_driver_is_a_camera_failure() -> None:
    class Broken(ScriptedCamera):
        def frame(self, after: float = 0.0) -> object:
            raise ZeroDivisionError

    troubles = []
    camera = SupervisedCamera(lambda: Broken([], lambda: 0.0), lambda: 0.0, troubles.append, hangs=60.0)
    with pytest.raises(CameraError, match="broke"):
        camera.frame()
    assert not troubles[-1].ok


def test_a_camera_lost_between_readings_is_noticed(idle: Desk) -> None:
    reveal = idle.watch([still(EMPTY), "The cable is out."])
    reveal.step()
    assert in_json(idle.table.state().camera) == {"ok": True, "name": "scripted", "sentence": "", "phone": False}
    idle.until(lambda: not idle.table.state().camera.ok)


def test_a_reader_failure_is_reported_and_the_reveal_goes_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    reveal = desk.watch([still(SHOWS_ALL)], ScriptedReader({SHOWS_ALL: [ValueError("no weights"), laid_out(FULL)]}))
    said = []

    def wait(timeout: float) -> bool:
        said.append(desk.table.state().waiting)
        return False

    monkeypatch.setattr(reveal._stop, "wait", wait)
    monkeypatch.setattr(reveal._stop, "is_set", lambda: desk.phase != "reading")
    reveal.run()
    assert said[0].code == "reader"
    assert "the reveal went wrong" in caplog.text
    assert desk.phase == "verdict"


def test_a_reveal_that_a_restart_interrupted_is_started_again(desk: Desk, tmp_path: Path) -> None:
    desk.watch([still(HALF_COVERED)])
    desk.until(lambda: desk.waits_for == "missing")
    desk.table.close()
    desk.table = Table(Journal(tmp_path))
    assert desk.phase == "reading"
    desk.watch([still(SHOWS_ALL)])
    desk.until(lambda: desk.phase == "verdict")


def test_after_a_while_the_camera_stops_looking_until_it_is_asked_to(desk: Desk) -> None:
    stirring = [True]
    reveal = desk.watch(hand(SHOWS_ALL, n) if stirring[0] else still(SHOWS_ALL) for n in count())
    desk.until(lambda: desk.waits_for == "given-up")
    stirring[0] = False
    for _ in range(100):
        reveal.step()
    assert desk.reader.asked == []
    assert "count by hand" in desk.table.state().waiting.sentence
    desk.table.do(commands.AskReading())
    desk.until(lambda: desk.phase == "verdict")


def test_where_the_book_has_an_order_the_cups_are_asked_for_in_it(idle: Desk) -> None:
    idle.table.do(new_game([("Ana", "red"), ("Ben", "blue"), ("Cid", "green")], "hasbro-1994", starter="Ana"))
    idle.table.do(commands.MakeBid("Ana", 4, 4))
    state = idle.table.do(commands.CallDudo())
    assert state.cups == ("Cid", "Ana", "Ben")
    assert state.waiting.sentence.startswith("Lift the cups one after the other: Cid, Ana and Ben. Waiting")


def test_a_black_picture_is_reported_and_the_camera_tried_again(desk: Desk) -> None:
    script = chain([still(BLACK)] * 30, cycle([noisy(SHOWS_ALL, n) for n in range(20)]))
    camera = ScriptedCamera(script, desk.clock, sensor=True)
    desk.reveal(lambda: camera)
    desk.until(lambda: desk.waits_for == "camera")
    assert "black" in desk.table.state().camera.sentence
    desk.until(lambda: desk.phase == "verdict", most=5000)
    assert camera.closed > 0


def test_a_frozen_picture_is_not_read(desk: Desk) -> None:
    camera = ScriptedCamera([still(EMPTY)], desk.clock, sensor=True)
    desk.reveal(lambda: camera)
    desk.until(lambda: desk.waits_for == "camera")
    assert "same picture" in desk.table.state().waiting.sentence


# Whether the worker is alive


def test_a_worker_that_hangs_in_the_camera_counts_as_dead(tmp_path: Path, clock: FakeClock) -> None:
    let_go = threading.Event()
    entered = threading.Event()

    class Hanging(ScriptedCamera):
        def frame(self, after: float = 0.0) -> Frame:
            entered.set()
            let_go.wait(60)
            return super().frame(after)

    with Table(Journal(tmp_path)) as table:
        camera = Hanging([still(SHOWS_ALL)], clock)
        reveal = RevealWorker(
            table, camera, ScriptedReader({}), StillnessCheck(), patience=20.0, give_up=120.0, clock=clock
        )
        assert not reveal.alive
        reveal.start()
        assert entered.wait(60)
        assert reveal.alive
        clock.now += STUCK_AFTER
        assert not reveal.alive
        let_go.set()
        reveal.stop()
        assert not reveal.alive


def test_the_colours_of_the_dice_in_a_judged_reveal_are_known_to_the_next(desk: Desk) -> None:
    red, blue = (40.0, 50.0, 30.0), (30.0, 10.0, -40.0)
    reading = laid_out(FULL)
    dice = [replace(die, body=red if die.colour == "red" else blue) for die in reading.dice]
    mistaken = replace(reading, dice=(replace(dice[0], colour="blue", body=(35.0, 30.0, 0.0)), *dice[1:]))
    reveal = desk.watch([still(SHOWS_ALL)], ScriptedReader({SHOWS_ALL: [mistaken]}))
    desk.until(lambda: desk.phase == "checking")
    for _ in range(20):
        reveal.step()
    assert desk.reader.palette == {}, "nobody knows yet whose the sixth blue die is"
    desk.table.do(commands.SetDie(0, colour="red"))
    desk.until(lambda: desk.reader.palette == {"red": red, "blue": blue})


def test_the_first_dice_have_the_size_that_the_profile_says_and_later_ones_that_of_the_first(desk: Desk) -> None:
    height, width = still(SHOWS_ALL).shape[:2]
    lens = Lens(width, height, ((500.0, 0.0, 3.0), (0.0, 500.0, 2.0), (0.0, 0.0, 1.0)), (0.0,) * 5)
    plane = TablePlane(((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 1.0)))
    profile = Profile("oak", "2026-05-01T18:30:00+02:00", lens, plane, die_mm=16.0)
    reveal = desk.watch([still(SHOWS_ALL)], ScriptedReader({SHOWS_ALL: [laid_out(FULL)]}))
    reveal.read_with(desk.reader, profile)
    desk.until(lambda: desk.phase == "verdict")
    assert desk.reader.widths == [pytest.approx(1.27 * 32)]
    desk.table.do(commands.Undo(desk.table.state().undo.step))
    desk.table.do(commands.CallDudo())
    desk.until(lambda: len(desk.reader.widths) > 1)
    assert desk.reader.widths[1] == laid_out(FULL).dice[0].width


class OpenTable:
    """A drawn table with a lost die of each colour in the middle, seen by the real reader."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._now = self._picture(up=False)
        self._up = self._picture(up=True)
        desk.table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        self.reveal = desk.watch(self._now for _ in count())
        self.reveal.read_with(Reader.load())

    @staticmethod
    def _picture(up: bool) -> Image:
        dice = [SceneDie(0, -30, 0.4, 4, "red"), SceneDie(20, 25, 1.2, 4, "blue")]
        for x, colour in ((-150, "red"), (150, "blue")):
            faces = FULL[colour]
            dice += [SceneDie(x, 36.0 * (n - 2), 0.3 * n, face, colour) for n, face in enumerate(faces) if up]
        cups = () if up else (SceneCup(-150, 0, "red"), SceneCup(150, 0, "blue"))
        return render_table(TableScene(tuple(dice), cups), (960, 720))

    def bid_and_dudo(self) -> None:
        self._desk.table.do(commands.MakeBid("Ana", 4, 4))
        self._desk.table.do(commands.CallDudo())

    def judged(self) -> list[str]:
        """The cups go up; the codes of the questions."""
        self._now = self._up
        self._desk.until(lambda: self._desk.phase in ("verdict", "checking"))
        reading = self._desk.table.state().reading
        return [problem.code for problem in reading.problems]


@pytest.fixture
def table(idle: Desk) -> OpenTable:
    return OpenTable(idle)


def test_dice_that_lay_in_the_middle_before_the_cups_went_up_are_not_counted(idle: Desk, table: OpenTable) -> None:
    idle.go_on(3.0)
    table.bid_and_dudo()
    assert table.judged() == []
    assert len(idle.table.state().reading.dice) == 10
    while idle.phase != "bidding":
        idle.table.do(commands.Undo(idle.table.state().undo.step))
    idle.go_on(3.0)  # the dice lie open now, and the call is made again
    idle.table.do(commands.CallDudo())
    assert table.judged() == []
    assert len(idle.table.state().reading.dice) == 10
    idle.table.do(commands.OpenRound())
    idle.table.do(commands.MakeBid(idle.table.state().turn, 4, 4))
    idle.table.do(commands.CallDudo())
    table.judged()
    assert len(idle.table.state().reading.dice) == 12, "what lay there in an earlier round says nothing"


def test_a_box_that_did_not_see_the_cups_down_asks_about_the_dice_in_the_middle(table: OpenTable) -> None:
    table.bid_and_dudo()
    assert table.judged() == ["extra", "extra"]


def test_a_frame_that_serves_again_is_looked_at_once(idle: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []
    monkeypatch.setattr(QuietPicture, "see", lambda *frame: seen.append(frame[-1]))
    monkeypatch.setattr(ScriptedCamera, "frame", lambda *_: Frame(still(EMPTY), idle.clock.now // 1))
    OpenTable(idle)
    idle.go_on(4.0)
    assert len(seen) > 2
    assert sorted(set(seen)) == seen


def test_players_hear_of_a_reader_that_fails_on_the_table_before_the_cups_went_up(
    idle: Desk, table: OpenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle.go_on(3.0)
    table.bid_and_dudo()
    table.reveal.read_with(ScriptedReader({}))
    heard = []
    monkeypatch.setattr(table.reveal._stop, "wait", lambda timeout: heard.append(idle.waits_for))
    monkeypatch.setattr(table.reveal._stop, "is_set", lambda: bool(heard))
    table.reveal.run()
    assert heard == ["reader"]


class ExposedCamera(ScriptedCamera):
    """A fake camera whose pictures get darker and brighter as its exposure is locked."""

    def __init__(self, image: Image, clock: FakeClock) -> None:
        super().__init__([image], clock)
        self.gain = 4.0
        self.locks: list[float | None] = []

    def frame(self, after: float = 0.0) -> Frame:
        frame = super().frame(after)
        return replace(frame, image=np.clip(frame.image * (self.gain / 4.0), 0, 255).astype(np.uint8))

    def lock(self, values: Mapping[str, float] | None = None) -> Mapping[str, float]:
        if values is not None:
            self.gain = values["gain"]
            self.locks.append(self.gain)
        return {"exposure": 10_000.0, "gain": self.gain}

    def unlock(self) -> None:
        self.gain = 4.0
        self.locks.append(None)


@pytest.mark.parametrize(("level", "gain"), [(252, 1.0), (40, 16.0)], ids=["dice that glare", "dice in the dark"])
def test_the_camera_is_asked_for_another_exposure_before_the_players(desk: Desk, level: int, gain: float) -> None:
    doubtful, sure = laid_out(FULL, uncertain=[("red", 0)]), laid_out(FULL)
    exposed = int(min(255, level * gain / 4))
    desk.reader = ScriptedReader({level: [doubtful], exposed: [sure]})
    camera = ExposedCamera(still(level), desk.clock)
    desk.reveal(lambda: camera)
    desk.until_read()
    assert desk.phase == "verdict"
    assert camera.locks == [pytest.approx(gain), None]
    assert desk.reader.asked == [level, exposed]


def test_a_doubt_that_no_exposure_settles_is_put_to_the_players(desk: Desk) -> None:
    desk.reader = ScriptedReader({252: [DOUBTFUL], 63: [DOUBTFUL]})
    desk.reveal(lambda: ExposedCamera(still(252), desk.clock))
    desk.until_read()
    assert desk.phase == "checking"


def test_a_face_washed_by_a_lamp_until_it_is_no_die_is_read_from_darker_frames(desk: Desk) -> None:
    lying = [
        SceneDie(x, 36.0 * (n - 2), 0.3 * n, face, colour)
        for x, colour in ((-150, "red"), (150, "blue"))
        for n, face in enumerate(FULL[colour])
    ]
    light = (render_table(TableScene(tuple(lying)), (960, 720)).astype(np.float32) / 255) ** 2.2
    ys, xs = np.mgrid[:720, :960]
    lamp = np.clip((14 - np.hypot(xs - 247, ys - 469)) / 4 + 0.5, 0, 1)  # on the red three
    begin = desk.clock.now
    reveal = desk.reveal(lambda: LitCamera(light + 0.9 * lamp[..., None].astype(np.float32), desk.clock))
    reveal.read_with(Reader.load())
    desk.until_read()
    assert desk.phase == "verdict"
    assert desk.clock.now - begin < 8.0, "it is not waited for as for a cup"
    read = desk.table.state().reading.dice
    assert sorted(die.face for die in read if die.colour == "red") == sorted(FULL["red"])


def test_the_exposure_of_a_calibrated_camera_is_set_back_to_what_it_was(desk: Desk) -> None:
    desk.reader = ScriptedReader({252: [laid_out(FULL, uncertain=[("red", 0)])], 63: [laid_out(FULL)]})
    camera = ExposedCamera(still(252), desk.clock)
    desk.reveal(lambda: camera)
    desk.watched[-1].lock({"exposure": 10_000.0, "gain": 4.0})
    desk.until(lambda: desk.phase == "verdict")
    assert camera.locks[-2:] == [pytest.approx(1.0), 4.0]


def judged(desk: Desk) -> RevealWorker:
    """A verdict, just given."""
    reveal = desk.watch([*(hand(SHOWS_ALL, step) for step in range(40)), still(SHOWS_ALL)])
    desk.until(lambda: desk.phase == "verdict")
    return reveal


def looks(desk: Desk, reveal: RevealWorker, seconds: float) -> None:
    """What the worker does while nothing is to be read."""
    until = desk.clock.now + seconds
    while desk.clock.now < until:
        reveal.step()
        desk.clock.sleep(0.1)


def test_the_seconds_round_the_judged_frame_are_kept_beside_its_picture(desk: Desk) -> None:
    reveal = judged(desk)
    assert desk.table.state().reading.clip is None, "the seconds after it are still to come"
    looks(desk, reveal, 4.0)
    clip = desk.table.state().reading.clip
    assert clip.picture == "/api/v1/pictures/1-clip.jpg"
    assert clip.seconds > 2.5
    sheet = cv2.imread(str(desk.table.pictures / "1-clip.jpg"))
    assert sheet.shape[1] == clip.columns * clip.width
    desk.table.do(commands.SetDie(0, face=4))
    assert desk.table.state().reading.clip == clip, "a corrected reading is of the same moment"
    desk.table.pictures.joinpath("1.jpg").unlink()
    desk.table.do(commands.SetDie(0, face=5))
    assert desk.table.state().reading.clip is None, "gone with its picture"


def test_once_the_cups_are_down_again_nothing_is_recorded(desk: Desk) -> None:
    reveal = judged(desk)
    desk.table.do(commands.OpenRound())
    looks(desk, reveal, 4.0)
    assert not list(desk.table.pictures.glob("*-clip.jpg"))


class GlancedCamera(ScriptedCamera):
    """A fake camera that can give its small picture alone, which here is a copy without the reader's mark."""

    looks = True

    def __init__(self, script: Iterable[Image | str], clock: FakeClock) -> None:
        super().__init__(script, clock)
        self.given: list[str] = []

    def set_pace(self, fast: bool) -> None:
        pass

    def frame(self, after: float = 0.0) -> Frame:
        self.given.append("frame")
        return super().frame(after)

    def look(self, after: float = 0.0) -> Frame:
        self.given.append("look")
        frame = super().frame(after)
        return replace(frame, image=np.zeros((4, 4, 3), np.uint8), preview=frame.image)


def test_while_hands_move_only_the_small_picture_is_taken_and_a_whole_one_is_read(desk: Desk) -> None:
    moving = [hand(SHOWS_ALL, step) for step in range(15)]
    camera = GlancedCamera([still(EMPTY), *moving, still(SHOWS_ALL)], desk.clock)
    desk.reveal(lambda: camera)
    desk.until(lambda: desk.phase == "verdict")
    assert desk.reader.asked, "what is read is whole: of a look there would be nothing to read"
    assert set(desk.reader.asked) == {SHOWS_ALL}
    assert camera.given.count("look") > camera.given.count("frame")
    picture = cv2.imread(str(desk.table.pictures / "1.jpg"))
    assert picture.shape == (96, 128, 3)


def test_while_no_cup_is_down_a_look_is_enough_to_see_that_the_camera_works(idle: Desk) -> None:
    camera = GlancedCamera([still(EMPTY)], idle.clock)
    reveal = idle.reveal(lambda: camera)
    for _ in range(20):
        reveal.step()
        idle.clock.now += 0.1
    assert camera.given.count("look") > camera.given.count("frame") > 0
    assert idle.table.state().camera.ok


class DetailedCamera(ScriptedCamera):
    """A fake camera that shows four times the pixels if it is asked to."""

    def __init__(self, script: Iterable[Image | str], clock: FakeClock) -> None:
        super().__init__(script, clock)
        self.whole: list[bool] = []

    def show_whole(self, whole: bool) -> None:
        self.whole.append(whole)

    def frame(self, after: float = 0.0) -> Frame:
        frame = super().frame(after)
        wanted = self.whole and self.whole[-1]
        return replace(frame, whole=np.kron(frame.image, np.ones((2, 2, 1), np.uint8)) if wanted else None)


@pytest.mark.parametrize(("side", "whole"), [(44.0, [True, False]), (46.0, [])], ids=["small dice", "large dice"])
def test_all_pixels_are_read_of_small_dice_and_only_while_they_are_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, side: float, whole: list[bool]
) -> None:
    seen: list[Image | None] = []
    read = desk.reader.read
    monkeypatch.setattr(desk.reader, "read", lambda *a, whole=None, **k: (seen.append(whole), read(*a, **k))[1])
    camera = DetailedCamera([still(SHOWS_ALL)], desk.clock)
    reveal = desk.reveal(lambda: camera)
    monkeypatch.setattr(reveal, "_die_width", 1.27 * side)
    desk.until(lambda: desk.phase == "verdict")
    reveal.step()
    assert camera.whole == whole
    assert [each is not None and each.shape == (192, 256, 3) for each in seen] == [bool(whole)]
    picture = cv2.imread(str(desk.table.pictures / "1.jpg"))
    assert picture.shape == (96, 128, 3), "what is shown is as large as ever"
