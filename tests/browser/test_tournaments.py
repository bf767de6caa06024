"""Tournaments in the lobby of a club, in a real Chromium: run from one phone, watched on others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from companion.club.hub.tournaments import TournamentAnswer
from companion.club.tournament.commands import (
    CloseTournament,
    DrawRound,
    EnterResult,
    JoinTournament,
    LeaveTournament,
    OpenTournament,
)
from companion.club.tournament.tournament import table_sizes
from tests.browser.axe import THEMES
from tests.browser.every_language import LANGUAGES
from tests.browser.lobby_page import PHONES, SPILLS, TELEVISIONS, Club, LobbyPage
from tests.fakes.club_records import club_record
from tests.wait import wait_until

pytestmark = pytest.mark.browser

EIGHT = ("Ana", "Ben", "Cid", "Dora", "Eve", "Finn", "Gil", "Hana")
MARKUP = "<b>Zoë</b>"
LONG_NAME = "Fiona-Maximiliana-ONeill"
DID_NOT_PLAY = "\u2013"


@pytest.fixture
def page(lobby_pages: Callable[[], LobbyPage]) -> LobbyPage:
    return lobby_pages()


def drawn(club: Club, names: tuple[str, ...] = EIGHT, *, rounds: int = 1, title: str = "Summer Cup") -> int:
    """A tournament whose last round has no result."""
    number = club.hub.tournaments.open(OpenTournament(title, table_size=4)).tournament
    club.hub.tournaments.do(number, JoinTournament(names))
    for played in range(1, rounds + 1):
        answer = club.hub.tournaments.do(number, DrawRound(played))
        assert answer is not None
        for table in answer.rounds[-1].tables if played < rounds else ():
            result = EnterResult(played, table.number, tuple((name,) for name in sorted(table.players)))
            club.hub.tournaments.do(number, result)
    return number


def now(club: Club, number: int = 1) -> TournamentAnswer:
    found = club.hub.tournaments.one(number)
    assert found is not None
    return found


def enter(page: LobbyPage, table: int, order: list[str]) -> None:
    """Enter a table's result by tapping its players."""
    page.tap(f"[data-now] [data-enter='{table}']")
    for place, name in enumerate(order, start=1):
        page.tap(f"[data-pick='{name}']")
        shown = f"[data-pick='{name}'] .place"
        page.wait(lambda shown=shown, place=place: page.texts(shown) == [str(place)], f"place {place}")
    page.tap("[data-item='save']")
    page.wait(lambda: page.all(f"[data-now] [data-seating='{table}'].done"), f"the result of table {table}")


def test_a_tournament_is_run_from_one_phone_and_seen_on_another(
    club: Club, lobby_pages: Callable[[], LobbyPage]
) -> None:
    host, watcher = lobby_pages(), lobby_pages()
    host.manage()
    watcher.open("#tournaments")
    watcher.says("No tournament yet.")
    host.one("[data-item='title']").send_keys("Summer Cup")
    host.one("[data-item='table_size'] option[value='4']").click()
    host.tap("form [data-item='open']")
    host.says("Summer Cup", "No players have joined.")
    host.one("[data-item='names']").send_keys("Ana, Ben\nCid\n\n Dora ,Eve,Finn\nGil")
    host.tap("[data-item='add']")
    host.wait(lambda: len(host.all("[data-entrant]")) == 7, "seven players")
    host.one("[data-item='names']").send_keys("Hana")
    host.tap("[data-item='add']")
    host.wait(lambda: len(host.all("[data-entrant]")) == 8, "eight players")

    watcher.wait(lambda: watcher.all("[data-tournament='1']"), "the tournament in the list")
    watcher.tap("[data-tournament='1']")
    watcher.says("No round has been drawn yet.", "Hana")
    host.tap("[data-step='draw']")
    watcher.wait(lambda: len(watcher.all("[data-seating]")) == 2, "the seating")
    seats = [table.players for table in now(club).rounds[0].tables]
    assert [tuple(each.splitlines()) for each in watcher.texts("[data-now] .sitting")] == seats
    watcher.one("[data-item='where']").send_keys("hana")
    table = next(n for n, players in enumerate(seats, start=1) if "Hana" in players)
    watcher.says(f"Hana → Table {table}")
    assert watcher.all("main button") != []
    assert watcher.texts("main button") == ["I run the tournaments"], "who watches changes nothing"

    for number, players in enumerate(seats, start=1):
        enter(host, number, sorted(players))
    watcher.wait(lambda: len(watcher.all("[data-now] .done")) == 2, "the results")
    assert watcher.texts("[data-now] [data-seating='1'] .first bdi") == [min(seats[0])]
    standings = now(club).standings
    watcher.wait(
        lambda: watcher.texts("[data-standing] th") == [each.name for each in standings], "the standings as they are"
    )
    assert watcher.texts("[data-standing] strong")[:2] == ["1.00", "1.00"]

    host.tap("[data-step='draw']")
    watcher.says("Round 2 of 5")
    watcher.wait(lambda: watcher.all("[data-round='1']"), "the earlier round")
    assert len(now(club).rounds) == 2


