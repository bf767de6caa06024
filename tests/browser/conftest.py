"""Browsers, and a whole table for them: everything is real but what the camera sees and how it is read."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from companion.camera.reveal import RevealWorker
from companion.panel.link import PanelLink
from companion.table import CameraStatus, Journal, Table
from companion.table.game.new_game import GameDefaults
from hardware.virtual.virtual_panel import VirtualPanel
from tests.browser import chromium, fits
from tests.browser.axe import axe
from tests.browser.pool import Pool
from tests.fakes.camera import ScriptedCamera
from tests.fakes.new_game import new_game
from tests.fakes.reader import FakeReader, FakeStillness
from vision.reading import Die
from web import create_app
from web.access.access import Access
from web.stream.server import Server, make_server

__all__ = ["axe"]

PATIENCE = 15.0
"""Seconds after which a test gives up. Two cores may have more to do than this."""


SHOWS = """
    const [version, phase, patience, done] = arguments;
    const until = performance.now() + patience;
    const look = (now) => {
      const main = document.querySelector('main');
      const there = main && main.dataset.version === version && (!phase || main.classList[0] === phase);
      if (there && !document.querySelector('main > .connecting')) done(true);
      else if (now > until) done(false);
      else requestAnimationFrame(look);
    };
    look(performance.now());"""
"""Looks at every frame whether a state is drawn: asked from here it would take many times as long."""
ABLE = """
    const able = [...document.querySelectorAll(arguments[0])].find((element) => !element.matches(':disabled'));
    if (able) able.scrollIntoView({block: 'center', behavior: 'instant'});
    return able;"""
"""The first element there that can be tapped, brought into view."""
STILL = """
    const [patience, done] = arguments;
    const until = performance.now() + patience;
    const coming = () => document.querySelector('.sheet .connecting')
      || (document.querySelector('.sheet') && !document.querySelector('#app > main[inert]'));
    let before = '', frames = 0;
    const look = (now) => {
      const html = document.body.innerHTML;
      frames = html === before && !coming() ? frames + 1 : 0;
      before = html;
      if (frames === 5) done(true);
      else if (now > until) done(false);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);"""
"""Done once several frames in a row are the same: what was tapped is drawn, and what a sheet fetches has come."""
CODE = "1234"
"""The code of every table here."""
TABLET = "the table's tablet"
WATCHING = "watching"


class Page:
    """A browser at the table, spoken to in the words of the page."""

    def __init__(self, driver: webdriver.Chrome, url: str, seat: str | None = None, code: str = CODE) -> None:
        """A phone that only looks; with `seat` (a player, `TABLET` or `WATCHING`) one that has joined by the code."""
        self.driver = driver
        self.url = url
        driver.get(f"{url}#join={code}" if seat else url)
        self.wait(lambda: self.all("main:not(.nothing)"), "the first state")
        if seat:
            self.sit(seat)

    def sit(self, seat: str) -> None:
        """Say whose phone this is."""
        self.wait(lambda: self.all(".seatchip:not(.join)"), "having joined")
        if not self.all(".who-are-you"):
            self.tap(".seatchip")
        chosen = {TABLET: "[data-role='table']", WATCHING: "[data-role='watching']"}.get(seat, f"[data-seat='{seat}']")
        self.tap(f".who-are-you {chosen}")
        self.wait(lambda: not self.all(".sheet"), f"being {seat}")

    def wait(self, so: Callable[[], Any], what: str = "", within: float = PATIENCE) -> Any:
        """What `so` gives, as soon as it is something."""
        until = time.monotonic() + within
        while True:
            # An element that the page has drawn anew since it was found is looked for again, as an eye would.
            with contextlib.suppress(StaleElementReferenceException):
                if found := so():
                    return found
            assert time.monotonic() < until, f"waited for {what or so}; the page says: {self.text}"
            time.sleep(0.03)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        """The first element there, waited for."""
        element: WebElement = self.wait(lambda: self.all(selector), selector)[0]
        return element

    def tap(self, selector: str) -> None:
        """Tap, as a finger would, what can be tapped."""

        def tapped() -> bool:
            able = self.driver.execute_script(ABLE, selector)
            if able:
                able.click()
            return bool(able)

        self.wait(tapped, selector)

    def hold(self, selector: str, seconds: float = 0.75) -> None:
        """Hold a button down, as a thumb would."""
        button = self.one(f"{selector}:not([aria-disabled])")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
        ActionChains(self.driver).click_and_hold(button).pause(seconds).release().perform()

    def misfits(self, *, sheets: bool = False) -> list[str]:
        """What does not fit a phone and a thumb; with `sheets` those that are too wide for themselves as well."""
        return fits.misfits(self.driver, sheets=sheets)

    def wear(self, theme: str) -> None:
        """Be "dark" or "light"."""
        features = [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    @property
    def text(self) -> str:
        return str(self.driver.execute_script("return document.querySelector('#app, #board').innerText"))

    @property
    def phase(self) -> str:
        return str(self.driver.execute_script("return document.querySelector('main').className.split(' ')[0]"))

    @property
    def version(self) -> int:
        """The version of the state that is drawn."""
        return int(self.driver.execute_script("return document.querySelector('main').dataset.version || 0"))

    def in_phase(self, phase: str) -> None:
        """Wait until the page shows `phase`, and what belongs to it has been fetched."""
        self.wait(lambda: self.phase == phase and not self.all("main > .connecting"), f"phase {phase}")

    def shows(self, version: int, phase: str = "") -> None:
        """Wait until this version of the state is drawn, and what belongs to it has been fetched."""
        drawn = self.driver.execute_async_script(SHOWS, str(version), phase, PATIENCE * 1000)
        assert drawn, f"waited for version {version} in {phase or 'any phase'}; the page says: {self.text}"

    def still(self) -> None:
        """Wait until nothing is drawn any more."""
        assert self.driver.execute_async_script(STILL, PATIENCE * 1000), f"the page goes on changing: {self.text}"

    def too_wide(self) -> int:
        """By how many pixels the page is wider than the screen."""
        return fits.too_wide(self.driver)

    def elsewhere(self) -> list[str]:
        """Addresses of other hosts that the page has asked."""
        asked = self.driver.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
        return [name for name in asked if not name.startswith(self.url)]

    def complaints(self) -> list[str]:
        """Errors on the browser's console."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def refused(self, *statuses: int) -> None:
        """The browser's own complaints so far are of answers with these statuses, and of nothing else."""
        said = self.complaints()
        assert [line for line in said if not any(f"status of {status}" in line for status in statuses)] == []


