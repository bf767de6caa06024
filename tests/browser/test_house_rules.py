"""A new game: as the book says, or by house rules, which have a name the next time. In a real Chromium at 360 x 640."""

from __future__ import annotations

from typing import Any

import pytest
from selenium.webdriver.support.ui import Select

from companion.engine.rulebooks import RULE_FIELDS
from tests.browser.test_talk import menu

pytestmark = pytest.mark.browser


def choose(page: Any, label: str, text: str) -> None:
    Select(page.one(f".gameform select[aria-label='{label}']")).select_by_visible_text(text)


def test_a_book_brings_all_of_itself(page: Any, desk: Any) -> None:
    menu(page, "game")
    choose(page, "Rules", "Palifico once")
    page.wait(lambda: "cups go up in turn. Perudo, Kenner Parker / Hasbro 1994" in page.one(".gameform").text)
    page.wait(lambda: page.one(".asbook").text == "Not as in the book: everybody sees how many dice are left.")
    page.tap(".field.check input")
    page.wait(lambda: not page.all(".asbook"), "all as the book says")
    assert not page.all("select[aria-label='Who opens']"), "names, colours, a book and the button to start are all"
    page.tap(".gameform .more")
    assert page.one("select[aria-label='Who opens']").get_property("value") == "roll"
    choose(page, "Who opens", "Drawn at random")
    page.wait(lambda: page.one(".asbook").text == "Not as in the book: Drawn at random.")
    choose(page, "Who opens", "We roll under the camera")
    page.tap(".field.check input")
    page.tap(".gameform .go")
    page.in_phase("rolling")
    state = desk.table.state()
    assert (state.ruleset, state.open_lost, state.opening.dice, state.rules) == ("hasbro-1994", True, 1, ())


def test_house_rules_are_chosen_in_words_and_found_again_by_their_name(page: Any, desk: Any) -> None:
    menu(page, "game")
    page.tap(".gameform .more")
    page.tap("[data-item='house']")
    page.wait(lambda: "Ana bids, Ben is next: may Cid say dudo?" in page.text)
    assert [field.text for field in page.all(".houserules small") if not field.text] == []
    assert len(page.all(".houserules small")) == len(RULE_FIELDS) + 1, "an example for each rule, and the name's hint"
    choose(page, "who may say dudo", "anyone but the bidder")
    choose(page, "dice each player starts with", "3")
    page.one(".houserules input").send_keys("Garcia")
    page.wait(
        lambda: "who may say dudo: anyone but the bidder; dice each player starts with: 3" in page.one(".asbook").text
    )
    assert page.misfits() == []
    page.tap(".gameform .go")
    page.wait(lambda: desk.table.state().game == 2)
    state = desk.table.state()
    assert {rule.rule: rule.value for rule in state.rules} == {"dudo_by": "anyone", "dice_each": 3}
    menu(page, "game")
    choose(page, "Rules", "Calza on turn")
    page.wait(lambda: page.one(".asbook").text == "Not as in the book: everybody sees how many dice are left.")
    page.wait(lambda: "Garcia" in page.one("select[aria-label='Rules']").text)
    choose(page, "Rules", "Garcia")
    page.wait(lambda: "dice each player starts with: 3" in page.one(".asbook").text)
    page.tap(".gameform .go")
    page.wait(lambda: desk.table.state().game == 3)
    assert desk.table.state().rules_name == "Garcia"


def test_the_examples_speak_the_language_of_the_page(page: Any, desk: Any) -> None:
    menu(page, "settings")
    page.one("[data-setting='language'] option[value='fr']").click()
    page.wait(lambda: "Réglages" in page.text)
    page.tap(".sheet .close")
    menu(page, "game")
    page.tap(".gameform .more")
    page.tap("[data-item='house']")
    page.wait(lambda: "Ana commence avec deux trois, vers la droite" in page.text)
    assert [element.text for element in page.all(".houserules small") if "Ana opens" in element.text] == []
    assert page.misfits() == []
