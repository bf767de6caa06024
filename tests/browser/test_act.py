"""Bids in two taps, calls by holding a button, and who may make them: Chromium at 360 x 640, on a real table."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from companion.table import commands
from companion.table.state.state import CameraStatus
from tests.browser.page import TABLET
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from web.access.phones import MISSED_AFTER

pytestmark = pytest.mark.browser

QUOTE = "\N{RIGHT SINGLE QUOTATION MARK}"
BENS_TURN = f"Ben{QUOTE}s turn"
FULL = {"red": [4, 4, 1, 6, 2], "blue": [4, 3, 5, 5, 2], "green": [6, 6, 3, 2, 1]}


def hint(page: Any) -> str:
    """The sentence in the pad."""
    return str(page.wait(lambda: page.one(".pad .hint").text, "a hint"))


def bid_by_ana(desk: Any, count: int = 5, face: int = 4) -> None:
    desk.table.do(commands.MakeBid("Ana", count, face))


def faces(page: Any) -> dict[str, str]:
    """Face -> what a tap on it would bid, of those that may be bid."""
    buttons = page.all(".bids .facebutton:not([aria-disabled])")
    return {button.get_attribute("data-face"): button.get_attribute("aria-label") for button in buttons}


def test_a_raise_takes_one_tap_and_another_face_two(desk: Any) -> None:
    ben = desk.phone("Ben")
    bid_by_ana(desk)
    ben.wait(lambda: "Your turn" in ben.text)
    assert faces(ben) == {"4": "6 fours", "5": "5 fives", "6": "5 sixes", "1": "3 pacos"}
    assert ben.one(".bidbutton").text == "Bid 6 fours", "the lowest raise is chosen already"
    assert ben.misfits() == []
    ben.tap(".facebutton[data-face='5']")
    ben.wait(lambda: ben.one(".bidbutton").text == "Bid 5 fives")
    ben.tap(".bidbutton")
    ben.wait(lambda: in_json(desk.table.state().bid) == {"player": "Ben", "count": 5, "face": 5, "accepted": False})
    ben.tap(".pad .instead")
    ben.wait(lambda: ben.one(".bidbutton").text == "Bid 6 fives", "nothing half made for the next one")
    assert ben.complaints() == []


def test_any_opening_takes_three_taps(desk: Any) -> None:
    ana = desk.phone("Ana")
    ana.wait(lambda: ana.all(".counts [data-count='6']"), "the row of counts")
    assert ana.misfits() == []
    assert ana.one(".bidbutton").text == "Bid 1 two", "the lowest bid is chosen already"
    ana.tap(".facebutton[data-face='4']")
    ana.tap(".counts [data-count='6']")
    ana.wait(lambda: ana.one(".bidbutton").text == "Bid 6 fours")
    ana.tap(".bidbutton")
    ana.wait(lambda: in_json(desk.table.state().bid) == {"player": "Ana", "count": 6, "face": 4, "accepted": False})
    assert ana.complaints() == []


def test_the_row_of_counts_is_round_the_average(desk: Any) -> None:
    ana = desk.phone("Ana")
    ana.wait(lambda: ana.all(".counts"), "the row of counts")
    assert ana.texts(".count") == ["2", "3", "4", "5", "6"], "a third of fifteen dice is five"


def test_a_change_of_face_keeps_the_count_that_was_chosen_where_it_is_legal(desk: Any) -> None:
    ben = desk.phone("Ben")
    company = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]
    desk.table.do(new_game(company, starter="Ana", ruleset="hasbro-1994", abandon=True))
    bid_by_ana(desk, 3, 4)
    ben.wait(lambda: "Your turn" in ben.text)
    for _ in range(2):
        ben.tap(".bidrow [data-step='1']")
    ben.wait(lambda: ben.one(".bidbutton").text == "Bid 6 fours")
    assert faces(ben)["5"] == "6 fives"
    ben.tap(".facebutton[data-face='5']")
    ben.wait(lambda: ben.one(".bidbutton").text == "Bid 6 fives")
    assert desk.table.state().bid.player == "Ana"


def test_plus_repeats_while_it_is_held_and_stops_with_the_finger(desk: Any) -> None:
    ana = desk.phone("Ana")
    ana.tap(".facebutton[data-face='4']")
    ana.wait(lambda: ana.one(".bidbutton").text == "Bid 1 four")
    plus = ana.one(".bidrow [data-step='1']")
    ana.driver.execute_script(
        "window.steps = 0; document.addEventListener('click', (event) => (window.steps += !event.isTrusted), true)"
    )
    ActionChains(ana.driver).click_and_hold(plus).pause(1.2).release().perform()
    ana.still()
    count = int(ana.one(".bidbutton").text.split()[1])
    assert count > 4, "one tap is one step; held for a second it is more"
    assert count == 1 + ana.driver.execute_script("return window.steps"), "lifting the finger is no step"
    ana.tap(".bidrow [data-step='-1']")
    ana.wait(lambda: int(ana.one(".bidbutton").text.split()[1]) == count - 1)


def test_the_pad_bids_for_a_player_without_a_phone_after_a_tap_and_in_the_players_colour(desk: Any) -> None:
    ana = desk.phone("Ana")
    ana.wait(lambda: "You open the round" in ana.text)
    assert not ana.all(".pad.other"), "Ana bids for herself"
    own = [button.rect for button in ana.all(".bidbutton, .facerow button, .counts button")]
    bid_by_ana(desk)
    ana.wait(lambda: ana.one(".turnline").text == "Ben has no phone")
    assert not ana.all(".bidbutton, .call"), "no tap meant for her own bid is Ben's"
    there = ana.one(".pad .instead").rect
    assert all(there["y"] + there["height"] <= each["y"] for each in own), "nor is it under the same finger"
    ana.tap(".pad .instead")
    ana.wait(lambda: "Play for Ben" in ana.text and ana.all(".bidbutton") and ana.all(".call.dudo"))
    assert "blue" in ana.one(".pad.other").get_attribute("class").split()
    assert ana.one(".call.dudo .whose").text == "Ben"
    ana.tap(".facebutton[data-face='5']")
    ana.tap(".bidbutton")
    ana.wait(lambda: in_json(desk.table.state().bid) == {"player": "Ben", "count": 5, "face": 5, "accepted": False})
    ana.wait(lambda: ana.one(".turnline").text == "Cid has no phone", "the next player to be asked for, too")
    assert not ana.all(".bidbutton")


def test_a_phone_that_is_away_on_its_turn_is_told_and_others_bid_for_its_player(desk: Any) -> None:
    desk.held = time.monotonic()
    cid, tablet, phones = desk.phone("Cid"), desk.phone(TABLET), desk.access.phones
    phones.sit(phones.join(), "player", "Ben")
    bid_by_ana(desk)
    cid.wait(lambda: cid.one(".turnline").text == f"Ben{QUOTE}s turn")
    phones.follow(desk.table.state())
    desk.held += MISSED_AFTER
    for phone in (cid, tablet):
        phone.wait(lambda phone=phone: phone.one(".turnline").text == f"Ben{QUOTE}s phone is away", "the news")
        assert not phone.all(".bidbutton")
    cid.tap(".pad .instead")
    cid.tap(".bidbutton")
    cid.wait(lambda: desk.table.state().bid.player == "Ben", "Cid's bid for Ben")


def test_everybody_is_told_who_took_back_what(desk: Any) -> None:
    ana, ben = desk.phone("Ana"), desk.phone("Ben")
    bid_by_ana(desk)
    for phone in (ana, ben):
        phone.wait(lambda phone=phone: phone.all(".steps .undo"))
    ben.tap(".steps .undo")
    ben.tap(".sheet .go.danger")
    ana.wait(lambda: ana.all(".toast"), "the news")
    assert ana.one(".toast").text == "Ben took back Ana\u2019s bid of 5 fours."
    ben.wait(lambda: ben.all(".steps .redo"))
    assert not ben.all(".toast"), "Ben knows"
    ben.tap(".steps .redo")
    ana.wait(lambda: [toast.text for toast in ana.all(".toast")][-1:] == ["Ben restored Ana\u2019s bid of 5 fours."])


def test_undo_says_its_words_only_when_asked(desk: Any) -> None:
    ben = desk.phone("Ben")
    bid_by_ana(desk)
    ben.wait(lambda: "Ana bid" in ben.text)
    undo = ben.one(".steps .undo")
    assert undo.text == ""
    assert undo.get_attribute("aria-label") == "Undo Ana\u2019s bid of 5 fours"


def test_a_correction_is_taken_back_without_a_question(desk: Any) -> None:
    ben = desk.phone("Ben")
    desk.lay(**FULL)
    bid_by_ana(desk)
    desk.table.do(commands.CallDudo("Ben"))
    ben.in_phase("verdict")
    face = desk.table.state().reading.dice[0].face
    desk.table.do(commands.SetDie(0, face=face % 6 + 1))
    ben.wait(lambda: "die" in (ben.one(".steps .undo").get_attribute("aria-label") or ""), "the correction to undo")
    ben.tap(".steps .undo")
    ben.wait(lambda: desk.table.state().reading.dice[0].face == face, "the die as it was")
    assert not ben.all(".sheet")


def test_ones_own_card_says_so_on_turn_too(desk: Any) -> None:
    ana = desk.phone("Ana")
    ana.wait(lambda: ana.all(".player.own .note.turn"), "her turn")
    assert ana.one(".player.own .you").text == "you"


def test_an_illegal_bid_says_why(desk: Any) -> None:
    tablet = desk.phone(TABLET)
    tablet.tap(".facebutton[data-face='1']")
    assert hint(tablet) == "You may not open a round on pacos."
    assert tablet.one(".bidbutton").text == "Bid 1 two", "what was chosen stays"
    bid_by_ana(desk)
    tablet.wait(lambda: "Ana bid" in tablet.text)
    for tap, why in {
        ".facebutton[data-face='3']": "After 5 fours you can\u2019t bid a lower face.",
        ".facebutton[data-face='4']": "",
        ".step[data-step='-1']": "After 5 fours you need at least 6 fours.",
        ".facebutton[data-face='6']": "",
        ".step[data-step='1']": "After 5 fours, bid 5 sixes or more fours: not both at once.",
        ".facebutton[data-face='1']": "",
        ".bids ~ .bidrow [data-step='-1']": "After 5 fours you need at least 3 pacos.",
    }.items():
        tablet.tap(tap)
        tablet.wait(lambda why=why: tablet.one(".pad .hint").text == why, why)
    assert desk.table.state().bid.player == "Ana"
    assert tablet.misfits() == []


def test_the_pad_knows_the_house_rules_on_bids(desk: Any) -> None:
    rules = {"bids_above_dice": False, "raises": "higher-face", "half_rounded": "down"}
    company = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]
    desk.table.do(new_game(company, starter="Ana", dice={"Ana": 5, "Ben": 3, "Cid": 1}, rules=rules, abandon=True))
    bid_by_ana(desk, 7)
    tablet = desk.phone(TABLET)
    tablet.wait(lambda: "Ana bid" in tablet.text)
    assert faces(tablet) == {"4": "8 fours", "5": "1 five", "6": "1 six", "1": "3 pacos"}
    tablet.tap(".facebutton[data-face='2']")
    assert hint(tablet) == "After 7 fours you can\u2019t bid a lower face."
    tablet.tap(".facebutton[data-face='6']")
    for _ in range(8):
        tablet.tap(".step[data-step='1']")
    tablet.wait(lambda: tablet.one(".bidbutton").text == "Bid 9 sixes")
    tablet.tap(".step[data-step='1']")
    assert hint(tablet) == "You can\u2019t bid more dice than are in play."
    desk.table.do(commands.MakeBid("Ben", 4, 1))
    tablet.wait(lambda: "Ben bid" in tablet.text)
    tablet.tap(".facebutton[data-face='3']")
    tablet.wait(lambda: hint(tablet) == "A higher face has already been bid.")
    desk.table.do(commands.MakeBid("Cid", 9, 1))
    tablet.wait(lambda: faces(tablet) == {})
    assert tablet.one(".bidbutton").text == "Nobody can raise this bid."
    tablet.tap(".facebutton[data-face='6']")
    tablet.wait(lambda: hint(tablet) == "You can\u2019t bid more dice than are in play.")
    tablet.tap("button.rule")
    tablet.wait(lambda: "Nobody can raise this bid." in tablet.one(".sheet").text)
    assert tablet.misfits() == []


def test_a_bid_against_the_rules_that_everybody_let_pass_is_entered_as_such(desk: Any) -> None:
    tablet = desk.phone(TABLET)
    bid_by_ana(desk)
    tablet.wait(lambda: "Ana bid" in tablet.text)
    tablet.tap("[data-about='Ben']")
    tablet.tap(".sheet [data-item='jump']")
    tablet.wait(lambda: "Ben, against the rules" in tablet.text)
    tablet.tap(".facebutton[data-face='6']")
    tablet.wait(lambda: tablet.one(".bidbutton").text == "Bid 5 sixes")
    assert not tablet.all(".letpass"), "a legal bid needs nobody's leave"
    tablet.tap(".step[data-step='-1']")
    tablet.tap(".step[data-step='-1']")
    tablet.wait(lambda: tablet.one(".bidbutton").text == "Bid 3 sixes")
    tablet.tap(".bidbutton")
    assert hint(tablet) == "After 5 fours you need at least 5 sixes."
    assert desk.table.state().bid.player == "Ana"
    assert tablet.misfits() == []
    tablet.tap(".letpass")
    expected = {"player": "Ben", "count": 3, "face": 6, "accepted": True}
    tablet.wait(lambda: in_json(desk.table.state().bid) == expected)
    tablet.wait(lambda: "Against the rules: let pass" in tablet.text)
    assert not tablet.all(".letpass")
    assert "against the rules" not in tablet.one(".pad").text, "the pad is the usual one again"
    assert tablet.one(".steps .undo").get_attribute("aria-label") == "Undo Ben\u2019s bid of 3 sixes that was let pass"
    desk.lay(red=[6, 6, 1, 2, 3], blue=[2, 2, 3, 3, 4], green=[2, 2, 3, 3, 4])
    tablet.hold(".callrow .dudo")
    tablet.in_phase("verdict")
    tablet.tap(".why")
    tablet.wait(lambda: "That bid was against the rules, but everybody let it pass" in tablet.text)


def test_a_bid_out_of_turn_that_everybody_let_pass(desk: Any) -> None:
    cid, tablet = desk.phone("Cid"), desk.phone(TABLET)
    bid_by_ana(desk)
    cid.wait(lambda: "Ana bid" in cid.text)
    cid.tap("[data-about='Ana']")
    cid.one(".sheet [data-item='leave']")
    assert cid.all(".sheet [data-item='jump']"), "nobody else has Ana's seat"
    cid.tap(".sheet .close")
    tablet.wait(lambda: "Ana bid" in tablet.text)
    tablet.tap("[data-about='Cid']")
    tablet.one(".sheet [data-item='leave']")
    assert not tablet.all(".sheet [data-item='jump']"), "Cid has a phone"
    cid.tap("[data-about='Cid']")
    cid.tap(".sheet [data-item='jump']")
    cid.wait(lambda: "Cid, out of turn" in cid.text)
    cid.tap(".facebutton[data-face='5']")
    cid.tap(".bidbutton")
    assert hint(cid) == f"Ben{QUOTE}s turn"
    assert cid.misfits() == []
    cid.tap(".letpass")
    expected = {"player": "Cid", "count": 5, "face": 5, "accepted": True}
    cid.wait(lambda: in_json(desk.table.state().bid) == expected)
    assert desk.table.state().turn == "Ana"
    cid.wait(lambda: "out of turn" not in cid.text, "the pad to be for the next player")


def test_who_opens_says_which_way_round_the_bids_go(desk: Any) -> None:
    tablet = desk.phone(TABLET)
    assert not tablet.all(".ways")
    company = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]
    desk.table.do(new_game(company, starter="Ana", rules={"opener_chooses_direction": True}, abandon=True))
    tablet.wait(lambda: tablet.all(".ways"))
    assert tablet.one(".ways [aria-pressed='true']").get_attribute("data-way") == "clockwise"
    tablet.tap("[data-way='counterclockwise']")
    tablet.tap(".facebutton[data-face='4']")
    assert tablet.misfits() == []
    tablet.tap(".bidbutton")
    tablet.wait(lambda: "The bids go to the right" in tablet.text)
    assert (desk.table.state().turn, str(desk.table.state().direction)) == ("Cid", "counterclockwise")
    assert not tablet.all(".ways"), "only the opening bid says so"


def test_the_pad_is_one_line_while_somebody_else_is_on_turn(desk: Any) -> None:
    ana, ben = desk.phone("Ana"), desk.phone("Ben")
    bid_by_ana(desk)
    ben.wait(lambda: "Your turn" in ben.text)
    ana.wait(lambda: ana.one(".turnline").text == f"Ben{QUOTE}s turn")
    assert not ana.all(".bidbutton")
    assert not ana.all(".callrow .dudo"), "it is not Ana's to say"
    assert not ana.all(".callrow"), "nor is Cid's calza, who has no phone: it is on his card"
    assert ana.misfits() == []
    assert desk.table.state().phase == "bidding"


@pytest.mark.parametrize("language", ["fr", "it", "es"])
def test_the_faces_do_not_move_between_the_two_taps(desk: Any, language: str) -> None:
    ana = desk.phone("Ana")
    ana.speak(language)
    top = """
        return ['.pad', '.facerow.bids'].map((name) => document.querySelector(name).getBoundingClientRect().top)"""
    for width in (320, 360, 414):
        size = {"width": width, "height": 640, "deviceScaleFactor": 1, "mobile": False}
        ana.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        ana.driver.refresh()
        ana.wait(lambda: ana.all(".bidbutton"), "the pad")
        before = ana.driver.execute_script(top)
        ana.one(".facebutton[data-face='4']").click()
        ana.wait(lambda: "4" in ana.one(".facebutton.chosen").get_attribute("data-face"), "a bid to be sent")
        assert ana.driver.execute_script(top) == before, width
        ana.one(".facebutton[data-face='1']").click()
        assert hint(ana)
        assert ana.driver.execute_script(top) == before, f"a hint moves nothing at {width}"


def test_a_phone_that_only_watches_says_so_at_the_foot(desk: Any) -> None:
    phone = desk.phone("watching")
    desk.lay(**FULL)
    bid_by_ana(desk)
    desk.table.do(commands.CallDudo())
    phone.in_phase("verdict")
    foot = phone.one(".dock")
    assert foot.text.splitlines() == ["This phone only watches.", "Take a seat"]
    phone.sit("Cid")
    phone.wait(lambda: phone.all(".dock .next") and phone.all(".dock .undo"), "the way on")


def test_the_host_may_bid_for_somebody_with_a_phone(desk: Any) -> None:
    host = desk.phone("Ana")
    desk.phone("Ben")
    bid_by_ana(desk)
    host.tap("[data-about='Ben']")
    host.tap(".sheet [data-item='instead']")
    host.tap(".facebutton[data-face='4']")
    host.tap(".bidbutton")
    host.wait(lambda: in_json(desk.table.state().bid) == {"player": "Ben", "count": 6, "face": 4, "accepted": False})
    assert host.complaints() == []


def test_a_call_needs_a_long_press_and_letting_go_early_does_nothing(desk: Any) -> None:
    desk.lay(**FULL)
    ben = desk.phone("Ben")
    bid_by_ana(desk)
    ben.wait(lambda: "Your turn" in ben.text)
    ben.tap(".callrow .dudo")
    assert hint(ben) == "Hold the button until the ring is full."
    ben.tap(".callrow .calza")
    ben.wait(lambda: hint(ben) == "Calza: exactly as many as bid. Hold the button until the ring is full.")
    ben.hold(".callrow .dudo", seconds=0.2)
    dudo = ben.one(".callrow .dudo")
    ActionChains(ben.driver).click_and_hold(dudo).pause(0.1).move_by_offset(0, -200).pause(0.8).release().perform()
    assert desk.table.state().phase == "bidding"
    ben.hold(".callrow .dudo")
    ben.in_phase("verdict")
    assert desk.table.state().verdict.caller == "Ben"
    assert ben.complaints() == []


def test_calza_is_called_on_the_callers_own_phone(desk: Any) -> None:
    desk.lay(**FULL)
    cid = desk.phone("Cid")
    bid_by_ana(desk)
    cid.wait(lambda: "Ana bid" in cid.text)
    cid.hold(".callrow .calza")
    cid.in_phase("verdict")
    assert desk.table.state().verdict.caller == "Cid"


def test_the_calza_of_somebody_without_a_phone_is_on_the_players_card(desk: Any) -> None:
    desk.lay(**FULL)
    ben = desk.phone("Ben")
    bid_by_ana(desk)
    ben.wait(lambda: "Your turn" in ben.text)
    ben.tap("[data-about='Cid']")
    ben.tap(".sheet [data-item='calza']")
    ben.in_phase("verdict")
    assert desk.table.state().verdict.caller == "Cid"


def test_nobody_takes_back_the_bid_of_another_phone_unasked(desk: Any) -> None:
    ana, ben = desk.phone("Ana"), desk.phone("Ben")
    bid_by_ana(desk)
    ben.wait(lambda: "Your turn" in ben.text)
    ben.tap(".steps .undo")
    ben.wait(lambda: ben.all(".sheet h2"), "the question")
    assert ben.one(".sheet h2").text == "Undo Ana\u2019s bid of 5 fours?"
    assert desk.table.state().bid is not None
    ana.wait(lambda: ana.all(".steps .undo"))
    ana.tap(".steps .undo")
    ana.wait(lambda: "You open the round" in ana.text, "her own bid to be taken back at once")
    ben.wait(lambda: not ben.all(".sheet"), "the question to close")


def test_the_question_who_says_calza_closes_with_the_next_bid(desk: Any) -> None:
    tablet = desk.phone(TABLET)
    bid_by_ana(desk)
    tablet.hold(".callrow .calza")
    tablet.one(".sheet .who")
    desk.table.do(commands.MakeBid("Ben", 6, 4))
    tablet.wait(lambda: "Ben bid" in tablet.text)
    assert not tablet.all(".sheet")


@pytest.mark.parametrize("keys", ["hold", "twice"])
def test_a_call_is_made_with_the_keyboard(desk: Any, keys: str) -> None:
    desk.lay(**FULL)
    ben = desk.phone("Ben")
    bid_by_ana(desk)
    ben.wait(lambda: "Your turn" in ben.text)
    ben.driver.execute_script("document.querySelector('.callrow .dudo').focus()")
    chain = ActionChains(ben.driver)
    if keys == "hold":
        chain.key_down(Keys.SPACE).pause(0.75).key_up(Keys.SPACE).perform()
    else:
        chain.key_down(Keys.ENTER).key_up(Keys.ENTER).perform()
        assert hint(ben) == "Hold the key, or press it again."
        assert desk.table.state().phase == "bidding"
        ActionChains(ben.driver).key_down(Keys.ENTER).key_up(Keys.ENTER).perform()
    ben.in_phase("verdict")


def test_a_tap_is_meant_for_the_state_that_the_finger_came_down_on(desk: Any) -> None:
    tablet = desk.phone(TABLET)
    tablet.tap(".facebutton[data-face='4']")
    tablet.driver.execute_script(
        """
        const fetched = window.fetch;
        window.sent = [];
        window.fetch = (at, how) => {
            if (how && how.method === 'POST') window.sent.push(how.headers['X-Perudo-Version']);
            return fetched(at, how);
        };
        performance.now = () => 0; // a busy machine takes its time
        const touch = new PointerEvent('pointerdown', { bubbles: true, isPrimary: true });
        document.querySelector('.bidbutton').dispatchEvent(touch);
        """
    )
    seen = desk.table.state().version
    desk.table.set_camera(CameraStatus(ok=False, name="away"))
    tablet.shows(desk.table.state().version)
    tablet.driver.execute_script("document.querySelector('.bidbutton').click()")
    tablet.wait(lambda: tablet.driver.execute_script("return window.sent") == [str(seen)])


def test_a_tap_on_an_old_state_is_refused_in_a_sentence(desk: Any, remote_phone: Callable[..., Any]) -> None:
    desk.lay(**FULL)
    tablet, faster = desk.phone(TABLET), remote_phone(desk.url, "1234")
    bid_by_ana(desk)
    tablet.wait(lambda: tablet.all(".callrow .dudo:not([aria-disabled])"))
    # Its screen is frozen, and still shows Ana's bid as the last one.
    tablet.driver.execute_script("window.drawings = []; window.requestAnimationFrame = (draw) => drawings.push(draw)")
    faster.post("bid", {"player": "Ben", "count": 6, "face": 4})
    tablet.hold(".callrow .dudo")
    tablet.wait(lambda: [line for line in tablet.complaints() if "409" in line], "the refusal")
    tablet.driver.execute_script("for (const draw of window.drawings) draw()")
    toast = tablet.wait(lambda: tablet.all(".toast.refused"))[0].text
    assert "Another phone was faster: Ben\u2019s bid of 6 fours." in toast
    assert desk.table.state().phase == "bidding"
    assert f"Cid{QUOTE}s turn" in tablet.text


def test_a_double_tap_on_bid_is_no_bid_of_the_next_player(desk: Any) -> None:
    tablet = desk.phone(TABLET)
    tablet.driver.execute_script(
        """
        // A busy machine takes its time: both touches come at one moment.
        const now = performance.now(), real = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp').get;
        const get = function () { return this.type === 'pointerdown' ? now : real.call(this); };
        Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get });
        window.tapOnce = () => {
            const button = document.querySelector('.bidbutton');
            button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, isPrimary: true }));
            button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
        };
        window.inTime = () => Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get: real });
        """
    )
    tablet.driver.execute_script("document.querySelector('.bidbutton')._since = -1; tapOnce()")
    tablet.wait(lambda: BENS_TURN in tablet.text)
    tablet.driver.execute_script("tapOnce()")
    tablet.still()
    assert in_json(desk.table.state().bid) == {"player": "Ana", "count": 1, "face": 2, "accepted": False}
    tablet.driver.execute_async_script("setTimeout(arguments[0], 400)")  # no double tap any more
    tablet.driver.execute_script("inTime(); tapOnce()")
    tablet.wait(lambda: desk.table.state().bid.player == "Ben", "another tap to count")


def test_a_tap_waits_for_the_one_under_way_and_a_repeated_tap_counts_once(desk: Any) -> None:
    tablet = desk.phone(TABLET)
    tablet.driver.execute_script(
        """
        const fetched = window.fetch;
        window.sent = [];
        const slow = new Promise((resolve) => { window.hurry = resolve; });
        window.fetch = async (at, how) => {
            if (how && how.method === 'POST') {
                window.sent.push(at);
                await slow;
            }
            return fetched(at, how);
        };
        """
    )
    tablet.tap(".facebutton[data-face='4']")
    tablet.tap(".bidbutton")
    tablet.wait(lambda: tablet.driver.execute_script("return window.sent.length") == 1, "the bid to be sent")
    tablet.tap(".bidbutton")
    tablet.menu("pause")
    assert tablet.driver.execute_script("return window.sent") == ["/api/v1/bid"], "one after the other"
    tablet.driver.execute_script("window.hurry()")
    tablet.wait(lambda: tablet.all("main.resting"), "the break")
    assert tablet.driver.execute_script("return window.sent") == ["/api/v1/bid", "/api/v1/pause"]
    assert in_json(desk.table.state().bid) == {"player": "Ana", "count": 1, "face": 4, "accepted": False}
    assert tablet.all(".toast") == []


def test_a_tap_that_waits_for_one_without_an_answer_is_dropped_with_it(desk: Any) -> None:
    tablet = desk.phone(TABLET)
    tablet.driver.execute_script(
        """
        const fetched = window.fetch;
        window.sent = [];
        const cut = new Promise((_, reject) => { window.cut = () => reject(new TypeError('cut')); });
        window.fetch = (at, how) => (how && how.method === 'POST' ? window.sent.push(at) && cut : fetched(at, how));
        """
    )
    tablet.tap(".facebutton[data-face='4']")
    tablet.tap(".bidbutton")
    tablet.menu("pause")
    tablet.driver.execute_script("window.cut()")
    tablet.wait(lambda: "did not answer" in " ".join(tablet.texts(".toast")), "the toast")
    tablet.still()
    assert set(tablet.driver.execute_script("return window.sent")) == {"/api/v1/bid"}


def test_a_tap_of_a_phone_that_joined_again_in_another_window_counts(desk: Any) -> None:
    ana = desk.phone("Ana")
    ana.driver.execute_script(
        """
        const fetched = window.fetch;
        let stale = true;
        window.fetch = (at, how) => {
            if (stale && how && how.method === 'POST') {
                stale = false;
                how.headers['X-Perudo-CSRF'] = 'of the other window';
            }
            return fetched(at, how);
        };
        """
    )
    ana.tap(".facebutton[data-face='4']")
    ana.tap(".bidbutton")
    ana.wait(lambda: desk.table.state().bid is not None, "the bid")
    assert ana.all(".toast") == []


def test_a_tap_that_a_broken_network_sends_twice_counts_once(desk: Any) -> None:
    ana = desk.phone("Ana")
    before = desk.table.state().undo.step
    ana.driver.execute_script(
        """
        window.sent = [];
        const fetched = window.fetch;
        window.fetch = async (at, how) => {
            const answer = await fetched(at, how);
            if (!how || how.method !== 'POST') return answer;
            window.sent.push(how.headers['Idempotency-Key']);
            if (window.sent.length === 1) throw new TypeError('the answer was lost on its way');
            return answer;
        };
        """
    )
    ana.tap(".facebutton[data-face='4']")
    ana.tap(".bidbutton")
    ana.wait(lambda: ana.driver.execute_script("return window.sent.length") == 2, "the second sending")
    ana.wait(lambda: "You bid" in ana.text)
    keys = ana.driver.execute_script("return window.sent")
    assert keys[0] == keys[1]
    assert len(keys[0]) == 32
    assert in_json(desk.table.state().bid) == {"player": "Ana", "count": 1, "face": 4, "accepted": False}
    assert desk.table.state().undo.step == before + 1
    assert [toast.text for toast in ana.all(".toast.refused")] == []
    assert ana.complaints() == []


@pytest.mark.parametrize(("theme", "size", "font"), [("dark", (640, 360), 16), ("light", (320, 568), 32)])
def test_no_look_of_the_pad_has_a_barrier(
    desk: Any, axe: Callable[[Any], list[str]], theme: str, size: tuple[int, int], font: int
) -> None:
    ana, ben = desk.phone("Ana"), desk.phone("Ben", size, font)
    ben.wear(theme)

    def good() -> None:
        assert ben.misfits() == []
        assert axe(ben) == []

    ben.wait(lambda: "Ana opens the round" in ben.text)
    good()
    ana.tap(".facebutton[data-face='4']")
    ana.tap(".bidbutton")
    ben.wait(lambda: "Your turn" in ben.text)
    good()
    ben.tap(".facebutton[data-face='3']")
    assert hint(ben)
    good()
    ben.tap(".facebutton[data-face='5']")
    ben.wait(lambda: ben.one(".bidbutton").text == "Bid 1 five")
    good()
    ben.driver.execute_script("document.querySelector('.callrow .dudo').classList.add('holding')")  # and stay so
    good()
    desk.table.do(commands.MakeBid("Ben", 2, 4))
    ben.wait(lambda: "Play for Cid" in ben.text)
    good()


def hold_dudo_until_there_is_another_view(desk: Any, ben: Any, beneath: str) -> None:
    """Hold Ben's DUDO with a finger, lay the element `beneath` under it, and lift it: it hears the next tap only."""
    desk.settle.still = False
    ben.wait(lambda: "Your turn" in ben.text)
    dudo = ben.one(".callrow .dudo")
    ben.driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", dudo)
    x, y = ben.driver.execute_script(
        "const r = arguments[0].getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]", dudo
    )
    touch = lambda kind, *points: ben.driver.execute_cdp_cmd(  # noqa: E731
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)}
    )
    ben.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
    ben.driver.execute_script(
        "window.clicks = 0; window.addEventListener('click', () => { clicks += 1; }, {capture: true})"
    )
    touch("touchStart", {"x": x, "y": y})
    ben.in_phase("reading")
    ben.driver.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
    ben.driver.execute_script(
        "arguments[0].style.cssText = `position: fixed; z-index: 9; left: ${arguments[1]}px; top: ${arguments[2]}px`",
        ben.wait(lambda: ben.all(beneath), beneath)[0], x - 20, y - 20,
    )  # fmt: skip
    touch("touchEnd")
    ben.wait(lambda: ben.driver.execute_script("return window.clicks"), "the click of the finger")
    ben.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert not ben.all(".sheet")
    touch("touchStart", {"x": x, "y": y})
    touch("touchEnd")
    ben.wait(lambda: ben.all(".sheet"), "a new tap to be heard")
    ben.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_what_came_under_a_finger_does_not_hear_it_go_up(desk: Any) -> None:
    bid_by_ana(desk)
    hold_dudo_until_there_is_another_view(desk, desk.phone("Ben"), ".row:not(.photos) button")


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (414, 896), (820, 1180), (1280, 720)])
def test_what_moves_under_a_finger_that_has_held_a_button_does_not_hear_it_go_up(
    desk: Any, size: tuple[int, int]
) -> None:
    bid_by_ana(desk)  # the menu has been there since the page was opened
    hold_dudo_until_there_is_another_view(desk, desk.phone("Ben", size), ".icon.menu")


