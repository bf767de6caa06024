"""Every state of the page in a real Chromium: nothing is too wide or too small, and nothing is on the console."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from msgspec.structs import replace

from companion.table.commands import AskReading
from tests.browser.page import Page
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakePanel, FakeTable
from web import create_app
from web.access.access import Access
from web.stream.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def site(tmp_path: Path, serve: Callable[[Flask], Server]) -> Iterator[tuple[FakeTable, str]]:
    table = FakeTable(STATES["seating"])
    (tmp_path / "pictures").mkdir()
    folder = tmp_path / "pictures"
    access = Access(code="1234")
    app = create_app(table, access=access, panel=FakePanel(), camera=FakeCamera(), pictures=folder)
    (tmp_path / "pictures" / "3.jpg").write_bytes(app.test_client().get("/api/v1/frame.jpg").data)
    with serve(app) as server:
        yield table, server.url


def test_every_state_fits_a_phone(site: tuple[FakeTable, str], open_browser: Callable[..., Any]) -> None:
    table, url = site
    page = Page(open_browser(), url, "the table's tablet")
    for name, state in STATES.items():
        table.show(state)
        page.shows(table.state().version, state.phase)
        assert page.misfits() == [], name
        if state.verdict:
            assert state.verdict.sentence in page.text
        for player in () if state.paused else state.players:
            assert player.name in page.text, name
    assert page.complaints() == []
    assert page.elsewhere() == []


def test_a_camera_that_stopped_looking_looks_again_on_request(
    site: tuple[FakeTable, str], open_browser: Callable[..., Any]
) -> None:
    table, url = site
    table.show(STATES["reading-given-up"])
    page = Page(open_browser(), url, "the table's tablet")
    assert "have stopped looking" in page.text
    assert not page.all(".pulse")
    page.tap(".card.reading .go")
    page.wait(lambda: table.commands == [AskReading()])


def test_with_the_lost_dice_hidden_only_public_counts_are_shown(
    site: tuple[FakeTable, str], open_browser: Callable[..., Any]
) -> None:
    table, url = site
    table.show(STATES["palifico-hidden"])
    page = Page(open_browser(), url, "the table's tablet")
    tiles = {tile.text.split("\n")[0]: tile for tile in page.all(".player")}
    dice_shown = {name: [die.get_attribute("class") for die in tile.find_elements("css selector", ".mini")]
             for name, tile in tiles.items()}  # fmt: skip
    assert dice_shown["Cid"] == ["mini green"], "the palifico has one die"
    assert dice_shown["Ana"] == ["mini cup red"]
    assert dice_shown["Ἑλένη"] == []
    assert " dice" not in page.one(".top").text


def test_the_menu_says_so_if_dice_are_kept(site: tuple[FakeTable, str], open_browser: Callable[..., Any]) -> None:
    table, url = site
    table.show(STATES["bidding"])
    page = Page(open_browser(), url, "the table's tablet")
    page.tap(".icon.menu")
    assert not page.all("[data-item='learns']")
    table.show(replace(STATES["bidding"], learn=True))
    page.wait(lambda: page.all("[data-item='learns']"))
    assert "keeps pictures of single dice with what you say of them" in page.text
    assert page.misfits() == []


def test_four_players_stand_in_two_rows_of_two_on_a_tablet(
    site: tuple[FakeTable, str], open_browser: Callable[..., Any]
) -> None:
    table, url = site
    bidding = STATES["bidding"]
    table.show(replace(bidding, players=bidding.players[:4]))
    page = Page(open_browser((820, 1180)), url, "the table's tablet")
    rows = Counter(tile.location["y"] for tile in page.all(".player"))
    assert sorted(rows.values()) == [2, 2]
