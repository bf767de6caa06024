"""A whole game by two phones and the score board at once: real browsers, a real server, table, panel and journal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from selenium import webdriver

from companion.translation.catalog import Catalog, read_catalogs
from tests.browser.every_language import LANGUAGES
from tests.browser.page import Page
from tests.browser.test_talk import label
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json

pytestmark = pytest.mark.browser

TELEVISION = (1280, 720)
QUOTE = "\N{RIGHT SINGLE QUOTATION MARK}"
NO_ANSWER = "Box not answering"

SAID = r"""
const SHOWN = ["aria-label", "title", "alt", "placeholder"];
const texts = [];
const walk = (node) => {
  if (node.nodeType === Node.TEXT_NODE) texts.push(node.nodeValue);
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  for (const name of SHOWN) if (node.hasAttribute(name)) texts.push(node.getAttribute(name));
  node.childNodes.forEach(walk);
};
walk(document.querySelector("#app, #board"));
return texts.join("\n");
"""
"""All text of a page, including that for screen readers."""


@pytest.fixture(scope="module")
def three(keep_browser: Callable[..., webdriver.Chrome]) -> tuple[webdriver.Chrome, ...]:
    """The browsers of Ana, of Ben, whose phone sleeps, and of the score board. They stay open between games."""
    return keep_browser(), keep_browser(whole=True), keep_browser(TELEVISION)


class Company:
    """Ana and Ben with a phone each, two dice each, and a score board."""

    def __init__(self, desk: Any, drivers: tuple[webdriver.Chrome, ...], language: str) -> None:
        self.desk = desk
        desk.table.do(
            new_game([("Ana", "red"), ("Ben", "blue")], dice={"Ana": 2, "Ben": 2}, starter="Ana", abandon=True)
        )
        for driver in drivers:
            agent = driver.execute_script("return navigator.userAgent")
            driver.execute_cdp_cmd(
                "Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": f"{language},en"}
            )
        self.ana, self.ben, self.board = (Page(driver, desk.url) for driver in drivers)
        self.board.driver.get(f"{desk.url}board#join=1234")
        self.board.wait(lambda: self.board.all(".b-main"), "the board")
        for phone, name in ((self.ana, "Ana"), (self.ben, "Ben")):
            phone.driver.get(f"{desk.url}#join=1234")
            phone.wait(lambda phone=phone: phone.all(".who-are-you"), "being asked who this is")
            phone.tap(f"[data-seat='{name}']")
            phone.wait(lambda phone=phone, name=name: phone.all(".player.own") and not phone.all(".sheet"), name)

    @property
    def screens(self) -> tuple[Any, Any, Any]:
        return self.ana, self.ben, self.board

    def all_show(self, *texts: str) -> None:
        """Wait until every screen shows these texts in the newest state."""
        for screen in self.screens:
            newest = lambda screen=screen: screen.version == self.desk.table.state().version  # noqa: E731
            screen.wait(newest, "the newest state")
            for text in texts:
                screen.wait(lambda screen=screen, text=text: text in screen.text, text)

    def bid(self, phone: Any, face: int) -> None:
        """The lowest bid on a face: two taps."""
        phone.tap(f".bids button[data-face='{face}']")
        phone.tap(".bidbutton:not([aria-disabled])")

    def judged(self, phone: Any, call: str) -> None:
        """Call, and wait for the verdict on every screen."""
        phone.hold(f".callrow .{call}")
        for screen in self.screens:
            screen.in_phase("verdict") if screen is not self.board else screen.wait(
                lambda: self.board.all(".b-verdict")
            )

    def complaints(self) -> list[str]:
        """Complaints of the browsers, but those about the network or a live picture asked for as the verdict fell."""
        lines = [line for screen in self.screens for line in screen.complaints()]
        late = re.compile(r"ERR_INTERNET_DISCONNECTED|frame\.jpg\?n=\d+ .* status of 403")
        return [line for line in lines if not late.search(line)]


@pytest.fixture
def gather(
    desk: Any, three: tuple[webdriver.Chrome, ...], forget: Callable[[webdriver.Chrome], None]
) -> Iterator[Callable[[str], Company]]:
    """Starts a company, in a language."""
    yield lambda language: Company(desk, three, language)
    for driver in three:
        forget(driver)


def touch(phone: Any, die: int) -> None:
    """Tap a die on the judged picture."""
    phone.unfold()
    phone.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
    find = """
        const box = document.querySelector(`.picture [data-die='${arguments[0]}'] .box`);
        document.querySelector('.pictured').scrollIntoView({block: 'start', behavior: 'instant'});
        const {left, top, width, height} = box.getBoundingClientRect();
        return [left + width / 2, top + height / 2];"""
    x, y = phone.driver.execute_script(find, die)
    gesture = {"x": x, "y": y, "duration": 50, "tapCount": 1, "gestureSourceType": "touch"}
    phone.driver.execute_cdp_cmd("Input.synthesizeTapGesture", gesture)
    phone.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def cut(phone: Any, so: bool) -> None:
    """Take a phone out of the network, or bring it back."""
    speed = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    phone.driver.execute_cdp_cmd("Network.enable", {})
    phone.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": so, **speed})


def fall_asleep(phone: Any) -> str:
    """Put another page in front of a phone's, and freeze it. Returns the window to wake."""
    window = str(phone.driver.current_window_handle)
    phone.driver.execute_script("document.addEventListener('freeze', () => { window.slept = true; })")
    phone.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})
    phone.driver.switch_to.new_window("tab")
    return window


