"""Calibrating in a browser, from the first look to a reading, as a newcomer alone at the table."""

from __future__ import annotations

import contextlib
import logging
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium.webdriver.common.by import By

from calibration.profiles import Profiles
from companion.camera.profile_in_use import ProfileInUse
from companion.camera.reveal import RevealWorker
from companion.camera.supervised_camera import SupervisedCamera
from companion.features.calibration.service import CalibrationSession
from companion.table import Journal, Table, commands
from companion.table.game.new_game import GameDefaults
from hardware.virtual.virtual_camera import VirtualCamera
from tests.browser import chromium
from tests.browser.screen import Screen
from tests.browser.sheet_table import SIZE, SheetTable
from tests.fakes.new_game import new_game
from tests.fakes.parts import box_parts
from tests.fakes.public_state import in_json
from tests.wait import wait_until
from vision.reader import Reader
from vision.stillness import StillnessCheck
from web.access.access import Access
from web.app import create_app
from web.stream.server import Server

pytestmark = pytest.mark.browser
log = logging.getLogger(__name__)

CODE = "1234"
PLAYERS = (("Ana", "red"), ("Ben", "orange"), ("Cid", "yellow"), ("Dora", "green"), ("Eva", "blue"), ("Fay", "purple"))
MOST_TAPS = 10


class Box:
    """A whole box, whose camera sees a virtual table."""

    def __init__(self, state: Path, stack: contextlib.ExitStack, serve: Callable[[Flask], Server]) -> None:
        self.seen = SheetTable()
        self.table = stack.enter_context(Table(Journal(state), defaults=GameDefaults(draw=random.Random(1).choice)))
        virtual = VirtualCamera(self.seen.paint)
        self.camera = SupervisedCamera(lambda: virtual, time.monotonic, self.table.set_camera, hangs=30.0)
        stack.callback(self.camera.close)
        self.profiles = Profiles.of(state)
        self.reveal = RevealWorker(
            self.table, self.camera, Reader.load(), StillnessCheck(), patience=20.0, give_up=120.0
        )
        self.in_use = ProfileInUse(
            self.profiles,
            self.camera,
            lambda profile: self.reveal.read_with(Reader.load(profile)),
            self.table.set_calibration,
        )
        self.calibrating = CalibrationSession(self.camera, self.profiles, self.in_use, self.table.state, Reader.load)
        self.seen.wanted = self.calibrating.wanted
        self.camera.frame()
        self.in_use.load()
        self.calibrating.start()
        stack.callback(self.calibrating.stop)
        self.reveal.start()
        stack.callback(self.reveal.stop)
        app = create_app(
            box_parts(
                self.table,
                access=Access(state, CODE),
                camera=self.camera,
                calibration=self.calibrating,
            )
        )
        server = serve(app).start()
        stack.callback(server.stop)
        self.url = server.url


@pytest.fixture
def box(tmp_path: Path, serve: Callable[[Flask], Server]) -> Iterator[Box]:
    with contextlib.ExitStack() as stack:
        yield Box(tmp_path / "state", stack, serve)


class Phone(Screen):
    """A phone with the calibration page open, which counts its taps."""

    def __init__(self, driver: Any, url: str, theme: str = "dark") -> None:
        super().__init__(driver, url)
        self.taps = 0
        self.wear(theme)
        driver.get(f"{url}calibrate#join={CODE}")
        self.one("main.no-step .big, main .stations")

    def tap(self, selector: str) -> None:
        self.taps += 1
        super().tap(selector)


@pytest.fixture
def phone(box: Box, open_browser: Callable[..., Any]) -> Iterator[Phone]:
    phone = Phone(open_browser(), box.url)
    yield phone
    assert [e["message"] for e in phone.driver.get_log("browser") if e["level"] == "SEVERE"] == []


