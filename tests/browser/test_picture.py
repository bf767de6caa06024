"""The judged picture with touch (the browser's own events), mouse, wheel and keys at 360 x 640; and the motion of a new
verdict. Only the table is a fake."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.keys import Keys

from companion.table.commands import AddDie, Command, SetDie, StrikeDie
from companion.table.state.state import Clip
from tests.browser import chromium, looks
from tests.browser.page import TABLET
from tests.browser.site import Site
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable

pytestmark = pytest.mark.browser

Point = tuple[float, float]
VIEW = """
    const scene = document.querySelector('.picture .scene').transform.baseVal.consolidate().matrix;
    return [scene.a, -scene.e / scene.a, -scene.f / scene.a]"""

TWO_TAPS = """
    const [clientX, clientY] = arguments;
    const finger = { clientX, clientY, pointerId: 1, pointerType: 'touch', isPrimary: true, bubbles: true };
    const there = document.elementFromPoint(clientX, clientY);
    const touch = (type) => there.dispatchEvent(new PointerEvent(type, finger));
    ['pointerdown', 'pointerup', 'pointerdown', 'pointerup'].forEach(touch);"""


class Fingers:
    """Fingers on a page's picture. Places are relative to its frame: (0, 0) is the upper left corner."""

    def __init__(self, page: Any, table: FakeTable) -> None:
        self.page = page
        self.table = table
        page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
        self.to_top()

    def to_top(self) -> None:
        """Scroll the page so that the picture begins at its upper edge."""
        script = "document.querySelector('.pictured').scrollIntoView({block: 'start', behavior: 'instant'})"
        self.page.driver.execute_script(script)

    def at(self, place: Point) -> Point:
        """A place on the screen."""
        left, top, width, height = self.page.driver.execute_script(
            "const r = document.querySelector('.picture').getBoundingClientRect(); return [r.x, r.y, r.width, r.height]"
        )
        return (left + place[0] * width, top + place[1] * height)

    def on(self, number: int) -> Point:
        """The place of a die on the picture's frame."""
        k, x, y = self.view
        left, top, width, height = next(die.box for die in self.table.state().reading.dice if die.id == number)
        return (left + width / 2 - x) * k / 1280, (top + height / 2 - y) * k / 960

    def send(self, kind: str, *places: Point) -> None:
        points = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(map(self.at, places))]
        self.page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(self, *ways: tuple[Point, Point], steps: int = 8) -> None:
        """Put down a finger for each path, move it along, and lift it."""
        self.send("touchStart", ways[0][0])
        if len(ways) > 1:
            self.send("touchStart", *(start for start, _ in ways))
        for step in range(1, steps + 1):
            part = step / steps
            self.send("touchMove", *((a + (c - a) * part, b + (d - b) * part) for (a, b), (c, d) in ways))
        self.send("touchEnd")

    def tap(self, place: Point) -> None:
        """Tap. The browser times the touch, so that a busy machine does not matter."""
        x, y = self.at(place)
        gesture = {"x": x, "y": y, "duration": 50, "gestureSourceType": "touch"}
        self.page.driver.execute_cdp_cmd("Input.synthesizeTapGesture", gesture)

    def tap_twice(self, place: Point) -> None:
        """Tap twice in one script: a busy browser would take its time between two touches."""
        self.page.driver.execute_script(TWO_TAPS, *self.at(place))

    def pinch(self) -> None:
        """Zoom in on the middle."""
        self.drag(((0.42, 0.42), (0.2, 0.2)), ((0.58, 0.58), (0.8, 0.8)))

    @property
    def view(self) -> tuple[float, float, float]:
        """The zoom of the picture, and its origin."""
        k, x, y = self.page.driver.execute_script(VIEW)
        return k, x, y

    @property
    def scrolled(self) -> float:
        return float(self.page.driver.execute_script("return window.scrollY"))

    @property
    def commands(self) -> list[Command]:
        return self.table.commands

    def waited(self) -> None:
        """Wait, by the page's own timers, until a second tap would no longer make a double tap."""
        self.page.driver.execute_async_script("setTimeout(arguments[0], 400)")


