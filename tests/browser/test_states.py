"""Every state of the page in a real Chromium: nothing is too wide or too small, and nothing is on the console."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.messages.message import Message
from companion.table.commands import AskReading
from companion.table.game import sentences
from companion.table.state.state import Waiting
from hardware.camera.camera_choice import PHONE_TAKES
from tests.browser.page import TABLET, WATCHING
from tests.browser.site import Site
from tests.fakes.states import BY_PHONE, STATES

MISSING = Message("I see {seen} of {dice}.", seen=4, dice=5)

pytestmark = pytest.mark.browser


def test_every_state_fits_a_phone(site: Site) -> None:
    page = site.phone(TABLET)
    for name, state in STATES.items():
        site.show(page, name)
        assert page.misfits() == [], name
        if state.verdict:
            assert state.verdict.sentence in page.text
        for player in () if state.paused or state.phase == "over" else state.players:  # the end has a story of another
            assert player.name in page.text, name
    assert page.complaints() == []
    assert page.elsewhere() == []


def test_a_camera_that_stopped_looking_looks_again_on_request(site: Site) -> None:
    site.table.show(STATES["reading-given-up"])
    page = site.phone(TABLET)
    assert "could not see the dice lie still" in page.text
    assert not page.all(".pulse")
    page.tap(".card.reading .go")
    page.wait(lambda: site.table.commands == [AskReading()])


def test_while_the_camera_works_nobody_is_offered_another_way(site: Site) -> None:
    site.table.show(STATES["reading"])
    page = site.phone("Ana")

    def ways() -> list[str]:
        buttons = page.all(".card.reading .photos button, .card.reading .row:not(.photos) button")
        return [button.text for button in buttons if button.is_displayed()]

    assert ways() == []
    page.tap(".otherways summary")
    page.wait(lambda: "Count by hand" in ways(), "the other ways")
    state = STATES["reading"]
    site.table.show(replace(state, version=state.version + 1, waiting=Waiting(code="missing", sentence=MISSING)))
    page.wait(lambda: MISSING in page.text and not page.all(".otherways"), "the next state")
    assert "Count by hand" in ways()


def test_no_picture_is_asked_for_while_one_is_read(site: Site) -> None:
    state = replace(STATES["reading"], camera=BY_PHONE, waiting=Waiting(code="camera", sentence=PHONE_TAKES))
    site.table.show(state)
    page = site.phone("Ana")
    assert page.texts(".photos .go") == ["Take the picture"]
    reads = Waiting(code="reading", sentence=sentences.PHOTO_READ)
    site.table.show(replace(state, version=state.version + 1, waiting=reads))
    page.wait(lambda: page.all(".waiting .pulse"), "the box, reading")
    assert page.texts(".photos button")[0] == "Take the picture", "another one can be taken"
    assert not page.all(".photos .go")


def test_another_round_begins_at_the_top_of_the_page(site: Site) -> None:
    site.table.show(STATES["verdict-wrong"])
    page = site.phone("Ben", (320, 480))
    page.unfold()
    end = "scrollTo(0, 1e6); return scrollY"
    assert page.driver.execute_script(end) > 0
    site.show(page, "moved")
    assert page.driver.execute_script("return scrollY") == 0
    assert page.driver.execute_script(end) > 0


def test_without_a_camera_the_phone_says_so_once(site: Site) -> None:
    site.table.show(STATES["reading-no-camera"])
    assert site.phone("Ana").text.count("gives no frames") == 1


def test_with_the_lost_dice_hidden_only_public_counts_are_shown(site: Site) -> None:
    site.table.show(STATES["palifico-hidden"])
    page = site.phone(TABLET)
    tiles = {tile.text.split("\n")[0]: tile for tile in page.all(".player")}
    dice_shown = {name: [die.get_attribute("class") for die in tile.find_elements("css selector", ".mini")]
             for name, tile in tiles.items()}  # fmt: skip
    assert dice_shown["Cid"] == ["mini green"], "the palifico has one die"
    assert dice_shown["Ana"] == ["mini cup red"]
    assert dice_shown["Ἑλένη"] == []
    assert " dice" not in page.one(".top").text
    ana = site.phone("Ana")
    ana.wait(lambda: len(ana.all(".own .mini:not(.cup)")) == 3, "her own dice, whose number the box tells her alone")
    assert len(ana.all(".mini.cup")) == len(page.all(".mini.cup")) - 1


def test_the_menu_has_at_most_seven_choices_and_only_what_this_phone_can_do(site: Site) -> None:
    host, watcher = site.phone("Ana"), site.phone(WATCHING)
    for state in ("bidding", "verdict-wrong", "checking", "break"):
        site.show(host, state)
        host.tap(".icon.menu")
        host.one(".sheet .group")
        assert len(host.all(".sheet .group :is(button, a)")) <= 7, state
        host.tap(".sheet .close")
    watcher.tap(".icon.menu")
    watcher.one(".sheet [data-item='past']")
    assert not watcher.all(".sheet :is([data-item='wrong'], [data-item='resume'], [data-item='games'], [href])")


def test_who_is_out_is_told_on_the_own_phone(site: Site) -> None:
    site.table.show(STATES["verdict-out"])
    assert "You are out" in site.phone("Cid").text
    assert "Cid is out" in site.phone("Ben").text


def test_the_last_verdict_comes_before_the_winner_but_for_who_cannot_go_on_from_it(site: Site) -> None:
    site.table.show(STATES["verdict-wrong"])
    ben, watcher = site.phone("Ben"), site.phone(WATCHING)
    site.table.show(STATES["over"])
    for page in (ben, watcher):
        page.shows(site.table.state().version)
    assert "Ana wins!" not in ben.text
    assert ben.one("h2.outcome").is_displayed()
    assert "Ana wins!" in watcher.text
    ben.tap(".whowon")
    ben.wait(lambda: "Ana wins!" in ben.text, "who won")


def test_the_likely_caller_is_the_next_player_after_the_bidder(site: Site) -> None:
    site.table.show(STATES["telling"])
    page = site.phone(TABLET)
    page.tap("[data-ask='bidder'] [data-value='Ana']")
    page.wait(lambda: page.texts("[data-ask='caller'] .chosen") == ["Ben"])


def test_the_menu_says_so_if_dice_are_kept(site: Site) -> None:
    site.table.show(STATES["bidding"])
    page = site.phone(TABLET)
    page.tap(".icon.menu")
    assert not page.all("[data-item='learns']")
    site.table.show(replace(STATES["bidding"], learn=True))
    page.wait(lambda: page.all("[data-item='learns']"))
    assert "keeps pictures of single dice" in page.text
    assert page.misfits() == []


ROUND = """
    const middle = (e) => {
      const { left, right, top, bottom } = e.getBoundingClientRect();
      return [(left + right) / 2, (top + bottom) / 2];
    };
    const [x, y] = middle(document.querySelector('.table'));
    return [...document.querySelectorAll('.player')].map((seat) => {
      const [across, down] = middle(seat.querySelector('.disc'));
      const turned = Math.atan2(x - across, down - y) / (2 * Math.PI);
      return (turned + 1.02) % 1;
    });"""
"""How far round the table each player sits, clockwise from the bottom, as a share of it."""
SHORT = """
    const letters = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll('.player .name')].filter((name) => {
      letters.font = getComputedStyle(name).font;
      const least = letters.measureText(name.textContent.slice(0, 4) + '…').width;
      return name.scrollWidth > name.clientWidth && least > name.clientWidth;
    }).map((name) => name.textContent);"""
"""Names that are cut to fewer than four letters."""


@pytest.mark.parametrize("size", [(360, 640), (320, 568), (820, 1180), (1280, 720)])
def test_the_seats_lie_round_the_table_in_their_order(site: Site, size: tuple[int, int]) -> None:
    eight = replace(STATES["eight"], direction="clockwise")
    page = site.phone("Ana", size)
    for count in range(2, 9):
        site.table.show(replace(eight, players=eight.players[:count], turn="Ana"))
        page.shows(site.table.state().version)
        at = page.driver.execute_script(ROUND)
        assert at == sorted(at), "clockwise"
        assert at[0] < 0.04, "this phone's player is at the bottom"
        assert page.texts(".note.next") == ["next"]
        assert page.one(".note.next").find_element("xpath", "..").get_attribute("data-about") == "Ben"
        assert page.driver.execute_script(SHORT) == []
        assert page.misfits() == []


def test_who_plays_next_follows_the_direction(site: Site) -> None:
    site.table.show(replace(STATES["eight"], direction="counterclockwise", turn="Ana"))
    page = site.phone(TABLET)
    assert page.one(".note.next").find_element("xpath", "..").get_attribute("data-about") == "Ida"
