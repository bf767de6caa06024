"""A table that enters no bids: the opening roll, counts, undo, coming and going, breaks. In a real Chromium at
360 x 640, on a real table, panel and journal; only the dice are scripted."""

from __future__ import annotations

from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from companion.table import commands
from tests.fakes.public_state import in_json

pytestmark = pytest.mark.browser

FULL = {"red": [4, 4, 1, 6, 2], "blue": [4, 3, 5, 5, 2], "green": [6, 6, 3, 2, 1]}
"""Three fours and two pacos."""


def menu(page: Any, *items: str) -> None:
    """Open the menu and tap these items in order."""
    for item in items:
        page.menu(item)


def label(page: Any) -> str:
    """What the button to undo would undo."""
    return str(page.one(".undo:not(.redo)").get_attribute("aria-label"))


def undo(page: Any, sentence: str, *, confirmed: bool = True) -> None:
    """Undo this step, and confirm if asked."""
    page.wait(lambda: page.all(".undo:not(.redo)") and label(page) == f"Undo {sentence}")
    page.tap(".undo:not(.redo)")
    if confirmed:
        assert page.one(".sheet h2").text == f"Undo {sentence}?"
        page.tap(".sheet .go")


def tallies(page: Any) -> list[tuple[str, str]]:
    """The tally of every face: the large number, and the text beside it."""
    return [tuple(line.text.split("\n"))[:2] for line in page.all(".allfaces li")]


def chosen(page: Any, part: str) -> list[str]:
    """The chosen caller or bidder."""
    return [button.text for button in page.all(f"[data-ask='{part}'] .chosen")]


def count(page: Any, desk: Any, call: str = "dudo") -> None:
    """Have the dice counted for a call that is entered afterwards."""
    desk.lay(**FULL)
    menu(page, "count")
    page.tap(f".sheet .call.{call}")
    page.in_phase("telling")


def test_a_game_without_entering_bids(page: Any, desk: Any) -> None:
    menu(page, "game")
    page.tap(".gameform .more")
    Select(page.one("select[aria-label='Who opens']")).select_by_visible_text("We roll under the camera")
    assert page.misfits() == []
    desk.lay(red=[6], blue=[6], green=[2])
    page.tap(".sheet .go")
    page.in_phase("rolling")
    assert "Everybody rolls one die" in page.text
    assert page.misfits() == []
    page.tap(".dock .go")
    page.wait(lambda: "Ana, Ben: roll again" in page.text)
    assert "Ana 6, Ben 6, Cid 2" in page.text
    desk.lay(red=[1], blue=[3], green=[2])  # Cid's die still lies there
    page.tap(".dock .go")
    page.in_phase("bidding")
    assert "Ben opens the round" in page.text
    assert "Ana 1, Ben 3" in page.text

    count(page, desk)
    assert tallies(page)[0] == ("2",)
    assert tallies(page)[3] == ("5", "3 alone")
    assert len(page.all(".picture .boxed")) == 15
    assert page.misfits() == []
    page.tap("[data-ask='bidder'] [data-value='Ana']")
    page.wait(lambda: chosen(page, "caller") == ["Ben"])  # the next one clockwise
    page.tap(".telling [data-face='4']")
    page.tap(".telling [data-step='1']")
    page.wait(lambda: page.one(".telling .n:not(strong)").text == "5")
    page.tap(".telling [data-step='1']")
    page.tap(".dock .go")
    page.in_phase("verdict")
    assert in_json(desk.table.state().verdict.bid) == {"count": 6, "face": 4}
    assert "Ana loses a die" in page.text

    undo(page, "the details of Ben\u2019s call")
    page.in_phase("telling")
    assert chosen(page, "caller") == ["Ben"], "what was told is still there"
    undo(page, "the press of DUDO")
    page.in_phase("bidding")
    assert desk.table.state().bid is None
    page.tap(".redo")
    page.in_phase("telling")
    assert page.one(".redo").get_attribute("aria-label") == "Redo the details of Ben\u2019s call"
    page.tap(".redo")
    page.in_phase("verdict")
    assert "Ana loses a die" in page.text
    assert not page.all(".redo")
    page.tap(".dock .next")
    page.in_phase("bidding")
    assert "Ana opens the round" in page.text


