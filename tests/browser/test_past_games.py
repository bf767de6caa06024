"""The past games on the page: the list, a story, and pictures of what the players did. In a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from msgspec.structs import replace
from selenium.webdriver.support.ui import Select

from companion.table import Journal, Table
from companion.table.commands import CallDudo, CountByHand, EndGame, MakeBid
from companion.table.game.new_game import GameDefaults
from tests.browser.chromium import resize
from tests.browser.page import CODE, Page, become
from tests.fakes.new_game import new_game
from tests.fakes.parts import box_parts
from tests.fakes.past_games import past_games
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.access.access import Access
from web.app import create_app
from web.stream.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def phone(serve: Callable[[Flask], Server], open_browser: Callable[..., Any]) -> Iterator[Any]:
    """A stranger's phone at a table where 22 games were played."""
    table = FakeTable(STATES["bidding"])
    table.past.games = [
        *past_games(21, ("Ana", "Dorothea-Valentina", "Cid"))[:-1],
        *past_games(22, ("Ana", "Ben"))[20:],
    ]
    with serve(create_app(box_parts(table))) as server:
        page = Page(open_browser(), server.url)
        yield page
        assert page.complaints() == []
        assert page.elsewhere() == []


def open_past(page: Any) -> None:
    page.menu("past")
    page.wait(lambda: page.all(".pastgame"))


def test_the_list_leads_to_each_story_and_back(phone: Any) -> None:
    open_past(phone)
    assert [phone.all(".pastgame")[n].get_attribute("data-game") for n in (0, 1)] == ["22", "21"]
    assert phone.misfits() == []
    phone.tap(".pager button:last-child")
    phone.wait(lambda: len(phone.all(".pastgame")) == 2)
    phone.tap("[data-game='1']")
    phone.wait(lambda: "played by the rules of" in phone.text)
    phone.tap(".record summary")
    assert '"game"' in phone.one(".record pre").text
    phone.tap("[data-item='back']")
    phone.wait(lambda: len(phone.all(".pastgame")) == 2)


def test_a_game_that_began_before_the_clock_was_set_shows_no_date(
    tmp_path: Path, serve: Callable[[Flask], Server], open_browser: Callable[..., Any]
) -> None:
    with Table(Journal(tmp_path), defaults=GameDefaults(clock_set=lambda: False)) as table:
        table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
        table.do(MakeBid("Ana", 2, 5))
        table.do(CallDudo("Ben"))
        table.do(CountByHand({"Ana": (5, 5, 2, 2, 3), "Ben": (2, 2, 3, 3, 4)}))
        table.do(EndGame())
        with serve(create_app(box_parts(table))) as server:
            page = Page(open_browser(), server.url)
            open_past(page)
            year = str(datetime.now(UTC).year)
            assert page.one(".pastgame small").text == "no date: the clock was not set · 1 round"
            page.tap(".pastgame")
            page.one(".gamecard")
            assert page.one(".past p.quiet").text.startswith("no date: the clock was not set · ")
            assert year not in page.one(".past").text
            assert page.complaints() == []


@pytest.mark.parametrize("size", [(360, 640), (320, 568), (820, 1180)])
def test_the_pictures_say_in_words_what_they_show(phone: Any, size: tuple[int, int]) -> None:
    resize(phone.driver, size)
    open_past(phone)
    phone.tap("[data-page='statistics']")
    phone.wait(lambda: phone.all(".plot svg"))
    labels = [picture.get_attribute("aria-label") for picture in phone.all(".chart svg[role='img']")]
    assert len([label for label in labels if label.startswith("Ben, Dice found: ")]) == 1
    assert any(label.startswith("Cid: ") and " of " in label and "%" in label for label in labels)
    assert len(phone.all(".plot polyline")) == 4
    Select(phone.one("select[aria-label='Whose games']")).select_by_value("22")
    phone.wait(lambda: len(phone.all(".plot polyline")) == 2)
    assert "Totals from game 1 to game 2." in phone.text
    won = phone.one(".plot svg").get_attribute("aria-label")
    phone.tap("[data-measure='luck']")
    phone.wait(lambda: phone.one(".plot svg").get_attribute("aria-label") != won)
    assert phone.misfits() == []


def test_they_speak_the_language_of_the_page(phone: Any) -> None:
    open_past(phone)
    phone.tap(".sheet .close")
    phone.menu("settings")
    phone.one("[data-setting='language'] option[value='nl']").click()
    phone.wait(lambda: "Instellingen" in phone.text)
    phone.tap(".sheet .close")
    open_past(phone)
    phone.wait(lambda: "heeft gewonnen" in phone.text)
    phone.tap("[data-page='statistics']")
    phone.wait(lambda: phone.all(".plot svg"))
    assert "Alle partijen" in phone.text
    assert "Dice found" not in phone.text


def test_a_games_card_is_saved_as_a_picture_where_nothing_can_be_sent(phone: Any) -> None:
    open_past(phone)
    phone.tap("[data-game='22']")
    card = phone.one(".gamecard")
    assert "wins" in card.get_attribute("aria-label")
    assert phone.misfits() == []
    phone.driver.execute_script(
        "HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };"
        "URL.createObjectURL = (blob) => {"
        " createImageBitmap(blob).then((picture) => { window.size = [picture.width, picture.height]; }); return '#'; };"
        "Object.defineProperty(navigator, 'canShare', { value: undefined })"
    )
    phone.tap("[data-item='share']")
    name = phone.wait(lambda: phone.driver.execute_script("return window.saved"), "the picture")
    assert name.startswith("perudo-")
    assert name.endswith(".png")
    assert phone.wait(lambda: phone.driver.execute_script("return window.size")) == [1080, 1350]


