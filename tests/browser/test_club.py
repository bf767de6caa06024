"""What a table shows of its club: joining, names and leaving on the page of the box, and on the page and the board who
plays here next. In a real Chromium; the club is a fake."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from msgspec.structs import replace
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from companion.box.restart import Restart
from companion.features.health.recent_log import RecentLog
from companion.features.health.service import Maintenance
from companion.state_folder import SECOND_FILE
from companion.table.state.state import ClubAssignment
from tests.browser import chromium
from tests.browser.box_page import BoxPage
from tests.browser.every_language import LANGUAGES
from tests.browser.page import Page
from tests.browser.test_board import CUT, LONG, LOW_OR_CUT, LOWEST, SCREENS, TELEVISION, UPRIGHT
from tests.browser.test_talk import menu
from tests.fakes.club_desk import USED_UP, FakeClubDesk
from tests.fakes.parts import box_parts
from tests.fakes.states import ANA, BEN, CID, CLUB, DOROTHEA, STATES
from tests.fakes.table import FakeTable
from web.access.access import Access
from web.app import create_app
from web.stream.server import Server

pytestmark = pytest.mark.browser

SIZES = ((320, 568), (360, 640), (820, 1180))
ADDRESS = "http://192.168.1.5:8080/join/1a2b3c4d#0123456789abcdef0123456789abcdef"
QUOTE = "\N{RIGHT SINGLE QUOTATION MARK}"
PLAY = "Ana, Cid, Fritz and Dorothea-Valentina play at this table"
NEXT = "Next here: Ana, Cid, Fritz and Dorothea-Valentina (Round 2 of Summer Cup)"


class ClubPage(BoxPage):
    """A phone on the page of the box of a table that may be in a club."""

    def open(self, language: str = "en", *, joins: bool = False, fragment: str = "") -> None:
        if joins and fragment:
            self.load("box#join=1234")
            self.wait(lambda: self.all("section.club"), "being the host")
        self.load(f"box{fragment or '#join=1234' * joins}", language)
        self.wait(lambda: self.all("section.club" if joins else "main .facts"), "the page")

    @property
    def focused(self) -> str:
        return str(self.driver.execute_script("return document.activeElement.className"))


@pytest.fixture
def club() -> FakeClubDesk:
    return FakeClubDesk()


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(STATES["over"])


@pytest.fixture
def box(
    table: FakeTable,
    club: FakeClubDesk,
    serve: Callable[[Flask], Server],
    open_browser: Callable[..., webdriver.Chrome],
) -> Iterator[ClubPage]:
    with serve(create_app(box_parts(table, access=Access(code="1234"), club=club))) as server:
        page = ClubPage(open_browser(), server.url)
        yield page
        page.expects("/box/")
        assert page.complaints() == []


# The page of the box


def test_a_host_takes_the_table_into_a_club_by_the_address_of_an_invitation(box: ClubPage, club: FakeClubDesk) -> None:
    box.open(joins=True)
    assert "Tables in a club share a ranking" in box.text
    assert box.all(".club .join")[0].get_attribute("disabled"), "there is no address yet"
    box.write(".invitation", ADDRESS.partition("#")[0])
    box.tap(".club .join")
    box.wait(lambda: "Copy the whole address" in box.text, "the mistake")
    assert club.joined == []
    box.write(".invitation", f"  {ADDRESS} ")
    assert "Copy the whole address" not in box.text
    box.write(".tablename", "Window" + Keys.ENTER)
    box.wait(lambda: "In Zur Kanne, as “Window”" in box.text, "the club")
    assert club.joined == [(ADDRESS, "Window")]
    assert "Connected." in box.text
    assert box.all(".club form") == []


@pytest.mark.parametrize("fragment", [quote(ADDRESS, safe=""), ADDRESS, quote(ADDRESS, safe="/:#") + "%"])
def test_an_invitation_in_the_pages_address_needs_one_key(fragment: str, box: ClubPage, club: FakeClubDesk) -> None:
    box.open(joins=True, fragment=f"#club={fragment}")
    box.wait(lambda: box.focused == "go join", "the focus")
    assert box.driver.execute_script("return location.hash") == ""
    assert box.all("main > section")[0].get_attribute("id") == "club", "it is what the phone has come for"
    name = box.all(".tablename")[0].get_property("value")
    assert f"{name} · 127.0.0.1:" in box.text, "nothing here answers to the machine's name"
    box.driver.switch_to.active_element.send_keys(Keys.ENTER)
    if fragment.endswith("%"):
        box.wait(lambda: "Copy the whole address" in box.text, "the mistake")
    else:
        box.wait(lambda: "This table is now in Zur Kanne." in box.text, "the club")
        assert club.joined == [(ADDRESS, name)]


def test_an_invitation_opened_on_the_open_page_is_filled_in_too(box: ClubPage) -> None:
    box.open(joins=True)
    box.driver.execute_script("location.hash = arguments[0]", f"club={quote(ADDRESS, safe='')}")
    box.wait(lambda: box.focused == "go join", "the focus")
    assert box.all(".invitation")[0].get_property("value") == ADDRESS


def test_a_stranger_with_an_invitation_joins_the_table_first(box: ClubPage) -> None:
    box.open(fragment=f"#club={quote(ADDRESS, safe='')}")
    box.wait(lambda: f"Only the host{QUOTE}s phone can accept a club{QUOTE}s invitation" in box.text, "the reason")
    assert box.all(".club form") == []
    box.tap("main .go")
    for digit in "1234":
        box.tap(f"[data-digit='{digit}']")
    box.wait(lambda: box.all(".club .join:not(:disabled)"), "the invitation")


def test_a_refusal_is_told_and_what_was_typed_stays(box: ClubPage, club: FakeClubDesk) -> None:
    club.used.add(ADDRESS)
    box.open(joins=True, fragment=f"#club={quote(ADDRESS, safe='')}")
    box.tap(".club .join:not(:disabled)")
    box.wait(lambda: USED_UP in box.texts(".toast.refused"), "the refusal")
    assert box.all(".invitation")[0].get_property("value") == ADDRESS
    box.open("fr", joins=True, fragment=f"#club={quote(ADDRESS, safe='')}")
    box.tap(".club .join:not(:disabled)")
    said = "Cette invitation a déjà servi. Chaque table a besoin de la sienne."
    box.wait(lambda: said in box.texts(".toast.refused"), "the same in French")
    complaints = box.complaints()
    assert any("409" in line for line in complaints)
    assert [line for line in complaints if "/box/" not in line] == []


def test_the_players_of_the_last_game_are_named_one_by_one(box: ClubPage, club: FakeClubDesk) -> None:
    club.join(ADDRESS, "Window")
    club.set_names(("Zoé",))
    box.open(joins=True)
    switches = ["Ana", "Ben", "Cid", "Dorothea-Valentina", "Élise", "Ἑλένη", "Zoé"]
    box.wait(lambda: box.texts(".naming label") == [f"{name} may be named in the club" for name in switches], "all")
    box.driver.execute_script(
        "for (const name of ['Ben', 'Ana']) document.querySelector(`[data-named='${name}']`).click()"
    )
    box.wait(lambda: club.now.names == ("Zoé", "Ben", "Ana"), "two taps, the second before the answer to the first")
    box.tap("[data-named='Zoé']")
    box.wait(lambda: club.now.names == ("Ben", "Ana"), "one less")
    assert box.all("[data-named='Zoé']"), "a slip can be put right"
    club.leave()
    box.wait(lambda: not box.all(".naming"), "having left")


def test_a_guest_sees_the_club_and_changes_nothing(box: ClubPage, club: FakeClubDesk) -> None:
    box.open()
    assert box.all("section.club") == []
    club.join(ADDRESS, "Window")
    club.now = replace(club.now, online=False)
    box.wait(lambda: "In Zur Kanne, as “Window”" in box.text, "the club")
    assert "Not connected. Games go on" in box.text
    assert "only by the colour of their dice" in box.text
    club.now = replace(club.now, refused=True)
    box.wait(lambda: "perhaps it was removed. To come back, leave the club here" in box.text, "being taken out")
    club.set_names(("Ben", "Ana"))
    box.wait(lambda: "May be named there: Ben, Ana" in box.text, "the names")
    assert box.all(".club button, .club input") == []


def test_leaving_the_club_asks_first(box: ClubPage, club: FakeClubDesk) -> None:
    club.join(ADDRESS, "Window")
    box.open(joins=True)
    box.open_sheet("leaveclub")
    assert f"The club{QUOTE}s books keep past games." in box.text
    box.tap(".sheet .plain")
    box.wait(lambda: not box.all(".sheet"), "the sheet to close")
    assert club.now.title
    box.open_sheet("leaveclub")
    box.tap(".sheet .danger")
    box.wait(lambda: box.all(".club form"), "having left")
    assert not club.now.title


def test_a_host_whose_box_has_a_twin_is_told_and_makes_it_a_second_one(
    table: FakeTable,
    club: FakeClubDesk,
    tmp_path: Path,
    serve: Callable[[Flask], Server],
    open_browser: Callable[..., webdriver.Chrome],
) -> None:
    restart = Restart()
    maintenance = Maintenance(tmp_path, table.state, RecentLog(), restart)
    club.join(ADDRESS, "Window")
    club.now = replace(club.now, online=False, taken_over=True)
    with serve(create_app(box_parts(table, access=Access(code="1234"), club=club, maintenance=maintenance))) as server:
        box = ClubPage(open_browser(), server.url)
        box.open()
        box.wait(lambda: "Another box says that it is this table" in box.text, "the guest's word")
        assert box.all(".club button") == []
        box.open(joins=True)
        box.wait(lambda: box.all(".club .second"), "the host's button")
        assert box.all(".leaveclub") == [], "to leave would take the other box out"
        box.tap(".club .second")
        box.wait(lambda: "needs an invitation of its own" in box.text, "what it means")
        assert not restart.due
        box.tap(".sheet .go")
        box.wait(lambda: restart.due, "the start")
        assert (tmp_path / SECOND_FILE).exists()


def test_an_invitation_to_another_club_says_to_leave_this_one_first(box: ClubPage, club: FakeClubDesk) -> None:
    club.join(ADDRESS, "Window")
    box.open(joins=True, fragment=f"#club={quote(ADDRESS, safe='')}")
    box.wait(lambda: "Before accepting the new invitation, leave Zur Kanne." in box.text, "the sentence")
    box.tap(".leaveclub")
    box.tap(".sheet .danger")
    box.wait(lambda: box.all(".club .join:not(:disabled)"), "the invitation")


def test_the_section_fits_in_every_language(box: ClubPage, club: FakeClubDesk, axe: Callable[..., list[str]]) -> None:
    faults = []
    box.open(joins=True, fragment=f"#club={quote(ADDRESS + 'f', safe='')}")
    for member, twice in ((False, False), (True, False), (True, True)):
        if member and not twice:
            club.join(ADDRESS, "An der Theke, neben der Musik, unten links")
            club.set_names(("Ana", "W" * 24))
            box.wait(lambda: box.all(".naming input"), "the names")
        if twice:
            club.now = replace(club.now, taken_over=True)
            box.wait(lambda: box.all(".twoboxes"), "the other box")
        texts = set()
        for language in LANGUAGES:
            box.now_in(language)
            if not member:
                box.tap(".club .join")
                box.wait(lambda: box.all(".club .problem"), "the mistake")
            texts.add("\n".join(box.texts("section.club")))
            where = f"{'inside' if member else 'outside'} {language}"
            for size in SIZES:
                chromium.resize(box.driver, size)
                faults += [f"{where} {size}: {fault}" for fault in box.misfits()]
            for theme in ("dark", "light"):
                box.wear(theme)
                faults += [f"{where} {theme}: {line}" for line in axe(box.driver)]
        assert len(texts) == len(LANGUAGES)
    assert faults == []


# The page of the table


@pytest.fixture
def site(table: FakeTable, serve: Callable[[Flask], Server]) -> Iterator[str]:
    table.show(STATES["seating-assigned"])
    with serve(create_app(box_parts(table, access=Access(code="1234")))) as server:
        yield server.url


def seats(page: Any) -> list[tuple[str, str]]:
    """Name and colour of each seat in the form of a new game, in the sheet if one is open."""
    return [
        (seat.find_element("css selector", "input").get_property("value"),
         seat.find_element("css selector", "select").get_property("value"))
        for seat in page.all(".sheet .seat") or page.all(".seat")
    ]  # fmt: skip


def test_between_games_a_card_says_who_plays_here_next(site: str, table: FakeTable, open_browser: Any) -> None:
    page = Page(open_browser(), site)
    page.wait(lambda: page.all(".assigned"), "the card")
    assert page.one(".assigned h2").text == "Round 2 of Summer Cup"
    assert page.one(".assigned p").text == PLAY
    table.show(replace(STATES["over"], club=CLUB))
    page.in_phase("over")
    assert page.all(".assigned button") == [], "a phone that has not joined may not open a game"


def test_a_phone_that_only_watches_is_offered_nothing(site: str, table: FakeTable, open_browser: Any) -> None:
    page = Page(open_browser(), site, "watching")
    page.wait(lambda: page.all(".assigned"), "the card")
    assert page.all(".assigned button") == []
    table.show(replace(STATES["over"], club=replace(CLUB, assignment=None)))
    page.wait(lambda: not page.all(".assigned"), "the assignment that was taken back")


def test_the_form_is_filled_in_and_nothing_starts_by_itself(site: str, table: FakeTable, open_browser: Any) -> None:
    table.show(STATES["over-assigned"])
    page = Page(open_browser(), site, "the table's tablet")
    page.one(".assigned .go").send_keys(Keys.ENTER)
    page.wait(lambda: page.all(".sheet .seat"), "the form")
    filled = [(ANA, "red"), (CID, "green"), ("Fritz", "blue"), (DOROTHEA, "yellow")]
    assert seats(page) == filled, "everybody keeps the colour, and the dice that nobody has are given first"
    start = "return document.querySelector('.sheet [type=submit]').getBoundingClientRect().bottom <= innerHeight"
    assert page.driver.execute_script(start), "within reach of the thumb, however long the form"
    assert "In seating order, clockwise" in page.text
    table.show(replace(STATES["over-assigned"], club=replace(CLUB, assignment=None)))
    page.wait(lambda: not page.all(".assigned"), "the assignment that was taken back")
    assert seats(page) == filled, "what is being filled in stays"
    assert table.commands == []
    page.tap(".sheet > header .icon")
    page.tap(".dock .othergame")
    page.wait(lambda: [name for name, _ in seats(page)][1:2] == [BEN], "the players of last time")
    table.show(STATES["over-assigned"])
    page.tap("[data-item='drawn']")
    page.wait(lambda: seats(page) == filled, "the assignment that came while the form was open")
    page.tap(".sheet > header .icon")
    page.tap(".dock .othergame")
    page.wait(lambda: seats(page) == filled, "New game, with those who are drawn")


def test_the_players_of_an_assignment_begin_their_game(page: Any, desk: Any) -> None:
    names = ("Cid", "Dora", "Ana", "Eve")
    assigned = replace(CLUB, assignment=ClubAssignment(tournament="Summer Cup", round="Final", players=names))
    desk.table.set_club(assigned)
    menu(page, "club")
    assert page.all(".assigned") == []
    assert "Final of Summer Cup: Cid, Dora, Ana and Eve play at this table." in page.text
    page.tap(".sheet > header .icon")
    page.wait(lambda: not page.all(".sheet"), "the page")
    assert page.one(".afterwards").text == "Next here: Cid, Dora, Ana and Eve (Final of Summer Cup)"
    menu(page, "game")
    drawn = [("Cid", "green"), ("Dora", "blue"), ("Ana", "red"), ("Eve", "orange")]
    page.wait(lambda: seats(page) == drawn, "those who are drawn")
    page.tap("[data-item='usual']")
    page.wait(lambda: [name for name, _ in seats(page)] == ["Ana", "Ben", "Cid"], "the players of this game")
    page.tap(".sheet > header .icon")
    menu(page, "end")
    page.tap(".sheet .danger")
    page.tap(".assigned .go")
    page.tap(".sheet .gameform [type='submit']")
    page.wait(lambda: desk.table.state().game == 2 and page.phase == "bidding", "the game")
    assert tuple(player.name for player in desk.table.state().players) == names
    assert not page.all(".assigned, .afterwards"), "it is their game"


@pytest.mark.parametrize("screen", [chromium.PHONE, (820, 1180)], ids=["phone", "tablet"])
def test_during_a_game_a_line_says_who_plays_here_next_but_not_over_a_reveal(
    screen: tuple[int, int], site: str, table: FakeTable, open_browser: Any
) -> None:
    places = "return [...document.querySelectorAll('.pad, .table')].map((e) => e.getBoundingClientRect().top)"
    table.show(STATES["bidding"])
    page = Page(open_browser(screen), site, "the table's tablet")
    page.in_phase("bidding")
    before = page.driver.execute_script(places)
    for state in ("bidding", "reading", "rolling", "checking", "break", "verdict-wrong", "bidding"):
        shown = replace(STATES[state], club=CLUB)
        table.show(shown)
        page.shows(table.state().version, shown.phase)
        there = state in {"bidding", "rolling", "break"}
        page.wait(lambda there=there: bool(page.all(".afterwards")) == there, f"the line in {state}")
        assert [line.text for line in page.all(".afterwards")] == [NEXT] * there, state
        assert page.misfits() == [], state
    for club, seconds in ((CLUB, 0), (None, 60)):
        table.show(replace(STATES["bidding"], club=club, turn_seconds=seconds))
        page.wait(lambda club=club: page.all(".afterwards" if club else ".match"), "the line, or the clock of the turn")
        after = page.driver.execute_script(places)
        assert max(abs(a - b) for a, b in zip(before, after, strict=True)) < 50, "two lines at most, and no hole"
    table.show(replace(STATES["bidding"], club=replace(CLUB, assignment=replace(CLUB.assignment, players=(ANA, CID)))))
    page.wait(lambda: not page.all(".afterwards"), "their own game, and some who are not drawn")


def test_a_club_that_is_away_disturbs_no_game(site: str, table: FakeTable, open_browser: Any) -> None:
    page = Page(open_browser(), site, "the table's tablet")
    table.show(replace(STATES["bidding"], club=replace(CLUB, online=False)))
    page.in_phase("bidding")
    without = page.driver.execute_script("return document.querySelector('main').innerText")
    assert "Zur Kanne" not in without
    page.tap(".icon.menu")
    page.wait(lambda: "This table is in Zur Kanne, which does not answer now." in page.text, "the line")
    assert f"Round 2 of Summer Cup: {PLAY}." in page.text
    table.show(replace(STATES["bidding"], club=replace(CLUB, assignment=None)))
    page.wait(lambda: "This table is in Zur Kanne.\n" in page.text + "\n", "the club that is there again")
    assert "Summer Cup" not in page.text


def test_a_table_in_no_club_loads_nothing_of_it(site: str, table: FakeTable, open_browser: Any) -> None:
    table.show(STATES["seating"])
    page = Page(open_browser(), site, "the table's tablet")
    page.tap(".icon.menu")
    page.still()
    loaded = "return performance.getEntriesByType('resource').filter((e) => /club/.test(e.name)).length"
    assert page.driver.execute_script(loaded) == 0
    table.show(STATES["seating-assigned"])
    page.wait(lambda: page.all(".assigned") and page.driver.execute_script(loaded), "the card")


@pytest.mark.parametrize(
    ("said", "title"),
    [("Round 12", "Summer Cup, ronde 12"), ("Final", "Summer Cup, finale"), ("Poule B", "Summer Cup, Poule B")],
)
def test_rounds_are_named_in_the_pages_language(
    said: str, title: str, site: str, table: FakeTable, open_browser: Any
) -> None:
    page = Page(open_browser(), site)
    page.speak("fr")
    table.show(
        replace(STATES["seating"], club=replace(CLUB, assignment=replace(CLUB.assignment, round=said, players=(ANA,))))
    )
    page.driver.refresh()
    page.wait(lambda: page.all(".assigned"), "the card")
    assert page.one(".assigned").text == f"{title}\nAna joue à cette table"
    assigned = replace(CLUB.assignment, round=said, players=("Fritz",))
    table.show(replace(STATES["bidding"], club=replace(CLUB, assignment=assigned)))
    page.wait(lambda: page.all(".afterwards"), "the line")
    assert page.one(".afterwards").text == f"Ensuite à cette table\u202f: Fritz ({title})"
    page.driver.execute_script("localStorage.clear()")


def test_the_board_shows_who_plays_here_next(site: str, table: FakeTable, open_browser: Any) -> None:
    page = Page(open_browser(TELEVISION), f"{site}board")
    page.wait(lambda: page.all(".b-next"), "the card")
    assert page.one(".b-next").text == f"Round 2 of Summer Cup\n{PLAY}"
    table.show(STATES["over-assigned"])
    page.wait(lambda: page.one(".b-stage .b-next").text == f"Round 2 of Summer Cup: {PLAY}", "the line")
    table.show(replace(STATES["bidding"], club=CLUB))
    page.wait(lambda: not page.all(".b-next") and page.all(".b-after"), "the game")
    assert page.one(".b-stage .b-after").text == NEXT
    for state in ("palifico", "verdict-wrong", "reading", "reading-no-camera"):
        table.show(replace(STATES[state], club=CLUB))
        page.shows(table.state().version)
        assert page.all(".b-after, .b-next") == [], state


@pytest.mark.parametrize("state", ["seating", "over", "bidding", "rolling"])
def test_the_longest_assignment_fits_the_board(state: str, site: str, table: FakeTable, open_browser: Any) -> None:
    page = Page(open_browser(TELEVISION), f"{site}board#join=1234")
    assigned = replace(CLUB.assignment, tournament="Meisterschaft der Stadt " * 2, players=tuple(LONG.values()))
    table.show(replace(STATES[state], club=replace(CLUB, assignment=assigned)))
    page.wait(lambda: page.all(".b-next, .b-after"), "the card")
    page.still()
    for screen in SCREENS:
        chromium.resize(page.driver, screen)
        assert page.driver.execute_script(LOW_OR_CUT, LOWEST) == [], screen
    chromium.resize(page.driver, UPRIGHT)
    assert page.driver.execute_script(CUT) == []
