"""The page of the box in every language: nothing too wide, too small, or hard to read; and what the host does there."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium import webdriver
from selenium.webdriver.common.by import By

from companion.box.recent_log import RecentLog
from tests.browser import catalogs, chromium, fits
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web import create_app
from web.access.access import Access
from web.stream.server import Server

pytestmark = pytest.mark.browser

SIZES = ((360, 640), (820, 1180))
SHEETS = ("log",)
"""The class of the button that opens each sheet."""


class BoxPage:
    """A phone that looks at the page of the box."""

    def __init__(self, driver: webdriver.Chrome, url: str) -> None:
        self.driver = driver
        self.url = url

    def open(self, language: str = "en", *, joins: bool = False) -> None:
        self.driver.get(f"{self.url}box")
        self.driver.execute_script("localStorage.setItem('perudo-language', arguments[0])", language)
        self.driver.get("about:blank")
        self.driver.get(f"{self.url}box{'#join=1234' if joins else ''}")
        self.wait(lambda: self.all("main .facts") and not self.all(".connecting"), "the page")

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    @property
    def text(self) -> str:
        return str(self.driver.execute_script("return document.querySelector('#app').innerText"))

    def wait(self, so: Callable[[], Any], what: str) -> None:
        until = time.monotonic() + 20
        while not so():
            assert time.monotonic() < until, f"waited for {what}; the page says: {self.text}"
            time.sleep(0.05)

    def tap(self, selector: str) -> None:
        self.wait(lambda: self.all(selector), selector)
        self.driver.execute_script("arguments[0].click()", self.all(selector)[0])

    def open_sheet(self, name: str) -> None:
        """Open the sheet by its button, and wait until all of it is there."""
        self.tap(f"button.{name}")
        self.wait(lambda: self.all(".sheet > :nth-child(2)") and not self.all(".sheet .connecting"), name)
        time.sleep(0.3)  # it rises


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(STATES["seating"])


@pytest.fixture
def recent() -> RecentLog:
    """The log of a box whose camera was unplugged for a moment."""
    recent = RecentLog()
    for level, name, text in (
        (logging.INFO, "hardware.camera.camera_choice", "no camera at pi: picamera2 is not installed"),
        (logging.WARNING, "companion.camera.supervised_camera", "camera: No answer. Trying again in 0.5 s."),
        (logging.INFO, "companion.table.table", "the panel was refused: It is Ana's turn."),
    ):
        for _ in range(12):
            recent.handle(logging.LogRecord(name, level, "", 0, text, None, None))
    return recent


@pytest.fixture
def box(
    table: FakeTable, recent: RecentLog, serve: Callable[[Flask], Server], open_browser: Callable[..., webdriver.Chrome]
) -> Iterator[BoxPage]:
    with serve(create_app(table, access=Access(code="1234"), recent_log=recent)) as server:
        page = BoxPage(open_browser(), server.url)
        yield page
        assert chromium.complaints(page.driver) == []
        page.driver.execute_script("localStorage.clear()")


def picture(box: BoxPage, name: str) -> None:
    """A picture of what is shown, for a person to look at."""
    if folder := os.environ.get("PERUDO_PICTURES"):
        box.driver.save_screenshot(str(Path(folder) / f"{name}.png"))


def test_the_page_of_the_box_fits_a_phone_in_every_language(box: BoxPage, axe: Callable[..., list[str]]) -> None:
    box.open(joins=True)
    faults: dict[str, list[str]] = {}
    texts = set()
    for number, language in enumerate(catalogs.LANGUAGES * len(SIZES)):
        size = SIZES[number // len(catalogs.LANGUAGES)]
        chromium.resize(box.driver, size)
        theme = "light" if language in ("fr", "it") else "dark"
        features = [{"name": "prefers-color-scheme", "value": theme}]
        box.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        box.open(language)
        texts.add(box.text)
        lines = fits.misfits(box.driver)
        checked = language in ("nl", "it") and size == SIZES[0]
        lines += axe(box.driver) if checked else []
        picture(box, f"box-{language}-{size[0]}")
        for sheet in SHEETS:
            box.open_sheet(sheet)
            lines += [f"{sheet}: {line}" for line in fits.misfits(box.driver, sheets=True)]
            lines += [f"{sheet}: {line}" for line in (axe(box.driver) if checked else [])]
            picture(box, f"box-{sheet}-{language}-{size[0]}")
            box.tap(".sheet > header .icon")
        if lines:
            faults[f"{language} {size}"] = lines
    assert faults == {}
    assert len(texts) == len(catalogs.LANGUAGES)


def test_a_stranger_is_told_to_join_and_the_host_is_not(box: BoxPage) -> None:
    box.open()
    assert "join with the table" in box.text
    box.open(joins=True)
    box.wait(lambda: "join with the table" not in box.text, "being the host")
    assert "Only the host" not in box.text


def test_the_host_reads_the_log_from_its_end_and_a_guest_is_not_offered_it(box: BoxPage) -> None:
    box.open(joins=True)
    box.open_sheet("log")
    said = box.all("pre.log")[0].get_attribute("textContent")
    assert said.count("\n") == 36
    assert said.rstrip().endswith("the panel was refused: It is Ana's turn.")
    top, inside, whole = box.driver.execute_script(
        "const e = document.querySelector('pre.log'); return [e.scrollTop, e.clientHeight, e.scrollHeight];"
    )
    assert whole > inside, "it scrolls"
    assert top + inside >= whole - 2, "the newest line is in sight"
    box.driver.execute_script("localStorage.clear()")
    box.driver.delete_all_cookies()
    box.open()
    assert box.all("button.log") == []


def test_the_log_is_saved_as_a_text_file(box: BoxPage, tmp_path: Path) -> None:
    box.open(joins=True)
    box.open_sheet("log")
    box.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path), "eventsEnabled": False}
    )
    box.tap(".sheet .go")
    box.wait(lambda: list(tmp_path.glob("perudo-*.txt")), "the file")
    (file,) = tmp_path.glob("perudo-*.txt")
    assert file.read_text().count("camera: No answer.") == 12
