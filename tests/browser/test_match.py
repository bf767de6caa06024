"""A series and the clock of a turn on the page and the board. In a real Chromium, by a table that shows states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from msgspec.structs import replace

from companion.table.game.table_position import Series
from tests.browser.chromium import resize
from tests.browser.page import Page
from tests.browser.test_talk import menu
from tests.fakes.parts import box_parts
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.app import create_app
from web.stream.server import Server

pytestmark = pytest.mark.browser

BIDDING = STATES["bidding"]
WINS = {player.name: 0 for player in BIDDING.players} | {"Ana": 2, "Ben": 1}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(replace(BIDDING, series=Series(3, WINS), turn_seconds=30))


@pytest.fixture
def phone(table: FakeTable, serve: Callable[[Flask], Server], open_browser: Callable[..., Any]) -> Iterator[Any]:
    with serve(create_app(box_parts(table))) as server:
        page = Page(open_browser(), server.url)
        yield page
        assert page.elsewhere() == []


def score(page: Any) -> list[str]:
    return [" ".join(item.text.split()) for item in page.all(".score li")]


@pytest.mark.parametrize("size", [(360, 640), (320, 568), (820, 1180)])
def test_the_score_is_shown_and_who_won_the_series(phone: Any, table: FakeTable, size: tuple[int, int]) -> None:
    resize(phone.driver, size)
    phone.wait(lambda: phone.all(".score"))
    assert score(phone)[:2] == ["Ana 2", "Ben 1"]
    assert "Games won, first to 3" in phone.text
    assert phone.misfits() == []
    table.show(replace(STATES["over"], series=Series(3, WINS | {"Ana": 3})))
    phone.wait(lambda: "Ana has won the series" in phone.text)
    assert phone.all(".turnclock") == []


def test_the_clock_shows_that_the_time_is_up_and_begins_anew_with_the_next_turn(phone: Any, table: FakeTable) -> None:
    phone.wait(lambda: phone.one(".turnclock .left").get_attribute("data-left") in ("19", "20"))
    assert not phone.one(".timeup").is_displayed()
    table.left = 0.0
    table.show(replace(table.state(), round=1))
    phone.wait(lambda: phone.one(".timeup").is_displayed())
    assert phone.one(".timeup").text == "Time is up"
    assert table.commands == [], "it only shows"
    table.left = 30.0
    table.show(replace(table.state(), round=2))
    phone.wait(lambda: not phone.one(".timeup").is_displayed())


def test_the_board_shows_both(phone: Any, table: FakeTable) -> None:
    resize(phone.driver, (1280, 720))
    phone.driver.get(phone.driver.current_url.split("#")[0] + "board")
    phone.wait(lambda: score(phone)[:1] == ["Ana 2"])
    phone.wait(lambda: phone.one(".turnclock .left").get_attribute("data-left") in ("19", "20"))
    table.left = 0.0
    table.show(replace(table.state(), round=1))
    phone.wait(lambda: phone.one(".timeup").is_displayed())


def test_a_game_has_neither_unless_it_is_chosen(page: Any, desk: Any) -> None:
    assert page.all(".match") == []
    menu(page, "game")
    page.tap(".gameform .more")
    page.wait(lambda: page.all("select[aria-label='Series']"))
    page.tap(".gameform .go")
    page.wait(lambda: desk.table.state().game == 2)
    assert (desk.table.state().series, desk.table.state().turn_seconds) == (None, 0)
    menu(page, "game")
    page.tap(".gameform .more")
    page.one("select[aria-label='Series'] option[value='3']").click()
    page.one("select[aria-label='Turn clock'] option[value='45']").click()
    page.tap(".gameform .go")
    page.wait(lambda: desk.table.state().game == 3)
    assert desk.table.state().series == Series(3, {"Ana": 0, "Ben": 0, "Cid": 0})
    assert desk.table.state().turn_seconds == 45
    page.wait(lambda: page.all(".turnclock") and score(page) == ["Ana 0", "Ben 0", "Cid 0"])
    menu(page, "game")
    page.tap(".gameform .more")
    page.wait(lambda: page.one("select[aria-label='Series']").get_property("value") == "3")