def test_the_form_says_how_many_sit_at_a_table(club: Club, page: LobbyPage) -> None:
    page.manage()
    for wish in (4, 5, 6):
        page.one(f"[data-item='table_size'] option[value='{wish}']").click()
        page.says(f"At most {wish} at a table, if possible; 17 players: {' + '.join(map(str, table_sizes(17, wish)))}.")


LOSE_ANSWERS = """
    const real = window.fetch;
    window.fetch = async (...asked) => {
      const answer = await real(...asked);
      if (!asked[1] || asked[1].method !== 'POST' || !window.lost) return answer;
      window.lost -= 1;
      throw new TypeError('lost');
    };
    window.lost = 1;"""
"""The answer to the next change does not come."""


def test_a_tournament_whose_answer_was_lost_is_opened_once(club: Club, page: LobbyPage) -> None:
    page.manage()
    page.driver.execute_script(LOSE_ANSWERS)
    page.one("[data-item='title']").send_keys("Summer Cup")
    page.tap("form [data-item='open']")
    page.says("The club did not answer.")
    page.one("[data-tournament='1']")  # the list has it by now; the form stays as it is
    assert len(club.hub.tournaments.all()) == 1
    page.tap("form [data-item='open']:enabled")
    page.wait(lambda: "/tournament?n=1" in page.driver.current_url, "its page")
    page.says("No players have joined.")
    assert len(club.hub.tournaments.all()) == 1


def test_the_same_tap_is_another_one_once_it_was_answered(club: Club, page: LobbyPage) -> None:
    drawn(club)
    page.manage("tournament?n=1")
    page.tap("[data-item='entrants'] summary")
    page.driver.execute_script(LOSE_ANSWERS)
    for left in (True, False, True):
        page.tap("[data-entrant='Ben'] button:enabled")
        page.wait(lambda left=left: now(club).entrants["Ben"] is not left, "Ben to leave or be back")
        button = "Is back" if left else "Leaves"
        page.wait(lambda button=button: page.texts("[data-entrant='Ben'] button:enabled") == [button], "the button")


def test_two_taps_draw_once(club: Club, page: LobbyPage) -> None:
    number = club.hub.tournaments.open(OpenTournament("Cup", table_size=4)).tournament
    club.hub.tournaments.do(number, JoinTournament(EIGHT))
    page.manage("tournament?n=1")
    page.wait(lambda: page.all("[data-step='draw']:enabled"), "the button")
    page.driver.execute_script("const b = document.querySelector(\"[data-step='draw']\"); b.click(); b.click();")
    page.wait(lambda: page.all("[data-now='1']"), "the round")
    first = now(club).rounds
    page.tap("[data-step='draw-again']")
    page.says("Are you sure?")
    assert now(club).rounds == first
    page.tap("[data-step='no']")
    page.wait(lambda: "Are you sure?" not in page.text, "the question to go")
    page.tap("[data-step='draw-again']")
    page.tap("[data-step='yes']")
    page.wait(lambda: now(club).rounds != first, "another draw")
    assert len(now(club).rounds) == 1