@pytest.fixture
def fingers(site: Site) -> Iterator[Fingers]:
    site.table.show(STATES["checking"])
    page = site.phone(TABLET)
    page.one(".picture")
    yield Fingers(page, site.table)
    assert page.complaints() == []


def test_two_fingers_zoom_in_and_open_nothing(fingers: Fingers) -> None:
    assert fingers.view == (1, 0, 0)
    fingers.pinch()
    k, x, y = fingers.view
    assert k == pytest.approx(3.75, rel=0.1)
    assert (x + 1280 / k / 2, y + 960 / k / 2) == (pytest.approx(640, abs=12), pytest.approx(480, abs=12))
    fingers.waited()
    assert not fingers.page.all(".sheet, .shelf")
    assert fingers.page.driver.execute_script("return window.visualViewport.scale") == 1, "the page stays as it is"

    before = fingers.scrolled
    fingers.drag(((0.5, 0.3), (0.7, 0.6)))  # one finger moves an enlarged picture
    assert fingers.scrolled == before
    assert fingers.view[0] == pytest.approx(k)
    assert fingers.view[1] == pytest.approx(x - 0.2 * 1280 / k, abs=8)
    fingers.drag(((0.1, 0.1), (0.9, 0.9)))
    fingers.drag(((0.1, 0.1), (0.9, 0.9)))
    assert fingers.view[1:] == (0, 0), "no farther than its edge"
    fingers.drag(((0.2, 0.2), (0.45, 0.45)), ((0.8, 0.8), (0.55, 0.55)))
    assert fingers.view == (1, 0, 0)
    fingers.waited()
    assert not fingers.page.all(".sheet, .shelf")


def test_one_finger_scrolls_the_page_over_a_picture_that_is_not_enlarged(fingers: Fingers) -> None:
    fingers.page.driver.execute_script("document.querySelector('main').style.paddingBottom = '400px'")  # a longer page
    before = fingers.scrolled
    fingers.drag(((0.5, 0.8), (0.5, 0.2)))
    fingers.page.wait(lambda: fingers.scrolled > before + 60, "the page to scroll")
    assert fingers.view == (1, 0, 0)
    fingers.waited()
    assert not fingers.page.all(".sheet, .shelf")


def test_a_double_tap_zooms_in_and_out_and_a_new_state_does_not_move_the_picture(fingers: Fingers) -> None:
    place = fingers.on(5)
    fingers.tap_twice(place)
    fingers.page.wait(lambda: fingers.view[0] > 2.5, "to be closer")
    view = fingers.page.wait(lambda: fingers.view if fingers.view[0] == pytest.approx(2.6) else None)
    assert fingers.on(5) == (pytest.approx(place[0], abs=0.02), pytest.approx(place[1], abs=0.02))
    fingers.waited()
    assert not fingers.page.all(".sheet, .shelf")

    fingers.table.show(replace(STATES["checking"], undo=None))
    fingers.page.wait(lambda: fingers.page.version == fingers.table.state().version)
    assert fingers.view == view
    fingers.table.show(STATES["verdict-right"])
    fingers.page.in_phase("verdict")
    fingers.page.unfold()
    assert fingers.view == view, "it is the same picture, judged"

    fingers.to_top()
    fingers.tap_twice(fingers.on(5))
    fingers.page.wait(lambda: fingers.view == (1, 0, 0), "the whole picture")


def test_a_tapped_die_offers_one_to_six_and_marks_the_likely_faces(fingers: Fingers) -> None:
    fingers.pinch()
    fingers.drag(((0.2, 0.2), (0.9, 0.9)))
    fingers.tap(fingers.on(3))
    sheet = fingers.page.one(".sheet")
    faces = [face.get_attribute("data-face") for face in fingers.page.all(".sheet .facebutton")]
    assert faces == ["1", "2", "3", "4", "5", "6"]
    likely = [face.get_attribute("data-face") for face in fingers.page.all(".sheet .facebutton.likely")]
    assert likely == ["4", "5", "6"]
    assert not fingers.page.all(".sheet .facebutton.chosen"), "the box is not sure of any"
    assert fingers.page.all(".sheet .crop.big image"), "a close look at it"
    assert "Ana" in sheet.text
    assert fingers.page.misfits() == []
    fingers.page.tap(".sheet .colourbutton:nth-child(2)")
    fingers.page.wait(lambda: fingers.commands == [SetDie(3, colour="blue")])
    fingers.page.tap(".sheet .facebutton[data-face='4']")
    fingers.page.wait(lambda: fingers.commands[1:] == [SetDie(3, face=4)])
    fingers.page.wait(lambda: not fingers.page.all(".sheet"))
    fingers.tap(fingers.on(3))
    fingers.page.tap(".sheet .danger")
    fingers.page.wait(lambda: fingers.commands[2:] == [StrikeDie(3)])


