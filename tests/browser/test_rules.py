"""The rules on the page: those of this round, the last verdict step by step, and the books."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from msgspec.structs import replace
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from companion.table import commands
from companion.table.state.state import FaceCount, HouseRule
from tests.browser.page import Page
from tests.fakes.parts import box_parts
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.app import create_app
from web.stream.server import Server

pytestmark = pytest.mark.browser

SIZES = [(320, 640), (360, 640), (640, 360), (1280, 720)]


@pytest.fixture
def site(serve: Callable[[Flask], Server]) -> Iterator[tuple[FakeTable, str]]:
    table = FakeTable(STATES["bidding"])
    with serve(create_app(box_parts(table))) as server:
        yield table, server.url


@pytest.fixture
def phone(site: tuple[FakeTable, str], open_browser: Callable[..., Any]) -> Iterator[Any]:
    """A phone that has not joined: the rules are for everybody."""
    page = Page(open_browser(), site[1])
    yield page
    assert page.complaints() == []
    assert page.elsewhere() == []


def steps(page: Any) -> list[str]:
    return [step.text for step in page.all(".vstep p:first-child")]


def turn_to(page: Any, name: str) -> None:
    page.tap(f"[data-page='{name}']")
    page.wait(lambda: page.all(f"[data-page='{name}'][aria-pressed='true']"))


def test_the_last_verdict_is_explained_step_by_step(page: Any, desk: Any) -> None:
    desk.lay(red=[5, 5, 1, 1, 1], blue=[5, 5, 1, 1, 2], green=[6, 6, 3, 2, 4])
    desk.table.do(commands.MakeBid("Ana", 9, 5))
    desk.table.do(commands.CallDudo("Ben"))
    page.in_phase("verdict")
    page.tap(".why")
    page.wait(lambda: page.all(".vstep"))
    assert steps(page) == [
        "Ana bid nine fives. Ben said dudo: there are fewer.",
        "Pacos were wild: each counted as a five.",
        "4 fives + 5 pacos = 9",
        "The bid was 9, so it was right.",
        "Ben doubted a bid that was right, and loses a die.",
        "Whoever lost the die opens the next round: Ben.",
    ]
    assert [row.text for row in page.all(".whosedice .name")] == ["Ana", "Ben"]
    assert len(page.all(".whosedice .die")) == 9
    desk.table.do(commands.OpenRound())
    page.in_phase("bidding")
    assert steps(page)[2] == "4 fives + 5 pacos = 9", "the sheet stays open, and tells of the last round"
    turn_to(page, "round")
    assert "Pacos (aces) are wild: each counts as the face bid." in page.text
    assert "Ben may bid:" in page.text


CUPS_IN_ORDER = (HouseRule(rule="cups", value="in-order", sentence=""),)
PACOS_TAME = (HouseRule(rule="pacos_wild", value=False, sentence=""),)
TAME_IF_OPENED = (HouseRule(rule="opened_on_pacos_wild", value=False, sentence=""),)
WINNER_OPENS = (HouseRule(rule="opens_after_dudo", value="winner", sentence=""),)
BIDDER_LOSES = (HouseRule(rule="right_calza", value="bidder-loses", sentence=""),)
VERDICT = STATES["verdict-wrong"].verdict
STEPS = [
    (
        {"count": 4, "pacos": 1, "correct": True, "loses": "Ana", "opener": "Ana"},
        [
            "The bid was 5, and there were only 4: it was wrong.",
            "Ben was right, so the bidder, Ana, loses a die.",
        ],
    ),
    (
        {"count": 7, "pacos": 4},
        ["The bid was 5, and there were more: it was right."],
    ),
    (
        {"call": "calza", "caller": "Cid", "correct": True, "loses": None, "gains": "Cid", "opener": "Cid"},
        [
            "Ana bid five fours. Cid said calza: there are exactly as many.",
            "The bid was 5: exactly right.",
            "Cid was exactly right, and takes back a die.",
            "Whoever said calza opens the next round: Cid.",
        ],
    ),
    (
        {"call": "calza", "caller": "Cid", "correct": True, "loses": None, "opener": "Cid"},
        ["Cid was exactly right, but already has all their dice."],
    ),
    (
        {"call": "calza", "caller": "Cid", "count": 6, "pacos": 3, "loses": "Cid", "opener": "Cid", "palifico": "Cid"},
        [
            "The bid was 5: too few.",
            "Cid was wrong to say calza, and loses a die.",
            "Palifico: Cid is down to one die. Pacos are not wild in the next round.",
        ],
    ),
    (
        {"eliminated": "Ben", "opener": "Cid"},
        ["That was the last die: Ben is out.", "Ben is out, so the next player with dice opens: Cid."],
    ),
    (
        {"eliminated": "Ben", "opener": None, "winner": "Ana"},
        ["Only Ana has dice left, and wins."],
    ),
    (
        {"wild": False, "pacos": 0, "count": 3, "correct": True, "loses": "Ana"},
        ["It was a palifico round: pacos were not wild, only fours counted.", "3 fours"],
    ),
    (
        {"count": 2, "correct": True, "loses": "Ana", "lost": 3, "opener": "Ana"},
        ["Ben was right, so the bidder, Ana, loses 3 dice."],
    ),
    (
        {"count": 8, "loses": "Ben", "lost": 3, "opener": "Ben"},
        ["Ben doubted a bid that was right, and loses 3 dice."],
    ),
    (
        {"bid": FaceCount(2, 1), "faces": 2, "pacos": 0, "count": 2},
        [
            "Ana bid two pacos. Ben said dudo: there are fewer.",
            "The bid was on pacos, so only pacos counted.",
            "2 pacos",
        ],
    ),
]


def test_every_kind_of_verdict_has_its_reasons(phone: Any, site: tuple[FakeTable, str]) -> None:
    table, _ = site
    for change, reasons in STEPS:
        table.show(replace(STATES["verdict-palifico"], verdict=replace(VERDICT, **change)))
        phone.wait(lambda: phone.version == table.state().version)
        if not phone.all(".sheet"):
            phone.tap(".why")
        phone.wait(lambda reasons=set(reasons): reasons <= set(steps(phone)), str(change))


@pytest.mark.parametrize(
    ("rules", "change", "reasons"),
    [
        (
            TAME_IF_OPENED,
            {"wild": False, "pacos": 0, "count": 3, "correct": True, "loses": "Ana"},
            ["Pacos were not wild in this round: only fours counted."],
        ),
        (
            WINNER_OPENS,
            {"correct": True, "loses": "Ana", "opener": "Ben"},
            ["Whoever won the dudo opens the next round: Ben."],
        ),
        (
            WINNER_OPENS,
            {"correct": True, "loses": "Ana", "opener": "Ana", "palifico": "Ana"},
            ["Ana opens the next round"],
        ),
        (
            BIDDER_LOSES,
            {"call": "calza", "caller": "Cid", "correct": True, "loses": "Ana", "opener": "Cid"},
            [
                "Cid was right, so the bidder, Ana, loses a die.",
                "Whoever said calza opens the next round: Cid.",
            ],
        ),
    ],
)
def test_house_rules_give_a_verdict_other_reasons(
    phone: Any, site: tuple[FakeTable, str], rules: Any, change: Any, reasons: list[str]
) -> None:
    table, _ = site
    table.show(replace(STATES["verdict-palifico"], verdict=replace(VERDICT, **change), rules=rules))
    phone.tap(".why")
    phone.wait(lambda: set(reasons) <= set(steps(phone)), reasons)


def test_pacos_that_house_rules_keep_from_being_wild_make_no_palifico_round(
    phone: Any, site: tuple[FakeTable, str]
) -> None:
    table, _ = site
    verdict = replace(VERDICT, wild=False, pacos=0, count=3, correct=True, loses="Ana")
    table.show(replace(STATES["verdict-palifico"], verdict=verdict, rules=PACOS_TAME))
    phone.tap(".why")
    phone.wait(lambda: "Pacos are not wild by the house rules: only fours counted." in steps(phone))
    turn_to(phone, "shared")
    phone.wait(lambda: "Pacos count only as pacos." in phone.text)
    assert "with this game\u2019s house rules" in phone.text


def test_the_rules_of_the_round_open_from_their_line(phone: Any, site: tuple[FakeTable, str]) -> None:
    table, _ = site
    table.show(STATES["palifico"])
    phone.tap("button.rule.palifico")
    phone.wait(lambda: "The face stays: only more sixes may be bid." in phone.text)
    bids = [sign.get_attribute("textContent") for sign in phone.all(".bids .hidden")]
    assert bids == ["three sixes or more"]
    phone.tap(".sheet .close")
    phone.wait(lambda: not phone.all(".sheet"))
    table.show(STATES["bidding"])
    phone.tap("button.rule:not(.palifico)")
    phone.wait(lambda: len(phone.all(".bids li")) == 4)
    bids = [sign.get_attribute("textContent") for sign in phone.all(".bids .hidden")]
    assert bids == ["six fours or more", "exactly five fives", "exactly five sixes", "three pacos or more"]


def test_the_book_is_compared_with_another(phone: Any, site: tuple[FakeTable, str]) -> None:
    table, _ = site
    table.show(replace(STATES["bidding"], rules=CUPS_IN_ORDER, calza=False))
    phone.menu("rules")
    turn_to(phone, "book")
    phone.wait(lambda: len(phone.all(".rulelist > li")) == 11)
    assert phone.texts(".rulebook h3, .edition") == ["Classic", "Perudo, Fry & Fernandini, French (with a lid)"]
    assert "Calza is off in this game." in phone.text
    marked = phone.all(".rulelist .changed")
    assert [rule.get_attribute("data-rule") for rule in marked] == ["cups"]
    assert "house rule" in marked[0].text
    assert "In the book: all together" in marked[0].text
    phone.one("[data-compare] option[value='asmodee-it']").click()
    phone.wait(lambda: "6 rules of 11 are different." in phone.text)
    calza = phone.one("[data-rule='calza_by']").text
    assert "anyone but the bidder\n" in calza.lower()
    assert "anyone but the bidder and the next player" in calza.lower()
    turn_to(phone, "shared")
    assert len(phone.all(".sharedlist li")) == 13


def test_a_book_or_language_that_cannot_be_loaded_is_reported_and_nothing_is_lost(phone: Any) -> None:
    silence = "The box did not answer."
    phone.menu("rules")
    turn_to(phone, "book")
    phone.wait(lambda: len(phone.all(".rulelist > li")) == 11)
    phone.driver.execute_script("window.fetched = fetch; window.fetch = () => Promise.reject(new TypeError('no way'))")
    phone.one("[data-compare] option[value='asmodee-it']").click()
    phone.wait(lambda: phone.one(".rulebook .problem").text.startswith(silence))
    assert phone.one("[data-compare]").get_property("value") == "", "what is shown is compared with nothing"
    assert len(phone.all(".rulelist > li")) == 11
    phone.driver.execute_script("window.fetch = window.fetched")
    phone.tap(".sheet .close")
    phone.driver.execute_cdp_cmd("Network.enable", {})
    phone.menu("settings")
    for blocked in (["*languages/fr/*"], []):
        phone.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": blocked})
        phone.one("[data-setting='language'] option[value='fr']").click()
        phone.wait(lambda: phone.one(".toast.refused").text.startswith(silence))
        assert phone.one("[data-setting='language']").get_property("value") == "en"
        phone.tap(".toast.refused")
        phone.wait(lambda: not phone.all(".toast.refused"))
        phone.driver.execute_script("window.fetch = () => Promise.resolve(new Response('{}', { status: 404 }))")
    phone.driver.execute_script("window.fetch = window.fetched")
    phone.one("[data-setting='language'] option[value='fr']").click()
    phone.wait(lambda: phone.all("html[lang='fr']"), "asked for again, it is there")


@pytest.mark.parametrize("size", SIZES)
def test_every_page_of_the_rules_fits(
    site: tuple[FakeTable, str], open_browser: Callable[..., Any], size: tuple[int, int]
) -> None:
    table, url = site
    table.show(STATES["verdict-palifico"])
    page = Page(open_browser(size), url)
    page.tap(".why")
    for name in ("round", "verdict", "book", "shared"):
        turn_to(page, name)
        page.wait(lambda: page.all(".rulepage > *:not(.quiet)"), name)
        assert page.misfits() == [], name
        sheet = page.one(".sheet")
        assert page.driver.execute_script("return arguments[0].scrollWidth <= arguments[0].clientWidth", sheet), name


@pytest.mark.parametrize("language", ["fr", "nl", "it", "es"])
def test_the_rules_are_in_the_language_of_the_page(
    site: tuple[FakeTable, str], open_browser: Callable[..., Any], language: str
) -> None:
    table, url = site
    table.show(replace(STATES["verdict-palifico"], rules=CUPS_IN_ORDER))
    page = Page(open_browser((320, 640)), url)
    page.tap(".why")
    turn_to(page, "shared")
    english = page.wait(lambda: [line.text for line in page.all(".sharedlist li")])
    page.tap(".sheet .close")
    page.menu("settings")
    page.one(f"[data-setting='language'] option[value='{language}']").click()
    page.wait(lambda: page.all(f"html[lang='{language}']"))
    assert page.misfits() == []
    page.tap(".sheet .close")
    page.tap(".why")
    for name in ("round", "verdict", "book", "shared"):
        turn_to(page, name)
        page.wait(lambda: page.all(".rulepage > *:not(.quiet)"), name)
        assert page.misfits() == [], name
    lines = page.wait(lambda: [line.text for line in page.all(".sharedlist li")])
    assert len(lines) == len(english)
    assert not set(lines) & set(english)
    assert page.complaints() == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_large_letters_wrap(site: tuple[FakeTable, str], open_browser: Callable[..., Any], language: str) -> None:
    table, url = site
    table.show(replace(STATES["verdict-palifico"], rules=CUPS_IN_ORDER))
    driver = open_browser(font=32)
    script = f"localStorage.setItem('perudo-language', '{language}')"
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    page = Page(driver, url)
    assert driver.execute_script("return getComputedStyle(document.body).fontSize") == "32px"

    def too_wide() -> bool:
        sheet = page.one(".sheet")
        return bool(driver.execute_script("return arguments[0].scrollWidth > arguments[0].clientWidth", sheet))

    page.menu("settings")
    page.one(".settings")
    assert not too_wide()
    page.tap(".sheet .close")
    page.tap(".why")
    for name in ("round", "verdict", "book", "shared"):
        turn_to(page, name)
        page.wait(lambda: page.all(".rulepage > *:not(.quiet)"), name)
        assert not too_wide(), name


def test_the_rules_are_opened_and_closed_with_the_keyboard(phone: Any) -> None:
    phone.driver.execute_script("document.querySelector('button.rule').focus()")
    ActionChains(phone.driver).send_keys(Keys.ENTER).perform()
    phone.wait(lambda: phone.all(".rulebook"))
    phone.wait(lambda: phone.all("main[inert]"), "the page behind to be out of reach")
    for _ in range(12):
        ActionChains(phone.driver).send_keys(Keys.TAB).perform()
        assert phone.driver.execute_script("return Boolean(document.activeElement.closest('.sheet'))")
    ActionChains(phone.driver).send_keys(Keys.ESCAPE).perform()
    phone.wait(lambda: not phone.all(".sheet"))
    phone.wait(lambda: phone.driver.execute_script("return document.activeElement.matches('button.rule')"))
    assert not phone.all("[inert]")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_rules_have_no_barrier(
    phone: Any, site: tuple[FakeTable, str], axe: Callable[[Any], list[str]], theme: str
) -> None:
    table, _ = site
    table.show(replace(STATES["verdict-palifico"], rules=CUPS_IN_ORDER))
    phone.menu("settings")
    phone.tap(f"[data-theme='{theme}']")
    assert phone.all(f"html.{theme}")
    assert axe(phone) == []
    phone.tap(".sheet .close")
    phone.tap(".why")
    for name in ("round", "verdict", "book", "shared"):
        turn_to(phone, name)
        phone.wait(lambda: phone.all(".rulepage > *:not(.quiet)"), name)
        assert axe(phone) == [], name


def test_the_focus_stays_in_the_page_when_its_button_disappears(page: Any, desk: Any) -> None:
    desk.lay(red=[4, 4, 1, 6, 2], blue=[4, 3, 5, 5, 2], green=[6, 6, 3, 2, 1])
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    desk.table.do(commands.CallDudo("Ben"))
    page.in_phase("verdict")
    page.one(".dock .next")
    page.driver.execute_script("document.querySelector('.dock .next').focus()")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.in_phase("bidding")
    page.wait(lambda: page.driver.execute_script("return document.activeElement.localName") == "main")
