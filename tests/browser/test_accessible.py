"""Barriers on different people's phones and in what is loaded late, what is read aloud, letters of twice the size.

`test_looks` looks for barriers in every state and sheet, `test_board` on the board.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from companion.table.game import sentences
from companion.table.game.table_position import Series
from companion.table.state.state import CameraStatus, State, Waiting
from hardware.camera.camera_choice import PHONE_TAKES
from tests.browser.axe import barriers
from tests.browser.chromium import PHONE, resize
from tests.browser.every_language import MARKED, learn, speak
from tests.browser.looks import COMPANY, LOOKS
from tests.browser.page import Page
from tests.browser.site import Site
from tests.browser.test_looks import in_every_language
from tests.fakes.past_games import past_games
from tests.fakes.states import BY_PHONE, STATES

pytestmark = pytest.mark.browser

LOST = """
    const lost = [], NOT = 'svg, .hidden, [inert], option, .toasts, details:not([open]) > :not(summary)';
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


OTHER = STATES["rolling"]
"""Shown between two looks, so that nothing of the first is left."""


def lines(site: Site, page: Page, axe: Callable[..., list[str]], name: str, state: State, *taps: str) -> list[str]:
    """What is wrong with a state of the table after these taps, which are undone."""
    site.table.show(state)
    page.shows(site.table.state().version)
    speak(page.driver, "fr", MARKED)  # what is answered to a tap is said then
    page.tap_each(*taps)
    found = [*in_every_language(page, name), *barriers(page, axe, name)]
    site.close(page, OTHER)
    return found


@pytest.mark.parametrize("seat", sorted({seat for _, seat, *_ in LOOKS.values()}))
def test_no_look_of_a_phone_has_a_barrier(site: Site, axe: Callable[..., list[str]], seat: str) -> None:
    page = site.phone(seat, company=COMPANY)
    learn(page.driver)
    found = []
    for name, (state, of, *taps) in LOOKS.items():
        if of == seat:
            resize(page.driver, (820, 1180) if name == "turned" else PHONE)  # phones have no such button
            found += lines(site, page, axe, name, STATES[state], *taps)
    assert found == []


SERIES = Series(3, {player.name: 1 for player in STATES["bidding"].players})
OPENED = {
    "past games": (STATES["bidding"], ".icon.menu", ".menu [data-item='games']", ".menu [data-item='past']"),
    "a past game": (
        STATES["bidding"],
        ".icon.menu",
        ".menu [data-item='games']",
        ".menu [data-item='past']",
        "[data-game='1']",
    ),
    "statistics": (
        STATES["bidding"],
        ".icon.menu",
        ".menu [data-item='games']",
        ".menu [data-item='past']",
        "[data-page='statistics']",
    ),
    "a player": (STATES["bidding"], "button[data-about='Ana']"),
    "a player away": (STATES["bidding-away"], "button[data-about='Dorothea-Valentina']"),
    "a newcomer": (STATES["bidding-away"], ".icon.menu", ".menu [data-item='company']", ".menu [data-item='join']"),
    "a picture before": (replace(STATES["bidding"], camera=BY_PHONE),),
    "a picture": (replace(STATES["reading"], camera=BY_PHONE, waiting=Waiting(code="camera", sentence=PHONE_TAKES)),),
    "a bad picture": (
        replace(STATES["reading"], camera=BY_PHONE, waiting=Waiting(code="photo", sentence=sentences.PHOTO_DARK)),
    ),
    "a picture with questions": (replace(STATES["checking"], camera=BY_PHONE),),
    "a series": (replace(STATES["bidding"], series=SERIES, turn_seconds=30),),
    "a series won": (replace(STATES["over"], series=Series(3, SERIES.wins | {"Ana": 3})),),
    "the next of a series": (
        replace(STATES["bidding"], series=SERIES),
        ".icon.menu",
        ".menu [data-item='games']",
        ".menu [data-item='game']",
    ),
}
"""What is loaded when it is opened: the state, and the taps that open it."""


def test_what_is_loaded_late_has_no_barrier(site: Site, axe: Callable[..., list[str]]) -> None:
    site.table.past.games = past_games(3, ("Ana", "Ben", "Dorothea-Valentina"))
    page = site.phone("Ben", company=COMPANY)
    learn(page.driver)
    assert [
        line for what, (state, *taps) in OPENED.items() for line in lines(site, page, axe, what, state, *taps)
    ] == []


LISTEN = """
    const live = document.querySelector("[aria-live='polite'][role='status']");
    window.heard = [];
    const watched = { childList: true, characterData: true, subtree: true };
    new MutationObserver(() => window.heard.push(live.textContent)).observe(live, watched);"""


@pytest.mark.parametrize("where", ["", "board"])
def test_a_verdict_is_read_aloud_once_and_again_when_it_changes(site: Site, where: str) -> None:
    site.table.show(STATES["reading"])
    page = site.phone("Ben", company=COMPANY)
    page.driver.get(f"{page.url}{where}")
    page.wait(lambda: page.all("main.reading"), "the first state")
    page.driver.execute_script(LISTEN)
    for state in ("verdict-wrong", "verdict-right"):
        site.show(page, state)
        trouble = CameraStatus(ok=False, name="camera", sentence="The camera is gone.")
        site.table.show(replace(STATES[state], camera=trouble))
        page.shows(site.table.state().version)
    sentences = [STATES[state].verdict.sentence for state in ("verdict-wrong", "verdict-right")]
    assert page.driver.execute_script("return window.heard") == sentences


def test_letters_of_twice_the_size_lose_nothing(site: Site) -> None:
    page = site.phone("Ben", font=32, company=COMPANY)
    lost = {}
    size = "return parseFloat(getComputedStyle(document.querySelector('main')).fontSize)"
    assert page.driver.execute_script(size) == 32
    for state in STATES:
        site.show(page, state)
        lost[state] = [*page.misfits(), *page.driver.execute_script(LOST)]
        for sheet in site.sheets(page, state):
            lost[f"{state}, {sheet}"] = [*page.misfits(), *page.driver.execute_script(LOST)]
    assert {where: lines for where, lines in lost.items() if lines} == {}