def test_a_sheet_over_a_die_closes_when_another_reading_comes(fingers: Fingers) -> None:
    page, table = fingers.page, fingers.table
    again = replace(STATES["checking"], reading=replace(STATES["checking"].reading, id=4, picture=None))
    for opener, opened in (((".question .other",), ".putright"), ((".tool.add",), ".shelf")):
        for selector in opener:
            page.tap(selector)
        page.one(opened)
        table.show(STATES["checking"])
        page.wait(lambda: page.version == table.state().version)
        assert page.all(opened), "the same reading told again closes nothing"
        table.show(again)
        page.wait(lambda opened=opened: not page.all(opened), "it to close: die 3 is another one now")
        table.show(STATES["checking"])
        page.wait(lambda: page.version == table.state().version)
        assert not page.all(opened)
    assert fingers.commands == []


def box(fingers: Fingers) -> list[float]:
    """The box being drawn, in pixels of the picture."""
    script = """
        const box = document.querySelector('.picture .place');
        return box && ['x', 'y', 'width', 'height'].map(name => Number(box.getAttribute(name)))"""
    return fingers.page.driver.execute_script(script) or []


def test_a_box_is_drawn_round_a_missed_die_moved_and_sized(fingers: Fingers) -> None:
    fingers.page.tap(".tool.add")
    fingers.page.one(".shelf")
    fingers.to_top()
    before = fingers.scrolled
    fingers.drag(((0.4, 0.3), (0.6, 0.5)))
    first_box = fingers.page.wait(lambda: box(fingers))
    assert first_box == [pytest.approx(v, abs=6) for v in (512, 288, 256, 192)]
    assert fingers.view == (1, 0, 0), "it is large enough to be taken hold of"
    fingers.drag(((0.5, 0.4), (0.55, 0.45)))
    assert fingers.page.wait(lambda: box(fingers)) == [pytest.approx(v, abs=8) for v in (576, 336, 256, 192)]
    fingers.drag(((0.45, 0.35), (0.35, 0.2)))  # the upper left corner
    assert fingers.page.wait(lambda: box(fingers)) == [pytest.approx(v, abs=10) for v in (448, 192, 384, 336)]
    fingers.pinch()
    assert fingers.view[0] > 2, "two fingers draw nothing"
    assert box(fingers) == [pytest.approx(v, abs=10) for v in (448, 192, 384, 336)]
    assert fingers.scrolled == before
    assert fingers.page.misfits() == []
    fingers.page.tap(".shelf .colourbutton:nth-child(3)")
    fingers.page.tap(".shelf .facebutton[data-face='5']")
    fingers.page.wait(lambda: fingers.commands)
    command, *more = fingers.commands
    assert (type(command), command.face, command.colour, more) == (AddDie, 5, "green", [])
    assert list(command.box) == [pytest.approx(v, abs=10) for v in (448, 192, 384, 336)]
    fingers.page.wait(lambda: not fingers.page.all(".shelf"))


def test_a_small_box_is_enlarged_so_that_it_can_be_dragged(fingers: Fingers) -> None:
    fingers.page.tap(".tool.add")
    fingers.page.one(".shelf")
    fingers.to_top()
    fingers.tap((0.5, 0.5))
    x, y, w, h = fingers.page.wait(lambda: box(fingers))
    assert (x + w / 2, y + h / 2, w, h) == (pytest.approx(640, abs=6), pytest.approx(480, abs=6), 56, 56)
    fingers.page.wait(lambda: fingers.view[0] > 3, "to be closer")
    fingers.page.tap(".tool.add")
    fingers.page.wait(lambda: not fingers.page.all(".shelf, .picture .place"))
    fingers.page.wait(lambda: fingers.view == (1, 0, 0), "to look as before")
    assert fingers.commands == []


