"""The page in a real Chromium at 360 x 640, on a real table, panel and journal; only the dice are scripted."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from companion.messages.languages import offered
from companion.table import commands, presses
from hardware.panel.debounce import Push
from tests.browser.chromium import PHONE, resize
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json

pytestmark = pytest.mark.browser

BENS_TURN = "Ben\N{RIGHT SINGLE QUOTATION MARK}s turn"


def test_a_round_is_played_with_phone_and_panel(page: Any, desk: Any) -> None:
    desk.lay(red=[4, 4, 1, 6, 2], blue=[4, 3, 5, 5, 2], green=[6, 6, 3, 2, 1])
    assert "Ana opens the round" in page.text
    page.tap(".facebutton[data-face='4']")
    for _ in range(5):
        page.tap(".step[data-step='1']")
    page.wait(lambda: page.one(".bidbutton").text == "Bid 6 fours")
    page.tap(".bidbutton")
    page.wait(lambda: BENS_TURN in page.text)
    assert in_json(desk.table.state().bid) == {"player": "Ana", "count": 6, "face": 4, "accepted": False}
    assert page.misfits() == []

    page.press("dudo")
    page.in_phase("verdict")
    assert "Ana loses a die" in page.text
    assert "3 fours + 2 pacos = 5" in page.text
    assert desk.table.state().verdict.sentence in page.text
    page.unfold()
    assert len(page.all(".picture .boxed")) == 15
    assert len(page.all(".picture .counts")) == 5
    assert desk.table.state().verdict.sentence in page.one("[aria-live='polite']").get_attribute("textContent")
    assert page.misfits() == []

    page.tap(".dock .next")
    page.in_phase("bidding")
    assert "Ana opens the round" in page.text
    assert "Round 2" in page.text


def test_a_second_phone_sees_the_same(page: Any, desk: Any) -> None:
    other = desk.phone("Ben")
    page.tap(".facebutton[data-face='5']")
    page.tap(".bidbutton")
    page.wait(lambda: "Ana bid" in page.text)
    other.wait(lambda: "Ana bid" in other.text and "Your turn" in other.text)
    other.hold(".callrow .dudo")
    page.wait(lambda: page.phase in {"reading", "verdict", "checking"})
    assert other.complaints() == []


def test_an_uncertain_die_is_asked_about_and_a_tap_answers(page: Any, desk: Any) -> None:
    desk.lay(red=[4, 4, 1, 6, 2], blue=[-4, 3, 5, 5, 2], green=[6, 6, 3, 2, 1])
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    page.hold(".callrow .dudo")
    page.in_phase("checking")
    assert "Please help me read" in page.text
    assert page.misfits() == []
    page.tap(".question .facebutton[aria-label='fours']")
    page.in_phase("verdict")
    assert "Ben loses a die" in page.text
    assert "3 fours + 2 pacos = 5" in page.text


def test_a_missing_die_is_added_with_a_tap_on_the_picture(page: Any, desk: Any) -> None:
    desk.lay(red=[4, 4, 1, 6, 2], blue=[4, 3, 5, 5], green=[6, 6, 3, 2, 1])
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    page.hold(".callrow .dudo")
    page.in_phase("checking")
    assert "I see 4 of Ben\u2019s 5 blue dice." in page.text
    picture = page.one(".picture")
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", picture)
    ActionChains(page.driver).move_to_element_with_offset(picture, 100, 60).click().perform()
    assert "Add a die" in page.one(".shelf h2").text
    assert page.one(".colourbutton.chosen").text == "Ben"
    assert page.misfits() == []
    page.tap(".shelf .facebutton[data-face='4']")
    page.in_phase("verdict")
    assert "4 fours + 2 pacos = 6" in page.text
    page.wait(lambda: not page.all(".shelf"), "the shelf to close")


def test_a_wrong_face_is_corrected_after_the_verdict_and_judged_again(page: Any, desk: Any) -> None:
    desk.lay(red=[4, 4, 1, 6, 2], blue=[4, 3, 5, 5, 2], green=[6, 6, 3, 2, 1])
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    page.hold(".callrow .dudo")
    page.in_phase("verdict")
    assert "Ben loses a die" in page.text
    page.tap(".face.matches")
    assert page.misfits() == []
    page.tap(".sheet .facebutton[data-face='3']")
    page.wait(lambda: "Ana loses a die" in page.text)
    assert "2 fours + 2 pacos = 4" in page.text
    assert len(page.all(".face.corrected")) == 1
    told = "On the tablet: Ana\u2019s die is three, not four. Now Ana loses 1 die."
    page.wait(lambda: page.texts(".changed bdi") == [told])
    page.tap(".why")
    page.wait(lambda: told in page.texts(".vstep"))
    page.tap(".sheet .close")
    page.tap(".changed .link")
    page.wait(lambda: "Ben loses a die" in page.text)
    assert page.all(".face.corrected") == []


def test_dice_are_counted_by_hand(page: Any, desk: Any) -> None:
    desk.settle.still = False
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    page.hold(".callrow .dudo")
    page.in_phase("reading")
    assert "Waiting for hands and cups" in page.text
    page.wait(lambda: page.all(".live.seen"), "the live picture")
    assert page.misfits() == []
    page.tap(".otherways summary")
    page.tap(".reading .row:not(.photos) .plain")
    for _ in range(15):
        page.tap(".handpad .facebutton[data-face='6']")
    assert page.misfits() == []
    page.tap(".handpad .go")
    page.in_phase("verdict")
    assert "Ana loses a die" in page.text
    assert "Counted by hand" in page.text


def test_the_count_by_hand_closes_with_the_verdict_of_the_camera(page: Any, desk: Any) -> None:
    desk.settle.still = False
    desk.lay(red=[4, 4, 1, 6, 2], blue=[4, 3, 5, 5, 2], green=[6, 6, 3, 2, 1])
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    page.hold(".callrow .dudo")
    page.in_phase("reading")
    page.tap(".otherways summary")
    page.tap(".reading .row:not(.photos) .plain")
    page.tap(".handpad .facebutton[data-face='6']")
    desk.settle.still = True
    page.in_phase("verdict")
    page.wait(lambda: not page.all(".sheet"), "the sheet to close")


def test_calza_asks_who_called(page: Any, desk: Any) -> None:
    desk.lay(red=[4, 4, 1, 6, 2], blue=[4, 3, 5, 5, 2], green=[6, 6, 3, 2, 1])
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    page.press("calza")
    page.in_phase("asking")
    assert "Who said calza?" in page.text
    assert page.misfits() == []
    page.wait(lambda: page.all(".ask .who"))[-1].click()
    page.in_phase("verdict")
    assert "Exactly right" in page.text
    assert desk.table.state().verdict.caller == "Cid"


def test_a_refusal_shows_its_sentence(page: Any, desk: Any) -> None:
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    desk.table.do(commands.CallDudo())
    page.wait(lambda: page.phase == "checking")  # nothing lies there
    page.press("dudo")
    notice = page.wait(lambda: page.all(".toast"))[0].text
    assert notice == desk.table.state().notice.sentence.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    assert page.phase == "checking"
    page.all(".toast")[0].click()
    page.wait(lambda: not page.all(".toast"), "it to be gone")
    page.press("calza")  # the other button, since DUDO so soon would be a double press
    page.wait(lambda: [toast.text for toast in page.all(".toast")] == [notice], "the same once more")
    page.driver.refresh()
    page.in_phase("checking")
    assert page.all(".toast") == [], "whoever comes later pressed nothing"


def test_a_new_game_after_the_end_offers_the_same_players(page: Any, desk: Any) -> None:
    page.menu("game")
    page.one(".gameform input[type='text']").send_keys("bel")
    page.tap(".sheet .close")
    desk.table.do(commands.EndGame())
    page.in_phase("over")
    page.tap(".dock .othergame")
    names = page.wait(lambda: [field.get_property("value") for field in page.all(".gameform input[type='text']")])
    assert names == ["Ana", "Ben", "Cid"]


def test_a_rematch_is_one_tap(page: Any, desk: Any) -> None:
    players = [("Ana", "red"), ("Ben", "blue")]
    desk.table.do(new_game(players, starter="Ana", dice={"Ana": 1, "Ben": 1}, calza=False, abandon=True))
    desk.lay(red=[2], blue=[3])
    desk.table.do(commands.MakeBid("Ana", 1, 4))
    desk.table.do(commands.CallDudo("Ben"))
    page.tap(".whowon")
    page.wait(lambda: page.texts(".places li") == ["Ana"], "everybody else in the order of the end")
    assert page.one("main").text.count("Ben") == 1 + page.one("main .verdict").text.count("Ben"), "who won is said once"
    assert page.misfits() == []
    page.tap(".dock .rematch")
    page.wait(lambda: desk.table.state().game == 3)
    page.in_phase("bidding")
    state = desk.table.state()
    assert [(player.name, player.colour) for player in state.players] == players
    assert state.calza is False, "by the same rules"


def test_a_half_made_bid_and_the_focus_survive_a_new_state(
    page: Any, desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presses, "QUIET_SECONDS", 0.0)  # a press right after the game's start is not meant for it
    company = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]
    desk.table.do(new_game(company, calza=False, starter="Ana", abandon=True))  # a press of CALZA is refused in it
    page.wait(lambda: not page.all(".call.calza"))
    page.tap(".facebutton[data-face='3']")
    for _ in range(3):
        page.tap(".step[data-step='1']")
    page.wait(lambda: page.one(".bidbutton").text == "Bid 4 threes")
    version = desk.table.state().version
    desk.table.push("calza", Push.DOWN)  # refused, which is a new state
    assert desk.table.state().version > version
    page.wait(lambda: page.all(".toast"))
    page.wait(lambda: page.one(".bidbutton").text == "Bid 4 threes")
    assert page.driver.switch_to.active_element.get_attribute("data-step") == "1"
    page.tap(".bidbutton")
    page.wait(lambda: in_json(desk.table.state().bid) == {"player": "Ana", "count": 4, "face": 3, "accepted": False})


def test_a_page_that_is_wider_than_its_phone_does_not_fit(page: Any) -> None:
    wider = "document.querySelector('main').style.width = '400px'"
    assert page.misfits() == []
    page.driver.execute_script(wider)
    assert "pixels too wide" in page.misfits()[-1]


def test_only_legal_bids_can_be_tapped(page: Any, desk: Any) -> None:
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    page.wait(lambda: BENS_TURN in page.text)
    usable = [b.get_attribute("data-face") for b in page.all(".pad .facebutton:not([aria-disabled])")]
    assert usable == [face for face in "234561" if desk.table.state().lowest[int(face)] is not None]
    page.tap(".facebutton[data-face='1']")
    page.wait(lambda: page.one(".bidbutton").text == "Bid 3 pacos")
    assert page.one(".step[data-step='-1']").get_attribute("aria-disabled")


def test_a_round_is_played_with_the_keyboard_alone(page: Any, desk: Any) -> None:
    desk.lay(red=[4, 4, 1, 6, 2], blue=[4, 3, 5, 5, 2], green=[6, 6, 3, 2, 1])

    def go_to(selector: str) -> None:
        for _ in range(60):
            ActionChains(page.driver).send_keys(Keys.TAB).perform()
            if page.driver.execute_script("return document.activeElement.matches(arguments[0])", selector):
                return
        raise AssertionError(f"no Tab leads to {selector}")

    go_to(".facebutton[data-face='4']")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    go_to(".bidbutton")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.wait(lambda: BENS_TURN in page.text)
    go_to(".icon.menu")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.one(".menu")
    go_to(".menu [data-item='box']")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.one(".menu [data-item='panel']")
    go_to(".menu [data-item='panel']")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.one(".panel")
    go_to(".panel [data-button='dudo']")
    ActionChains(page.driver).send_keys(Keys.SPACE, Keys.ESCAPE).perform()
    page.in_phase("verdict")
    go_to(".to-picture")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.one(".pictured")
    go_to(".picture .boxed")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.one(".sheet")
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.wait(lambda: not page.all(".sheet"))
    page.wait(lambda: page.driver.execute_script("return document.activeElement.matches('.boxed')"))
    go_to(".dock .next")
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.in_phase("bidding")


def test_esc_closes_a_sheet_that_a_slow_phone_has_just_opened(page: Any, desk: Any) -> None:
    desk.lay(red=[4, 4, 1, 6, 2], blue=[4, 3, 5, 5, 2], green=[6, 6, 3, 2, 1])
    desk.table.do(commands.MakeBid("Ana", 1, 4))
    desk.table.push("dudo", Push.DOWN)
    page.in_phase("verdict")
    slow = "const soon = requestAnimationFrame; requestAnimationFrame = (draw) => soon(() => setTimeout(draw, 400))"
    page.driver.execute_script(slow)
    page.tap(".why")
    page.one(".sheet")
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.wait(lambda: not page.all(".sheet"), "the sheet to close")
    page.wait(lambda: page.driver.execute_script("return document.activeElement.matches('.why')"), "the focus back")


def test_esc_closes_a_sheet_wherever_the_focus_is(page: Any, desk: Any) -> None:
    page.tap(".icon.menu")
    page.one(".sheet")
    page.driver.execute_script("document.activeElement.blur()")
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.wait(lambda: not page.all(".sheet"), "the sheet to close")


def test_a_name_is_never_markup(page: Any, desk: Any) -> None:
    desk.table.do(new_game([("<b>Zoë</b>", "red"), ('"><i>x', "blue")], starter="<b>Zoë</b>", abandon=True))
    page.wait(lambda: "<b>Zoë</b>" in page.text)
    assert page.all("#app b, #app i:not(.mini)") == []


def test_a_new_game_with_typed_names(page: Any, desk: Any) -> None:
    page.menu("game")
    first = page.one(".sheet .seat input")
    assert first.get_attribute("value") == "Ana"
    first.send_keys(Keys.CONTROL, "a")
    first.send_keys("Zoë")
    page.tap(".sheet .add")
    page.wait(lambda: len(page.all(".sheet .seat")) == 4)
    assert page.misfits() == []
    page.tap(".sheet .go")
    page.wait(lambda: desk.table.state().game == 2)
    assert [p.name for p in desk.table.state().players] == ["Zoë", "Ben", "Cid", "Player 4"]
    page.wait(lambda: not page.all(".sheet"))


def test_the_page_says_that_the_box_does_not_answer_and_comes_back(page: Any, desk: Any) -> None:
    page.tap(".facebutton[data-face='4']")
    desk.pull_the_plug()
    page.wait(lambda: page.all(".linecut"), "the line")
    assert page.one(".linecut").text == "Box not answering. Trying again…"
    assert page.all(".stage"), "what was known stays on the page"
    page.tap(".bidbutton")
    page.wait(lambda: "did not answer" in " ".join(toast.text for toast in page.all(".toast")), "the toast")
    desk.table.do(commands.MakeBid("Ana", 3, 5))
    desk.plug_in()
    page.wait(lambda: "Ana bid" in page.text and not page.all(".linecut"), "the page to come back")
    page.complaints()  # the browser's own lines about the failed requests


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_nothing_scrolls_sideways(page: Any, desk: Any, width: int) -> None:
    resize(page.driver, (width, 640))
    names = [("Dorothea-Valentina Maria", "red"), ("W" * 24, "blue"), ("Cid", "green"), ("D", "yellow"),
             ("Elefterios", "purple"), ("F" * 20, "orange")]  # fmt: skip
    desk.table.do(new_game(names, starter="W" * 24, abandon=True))
    desk.lay(**{colour: [2, 3, 4, 5, -6] for _, colour in names})
    page.wait(lambda: "opens the round" in page.text)
    assert page.too_wide() == []
    desk.table.do(commands.MakeBid("W" * 24, 7, 4))
    desk.table.do(commands.CallDudo())
    page.in_phase("checking")
    assert page.too_wide() == []
    for die in desk.table.state().reading.dice:
        if die.uncertain:
            desk.table.do(commands.SetDie(die.id, face=6))
    page.in_phase("verdict")
    assert page.too_wide() == []


def test_the_page_is_small(desk: Any) -> None:
    page = desk.phone(worker=True)
    script = """
        return [performance.getEntriesByType('navigation')[0], ...performance.getEntriesByType('resource')]
            .filter(e => !e.name.includes('/api/') && !e.name.includes('/icon-'))  // those are for the home screen
            .filter(e => !e.name.includes('/demo/'))  // a real table has none of it
            .filter(e => !e.name.includes('/fonts/'))  // fetched once the page is drawn
            .reduce((sum, e) => sum + e.transferSize, 0)"""
    assert 50_000 < int(page.driver.execute_script(script)) <= 80_000


def test_a_style_sheet_that_could_not_be_fetched_is_asked_for_again(desk: Any) -> None:
    page = desk.phone()
    block = partial(page.driver.execute_cdp_cmd, "Network.setBlockedURLs")
    position = "return getComputedStyle(document.querySelector('.player')).position"
    page.driver.execute_cdp_cmd("Network.enable", {})
    block({"urls": ["*/game.css"]})
    page.driver.refresh()
    page.wait(lambda: page.all(".player"), "the page, though it is only text")
    assert page.driver.execute_script(position) == "static"
    block({"urls": []})
    page.wait(lambda: page.driver.execute_script(position) == "relative", "the style sheet")
    assert page.misfits() == []


def test_a_table_is_green_and_a_phone_as_its_owner_has_it(desk: Any) -> None:
    themes = {}
    for device, size in (("phone", PHONE), ("tablet", (820, 1180))):
        page = desk.phone(size=size)
        light = {"features": [{"name": "prefers-color-scheme", "value": "light"}]}
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", light)
        page.still()
        themes[device] = page.one("html").get_attribute("class").split()
        page.wear("light")
        themes[f"{device}, light chosen"] = page.one("html").get_attribute("class").split()
    assert themes == {
        "phone": ["light"],
        "phone, light chosen": ["light"],
        "tablet": ["dark"],
        "tablet, light chosen": ["light"],
    }


def test_without_script_the_page_says_so(page: Any) -> None:
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.driver.get(page.url)
        assert "JavaScript is off" in page.driver.find_element(By.ID, "too-old").text
    finally:
        page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    page.driver.get(page.url)


WITHOUT_FLAT = "delete Array.prototype.flat"
WITHOUT_MODULES = "delete HTMLScriptElement.prototype.noModule"
SOON = """;
    const now = Date.prototype.getTime;
    let late = 0;
    Date.prototype.getTime = function () { return now.call(this) + (late += 6000); };"""
"""A clock that goes on by six seconds at every look: the page waits ten for its program."""


@pytest.mark.parametrize("lacks", [WITHOUT_FLAT, WITHOUT_MODULES])
def test_a_browser_that_cannot_run_the_page_says_so(page: Any, lacks: str) -> None:
    assert not page.one("#too-old").is_displayed()
    page.driver.execute_cdp_cmd("Network.enable", {})
    page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/game/app.js"]})
    lacking = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": lacks + SOON})
    try:
        page.driver.get(page.url)
        page.wait(lambda: page.one("#too-old").is_displayed(), "the sentence")
        assert page.texts("#too-old p")[0].startswith("This browser is too old to show the table")
        assert len(page.texts("#too-old p")) == len(offered())
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", lacking)
        page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    page.driver.get(page.url)
    page.wait(lambda: page.all("main:not(.nothing)"), "the page")
    assert not page.one("#too-old").is_displayed()
    page.complaints()  # the browser's own lines about the file that was blocked


def test_the_browsers_tab_says_whose_turn_it_is(desk: Any, page: Any) -> None:
    page.sit("Ben")
    assert page.driver.title == "Perudo"
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    page.wait(lambda: page.driver.title == "Your turn · Perudo")
    icon = "return document.querySelector(\"link[rel='icon']\").getAttribute('href')"
    assert page.driver.execute_script(icon).endswith("/icon-turn.svg")
    desk.table.do(commands.MakeBid("Ben", 4, 4))
    page.wait(lambda: page.driver.title == "Perudo")
    assert page.driver.execute_script(icon).endswith("/icon.svg")


REFUSE_STREAMS = """
window.pauses = [];
const fetched = window.fetch, later = window.setTimeout;
window.setTimeout = (run, ms, ...more) => { window.pauses.push(ms); return later(run, ms, ...more); };
const refused = { message: "Too many phones.", error: "busy", said: [] };
window.fetch = async (at, how) => String(at).endsWith("/events")
  ? new Response(JSON.stringify(refused), { status: 503, headers: { "Retry-After": "30" } })
  : fetched(at, how);
"""


def test_a_phone_for_which_there_is_no_room_is_told_so_and_asks_again_seldom(desk: Any) -> None:
    page = desk.phone("Ana")
    page.driver.execute_script(REFUSE_STREAMS)
    page.driver.execute_script("window.dispatchEvent(new Event('offline'))")  # the stream is opened anew
    page.wait(lambda: [line.text for line in page.all(".linecut")] == ["Too many phones."], "the sentence")
    assert 30000 in page.driver.execute_script("return window.pauses")