@pytest.mark.parametrize(("size", "across"), [((820, 1180), False), ((1180, 820), True)])
def test_a_tablet_shows_all_at_once_and_turns_to_the_other_side_of_the_table(
    desk: Any, size: tuple[int, int], across: bool
) -> None:
    tablet = desk.phone(TABLET, size)
    sides = """
        const [table, pad] = ['.table', '.pad'].map((name) => document.querySelector(name).getBoundingClientRect());
        const first = arguments[0] ? table.left + 200 < pad.left : table.top + 200 < pad.top;
        return [first, pad.bottom <= innerHeight]"""
    tablet.wait(
        lambda: tablet.driver.execute_script(sides, across) == [True, True], "the pad beside or under the table"
    )
    tablet.tap(".icon.turnround")
    tablet.wait(lambda: not tablet.driver.execute_script(sides, across)[0], "what came first comes last")
    assert tablet.misfits() == []
    tablet.tap(".facebutton[data-face='4']")
    tablet.tap(".icon.menu")
    tablet.one(".sheet")
    seen = "const {top, bottom} = document.querySelector('.sheet').getBoundingClientRect(); return [top, bottom]"
    top, bottom = tablet.driver.execute_script(seen)
    assert top >= 0
    assert bottom <= size[1]
    tablet.tap(".sheet .close")
    tablet.tap(".bidbutton")
    tablet.wait(lambda: desk.table.state().bid, "the bid")
    tablet.tap(".icon.turnround")
    tablet.wait(lambda: tablet.driver.execute_script(sides, across)[0], "both where they were")


def test_a_players_phone_has_no_button_to_turn_the_page(desk: Any) -> None:
    ana = desk.phone("Ana")
    ana.wait(lambda: "You open the round" in ana.text)
    assert not ana.all(".turnround")
