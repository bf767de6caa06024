"""Who plays, with how many dice: put right, joining late, stepping out, coming back. In a real Chromium, 360 x 640."""

from __future__ import annotations

import time
from typing import Any

import pytest
from selenium.webdriver.support.ui import Select

from companion.table import commands
from tests.browser.test_talk import menu, undo
from tests.fakes.new_game import new_game
from web.access.phones import AWAY_AFTER

pytestmark = pytest.mark.browser


def about(page: Any, name: str) -> None:
    page.tap(f"[data-about='{name}']")
    page.wait(lambda: page.one(".sheet h2").text == name)


def dice(desk: Any) -> dict[str, int]:
    return {player.name: player.dice for player in desk.table.state_with_all_dice().players}


def test_a_number_of_dice_is_put_right_and_undone_by_name(page: Any, desk: Any) -> None:
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    about(page, "Cid")
    assert not page.all(".numbers"), "one more tap, so that nobody changes it by accident"
    page.tap(".sheet [data-item='correct']")
    page.one(".numbers")
    assert page.misfits() == []
    assert [button.get_attribute("aria-label") for button in page.all(".numbers button")][-1] == "5 dice"
    page.tap(".numbers [data-dice='3']")
    page.wait(lambda: not page.all(".sheet"))
    assert dice(desk) == {"Ana": 5, "Ben": 5, "Cid": 3}
    assert desk.table.state().bid.count == 5, "the bid stands"
    page.wait(lambda: len(page.all(".player:last-child .mini")) == 3)
    undo(page, "the change of Cid\u2019s dice")
    page.wait(lambda: dice(desk)["Cid"] == 5)


def test_everybody_reads_that_a_number_of_dice_was_put_right(page: Any, desk: Any) -> None:
    ben = desk.phone("Ben")
    ben.wait(lambda: ben.all(".player"))
    about(page, "Cid")
    page.tap(".sheet [data-item='correct']")
    page.tap(".numbers [data-dice='3']")
    said = ["On the tablet: Cid has 3 dice."]
    ben.wait(lambda: ben.all(".toast"))
    assert ben.texts(".toast") == said
    page.wait(lambda: page.texts(".toast") == said)


def test_a_tap_on_a_player_shows_their_bids_and_record(page: Any, desk: Any) -> None:
    for player, count in (("Ana", 2), ("Ben", 3), ("Cid", 4), ("Ana", 5)):
        desk.table.do(commands.MakeBid(player, count, 4))
    page.wait(lambda: len(page.all(".trail li")) == 4)
    assert page.texts(".trail bdi") == ["Ana", "Ben", "Cid", "Ana"], "in their order"
    trail = [sign.get_attribute("aria-label") for sign in page.all(".trail .bidsign")]
    assert trail == ["2 fours", "3 fours", "4 fours", "5 fours"]
    about(page, "Ana")
    signs = page.all(".theirbids .bidsign")
    assert [sign.get_attribute("aria-label") for sign in signs] == ["2 fours", "5 fours"]
    assert page.misfits() == []
    desk.table.do(commands.EndGame())
    desk.table.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana"))
    page.in_phase("bidding")
    page.wait(lambda: not page.all(".sheet"))
    about(page, "Ana")
    page.wait(lambda: page.texts(".record") == ["1 game · Games won: 0"], "what Ana did in the game before")


def test_many_bids_make_the_page_no_wider(page: Any, desk: Any) -> None:
    for n in range(9):
        desk.table.do(commands.MakeBid(("Ana", "Ben", "Cid")[n % 3], n + 2, 4))
    page.wait(lambda: len(page.all(".trail li")) == 9)
    assert page.driver.execute_script("return document.documentElement.scrollWidth") == 360


def test_a_number_of_dice_is_put_right_from_the_menu_while_the_dice_are_read(page: Any, desk: Any) -> None:
    desk.settle.still = False
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    desk.table.do(commands.CallDudo())
    page.in_phase("reading")
    menu(page, "dice")
    page.wait(lambda: page.one(".sheet h2").text == "Whose dice?")
    page.tap(".sheet .who:nth-child(2)")
    page.tap(".numbers [data-dice='4']")
    page.wait(lambda: dice(desk) == {"Ana": 5, "Ben": 4, "Cid": 5})
    assert desk.table.state().phase == "reading"


def test_hidden_dice_stay_hidden_while_they_are_put_right(page: Any, desk: Any) -> None:
    desk.table.do(new_game([("Ana", "red"), ("Ben", "blue")], open_lost=False, abandon=True))
    page.wait(lambda: len(page.all(".players .mini.cup")) == 2)
    about(page, "Ben")
    page.tap(".sheet [data-item='correct']")
    page.one(".numbers")
    assert not page.all(".numbers [aria-pressed='true']")
    page.tap(".numbers [data-dice='2']")
    page.wait(lambda: not page.all(".sheet"))
    assert dice(desk)["Ben"] == 2
    assert len(page.all(".players .mini.cup")) == 2