def wake(phone: Any, window: str) -> None:
    """Wake the phone."""
    phone.driver.close()
    phone.driver.switch_to.window(window)
    phone.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
    assert phone.driver.execute_script("return window.slept"), "it was asleep"


def test_a_whole_game_by_two_phones_and_a_board(gather: Callable[[str], Company], desk: Any) -> None:
    company = gather("en")
    ana, ben, board = company.screens
    company.all_show("Round 1", "Ana", "Ben")
    assert "You open the round" in ana.text
    assert "Ana opens the round" in ben.text
    assert "Ana opens the round" in board.text

    # Two bids of two taps each, a held dudo, and the verdict everywhere.
    desk.lay(red=[4, 3], blue=[4, 6])
    company.bid(ana, 4)
    company.all_show()
    assert "Your turn" in ben.text
    assert f"Ben{QUOTE}s turn" in board.text
    company.bid(ben, 4)
    ana.wait(lambda: "Ben bid" in ana.text)
    assert in_json(desk.table.state().bid) == {"player": "Ben", "count": 2, "face": 4, "accepted": False}
    company.judged(ana, "dudo")
    company.all_show("The bid was right", "Ana loses a die", desk.table.state().verdict.sentence)

    # One of the fours was a three: Ben corrects it on the picture, everybody sees it, and he undoes it.
    touch(ben, 0)
    ben.tap(".sheet .facebutton[data-face='3']")
    company.all_show("Ben loses a die", "The bid was 2 fours: that is wrong.")
    assert label(ana) == "Undo the correction of a red die: three, not four"
    ana.tap(".dock .undo")
    company.all_show("Ana loses a die")
    ana.tap(".dock .next")
    company.all_show("Round 2", "Palifico")
    assert [p.dice for p in desk.table.state().players] == [1, 2]

    # Ben's phone loses the network; Ana, who is the host, bids for Ben. His phone comes back in mid-round.
    desk.lay(red=[6], blue=[6, 2])
    cut(ben, True)
    ben.wait(lambda: NO_ANSWER in ben.text, "the line")
    company.bid(ana, 6)
    ana.tap("[data-about='Ben']")
    ana.tap(".sheet [data-item='instead']")
    company.bid(ana, 6)
    board.wait(lambda: "Ben bid" in board.text)
    assert "No bid yet" in ben.text or "Palifico" in ben.text, "what was known stays"
    assert "bid 6" not in ben.text
    cut(ben, False)
    ben.wait(lambda: "You bid" in ben.text and NO_ANSWER not in ben.text, "Ben to catch up")
    assert ben.all(".player.own"), "Ben is Ben"

    # Two sixes lie there, exactly: Ana takes a die back.
    company.judged(ana, "calza")
    company.all_show("Exactly right", "Ana takes back a die")
    ben.tap(".dock .next")
    company.all_show("Round 3")
    assert [p.dice for p in desk.table.state().players] == [2, 2]

    # Ben's phone sleeps, and wakes on turn.
    desk.lay(red=[3, 2], blue=[4, 6])
    sleeping = fall_asleep(ben)
    company.bid(ana, 5)
    ana.wait(lambda: f"Ben{QUOTE}s turn" in ana.text)
    wake(ben, sleeping)
    ben.wait(lambda: "Your turn" in ben.text and "Ana bid" in ben.text, "Ben to be awake")
    company.judged(ben, "dudo")
    company.all_show("The bid was wrong", "Ana loses a die")
    ben.tap(".dock .next")

    # The last die.
    desk.lay(red=[5], blue=[3, 4])
    company.all_show("Round 4")
    company.bid(ana, 2)
    ben.wait(lambda: "Your turn" in ben.text)
    ben.hold(".callrow .dudo")
    for phone in (ana, ben):  # what decided the game, with its proof, before who won it
        phone.in_phase("over")
        assert "win" not in phone.text
    company.all_show(desk.table.state().verdict.sentence)
    for phone in (ana, ben):
        phone.tap(".whowon")
    for screen in company.screens:
        won = "You win!" if screen is ben else "Ben wins!"
        screen.wait(lambda screen=screen, won=won: won in screen.text, won)
    ana.driver.refresh()
    ana.wait(lambda: "Ben wins!" in ana.text, "the winner at once")
    assert {screen.phase for screen in (ana, ben)} == {"over"}
    assert desk.table.state().winner == "Ben"
    assert company.complaints() == []
    assert [line for phone in (ana, ben) for line in (*phone.elsewhere(), *phone.misfits())] == []


