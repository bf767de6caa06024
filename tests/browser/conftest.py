"""Browsers, and a whole table for them. Only the camera and the reader are fakes."""

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
from tests.browser.lobby_page import Club, LobbyPage
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
"""Seconds after which a test gives up; two busy cores may be slow."""


SHOWS = """
    const [version, phase, patience, done] = arguments;
    const until = performance.now() + patience;
    const timer = setInterval(() => look(), 500); // a browser that draws no frame still tells what it shows
    let over = false;
    const look = (drawn = false) => {
      if (over) return;
      const main = document.querySelector('main');
      const there = main && main.dataset.version === version && (!phase || main.classList[0] === phase);
      const shown = there && !document.querySelector('main > .connecting');
      over = shown || performance.now() > until;
      if (!over) return drawn && requestAnimationFrame(() => look(true));
      clearInterval(timer);
      done(shown);
    };
    look(true);"""
"""Checks at every frame whether a state is drawn; polling from Python would take many times as long."""
ABLE = """
    const able = [...document.querySelectorAll(arguments[0])].find((element) => !element.matches(":disabled"));
    if (!able) return null;
    for (let each = able; each; each = each.parentNode) each._since = 0; // as if it had been looked at first
    able.scrollIntoView({block: 'center', behavior: 'instant'});
    return able;"""
"""The first matching element that can be tapped, scrolled into view. It is not too new for a tap (`core/dom.js`)."""
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
"""Done once several frames in a row are the same, so that taps and fetched sheets are drawn."""
CODE = "1234"
"""The code of every table in these tests."""
TABLET = "the table's tablet"
WATCHING = "watching"


class Page:
    """A browser at the table, driven as its user would."""

    def __init__(self, driver: webdriver.Chrome, url: str, seat: str | None = None, code: str = CODE) -> None:
        """A phone that has not joined, or with `seat` (a player, `TABLET` or `WATCHING`) one that has."""
        self.driver = driver
        self.url = url
        driver.get(f"{url}#join={code}" if seat else url)
        self.wait(lambda: self.all("main:not(.nothing)"), "the first state")
        if seat:
            self.sit(seat)

    def sit(self, seat: str) -> None:
        """Choose whose phone this is."""
        self.wait(lambda: self.all(".seatchip:not(.join)"), "having joined")
        if not self.all(".who-are-you"):
            self.tap(".seatchip")
        chosen = {TABLET: "[data-role='table']", WATCHING: "[data-role='watching']"}.get(seat, f"[data-seat='{seat}']")
        self.tap(f".who-are-you {chosen}")
        self.wait(lambda: not self.all(".sheet"), f"being {seat}")

    def wait(self, so: Callable[[], Any], what: str = "", within: float = PATIENCE) -> Any:
        """The result of `so`, as soon as it is true."""
        until = time.monotonic() + within
        while True:
            # An element that was redrawn since it was found is looked for again.
            with contextlib.suppress(StaleElementReferenceException):
                if result := so():
                    return result
            assert time.monotonic() < until, f"waited for {what or so}; the page says: {self.text}"
            time.sleep(0.03)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        """Wait for the first matching element."""
        element: WebElement = self.wait(lambda: self.all(selector), selector)[0]
        return element

    def tap(self, selector: str) -> None:
        """Tap the first matching element that can be tapped."""

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
        """What does not fit a phone and a thumb; with `sheets` also sheets whose content is too wide."""
        return fits.misfits(self.driver, sheets=sheets)

    def wear(self, theme: str) -> None:
        """Switch to the theme "dark" or "light"."""
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
        """Wait until the page shows `phase` and has fetched its files."""
        self.wait(lambda: self.phase == phase and not self.all("main > .connecting"), f"phase {phase}")

    def shows(self, version: int, phase: str = "") -> None:
        """Wait until this version of the state is drawn and its files are fetched."""
        drawn = self.driver.execute_async_script(SHOWS, str(version), phase, PATIENCE * 1000)
        assert drawn, f"waited for version {version} in {phase or 'any phase'}; the page says: {self.text}"

    def still(self) -> None:
        """Wait until nothing changes on the screen."""
        assert self.driver.execute_async_script(STILL, PATIENCE * 1000), f"the page goes on changing: {self.text}"

    def too_wide(self) -> int:
        """The pixels by which the page is wider than the screen."""
        return fits.too_wide(self.driver)

    def elsewhere(self) -> list[str]:
        """Addresses of other hosts that the page has requested."""
        addresses = self.driver.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
        return [name for name in addresses if not name.startswith(self.url)]

    def complaints(self) -> list[str]:
        """Errors on the browser's console."""
        return chromium.complaints(self.driver)

    def refused(self, *statuses: int) -> None:
        """Check that the browser has complained of answers with these statuses, and of nothing else."""
        complaints = self.complaints()
        assert [line for line in complaints if not any(f"status of {status}" in line for status in statuses)] == []


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
    """Opens browsers, and returns them to the pool in the end."""
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
    """Opens browsers that all tests of a file share; `forget` resets them."""
    with browsers(pool) as start:
        yield start


@pytest.fixture(scope="session")
def forget(pool: Pool) -> Callable[[webdriver.Chrome], None]:
    """Resets a browser: no page, no cookie, no line on its console."""
    return pool.wipe


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Flask], Server]]:
    """Makes servers, one after the other, at one address: browsers keep the files of the page between tests."""
    with socket.socket() as reserved:  # so that no other program takes the port between two tests
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
        yield lambda app: make_server(app, "127.0.0.1", port)


class Desk:
    """A table with three players, and the address of its page."""

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
        """One more phone: a player, `TABLET`, `WATCHING`, or None for one that has not joined.

        `worker`: whether the page may register a service worker.
        """
        return Page(self._open_browser(size, font, worker=worker), self.url, seat)

    def pull_the_plug(self) -> None:
        """Stop the box from answering."""
        self._server.stop()

    def plug_in(self) -> None:
        """Let the box answer again, at the same address."""
        self._server = self._serve().start()

    def lay(self, **faces: Sequence[int]) -> None:
        """Put dice on the table: `lay(red=[4, 4, 1])`. A face below 0 is read as uncertain."""
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
    """The tablet of the desk, which speaks for everybody. After every test: no other host was requested, and there was
    no error on the console.
    """
    page = desk.phone(TABLET)
    yield page
    assert page.complaints() == []
    assert page.elsewhere() == []


@pytest.fixture(scope="session")
def page_type() -> type[Page]:
    """`Page`, for tests that open their own."""
    return Page


@pytest.fixture
def club(tmp_path: Path, serve: Callable[[Flask], Server]) -> Iterator[Club]:
    """A club's hub, its lobby and its tables."""
    made = Club(tmp_path, serve)
    yield made
    made.close()


@pytest.fixture
def lobby_pages(
    club: Club, open_browser: Callable[..., Any], page_type: type[Page]
) -> Iterator[Callable[[], LobbyPage]]:
    """Opens browsers in the lobby, each with its own cookies. After every test as for `page`."""
    opened: list[LobbyPage] = []

    def start() -> LobbyPage:
        opened.append(LobbyPage(open_browser(), club.url, page_type))
        return opened[-1]

    yield start
    for page in opened:
        assert page.complaints() == []
        script = "return performance.getEntriesByType('resource').map((each) => each.name)"
        assert [name for name in page.driver.execute_script(script) if not name.startswith(club.url)] == []
        page.driver.get(page.url)
        page.driver.execute_script("localStorage.clear()")