@pytest.fixture
def after_game(serve: Callable[[Flask], Server], open_browser: Callable[..., Any]) -> Iterator[Any]:
    """Ana's phone at a table where the third game has just been won."""
    table = FakeTable(replace(STATES["over"], game=3))
    table.past.games = past_games(3, ("Ana", "Dorothea-Valentina", "Cid"))
    access = Access(code=CODE)
    with serve(create_app(box_parts(table, access=access))) as server:
        driver = open_browser()
        become(driver, server.url, access, "Ana")
        page = Page(driver, server.url)
        yield page
        assert page.elsewhere() == []


@pytest.mark.parametrize("size", [(360, 640), (320, 568), (820, 1180)])
def test_a_game_is_reviewed_and_its_puzzles_played(after_game: Any, size: tuple[int, int]) -> None:
    page = after_game
    resize(page.driver, size)
    page.tap(".keepsake [data-item='review']")
    page.wait(lambda: page.all(".reviewed"), "the review")
    assert page.misfits() == []
    bars = page.one(".chances").get_attribute("aria-label")
    assert bars.startswith("round 1: Ana 3")
    assert bars.endswith("100%") or "end: " in bars
    assert "Better: " in page.text
    assert "%" not in page.one(".answers").text
    page.tap("[data-answer='0']")
    page.wait(lambda: page.one(".answers").text.count("%") == 4, "what each call was worth")
    assert len(page.all(".answer.right")) == 1
    assert page.one(".answers").text.count("played") == 1
    hand = page.one(".handdice").get_attribute("aria-label")
    page.tap("[data-item='next-puzzle']")
    page.wait(lambda: "%" not in page.one(".answers").text, "the next puzzle")
    assert page.one(".handdice").get_attribute("aria-label") != hand or "Puzzle 2" in page.text
    page.tap("[data-item='back']")
    page.wait(lambda: not page.all(".sheet"), "the game that was reviewed, at its end")


def test_a_review_opened_from_the_list_leads_back_to_its_game(after_game: Any) -> None:
    open_past(after_game)
    after_game.tap("[data-game='3']")
    after_game.tap(".sheet [data-item='review']")
    after_game.wait(lambda: after_game.all(".reviewed"), "the review")
    after_game.tap("[data-item='back']")
    after_game.wait(lambda: after_game.all(".sheet .gamecard"))
    after_game.tap("[data-item='back']")
    after_game.wait(lambda: len(after_game.all(".pastgame")) == 3)


def test_only_the_review_speaks_of_luck(after_game: Any) -> None:
    """It is reckoned in chances of winning; a second scale of that name would be in dice."""
    after_game.tap(".story")
    after_game.wait(lambda: after_game.all(".sheet .figures"), "the figures")
    assert "luck" not in after_game.one(".sheet").text.lower()
    after_game.tap(".sheet .close")
    open_past(after_game)
    after_game.tap("[data-page='statistics']")
    after_game.wait(lambda: after_game.all(".chart"))
    assert "luck" not in after_game.one(".sheet").text.lower()


def test_my_decisions_are_those_of_this_phones_player_and_others_by_choice(after_game: Any) -> None:
    page = after_game
    assert page.one("[data-item='review']").text == "My decisions"
    page.tap(".keepsake [data-item='review']")
    page.wait(lambda: page.all(".reviewed"), "the review")

    def told() -> list[str]:
        return [each.text for each in page.all(".reviewed .did")]

    mine = told()
    chance = r"(?:right \d of 10 times|hardly ever right|nearly always right)"
    call = rf"You (?:doubted|said calza to) .+\Ws \d+ \w+: (?:a good call, )?{chance}(?:, but nothing was better)?\."
    assert all(re.fullmatch(rf"{call}|You bid \d+ \w+: {chance}\.", each) for each in mine), mine
    assert any(re.fullmatch(call, each) for each in mine)
    costly = len(page.all(".reviewed.error, .reviewed.blunder"))
    assert 1 <= costly <= 3, "and every good call"
    assert len([each for each in page.texts(".reviewed") if "Better: " in each]) == costly
    page.tap(".choice[data-of='Cid']")
    page.wait(lambda: told() and all(each.startswith("Cid ") for each in told()), "another's, by choice")
    assert page.misfits() == []
    page.tap(".choice[data-of='Ana']")
    page.wait(lambda: told() == mine, "one's own again")


def test_the_end_has_one_moment_in_words_and_no_card(after_game: Any) -> None:
    after_game.wait(lambda: after_game.all(".moment"), "the moment to remember")
    moment = after_game.one(".moment").text
    assert moment == "Dorothea-Valentina bid 6 fives, and nobody doubted it: a chance of 1 in 11."
    assert after_game.one(".course").get_attribute("aria-label").startswith("The dice each player had left")
    assert not any(card.is_displayed() for card in after_game.all(".gamecard")), "it is only shared"
    after_game.driver.execute_script(
        "HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };"
        "Object.defineProperty(navigator, 'canShare', { value: undefined })"
    )
    after_game.tap("[data-item='share']")
    assert after_game.wait(lambda: after_game.driver.execute_script("return window.saved"), "the picture")


def test_nothing_is_reviewed_while_a_game_is_played(phone: Any) -> None:
    open_past(phone)
    phone.tap("[data-game='22']")
    phone.tap("[data-item='review']")
    phone.wait(lambda: "Games are reviewed when the game that is being played is over." in phone.text)
    phone.expects("status of 409")
    assert phone.complaints() == []
    phone.tap("[data-item='back']")
    phone.wait(lambda: phone.all(".sheet .gamecard"))
