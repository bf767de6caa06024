"""The score board in a real Chromium, as a television or an old tablet across the room."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from flask import Flask
from msgspec.structs import replace

from companion.messages.sentence import json_bytes
from companion.table import commands
from companion.table.state.state import Notice, State
from tests.browser.axe import barriers
from tests.browser.every_language import LANGUAGES, MARKED, learn, look, prepare, speak
from tests.browser.looks import OVERLAPS
from tests.browser.page import Page
from tests.browser.site import Site
from tests.browser.test_looks import MOVING, OUTSIDE, not_in_catalogs
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.stream.server import Server

pytestmark = pytest.mark.browser

TELEVISION = (1280, 720)
LARGE = (1920, 1080)
"""Its parts are as large a share of the screen as on `TELEVISION`: looked at in English only."""
SCREENS = (LARGE, (1024, 768), TELEVISION)
UPRIGHT = (768, 1024)
TABLETS = (UPRIGHT, (820, 1180))
LOWEST = 0.0415
"""The smallest letters that can be read from five metres, as a part of the height of the screen."""

LOW = """
    const low = [];
    const walker = document.createTreeWalker(document.querySelector('#board'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
      if (!text || element.closest('.hidden, svg')) continue;
      const size = parseFloat(getComputedStyle(element).fontSize);
      if (size < arguments[0] * innerHeight) low.push(`${text}: ${size}`);
    }
    return low;"""
CUT = """
    const boxes = '.b-seat, .b-stage, .b-verdict, .b-centre, .b-corner, .b-way';
    const cut = [...document.querySelectorAll(boxes)]
      .filter(e => e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 2);
    const clipped = e => e.id !== 'board' && (getComputedStyle(e).overflowY === 'hidden' || clipped(e.parentElement));
    const outside = [...document.querySelectorAll('#board *')].map(e => [e, e.getBoundingClientRect()])
      .filter(([e, r]) => r.width && !e.closest('svg, .hidden') && !clipped(e.parentElement)
                          && (r.right > innerWidth + 1 || r.bottom > innerHeight + 1 || r.left < -1 || r.top < -1))
      .map(([e]) => e);
    const broken = [...document.querySelectorAll('.bidsign .n, .is .bidsign')]
      .filter(e => e.getBoundingClientRect().height > 1.6 * parseFloat(getComputedStyle(e).fontSize));
    const shown = '.b-table :is(.b-seat, .b-corner, .b-stage > :not(.b-centre), .b-centre > *)';
    const parts = [...document.querySelectorAll(shown)].map(e => [e, e.getBoundingClientRect()]);
    const over = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
      && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const covered = parts.filter(([e, r]) => parts.some(([other, s]) => e !== other && over(r, s)
      && (e.matches('.b-seat') || other.matches('.b-seat, .b-corner')))).map(([e]) => e);
    return [...cut, ...outside, ...broken, ...covered].map(e => `${e.className} ${e.textContent.slice(0, 40)}`)"""
"""What is cut off, outside the screen, broken in two lines, or on the table under something else."""

DEEPER = 0.08
"""Parts of the size of the letters by which those of Noto Sans and Roboto may reach deeper than the tests' font."""
DESCENDERS = """
    const short = [];
    const walker = document.createTreeWalker(document.querySelector('#board'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || element.closest('.hidden, svg')) continue;
      let clip = element;
      while (clip && getComputedStyle(clip).overflowY !== 'hidden') clip = clip.parentElement;
      if (!clip || clip.id === 'board' || clip.scrollHeight > clip.clientHeight + 4) continue; // too long
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const bottom = Math.max(...[...range.getClientRects()].map((rect) => rect.bottom));
      const size = parseFloat(getComputedStyle(element).fontSize);
      const room = clip.getBoundingClientRect().bottom - bottom;
      if (room < arguments[0] * size - 0.5) short.push(`${clip.className} ${walker.currentNode.data}: ${room / size}`);
    }
    return short;"""


class Board(Page):
    """A browser with the board."""

    def __init__(self, driver: Any, url: str, screen: tuple[int, int] = TELEVISION) -> None:
        self.driver = driver
        self.fit(screen)
        super().__init__(driver, url)

    def fit(self, screen: tuple[int, int]) -> None:
        """Resize the screen, in pixels."""
        metrics = {"width": screen[0], "height": screen[1], "deviceScaleFactor": 1, "mobile": False}
        metrics |= {"screenWidth": screen[0], "screenHeight": screen[1]}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def draws(self, table: FakeTable) -> None:
        """Wait until the state of the table is drawn."""
        self.shows(table.state().version)
        self.wait(lambda: not self.all(".b-stage .connecting"), "the views of a reveal")


@pytest.fixture
def board(site: Site, open_browser: Callable[..., Any]) -> Iterator[Board]:
    board = Board(open_browser(TELEVISION), f"{site.url}board#join=1234")
    yield board
    assert board.complaints() == []


OTHERS = LANGUAGES[1:]
LOW_OR_CUT = f"const low = (function () {{ {LOW} }})(...arguments); return [...low, ...(() => {{ {CUT} }})()]"
"""Both in one script."""


def with_names(state: State, names: dict[str, str]) -> State:
    """The state with other names everywhere."""
    text = json_bytes(state).decode()
    for name, other in names.items():
        text = text.replace(name, other)
    return msgspec.json.decode(text, type=State)


LONG = {
    "Ana": "W" * 24,
    "Ben": "Ben-Maximilian Alexander",
    "Cid": "Λ" * 24,
    "Dorothea-Valentina": "Dorothea-Valentina Maria",
    "Élise": "ÉÉÉÉÉÉÉÉÉ ÉÉÉÉÉÉÉÉÉ",
    "Ἑλένη": "漢字漢字漢字漢字漢字漢字",
}


@pytest.fixture(scope="module")
def faults(
    tmp_path_factory: pytest.TempPathFactory,
    serve: Callable[[Flask], Server],
    keep_browser: Callable[..., Any],
    axe: Callable[..., list[str]],
) -> dict[str, list[str]]:
    """What is wrong with any state, by kind. Each state is looked at once."""
    site = Site(tmp_path_factory.mktemp("board"), serve, keep_browser)
    driver = keep_browser(TELEVISION)
    prepare(driver)
    board = Board(driver, f"{site.url}board#join=1234")
    learn(board.driver)
    for name in ("bidding", "break"):  # what is read aloud is in the language in which it was first said
        site.show(board, name)
        speak(board.driver, MARKED)
    found: dict[str, list[str]] = {kind: [] for kind in ("fit", "barrier", "outside", "moving", "complaint")}
    for name, state in STATES.items():
        for names in (LONG, {}):
            speak(board.driver, MARKED)
            site.table.show(with_names(state, names))
            board.draws(site.table)
            where = f"{name}, long names" if names else name
            for screen in TABLETS:
                board.fit(screen)
                found["fit"] += [f"{where} {screen}: {line}" for line in board.driver.execute_script(CUT)]
            for screen in SCREENS:  # the last is the television
                board.fit(screen)
                languages = ["en"] if names or screen == LARGE else [*OTHERS, "en"]
                for language, lines in look(board.driver, languages, LOW_OR_CUT, LOWEST).items():
                    found["fit"] += [f"{where} {screen} {language}: {line}" for line in lines]
            if not names:
                found["moving"] += [f"{where}: {line}" for line in board.driver.execute_script(MOVING)]
                found["barrier"] += barriers(board, axe, where)
                texts = look(board.driver, [MARKED], OUTSIDE)[MARKED]
                found["outside"] += [f"{where}: {text}" for text in not_in_catalogs(texts)]
    if board.all("button, input, select, a, [tabindex]:not([tabindex='-1'])"):
        found["complaint"].append("there is something to press")
    found["complaint"] += board.complaints()
    board.driver.get("about:blank")  # it would look for other tests' tables
    site.pull_the_plug()
    return found


@pytest.mark.parametrize(
    ("kind", "means"),
    {
        "fit": "it can be read from across the room, in every language",
        "barrier": "axe-core finds no barrier in either theme",
        "outside": "every text is from the catalogs",
        "moving": "nothing moves for who wants no motion",
        "complaint": "nothing on the console, nothing to press",
    }.items(),
)
def test_every_state_is_right(faults: dict[str, list[str]], kind: str, means: str) -> None:
    assert faults[kind] == [], means


def test_descenders_are_whole(board: Board, site: Site) -> None:
    for name in ("bidding", "bidding-undone", "asking", "rolling-tie", "verdict-wrong", "checking", "over", "eight"):
        site.table.show(with_names(STATES[name], {"Ana": "Jörg Agypq"}))
        board.draws(site.table)
        assert board.driver.execute_script(DESCENDERS, DEEPER) == [], name


def test_every_phase_shows_what_matters(board: Board, site: Site) -> None:
    def show(name: str) -> str:
        site.table.show(STATES[name])
        board.draws(site.table)
        return board.text

    for words in (
        "Ana bid",
        "Ben\N{RIGHT SINGLE QUOTATION MARK}s turn",
        "Pacos are wild",
        "Round 13",
        "18 dice",
    ):
        assert words in show("bidding"), words
    assert len(board.all(".b-seat.on-turn")) == 1
    assert "Ben" in board.one(".b-seat.on-turn").text
    size = "return parseFloat(getComputedStyle(document.querySelector('.b-bid')).fontSize)"
    assert board.driver.execute_script(size) >= 0.28 * TELEVISION[1], "the bid is huge"
    dice = board.driver.execute_script(
        "return [...document.querySelectorAll('.b-seat')].map(e => e.querySelectorAll('.mini').length)"
    )
    assert dice == [5, 3, 1, 4, 5, 0]
    assert "Palifico: Cid is down to one die." in show("palifico")
    assert "To the right" in show("eight")
    assert len(board.all(".b-seat")) == 8
    assert "Against the rules: let pass" in show("passed")
    assert "To the right" not in board.text
    assert "The round is void\nDorothea-Valentina opens the round" in show("void").replace("\n\n", "\n")
    show("bidding-hidden")
    assert len(board.all(".b-seat .mini.cup")) == 5
    assert " dice" not in board.one(".b-round").text
    assert "Ben says dudo" in show("reading")
    assert "Waiting for hands" in board.text
    assert board.all(".b-picture .live")
    assert "I see 4 of Ana\u2019s 5 red dice." in show("checking")
    verdict = show("verdict-wrong")
    for words in ("Ben says dudo", "The bid was right", "Ben loses a die", "Ben opens the next round"):
        assert words in verdict, words
    assert STATES["verdict-wrong"].verdict.sentence in board.one("[role='status']").get_attribute("textContent")
    assert STATES["verdict-wrong"].verdict.sentence not in board.one("main").text, "it is read aloud, and on the phones"
    assert board.texts(".against .bidsign .n, .against .is .bidsign") == ["5", ""]
    assert board.one(".against .is .countup").get_attribute("aria-label") == "5"
    assert "Ben" in board.one(".b-seat.loses").text
    assert len(board.all(".b-seat .die.matches")) == 5
    assert len(board.all(".b-seat .goes")) == 1
    for player in STATES["verdict-wrong"].players:
        read = sum(die.player == player.name for die in STATES["verdict-wrong"].reading.dice)
        drawn = len(board.all(f".b-seat.{player.colour} :is(.die, .mini)"))
        assert drawn == (read or player.dice), player.name
    assert "Ana wins!" in show("over")
    assert "A break" in show("break")


def test_the_dice_can_be_recognized_from_across_the_room(board: Board, site: Site) -> None:
    script = "return [...document.querySelectorAll(arguments[0])].map(e => e.getBoundingClientRect().width)"
    for name, dice in {
        "checking": ".tiles .box",
        "telling": ".b-seat .die",
        "verdict-wrong": ".b-seat .die",
        "verdict-thirty": ".b-seat .die",
    }.items():
        site.table.show(STATES[name])
        board.draws(site.table)
        widths = board.driver.execute_script(script, dice)
        assert len(widths) == len(STATES[name].reading.dice), name
        assert min(widths) > LOWEST * TELEVISION[1], name
        assert board.driver.execute_script(OVERLAPS, ".tiles") == [], name
        assert bool(board.all(".tiles")) == ("tiles" in dice), "each die is shown once where it can be read"


PLACES = """
    return [...document.querySelectorAll('.b-seat')].map((seat) => {
      const { left, top, width, height } = seat.getBoundingClientRect();
      const [x, y] = [left + (width - innerWidth) / 2, top + (height - innerHeight) / 2];
      return (Math.atan2(y, x) * 180 / Math.PI + 270) % 360; // clockwise from the bottom
    });"""


@pytest.mark.parametrize("number", range(2, 9))
def test_the_players_sit_clockwise_round_the_table(board: Board, site: Site, number: int) -> None:
    """With the most dice that rules give, and bids of two figures."""
    players = tuple(replace(player, dice=6) for player in STATES["eight"].players[:number])
    bids = tuple(replace(STATES["eight"].bid, player=players[n % number].name, count=20 + n) for n in range(9))
    state = replace(STATES["eight"], players=players, turn=players[1].name, bids=bids, bid=bids[-1])
    for names in ({}, LONG):
        site.table.show(with_names(state, names))
        board.draws(site.table)
        for screen in (*SCREENS, *TABLETS):
            board.fit(screen)
            around = [round(angle, 1) % 360 for angle in board.driver.execute_script(PLACES)]
            assert around[0] == 0, "the first at the bottom"
            assert around == sorted(around), screen
            assert board.driver.execute_script(CUT) == [], screen
        board.fit(TELEVISION)


def test_the_trail_is_of_the_last_bids(board: Board, site: Site) -> None:
    def trail(state: State) -> list[str]:
        site.table.show(state)
        board.draws(site.table)
        signs = "return [...document.querySelectorAll('.b-trail .bidsign')].map((e) => e.getAttribute('aria-label'))"
        return [
            f"{who} {sign}"
            for who, sign in zip(board.texts(".b-trail .b-disc"), board.driver.execute_script(signs), strict=True)
        ]

    bidding = STATES["bidding"]
    assert trail(bidding) == ["D 3 fours", "É 4 fours", "A 5 fours"]
    ben = replace(bidding.bid, player="Ben", count=6)
    cid = replace(bidding.bid, player="Cid", count=7)
    bids = (*bidding.bids, ben, cid, replace(ben, count=8))
    assert trail(replace(bidding, bids=bids, bid=bids[-1])) == [
        "É 4 fours",
        "A 5 fours",
        "B 6 fours",
        "C 7 fours",
        "B 8 fours",
    ]
    assert trail(STATES["opening"]) == []


def test_the_board_joins_by_its_address_only_to_watch_and_shows_others_how_to_join(board: Board, site: Site) -> None:
    assert not board.all(".b-qr"), "nobody joins while bids are made"
    site.table.show(STATES["verdict-wrong"])
    board.draws(site.table)
    source = "return document.querySelector('.b-qr').getAttribute('src')"
    board.wait(lambda: board.driver.execute_script(source).endswith("?code=1"), "the code in the QR code")
    assert "1234" in board.text
    assert "192.168.178.123:8080" in board.text
    assert "join" not in board.driver.current_url, "the code is not left in the address"
    assert [(phone.role, phone.player) for phone in site.access.phones.presence().phones] == [("watching", None)]
    board.driver.get(f"{site.url}board")
    board.wait(lambda: board.all(".b-code"), "being known again")
    site.table.show(STATES["seating"])
    board.draws(site.table)
    assert "http://" not in board.text
    assert "box.local:8080" in board.text
    assert board.all(".b-qr.large")


def test_without_the_code_the_board_shows_everything_except_the_code(
    site: Site, open_browser: Callable[..., Any]
) -> None:
    site.table.show(STATES["break"])
    board = Board(open_browser(TELEVISION), f"{site.url}board")
    board.wait(lambda: "192.168.178.123" in board.text)
    assert board.driver.execute_script("return document.querySelector('.b-qr').getAttribute('src')") == "/api/v1/qr.svg"
    assert "1234" not in board.text
    assert site.access.phones.presence().phones == ()
    board.driver.get(f"{site.url}board#join=9999")
    board.wait(lambda: board.all("[role='alert']"), "the refusal")
    site.table.show(STATES["bidding"])
    board.wait(lambda: "Ana bid" in board.text, "the bid")


def test_a_lost_connection_is_reported_and_the_board_comes_back(board: Board, site: Site) -> None:
    site.pull_the_plug()
    board.wait(lambda: "Box not answering" in board.text)
    assert "Ana bid" in board.text
    site.table.show(STATES["palifico"])
    site.plug_in()
    board.wait(lambda: "Cid bid" in board.text and not board.all(".b-cut"), "the board to come back")
    board.complaints()  # clear the browser's own lines about the failed requests


def test_a_refused_press_is_shown_only_on_boards_that_were_there(board: Board, site: Site) -> None:
    def pressed(number: int) -> str:
        notice = Notice(code="no-bid", number=number, sentence="There is no bid in this round yet.")
        site.table.show(replace(STATES["opening"], notice=notice))
        board.draws(site.table)
        return notice.sentence

    sentence = pressed(7)
    board.wait(lambda: [element.text for element in board.all(".b-cut")] == [sentence], "the refusal")
    board.driver.refresh()
    board.draws(site.table)
    assert not board.all(".b-cut")
    pressed(7)
    assert not board.all(".b-cut"), "another state tells of the same press"
    pressed(8)
    board.wait(lambda: board.all(".b-cut"), "the next press")


LOCK = """
    window.asked = 0;
    const sentinel = () => Object.assign(new EventTarget(), { released: false });
    const wakeLock = { request: async () => { window.asked += 1; return window.held = sentinel(); } };
    Object.defineProperty(navigator, 'wakeLock', { value: wakeLock, configurable: true });"""
LET_GO = "window.held.released = true; document.dispatchEvent(new Event('visibilitychange'))"


def test_the_screen_stays_on(site: Site, open_browser: Callable[..., Any]) -> None:
    driver = open_browser(TELEVISION)
    script = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LOCK})
    board = Board(driver, f"{site.url}board")
    board.wait(lambda: driver.execute_script("return window.asked") == 1)
    driver.execute_script(LET_GO)
    board.wait(lambda: driver.execute_script("return window.asked") == 2, "the lock to be taken again")
    assert not board.all("video")

    # As in the home network: without a certificate, browsers refuse a wake lock.
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    without = {"source": "delete Navigator.prototype.wakeLock"}
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", without)
    board = Board(driver, f"{site.url}board")
    playing = "const v = document.querySelector('video'); return v && !v.paused && v.currentTime > 0"
    board.wait(lambda: driver.execute_script(playing), "the film that keeps the screen on")
    assert board.complaints() == []


