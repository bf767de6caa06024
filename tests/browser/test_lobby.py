"""The lobby of a club in a real Chromium: a real hub on a real database, and tables whose broker is a double."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from urllib.parse import quote

import pytest
from msgspec.structs import replace
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from companion.club.tournament.commands import CloseTournament, DrawRound, EnterResult, JoinTournament, OpenTournament
from companion.member.payloads import Assignment, Online
from companion.table.game.table_position import Phase
from companion.table.past.games import Ending
from tests.browser import chromium
from tests.browser.axe import THEMES
from tests.browser.every_language import LANGUAGES
from tests.browser.lobby_page import (
    EVERYBODY,
    LONG_NAMES,
    NAMES,
    PHONES,
    SPILLS,
    TELEVISIONS,
    TITLE,
    UPRIGHT,
    Club,
    LobbyPage,
    drawn_state,
)
from tests.fakes.club_records import club_record
from tests.wait import wait_until

pytestmark = pytest.mark.browser

CUT = """
    const name = (e) => `${e.className}: ${e.textContent.trim().slice(0, 40)}`;
    const box = (e) => e.getBoundingClientRect();
    const shown = (e) => e.getClientRects().length && !e.closest('.hidden');
    const below = (e) => [...e.querySelectorAll('li, p')]
      .some((each) => shown(each) && !each.closest('.head') && box(each).bottom > box(e).bottom);
    const cards = [...document.querySelectorAll('.table-card, .top-ten')]
      .filter((e) => e.scrollHeight > e.clientHeight + 1 || below(e));
    const meets = (part, e, last = e.querySelector('.last')) => box(part).top < box(e.querySelector('.head')).bottom - 3
      || (last && shown(last) && box(part).bottom > box(last).top + 3);
    const parts = [...document.querySelectorAll('.much .table-card')]
      .filter((e) => [...e.querySelectorAll('.happening > p, .seat')].some((part) => shown(part) && meets(part, e)));
    const words = [...document.querySelectorAll('.word, .sentence, .assigned:not(.short)')]
      .filter((e) => shown(e) && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 6));
    const letters = document.createRange();
    const lines = [...document.querySelectorAll('.top-ten .details')].filter((e) => {
      letters.selectNodeContents(e);
      return box(letters).bottom > Math.min(box(e).bottom, box(e.parentElement).bottom + 1) + .3;
    });
    const bare = [...document.querySelectorAll('.last')].filter((e) => shown(e) && !e.innerText.trim());
    const few = [...document.querySelectorAll('.much .seats:not(.n7):not(.n8) .name')]
      .filter((e) => e.clientWidth < 2.2 * parseFloat(getComputedStyle(e).fontSize) && e.scrollWidth > e.clientWidth);
    return [...cards, ...parts, ...words, ...lines, ...bare, ...few].map(name);"""
"""What does not fit a card of a television, or is a rule above nothing. A long name may end in an ellipsis."""
LOW = """
    const low = [];
    const walker = document.createTreeWalker(document.querySelector('#app'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
      if (!text || element.closest('.hidden, .alarm, .drawn, svg')) continue;
      const share = parseFloat(getComputedStyle(element).fontSize) / innerHeight;
      if (share < (element.closest(arguments[0]) ? 0.028 : 0.0195)) low.push(`${text}: ${share}`);
    }
    return low;"""
"""Letters that are too small a part of the height of the screen."""
INSET = """
    const chip = document.querySelector(arguments[0]), letters = document.createRange();
    letters.selectNodeContents(chip);
    return letters.getBoundingClientRect().left - chip.getBoundingClientRect().left;"""
QR = "const qr = document.querySelector('.lobby-qr'); return qr && qr.naturalWidth > 0"
WHERE = """
    const { top, bottom } = document.querySelector('#app').getBoundingClientRect();
    return [top, bottom];"""
NEXT = ("Lea", "Maximilian the Second", "Dorothea-Valentina", "Zoë", "Kim")
LARGE = ".table-card h2, .bidsign, .top-ten a, .top-ten .rating, .much .table-card .name:not(.long)"
"""What is read from five metres first."""


@pytest.fixture
def page(lobby_pages: Callable[[], LobbyPage]) -> LobbyPage:
    return lobby_pages()


# Tables


def test_a_table_shows_what_who_watches_may_see(club: Club, page: LobbyPage) -> None:
    page.open()
    page.says("No table has joined yet.")
    window = club.table()
    page.says("Window", "No news from it yet.")
    state = window.act_until(lambda state: state.phase is Phase.BIDDING and state.bid is not None)
    assert state.bid is not None
    page.says("Round 1 · Bidding", f"{state.turn}\N{RIGHT SINGLE QUOTATION MARK}s turn", *EVERYBODY)
    assert page.one(".bidsign").get_attribute("aria-label").startswith(f"{state.bid.count} ")
    dice = [each.get_attribute("aria-label") for each in page.all(".seat .minis")]
    assert dice == ["5 dice, red", "5 dice, blue", "5 dice, green", "5 dice, yellow"]
    assert page.texts(".seat.on-turn .name") == [state.turn]
    window.show(replace(window.state(), palifico="Cid"))
    page.says("Palifico: Cid. Pacos are not wild.")
    window.be_online(False)
    page.says("not connected", "this is the last news")
    assert page.same


def test_hidden_dice_are_not_counted(club: Club, page: LobbyPage) -> None:
    window = club.table()
    window.act_until(lambda state: state.phase is Phase.BIDDING)
    state = window.state()
    window.show(replace(state, players=tuple(replace(each, dice=None) for each in state.players)))
    page.open()
    page.wait(lambda: page.all(".seat"), "the players")
    assert {each.get_attribute("aria-label")[:21] for each in page.all(".minis")} == {"number of dice hidden"}
    assert len(page.all(".minis .cup")) == len(page.all(".minis .mini")) == len(EVERYBODY)


def test_a_verdict_appears_by_itself_and_says_who_lost(club: Club, page: LobbyPage) -> None:
    window = club.table()
    window.act_until(lambda state: state.phase is Phase.BIDDING)
    page.open()
    page.wait(lambda: page.all(".table-card.bidding"), "the table")
    state = window.act_until(lambda state: state.phase is Phase.VERDICT)
    verdict = window.state().verdict
    assert state.verdict is not None
    assert verdict is not None
    page.wait(lambda: page.all(".table-card.verdict"), "the verdict")
    assert page.texts(".sentence") == [str(state.verdict.sentence)]
    right = verdict.caller if verdict.correct else verdict.bid.player
    assert f"{right} was right" in page.text
    if verdict.loses is not None:
        assert page.texts(".note.bad [aria-hidden]") == [f"\N{MINUS SIGN}{verdict.lost}"]
        assert f"{verdict.loses} loses" in page.text
        assert len(page.all(".mini.goes")) == verdict.lost
    window.act_until(lambda state: state.phase is Phase.BIDDING)
    page.says("Last verdict")
    assert page.same


def test_a_game_that_is_over_has_its_winner(club: Club, page: LobbyPage) -> None:
    window = club.table()
    state = window.act_until(lambda state: state.winner is not None)
    page.open()
    page.says("Game over", f"{state.winner} wins!")
    window.show(replace(window.state(), palifico="Cid"))
    page.wait(lambda: page.all(".table-card.over"), "the end")
    assert "Palifico" not in page.text
    assert len(page.all(".seat.wins")) == 1
    assert len(page.all(".seat.is-out")) == len(EVERYBODY) - 1


def test_who_plays_next_is_announced(club: Club, page: LobbyPage) -> None:
    window = club.table()
    window.tell()
    page.open()
    page.says("No game yet")
    club.hub.assign(
        window.id, Assignment(tournament="Summer Cup", round="Round 2", players=("Ana", "Ben", "Cid", "Dora"))
    )
    page.says("Round 2 of Summer Cup: Ana, Ben, Cid, Dora")
    club.hub.assign(window.id, None)
    page.wait(lambda: "Summer Cup" not in page.text, "the assignment to go")


def test_names_are_text_and_unnamed_players_are_called_by_their_colour(club: Club, page: LobbyPage) -> None:
    window = club.table("<i>Bar</i> & Co", ("<b>Ana</b>", "<img src=x>", "Cid"))
    window.consent = window.club_table.names[:2]
    window.act_until(lambda state: state.phase is Phase.BIDDING)
    for game in (1, 2):
        window.record(club_record(f"t-0.x/{game}", "<b>Ana</b>", "(red)", unnamed=["(red)"]))
    page.open(language="fr")
    page.says("<i>Bar</i> & Co", "<b>Ana</b>", "(vert)")
    assert page.all("#app b, #app i:not(.mini), #app img") == []
    page.fit(TELEVISIONS[0])
    page.wait(lambda: page.all(".board"), "the television")
    assert page.texts(".seat .name") == ["<b>Ana</b>", "<img src=x>", "vert"], "brackets take room"
    page.fit(chromium.PHONE)
    page.driver.execute_script("location.hash = 'games'")
    page.says("<b>Ana</b> a gagné", "(orange)")
    page.driver.execute_script("location.hash = 'ranking'")
    page.wait(lambda: page.texts("[data-player] a") == ["<b>Ana</b>"], "the ranking")
    page.tap("[data-player] a")
    page.wait(lambda: page.texts("h1") == ["<b>Ana</b>"], "the player's page")
    assert page.all("#app b, #app img") == []


def test_verdicts_stories_and_rounds_are_in_the_pages_language(club: Club, page: LobbyPage) -> None:
    window = club.table(players=("Ana", "Ben"))
    window.consent = ("Ana",)
    window.club_table.play(1)
    window.tell()
    verdict = window.state().verdict
    assert verdict is not None
    club.hub.assign(window.id, Assignment(tournament="Coupe", round="Round 2", players=("Ana", "Ben")))
    page.open(language="fr")
    page.wait(lambda: page.texts(".sentence"), "the verdict")
    (sentence,) = page.texts(".sentence")
    assert "(blue)" not in sentence
    assert sentence != verdict.sentence
    assert "(bleu)" in sentence
    page.says("Ronde 2", "Coupe")
    page.driver.execute_script("location.hash = 'games'")
    page.wait(lambda: page.all("[data-game]"), "the game")
    page.tap("[data-game]")
    page.wait(lambda: page.all(".storyof"), "the story")
    page.tap(".storyof summary")
    page.wait(lambda: page.texts(".storyof p"), "the story")
    told = " ".join(page.texts(".storyof p"))
    assert "played by the rules" not in told
    assert "(blue)" not in told
    assert "Ana" in told
    assert "(bleu)" in told


def test_the_keyboard_goes_everywhere(club: Club, page: LobbyPage) -> None:
    club.table().record(club_record("t-0.x/1", *EVERYBODY))
    page.open()
    focus = page.driver.switch_to
    body = page.one("body")
    body.send_keys(Keys.TAB, Keys.TAB)
    assert focus.active_element.text == "Ranking"
    focus.active_element.send_keys(Keys.ENTER)
    page.wait(lambda: page.all("[data-player='Ana']"), "the ranking")
    assert focus.active_element.text == "Ranking"
    assert page.texts("[aria-current='page']") == ["Ranking"]
    for _ in range(6):  # over the other tabs, to the first name
        if focus.active_element.text != "Ana":
            focus.active_element.send_keys(Keys.TAB)
    assert focus.active_element.text == "Ana"
    focus.active_element.send_keys(Keys.ENTER)
    page.wait(lambda: page.texts("h1") == ["Ana"], "the player's page")


# Rankings, players and games


def test_a_correction_changes_the_ranking(club: Club, page: LobbyPage) -> None:
    window = club.table()
    window.record(club_record("t-0.x/1", "Ana", "Ben", "Cid"))
    page.open("#ranking")
    page.wait(lambda: page.texts("[data-player] a") == ["Ana", "Ben", "Cid"], "the ranking")
    window.record(club_record("t-0.x/1", "Cid", "Ben", "Ana"))
    page.wait(lambda: page.texts("[data-player] a") == ["Cid", "Ben", "Ana"], "the corrected ranking")
    window.record(club_record("t-0.x/1", players=["Ana", "Ben", "Cid"], ending=Ending.PLAYING))
    page.says("Nobody has finished a game under their name yet.")
    assert page.same


def test_provisional_is_said_until_the_fifteenth_game(club: Club, page: LobbyPage) -> None:
    window = club.table()
    for game in range(13):
        window.record(club_record(f"t-0.x/{game}", "Ana", "Ben"))
    window.record(club_record("t-0.x/13", "Ana", "Ben", "Cid"))
    page.open("#ranking")
    page.wait(lambda: page.texts("[data-player] .chip") == ["provisional"] * 3, "the ranking")
    assert page.driver.execute_script(INSET, "[data-player] .chip") > 4, "its letters do not touch its border"
    window.record(club_record("t-0.x/14", "Ana", "Cid"))
    page.wait(lambda: page.texts("tr:not(.unsure) a") == ["Ana"], "a rating that is not provisional")
    assert page.texts("tr.unsure a") == ["Cid", "Ben"], "after all others"
    page.open("player?name=Ana")
    assert "provisional" not in page.text
    page.open("player?name=Ben")
    assert "Provisional: fewer than 15 games with people" in page.text


def test_a_players_page_says_what_they_did(club: Club, page: LobbyPage) -> None:
    window = club.table()
    window.record(club_record("t-0.x/1", "Ben", "Ana", "Cid", began="2026-11-01T19:00:00Z"))
    window.record(replace(club_record("t-0.x/2", "Ana", "Ben", began="2026-11-02T19:00:00Z"), clock_set=False))
    window.record(club_record("t-0.x/3", players=["Ana", "Ben"], began="2026-11-03T19:00:00Z"))
    page.open("player?name=Ana")
    facts = {each.get_attribute("data-fact"): each.text.splitlines()[1] for each in page.all("[data-fact]")}
    assert facts.items() >= {"place": "1", "games": "2", "won": "1", "beaten": "75%"}.items()
    assert page.one(".plot svg").get_attribute("aria-label").startswith("Rating over 2 games: from ")
    assert len(page.all(".in-figures tbody tr")) == 2
    assert page.texts("main table:not(.in-figures table) tbody tr") == ["Ben\t2\t1\t1", "Cid\t1\t1\t0"]
    assert [each.get_attribute("data-game") for each in page.all(".pastgame")] == ["t-0.x/3", "t-0.x/2", "t-0.x/1"]
    assert "does not count" in page.texts(".pastgame")[0]
    assert "Place 2 of 3" in page.texts(".pastgame")[2]
    undated = "no date: the clock was not set"
    assert [(undated in text, "2026" in text) for text in page.texts(".pastgame")] == [
        (False, True),
        (True, False),
        (False, True),
    ]
    window.record(club_record("t-0.x/4", "Ana", "Ben", "Cid"))
    page.wait(lambda: len(page.all(".pastgame")) == 4, "the new game")
    assert page.same
    page.tap("[data-game='t-0.x/1']")
    page.wait(lambda: page.texts("h1") == ["Ben won"], "the game")
    page.driver.get("about:blank")
    page.driver.get(f"{page.url}player?name=Nobody")
    page.says("Nobody called Nobody has played in this club.")
    page.expects("status of 404")


def test_a_games_page_has_its_places_story_review_and_record(club: Club, page: LobbyPage) -> None:
    window = club.table()
    window.club_table.play(1)
    window.tell()
    page.open("#games")
    page.wait(lambda: page.all(".pastgame"), "the game")
    (game,) = club.hub.books.games()
    page.tap(".pastgame")
    page.wait(lambda: page.all(".reviewed-game .chances"), "the review")
    winner = next(each.name for each in game.players if each.place == 1)
    assert page.texts("h1") == [f"{winner} won"]
    assert page.texts(".placed li")[0].split() == ["1", winner]
    assert "Window" in page.text
    page.tap(".storyof summary")
    page.says(f"{winner} won the game")
    page.driver.execute_script(
        "HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };"
        "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.record = text; }); return '#'; };"
    )
    page.tap("[data-part='0']")
    record = page.wait(lambda: page.driver.execute_script("return window.record"), "the record")
    found = club.hub.books.game(game.game)
    assert found is not None
    assert record == "\n".join(found[1].record[0]) + "\n"
    name = page.driver.execute_script("return window.saved")
    assert name.startswith("perudo-t-0.")
    assert name.endswith(".jsonl")
    page.driver.get(f"{page.url}game?id=t-9.x%2F1")
    page.says("The books do not have this game.")
    page.expects("status of 404")


def test_the_games_of_one_table_are_a_tap_away(club: Club, page: LobbyPage) -> None:
    for number, name in enumerate(("Window", "Door")):
        club.table(name).record(club_record(f"t-{number}.x/1", f"Winner {number}".replace(" ", "-"), "Ben"))
    page.open("#games")
    page.wait(lambda: len(page.all(".pastgame")) == 2, "all games")
    assert page.texts("h2") == ["Games"], "two are not the latest hundred"
    page.open()
    page.tap("[data-table='t-1'] h2 a")
    page.says("Games at Door", "Winner-1 won")
    assert len(page.all(".pastgame")) == 1


# What is not there


def test_two_boxes_at_one_table_are_told_in_the_lobby(club: Club, page: LobbyPage) -> None:
    club.table("Window")
    page.open("")
    page.says("Window")
    twin = Online(online=True, name="Window", session="b", taken_over=True)
    club.hub.feed.set_online("t-0", twin)
    page.says("Two boxes say that they are this table.")
    club.hub.feed.set_online("t-0", replace(twin, taken_over=False))
    page.wait(lambda: "Two boxes" not in page.text, "one box alone")


def test_a_broker_that_is_away_is_said(club: Club, page: LobbyPage) -> None:
    club.table().tell()
    page.hurry()
    page.open()
    page.wait(lambda: page.all(".dot:not(.unknown)"), "a table that is there")
    club.broker.be_there(False)
    page.says("The tables are out of reach; they play on.")
    assert page.all(".dot:not(.unknown)") == []
    assert "connected" not in page.one(".where").get_attribute("textContent")
    club.broker.be_there(True)
    page.wait(lambda: page.all(".dot:not(.unknown)") and "out of reach" not in page.text, "the tables to be back")


def test_a_club_that_does_not_answer_is_said_and_the_page_goes_on_by_itself(club: Club, page: LobbyPage) -> None:
    window = club.table()
    window.act_until(lambda state: state.phase is Phase.BIDDING)
    window.record(club_record("t-0.x/1", "Ana", "Ben"))
    page.open("#ranking")
    page.wait(lambda: page.all("[data-player]"), "the ranking")
    club.pull_the_plug()
    page.says("Club not answering. Trying again…")
    club.plug_in()
    page.wait(lambda: "not answering" not in page.text, "the club to be back")
    assert page.same
    assert page.texts("[data-player] a") == ["Ana", "Ben"]
    page.expects("net::ERR_")


# Televisions


def test_a_television_turns_its_pages_by_itself(club: Club, page: LobbyPage) -> None:
    club.tables(14)
    club.members[0].record(club_record("t-0.x/1", "Ana", "Ben"))
    page.hurry()
    page.url = club.url.replace("127.0.0.1", "club.local")  # as in the home network: without a wake lock
    page.open("?board", TELEVISIONS[0])
    page.wait(lambda: page.all(".top-ten [data-player='Ana']"), "the ranking")
    page.wait(lambda: page.driver.execute_script(QR), "the QR code of the address")
    page.wait(lambda: page.all("video"), "the film that keeps the screen on")
    assert page.driver.execute_script(WHERE) == [0, TELEVISIONS[0][1]]
    cup = club.hub.tournaments.open(OpenTournament("Summer Cup", rounds=1)).tournament
    club.hub.tournaments.do(cup, JoinTournament(tuple(f"Player {number}" for number in range(1, 49))))
    page.driver.execute_script("window.dispatchEvent(new Event('hashchange'))")
    assert page.all(".top-ten [data-player='Ana']"), "nothing is drawn"
    drawn = club.hub.tournaments.do(cup, DrawRound(1))
    assert drawn is not None
    club.hub.tell()
    page.wait(lambda: page.texts(".top-ten h2") == ["Summer Cup"], "the standings")
    tables: set[str] = set()
    players: set[str] = set()

    def all_seen() -> bool:
        shown, standing = set(page.texts(".table-card h2 a")), page.texts("[data-standing] bdi")
        assert len(shown) == 7
        assert len(standing) in (8, 10)
        tables.update(shown)
        players.update(standing)
        return len(tables) == 14 and len(players) == 48

    page.wait(all_seen, "every table and every player")
    assert page.all("button, nav, footer") == [], "nobody touches a television"
    for table in drawn.rounds[0].tables:
        places = ((name,) for name in sorted(table.players, key=lambda name: name != "Player 7"))
        result = EnterResult(1, table.number, tuple(places) if "Player 7" in table.players else (table.players,))
        club.hub.tournaments.do(cup, result)
    club.hub.tournaments.do(cup, CloseTournament())
    club.hub.tell()
    page.says("Player 7 has won.")
    club.members[0].record(club_record("t-0.x/2", "Ana", "Ben"))
    page.wait(lambda: page.all(".top-ten [data-player='Ana']"), "the ranking after a newer game")
    page.url = club.url
    page.expects("Cross-Origin-Opener-Policy")
    assert page.complaints() == []
    page.open("", TELEVISIONS[0])
    page.says("of 2")
    page.tap("[data-item='turning']")
    shown = page.texts(".pageof")
    turns = page.driver.execute_script("return window.turns")
    page.wait(lambda: page.driver.execute_script("return window.turns") > turns + 2, "three turns that turn nothing")
    assert page.texts(".pageof") == shown, "who reads may stop it"
    page.tap(".turner .icon:last-of-type, .turner .icon")
    page.wait(lambda: page.texts(".pageof") != shown, "another page")


@pytest.mark.parametrize("count", [1, 2, 4, 6, 12])
def test_everything_fits_a_television(club: Club, page: LobbyPage, count: int) -> None:
    club.tables(count)
    everybody = (*NAMES, "Lea", "Kim", "Ivo")
    for game in range(4):
        club.members[0].record(club_record(f"t-0.x/{game}", *(everybody[:6] if game % 2 else everybody[5:])))
    wait_until(lambda: len(club.hub.books.games()) == 4)
    # One plays the game that is drawn, one another game, one has finished.
    for member, players in zip(club.members, (NAMES[:6], NEXT, NEXT), strict=False):
        club.hub.assign(member.id, Assignment(tournament="Summer Cup", round="Round 2", players=players))
    faults = []
    for language, size in zip(LANGUAGES, (*TELEVISIONS, UPRIGHT, *TELEVISIONS), strict=True):
        cut = language == LANGUAGES[-1]
        if cut:
            club.broker.be_there(False)
        if cut or language == LANGUAGES[0]:
            page.open("?board", size, language)
        page.fit(size)
        page.now_in(language)
        page.wait(lambda: len(page.all(".top-ten li")) == 10, "the ranking")
        page.wait(lambda cut=cut: bool(page.all(".linecut")) == cut, "what there is to say")
        assert page.all("footer, nav") == []
        for of in (4, 5, 6, 8):
            for number, member in enumerate(club.members):
                member.show(drawn_state(number, of))
            drawn = f".table-card:last-child.of-{of}"
            page.wait(lambda drawn=drawn: page.all(drawn), drawn)
            found = page.driver.execute_script(CUT)
            found += [] if size == UPRIGHT else page.driver.execute_script(LOW, LARGE)
            faults += [f"{language} {size} {of} players: {line}" for line in found]
            others = ".drawn-for[data-table='t-1'] .short, [data-table='t-1'] .drawn"
            page.wait(lambda others=others: len(page.texts(others)) == (count > 1), "who plays there next")
    assert faults == []


# Phones, languages, themes

INVITATION = "join/1a2b3c4d#0123456789abcdef0123456789abcdef"


@pytest.fixture
def busy_club(club: Club) -> Club:
    """A club with tables in every phase, games, and players with long names."""
    window = club.table("Long table by the old billiard", (*EVERYBODY, "Dorothea-Valentina", "W" * 24))
    window.club_table.play(1)
    window.tell()
    for game in range(15):
        window.record(club_record(f"t-0.x/{game}", "Ana", "Ben", "Dorothea-Valentina", "W" * 24))
    for number, table in enumerate(club.tables(8, of=6)):
        if number > 3:
            table.show(drawn_state(number, 6, LONG_NAMES))
    club.hub.assign("t-3", Assignment(tournament="Summer Cup", round="Round 2", players=(*EVERYBODY, "W" * 24)))
    club.members[4].be_online(False)
    wait_until(lambda: len(club.hub.books.games()) == 16)
    return club


def pages(club: Club) -> dict[str, str]:
    """Each page -> what is there once all of it is drawn."""
    game = next(each.game for each in club.hub.books.games(player="Cid"))
    return {
        "": ".table-card .seat",
        "#ranking": "[data-player]",
        "#games": ".pastgame",
        f"player?name={'W' * 24}": ".plot svg",
        f"game?id={quote(game, safe='')}": ".reviewed-game .chances",
        INVITATION: "textarea",
    }


def test_every_page_fits_in_every_language_and_has_no_barrier(
    busy_club: Club, page: LobbyPage, axe: Callable[..., list[str]]
) -> None:
    faults = []

    def barriers(where: str) -> None:
        for theme in THEMES:
            page.wear(theme)
            faults.extend(f"{where} {theme}: {line}" for line in axe(page))

    for first, (path, there) in zip(cycle(LANGUAGES), pages(busy_club).items()):
        page.open(path, language=first)
        page.wait(lambda there=there: page.all(there), path)
        assert page.driver.execute_script("return document.documentElement.lang") == first
        texts = set()
        for language in LANGUAGES:
            page.fit(PHONES[0])
            page.now_in(language)
            texts.add(page.texts("main")[0])
            for size in (*PHONES, TELEVISIONS[0]):
                page.fit(size)
                page.wait(lambda there=there: page.all(there), path)
                found = page.misfits() + (page.driver.execute_script(SPILLS) if size in PHONES else [])
                faults += [f"{language} {path} {size}: {line}" for line in found]
        assert len(texts) == len(LANGUAGES), path
        page.fit(chromium.PHONE)
        page.now_in("en")
        barriers(path)
    for path in ("", "?board"):
        page.open(path, TELEVISIONS[0])
        page.wait(lambda: page.all(".top-ten [data-player]"), path)
        barriers(f"{path} on a television")
    assert faults == []


def test_the_language_and_the_colours_can_be_chosen(club: Club, page: LobbyPage) -> None:
    club.table()
    page.open()
    page.one("[data-setting='language'] option[value='nl']").click()
    page.says("Ranglijst", "Nog niets van gehoord.")
    page.one("[data-setting='theme'] option[value='light']").click()
    page.wait(lambda: page.all("html.light"), "the light colours")
    page.open("#ranking")
    page.says("Nog niemand heeft")


# An invitation


@pytest.fixture
def keeping_page(club: Club, tmp_path: Path) -> Iterator[LobbyPage]:
    """A browser that keeps pages for its back button, as people's do."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(chromium.BROWSER)
    for flag in ("--headless=new", "--no-sandbox", f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(chromium.DRIVER)))
    yield LobbyPage(driver, club.url)
    driver.quit()


