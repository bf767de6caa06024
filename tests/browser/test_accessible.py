"""Every state and sheet of the page and the score board is accessible: WCAG 2.0 to 2.2 at the levels A and AA by
axe-core, what is read aloud, motion, and letters of twice the size."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cv2
import pytest
from flask import Flask
from msgspec.structs import replace
from selenium import webdriver

from companion.table.game import sentences
from companion.table.game.series import Series
from companion.table.state.state import CameraStatus, Waiting
from hardware.camera.camera_choice import PHONE_TAKES
from tests.browser import pictures
from tests.browser.chromium import PHONE, resize
from tests.browser.page import Page
from tests.fakes.past_games import past_games
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakePanel, FakeTable
from web import create_app
from web.access.access import Access, cookie
from web.stream.server import Server

pytestmark = pytest.mark.browser

TELEVISION = (1280, 720)
THEMES = ("dark", "light")
OF_A_THEME = ("color-contrast", "link-in-text-block")
"""The rules that depend on the theme; the others are checked once."""

TAP = f"const element = arguments[1]; element.dispatchEvent({pictures.ENTER})"
"""Taps or clicks an element, as `pictures.py` does."""

LOST = """
    const lost = [], NOT = 'svg, .hidden, [inert], option, .toasts';
    const name = (e) => `${e.className.baseVal ?? e.className}: ${e.textContent.trim().slice(0, 30)}`;
    for (const e of document.querySelectorAll('#app *')) {
      if (!e.textContent.trim() || !e.getClientRects().length || e.closest(NOT)) continue;
      const { overflowX, overflowY } = getComputedStyle(e);
      const shut = (value) => value === 'hidden' || value === 'clip';
      if (shut(overflowX) && e.scrollWidth > e.clientWidth + 1) lost.push(`cut ${name(e)}`);
      if (shut(overflowY) && e.scrollHeight > e.clientHeight + 1) lost.push(`cut below ${name(e)}`);
    }
    for (const e of document.querySelectorAll('button')) {
      if (e.scrollWidth > 1.2 * e.clientWidth + 1 && !e.closest(NOT)) lost.push(`spills ${name(e)}`);
    }
    for (const e of document.querySelectorAll('button, input, select, h1, h2, p, li, .name')) {
      if (!e.getClientRects().length || e.closest(NOT) || (e.matches('p, li') && !e.textContent.trim())) continue;
      e.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = e.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!hit || !(e.contains(hit) || hit.contains(e))) lost.push(`covered ${name(e)}`);
    }
    scrollTo(0, 0);
    return [...new Set(lost)];"""
"""Elements that are cut off by their box, overflow it, or are always covered by others."""

MOVING = """
    return document.getAnimations().filter(a => a.playState === 'running').map(a => a.animationName || 'transition')"""


class Show:
    """A table that shows states, and the browsers that show its page."""

    def __init__(
        self,
        folder: Path,
        serve: Callable[[Flask], Server],
        forget: Callable[[webdriver.Chrome], None],
    ) -> None:
        self.table = FakeTable(STATES["bidding"])
        self._serve = serve
        self._forget = forget
        self._folder = folder
        self._camera = FakeCamera()
        self._camera.image = pictures.table_picture()
        cv2.imwrite(str(folder / "3.jpg"), self._camera.image)

    @contextlib.contextmanager
    def served(self) -> Iterator[tuple[str, Access]]:
        """The address of its page, and its access control."""
        access = Access(code="1234", rng=random.Random(1))
        app = create_app(self.table, access=access, panel=FakePanel(), camera=self._camera, pictures=self._folder)
        with self._serve(app) as server:
            yield server.url, access

    @contextlib.contextmanager
    def seen_by(self, driver: webdriver.Chrome, seat: str) -> Iterator[Any]:
        """A page on the phone of `seat`, as named in `pictures.py`. Ana and Ben have phones too."""
        with self.served() as (url, access):
            page = Page(driver, url)
            if seat != pictures.NOBODY:
                phone = access.phones.join()
                if seat != pictures.NO_SEAT:
                    access.phones.sit(phone, *pictures.role_of(seat))
                driver.add_cookie({"name": cookie(str(urlsplit(url).port)), "value": access.token(phone)})
            for other in {"Ana", "Ben"} - {seat}:
                access.phones.sit(access.phones.join(), "player", other)
            driver.get(url)
            page.wait(lambda: page.all("main:not(.nothing)") and page.all(".seatchip"), "the first state")
            yield page
            assert page.elsewhere() == []
            self._forget(driver)

    def show(self, page: Any, state: str) -> None:
        """Show a state, and wait until it is drawn."""
        self.table.show(STATES[state])
        page.shows(self.table.state().version)


@pytest.fixture(scope="module")
def show(
    tmp_path_factory: pytest.TempPathFactory,
    serve: Callable[[Flask], Server],
    forget: Callable[[webdriver.Chrome], None],
) -> Show:
    return Show(tmp_path_factory.mktemp("pictures"), serve, forget)


@pytest.fixture(scope="module")
def driver(keep_browser: Callable[..., webdriver.Chrome]) -> webdriver.Chrome:
    """The browser of all these tests."""
    return keep_browser()


def tap(page: Any, *selectors: str) -> None:
    """Tap these in order; "hold ..." presses without letting go."""
    for selector in selectors:
        where = selector.removeprefix("hold ")
        event = f"arguments[1].dispatchEvent({pictures.DOWN})" if selector.startswith("hold ") else TAP
        page.driver.execute_script(event, where, page.one(where))


def sheets(page: Any, show: Show, state: str) -> Iterator[str]:
    """Open every sheet of a state, one after the other."""
    for sheet, (shown_in, *selectors) in pictures.SHEETS.items():
        if shown_in == state:
            tap(page, *selectors)
            page.still()
            yield f"{state}, {sheet}"
            page.driver.execute_script(
                "document.querySelectorAll('.sheet .close, .shelf .close').forEach(e => e.click())"
            )
            show.show(page, state)
            page.wait(lambda: not page.all(".sheet, .shelf"), f"{sheet} to close")


def barriers(page: Any, axe: Callable[..., list[str]], where: str) -> list[str]:
    """The barriers in both themes."""
    lines = []
    for theme in THEMES:
        page.wear(theme)
        lines += [f"{where}, {theme}: {line}" for line in axe(page, () if theme == "dark" else OF_A_THEME)]
    return lines


def test_no_state_of_the_page_has_a_barrier_or_moves_with_reduced_motion(
    show: Show, driver: webdriver.Chrome, axe: Callable[..., list[str]]
) -> None:
    lines = []

    def look(where: str) -> None:
        lines.extend(f"{where} moves: {name}" for name in driver.execute_script(MOVING))
        lines.extend(barriers(page, axe, where))
        page.wear("dark")

    with show.seen_by(driver, "Ben") as page:
        page.wear("dark")
        for state in STATES:
            show.show(page, state)
            look(state)
            for where in sheets(page, show, state):
                look(where)
        assert page.complaints() == []
    assert lines == []


@pytest.mark.parametrize("look", [look for look in pictures.LOOKS if look not in pictures.SHEETS])
def test_no_look_of_a_phone_has_a_barrier(
    show: Show, driver: webdriver.Chrome, axe: Callable[..., list[str]], look: str, request: pytest.FixtureRequest
) -> None:
    state, seat, *selectors = pictures.LOOKS[look]
    if look == "turned":
        resize(driver, (820, 1180))  # phones have no such button
        request.addfinalizer(lambda: resize(driver, PHONE))
    show.table.show(STATES[state])
    with show.seen_by(driver, seat) as page:
        tap(page, *selectors)
        page.still()
        assert barriers(page, axe, look) == []


BY_PHONE = CameraStatus(ok=True, name="phone", phone=True)
SERIES = Series(3, {player.name: 1 for player in STATES["bidding"].players})
OPENED = {
    "past games": (STATES["bidding"], ".icon.menu", ".menu [data-item='past']"),
    "a past game": (STATES["bidding"], ".icon.menu", ".menu [data-item='past']", "[data-game='1']"),
    "statistics": (STATES["bidding"], ".icon.menu", ".menu [data-item='past']", "[data-page='statistics']"),
    "a player": (STATES["bidding"], "button[data-about='Ana']"),
    "a player away": (STATES["bidding-away"], "button[data-about='Dorothea-Valentina']"),
    "a newcomer": (STATES["bidding-away"], ".icon.menu", ".menu [data-item='join']"),
    "a picture before": (replace(STATES["bidding"], camera=BY_PHONE),),
    "a picture": (replace(STATES["reading"], camera=BY_PHONE, waiting=Waiting(code="camera", sentence=PHONE_TAKES)),),
    "a bad picture": (
        replace(STATES["reading"], camera=BY_PHONE, waiting=Waiting(code="photo", sentence=sentences.PHOTO_DARK)),
    ),
    "a picture with questions": (replace(STATES["checking"], camera=BY_PHONE),),
    "a series": (replace(STATES["bidding"], series=SERIES, turn_seconds=30),),
    "a series won": (replace(STATES["over"], series=Series(3, SERIES.wins | {"Ana": 3})),),
    "the next of a series": (replace(STATES["bidding"], series=SERIES), ".icon.menu", ".menu [data-item='game']"),
}
"""What is loaded when it is opened: the state, and the taps that open it."""


@pytest.mark.parametrize("what", OPENED)
def test_what_is_loaded_late_has_no_barrier(
    show: Show, driver: webdriver.Chrome, axe: Callable[..., list[str]], what: str
) -> None:
    state, *selectors = OPENED[what]
    show.table.past = past_games(3, ("Ana", "Ben", "Dorothea-Valentina"))
    show.table.show(state)
    with show.seen_by(driver, "Ben") as page:
        tap(page, *selectors)
        page.still()
        assert [*barriers(page, axe, what), *page.misfits(sheets=True)] == []


def test_no_state_of_the_score_board_has_a_barrier(
    show: Show, keep_browser: Callable[..., webdriver.Chrome], axe: Callable[..., list[str]]
) -> None:
    driver, lines = keep_browser(TELEVISION), []
    with show.served() as (url, _):
        page = Page(driver, url)
        driver.get(f"{url}board#join=1234")
        page.wait(lambda: page.all("main:not(.nothing)"), "the board")
        for state in STATES:
            show.show(page, state)
            lines += barriers(page, axe, state)
            assert page.driver.execute_script(MOVING) == [], f"{state} moves for who wants no motion"
        assert page.complaints() == []
        driver.get("about:blank")
    assert lines == []


LISTEN = """
    const live = document.querySelector("[aria-live='polite'][role='status']");
    window.heard = [];
    const watched = { childList: true, characterData: true, subtree: true };
    new MutationObserver(() => window.heard.push(live.textContent)).observe(live, watched);"""


@pytest.mark.parametrize("where", ["", "board"])
def test_a_verdict_is_read_aloud_once_and_again_when_it_changes(
    show: Show, driver: webdriver.Chrome, where: str
) -> None:
    show.table.show(STATES["reading"])
    with show.seen_by(driver, "Ben") as page:
        driver.get(f"{page.url}{where}")
        page.wait(lambda: page.all("main.reading"), "the first state")
        driver.execute_script(LISTEN)
        for state in ("verdict-wrong", "verdict-right"):
            show.show(page, state)
            trouble = CameraStatus(ok=False, name="camera", sentence="The camera is gone.")
            show.table.show(replace(STATES[state], camera=trouble))
            page.wait(lambda: page.version == show.table.state().version)
        sentences = [STATES[state].verdict.sentence for state in ("verdict-wrong", "verdict-right")]
        assert driver.execute_script("return window.heard") == sentences


def test_letters_of_twice_the_size_lose_nothing(show: Show, keep_browser: Callable[..., webdriver.Chrome]) -> None:
    lost = {}
    with show.seen_by(keep_browser(font=32), "Ben") as page:
        size = "return parseFloat(getComputedStyle(document.querySelector('main')).fontSize)"
        assert page.driver.execute_script(size) == 34
        for state in STATES:
            show.show(page, state)
            lost[state] = [*page.misfits(), *page.driver.execute_script(LOST)]
            for where in sheets(page, show, state):
                lost[where] = [*page.misfits(), *page.driver.execute_script(LOST)]
    assert {where: lines for where, lines in lost.items() if lines} == {}