@pytest.mark.parametrize("language", ["en", "fr", "nl", "it", "es"])
def test_a_game_that_was_won_is_told_from_across_the_room(
    site: Site, open_browser: Callable[..., Any], axe: Callable[[Any], list[str]], language: str
) -> None:
    site.table.show(STATES["over"])
    board = Board(open_browser(TELEVISION), f"{site.url}board#join=1234")
    board.speak(language)
    board.driver.refresh()
    board.wait(lambda: board.all(f"[lang='{language}'] .b-card"), "the card of the game")
    assert len(board.all(".b-curves polyline")) == 4
    assert len({line.get_attribute("stroke-dasharray") for line in board.all(".b-curves polyline")}) == 4
    assert [fact.text.splitlines()[1] for fact in board.all(".b-fact")] == ["Dorothea-Valentina", "Ben"]
    assert "Ana" in board.driver.find_element("css selector", ".b-takings li").text
    for screen in SCREENS:
        board.fit(screen)
        assert board.driver.execute_script(LOW_OR_CUT, LOWEST) == [], f"{language} {screen}"
        assert board.driver.execute_script(DESCENDERS, DEEPER) == [], f"{language} {screen}"
    assert axe(board) == []
    assert board.complaints() == []


def test_the_last_verdict_is_shown_before_the_card(board: Board, site: Site) -> None:
    board.driver.execute_script("window.waits = []; window.setTimeout = (then, delay) => waits.push([then, delay])")
    for name in ("verdict-wrong", "over"):
        site.table.show(STATES[name])
        board.draws(site.table)
    assert board.all(".against")
    assert board.all(".b-seat .die.matches")
    assert not board.all(".b-card")
    board.driver.execute_script(
        "waits.filter(([, delay]) => delay > 9000 && delay < 15000).forEach(([then]) => then())"
    )
    board.wait(lambda: board.all(".b-card"), "the card of the game")
    assert not board.all(".against")