def test_who_is_wrongly_out_has_dice_again(page: Any, desk: Any) -> None:
    players = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]
    desk.lay(red=[2], blue=[2] * 5, green=[2] * 5)
    desk.table.do(new_game(players, starter="Ana", dice={"Ana": 1}, abandon=True))
    desk.table.do(commands.MakeBid("Ana", 9, 4))
    desk.table.do(commands.CallDudo("Ben"))
    page.in_phase("verdict")
    assert dice(desk)["Ana"] == 0
    menu(page, "dice")
    page.wait(lambda: page.one(".sheet h2").text == "Whose dice?")
    page.tap(".sheet .who:nth-child(1)")
    page.tap(".numbers [data-dice='1']")
    page.wait(lambda: not page.all(".sheet"))
    state = desk.table.state()
    assert (dice(desk)["Ana"], state.palifico, state.turn) == (1, "Ana", "Ana")


def test_somebody_joins_a_running_game(page: Any, desk: Any) -> None:
    about(page, "Ana")
    page.tap(".sheet [data-item='join']")
    page.wait(lambda: page.one(".sheet h2").text == "Somebody joins")
    colours = [option.get_attribute("value") for option in page.all(".newcomer select[aria-label='Colour'] option")]
    assert not {"red", "blue", "green"} & set(colours), "only colours that nobody has"
    page.tap(".newcomer .go")
    page.wait(lambda: page.one(".newcomer [role='alert']").text == "Every player needs a name.")
    page.one(".newcomer input").send_keys("Ben")
    page.tap(".newcomer .go")
    page.wait(lambda: page.one(".newcomer [role='alert']").text == "Every player needs a different name.")
    page.one(".newcomer input").send_keys("no")
    Select(page.one("select[aria-label='Colour']")).select_by_visible_text("yellow")
    Select(page.one("select[aria-label='With how many dice']")).select_by_visible_text("2 dice")
    assert Select(page.one("select[aria-label='Where']")).first_selected_option.text.startswith("On Ana")
    assert page.misfits() == []
    page.tap(".newcomer .go")
    page.wait(lambda: not page.all(".sheet"))
    state = desk.table.state()
    assert [(player.name, player.colour, player.dice) for player in state.players] == [
        ("Ana", "red", 5),
        ("Benno", "yellow", 2),
        ("Ben", "blue", 5),
        ("Cid", "green", 5),
    ]
    page.wait(lambda: len(page.all(".player")) == 4)
    undo(page, "Benno\u2019s joining")
    page.wait(lambda: len(page.all(".player")) == 3)
    page.complaints()  # the browser's own line about the refusal


def test_nobody_joins_once_there_is_a_bid(page: Any, desk: Any) -> None:
    menu(page, "join")
    page.one(".newcomer input").send_keys("Dora")
    desk.table.do(commands.MakeBid("Ana", 2, 4))
    page.wait(lambda: "A bid has been made" in page.text)
    assert not page.one(".newcomer .go").is_enabled()
    desk.table.do(commands.VoidRound())
    page.wait(lambda: page.one(".newcomer .go").is_enabled())
    assert page.one(".newcomer input").get_attribute("value") == "Dora", "what was typed is kept"
    page.tap(".newcomer .go")
    page.wait(lambda: dice(desk) == {"Ana": 5, "Ben": 5, "Cid": 5, "Dora": 5})


def test_who_steps_out_as_palifico_comes_back_as_palifico(page: Any, desk: Any) -> None:
    desk.table.do(commands.SetPlayerDice("Ana", 2))
    desk.lay(red=[2, 3], blue=[2, 3, 3, 2, 2], green=[2, 3, 3, 2, 2])
    desk.table.do(commands.MakeBid("Ana", 5, 6))
    desk.table.do(commands.CallDudo())
    page.in_phase("verdict")
    page.tap(".dock .next")
    page.wait(lambda: "Ana is palifico." in page.text)
    about(page, "Ana")
    page.tap(".sheet [data-item='leave']")
    page.wait(lambda: page.one(".sheet h2").text == "Ana leaves")
    page.tap(".sheet .plain")
    page.wait(lambda: "Ben opens the round" in page.text)
    assert "Palifico: Ana" not in page.text
    about(page, "Ana")
    page.tap(".sheet [data-item='back']")
    page.wait(lambda: "Ana is palifico." in page.text)
    assert desk.table.state().turn == "Ana"
    undo(page, "Ana\u2019s coming back")


def test_a_phone_that_only_watches_changes_nobody(desk: Any, page: Any) -> None:
    watching = desk.phone("watching")
    watching.tap("[data-about='Ana']")
    watching.one(".sheet .theirbids")
    assert not watching.all(".sheet [data-item]"), "it only reads what Ana bid"
    page.tap("[data-about='Ana']")
    page.one(".sheet [data-item='correct']")


def test_be_the_host_is_there_once_the_hosts_phone_is_gone_and_says_what_a_host_does(desk: Any) -> None:
    desk.held = time.monotonic()
    desk.access.phones.join()
    ben = desk.phone("Ben")
    ben.tap(".seatchip")
    ben.one(".thisphone")
    assert not ben.all(".thisphone .link")
    desk.held += AWAY_AFTER
    ben.tap(".thisphone .link")
    assert ben.one(".sheet h2").text == "Be the host"
    assert "The host hands seats over, and may speak for anybody." in ben.one(".sheet").text
    assert ben.misfits() == []
