"""A phone as the camera, in a real browser: drawn tables are given to the page's file input, and really read."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from flask import Flask
from selenium import webdriver

from calibration.image import Image, jpeg
from companion.camera.phone_camera import PhoneCamera
from companion.camera.photos import Photos
from companion.camera.reveal import RevealWorker
from companion.table import CameraStatus, Journal, Table, commands
from companion.table.game.new_game import GameDefaults
from tests.browser.page import Page
from tests.fakes.handheld import dice, drawn, long_table
from tests.fakes.new_game import new_game
from tests.fakes.parts import box_parts
from vision.drawn.table_scene import SceneDie
from vision.reader import Reader
from vision.stillness import StillnessCheck
from web.access.access import Access
from web.app import create_app
from web.stream.server import Server

pytestmark = pytest.mark.browser

INPUT = ".photos input[type='file']"
BEFORE = ".top input[type='file']"
"""For a picture of the table before the cups go up."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


class Room:
    """A table without a camera, and its page."""

    def __init__(self, table: Table, url: str, folder: Path) -> None:
        self.table = table
        self.url = url
        self._folder = folder

    def call(self) -> None:
        self.table.do(commands.MakeBid("Ana", 4, 4))
        self.table.do(commands.CallDudo())

    def file(self, name: str, picture: Image | bytes) -> str:
        path = self._folder / name
        path.write_bytes(picture if isinstance(picture, bytes) else jpeg(picture, 92))
        return str(path)


@pytest.fixture
def room(tmp_path: Path, reader: Reader, serve: Callable[[Flask], Server]) -> Iterator[Room]:
    photos = Photos()
    with contextlib.ExitStack() as stack:
        table = stack.enter_context(
            Table(Journal(tmp_path / "state"), defaults=GameDefaults(draw=random.Random(1).choice))
        )
        camera = PhoneCamera(table.set_camera)
        worker = RevealWorker(table, camera, reader, StillnessCheck(), patience=20.0, give_up=120.0, photos=photos)
        worker.start()
        stack.callback(worker.stop)
        app = create_app(box_parts(table, access=Access(code="1234", rng=random.Random(1)), photos=photos))
        server = stack.enter_context(serve(app))
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        yield Room(table, server.url, tmp_path)


@pytest.fixture
def page(room: Room, open_browser: Callable[..., webdriver.Chrome]) -> Any:
    return Page(open_browser(), room.url, "Ben")


def test_a_picture_taken_at_a_call_is_judged_and_shown(room: Room, page: Any) -> None:
    room.call()
    page.in_phase("reading")
    page.wait(lambda: "Take a picture of the dice with a phone" in page.text)
    assert not page.all(".live")
    assert page.misfits() == []
    page.one(INPUT).send_keys(room.file("table.jpg", drawn(dice(), (3200, 2400))))
    page.in_phase("verdict")
    state = room.table.state()
    assert state.verdict is not None
    assert state.verdict.count == 5
    assert state.reading is not None
    assert (state.reading.width, state.reading.height) == (2304, 1728)  # shrunk on the phone
    assert page.complaints() == []


def test_a_picture_is_turned_by_its_exif_on_the_phone(room: Room, page: Any) -> None:
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    data = jpeg(np.asarray(cv2.rotate(drawn(dice()), cv2.ROTATE_90_COUNTERCLOCKWISE), np.uint8), 92)
    room.call()
    page.in_phase("reading")
    turned = data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:]
    page.one(INPUT).send_keys(room.file("turned.jpg", turned))
    page.in_phase("verdict")
    state = room.table.state()
    assert state.reading is not None
    assert (state.reading.width, state.reading.height) == (2304, 1728)


def test_a_bad_picture_is_told_at_once_and_the_next_one_is_judged(room: Room, page: Any) -> None:
    room.call()
    page.in_phase("reading")
    page.one(INPUT).send_keys(room.file("dark.jpg", (drawn(dice()) * 0.06).astype(np.uint8)))
    page.wait(lambda: "too dark" in page.one(".reading .problem").text)
    other = drawn([replace(die, colour="purple") for die in dice()])
    page.one(INPUT).send_keys(room.file("other.jpg", other))
    page.wait(lambda: len(page.all(".refused rect")) == 10, "the dice that were found")
    request, waiting = room.table.reveal_wanted(), room.table.state().waiting
    room.table.set_waiting(request.reveal, msgspec.structs.replace(waiting, photo="another-phones"))
    page.wait(lambda: not page.all(".refused"), "another phone's picture is not this one's")
    room.table.set_waiting(request.reveal, waiting)
    page.one(".refused")
    assert page.misfits() == []
    page.one(INPUT).send_keys(room.file("notes.jpg", b"no picture at all"))
    page.wait(lambda: "cannot read this picture" in page.text)
    page.one(INPUT).send_keys(room.file("table.jpg", drawn(dice())))
    page.in_phase("verdict")
    page.expects("status of 400")
    assert page.complaints() == []