@pytest.fixture(scope="session")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    """The browsers of all tests."""
    if missing := chromium.missing():
        sentence = f"no Chromium here: {missing} (Debian: apt install chromium chromium-driver)"
        if os.environ.get("PERUDO_REQUIRE_BROWSER") == "1":
            pytest.fail(sentence)
        pytest.skip(sentence)
    pool = Pool(tmp_path_factory.mktemp("browsers"))
    yield pool
    pool.close()


@contextlib.contextmanager
def browsers(pool: Pool) -> Iterator[Callable[..., webdriver.Chrome]]:
    """Opens browsers, and gives them back in the end."""
    with contextlib.ExitStack() as stack:

        def start(
            size: tuple[int, int] = chromium.PHONE, font: int = chromium.FONT, *, worker: bool = False
        ) -> webdriver.Chrome:
            driver = pool.take(size, font, worker=worker)
            stack.callback(pool.give_back, driver)
            return driver

        yield start


@pytest.fixture
def open_browser(pool: Pool) -> Iterator[Callable[..., webdriver.Chrome]]:
    """Opens browsers for one test."""
    with browsers(pool) as start:
        yield start


@pytest.fixture(scope="module")
def keep_browser(pool: Pool) -> Iterator[Callable[..., webdriver.Chrome]]:
    """Opens browsers that all tests of a file share: they forget what was before by `forget`."""
    with browsers(pool) as start:
        yield start


