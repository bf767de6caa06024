"""Pictures from phones in place of the camera's: read by the real reader, at drawn tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.image import Image, jpeg
from companion.camera.phone_camera import PhoneCamera
from companion.camera.photo_reader import read_photos
from companion.camera.photos import MOST_PER_ROUND, MOST_SETS, PhotoPlace, Photos, TooManyPhotosError
from companion.camera.reveal import RevealWorker
from companion.table import Journal, Table, commands
from companion.table.game import sentences
from hardware.camera.camera_choice import PHONE_TAKES
from tests.fakes.camera import ScriptedCamera
from tests.fakes.clock import FakeClock
from tests.fakes.handheld import LARGE, SIZE, dice, drawn, long_table, seen_from
from tests.fakes.new_game import new_game
from tests.fakes.reader import FakeReader
from vision.cloth import Ignore
from vision.drawn.table_scene import SceneDie
from vision.handheld.mosaic import Seen, join
from vision.reader import Reader
from vision.reading import Die, Reading
from vision.stillness import StillnessCheck

READER = Reader.load()


class Evening:
    """A table without a camera, unless one is hung over it."""

    def __init__(self, folder: Path) -> None:
        self.clock = clock = FakeClock(1000.0, step=0.05)
        self.table = Table(Journal(folder))
        self.photos = Photos()
        self.camera = PhoneCamera(self.table.set_camera)
        self.worker = RevealWorker(
            self.table, self.camera, READER, StillnessCheck(), patience=20.0, give_up=120.0, photos=self.photos,
            clock=clock, sleep=clock.sleep,
        )  # fmt: skip
        self.table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))

    def hang_camera(self, now: Image | str) -> None:
        """Put a camera over the table that shows `now`, or fails with it."""
        self.worker._camera = ScriptedCamera([now], self.clock)

    def wait(self, seconds: float) -> None:
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.worker.step()

    def call(self) -> None:
        self.table.do(commands.MakeBid("Ana", 4, 4))
        self.table.do(commands.CallDudo())
        self.worker.step()

    def send(self, *images: Image | bytes, before: bool = False, name: str = "s") -> None:
        state = self.table.state()
        place = PhotoPlace(before, (state.game, state.round or 0), name, len(images), "k3f9")
        for n, image in enumerate(images, 1):
            self.photos.add(place, n, image if isinstance(image, bytes) else jpeg(image, 85))
        self.worker.step()

    @property
    def told(self) -> str:
        waiting = self.table.state().waiting
        return "" if waiting is None else str(waiting.sentence)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    yield evening
    evening.table.close()


def test_one_picture_of_a_phone_is_judged_as_the_cameras_would_be(evening: Evening) -> None:
    evening.call()
    state = evening.table.state()
    assert (state.camera.ok, state.camera.phone, evening.told) == (True, True, PHONE_TAKES)
    evening.send(drawn(dice()))
    state = evening.table.state()
    assert str(state.phase) == "verdict"
    assert state.verdict.count == 5  # 3 fours and 2 pacos
    assert (state.reading.width, state.reading.height) == SIZE
    assert (evening.table.pictures / "1.jpg").is_file()


def test_a_picture_is_turned_as_its_exif_says(evening: Evening) -> None:
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    data = jpeg(cv2.rotate(drawn(dice()), cv2.ROTATE_90_COUNTERCLOCKWISE), 85)  # type: ignore[arg-type]
    evening.call()
    evening.send(data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:])
    state = evening.table.state()
    assert (state.reading.width, state.reading.height) == SIZE


@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (lambda image: (image * 0.06).astype(np.uint8), sentences.PHOTO_DARK),
        (lambda image: cv2.merge([cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)] * 3), sentences.NO_COLOUR),
        (lambda image: cv2.blur(image, (41, 41)), sentences.PHOTO_BLURRED),
        (lambda image: cv2.resize(image, (240, 180), interpolation=cv2.INTER_AREA), sentences.PHOTO_SMALL),
        (lambda image: image[:, 820:], sentences.PHOTO_CUT),
        (lambda _: drawn([]), sentences.PHOTO_BARE),
        (lambda _: drawn([replace(die, colour="purple") for die in dice()]), sentences.PHOTO_OTHER),
        (lambda _: b"\xff\xd8 no picture", sentences.PHOTO_UNREADABLE),
    ],
    ids=["dark", "without colours", "blurred", "small", "cut", "bare", "another table", "unreadable"],
)
def test_a_bad_picture_is_refused_with_what_to_do_better_and_a_good_one_is_judged(
    evening: Evening, picture: object, sentence: str
) -> None:
    evening.call()
    evening.send(picture(drawn(dice())))  # type: ignore[operator]
    assert (str(evening.table.state().phase), evening.told) == ("reading", sentence)
    found = evening.table.state().waiting.found  # type: ignore[union-attr]
    assert bool(found) == (sentence not in (sentences.PHOTO_BARE, sentences.PHOTO_UNREADABLE))
    evening.worker.step()
    assert evening.told == sentence  # it is not hidden by the camera that is not there
    evening.send(drawn(dice()), name="again")
    assert str(evening.table.state().phase) == "verdict"


def test_dice_that_are_hard_to_read_in_a_sharp_picture_are_asked_about() -> None:
    class Unsure(FakeReader):
        def read(
            self, image: Image, die_width: float | None = None, *, closely: bool = False, ignore: Ignore | None = None
        ) -> Reading:
            return replace(super().read(image, die_width), blurred=True)

    reader = Unsure()
    reader.dice = (Die(4, "red", (900.0, 700.0, 45.0, 45.0), 0.9),)
    sharp = drawn(dice())
    seen = read_photos(reader, [jpeg(sharp, 92)], [], {"red": 1})  # type: ignore[arg-type]
    assert isinstance(seen, Seen)
    assert seen.reading.uncertain
    blurred = np.asarray(cv2.blur(sharp, (41, 41)), np.uint8)
    assert read_photos(reader, [jpeg(blurred, 92)], [], {"red": 1}).message == sentences.PHOTO_BLURRED  # type: ignore[arg-type]


def test_photographs_are_bounded_and_wait_for_their_round() -> None:
    photos = Photos()
    photos.add(PhotoPlace(False, (1, 1), "a", 2, "k3f9"), 1, b"1")
    assert photos.take((1, 1)) == ()
    photos.add(PhotoPlace(False, (1, 1), "a", 2, "k3f9"), 1, b"1")  # sent again
    assert photos.take((1, 1)) == ()
    photos.add(PhotoPlace(False, (1, 1), "a", 2, "k3f9"), 2, b"2")
    assert (photos.take((1, 1)), photos.take((1, 1))) == ((b"1", b"2"), ())
    photos.add(PhotoPlace(False, (1, 1), "late", 1, "k3f9"), 1, b"1")
    assert photos.take((1, 2)) == ()
    photos.add(PhotoPlace(False, (1, 2), "whole", 2, "h5st"), 1, b"3")
    for n in range(MOST_SETS + 1):
        photos.add(PhotoPlace(False, (1, 2), f"half {n}", 2, "k3f9"), 1, b"1")
    photos.add(PhotoPlace(False, (1, 2), "half 0", 2, "k3f9"), 2, b"2")
    assert photos.take((1, 2)) == ()  # the oldest half was forgotten
    for n in range(MOST_PER_ROUND - MOST_SETS - 2):
        photos.add(PhotoPlace(False, (1, 2), str(n), 1, "k3f9"), 1, b"1")
    with pytest.raises(TooManyPhotosError):
        photos.add(PhotoPlace(False, (1, 2), "one more", 1, "k3f9"), 1, b"1")
    for n in range(MOST_SETS):
        photos.add(PhotoPlace(False, (1, 2), f"part {n}", 2, "b2c3"), 1, b"2")
    photos.add(PhotoPlace(False, (1, 2), "whole", 2, "h5st"), 2, b"4")
    photos.add(PhotoPlace(False, (1, 2), "flood", 1, "b2c3"), 1, b"5")
    flooded = [photos.take((1, 2)) for _ in range(4)]
    assert flooded[1:] == [(b"3", b"4"), (b"5",), ()], "no phone keeps another's from being read"
    photos.add(PhotoPlace(False, (1, 3), "next", 1, "k3f9"), 1, b"1")
    assert photos.take((1, 3)) == (b"1",)


def test_a_die_in_two_pictures_of_a_long_table_counts_once() -> None:
    shown, pictures = long_table()
    shots = [Seen(picture, READER.read(picture)) for picture in pictures]
    assert sum(len(shot.reading.dice) for shot in shots) > len(shown)  # some are in both, and neither has all
    assert max(len(shot.reading.dice) for shot in shots) < len(shown)
    table = join(shots)
    assert Counter((die.face, die.colour) for die in table.reading.dice) == Counter(
        (die.face, die.colour) for die in shown
    )
    assert not table.reading.uncertain
    assert (table.reading.height, table.reading.width) == table.image.shape[:2]


def test_pictures_that_do_not_show_the_same_table_are_not_joined(evening: Evening) -> None:
    evening.call()
    evening.send(drawn(dice()), drawn([]))
    assert (str(evening.table.state().phase), evening.told) == ("reading", sentences.PHOTO_BARE)
    evening.send(drawn(dice()), np.asarray(255 - drawn(dice(), SIZE)[:, ::-1], np.uint8), name="mirrored")
    assert evening.told in (sentences.PHOTOS_APART, sentences.PHOTO_BARE)


def test_a_die_that_lay_there_before_the_cups_went_up_is_not_in_play(evening: Evening) -> None:
    lost = SceneDie(-200.0, 140.0, 0.4, 4, "red")
    things = [SceneDie(x, y, 0.3, 2, "green") for x, y in ((-210.0, -150.0), (200.0, -140.0), (180.0, 160.0))]
    evening.send(drawn([lost, *things]), before=True, name="before")
    evening.call()
    evening.send(drawn([*dice(), lost, *things]))
    state = evening.table.state()
    assert str(state.phase) == "verdict"
    assert state.verdict.count == 5


LOST = SceneDie(-150.0, 100.0, 0.4, 4, "red")
THINGS = [SceneDie(x, y, 0.3, 2, "green") for x, y in ((-140.0, -110.0), (150.0, -100.0), (130.0, 120.0))]
GONE = "The camera gives no frames."


def test_a_picture_that_came_too_late_to_be_read_is_not_read_after_an_undo(evening: Evening) -> None:
    evening.call()
    evening.send(drawn(dice()))
    assert str(evening.table.state().phase) == "verdict"
    late = jpeg(drawn(dice()[:-1]), 85)
    evening.photos.add(PhotoPlace(False, (1, 1), "t", 1, "k3f9"), 1, late)  # while the other one was being read
    evening.worker.step()
    for _ in range(2):  # the reading and the dudo
        undo = evening.table.state().undo
        evening.table.do(commands.Undo(undo.step))
    evening.worker.step()
    evening.table.do(commands.CallDudo())
    evening.wait(1.0)
    assert (str(evening.table.state().phase), evening.told) == ("reading", PHONE_TAKES)


def judged(evening: Evening) -> int:
    state = evening.table.state()
    assert str(state.phase) == "verdict", [str(each.sentence) for each in state.reading.problems if state.reading]
    return state.verdict.count


def test_a_picture_before_the_cups_go_up_serves_a_camera_that_answers_again(evening: Evening) -> None:
    evening.hang_camera(GONE)
    evening.send(seen_from(drawn([LOST, *THINGS], LARGE), 1800, 0.1, 0.05), before=True)
    evening.call()
    evening.hang_camera(drawn([*dice(), LOST, *THINGS], (1280, 960)))
    evening.wait(3.0)
    assert judged(evening) == 5


def test_what_a_camera_saw_before_the_cups_went_up_serves_the_pictures_of_phones(evening: Evening) -> None:
    evening.hang_camera(drawn([LOST, *THINGS], (1280, 960)))
    evening.wait(3.0)
    evening.hang_camera(GONE)
    evening.call()
    evening.send(seen_from(drawn([*dice(), LOST, *THINGS], LARGE), 1800, 0.1, 0.05))
    assert judged(evening) == 5
