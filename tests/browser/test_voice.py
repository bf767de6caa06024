"""Voice, sounds and vibration, and how their settings are stored. What would be heard is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.table import commands
from hardware.panel.debounce import Push
from tests.browser.page import Page
from tests.fakes.new_game import new_game

pytestmark = pytest.mark.browser

RECORDER = """
    window.heard = { said: [], notes: 0, shaken: [] };
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
    const synthesis = { cancel() {}, getVoices: () => window.voices || [],
      speak: (utterance) => utterance.volume !== 0 && heard.said.push(`${utterance.lang}: ${utterance.text}`) };
    Object.defineProperty(window, "speechSynthesis", { value: synthesis });
    navigator.vibrate = (pattern) => heard.shaken.push(pattern);
    const begin = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) { heard.notes += 1; begin.call(this, at); };
"""
REFUSED = """
    Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });
"""


@pytest.fixture
def listening(desk: Any, open_browser: Callable[..., Any]) -> Callable[..., Any]:
    """Opens a phone on a seat, and records its voice, sounds and vibration."""

    def phone(seat: str, *scripts: str) -> Any:
        driver = open_browser()
        for script in (RECORDER, *scripts):
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        return Page(driver, desk.url, seat)

    return phone


def recorded(page: Any) -> Any:
    return page.driver.execute_script("return window.heard")


def spoken(page: Any) -> list[str]:
    return list(recorded(page)["said"])


def settings(page: Any) -> None:
    page.menu("settings")
    page.one(".settings")


def switch_on(page: Any, *names: str) -> None:
    settings(page)
    for name in names:
        page.tap(f"[data-setting='{name}'] input")
        page.wait(lambda name=name: page.one(f"[data-setting='{name}'] input").is_selected())
    page.tap(".sheet .close")
    page.wait(lambda: not page.all(".sheet"))


def test_everything_is_silent_until_it_is_switched_on(desk: Any, listening: Callable[..., Any]) -> None:
    page = listening("the table's tablet")
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    page.wait(lambda: "Ben" in page.one(".turnline").text)
    assert recorded(page) == {"said": [], "notes": 0, "shaken": []}
    loaded = page.driver.execute_script("return performance.getEntriesByType('resource').map((e) => e.name).join()")
    assert "/voice.js" not in loaded


def test_each_setting_can_be_tried_without_switching_it_on(listening: Callable[..., Any]) -> None:
    page = listening("the table's tablet")
    settings(page)
    for name in ("voice", "sound", "vibration"):
        page.tap(f"[data-setting='{name}'] .try")
        assert not page.one(f"[data-setting='{name}'] input").is_selected()
    assert spoken(page) == ["en: Cups up! This is how I sound."]
    assert recorded(page)["notes"] == 2
    assert len(recorded(page)["shaken"]) == 1


def test_the_tablet_announces_turns_calls_and_verdicts_once_each(desk: Any, listening: Callable[..., Any]) -> None:
    company = [("Ana", "red"), ("Ben", "blue")]
    desk.table.do(new_game(company, starter="Ana", abandon=True, dice={"Ana": 1, "Ben": 1}, calza=False))
    desk.lay(red=[4], blue=[3])
    page = listening("the table's tablet")
    switch_on(page, "voice", "sound", "vibration")
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    page.wait(lambda: spoken(page))
    desk.table.push("calza", Push.DOWN)  # refused: a new state without news
    page.wait(lambda: page.version == desk.table.state().version)
    desk.table.do(commands.CallDudo("Ben"))
    page.in_phase("over")
    verdict = desk.table.state().verdict.sentence
    page.wait(lambda: verdict in spoken(page)[-1])
    assert spoken(page) == [
        "en: Ben\N{RIGHT SINGLE QUOTATION MARK}s turn",
        "en: Ben says dudo. Cups up!",
        f"en: {verdict}",
    ]
    assert recorded(page)["notes"] == 2 + 2 + 4
    assert len(recorded(page)["shaken"]) == 3
    assert page.complaints() == []


def test_whoever_loses_a_die_is_told_so_and_feels_it_once(desk: Any, listening: Callable[..., Any]) -> None:
    company = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]
    desk.table.do(new_game(company, starter="Ana", abandon=True, dice={"Ana": 1, "Ben": 2, "Cid": 1}))
    desk.lay(red=[4], blue=[3, 4], green=[4])
    ben, ana = listening("Ben"), listening("Ana")
    motion = {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]}
    for page in (ben, ana):
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", motion)
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    desk.table.do(commands.CallDudo("Ben"))
    for page, told in ((ben, "You lose a die"), (ana, "Ben loses a die")):
        page.in_phase("verdict")
        said = "return getComputedStyle(document.querySelector('.judgement'), '::before').content"
        assert page.driver.execute_script(said) == '"Ben says dudo"', "what is there until the verdict falls"
        page.wait(lambda page=page, told=told: page.one(".outcome").text == told, told)
    assert "You are palifico" in ben.text
    assert [recorded(page)["shaken"] for page in (ben, ana)] == [[160], []]
    ben.driver.refresh()
    ben.in_phase("verdict")
    assert recorded(ben)["shaken"] == []


def test_a_phone_with_a_seat_announces_only_its_own_turn(desk: Any, listening: Callable[..., Any]) -> None:
    page = listening("Cid")
    switch_on(page, "voice")
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    page.wait(lambda: "Ben" in page.one(".turnline").text)
    desk.table.do(commands.MakeBid("Ben", 4, 4))
    page.wait(lambda: spoken(page))
    assert spoken(page) == ["en: Your turn"]


def test_nothing_is_said_while_the_page_is_hidden(desk: Any, listening: Callable[..., Any]) -> None:
    page = listening("the table's tablet")
    switch_on(page, "voice", "vibration")
    page.driver.execute_script(
        "Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })"
    )
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    page.wait(lambda: "Ben" in page.one(".turnline").text)
    page.driver.execute_script("delete document.visibilityState")
    desk.table.do(commands.MakeBid("Ben", 4, 4))
    page.wait(lambda: spoken(page))
    assert spoken(page) == ["en: Cid\N{RIGHT SINGLE QUOTATION MARK}s turn"]


def test_the_settings_outlive_the_page(desk: Any, listening: Callable[..., Any]) -> None:
    page = listening("the table's tablet")
    switch_on(page, "voice")
    settings(page)
    assert "Kept on this phone only." in page.text
    page.tap("[data-theme='light']")
    page.driver.refresh()
    page.wait(lambda: page.all("main:not(.nothing)"))
    assert page.all("html.light")
    page.tap(".turnline")  # any tap will do: without one, browsers let no page speak
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    page.wait(lambda: spoken(page))
    settings(page)
    assert page.one("[data-setting='voice'] input").is_selected()
    assert not page.one("[data-setting='sound'] input").is_selected()


def test_in_a_browser_without_storage_the_settings_last_until_the_page_is_closed(
    desk: Any, listening: Callable[..., Any]
) -> None:
    page = listening("the table's tablet", REFUSED)
    settings(page)
    page.tap("[data-setting='voice'] input")
    page.wait(lambda: "This browser cannot save it" in page.text)
    page.tap("[data-theme='light']")
    assert page.all("html.light")
    page.tap(".sheet .close")
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    page.wait(lambda: spoken(page))
    assert page.complaints() == []


def test_features_that_the_browser_lacks_are_named(listening: Callable[..., Any]) -> None:
    finnish = "window.voices = [{ lang: 'fi-FI', localService: true }];"
    page = listening("the table's tablet", finnish, "delete window.AudioContext;")
    settings(page)
    assert "no voice for this language" in page.one("[data-setting='voice']").text
    assert "This browser cannot do that." in page.one("[data-setting='sound']").text
    assert not page.one("[data-setting='sound'] input").is_enabled()
