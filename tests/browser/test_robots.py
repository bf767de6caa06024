"""The demo as a game: a person plays robots to the end on the page, and looks at the own dice under a held finger."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.browser.page import Page
from tests.proof.box import Box

pytestmark = pytest.mark.browser

STATE = "const [done] = arguments; fetch('/api/v1/state').then((answer) => answer.text()).then(done);"
OWN_DICE = "const [done] = arguments; fetch('/api/v1/demo/dice').then((answer) => answer.text()).then(done);"


@pytest.fixture
def demo() -> Iterator[tuple[str, str]]:
    """The address and the code of a demo with two robots."""
    with Box("--seed", "2", "--robots", "2", command=("demo",)) as box:
        yield f"http://{box.host}:{box.port}/", box.code
        assert box.stop() == 0, box.errors()
        assert "Traceback" not in box.errors()


def asked(page: Any, script: str = STATE) -> dict[str, Any]:
    return dict(json.loads(page.driver.execute_async_script(script)))


def shown(page: Any) -> list[str]:
    """What a screen reader hears of the dice that the page shows."""
    return (
        [each.get_attribute("textContent") for each in page.all(".peekbox [role='status']")]
        if page.all(".owndice .die")
        else []
    )


def named(dice: list[int]) -> str:
    """The faces of dice in words."""
    return ", ".join(["", "paco", "two", "three", "four", "five", "six"][face] for face in dice)


def looks(page: Any) -> None:
    """Each way of looking shows the own dice, and nothing of them stays."""
    dice = asked(page, OWN_DICE)["dice"]
    said = [f"Your dice: {named(dice)}"]
    button = page.one(".peek")
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
    ActionChains(page.driver).click_and_hold(button).perform()
    page.wait(lambda: shown(page) == said, "the dice under the finger")
    assert len(page.all(".owndice .die")) == len(dice)
    ActionChains(page.driver).release().perform()
    page.wait(lambda: not page.all(".owndice"), "the dice are covered again")
    assert said[0] not in page.driver.page_source
    page.driver.execute_script("arguments[0].focus()", page.one(".peek"))
    ActionChains(page.driver).key_down(Keys.SPACE).perform()
    page.wait(lambda: shown(page) == said, "the dice under a held key")
    ActionChains(page.driver).key_up(Keys.SPACE).perform()
    page.wait(lambda: not page.all(".owndice"), "the key is up")
    page.driver.execute_script("arguments[0].click()", page.one(".peek"))  # as a screen reader does, without a pointer
    page.wait(lambda: shown(page) == said, "the dice read aloud")
    page.driver.execute_script("document.activeElement.blur()")
    page.wait(lambda: not page.all(".owndice"), "covered again")


def bids(page: Any, state: dict[str, Any]) -> None:
    """Bid the lowest five, or doubt what is more than half of the dice."""
    lowest = state["lowest"]["5"]
    dice = sum(player["dice"] for player in state["players"])
    if state["bid"] and (lowest is None or lowest > (dice + 1) // 2):
        page.hold(".callrow .dudo")
    else:
        page.tap(".bids .facebutton[data-face='5']")
        page.tap(".bidbutton")


def test_a_game_against_robots_is_played_to_its_end(
    demo: tuple[str, str], open_browser: Callable[..., Any], remote_phone: Callable[..., Any]
) -> None:
    url, code = demo
    other = remote_phone(url, code)
    company = [{"name": name, "colour": colour} for name, colour in (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"))]
    dice = {"Ana": 2, "Ben": 1, "Cid": 2}
    game = {
        "players": company,
        "ruleset": "asmodee-fr",
        "dice": dice,
        "starter": "Ana",
        "open_lost": True,
        "abandon": True,
    }
    other.post("game", game)
    page = Page(open_browser(), url, "Ana", code)
    page.wait(lambda: asked(page, OWN_DICE)["dice"], "the dice are thrown")
    assert not page.all(".peek"), "nobody else could look"
    label = f"Your dice: {named(asked(page, OWN_DICE)['dice'])}"
    page.wait(lambda: page.one(".owndice.open").get_attribute("aria-label") == label, "the own dice, openly")
    assert not page.all(".panel, .photos"), "nothing that only people round a table need"
    page.tap("[data-about='Ben']")
    page.one(".sheet .theirbids")
    assert not page.all(".sheet [data-item='jump']"), "robots keep to the rules"
    page.tap(".sheet .close")
    page.wait(lambda: not page.all(".sheet"))
    assert page.misfits() == []
    thought = verdicts = 0
    done = -1
    while (state := asked(page))["phase"] != "over":
        version = state["version"]

        def goes_on(version: int = version) -> bool:
            return int(asked(page)["version"]) > version

        people = any(player["dice"] and player["name"] == "Ana" for player in state["players"])
        if state["phase"] == "bidding" and state["turn"] == "Ana" and version != done:
            page.wait(lambda version=version: page.version >= version, "the newest state")
            bids(page, state)
            done = version
            page.wait(goes_on, "the bid")
        elif state["phase"] == "bidding" and page.all(".hurry"):
            assert not page.all(".pad .bids")  # nobody bids for a robot
            thought += 1
            page.driver.execute_script("document.querySelector('.hurry')?.click()")
            page.wait(goes_on, "what the robot does")
        elif state["phase"] == "checking":
            page.tap(".question .facebutton")
        elif state["phase"] == "verdict" and people:
            verdicts += 1
            page.tap(".dock .next")
            page.wait(goes_on, "the next round")
        else:
            page.wait(lambda goes_on=goes_on: page.all(".hurry") or goes_on(), "the game to go on")
    assert thought > 0
    page.in_phase("over")
    assert state["winner"] in dice
    assert page.too_wide() == []
    late = "frame.jpg"  # the picture of a reading that has ended meanwhile
    assert [line for line in page.complaints() if late not in line] == []
    assert page.elsewhere() == []


@pytest.mark.parametrize("size", [(360, 640), (820, 1180)])
def test_one_tap_opens_a_game_against_robots(
    demo: tuple[str, str],
    open_browser: Callable[..., Any],
    remote_phone: Callable[..., Any],
    size: tuple[int, int],
) -> None:
    url, code = demo
    remote_phone(url, code).post("demo/robots", {"players": {}})
    page = Page(open_browser(size), url, "the table's tablet", code)
    page.tap(".robotoffer [data-strength='hard']")
    state = page.wait(lambda: (now := asked(page)).get("robots") and now, "the robots")
    assert [player["name"] for player in state["players"]] == ["Ana", "Ben", "Cid", "Dora"]
    assert state["robots"] == dict.fromkeys(("Ben", "Cid", "Dora"), "hard")
    page.wait(lambda: page.all(".player.own") and page.all(".owndice.open"), "this phone plays Ana")
    assert page.misfits() == []
    page.menu("game")
    page.wait(lambda: page.all(".sheet .robotoffer .strength"), "the offer in the form of a new game")
    assert page.complaints() == []


def test_whoever_has_not_joined_joins_and_plays_with_the_same_tap(
    demo: tuple[str, str], open_browser: Callable[..., Any], remote_phone: Callable[..., Any]
) -> None:
    url, code = demo
    remote_phone(url, code).post("demo/robots", {"players": {}})
    page = Page(open_browser(), url)
    page.one(".firstscreen [data-strength='easy']")
    assert [button.text for button in page.all("main button")] == ["Play", "New to Perudo?", "Join friends"]
    assert not page.all(".table, .pad, .panel")
    assert page.misfits() == []
    page.tap(".firstscreen .go")
    page.one(".keypad")
    page.tap(".sheet .icon.close")
    page.wait(lambda: not page.all(".sheet"), "the keypad is closed")
    page.tap(".firstscreen .go")
    for digit in code:
        page.tap(f".keypad [data-digit='{digit}']")
    state = page.wait(lambda: (now := asked(page)).get("robots") and now, "the robots")
    assert state["robots"] == dict.fromkeys(("Ben", "Cid", "Dora"), "easy")
    page.wait(
        lambda: page.all(".player.own") and page.all(".owndice.open") and not page.all(".sheet"), "this phone plays Ana"
    )
    assert page.complaints() == []


def test_who_joins_by_the_qr_code_takes_a_robots_seat_or_plays_with_one_tap(
    demo: tuple[str, str], open_browser: Callable[..., Any], remote_phone: Callable[..., Any]
) -> None:
    url, code = demo
    host = remote_phone(url, code)
    driver = open_browser()
    page = Page(driver, url)
    driver.get(f"{url}#join={code}")
    page.one(".who-are-you [data-seat='Ben']")
    page.wait(
        lambda: page.texts(".who-are-you small") == ["Replace the robot (easy)", "Replace the robot (medium)"],
        "whose seats robots have",
    )
    assert page.misfits() == []
    host.post("demo/robots", {"players": {}})
    page.tap(".firstscreen [data-item='who']")
    page.one(".sheet .robotoffer [data-strength='hard']")
    assert page.misfits() == []
    page.tap(".sheet .icon.close")
    page.wait(lambda: not page.all(".sheet"))
    page.tap(".firstscreen .go")
    page.wait(lambda: asked(page).get("robots"), "the robots")
    page.wait(lambda: page.all(".player.own") and page.all(".owndice.open"), "this phone's own dice")
    assert page.complaints() == []


def test_friends_take_robots_seats_with_their_phones(
    demo: tuple[str, str], open_browser: Callable[..., Any], remote_phone: Callable[..., Any]
) -> None:
    url, code = demo
    company = [{"name": name, "colour": colour} for name, colour in (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"))]
    mine = remote_phone(url, code)
    mine.post("game", {"players": company, "ruleset": "asmodee-fr", "starter": "Ana", "abandon": True})
    mine.post("seat", {"role": "player", "player": "Ana"})
    friend = Page(open_browser(), url, "Ben", code)  # in the place of the easy robot
    other = Page(open_browser(), url, "Cid", code)  # and of the medium one
    friend.wait(lambda: not asked(friend).get("robots"), "no robot is left")
    friend.wait(lambda: asked(friend, OWN_DICE)["dice"] and friend.all(".peek"), "the own dice")
    looks(friend)
    assert not friend.all(".robotline")
    mine.post("bid", {"player": "Ana", "count": 1, "face": 2})
    friend.wait(lambda: asked(friend)["turn"] == "Ben", "the friend's turn")
    friend.wait(lambda: friend.version >= asked(friend)["version"], "the newest state")
    bids(friend, asked(friend))
    other.wait(lambda: asked(other)["turn"] == "Cid", "the other friend's turn")
    assert asked(other)["bid"]["player"] == "Ben"

    other.tap(".seatchip")  # goes home: the robot plays on, with the same dice
    other.tap(".who-are-you [data-role='watching']")
    friend.wait(lambda: asked(friend).get("robots") == {"Cid": "medium"}, "the robot is back")
    friend.wait(lambda: asked(friend)["turn"] != "Cid", "what the robot does")
    friend.wait(lambda: "robot" in friend.one("[data-about='Cid']").text, "Cid is marked as a robot")
    assert "robot" not in friend.one("[data-about='Ben']").text
    other.tap(".seatchip")  # and sits down again
    other.wait(lambda: other.all(".who-are-you [data-seat='Cid'] small"), "the seats")
    other.tap(".who-are-you [data-seat='Cid']")
    other.wait(lambda: "you play from the next one on" in other.text, "the robot plays the round to its end")
    assert asked(other)["robots"] == {"Cid": "medium"}
    assert [*friend.complaints(), *other.complaints()] == []