@pytest.fixture(scope="session")
def forget(pool: Pool) -> Callable[[webdriver.Chrome], None]:
    """Makes a kept browser as good as new: no page, no cookie, no line on its console."""
    return pool.wipe


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Flask], Server]]:
    """Makes servers, one after the other, at the same address: a browser that has fetched and compiled the files of
    the page for one test has them for the next.
    """
    with socket.socket() as held:  # so that nobody else takes the port between two tests
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        yield lambda app: make_server(app, "127.0.0.1", port)


class Desk:
    """A table that three people play at, and the address of its page."""

    def __init__(
        self,
        table: Table,
        reader: FakeReader,
        settle: FakeStillness,
        serve: Callable[[], Server],
        open_browser: Callable[..., webdriver.Chrome],
    ) -> None:
        self.table = table
        self.reader = reader
        self.settle = settle
        self._open_browser = open_browser
        self._serve = serve
        self._server = serve().start()
        self.url = self._server.url

    def phone(
        self,
        seat: str | None,
        size: tuple[int, int] = chromium.PHONE,
        font: int = chromium.FONT,
        *,
        worker: bool = False,
    ) -> Page:
        """One more phone: of a player, `TABLET`, `WATCHING`, or None for one that has not joined.

        `worker`: whether its browser lets the page register a service worker.
        """
        return Page(self._open_browser(size, font, worker=worker), self.url, seat)

    def pull_the_plug(self) -> None:
        """The box answers no more."""
        self._server.stop()

    def plug_in(self) -> None:
        """The box answers again, at the same address."""
        self._server = self._serve().start()

    def lay(self, **faces: Sequence[int]) -> None:
        """Put dice on the table: `lay(red=[4, 4, 1])`. A face below 0 is one that cannot be read surely."""
        dice = []
        for row, (colour, shown) in enumerate(faces.items()):
            for column, face in enumerate(shown):
                sure = face > 0
                dice.append(
                    Die(
                        face=abs(face),
                        colour=colour,
                        box=(100 + 110 * column, 100 + 150 * row, 60, 60),
                        confidence=0.97 if sure else 0.3,
                        likeliest=((abs(face), 0.97),) if sure else ((abs(face), 0.4), (abs(face) % 6 + 1, 0.35)),
                    )
                )
        self.reader.dice = tuple(dice)


@pytest.fixture
def desk(
    tmp_path: Path, serve: Callable[[Flask], Server], open_browser: Callable[..., webdriver.Chrome]
) -> Iterator[Desk]:
    image = np.full((720, 960, 3), (52, 84, 40), np.uint8)
    camera = ScriptedCamera([image], time.monotonic, name="scripted camera")
    reader, settle = FakeReader(), FakeStillness()
    with contextlib.ExitStack() as stack:
        defaults = GameDefaults(draw=random.Random(1).choice)
        table = stack.enter_context(Table(Journal(tmp_path / "state"), defaults=defaults, demo=True))
        table.set_camera(CameraStatus(ok=True, name=camera.name))
        panel = VirtualPanel()
        stack.callback(panel.close)
        stack.callback(PanelLink(table, panel).close)
        reveal = RevealWorker(table, camera, reader, settle, patience=0.0, give_up=120.0)
        reveal.start()
        stack.callback(reveal.stop)
        table.do(new_game([("Ana", "red"), ("Ben", "blue"), ("Cid", "green")], starter="Ana"))
        desk = Desk(
            table,
            reader,
            settle,
            lambda: serve(
                create_app(
                    table,
                    access=Access(tmp_path / "state", CODE),
                    panel=panel,
                    camera=camera,
                    pictures=table.pictures,
                )
            ),
            open_browser,
        )
        stack.callback(desk.pull_the_plug)
        yield desk


@pytest.fixture
def page(desk: Desk) -> Iterator[Page]:
    """The tablet of the desk: it speaks for everybody. Whatever a test does, no other host is asked and nothing goes
    wrong in silence.
    """
    page = desk.phone(TABLET)
    yield page
    assert page.complaints() == []
    assert page.elsewhere() == []


@pytest.fixture(scope="session")
def page_type() -> type[Page]:
    """`Page`, for tests that open their own."""
    return Page