def test_a_slip_is_undone_a_shared_place_entered_and_a_result_corrected(club: Club, page: LobbyPage) -> None:
    drawn(club)
    page.manage("tournament?n=1")
    first, second, third, fourth = now(club).rounds[0].tables[0].players
    page.tap("[data-enter='1']")
    page.tap(f"[data-pick='{fourth}']")
    page.tap("[data-item='undo']")
    page.tap(f"[data-pick='{first}']")
    page.tap("[data-item='shared']")
    page.tap(f"[data-pick='{second}']")
    page.tap("[data-item='absent']")
    page.tap(f"[data-pick='{fourth}']")
    page.tap("[data-item='save']")
    page.wait(lambda: now(club).rounds[0].tables[0].places, "the result")
    assert now(club).rounds[0].tables[0].places == ((first, second), (third,))
    page.tap("[data-enter='1']")
    page.wait(
        lambda: marks(page) == {first: "1", second: "1", third: "3", fourth: DID_NOT_PLAY}, "the places there are"
    )
    page.tap("[data-item='shared']")
    page.tap(f"[data-pick='{fourth}']")
    page.tap(f"[data-pick='{first}']")
    page.tap("[data-item='undo']")
    page.tap(f"[data-pick='{first}']")
    page.wait(lambda: marks(page) == {first: "", second: "1", third: "2", fourth: "2"}, "a place taken away")
    page.tap("[data-item='absent']")
    page.tap(f"[data-pick='{first}']")
    page.tap("[data-item='save']")
    page.wait(lambda: now(club).rounds[0].tables[0].absent == (first,), "the correction")
    assert now(club).rounds[0].tables[0].places == ((second,), (third, fourth))
    page.wait(lambda: page.all("[data-enter='1']:enabled"), "the button")
    page.tap("[data-enter='1']")
    page.tap("[data-item='take-back']")
    page.wait(lambda: now(club).rounds[0].tables[0].places is None, "no result")


def marks(page: LobbyPage) -> dict[str, str]:
    """What each player of the form's is marked with."""
    script = """
        const text = (each, selector) => each.querySelector(selector).innerText.trim();
        return [...document.querySelectorAll('[data-pick]')].map((each) => [text(each, 'bdi'), text(each, '.place')])"""
    return dict(page.driver.execute_script(script))


def test_a_finger_that_trembles_takes_no_place_away(club: Club, page: LobbyPage) -> None:
    drawn(club)
    page.manage("tournament?n=1")
    first, *_ = now(club).rounds[0].tables[0].players
    page.tap("[data-enter='1']")
    page.wait(lambda: page.all("[data-pick]"), "the form")
    page.driver.execute_script("const b = document.querySelector('[data-pick]'); b.click(); b.click();")
    page.wait(lambda: marks(page)[first] == "1", "the place")
    page.driver.execute_script("return new Promise((done) => setTimeout(done, 600))")
    page.tap("[data-pick]")
    page.wait(lambda: marks(page)[first] == "", "no place")


def test_who_has_left_did_not_play_unless_they_are_tapped(club: Club, page: LobbyPage) -> None:
    drawn(club)
    (one, two, *others), (left, *rest) = (table.players for table in now(club).rounds[0].tables)
    for name in (one, two, left):
        club.hub.tournaments.do(1, LeaveTournament(name))
    page.manage("tournament?n=1")
    page.tap("[data-enter='1']")
    page.wait(
        lambda: marks(page) == {one: DID_NOT_PLAY, two: DID_NOT_PLAY, **dict.fromkeys(others, "")}, "who did not play"
    )
    page.tap(f"[data-pick='{others[0]}']")
    page.tap(f"[data-pick='{two}']")
    page.tap("[data-item='save']")
    page.wait(lambda: page.all("[data-now] [data-seating='1'].done"), "the result")
    assert now(club).rounds[0].tables[0].places == ((others[0],), (two,), tuple(others[1:]))
    assert now(club).rounds[0].tables[0].absent == (one,)
    enter(page, 2, rest)
    assert now(club).rounds[0].tables[1].absent == (left,)