def test_a_newcomer_calibrates_with_few_taps_and_the_dice_are_read_with_the_profile(
    box: Box, phone: Phone, axe: Callable[..., list[str]]
) -> None:
    barriers: dict[str, list[str]] = {}
    misfits: dict[str, list[str]] = {}

    def shown(step: str) -> None:
        phone.picture(f"phone-{step}")
        barriers[step] = axe(phone.driver)
        misfits[step] = phone.misfits()

    shown("home")
    begun = time.monotonic()
    phone.tap("main .go")
    phone.one(".step-aim .saying .sign")
    phone.one(".seen .over")
    shown("aim")
    phone.tap(".step-aim .foot .go")
    phone.one(".step-sheet")
    shown("sheet")
    phone.tap(".step-sheet .foot .go")
    phone.one(".step-views .held span")  # the bar says that it is not the percentage
    phone.one(".step-views .covers")
    automatic = time.monotonic()
    phone.one(".cells .done")
    shown("views")
    phone.one(".step-flat")
    log.info("pictures of the sheet, without a tap: %.0f s", time.monotonic() - automatic)
    phone.one(".step-flat .foot .go:not([disabled])")
    shown("flat")
    phone.tap(".step-flat .foot .go")
    phone.one(".step-lens .compared")
    shown("lens")
    assert "lens is known" in phone.text
    phone.tap(".step-lens .foot .go")
    phone.one(".step-colours .palette")
    shown("colours")
    phone.tap(".step-colours .foot .go")
    phone.one(".step-check .figure")
    shown("check")
    phone.tap(".step-check .foot .go")
    phone.one(".kept")
    log.info("taps: %d; seconds: %.0f", phone.taps, time.monotonic() - begun)
    shown("kept")
    assert phone.taps <= MOST_TAPS
    assert {step: lines for step, lines in barriers.items() if lines} == {}
    assert {step: lines for step, lines in misfits.items() if lines} == {}

    profile = box.profiles.in_use
    assert profile is not None
    assert profile.name == "Table"
    assert profile.lens is not None
    assert profile.lens.matrix[0][0] == pytest.approx(box.seen.lens.matrix[0, 0], rel=0.02)
    assert set(profile.palette) == {colour for _, colour in PLAYERS}
    assert in_json(box.table.state().calibration) == {"profile": "Table", "notice": None}

    box.table.do(new_game(PLAYERS, starter="Ana"))
    box.table.do(commands.AskCount("dudo"))
    wait_until(lambda: box.table.state().phase not in ("bidding", "reading"), lambda: str(box.table.state().waiting))
    dice = box.table.state().reading.dice
    assert sorted((d.colour, d.face) for d in dice) == sorted((d.colour, d.face) for d in box.seen.dice)
    assert (box.table.state().reading.width, box.table.state().reading.height) == SIZE


def test_another_phone_watches_takes_over_and_skips_a_step(
    box: Box, phone: Phone, open_browser: Callable[..., Any]
) -> None:
    phone.tap("main .go")
    phone.one(".step-aim .saying .sign")
    other = Phone(open_browser(chromium.DESK), box.url, "light")
    other.one(".watching")
    assert not other.all(".foot")
    other.one(".seen .over")
    other.picture("desk-watching")
    other.tap(".watching .plain")
    other.one(".step-aim .foot .go")
    phone.one(".watching")
    other.tap(".step-aim .foot .go")
    other.one(".step-sheet")
    other.picture("desk-sheet")
    other.tap(".foot .row button")
    assert "near the edge of the picture are read less reliably" in other.one(".sheet").text
    other.picture("desk-losing")
    other.tap(".sheet .asked .plain")
    other.one(".step-colours .palette")
    other.one(".over .found")
    other.picture("desk-colours")
    other.tap(".wrongcolour summary")
    other.tap("[data-die='0']")
    other.one(".colourrow")
    other.picture("desk-die")
    other.tap(".sheet .close")
    other.tap(".step-colours .foot .go")
    other.one(".step-check .figure")
    other.picture("desk-check")
    other.tap(".foot .go")
    other.one(".kept")
    other.picture("desk-kept")
    profile = box.profiles.in_use
    assert profile is not None
    assert profile.lens is None
    assert len(profile.palette) == 6
    other.tap(".kept .row button")
    other.one("main.no-step:not(:has(.kept)) .profilelist")
    assert box.profiles.in_use is None


def test_the_sheet_fits_a_tablet_and_says_how_wide_its_squares_are(
    box: Box, open_browser: Callable[..., Any], axe: Callable[..., list[str]]
) -> None:
    driver = open_browser((820, 1180))
    driver.get(f"{box.url}calibrate#sheet")
    wait_until(lambda: driver.find_elements(By.CSS_SELECTOR, ".bankcard"))
    assert axe(driver) == []
    card = driver.find_element(By.CSS_SELECTOR, ".bankcard").size["width"]
    driver.find_element(By.CSS_SELECTOR, ".go").click()
    board = driver.find_element(By.CSS_SELECTOR, ".board")
    text = driver.find_element(By.CSS_SELECTOR, ".measured").text
    square = board.size["width"] / 7
    assert f"{square * 85.6 / card:.1f} mm" in text
    assert board.size["height"] <= 1180
    assert axe(driver) == []
