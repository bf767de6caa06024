"""The page of a table that shows recorded states: no game, no box."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
from flask import Flask
from selenium import webdriver

from companion.table.state.state import State
from tests.browser import chromium
from tests.browser.every_language import prepare
from tests.browser.looks import SHEETS, table_picture
from tests.browser.page import CODE, Page, become
from tests.fakes.parts import box_parts
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakePanel, FakeTable
from web.access.access import Access
from web.access.phones import Phone
from web.app import create_app
from web.stream.server import Server

CLOSE = "document.querySelectorAll('.sheet .close, .shelf .close').forEach((each) => each.click())"


class Site:
    """A table that shows states, and browsers that show its page.

    `folder` gets the judged picture: a drawing of the table in the states.
    """

    def __init__(
        self, folder: Path, serve: Callable[[Flask], Server], open_browser: Callable[..., webdriver.Chrome]
    ) -> None:
        self.table = FakeTable(STATES["bidding"], folder)
        self.camera = FakeCamera()
        self.camera.image = table_picture()
        cv2.imwrite(str(folder / "3.jpg"), self.camera.image)
        self.pages: list[Page] = []
        """Every phone so far."""
        self._phones: dict[Page, Phone | None] = {}
        self._serve, self._open_browser = serve, open_browser
        self.plug_in()

    def plug_in(self) -> None:
        """Answer, at the same address as before. Nobody has joined."""
        self.access = Access(code=CODE, rng=random.Random(1))
        app = create_app(
            box_parts(
                self.table,
                access=self.access,
                addresses=lambda: ("http://192.168.178.123:8080/", "http://box.local:8080/"),
                panel=FakePanel(),
                camera=self.camera,
            )
        )
        self._server = self._serve(app).start()
        self.url = self._server.url

    def pull_the_plug(self) -> None:
        """Stop answering."""
        self._server.stop()

    def restart(self) -> None:
        """Forget who has joined."""
        self.pull_the_plug()
        self.plug_in()

    def show(self, page: Page, state: str) -> None:
        """Show a state, and wait until the page has drawn it: of a game that is won the winner."""
        self.table.show(STATES[state])
        page.shows(self.table.state().version)
        if self.table.state().winner and page.all(".whowon"):
            page.tap_each(".whowon")

    def sheets(self, page: Page, state: str) -> Iterator[str]:
        """Open every sheet over a state that is shown, one after the other; yields its name."""
        for sheet, (shown_in, *selectors) in SHEETS.items():
            if shown_in == state and not (sheet == "picture" and page.all(".proof")):  # a wide page shows it already
                page.tap_each(*selectors)
                yield sheet
                self.close(page, STATES[state])

    def close(self, page: Page, state: State) -> None:
        """Close every sheet of a phone, and show a state."""
        page.driver.execute_script(CLOSE)
        self.table.show(state)
        page.shows(self.table.state().version)
        page.wait(lambda: not page.all(".sheet, .shelf"), "the sheets to close")

    def phone(
        self,
        seat: str,
        size: tuple[int, int] = chromium.PHONE,
        font: int = chromium.FONT,
        company: Sequence[str] = (),
    ) -> Page:
        """One more phone, see `become`; then those of `company`, which nobody looks at."""
        driver = self._open_browser(size, font)
        prepare(driver)
        phone = become(driver, self.url, self.access, seat)
        for player in company:
            if player != seat:
                self.access.phones.sit(self.access.phones.join(), "player", player)
        self.pages.append(Page(driver, self.url))
        self._phones[self.pages[-1]] = phone
        return self.pages[-1]

    def sit(self, page: Page, player: str) -> None:
        """Give a phone the seat of a player at the table, and wait until its page has drawn that."""
        phone = self._phones[page]
        assert phone is not None
        self.access.phones.sit(phone, "player", player)
        page.wait(lambda: page.texts(".seatchip") == [player], f"the seat of {player}")
        page.still()
