"""Browsers, and a whole table for them. Only the camera and the reader are fakes."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from selenium import webdriver

from companion.camera.reveal import RevealWorker
from companion.panel.link import PanelLink
from companion.table import CameraStatus, Journal, Table
from companion.table.game.new_game import GameDefaults
from hardware.camera.protocol import Frame
from hardware.virtual.virtual_panel import VirtualPanel
from tests.browser import chromium
from tests.browser.axe import axe
from tests.browser.lobby_page import Club, LobbyPage
from tests.browser.page import CODE, NOBODY, TABLET, Page, become
from tests.browser.pool import Pool
from tests.browser.site import Site
from tests.fakes.camera import ScriptedCamera
from tests.fakes.new_game import new_game
from tests.fakes.parts import box_parts
from tests.fakes.reader import FakeReader, FakeStillness
from tests.wait import PAUSE
from vision.reading import Die
from web.access.access import Access
from web.app import create_app
from web.stream.server import Server, make_server

__all__ = ["axe"]


@pytest.fixture(scope="session")
def pool() -> Iterator[Pool]:
    """The browsers of all tests."""
    pool = Pool()
    yield pool
    pool.close()


@contextlib.contextmanager
def browsers(pool: Pool) -> Iterator[Callable[..., webdriver.Chrome]]:
    """Opens browsers, and returns them to the pool in the end."""
    with contextlib.ExitStack() as stack:

        def start(*how: Any, **kind: Any) -> webdriver.Chrome:
            driver = pool.take(*how, **kind)
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


class Webcam(ScriptedCamera):
    """Gives an image again and again, and as any camera takes its time: else reading would keep the processor busy."""

    def frame(self, after: float = 0.0) -> Frame:
        """The next image."""
        threading.Event().wait(PAUSE)
        return super().frame(after)


class Desk:
    """A table with three players, and the address of its page."""

    def __init__(
        self,
        table: Table,
        reader: FakeReader,
        settle: FakeStillness,
        serve: Callable[[Access], Server],
        open_browser: Callable[..., webdriver.Chrome],
        folder: Path,
    ) -> None:
        self.table = table
        self.reader = reader
        self.settle = settle
        self._open_browser = open_browser
        self._serve, self._folder = serve, folder
        self.held: float | None = None
        """The time at which the clock stands by which wrong codes and phones are counted; None: it goes."""
        self.plug_in()

    def phone(
        self,
        seat: str = NOBODY,
        size: tuple[int, int] = chromium.PHONE,
        font: int = chromium.FONT,
        *,
        worker: bool = False,
    ) -> Page:
        """One more phone, see `become`. `worker`: whether the page may register a service worker."""
        driver = self._open_browser(size, font, worker=worker)
        become(driver, self.url, self.access, seat)
        return Page(driver, self.url)

    def pull_the_plug(self) -> None:
        """Stop the box from answering."""
        self._server.stop()

    def plug_in(self) -> None:
        """Let the box answer again, at the same address."""
        self.access = Access(self._folder, CODE, clock=lambda: time.monotonic() if self.held is None else self.held)
        self._server = self._serve(self.access).start()
        self.url = self._server.url

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
    camera = Webcam([image], time.monotonic, name="scripted camera")
    reader, settle = FakeReader(), FakeStillness()
    with contextlib.ExitStack() as stack:
        defaults = GameDefaults(draw=random.Random(1).choice)
        table = stack.enter_context(Table(Journal(tmp_path / "state"), defaults=defaults))
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
            lambda access: serve(create_app(box_parts(table, access=access, panel=panel, camera=camera))),
            open_browser,
            tmp_path / "state",
        )
        stack.callback(desk.pull_the_plug)
        yield desk


@pytest.fixture
def site(
    tmp_path: Path, serve: Callable[[Flask], Server], open_browser: Callable[..., webdriver.Chrome]
) -> Iterator[Site]:
    """The page of a table that shows recorded states. After every test: its phones requested no other host."""
    site = Site(tmp_path, serve, open_browser)
    yield site
    assert [address for page in site.pages for address in page.elsewhere()] == []
    site.pull_the_plug()


@pytest.fixture
def page(desk: Desk) -> Iterator[Page]:
    """The tablet of the desk, which speaks for everybody. After every test: no other host was requested, and there was
    no error on the console.
    """
    page = desk.phone(TABLET)
    yield page
    assert page.complaints() == []
    assert page.elsewhere() == []


@pytest.fixture
def club(tmp_path: Path, serve: Callable[[Flask], Server]) -> Iterator[Club]:
    """A club's hub, its lobby and its tables."""
    made = Club(tmp_path, serve)
    yield made
    made.close()


@pytest.fixture
def lobby_pages(club: Club, open_browser: Callable[..., Any]) -> Iterator[Callable[[], LobbyPage]]:
    """Opens browsers in the lobby, each with its own cookies. After every test as for `page`."""
    opened: list[LobbyPage] = []

    def start() -> LobbyPage:
        opened.append(LobbyPage(open_browser(), club.url))
        return opened[-1]

    yield start
    for page in opened:
        assert page.complaints() == []
        assert page.elsewhere() == []
        page.driver.get(page.url)
        page.driver.execute_script("localStorage.clear()")
