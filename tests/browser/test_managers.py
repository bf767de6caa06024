"""Who runs a club, in a real Chromium: tables that come and go, and names in the books."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser.axe import THEMES
from tests.browser.every_language import LANGUAGES
from tests.browser.lobby_page import PHONES, SPILLS, Club, LobbyPage
from tests.fakes.club_records import club_record

pytestmark = pytest.mark.browser


AROUND = """
    const card = document.querySelector(arguments[0]), box = (e) => e.getBoundingClientRect();
    const summary = box(card.querySelector('summary'));
    return [summary.top - box(card).top, box(card).bottom - summary.bottom];"""
EMPTY = (Keys.CONTROL, "a", Keys.NULL, Keys.BACKSPACE)
"""Empties a field as people do: the page draws it anew with what was typed last."""
GROUNDS = "return [...document.querySelectorAll('input, select')].map((e) => getComputedStyle(e).backgroundColor)"


@pytest.fixture
def page(lobby_pages: Callable[[], LobbyPage]) -> LobbyPage:
    return lobby_pages()


def test_a_table_is_invited(club: Club, page: LobbyPage) -> None:
    page.manage()
    page.tap("[data-item='invite']")
    page.wait(lambda: page.all("img.qr"), "the code")
    address = page.one(".invite textarea").get_attribute("value")
    assert address.startswith(f"{club.url}join/")
    assert page.driver.execute_script("return document.querySelector('.qr').naturalWidth") > 0
    assert page.all("#app svg, .top svg") == []
    page.tap("[data-item='copy']")
    page.says("Copied")


def test_a_wrong_code_is_refused_in_words(club: Club, page: LobbyPage) -> None:
    page.open("#tournaments")
    page.tap("[data-item='manage']")
    page.wait(lambda: page.all("[data-item='code']"), "the field")
    page.one("[data-item='code']").send_keys("0000")
    page.tap("[data-item='enter-code']")
    page.says("Wrong code. The hub prints the right one when it starts.")
    page.expects("status of 403")
    page.open("tournament?n=7")
    page.says("There is no such tournament.")
    page.expects("status of 404")


def test_a_table_is_taken_out(club: Club, page: LobbyPage) -> None:
    club.table("Window")
    club.table("Door")
    page.manage()
    above, below = page.driver.execute_script(AROUND, "[data-item='members']")
    assert abs(above - below) < 1.5, "a closed card has as much space below as above"
    assert len(set(page.driver.execute_script(GROUNDS))) == 1
    page.tap("[data-item='members'] summary")
    page.tap("[data-member='t-0'] button")
    page.says("Remove Window from the club?")
    page.tap("[data-item='keep']")
    page.wait(lambda: not page.all("[data-item='keep']"), "the question to go")
    assert [each.name for each in club.hub.tables()] == ["Door", "Window"]
    page.tap("[data-member='t-0'] button")
    page.tap("[data-item='remove']")
    page.wait(lambda: page.texts("[data-member] bdi") == ["Door"], "the table to go")
    page.driver.execute_script("location.hash = 'tables'")
    page.wait(lambda: page.texts(".table-card h2") == ["Door"], "the other table alone")


def test_two_spellings_become_one_player_and_it_can_be_undone(club: Club, page: LobbyPage) -> None:
    table = club.table()
    table.record(club_record("t-0.x/1", "Ana", "Ben"))
    table.record(club_record("t-0.x/2", "Anna", "Ben"))
    page.manage()
    page.open("player?name=Anna")
    page.tap("[data-item='name'] summary")
    field = page.one("[data-item='wanted']")
    assert not page.one("[data-item='save-name']").is_enabled()
    field.send_keys(*EMPTY, "Ana")
    page.tap("[data-item='save-name']")
    page.tap("[data-item='sure-of-name']")
    page.wait(lambda: page.texts("h1") == ["Ana"] and len(page.all("[data-game]")) == 2, "both games of Ana")
    page.open("#ranking")
    page.wait(lambda: page.texts("[data-player] a") == ["Ana", "Ben"], "one player fewer")
    page.says("Anna → Ana")
    page.tap("[data-other-name] button")
    page.wait(lambda: len(page.all("[data-player]")) == 3 and not page.all("[data-other-name]"), "both names")


def test_a_trial_game_is_left_out(club: Club, page: LobbyPage) -> None:
    club.table().record(club_record("t-0.x/1", "Ana", "Ben"))
    page.manage()
    page.open("game?id=t-0.x%2F1")
    page.tap("[data-item='count']")
    page.says("A manager left this game out", "Count this game again")
    assert club.hub.books.ranking() == ()
    page.tap("[data-item='count']")
    page.says("Leave this game out")
    assert [each.name for each in club.hub.books.ranking()] == ["Ana", "Ben"]


def test_all_games_of_a_table_are_left_out_and_count_again(club: Club, page: LobbyPage) -> None:
    club.table("Window").record(club_record("t-0.x/1", "Ana", "Ben"))
    page.manage()
    page.tap("[data-item='members'] summary")
    page.tap("[data-member='t-0'] a")
    page.tap("[data-item='count-table']")
    page.says("Leave out all games of Window, future ones too?")
    page.tap("[data-item='keep-games']")
    page.wait(lambda: not page.all("[data-item='keep-games']"), "the question to go")
    assert len(club.hub.books.ranking()) == 2
    page.tap("[data-item='count-table']")
    page.tap("[data-item='sure-to-leave-out']")
    page.says("A manager left out all games of this table")
    assert club.hub.books.ranking() == ()
    page.tap("[data-game]")
    page.says("A manager left out all games of this table")
    assert page.all("[data-item='count']") == []
    page.open("#games/t-0")
    page.tap("[data-item='count-table']")
    page.says("Leave out all games of this table")
    assert [each.name for each in club.hub.books.ranking()] == ["Ana", "Ben"]


def test_a_table_is_taken_out_with_its_games(club: Club, page: LobbyPage) -> None:
    club.table("Window").record(club_record("t-0.x/1", "Ana", "Ben"))
    club.table("Door").record(club_record("t-1.x/1", "Cid", "Dora"))
    page.manage()
    page.tap("[data-item='members'] summary")
    page.tap("[data-member='t-0'] button")
    page.tap("[data-item='with-games']")
    page.says("Remove Window and all its games from the club?", "This cannot be undone.")
    page.tap("[data-item='keep']")
    page.tap("[data-member='t-0'] button")
    page.says("Its games stay.")
    page.tap("[data-item='with-games']")
    page.says("Remove with its games")
    page.tap("[data-item='remove']")
    page.wait(lambda: page.texts("[data-member] bdi") == ["Door"], "the table to go")
    page.open("#ranking")
    page.wait(lambda: page.texts("[data-player] a") == ["Cid", "Dora"], "the others alone")


def test_a_name_is_taken_out(club: Club, page: LobbyPage) -> None:
    club.table().record(club_record("t-0.x/1", "Ana", "Ben"))
    page.manage()
    page.open("player?name=Ana")
    page.driver.execute_script("Math.random = () => 0")  # a change of the books is loaded at once
    page.tap("[data-item='name'] summary")
    page.one("[data-item='wanted']").send_keys(*EMPTY)
    page.says("Remove the name")
    page.tap("[data-item='save-name']")
    page.tap("[data-item='sure-of-name']")
    page.wait(lambda: page.texts("[data-player] a") == ["Ben"], "the ranking without Ana")
    page.says("Ana → no name")


def test_what_a_manager_does_fits(club: Club, page: LobbyPage) -> None:
    table = club.table("The table in the window, under the lamp")
    table.record(club_record("t-0.x/1", "Maximilian-Alexander", "Ben"))
    table.record(club_record("t-0.x/2", "Maximilian-Aleksander", "Ben"))
    club.hub.books.set_name("Maximilian-Aleksander", "Maximilian-Alexander")
    page.manage()
    faults = []
    for path, opened in (
        ("#tournaments", "members"),
        ("#games/t-0", ""),
        ("#ranking", ""),
        ("player?name=Maximilian-Alexander", "name"),
        ("game?id=t-0.x%2F1", ""),
    ):
        page.open(path, language=page.language)
        if opened:
            page.tap(f"[data-item='{opened}'] summary")
        if opened == "members":
            page.tap("[data-member] button")
            page.tap("[data-item='with-games']")
        if "games" in path:
            page.tap("[data-item='count-table']")
        texts = set()
        for language in LANGUAGES:
            page.now_in(language)
            texts.add(page.texts("main")[0])
            for size, theme in zip(PHONES, (*THEMES, "dark"), strict=True):
                page.fit(size)
                page.wear(theme)
                found = page.misfits() + page.driver.execute_script(SPILLS)
                faults += [f"{path} {language} {size} {theme}: {line}" for line in found]
        assert len(texts) == len(LANGUAGES), path
    assert faults == []
