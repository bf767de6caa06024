"""With the keyboard alone: joining, a seat, a new game, bids, calls, a correction, and the end. The focus is always
visible, and never lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from companion.table.commands import CountByHand, MakeBid
from tests.browser.page import WATCHING, Page

pytestmark = pytest.mark.browser

FULL = {"Ana": [4, 4, 1, 6, 2], "Ben": [4, 3, 5, 5, 2], "Cid": [6, 6, 3, 2, 1]}
QUOTE = "\N{RIGHT SINGLE QUOTATION MARK}"

FOCUS = """
    const done = arguments[0];
    const look = (e) => {
      const { outlineStyle, outlineWidth, boxShadow, stroke, strokeWidth } = getComputedStyle(e);
      return outlineStyle === 'none' ? `${boxShadow} ${stroke} ${strokeWidth}` : `${outlineStyle} ${outlineWidth}`;
    };
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return done(null);
      const shape = element.matches('g') ? element.querySelector('.box') : element;
      const { left, top, width, height } = shape.getBoundingClientRect();
      const parts = [.2, .5, .8];
      const at = (along, down) => document.elementFromPoint(left + width * along, top + height * down);
      const hits = parts.flatMap((down) => parts.map((along) => at(along, down)));
      const seen = hits.some((hit) => hit && (element.contains(hit) || hit.contains(element)));
      const names = hits.map((hit) => hit && `${hit.localName} ${hit.className}`);
      const over = [top, height, innerHeight, ...new Set(names)];
      const name = `${element.className.baseVal ?? element.className} ${element.textContent.trim().slice(0, 30)}`;
      const marked = look(shape);
      element.blur();
      const plain = look(shape);
      element.focus({ preventScroll: true, focusVisible: true });
      done({ name, over, container: element.matches('main, .sheet'), seen, marked: marked !== plain });
    }));"""
"""The element with the focus, whether it is on the screen and uncovered, and whether its focus is visible."""

PUSHED = """
    const [out, done] = arguments;
    const bottom = (element) => element.getBoundingClientRect().bottom;
    const foot = document.querySelector('main > .dock').getBoundingClientRect().top;
    const late = document.createElement('div');
    late.style.height = `${foot - bottom(document.activeElement) + (out ? innerHeight : 30)}px`;
    document.activeElement.parentElement.before(late);
    let frames = 0;
    const look = () => {
      const seen = bottom(document.activeElement) <= foot;
      if (!seen && (frames += 1) < 120) return requestAnimationFrame(look); // beside others on two cores
      late.remove();
      done(seen);
    };
    requestAnimationFrame(() => setTimeout(look));"""
"""Push the element with the focus under the foot of the page, or out of it, as what comes late does: whether it is
still seen."""

DESCRIPTION = """
    const { attributes } = document.querySelector(arguments[0]);
    return document.getElementById(attributes['aria-describedby'].value).textContent;"""
"""What a screen reader says of an element after its name."""


POSTS = """
    const fetch = window.fetch;
    window.posts = 0;
    window.fetch = (address, init) => {
      window.posts += init && init.method === 'POST';
      return fetch(address, init);
    };"""
LOADED = "return performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/game/keys.js'))"


class Keyboard:
    """A keyboard that checks the focus at every step."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.lost: list[str] = []
        """Where the focus was invisible or lost."""

    def press(self, *keys: str) -> None:
        ActionChains(self.page.driver).send_keys(*keys).perform()

    def is_on(self, selector: str) -> bool:
        return bool(self.page.driver.execute_script("return document.activeElement.matches(arguments[0])", selector))

    def look(self, after: str) -> None:
        """Note an invisible or lost focus."""
        focus = self.page.driver.execute_async_script(FOCUS)
        if focus and not focus["seen"]:
            self.page.still()  # something came in this very frame
            focus = self.page.driver.execute_async_script(FOCUS)
        if focus is None:
            self.lost.append(f"{after}: nowhere")
        elif not focus["container"] and not (focus["seen"] and focus["marked"]):
            self.lost.append(f"{after}: {focus}")

    def to(self, selector: str, key: str = Keys.TAB) -> None:
        """Press Tab until the focus is there. After the last element, the browser's own bars have it once."""
        self.page.one(selector)
        self.page.still()  # what is still coming may push the focus under what stays in sight
        for _ in range(90):
            if self.is_on(selector):
                return
            self.press(key)
            if not self.is_on("body"):
                self.look(f"on the way to {selector}")
        raise AssertionError(f"no Tab leads to {selector}; {self.lost}")

    def use(self, selector: str, key: str = Keys.ENTER) -> None:
        """Go to an element, and press a key."""
        self.to(selector)
        self.press(key)

    def check_focus(self, after: str) -> None:
        """Check that an element has the focus once the page is drawn."""
        self.page.wait(lambda: not self.is_on("body"), f"the focus after {after}")
        self.look(after)