def test_the_keyboard_alone_can_zoom_in_and_add_a_die(fingers: Fingers) -> None:
    def press(*keys: str) -> None:
        ActionChains(fingers.page.driver).send_keys(*keys).perform()

    def focus(selector: str) -> None:
        fingers.page.driver.execute_script("document.querySelector(arguments[0]).focus()", selector)

    def framed() -> None:
        has_focus = "return document.activeElement.matches('.frame')"
        fingers.page.wait(lambda: fingers.page.driver.execute_script(has_focus), "the frame, with the focus")

    focus(".tool.in")
    press(Keys.ENTER)
    fingers.page.wait(lambda: fingers.view[0] == pytest.approx(1.6))
    focus("[data-die='8']")  # it is out of sight
    fingers.page.wait(lambda: 0 < fingers.on(8)[0] < 1 and 0 < fingers.on(8)[1] < 1, "the die to come in sight")
    press("0")
    fingers.page.wait(lambda: fingers.view == (1, 0, 0))
    press("+", "+")
    fingers.page.wait(lambda: fingers.view[0] > 1.6)
    focus(".tool.add")
    press(Keys.ENTER)
    framed()
    x, y, w, h = box(fingers)
    press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    fingers.page.wait(lambda: box(fingers) == [x + 12, y + 6, w, h])
    ActionChains(fingers.page.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
    fingers.page.wait(lambda: box(fingers) == [x + 12, y + 6, w + 6, h])
    press(Keys.ENTER)
    press(Keys.ENTER)  # on the first face, the paco
    fingers.page.wait(lambda: [command.face for command in fingers.commands] == [1])
    fingers.page.wait(lambda: not fingers.page.all(".shelf"))
    focus(".tool.add")
    press(Keys.ENTER)
    framed()
    press(Keys.ESCAPE)
    fingers.page.wait(lambda: not fingers.page.all(".shelf"))


def test_the_wheel_zooms_in_but_not_while_the_page_is_scrolled(fingers: Fingers) -> None:
    driver = fingers.page.driver
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    picture = ScrollOrigin.from_element(fingers.page.one(".picture"))
    fingers.waited()
    ActionChains(driver).scroll_from_origin(picture, 0, -300).perform()
    fingers.page.wait(lambda: fingers.view[0] > 1.3)
    ActionChains(driver).scroll_from_origin(picture, 0, 2000).perform()
    fingers.page.wait(lambda: fingers.view == (1, 0, 0))
    before = fingers.scrolled
    fingers.waited()
    ActionChains(driver).scroll_from_origin(picture, 0, 120).perform()
    fingers.page.wait(lambda: fingers.scrolled > before, "the page to scroll")
    assert fingers.view == (1, 0, 0)
    fingers.page.driver.execute_script("window.dispatchEvent(new Event('scroll'));" + WHEEL)
    assert fingers.view == (1, 0, 0), "the finger on the wheel means the page"
    fingers.waited()
    fingers.page.driver.execute_script(WHEEL)
    assert fingers.view[0] > 1


WHEEL = """
    const turn = { deltaY: -300, clientX: 100, clientY: 100, bubbles: true, cancelable: true };
    document.querySelector('.picture').dispatchEvent(new WheelEvent('wheel', turn));"""

MOVING = """
    const found = document.getAnimations()
      .filter(a => a.playState === 'running' && a.effect.getTiming().iterations !== Infinity);
    return [found.length, Math.max(0, ...found.map(a => a.effect.getComputedTiming().endTime))]"""

AT = "document.getAnimations().forEach(a => { a.pause(); a.currentTime = arguments[0]; })"


def with_motion(page: Any, preference: str) -> None:
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": preference}]}
    )