def test_players_leave_come_back_rest_and_end(page: Any, desk: Any) -> None:
    menu(page, "leave")
    assert page.misfits() == []
    page.tap(".sheet .who:last-child")
    page.wait(lambda: page.one(".sheet h2").text == "Cid leaves")
    page.tap(".sheet .plain")
    page.wait(lambda: "away" in page.text)
    assert in_json(desk.table.state().away) == [{"name": "Cid", "dice": 5}]
    menu(page, "back")
    page.wait(lambda: "away" not in page.text)
    assert desk.table.state().players[2].dice == 5

    menu(page, "pause")
    page.wait(lambda: "A break" in page.text)
    assert not page.all(".pad"), "nothing else to tap"
    assert page.misfits() == []
    page.tap(".rest .go")
    page.wait(lambda: page.all(".pad"))
    assert not desk.table.state().paused

    menu(page, "end")
    assert desk.table.state().phase == "bidding", "asked once"
    page.tap(".sheet .go")
    page.in_phase("over")
    assert "The game was ended" in page.text
    undo(page, "the end of the game")
    page.in_phase("bidding")

    for _ in range(2):
        menu(page, "leave")
        page.tap(".sheet .who:last-child")
        page.tap(".sheet .danger")
        page.wait(lambda: not page.all(".sheet"))
    page.in_phase("over")
    assert "Ana has won: the others have left" in page.text
    page.tap(".dock .othergame")
    page.one(".sheet .seat input")
    assert [field.get_attribute("value") for field in page.all(".sheet .seat input")] == ["Ana", "Ben", "Cid"]
    page.tap(".sheet .go")
    page.in_phase("bidding")
    assert desk.table.state().game == 2


def test_a_round_is_voided_from_the_menu(page: Any, desk: Any) -> None:
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    menu(page, "void")
    page.wait(lambda: page.one(".sheet h2").text == "Void this round?")
    assert page.misfits() == []
    page.tap(".sheet .go")
    page.wait(lambda: desk.table.state().bid is None)
    page.wait(lambda: "The round is void" in page.text)
    assert "Ana opens the round" in page.text
    assert {player.dice for player in desk.table.state().players} == {5}
    undo(page, "the voiding of the round")
    page.wait(lambda: desk.table.state().bid is not None)


def test_a_new_game_with_another_order_handicap_and_hidden_dice(page: Any, desk: Any) -> None:
    menu(page, "game")
    page.tap(".gameform .more")
    page.tap("[aria-label='Player 3: one seat up']")
    page.wait(lambda: page.all(".seat input")[1].get_attribute("value") == "Cid")
    Select(page.one("[aria-label='Dice of player 2']")).select_by_visible_text("1 die")
    Select(page.one("[aria-label='Who opens']")).select_by_visible_text("Ben")
    page.all(".field.check input")[0].click()
    assert page.misfits() == []
    page.tap(".sheet .go")
    page.wait(lambda: desk.table.state().game == 2)
    state = desk.table.state_with_all_dice()
    assert [(p.name, p.dice) for p in state.players] == [("Ana", 5), ("Cid", 1), ("Ben", 5)]
    assert (state.starter, state.open_lost) == ("Ben", False)
    page.wait(lambda: "Ben opens the round" in page.text)
    assert len(page.all(".players .mini")) == len(page.all(".players .mini.cup")) == 3, "no count is shown"
    assert "11 dice" not in page.text


def test_the_call_begins_with_the_likeliest_choice_and_a_refusal_loses_nothing(page: Any, desk: Any) -> None:
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    desk.lay(**FULL)
    menu(page, "count")
    page.tap(".sheet .call.dudo")
    page.in_phase("telling")
    assert (chosen(page, "caller"), chosen(page, "bidder")) == (["Ben"], ["Ana"])
    assert "Judge" in page.one(".dock .go").text
    page.tap("[data-ask='caller'] [data-value='Cid']")
    page.tap(".dock .go")
    refusal = page.one(".dock [role='alert']").text
    assert "Cid" in refusal
    assert page.misfits() == []
    assert (chosen(page, "caller"), page.phase) == (["Cid"], "telling")
    page.tap("[data-value='calza']")
    page.wait(lambda: not page.all(".dock [role='alert']"))
    page.tap(".dock .go")
    page.in_phase("verdict")
    assert "Exactly right" in page.text
    assert desk.table.state().verdict.caller == "Cid"
    page.complaints()  # the browser's own line about the refusal