def test_the_board_follows_a_game(desk: Any, open_browser: Callable[..., Any]) -> None:
    board = Board(open_browser(TELEVISION), f"{desk.url}board")
    assert "Ana opens the round" in board.text
    desk.lay(red=[4, 4, 1, 6, 2], blue=[4, 3, 5, 5, 2], green=[6, 6, 3, 2, 1])
    desk.table.do(commands.MakeBid("Ana", 6, 4))
    board.wait(lambda: "Ana bid" in board.text)
    desk.table.do(commands.CallDudo("Ben"))
    board.wait(lambda: "Ana loses a die" in board.text, "the verdict")
    assert len(board.all(".b-seat .die")) == 15
    desk.table.do(commands.OpenRound())
    board.wait(lambda: "Round 2" in board.text)
    assert len(board.all(".b-seat:first-child .mini")) == 4
    assert board.complaints() == []


def test_the_overlay_shows_the_table_over_another_picture(site: Site, open_browser: Callable[..., Any]) -> None:
    driver = open_browser(TELEVISION)
    driver.get(f"{site.url}overlay")
    page = Page(driver, f"{site.url}overlay")
    for state, words in (
        ("bidding", ("Ana", "Ben\u2019s turn")),
        ("palifico", ("Palifico: ", "Pacos are not wild")),
        ("verdict-wrong", ("Ben loses a die", "counted")),
    ):
        site.table.show(STATES[state])
        page.wait(lambda words=words: all(word in page.text for word in words), words)
    site.show(page, "bidding")
    assert page.texts(".b-trail .b-disc") == ["D", "\u00c9", "A"], "the bid, and the two before it"
    assert page.texts(".b-name")[:3] == ["Ana", "Ben", "Cid"]
    ground = "return [document.documentElement, document.body].map((e) => getComputedStyle(e).backgroundColor)"
    assert set(driver.execute_script(ground)) == {"rgba(0, 0, 0, 0)"}
    assert page.all("button, input, a") == []
    assert page.too_wide() == []
    assert page.complaints() == []


STRIP = """
    const seats = [...document.querySelectorAll('.b-seat')].map((e) => e.getBoundingClientRect());
    const strip = document.querySelector('.o-strip').getBoundingClientRect();
    const one = seats.every(({ top, bottom }) => top === seats[0].top && bottom === seats[0].bottom);
    const high = strip.height / innerHeight;
    const low = strip.bottom / innerHeight;
    return [
      one ? '' : 'more than one row',
      low < 0.95 ? `its foot at ${low}` : '',
      high > 0.2 ? `${high} of the height` : '',
    ].filter(Boolean);"""


def test_the_overlay_is_one_strip_in_every_state(site: Site, open_browser: Callable[..., Any]) -> None:
    driver = open_browser(TELEVISION)
    page = Page(driver, f"{site.url}overlay")
    for name, state in STATES.items():
        if state.phase != "seating":
            for names in ({}, LONG):
                site.table.show(with_names(state, names))
                page.shows(site.table.state().version)
                assert driver.execute_script(LOW_OR_CUT, LOWEST) == [], (name, names)
                assert driver.execute_script(STRIP) == [], (name, names)
    assert page.complaints() == []