def test_a_picture_is_taken_once_however_often_the_network_drops(room: Room, page: Any) -> None:
    room.call()
    page.in_phase("reading")
    readings = room.table.state().version
    page.driver.execute_script("""
        const send = window.fetch;
        let left = 2;
        window.sent = 0;
        window.fetch = async (address, init) => {
          const answer = await send(address, init);
          if (!String(address).includes("/photos/")) return answer;
          window.sent += 1;
          if (left === 0) return answer;
          left -= 1;
          throw new TypeError("the network dropped after the picture had arrived");
        };""")
    page.one(INPUT).send_keys(room.file("table.jpg", drawn(dice())))
    page.in_phase("verdict")
    page.wait(lambda: page.driver.execute_script("return window.sent") == 3, "the picture was sent three times")
    state = room.table.state()
    assert state.version > readings
    assert state.reading is not None
    assert (state.reading.id, str(state.phase)) == (1, "verdict")


def test_what_lay_there_before_the_cups_went_up_is_not_counted(room: Room, page: Any) -> None:
    lost = SceneDie(-220.0, 150.0, 0.4, 4, "red")
    turn = random.Random(1)
    sweets = [SceneDie(turn.uniform(-250, 250), y, 0.3, 2, "green") for y in (-190.0, 190.0)]
    page.in_phase("bidding")
    assert not page.all(BEFORE), "no die has been lost"
    room.table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana", dice={"Ana": 5, "Ben": 4}, abandon=True))
    page.one(BEFORE).send_keys(room.file("before.jpg", drawn([lost, *sweets])))
    page.wait(lambda: "The box has the picture" in page.text)
    assert page.misfits() == []
    assert str(room.table.state().phase) == "bidding"
    room.call()
    page.in_phase("reading")
    page.one(INPUT).send_keys(room.file("table.jpg", drawn([*dice()[:-1], lost, *sweets])))
    page.in_phase("verdict")
    state = room.table.state()
    assert (state.verdict.count, len(state.reading.dice)) == (4, 9)


def test_a_die_in_two_pictures_of_a_long_table_counts_once(room: Room, page: Any) -> None:
    shown, pictures = long_table()
    players = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]
    room.table.do(new_game(players, starter="Ana", abandon=True))
    room.call()
    page.in_phase("reading")
    files = [room.file(f"{n}.jpg", picture) for n, picture in enumerate(pictures)]
    page.one(f"{INPUT}:not([capture])").send_keys("\n".join(files))
    page.in_phase("verdict")
    state = room.table.state()
    read = Counter((die.face, die.colour) for die in state.reading.dice)
    assert read == Counter((die.face, die.colour) for die in shown)
    assert state.verdict.count == sum(die.face in (1, 4) for die in shown)


def test_more_pictures_of_a_table_than_the_box_joins_are_refused(room: Room, page: Any) -> None:
    room.call()
    page.in_phase("reading")
    files = [room.file(f"{n}.jpg", drawn(dice()[:1], (320, 240))) for n in range(7)]
    page.one(f"{INPUT}:not([capture])").send_keys("\n".join(files))
    page.wait(lambda: "Choose at most 6 pictures of one table." in page.text)
    assert room.table.state().reading is None
    page.expects("status of 400")
    assert page.complaints() == []


def test_a_picture_that_leaves_questions_is_followed_by_a_better_one(room: Room, page: Any) -> None:
    room.call()
    page.in_phase("reading")
    page.one(INPUT).send_keys(room.file("one-missing.jpg", drawn(dice()[:-1])))
    page.in_phase("checking")
    assert "I see 4 of Ben" in page.text
    assert page.misfits() == []
    page.tap(".checking h2")  # a touch, as before any choice: what the page shows now is what is meant
    page.one(f".checking {INPUT}").send_keys(room.file("all.jpg", drawn(dice())))
    page.wait(lambda: str(room.table.state().phase) != "checking", f"another reading; {page.complaints()}")
    page.wait(lambda: page.phase == "verdict", "the verdict")
    assert room.table.state().verdict.count == 5
    assert page.complaints() == []


def test_phones_take_the_pictures_while_a_camera_over_the_table_does_not_answer(room: Room, page: Any) -> None:
    room.table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana", dice={"Ana": 4, "Ben": 5}, abandon=True))
    for ok in (False, True, False):
        room.table.set_camera(CameraStatus(ok=ok, name="USB camera", sentence="" if ok else "It gives no frames."))
        page.shows(room.table.state().version)
        page.wait(lambda ok=ok: bool(page.all(BEFORE)) is not ok, f"a camera that is {ok}")
    assert page.misfits() == []
    room.table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana", abandon=True))
    room.call()
    page.in_phase("reading")
    page.one(INPUT).send_keys(room.file("one-missing.jpg", drawn(dice()[:-1])))
    page.in_phase("checking")
    page.one(f".checking {INPUT}")
    room.table.set_camera(CameraStatus(ok=True, name="USB camera"))
    page.wait(lambda: not page.all(".photos"))