WHERE = """
    const place = (e) => { const { left, top } = e.getBoundingClientRect(); return [left, top]; };
    const [left, top] = place(document.querySelector('.entry'));
    return [...document.querySelectorAll('.entry button')].map(place).map(([x, y]) => [x - left, y - top]);"""
"""Where each button of the form is in it."""


@pytest.mark.parametrize("language", ["", "fr"])
def test_no_button_of_a_result_moves_and_what_is_armed_is_filled(club: Club, page: LobbyPage, language: str) -> None:
    drawn(club)
    page.manage("tournament?n=1", language=language)
    page.tap("[data-enter='1']")
    page.wait(lambda: page.all("[data-pick]"), "the form")
    page.fit((360, 640))
    before = page.driver.execute_script(WHERE)
    plain = page.one("[data-item='absent']").value_of_css_property("background-color")
    players = now(club).rounds[0].tables[0].players
    for n, (mode, expected) in enumerate((("absent", DID_NOT_PLAY), ("", "1"), ("shared", "1"), ("", "3"))):
        if mode:
            page.tap(f"[data-item='{mode}']")
            page.wait(lambda mode=mode: page.all(f"[data-item='{mode}'][aria-pressed='true']"), "what is armed")
            assert page.one(f"[data-item='{mode}']").value_of_css_property("background-color") != plain
            assert page.driver.execute_script(WHERE) == before, mode
        page.tap(f"[data-pick='{players[n]}']")
        page.wait(lambda n=n, expected=expected: marks(page)[players[n]] == expected, "the mark")
        assert page.driver.execute_script(WHERE) == before, players[n]
    page.tap("[data-item='undo']")
    page.wait(lambda: marks(page)[players[3]] == "", "the tap undone")
    assert page.driver.execute_script(WHERE) == before


IN_VIEW = """
    const { top, bottom } = document.querySelector('.entry').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;"""


def test_a_game_under_another_spelling_becomes_the_result(club: Club, page: LobbyPage) -> None:
    kitchen = club.table("Kitchen")
    number = club.hub.tournaments.open(OpenTournament("Cup", table_size=4)).tournament
    club.hub.tournaments.do(number, JoinTournament((*EIGHT[:4], "José", "Fiona", "Gust")))
    club.hub.tournaments.do(number, DrawRound(1))
    first, second, third, fourth = now(club).rounds[0].tables[0].players
    page.manage("tournament?n=1")
    assert page.all("[data-take]") == []
    kitchen.record(club_record("t-0.a/1", LONG_NAME, second, "(yellow)", third, unnamed=["(yellow)"]))
    said = f"A game of {LONG_NAME}, {second}, (yellow) and {third} has ended at table 1. Is it theirs?"
    page.says(said)
    assert page.all("[data-take]") == [], "once is enough"
    page.tap("[data-step='game-1']")
    page.says(f"{LONG_NAME} finished in place 1: who is that?")
    page.wait(lambda: page.driver.execute_script(IN_VIEW), "the form to come into view")
    assert marks(page) == {first: "", second: "2", third: "4", fourth: ""}
    before = page.driver.execute_script(WHERE)
    assert not page.one("[data-item='save']").is_enabled()
    page.tap(f"[data-pick='{second}']")
    assert page.texts(".says") == [f"{LONG_NAME} finished in place 1: who is that?"], (
        "who has a place is not another one"
    )
    page.tap(f"[data-pick='{fourth}']")
    page.says("(yellow) finished in place 3: who is that?")
    page.tap("[data-item='undo']")
    page.tap(f"[data-pick='{first}']")
    page.tap("[data-item='nobody']")
    page.says("Places from that game.")
    assert marks(page) == {first: "1", second: "2", third: "3", fourth: DID_NOT_PLAY}
    assert page.driver.execute_script(WHERE) == before
    page.tap("[data-item='save']")
    page.wait(lambda: now(club).rounds[0].tables[0].places, "the result")
    table = now(club).rounds[0].tables[0]
    assert (table.places, table.absent, table.game) == (((first,), (second,), (third,)), (fourth,), "t-0.a/1")
    page.wait(lambda: not page.all("[data-take], [data-step^='game']"), "the question to go")
    kitchen.record(club_record("t-0.a/1", second, LONG_NAME, "(yellow)", third, unnamed=["(yellow)"]))
    page.wait(lambda: now(club).rounds[0].tables[0].places == ((second,), (first,), (third,)), "the correction")