def test_dice_are_corrected_before_the_call_is_entered(page: Any, desk: Any) -> None:
    count(page, desk)
    page.tap("[data-ask='bidder'] [data-value='Cid']")
    page.driver.execute_script(
        "document.querySelector('.picture .boxed')"
        ".dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))"
    )
    page.tap(".sheet .facebutton[data-face='5']")
    page.wait(lambda: tallies(page)[3] == ("4", "2 alone"))
    assert chosen(page, "bidder") == ["Cid"]
    undo(page, "the correction of a red die: five, not four", confirmed=False)
    page.wait(lambda: tallies(page)[3] == ("5", "3 alone"))
    page.tap(".dock .go")
    assert page.driver.execute_script("return document.activeElement.closest('[data-ask]').dataset.ask") == "face"


def test_a_bid_is_undone_with_one_tap_and_redone(page: Any, desk: Any) -> None:
    page.tap(".facebutton[data-face='2']")
    page.tap(".bidbutton")
    page.wait(lambda: "Ana bid" in page.text)
    undo(page, "Ana\u2019s bid of 1 two", confirmed=False)
    page.wait(lambda: "Ana opens the round" in page.text)
    assert page.misfits() == []
    page.tap(".redo")
    page.wait(lambda: "Ana bid" in page.text)


def test_a_question_about_a_step_that_is_gone_closes(page: Any, desk: Any) -> None:
    desk.settle.still = False
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    desk.table.do(commands.CallDudo())
    page.in_phase("reading")
    page.tap(".undo")
    page.one(".sheet .go")
    desk.table.do(commands.Undo(desk.table.state().undo.step))  # another phone was faster
    page.in_phase("bidding")
    page.wait(lambda: not page.all(".sheet"))
    assert desk.table.state().bid.player == "Ana"


def test_a_stale_undo_is_refused_in_a_sentence(page: Any, desk: Any) -> None:
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    step = desk.table.state().undo.step
    page.wait(lambda: "Ana bid" in page.text)
    # This phone shows an old state: it has not got the later bid.
    page.driver.execute_script(
        "window._fetch = window.fetch; window.fetch = (at, how) =>"
        " window._fetch(at, how && how.body ? {...how, body: how.body.replace(arguments[0], arguments[1])} : how)",
        f'"step":{step}',
        f'"step":{step + 7}',
    )
    page.tap(".undo")
    toast = page.wait(lambda: page.all(".toast"))[0].text
    assert toast == "That is no longer the last thing that was done."
    assert desk.table.state().bid.player == "Ana"
    page.complaints()  # the browser's own line about the refusal


def test_the_menu_works_with_the_keyboard_alone(page: Any, desk: Any) -> None:
    def press(key: str) -> None:
        ActionChains(page.driver).send_keys(key).perform()

    # Nothing behind a closing sheet can have the focus yet.
    focus = "const menu = document.querySelector('.icon.menu'); menu.focus(); return document.activeElement === menu"
    page.wait(lambda: page.driver.execute_script(focus))
    press(Keys.ENTER)
    page.wait(lambda: page.driver.execute_script("return document.activeElement.matches('.sheet')"))
    for item in ("company", "leave"):
        page.wait(lambda item=item: page.all(f".sheet [data-item={item}]"), item)
        for _ in range(10):
            press(Keys.TAB)
            if page.driver.execute_script(f"return document.activeElement.matches('[data-item={item}]')"):
                break
        press(Keys.ENTER)
    page.wait(lambda: page.one(".sheet h2").text == "Who leaves?")
    page.wait(lambda: page.driver.execute_script("return document.activeElement.matches('.sheet')"))
    press(Keys.ESCAPE)
    page.wait(lambda: not page.all(".sheet"))
    page.wait(lambda: page.driver.execute_script("return document.activeElement.matches('.icon.menu')"))


def test_what_is_announced_follows_a_change_of_language(page: Any, desk: Any) -> None:
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    spoken = "return document.querySelector('[aria-live]').textContent"
    page.wait(lambda: page.driver.execute_script(spoken).startswith("Ana bid 5 fours."))
    menu(page, "settings")
    page.wait(lambda: page.all("select[data-setting=language]"))
    page.driver.execute_script(
        "const choice = document.querySelector('select[data-setting=language]'); choice.value = 'fr';"
        "choice.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    page.wait(lambda: "5 quatre" in page.driver.execute_script(spoken), "the announcement in French")