def test_a_game_from_joining_to_its_end(desk: Any) -> None:
    page = desk.phone()
    keys = Keyboard(page)

    # Join, and sit down.
    keys.use("main .join")
    page.one(".keypad")
    keys.check_focus("the keypad opened")
    keys.use(".keypad [data-digit='1']")
    keys.use(".keypad [data-digit='2']", Keys.SPACE)
    keys.press("9", Keys.BACKSPACE, "3", "4")
    page.one(".who-are-you")
    keys.check_focus("having joined")
    keys.use("[data-seat='Ana']")
    page.wait(lambda: not page.all(".sheet") and page.all(".player.own"), "being Ana")
    keys.check_focus("having sat down")

    # A new game of two, with few dice, which Ana opens.
    keys.use(".icon.menu")
    keys.use(".menu [data-item='games']")
    keys.use(".menu [data-item='game']")
    page.one(".gameform")
    keys.check_focus("the form opened")
    keys.use(".seat:nth-child(3) .icon")
    page.wait(lambda: len(page.all(".seat")) == 2, "two seats")
    keys.check_focus("a seat was taken away")
    keys.use(".gameform .more", Keys.SPACE)
    page.one(".seatmore")
    keys.to(".seat:nth-child(1) .seatmore select")
    keys.press("2")
    keys.to(".seat:nth-child(2) .seatmore select")
    keys.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    openers = "select[aria-label='Who opens']"
    keys.to(openers)
    keys.press("Ana")
    keys.to(".gameform .go")
    page.wait(lambda: page.one(openers).get_property("value") == "0", "Ana to open")
    keys.press(Keys.ENTER)
    page.wait(lambda: not page.all(".sheet") and "Round 1" in page.text, "the new game")
    keys.check_focus("the new game")
    assert [(p.name, p.dice) for p in desk.table.state().players] == [("Ana", 2), ("Ben", 2)]

    # Ana bids, her phone bids for Ben, who has none, and Ana calls.
    desk.lay(red=[4, 3], blue=[4, 6])
    page.wait(lambda: "You open the round" in page.text)
    keys.use(".bids [data-face='4']")
    keys.use(".bidbutton")
    page.wait(lambda: "Play for Ben" in page.text)
    keys.check_focus("the bid")
    keys.use(".instead")
    keys.use(".bids [data-face='4']", Keys.SPACE)
    keys.use(".step[data-step='1']", Keys.SPACE)
    keys.use(".step[data-step='-1']")
    page.wait(lambda: page.one(".bidbutton").text == "Bid 2 fours")
    keys.use(".bidbutton")
    page.wait(lambda: "Your turn" in page.text)
    assert page.driver.execute_script(DESCRIPTION, ".callrow .dudo") == "Hold the button until the ring is full."
    keys.use(".callrow .dudo")
    page.wait(lambda: page.one(".pad .hint").text == "Hold the key, or press it again.")
    keys.press(Keys.ENTER)
    page.in_phase("verdict")
    keys.check_focus("the verdict")
    assert desk.table.state().verdict.loses == "Ana"

    # A die is corrected on the picture; zoom in, and Esc goes back.
    keys.use(".to-picture")
    keys.to(".picture .boxed")
    keys.press("+", Keys.ARROW_RIGHT, "0", Keys.ENTER)
    page.one(".sheet.for-die")
    keys.check_focus("a die opened")
    ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
    assert keys.is_on(".sheet .danger"), "Tab leads back to a sheet's end"
    keys.press(Keys.TAB)
    assert keys.is_on(".sheet .close"), "and on to its beginning"
    keys.press(Keys.ESCAPE)
    page.wait(lambda: not page.all(".sheet") and keys.is_on(".picture .boxed"), "the focus back on the die")
    keys.press(Keys.ENTER)
    keys.use(".sheet .facebutton[data-face='3']")
    page.wait(lambda: "Ben loses a die" in page.text, "the other verdict")
    keys.check_focus("the correction")
    keys.use(".why")
    page.wait(lambda: page.all(".vstep"), "the steps of the verdict")
    keys.check_focus("why")
    keys.press(Keys.ESCAPE)
    page.wait(lambda: not page.all(".sheet") and keys.is_on(".why"), "the focus back on the way in")
    keys.use(".dock .next")
    page.wait(lambda: "Round 2" in page.text)
    keys.check_focus("the next round")

    # To the end: Ben opens the palifico, Ana doubts it.
    desk.lay(red=[3, 2], blue=[5])
    keys.use(".instead")
    keys.use(".bids [data-face='4']")
    keys.use(".bidbutton")
    page.wait(lambda: "Your turn" in page.text)
    keys.to(".callrow .dudo")
    ActionChains(page.driver).key_down(Keys.SPACE).pause(0.8).key_up(Keys.SPACE).perform()
    page.in_phase("over")
    keys.check_focus("the last verdict")
    keys.use(".whowon")
    keys.check_focus("the end")
    page.wait(lambda: "You win!" in page.text, "the card of the game")
    keys.use(".story")
    page.one(".sheet")
    keys.check_focus("the story")
    keys.press(Keys.ESCAPE)
    page.wait(lambda: not page.all(".sheet"))
    keys.use("summary.judgement")
    keys.use(".to-picture")
    keys.to(".pictured .tool.in")
    page.still()
    assert page.driver.execute_async_script(PUSHED, False)
    assert page.driver.execute_async_script(PUSHED, True)
    keys.use(".dock .othergame")
    page.one(".gameform")
    assert keys.lost == []
    assert page.complaints() == []