def test_a_game_of_an_earlier_round_is_asked_about_at_its_table(club: Club, page: LobbyPage) -> None:
    kitchen = club.table("Kitchen")
    drawn(club)
    first, second = now(club).rounds[0].tables
    kitchen.record(club_record("t-0.a/1", "Fi", "Xaver"))
    wait_until(lambda: now(club).rounds[0].tables[0].ended is not None)
    club.hub.tournaments.do(1, EnterResult(1, 2, tuple((name,) for name in second.players)))
    club.hub.tournaments.do(1, DrawRound(2, despite_missing=True))
    page.manage("tournament?n=1")
    page.tap("[data-round='1'] summary")
    page.tap("[data-round='1'] [data-take='1']")
    page.says("Fi finished in place 1: who is that?")
    for name in first.players[:2]:
        page.tap(f"[data-pick='{name}']")
    page.tap("[data-item='save']")
    page.wait(lambda: now(club).rounds[0].tables[0].places, "the result")
    assert now(club).rounds[0].tables[0].places == ((first.players[0],), (first.players[1],))
    assert now(club).rounds[0].tables[0].absent == first.players[2:]


def test_a_result_is_entered_with_the_keyboard_alone(club: Club, page: LobbyPage) -> None:
    drawn(club)
    page.manage("tournament?n=1")
    focus = page.driver.switch_to
    page.wait(lambda: page.all("[data-enter='2']"), "the button")
    page.driver.execute_script("document.querySelector(\"[data-enter='2']\").focus()")
    focus.active_element.send_keys(Keys.ENTER)
    players = now(club).rounds[0].tables[1].players
    page.wait(lambda: focus.active_element.text == players[0], "the focus on the first player")
    focus.active_element.send_keys(Keys.ENTER)
    page.wait(lambda: page.all("[data-item='save']:enabled"), "the first place")
    page.one("[data-item='save']").send_keys(Keys.ENTER)
    page.wait(lambda: focus.active_element.get_attribute("data-enter") == "2", "the focus back on the button")
    assert now(club).rounds[0].tables[1].places == (players[:1], players[1:])


def test_a_tournament_is_closed_and_opened_again(club: Club, page: LobbyPage) -> None:
    number = club.hub.tournaments.open(OpenTournament("Cup", rounds=1, table_size=4)).tournament
    club.hub.tournaments.do(number, JoinTournament(EIGHT[:4]))
    club.hub.tournaments.do(number, DrawRound(1))
    club.hub.tournaments.do(number, EnterResult(1, 1, (("Ben",), ("Ana",))))
    page.manage("tournament?n=1", language="fr")
    page.says("Ronde 1 sur 1", "La seule ronde est jouée. Ben a gagné. On peut clore le tournoi.")
    page.tap("[data-item='entrants'] summary")
    page.one("[data-item='names']").send_keys("ben")
    page.tap("[data-item='add']")
    page.says("Ben participe déjà à ce tournoi.")
    page.expects("status of 409")
    page.tap("[data-step='close']")
    page.tap("[data-step='yes']")
    page.says("terminé")
    assert now(club).closed
    page.tap("[data-step='reopen']")
    page.wait(lambda: not now(club).closed, "the tournament to go on")