def test_the_motion_of_a_verdict_takes_less_than_two_and_a_half_seconds_and_a_tap_ends_it(fingers: Fingers) -> None:
    page, table = fingers.page, fingers.table
    with_motion(page, "no-preference")
    for name in ("verdict-wrong", "verdict-calza", "verdict-palifico", "over"):
        table.show(STATES["bidding"])
        page.in_phase("bidding")
        table.show(STATES[name])
        page.in_phase(STATES[name].phase)
        count, longest = page.driver.execute_script(MOVING)
        assert count > 5, name
        assert 1000 < longest < 2500, name
        for moment in range(0, 2500, 250):
            page.driver.execute_script(AT, moment)
            assert page.too_wide() == [], f"{name} after {moment} ms"
        page.driver.execute_script("document.getAnimations().forEach(a => a.play())")
        assert STATES[name].verdict.sentence in page.text, "the words are there at once"
        page.driver.execute_script("document.querySelector('.outcome').click()")
        assert page.driver.execute_script(MOVING)[0] == 0, name
    assert not page.all(".sheet, .shelf")
    face = "document.querySelector('.face').click()"
    page.driver.execute_script(face)
    page.one(".sheet")


LANDED = """
    for (const each of document.getAnimations()) {
      if (each.effect.target.matches('.face')) each.finish();
      else each.playbackRate = 0.02;
    }"""
"""The dice lie where they stay, and the show goes on slowly."""
AT_ONCE = """
    const now = performance.now(), real = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp').get;
    const get = function () { return ['click', 'pointerdown'].includes(this.type) ? now : real.call(this); };
    Object.defineProperty(Event.prototype, 'timeStamp', { get });"""
"""All taps come at one moment: a slow machine would make two of a double tap."""
SHOWING = """
    const ends = ({effect}) => effect.getTiming().iterations !== Infinity && effect.target.closest('main');
    return document.getAnimations().filter(a => a.playState === 'running' && ends(a)).length"""


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize(
    ("name", "touched", "opened"),
    [
        ("verdict-wrong", ".why", ".sheet.for-rules"),
        ("over-assigned", ".assigned .go", ".sheet.for-game"),
        ("over", ".dock .othergame", ".sheet.for-game"),
        ("verdict-wrong", ".face", ".none"),
    ],
)
def test_a_tap_on_a_button_ends_the_motion_and_does_what_it_says_and_a_double_tap_does_no_more(
    name: str, touched: str, opened: str, times: int, fingers: Fingers
) -> None:
    page, table = fingers.page, fingers.table
    with_motion(page, "no-preference")
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    for shown in ("bidding", name):
        table.show(STATES[shown])
        page.in_phase(STATES[shown].phase)
    if name == "over":
        page.tap_each(".whowon")
    button = page.one(touched)
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
    page.driver.execute_script(LANDED)
    page.driver.execute_script(AT_ONCE)
    assert page.driver.execute_script(SHOWING) > 5
    taps = ActionChains(page.driver).click(button)
    for _ in range(1, times):
        taps.pause(0.1).click()
    taps.perform()
    page.wait(lambda: opened == ".none" or page.all(opened), opened)
    fingers.waited()
    assert page.driver.execute_script(SHOWING) == 0
    assert len(page.all(".sheet, .shelf")) == len(page.all(opened))
    assert page.driver.execute_script("return document.activeElement.matches('input, select')") is False
    assert table.commands == []


def test_there_is_no_motion_for_users_who_prefer_none(fingers: Fingers) -> None:
    with_motion(fingers.page, "reduce")
    fingers.table.show(STATES["verdict-wrong"])
    fingers.page.in_phase("verdict")
    assert fingers.page.driver.execute_script(MOVING)[0] == 0
    assert "Ben loses a die" in fingers.page.text


SAMPLE = """
    window.hole = 0;
    let drawn = performance.now();
    const shown = (e) => e.getClientRects().length && Number(getComputedStyle(e).opacity) > 0;
    const look = (now) => {
      const there = [...document.querySelectorAll('.cups, .live.seen, .against')].some(shown);
      if (there) drawn = now;
      else if (!document.querySelector('main.bidding')) window.hole = Math.max(window.hole, now - drawn);
      else drawn = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);"""
"""The longest time, in ms, without anything drawn between the call and the verdict: looked at in every frame."""


