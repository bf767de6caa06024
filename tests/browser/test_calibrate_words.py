"""Every step of calibrating in every language and both themes: nothing too wide, too small, or hard to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from calibration.profiles import Profiles
from companion.camera.profile_in_use import ProfileInUse
from companion.features.calibration.changes import Begin, Capture, GoToStep, SaveProfile
from companion.features.calibration.progress import Calibrator
from companion.features.calibration.service import CalibrationSession
from companion.messages.sentence import json_value
from hardware.virtual.virtual_camera import VirtualCamera
from tests.browser.box_page import AskingPage
from tests.browser.every_language import LANGUAGES
from tests.browser.sheet_table import SheetTable, thrown
from tests.fakes.clock import FakeClock
from tests.fakes.parts import box_parts
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from vision.reader import Reader
from web.access.access import Access
from web.app import create_app
from web.stream.server import Server

pytestmark = pytest.mark.browser

CUT = """
    return [...document.querySelectorAll('button, a.plain, a.go, .big, .stations li')]
      .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => `cut: ${e.textContent}`)"""


class CalibratePage(AskingPage):
    """A phone that calibrates."""


class Steps:
    """A calibration that a test leads through its steps, and the address of its page."""

    def __init__(self, state: Path) -> None:
        self.clock = FakeClock()
        table = SheetTable(thrown(6))
        camera = VirtualCamera(table.paint, self.clock, self.clock.sleep)
        profiles = Profiles.of(state)
        in_use = ProfileInUse(profiles, camera, lambda profile: None, lambda status: None)
        self.table = FakeTable(STATES["seating"])
        self.calibrating = CalibrationSession(
            camera, profiles, in_use, self.table.state, Reader.load, clock=self.clock, spawn=lambda job: job()
        )
        table.wanted = self.calibrating.wanted
        camera.frame()
        access = Access(code="1234")
        self.app = create_app(box_parts(self.table, access=access, camera=camera, calibration=self.calibrating))

    def look(self, so: Callable[[dict[str, Any]], Any], phone: Calibrator) -> None:
        for _ in range(120):
            if so(json_value(self.calibrating.state(phone.phone))):
                return
            self.calibrating.look()
            self.clock.now += 0.2
        raise AssertionError(self.calibrating.state(phone.phone))

    def walk(self, phone: Calibrator) -> Iterator[str]:
        """Go through the steps; yields the name of each."""
        calibrating = self.calibrating
        yield "home"
        calibrating.do(Begin(), phone)
        self.look(lambda state: state["says"], phone)
        yield "aim"
        calibrating.do(GoToStep("sheet"), phone)
        yield "sheet"
        calibrating.do(GoToStep("views"), phone)
        self.look(lambda state: state["views"]["have"] == 5, phone)
        yield "views"
        self.look(lambda state: state["step"] == "flat", phone)
        self.look(lambda state: state["views"]["seen"], phone)
        yield "flat"
        calibrating.do(Capture(), phone)
        self.look(lambda state: state["step"] == "lens", phone)
        yield "lens"
        calibrating.do(GoToStep("colours"), phone)
        self.look(lambda state: state["colours"], phone)
        yield "colours"
        calibrating.do(GoToStep("check"), phone)
        self.look(lambda state: state["check"], phone)
        yield "check"
        calibrating.do(SaveProfile("Küche"), phone)
        yield "kept"


@pytest.fixture
def steps(tmp_path: Path) -> Steps:
    return Steps(tmp_path)


def test_every_step_fits_a_phone_in_every_language(
    steps: Steps,
    serve: Callable[[Flask], Server],
    open_browser: Callable[..., webdriver.Chrome],
    axe: Callable[..., list[str]],
) -> None:
    faults: dict[str, list[str]] = {}
    with serve(steps.app) as server:
        page = CalibratePage(open_browser(), server.url)
        page.driver.get(f"{page.url}calibrate#join=1234")
        page.one("main .go")
        me = page.driver.execute_async_script("fetch('/api/v1/me').then((a) => a.json()).then(arguments[0])")
        texts = {}
        for language in LANGUAGES[::-1]:  # what each loads; in English it stays
            page.load("calibrate", language)
            page.one(".intro .go")
            texts[language] = page.text
        assert len(set(texts.values())) == len(texts)
        for step in steps.walk(Calibrator(me["phone"])):
            said = set()
            for language in LANGUAGES:
                page.wear("light" if language in ("fr", "it") else "dark")
                page.now_in(language)
                page.one({"home": ".intro .go", "kept": ".kept img.view"}.get(step, f".step-{step} .foot"))
                said.add(page.texts("main")[0])
                assert step != "home" or page.text == texts[language], "as if it had been loaded"
                lines = [*page.misfits(), *map(str, page.driver.execute_script(CUT))]
                if language in ("nl", "it"):  # one theme each
                    lines += axe(page.driver)
                if lines:
                    faults[f"{step} in {language}"] = lines
                page.picture(f"{language}-{step}")
            assert len(said) == len(LANGUAGES), step
    assert faults == {}
    assert page.complaints() == []


def test_the_keyboard_reaches_everything_and_a_step_begins_with_its_sentence(
    steps: Steps, serve: Callable[[Flask], Server], open_browser: Callable[..., webdriver.Chrome]
) -> None:

    def focused() -> str:
        script = "const e = document.activeElement; return e === document.body ? '' : e.innerText || ''"
        return str(page.driver.execute_script(script))

    def tab_to(text: str) -> None:
        for _ in range(30):
            if focused().strip() == text:
                return
            ActionChains(page.driver).send_keys(Keys.TAB).perform()
        raise AssertionError(f"the keyboard does not reach {text}")

    with serve(steps.app) as server:
        page = CalibratePage(open_browser(), server.url)
        page.driver.get(f"{page.url}calibrate#join=1234")
        page.one("main .go")
        tab_to("Begin")
        ActionChains(page.driver).send_keys(Keys.ENTER).perform()
        page.one(".step-aim .foot")
        steps.calibrating.look()
        tab_to("Yes, go on")
        ActionChains(page.driver).send_keys(Keys.ENTER).perform()
        page.wait(lambda: "Print the sheet" in focused(), "the sentence of the step")
        tab_to("Skip it")
        ActionChains(page.driver).send_keys(Keys.ENTER).perform()
        page.one(".sheet")
        ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
        page.wait(lambda: not page.all(".sheet"), "the question closed")
        page.wait(lambda: "Skip it" in focused(), "the keyboard back where it was")


def test_a_stranger_is_asked_for_the_tables_code(
    steps: Steps, serve: Callable[[Flask], Server], open_browser: Callable[..., webdriver.Chrome]
) -> None:
    with serve(steps.app) as server:
        page = CalibratePage(open_browser(), server.url)
        page.driver.get(f"{page.url}calibrate")
        page.tap("main .go")
        page.one(".sheet .keypad")
        for digit in "1234":
            page.tap(f"[data-digit='{digit}']")
        page.wait(lambda: not page.all(".sheet"), "having joined")
        page.tap("main .go")
        page.one(".step-aim")
