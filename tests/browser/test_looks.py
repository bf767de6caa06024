"""Every look of a player's page: recorded states and the sheets over them, each looked at once.

In five languages nothing is too wide or too small for a thumb, also on the narrowest phone; every text is from the
catalogs; in both themes axe-core finds no barrier; with reduced motion nothing moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from flask import Flask
from selenium import webdriver

from companion.messages.languages import offered
from tests.browser import every_language, fits
from tests.browser.axe import barriers
from tests.browser.chromium import PHONE, resize
from tests.browser.every_language import LANGUAGES, MARKED
from tests.browser.looks import COMPANY, SHEETS
from tests.browser.page import Page
from tests.browser.site import Site
from tests.fakes.states import CLUB, STATES
from web.stream.server import Server

pytestmark = pytest.mark.browser

NARROW = (320, 568)
TALL = (390, 844)
"""As most phones are today."""
MOVING = """
    return document.getAnimations().filter(a => a.playState === 'running').map(a => a.animationName || 'transition')"""
OUTSIDE = r"""
    const SHOWN = ["aria-label", "aria-roledescription", "title", "alt", "placeholder"];
    const texts = [];
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.nodeValue);
      if (node.nodeType !== Node.ELEMENT_NODE || node.matches("script, style, #too-old")) return;
      for (const name of SHOWN) if (node.hasAttribute(name)) texts.push(node.getAttribute(name));
      node.childNodes.forEach(walk);
    };
    walk(document.body);
    const outside = (text) => {
      let rest = text;
      for (let before = ""; before !== rest; ) {
        before = rest;
        rest = rest.replace(/⟦[^⟦⟧]*⟧/g, "");
      }
      return rest;
    };
    return texts.map(outside).filter((text) => /\p{L}/u.test(text));"""
"""Texts, and what of them is not between marks."""

PLAYERS = {player.name for state in STATES.values() for player in state.players}
NAMES = sorted(PLAYERS.union(CLUB.assignment.players), key=len, reverse=True)
ALLOWED = re.compile(
    "|".join((
        *map(re.escape, NAMES),
        r"Doro[\w-]*…",  # cut to fit its place
        r"^Perudo$|\b[A-Z][a-z]{2} \d+, \d{4}(, \d+:\d\d [AP]M ·)?",  # a game's name, day and hour
        r"https?://\S+|box\.local",
        r"\b[0-9a-z]{4}\b(?<=\d)|\b(?=[0-9a-z]*\d)[0-9a-z]{4}\b|\bmaaa\b",  # the names of phones
        "dudo|calza",  # the same in every language, as in all the books
        r"^\w$",  # on the picture: a player's initial, the mark of the paco
        *(re.escape(language.name) for language in offered()),  # each in its own language, in the settings
    ))
)  # fmt: skip


@dataclass
class Seen:
    """What was found; each line begins with its look."""

    misfits: dict[str, list[str]] = field(default_factory=lambda: {language: [] for language in LANGUAGES})
    outside: list[str] = field(default_factory=list)
    barriers: list[str] = field(default_factory=list)
    moving: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    looks: list[str] = field(default_factory=list)


def not_in_catalogs(texts: list[str]) -> list[str]:
    """What is left of these texts without names, numbers and addresses."""
    return sorted({text for each in texts if re.search(r"[^\W\d_]", text := ALLOWED.sub("", each).strip())})


def in_every_language(page: Page, where: str) -> list[str]:
    """What does not fit in some language, and texts that are not from the catalogs. The page has learned them all."""
    texts = every_language.look(page.driver, [MARKED], OUTSIDE)[MARKED]
    lines = [f"{where}, not from the catalogs: {text}" for text in not_in_catalogs(texts)]
    for language, misfits in every_language.look(page.driver, LANGUAGES, fits.MISFITS).items():
        lines += [f"{where} in {language}: {line}" for line in misfits]
    every_language.speak(page.driver, "en")
    return lines


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory,
    serve: Callable[[Flask], Server],
    keep_browser: Callable[..., webdriver.Chrome],
) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("looks"), serve, keep_browser)
    yield site
    site.pull_the_plug()


@pytest.fixture(scope="module")
def seen(site: Site, axe: Callable[..., list[str]]) -> Seen:
    """Every state and sheet on Ben's phone."""
    seen = Seen()
    page = site.phone("Ben", company=COMPANY)
    every_language.learn(page.driver)

    def look(where: str) -> None:
        seen.looks.append(where)
        every_language.speak(page.driver, "en")
        seen.moving += [f"{where}: {name}" for name in page.driver.execute_script(MOVING)]
        seen.barriers += barriers(page, axe, where)
        resize(page.driver, NARROW)
        for language, wide in every_language.look(page.driver, LANGUAGES, fits.TOO_WIDE).items():
            seen.misfits[language] += [f"{where} {NARROW[0]}: {line}" for line in wide]
        resize(page.driver, TALL)
        seen.misfits["en"] += [f"{where} {TALL[0]}: {line}" for line in page.misfits()]
        resize(page.driver, PHONE)
        for language, misfits in every_language.look(page.driver, LANGUAGES, fits.MISFITS).items():
            seen.misfits[language] += [f"{where}: {line}" for line in misfits]
        texts = every_language.look(page.driver, [MARKED], OUTSIDE)[MARKED]  # sheets are opened in this language, too
        seen.outside += [f"{where}: {text}" for text in not_in_catalogs(texts)]

    for state in STATES:
        site.show(page, state)
        look(state)
        for sheet in site.sheets(page, state):
            look(f"{state}, {sheet}")
    seen.complaints = [*page.complaints(), *page.elsewhere()]
    return seen


def test_every_state_and_sheet_was_looked_at(seen: Seen) -> None:
    assert len(set(seen.looks)) == len(seen.looks) == len(STATES) + len(SHEETS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_look_fits_a_phone_in_every_language(seen: Seen, language: str) -> None:
    assert seen.misfits[language] == []


def test_every_text_is_from_the_catalogs(seen: Seen) -> None:
    assert seen.outside == []


def test_no_look_has_a_barrier_in_either_theme(seen: Seen) -> None:
    assert seen.barriers == []


def test_nothing_moves_for_who_wants_no_motion(seen: Seen) -> None:
    assert seen.moving == []


def test_the_page_complains_of_nothing_and_asks_no_other_host(seen: Seen) -> None:
    assert seen.complaints == []


def test_a_hint_fits_in_every_language(site: Site) -> None:
    """It is said in the language in which the button was tapped."""
    state, *taps = SHEETS["too-low"]
    site.restart()
    page = site.phone("Ben", company=COMPANY)
    every_language.learn(page.driver)
    site.show(page, state)
    for language in LANGUAGES:
        every_language.speak(page.driver, language)
        page.tap_each(*taps)
        assert (page.one(".hint").text != "", page.misfits()) == (True, []), language