def test_from_the_call_to_the_verdict_something_is_always_drawn(fingers: Fingers, site: Site) -> None:
    page, table = fingers.page, fingers.table
    with_motion(page, "no-preference")
    table.show(STATES["bidding"])
    page.in_phase("bidding")
    page.driver.execute_script(SAMPLE)
    site.camera.error = "The camera gives no frame."
    table.show(STATES["reading"])
    page.in_phase("reading")
    assert len(page.all(".cups .cupped")) == 5, "a cup for everybody with dice"
    assert not page.all(".live.seen")
    site.camera.error = None
    page.wait(lambda: page.all(".live.seen"), "the first live frame")
    table.show(STATES["verdict-wrong"])
    page.in_phase("verdict")
    page.wait(lambda: page.driver.execute_script(MOVING)[0] == 0, "the verdict")
    assert page.driver.execute_script("return window.hole") < 100
    page.expects("status of 503")
    assert page.complaints() == []


FRAMES = """
    window.shown = [];
    new MutationObserver((changes) => changes.forEach(({ target }) => window.shown.push(target.dataset.frame)))
      .observe(document.body, { subtree: true, attributeFilter: ['data-frame'] });"""
"""Collects the frames of a clip that are shown."""


def test_the_judged_moment_is_played_on_request(fingers: Fingers) -> None:
    page, table = fingers.page, fingers.table
    judged = STATES["verdict-wrong"]
    table.show(judged)
    page.in_phase("verdict")
    page.unfold()
    assert not page.all(".replay")
    clip = Clip(picture="/api/v1/pictures/3.jpg", frames=6, columns=4, width=320, height=240, judged=2, seconds=0.5)
    table.show(replace(judged, reading=replace(judged.reading, clip=clip)))
    page.one(".replay")
    page.driver.execute_script(FRAMES)
    page.tap(".replay")
    page.one(".film[data-frame='2'].now")  # shown longer
    assert page.misfits() == []
    page.one(".replay")
    assert page.driver.execute_script("return window.shown") == ["0", "1", "2", "3", "4", "5"]


def test_the_owner_of_a_die_can_be_told_without_colours(fingers: Fingers) -> None:
    fingers.table.show(STATES["verdict-wrong"])
    fingers.page.in_phase("verdict")
    fingers.page.unfold()
    names = [each.text for each in fingers.page.all(".tilename text")]
    assert names == ["Ana", "Ben", "Cid", "Dorothea-Valentina", "Élise"]
    visible = "[...document.querySelectorAll('.picture .badge')].filter(e => e.getClientRects().length)"
    assert fingers.page.driver.execute_script(f"return {visible}.length") == 0, "they would be larger than the dice"
    fingers.to_top()
    fingers.pinch()
    labels = fingers.page.wait(lambda: fingers.page.driver.execute_script(f"return {visible}.map(e => e.textContent)"))
    assert sorted({label[0] for label in labels}) == ["A", "B", "C", "D", "É"]
    assert fingers.page.driver.execute_script(looks.OVERLAPS, ".picture") == []


def test_dice_that_lie_far_apart_are_in_tiles_of_their_own(fingers: Fingers) -> None:
    state = STATES["verdict-wrong"]
    first, *others = state.reading.dice
    assert first.player == "Ana"
    away = replace(first, box=(1200.0, 880.0, *first.box[2:]))
    fingers.table.show(replace(state, reading=replace(state.reading, dice=(away, *others))))
    fingers.page.in_phase("verdict")
    fingers.page.unfold()
    assert [each.text for each in fingers.page.all(".tilename text")].count("Ana") == 2


TILES = """
    const side = (e) => e.getBoundingClientRect().width;
    return [...document.querySelectorAll(arguments[0])].map(side)"""
DOCK = "return document.querySelector('.dock').getBoundingClientRect().top"
MIDDLE = """
    const r = document.querySelector(arguments[0]).getBoundingClientRect();
    return [r.x + r.width / 2, r.y + r.height / 2]"""
BOTTOM = "return document.querySelector(arguments[0]).getBoundingClientRect().bottom"