def test_somebody_leaves_is_back_and_comes_late(club: Club, page: LobbyPage) -> None:
    drawn(club)
    page.manage("tournament?n=1")
    page.tap("[data-item='entrants'] summary")
    add = page.one("[data-item='add']").rect
    assert page.one("[data-entrant]").rect["y"] >= add["y"] + add["height"] + 8, "room between them"
    page.tap("[data-entrant='Ben'] button")
    page.wait(lambda: page.all("[data-entrant='Ben'].has-left"), "Ben to leave")
    assert now(club).entrants["Ben"] is False
    page.wait(lambda: page.texts("[data-entrant='Ben'] button") == ["Is back"], "the button back")
    page.tap("[data-entrant='Ben'] button")
    page.wait(lambda: now(club).entrants["Ben"], "Ben to be back")
    page.wait(lambda: page.texts("[data-entrant='Ben'] button:not(:disabled)") == ["Leaves"], "the answer")
    page.one("[data-item='names']").send_keys(f"{MARKUP}, Ana")
    page.tap("[data-item='add']")
    page.says("Ana is in this tournament already.")
    assert page.one("[data-item='names']").get_attribute("value") == f"{MARKUP}, Ana", "what was typed stays"
    page.write("[data-item='names']", f"{MARKUP}; {'x' * 25}")
    page.tap("[data-item='add']")
    page.says("is too long")
    page.write("[data-item='names']", MARKUP)
    page.tap("[data-item='add']")
    page.wait(lambda: page.texts("[data-entrant] bdi").count(MARKUP) == 1, "the late one")
    assert page.all("#app b") == []
    page.expects("status of 409")


def test_a_name_with_a_typo_is_taken_out_before_it_is_drawn(club: Club, page: LobbyPage) -> None:
    number = club.hub.tournaments.open(OpenTournament("Cup", table_size=4)).tournament
    club.hub.tournaments.do(number, JoinTournament(("Ana", "Bne", "Cid", "Dora")))
    page.manage("tournament?n=1")
    assert page.one("[data-entrant='Bne'] button").get_attribute("aria-label") == "Remove Bne from the tournament"
    page.tap("[data-entrant='Bne'] button")
    page.wait(lambda: page.texts("[data-entrant] bdi") == ["Ana", "Cid", "Dora"], "the name to go")
    page.one("[data-item='names']").send_keys("Ben")
    page.tap("[data-item='add']")
    page.wait(lambda: page.texts("[data-entrant] button:enabled") == ["Remove"] * 4, "the right name")
    page.tap("[data-step='draw']")
    page.tap("[data-item='entrants']:not([open]) summary")
    page.wait(lambda: page.texts("[data-entrant] button:enabled") == ["Leaves"] * 4, "names that can only leave")
    assert page.all("[data-step='remove']") == []


def test_a_tournament_that_was_never_drawn_is_taken_away(club: Club, lobby_pages: Callable[[], LobbyPage]) -> None:
    host, watcher = lobby_pages(), lobby_pages()
    club.hub.tournaments.open(OpenTournament("Cup"))
    club.hub.tournaments.open(OpenTournament("Mistake"))
    host.manage("tournament?n=2")
    watcher.open("tournament?n=2")
    assert watcher.all("[data-step]") == []
    host.tap("[data-step='remove']")
    host.says("Are you sure?")
    host.tap("[data-step='no']")
    host.tap("[data-step='remove']")
    host.tap("[data-step='yes']")
    host.wait(lambda: host.texts("[data-tournament] strong") == ["Cup"], "the other tournament alone")
    watcher.says("There is no such tournament.")
    for each in (host, watcher):  # the host's page too may ask for it before it is left
        each.expects("status of 404")


def test_the_clubs_tables_have_numbers(club: Club, page: LobbyPage) -> None:
    club.table("Window")
    club.table("Door")
    drawn(club)
    page.manage("tournament?n=1")

    def placed() -> list[str | None]:
        return [each.table for each in now(club).rounds[0].tables]

    before = placed()
    page.wait(lambda: any("Window" in each for each in page.texts("[data-seating] h3")), "the tables' names")
    page.tap("[data-item='placement'] summary")
    page.wait(lambda: page.all("[data-placement='1']:enabled"), "the choice")
    page.one(f"[data-placement='1'] option[value='{before[1]}']").click()
    page.wait(lambda: placed() == before[::-1], "the tables to change places")


# Phones, languages, themes

LONG = ("W" * 24, "Dorothea-Valentina", "Maximilian the Second", MARKUP)


