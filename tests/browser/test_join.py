"""Joining, seats, and waking up. In a real Chromium at 360 x 640, on a real server."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from companion.table import commands
from tests.browser.page import NOBODY, WATCHING, Page
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from tests.proof.box import Box
from web.access.access import Access

pytestmark = pytest.mark.browser


def dial(page: Any, digits: str) -> None:
    """Enter a code on the keypad."""
    for digit in digits:
        page.tap(f".keypad [data-digit='{digit}']")


def role(page: Any) -> str:
    """Whose phone this is, by the head of the page."""
    return str(page.one(".seatchip").text)


@pytest.mark.parametrize("from_where", ["#", "?"], ids=["a link", "the home screen"])
def test_the_code_in_the_address_joins_and_one_tap_takes_a_seat(desk: Any, from_where: str) -> None:
    phone = desk.phone()
    phone.driver.get(f"{desk.url}{from_where}join=1234")
    phone.wait(lambda: phone.all(".who-are-you"), "being asked")
    assert phone.driver.current_url == desk.url, "nobody hands the code on with the address"
    assert phone.one("main h1").text == "Who are you?"
    assert [button.text for button in phone.all(".seatlist .who")] == ["Ana", "Ben", "Cid"]
    assert phone.misfits() == []
    phone.tap("[data-seat='Ana']")
    phone.wait(lambda: "You open the round" in phone.text)
    assert phone.one(".player.own .name").text == "Ana"
    assert role(phone) == "Ana"
    assert phone.complaints() == []


def test_where_cookies_are_blocked_the_keypad_says_so(desk: Any) -> None:
    phone = desk.phone()
    phone.driver.execute_script("Object.defineProperty(navigator, 'cookieEnabled', { get: () => false })")
    phone.tap(".join")
    dial(phone, "1234")
    phone.wait(lambda: "blocks cookies" in phone.one(".joinsaid").text, "the sentence")
    assert phone.all(".digits.wrong")
    assert phone.misfits() == []


def test_the_qr_code_joins_and_its_secret_leaves_the_address(desk: Any, tmp_path: Path) -> None:
    phone = desk.phone()
    phone.driver.get(f"{desk.url}#join={Access(tmp_path / 'state').invitation}")
    phone.wait(lambda: phone.all(".who-are-you"), "being asked")
    assert phone.driver.current_url == desk.url
    assert phone.complaints() == []


def test_without_the_code_a_phone_watches_and_any_action_leads_to_the_keypad(desk: Any) -> None:
    desk.table.do(commands.MakeBid("Ana", 5, 4))
    phone = desk.phone()
    phone.wait(lambda: phone.all(".pad .join"), "the way to a seat")
    assert "Ana bid" in phone.text, "it sees everything"
    assert not phone.all(".bidbutton")
    assert phone.misfits() == []
    phone.press("dudo")
    phone.wait(lambda: phone.all(".keypad"), "the keypad")
    assert phone.misfits() == []
    phone.tap(".sheet .close")
    phone.tap(".pad .join")
    phone.wait(lambda: phone.all(".keypad"), "the keypad")
    assert desk.table.state().phase == "bidding"
    dial(phone, "124")
    phone.tap(".keypad .rub")
    dial(phone, "34")
    phone.tap("[data-seat='Ben']")
    phone.wait(lambda: role(phone) == "Ben")
    assert phone.complaints() == []


def test_a_game_that_was_set_up_begins_once_the_code_is_typed(desk: Any) -> None:
    phone = desk.phone()
    phone.menu("game")
    phone.tap(".gameform .go")
    phone.one(".keypad")
    dial(phone, "1234")
    phone.wait(lambda: desk.table.state().game == 2, "the game")
    phone.wait(lambda: phone.all(".who-are-you"), "being asked who this is")
    assert phone.complaints() == []


def test_the_code_can_be_typed_on_a_keyboard(desk: Any) -> None:
    phone = desk.phone()
    phone.tap(".join")
    phone.one(".keypad")
    ActionChains(phone.driver).send_keys("129", Keys.BACKSPACE, "34").perform()
    phone.wait(lambda: phone.all(".who-are-you"), "having joined")


def test_a_wrong_code_says_so_and_many_are_slowed_down(desk: Any) -> None:
    phone = desk.phone()
    phone.tap(".join")
    desk.held = time.monotonic()
    for code in ("1111", "2222", "3333"):
        dial(phone, code)
        phone.wait(lambda: "Wrong code." in phone.one(".joinsaid").text)
        phone.wait(lambda: phone.one(".digits").text == "", "room for another code")
    dial(phone, "1234")  # right, but too early
    phone.wait(lambda: "Too many wrong codes" in phone.one(".joinsaid").text)
    assert phone.one(".joinwait").text.startswith("Wait ")
    assert phone.one(".keypad .key").get_attribute("aria-disabled") == "true"
    ActionChains(phone.driver).send_keys("12").perform()
    assert phone.one(".digits").text == "", "nothing is typed meanwhile"
    assert phone.misfits() == []
    desk.held = None
    phone.wait(lambda: not phone.one(".keypad .key").get_attribute("aria-disabled"), "the end of the wait")
    dial(phone, "1234")
    phone.wait(lambda: phone.all(".who-are-you"), "having joined")
    phone.expects("status of 403", "status of 429")
    assert phone.complaints() == []


def test_a_wrong_code_in_the_address_leads_to_the_keypad(desk: Any) -> None:
    phone = desk.phone()
    phone.driver.get(f"{desk.url}#join=4321")
    phone.wait(lambda: phone.all(".keypad") and "Wrong code." in phone.one(".joinsaid").text)
    assert phone.driver.current_url == desk.url
    phone.expects("status of 403")
    assert phone.complaints() == []


def test_a_reopened_phone_is_ana_again_even_after_a_restart_of_the_box(desk: Any) -> None:
    phone = desk.phone("Ana")
    phone.driver.refresh()
    phone.wait(lambda: role(phone) == "Ana" and phone.all(".facebutton"))
    assert not phone.all(".sheet")
    desk.pull_the_plug()
    desk.plug_in()
    phone.driver.get(desk.url)
    phone.wait(lambda: role(phone) == "Ana" and phone.all(".facebutton"))
    phone.tap(".facebutton[data-face='4']")
    phone.tap(".bidbutton")
    phone.wait(lambda: in_json(desk.table.state().bid) == {"player": "Ana", "count": 1, "face": 4, "accepted": False})


def test_a_phone_that_wakes_fetches_what_it_missed(desk: Any) -> None:
    phone = desk.phone("Ana")
    phone.driver.execute_script(
        """
        window.streams = [];
        window.lines = 0;
        new MutationObserver(() => { window.lines += document.querySelectorAll('.linecut').length; })
            .observe(document.body, {childList: true, subtree: true});
        const fetched = window.fetch;
        window.fetch = (at, how) => {
            if (String(at).endsWith('/events')) window.streams.push(how.headers['Last-Event-ID'] || '');
            return fetched(at, how);
        };
        Object.defineProperty(document, 'visibilityState', {get: () => window.asleep ? 'hidden' : 'visible'});
        window.asleep = true;
        document.dispatchEvent(new Event('visibilitychange'));
        const now = Date.now;
        Date.now = () => now() + 60000;
        """
    )
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    phone.driver.execute_script("window.asleep = false; document.dispatchEvent(new Event('visibilitychange'))")
    phone.wait(lambda: phone.driver.execute_script("return window.streams.length") == 1, "a new stream")
    phone.wait(lambda: "You bid" in phone.text)
    assert role(phone) == "Ana"
    assert phone.driver.execute_script("return window.lines") == 0, "nothing was wrong, and nothing is said"
    assert phone.driver.execute_script("return window.streams[0]") != ""


def test_a_seat_that_another_phone_has_cannot_be_taken(desk: Any) -> None:
    desk.phone("Ana")
    other = desk.phone("Ben")
    other.tap(".seatchip")
    seat_button = other.one("[data-seat='Ana']")
    assert seat_button.get_attribute("aria-disabled") == "true"
    assert seat_button.text == "Ana\nAna\N{RIGHT SINGLE QUOTATION MARK}s phone"
    seat_button.click()
    refused = other.wait(lambda: other.all(".toast.refused"), "the refusal")[0]
    assert "Ana" in refused.text
    assert role(other) == "Ben"
    refused.click()
    other.tap("[data-seat='Cid']")
    other.wait(lambda: role(other) == "Cid", "another seat")
    other.tap(".seatchip")
    other.tap("[data-role='watching']")
    other.wait(lambda: role(other) == "Watching", "no seat")
    assert "Take a seat" in other.text


def test_the_host_hands_a_seat_to_another_phone(desk: Any) -> None:
    host = desk.phone("Ana")
    other = desk.phone(WATCHING)
    host.tap(".seatchip")
    host.tap("[data-hand='Ben']")
    host.wait(lambda: host.one(".sheet h2").text == "Which phone is Ben\N{RIGHT SINGLE QUOTATION MARK}s?")
    assert host.misfits() == []
    host.wait(lambda: [b for b in host.all("[data-phone]") if "Watching" in b.text], "the other phone")[0].click()
    other.wait(lambda: role(other) == "Ben", "being Ben, without a tap")
    host.tap("[data-hand='Ana']")
    host.wait(lambda: [b for b in host.all("[data-phone]") if b.text == "Ben\N{RIGHT SINGLE QUOTATION MARK}s phone"])[
        0
    ].click()
    other.wait(lambda: role(other) == "Ana", "being Ana instead")
    host.wait(lambda: host.all(".who-are-you [data-seat='Cid']"), "no longer being Ana")


def test_the_host_lets_a_phone_only_watch_and_turns_it_out(desk: Any) -> None:
    host = desk.phone("Ana")
    other = desk.phone("Ben")
    host.tap(".seatchip")
    host.wait(lambda: [b for b in host.all(".thisphone .link") if b.text == "Other phones"])[0].click()
    host.wait(lambda: host.all(".otherphone button"))[0].click()
    host.wait(lambda: "Let it act" in host.one(".sheet").text)
    assert host.misfits() == []
    other.wait(lambda: role(other) == "Watching", "only watching, without a tap")
    host.all(".otherphone button")[1].click()
    host.wait(lambda: not host.all(".otherphone"))


def test_the_host_makes_another_phone_the_host(desk: Any) -> None:
    host = desk.phone("Ana")
    other = desk.phone("Ben")
    other.tap(".seatchip")
    assert not other.all("[data-hand]")
    other.tap(".sheet .close")
    host.tap(".seatchip")
    host.tap(".who-are-you .link")
    host.wait(lambda: [b for b in host.all("[data-phone]") if "Ben" in b.text])[0].click()
    host.wait(lambda: host.all(".who-are-you") and not host.all("[data-hand]"), "being host no more")
    other.tap(".seatchip")
    other.wait(lambda: other.all("[data-hand]"), "being the host")


def test_others_join_by_a_qr_code_or_a_code_to_type(desk: Any) -> None:
    phone = desk.phone("Ana")
    phone.menu("others")
    script = "const qr = document.querySelector('.qr'); return qr && qr.complete && qr.naturalWidth"
    phone.wait(lambda: phone.driver.execute_script(script), "the QR code")
    assert "code=1" in phone.one(".qr").get_attribute("src")
    assert desk.url.rstrip("/") in phone.one(".addresses").text
    assert phone.one(".code").text == "Code 1234"
    assert "same Wi-Fi" in phone.text
    assert phone.misfits() == []
    watcher = desk.phone()
    watcher.menu("others")
    watcher.wait(lambda: watcher.driver.execute_script(script), "the QR code")
    assert not watcher.all(".code"), "who has not joined does not know it"


def test_a_new_company_is_asked_again_for_its_seats(desk: Any) -> None:
    phone = desk.phone("Ana")
    desk.table.do(new_game([("Zoë", "red"), ("Ben", "blue")], starter="Zoë", abandon=True))
    phone.wait(lambda: phone.all(".who-are-you [data-seat='Zoë']"), "being asked")
    phone.tap("[data-seat='Zoë']")
    phone.wait(lambda: "You open the round" in phone.text)


@pytest.mark.parametrize(("theme", "size", "font"), [("dark", (360, 640), 16), ("light", (320, 568), 32)])
def test_no_look_of_joining_has_a_barrier(
    desk: Any, axe: Callable[[Any], list[str]], theme: str, size: tuple[int, int], font: int
) -> None:
    desk.table.do(new_game([("Dorothea-Valentina", "red"), ("Ben", "blue"), ("W" * 24, "green")], abandon=True))
    desk.phone("Ben")
    phone = desk.phone(NOBODY, size, font)
    phone.wear(theme)

    def good() -> None:
        assert phone.misfits() == []
        assert axe(phone) == []

    good()
    phone.tap(".join")
    dial(phone, "12")
    good()
    dial(phone, "12")
    phone.wait(lambda: phone.one(".joinsaid").text)
    good()
    dial(phone, "1234")
    phone.wait(lambda: phone.all(".who-are-you"))
    good()
    phone.tap("[data-seat='Dorothea-Valentina']")
    phone.wait(lambda: role(phone) == "Dorothea-Valentina")
    phone.tap(".seatchip")
    good()
    phone.tap(".sheet .close")
    phone.tap(".icon.menu")
    good()
    phone.tap(".sheet .close")
    phone.menu("others")
    phone.wait(lambda: phone.all(".qr"))
    good()
    phone.expects("status of 403")
    assert phone.complaints() == []


def test_no_look_of_the_host_has_a_barrier(desk: Any, axe: Callable[[Any], list[str]]) -> None:
    host = desk.phone("Ana", (320, 568), 32)
    desk.phone("Ben")
    host.tap(".seatchip")
    assert host.misfits() == []
    assert axe(host) == []
    host.tap("[data-hand='Ben']")
    host.wait(lambda: len(host.all("[data-phone]")) == 2)
    assert host.misfits() == []
    assert axe(host) == []


HEIGHTS = """
    const height = (element) => { const { top, bottom } = element.getBoundingClientRect(); return (top + bottom) / 2; };
    const seats = [...document.querySelectorAll(".seat")];
    return seats.map((seat) => [height(seat.querySelector("input")), height(seat.querySelector(".icon"))]);"""
"""Of the name of each seat, and of the button that takes it away."""


def test_at_a_table_without_a_game_two_taps_begin_one(open_browser: Callable[..., Any]) -> None:
    with Box("--camera", "phone", "--no-panel", command=("run",)) as box:
        page = Page(open_browser(), f"http://{box.host}:{box.port}/#join={box.code}")
        page.one(".firstscreen [data-item='lesson']")
        assert "After dudo, a phone takes the picture." in page.text
        assert "panel" not in page.text, "who wants none need not be told"
        page.tap(".firstscreen .go")
        page.tap(".gameform .add")
        page.wait(lambda: len(page.all(".seat .icon")) == 3, "a third seat")
        assert all(name == away for name, away in page.driver.execute_script(HEIGHTS)), "each button is beside its name"
        page.picture("three-seats")
        page.tap(".seat:last-child .icon")
        page.wait(lambda: not page.all(".seat .icon"), "two seats")
        page.tap(".gameform [type='submit']")
        page.wait(lambda: page.texts(".player.own .name") == ["Player 1"], "the seat")
        assert page.complaints() == []