@pytest.mark.parametrize("screen", [(360, 640), (320, 568), (820, 1180)])
def test_the_picture_proves_the_verdict(fingers: Fingers, screen: tuple[int, int]) -> None:
    page = fingers.page
    chromium.resize(page.driver, screen)
    page.wear("dark")
    for name in ("verdict-wrong", "checking"):
        fingers.table.show(STATES[name])
        page.in_phase(STATES[name].phase)
        page.unfold()
        wide = name == "verdict-wrong" and screen[0] >= 760  # which shows the whole picture beside the verdict
        widths = page.driver.execute_script(TILES, ".closeup" if wide else ".tiles .box")
        assert len(widths) == len(STATES[name].reading.dice)
        assert min(widths) >= 24, f"a die is {min(widths)} px wide"
        assert page.driver.execute_script(looks.OVERLAPS, ".tiles") == []
    fingers.table.show(STATES["verdict-wrong"])
    page.in_phase("verdict")
    page.driver.execute_script("window.scrollTo(0, 0)")
    if screen[0] < 760:
        page.tap(".to-picture")
        page.wait(lambda: not page.all(".pictured"), "the picture to be put away")
    for what in (".against", ".sum", ".shown", ".links"):
        foot = page.driver.execute_script(DOCK) if screen[0] < 760 else screen[1]  # else it is beside it
        assert page.driver.execute_script(BOTTOM, what) <= foot, f"{what} on one screen"
    rows = [[die.get_attribute("class") for die in row.find_elements("css selector", ".face")]
            for row in page.all(".shown li:not(.quiet)")]  # fmt: skip
    assert [[("matches" in die) for die in row] for row in rows] == [
        [True, True, True, False, False],
        [True, False, False],
        [False],
        [True, False, False, False],
        [False] * 5,
    ]
    assert len(page.all("main .closeup")) == sum(map(len, rows)), "each die is seen once"
    assert page.all("main .die:not(.ivory)") == [], "and not drawn"
    fingers.table.show(replace(STATES["verdict-wrong"], reading=replace(STATES["verdict-wrong"].reading, picture=None)))
    page.wait(lambda: len(page.all("main .die:not(.ivory)")) == sum(map(len, rows)), "the dice drawn without a picture")


def test_a_tap_on_a_die_close_by_asks_about_it_and_a_second_puts_it_right(fingers: Fingers) -> None:
    fingers.table.show(STATES["verdict-wrong"])
    page = fingers.page
    page.in_phase("verdict")
    page.unfold()
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    page.driver.execute_script("document.querySelector('.tiles').scrollIntoView({block: 'start', behavior: 'instant'})")
    x, y = page.driver.execute_script(MIDDLE, "[data-tile-die='2'] .box")
    for kind in ("mousePressed", "mouseReleased"):
        click = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
        page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", click)
    page.tap(".sheet .facebutton[data-face='3']")
    page.wait(lambda: fingers.commands == [SetDie(2, face=3)])
    page.wait(lambda: not page.all(".sheet"))
    page.tap(".face:not(.matches)")
    page.tap(".sheet .facebutton[data-face='5']")
    page.wait(lambda: [command.face for command in fingers.commands] == [3, 5])


def test_there_is_no_barrier_while_dice_are_corrected(fingers: Fingers, axe: Callable[[Any], list[str]]) -> None:
    page = fingers.page
    for theme in ("dark", "light"):
        page.wear(theme)
        for name in ("checking", "telling", "verdict-wrong", "verdict-palifico", "over", "reading"):
            fingers.table.show(STATES[name])
            page.wait(lambda: page.version == fingers.table.state().version)
            page.in_phase(STATES[name].phase)
            if name == "verdict-wrong":
                page.unfold()
            page.still()
            page.driver.execute_script(
                "window.scrollTo(0, document.body.scrollHeight)"
            )  # the foot covers nothing there
            assert axe(page) == [], f"{name} {theme}"
        fingers.table.show(STATES["checking"])
        page.in_phase("checking")
        fingers.to_top()
        fingers.pinch()
        page.tap(".tool.add")
        page.driver.execute_script("document.querySelector('.picture').scrollIntoView({block: 'start'})")
        fingers.tap((0.5, 0.5))
        page.one(".shelf .facebutton")
        assert axe(page) == [], f"adding {theme}"
        page.tap(".tool.add")
        page.tap(".tool.whole")
        page.wait(lambda: fingers.view == (1, 0, 0) and not page.all(".shelf"))
        fingers.to_top()
        fingers.tap(fingers.on(3))
        page.one(".sheet")
        assert axe(page) == [], f"a die {theme}"
        page.tap(".sheet .icon.close")
        page.wait(lambda: not page.all(".sheet"))