@pytest.fixture
def busy_club(club: Club) -> Club:
    """An evening of 48 players, the first round played, some tables of the second too."""
    for number in range(6):
        club.table(f"Table by the window {number}" if number else "Long table by the old billiard")
    names = (*LONG, *(f"Player {n}" for n in range(1, 45)))
    number = drawn(club, names, rounds=2, title="The Long Summer Cup of the Liars in the Old Town")
    for table in now(club, number).rounds[1].tables[:3]:
        club.hub.tournaments.do(number, EnterResult(2, table.number, tuple((name,) for name in table.players)))
    fourth = next(each for each in club.members if each.id == now(club, number).rounds[1].tables[3].table)
    fourth.record(club_record(f"{fourth.id}.a/1", LONG_NAME, "Maximilian-Alexander-Jr", "W" * 24))
    wait_until(lambda: now(club, number).rounds[1].tables[3].ended is not None)
    return club


def looks(page: LobbyPage) -> Iterator[str]:
    """Everything there is to see of a manager's pages."""
    page.open("#tournaments", language=page.language)
    page.wait(lambda: page.all("[data-item='invite']"), "the list")
    page.tap("details.folded summary")
    page.tap("[data-item='invite']")
    page.wait(lambda: page.all("img.qr"), "the invitation")
    yield "list"
    page.open("tournament?n=1", language=page.language)
    page.wait(lambda: page.all("[data-standing]") and page.all("[data-item='entrants']"), "the tournament")
    page.driver.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
    page.one("[data-item='where']").send_keys("w")
    page.tap("[data-now] [data-enter='1']")
    page.wait(lambda: page.all(".entry"), "the form")
    page.tap("[data-now] [data-pick]")
    page.wait(lambda: page.all("[data-item='shared']:enabled"), "a place")
    page.tap("[data-item='absent']")
    yield "tournament"
    page.tap("[data-step='game-4']")
    page.wait(lambda: page.all("[data-item='nobody']"), "the game's form")
    yield "game"


def test_every_page_fits_in_every_language_and_has_no_barrier(
    busy_club: Club, page: LobbyPage, axe: Callable[..., list[str]]
) -> None:
    faults = []
    page.manage()
    for look in looks(page):
        texts = set()
        for language in reversed(LANGUAGES):  # English last
            page.fit(PHONES[0])
            page.now_in(language)
            texts.add(page.texts("main")[0])
            for size in (*PHONES, TELEVISIONS[0]):
                page.fit(size)
                faults += [f"{look} {language} {size}: {line}" for line in page.misfits()]
                spills = page.driver.execute_script(SPILLS) if size in PHONES else []  # a television cuts tables' names
                faults += [f"{look} {language} {size}: {line}" for line in spills]
        assert len(texts) == len(LANGUAGES), look
        page.fit(PHONES[1])
        for theme in THEMES:
            page.wear(theme)
            faults += [f"{look} {theme}: {line}" for line in axe(page)]
    assert faults == []


def test_a_television_shows_everybodys_table_at_once(busy_club: Club, page: LobbyPage) -> None:
    page.open("tournament?n=1", TELEVISIONS[0])
    page.wait(lambda: page.all("[data-standing]"), "the standings")
    bottoms = page.driver.execute_script(
        "return [...document.querySelectorAll('[data-now] .sat')].map((e) => e.getBoundingClientRect().bottom)"
    )
    assert max(bottoms) <= TELEVISIONS[0][1]
    left = page.one("[data-now]").rect
    right = page.one(".standings").rect
    assert right["x"] >= left["x"] + left["width"]
    assert page.all("[data-item='where']")
    for table in now(busy_club).rounds[1].tables[3:]:
        busy_club.hub.tournaments.do(1, EnterResult(2, table.number, (table.players,)))
    busy_club.hub.tournaments.do(1, CloseTournament())
    busy_club.hub.tell()
    page.wait(lambda: page.all(".outcome"), "who has won")
    assert page.texts(".outcome") == [str(now(busy_club).next[0].sentence).removeprefix("The tournament is closed. ")]
    assert page.all("[data-item='where']") == [], "nobody plays any more"
    page.fit(PHONES[1])
    assert page.one(".standings").rect["y"] < page.one("[data-now]").rect["y"]
    page.open("#tournaments", language="fr")
    page.wait(lambda: page.texts(".outcome")[0].startswith("À égalité"), "who has won, in the list")