# The keys D and C


def type_(page: Any, keys: str) -> None:
    ActionChains(page.driver).send_keys(keys).perform()


def sends_nothing(page: Any, keys: str = "dc") -> bool:
    """Whether keys send nothing to the box."""
    page.driver.execute_script(POSTS)
    type_(page, "x")
    page.wait(lambda: page.driver.execute_script(LOADED), "the module of the keys")
    type_(page, keys)
    return not page.driver.execute_script("return window.posts")


def bid(desk: Any) -> None:
    desk.table.do(MakeBid("Ana", 5, 4))


def phase_is(desk: Any, phase: str) -> Callable[[], bool]:
    return lambda: desk.table.state().phase == phase


def test_on_the_tables_tablet_d_presses_dudo(desk: Any, page: Page) -> None:
    bid(desk)
    page.wait(lambda: "Ana bid" in page.text)
    type_(page, "d")
    page.wait(lambda: desk.table.state().call, "the call")
    call = desk.table.state().call
    assert (call.kind, call.player) == ("dudo", "Ben"), "who was on turn"


def test_on_the_tables_tablet_c_presses_calza_and_the_page_asks_who(desk: Any, page: Page) -> None:
    bid(desk)
    page.wait(lambda: "Ana bid" in page.text)
    type_(page, "C")
    page.wait(phase_is(desk, "asking"), "the question")


def test_without_a_bid_the_dice_are_counted_as_at_the_panel(desk: Any, page: Page) -> None:
    type_(page, "c")
    page.wait(lambda: desk.table.state().phase != "bidding", "the count")
    page.wait(lambda: "After the count, say who called." in page.text)


def test_keys_in_a_field_or_an_open_sheet_call_nothing(desk: Any, page: Page) -> None:
    bid(desk)
    page.wait(lambda: "Ana bid" in page.text)
    page.driver.execute_script("document.body.append(document.createElement('input'))")
    page.one("body > input").send_keys("dc")
    page.tap(".icon.menu")
    type_(page, "dc")
    page.tap(".menu [data-item='games']")
    page.tap(".menu [data-item='game']")
    page.one(".gameform input").send_keys("dc")
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("c").key_up(Keys.CONTROL).perform()
    page.still()
    assert desk.table.state().phase == "bidding"


def test_a_phone_of_one_player_has_no_such_keys(desk: Any) -> None:
    ben = desk.phone("Ben")
    bid(desk)
    ben.wait(lambda: "Your turn" in ben.text)
    assert sends_nothing(ben)


def test_a_board_in_the_tablets_browser_has_the_keys_and_another_board_has_not(desk: Any, page: Page) -> None:
    bid(desk)
    other = desk.phone(WATCHING)
    other.driver.get(f"{other.url}board")
    other.wait(lambda: "Ana bid" in other.text, "the other board")
    assert sends_nothing(other)
    page.wait(lambda: "Ana bid" in page.text)
    page.driver.get(f"{page.url}board")
    page.wait(lambda: "Ana bid" in page.text, "the board")
    type_(page, "d")
    page.wait(lambda: desk.table.state().call, "the call")


def test_after_a_verdict_a_key_goes_on_but_not_at_once(desk: Any, page: Page) -> None:
    bid(desk)
    page.wait(lambda: "Ana bid" in page.text)
    page.driver.execute_script(
        "const now = performance.now.bind(performance); window.ahead = 0;performance.now = () => now() + window.ahead"
    )
    type_(page, "d")
    page.wait(lambda: desk.table.state().call, "the call")
    desk.table.do(CountByHand(FULL))
    page.one(".verdict")
    type_(page, "d")
    page.still()
    assert desk.table.state().phase == "verdict"
    page.driver.execute_script("window.ahead = 3000")
    type_(page, "d")
    page.wait(phase_is(desk, "bidding"), "the next round")