def test_one_can_go_from_page_to_page_and_back(club: Club, keeping_page: LobbyPage) -> None:
    """A page that the browser keeps holds no connection; a browser has six."""
    page = keeping_page
    window = club.table()
    window.record(club_record("t-0.x/1", "Ana", "Ben"))
    page.open("#ranking")
    for name in ("Ana", "Ben", "Ana", "Ben"):
        page.wait(lambda: len(page.texts("[data-player] a")) == 2, "the ranking")
        page.tap(f"[data-player='{name}'] a")
        page.wait(lambda name=name: page.texts("h1") == [name], f"the page of {name}")
        page.tap(".back")
        page.wait(lambda: page.all(".page"), "the lobby")
        page.tap(".page:nth-child(2)")
    page.tap("[data-player='Ana'] a")
    page.wait(lambda: page.texts("h1") == ["Ana"], "the page of Ana")
    page.driver.back()
    page.wait(lambda: len(page.texts("[data-player] a")) == 2, "the ranking")
    window.record(club_record("t-0.x/2", "Cid", "Ben"))
    page.wait(lambda: len(page.texts("[data-player] a")) == 3, "what is new, on a page that was kept")
    assert page.all(".linecut") == []


def test_an_invitation_leads_to_the_box_and_is_not_used_up(club: Club, page: LobbyPage) -> None:
    invitation = club.hub.invite(club.url.rstrip("/"))
    page.open(str(invitation).removeprefix(club.url))
    page.says(f"This address lets one table join {TITLE}, once.")
    assert page.one("textarea").get_attribute("value") == str(invitation)
    assert page.one("a.go").get_attribute("href") == f"http://perudo.local/box#club={invitation}"
    for typed, host in (("perudo-2", "perudo-2.local"), ("192.168.1.9:8000", "192.168.1.9:8000")):
        page.write("input", typed)
        page.wait(lambda host=host: page.all(f"a.go[href='http://{host}/box#club={invitation}']"), host)
    for typed in ("", "a b", "x@evil", "javascript:"):
        page.write("input", f"{typed} ")
        page.says("Only letters, digits and hyphens.")
        assert page.all("a.go") == []
    requested = page.driver.execute_script("return performance.getEntriesByType('resource').map((each) => each.name)")
    assert [name for name in requested if invitation.secret in name] == []
    assert club.store.invitation_secret(invitation.id) == invitation.secret
    assert club.store.members() == {}


def test_an_invitation_without_its_end_says_so(club: Club, page: LobbyPage) -> None:
    page.open("join/1a2b3c4d")
    page.says("This address is not complete.")
    assert page.all("a.go") == []