def vocabulary(*texts: str) -> set[str]:
    """The words of texts, without placeholders."""
    joined = " ".join(re.sub(r"\{\w+(?::\w+)?\}", " ", text) for text in texts)
    return {word for word in re.findall(r"[^\W_]+", joined.lower()) if len(word) > 1 and word.isalpha()}


def spoken(catalog: Catalog, messages: Iterable[str]) -> set[str]:
    """Every word of a language: the page's own, and those of the messages."""
    words = [text for word in catalog.words.values() for text in word.variants]
    return vocabulary(*words, *re.findall(r'"(.+?)"', catalog.grammar), *messages)


@pytest.fixture(scope="module")
def foreign(three: tuple[webdriver.Chrome, ...]) -> Callable[[Any, str], set[str]]:
    """English words on a page that its language has a translation for."""
    words: dict[str, set[str]] = {}

    def strange(screen: Any, language: str) -> set[str]:
        if not words:
            read = read_catalogs()
            english = spoken(read["en"], read["fr"].messages)
            for other in LANGUAGES[1:]:
                words[other] = english - spoken(
                    read[other], [text for message in read[other].messages.values() for text in message.variants]
                )
                assert len(words[other]) > 200, "nearly every word is another one"
        return vocabulary(screen.driver.execute_script(SAID)) & words.get(language, set())

    return strange


@pytest.mark.parametrize("language", [LANGUAGES[0], LANGUAGES[-1]])  # each language's words: test_looks
def test_a_round_in_english_and_in_another_language(
    gather: Callable[[str], Company], desk: Any, foreign: Callable[[Any, str], set[str]], language: str
) -> None:
    company = gather(language)
    ana, ben, board = company.screens

    def good() -> None:
        company.all_show()
        for screen in company.screens:
            assert screen.driver.execute_script("return document.documentElement.lang") == language
            assert foreign(screen, language) == set()
        assert [line for phone in (ana, ben) for line in phone.misfits()] == []
        assert board.too_wide() == []

    good()
    company.bid(ana, 4)
    ben.wait(lambda: ben.all(".turnline.yours"), "Ben's turn")
    ben.tap(".bids button[data-face='4']")
    ben.tap(".step[data-step='1']")
    ben.wait(lambda: "3" in ben.one(".bidbutton").text)
    good()
    ben.tap(".callrow .dudo")  # too short
    ben.wait(lambda: ben.one(".pad .hint").text, "the hint")
    good()

    # An uncertain die is asked about, and then the call is judged.
    desk.lay(red=[5, 3], blue=[-2, 6])
    ben.hold(".callrow .dudo")
    ben.in_phase("checking")
    good()
    ben.tap(".question .facebutton:first-child")
    ben.in_phase("verdict")
    board.wait(lambda: board.all(".b-verdict"), "the verdict on the board")
    good()
    sentences = {phone.texts(".sentence")[0] for phone in (ana, ben)}
    assert len(sentences) == 1, "all are told the same"
    assert board.texts("[role='status']") == list(sentences), "the board reads it aloud"
    assert (sentences == {desk.table.state().verdict.sentence}) == (language == "en")
    touch(ana, 0)
    ana.one(".sheet .facebutton")
    good()
    ana.tap(".sheet .close")
    ana.tap(".why")
    ana.wait(lambda: ana.all(".vstep"), "the steps of the verdict")
    good()
    ana.tap(".sheet .close")
    ben.tap(".dock .next")
    ben.in_phase("bidding")
    good()
    ben.tap(".icon.menu")
    ben.one(".sheet")
    good()
    assert company.complaints() == []
