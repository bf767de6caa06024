"""The lesson for who is new: cards to swipe, by the rules in play, and a question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from companion.table.state.state import HouseRule, State
from tests.browser import every_language
from tests.browser.every_language import LANGUAGES
from tests.browser.page import NOBODY, Page
from tests.browser.site import Site
from tests.browser.test_accessible import LOST
from tests.fakes.states import BEN, STATES
from tests.proof.box import Box

pytestmark = pytest.mark.browser

FRESH = STATES["opening"]
"""A demo that nobody plays: a phone that has not joined sees the first screen."""
LINK = ".firstscreen [data-item='lesson']"
CARDS = "return [...document.querySelectorAll('.cards > li')].map((card) => card.dataset.card)"
IN_SIGHT = """
    const row = document.querySelector('.cards'), { left, right } = row.getBoundingClientRect();
    return [...row.children].filter((card) => {
      const at = card.getBoundingClientRect();
      return Math.abs(at.left - left) < 2 && Math.abs(at.right - right) < 2;
    }).map((card) => card.dataset.card).join();"""
"""The card that fills the row."""
BELOW = """
    const sheet = document.querySelector('.sheet');
    return sheet.scrollHeight - sheet.clientHeight"""
"""The pixels of the sheet that one would have to scroll to."""


def first_screen(site: Site, state: State = FRESH, size: tuple[int, int] = (360, 640)) -> Page:
    """A phone of somebody who has just come to the demo."""
    site.table.show(state)
    page = site.phone(NOBODY, size)
    page.one(".firstscreen")
    return page


def open_cards(page: Page) -> list[str]:
    """Tap the link; returns the cards."""
    page.tap(LINK)
    page.one(".lesson .cards")
    page.still()
    return list(page.driver.execute_script(CARDS))


def sees(page: Page, card: str) -> None:
    page.wait(lambda: page.driver.execute_script(IN_SIGHT) == card, f"the card {card}")


def swipe(page: Page) -> None:
    """Draw a finger from right to left over the cards."""
    x, y = page.driver.execute_script(
        "const r = document.querySelector('.cards').getBoundingClientRect(); return [r.right - 30, r.top + 90]"
    )

    def touch(kind: str, *points: dict[str, float]) -> None:
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    def turned() -> float:
        return float(page.driver.execute_script("return document.querySelector('.cards').scrollLeft"))

    before = turned()
    touch("touchStart", {"x": x, "y": y})
    for step in range(1, 10):
        touch("touchMove", {"x": x - 30 * step, "y": y})
    page.wait(lambda: turned() > before + 200, "the card following the finger")
    page.still()  # the finger rests: a slow machine would take it for a fast one, which turns two cards
    touch("touchEnd")


def answer(page: Page, holds: bool) -> None:
    """Answer on the last card."""
    page.one(".lesson .cards")
    while page.driver.execute_script(IN_SIGHT) != "question":
        card = page.driver.execute_script(IN_SIGHT)
        page.tap(".onward")
        page.wait(lambda left=card: page.driver.execute_script(IN_SIGHT) not in {left, ""}, "the next card")
    page.tap(f"[data-answer='{str(holds).lower()}']")
    page.wait(lambda: page.all(".told:not(:empty)"), "the answer")


def said(page: Page, card: str) -> str:
    return str(
        page.driver.execute_script("return document.querySelector(arguments[0]).innerText", f"[data-card='{card}']")
    )


def test_who_is_new_swipes_the_cards_answers_and_plays(site: Site) -> None:
    page = first_screen(site)
    assert page.one(LINK).text == "New to Perudo?"
    cards = open_cards(page)
    assert cards == ["hidden", "pacos", "turn", "topacos", "dudo", "seldom", "question"]
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
    for card in cards[1:3]:
        swipe(page)
        sees(page, card)
    assert "bid of 6" not in said(page, "question"), "the answer is not given away"
    answer(page, holds=False)
    assert "Not quite. 3 sixes and 3 pacos make 6" in said(page, "question")
    page.tap("[data-answer='true']")
    page.wait(lambda: "Right. 3 sixes and 3 pacos make 6" in said(page, "question"))
    assert "bid of 6 is right" in said(page, "question")
    assert len(page.all("[data-card='question'] .face.matches")) == 6
    page.tap(".lesson .strength")
    page.wait(lambda: page.all(".sheet.for-join"), "the game that it begins, once the code is typed")
    assert page.complaints() == []


def test_a_stranger_bids_after_three_taps_the_cards_and_the_code(open_browser: Callable[..., Any]) -> None:
    with Box("--seed", "2", command=("demo",)) as box:
        page = Page(open_browser(), f"http://{box.host}:{box.port}/")
        page.tap(LINK)  # one
        answer(page, holds=True)
        page.tap(".lesson .strength")  # two
        for digit in box.code:
            page.tap(f"button[data-digit='{digit}']")
        page.wait(lambda: page.texts(".pad .bidbutton") and page.texts(".pad .hint")[0], "the own turn, explained")
        page.tap(".bidbutton")  # three
        page.wait(lambda: page.all(".trail li"), "the bid")
        assert page.complaints() == []


def test_one_can_go_back_a_card_and_back_closes_the_lesson(site: Site) -> None:
    page = first_screen(site)
    open_cards(page)
    page.tap(".onward")
    sees(page, "pacos")
    page.wait(lambda: not page.all(".lessonfoot .back[aria-disabled]"))
    page.tap(".lessonfoot .back")
    sees(page, "hidden")
    page.driver.back()
    page.wait(lambda: not page.all(".sheet"), "the lesson closing")
    page.one(".firstscreen")


def house(**rules: str | bool | int) -> State:
    return replace(FRESH, rules=tuple(HouseRule(rule=name, value=value, sentence="") for name, value in rules.items()))


@pytest.mark.parametrize(
    ("state", "card", "says", "says_not"),
    [
        (FRESH, "pacos", "counts as any face", "no other face"),
        (FRESH, "dudo", "3 fours and 2 pacos make 5", "bid is wrong"),
        (house(pacos_wild=False), "pacos", "pacos count as no other face", "as any face"),
        (house(pacos_wild=False), "dudo", "There are 3 fours", "pacos"),
        (house(pacos_wild=False), "seldom", "the first face bid stays", "pacos"),
        (house(dice_each=3), "hidden", "A bid is on all 9", "15"),
        (house(dudo_by="anyone"), "turn", "Whoever does not believe", "If you"),
        (FRESH, "turn", "more dice of the same face, or as many of a higher face", "any face"),
        (replace(FRESH, ruleset="web-fr"), "turn", "more dice of any face, or as many of a higher face", "same"),
        (house(raises="higher-face"), "turn", "the same face, or any number of a higher face", "as many"),
        (FRESH, "topacos", "After 7 fours, bid 4 pacos or more", "down"),
        (FRESH, "topacos", "twice as many and one more: after 4 pacos, 9 fours", "8 fours"),
        (
            house(half_rounded="down", leaving_pacos="twice"),
            "topacos",
            "After 7 fours, bid 3 pacos or more",
            "one more",
        ),
        (house(half_rounded="down", leaving_pacos="twice"), "topacos", "twice as many: after 4 pacos, 8 fours", "9"),
        (house(dudo_costs="difference", pacos_wild=False), "dudo", "loses 2 dice", "loses a die"),
        (house(right_calza="bidder-loses"), "seldom", "the bidder loses a die", "you take back"),
        (replace(FRESH, calza=False), "seldom", "palifico", "Calza"),
        (house(palifico_rounds="never"), "seldom", "Calza", "palifico"),
    ],
)
def test_the_cards_tell_the_rules_in_play(site: Site, state: State, card: str, says: str, says_not: str) -> None:
    page = first_screen(site, state)
    open_cards(page)
    page.wait(lambda: says in said(page, card), says)
    assert says_not not in said(page, card)


def test_where_pacos_are_not_wild_no_card_tells_how_to_go_to_them(site: Site) -> None:
    assert "topacos" not in open_cards(first_screen(site, house(pacos_wild=False)))


def test_without_calza_and_palifico_there_is_no_card_about_them(site: Site) -> None:
    page = first_screen(site, replace(house(palifico_rounds="never"), calza=False))
    assert open_cards(page) == ["hidden", "pacos", "turn", "topacos", "dudo", "question"]


def test_the_question_is_judged_by_the_rules_in_play(site: Site) -> None:
    page = first_screen(site, house(pacos_wild=False))
    open_cards(page)
    answer(page, holds=False)
    assert "Right. There are 3 sixes" in said(page, "question")
    assert "bid of 6 is wrong" in said(page, "question")
    assert len(page.all("[data-card='question'] .face.matches")) == 3


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (820, 1180)])
def test_every_card_fits_its_screen_in_every_language(site: Site, size: tuple[int, int]) -> None:
    page = first_screen(site, size=size)
    every_language.learn(page.driver)
    site.table.show(FRESH)
    page.shows(site.table.state().version)
    open_cards(page)
    answer(page, holds=True)
    page.wait_for_fonts()
    for language in LANGUAGES:
        every_language.speak(page.driver, language)
        below = page.driver.execute_script(BELOW)
        assert (page.misfits(), page.driver.execute_script(LOST), below <= 0) == ([], [], True), (language, below)


def test_who_has_played_finds_the_lesson_in_the_rules_only(site: Site) -> None:
    site.table.show(STATES["bidding"])
    page = site.phone(BEN)
    site.show(page, "verdict-wrong")
    site.restart()
    site.table.show(FRESH)
    forget_the_phone(page)
    page.one(".firstscreen")
    page.still()
    assert not page.all(LINK)
    page.tap_each(".firstscreen [data-item='rules']", ".sheet [data-item='lesson']")
    page.one(".lesson .cards")


def forget_the_phone(page: Any) -> None:
    """Load the page anew, as a phone that has not joined."""
    page.driver.delete_all_cookies()
    page.driver.refresh()
