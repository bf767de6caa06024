"""Back and Forward of the browser, and loading the page anew, with a sheet open and without one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.page import TABLET

pytestmark = pytest.mark.browser

MENU = ".sheet.for-menu"


@pytest.fixture
def phone(desk: Any) -> Any:
    """A phone that came to the table from another page."""
    phone = desk.phone(TABLET)
    phone.driver.execute_cdp_cmd(
        "Page.resetNavigationHistory", {}
    )  # a browser keeps fifty entries, those of other tests too
    phone.driver.get(f"{desk.url}api/v1/me")
    phone.driver.get(desk.url)
    phone.wait(lambda: at_table(phone), "the table")
    return phone


def entries(phone: Any) -> int:
    return int(phone.driver.execute_script("return history.length"))


def open_menu(phone: Any) -> None:
    phone.tap("button.menu")
    phone.one(MENU)


def closed(phone: Any) -> None:
    """Wait until no sheet is open, and the history knows."""
    phone.wait(lambda: not phone.all(".sheet"), "the sheet closing")
    phone.wait(lambda: phone.driver.execute_script("return history.state === null"), "the sheet's entry left")


def at_table(phone: Any) -> bool:
    return bool(phone.all("main.bidding"))


def left(phone: Any) -> bool:
    return bool(phone.driver.current_url.endswith("/api/v1/me"))


def test_back_closes_the_open_sheet_and_then_leaves_the_page(phone: Any) -> None:
    open_menu(phone)
    phone.tap("[data-item='games']")
    phone.tap("[data-item='past']")  # another sheet in its place
    phone.one(".sheet.for-past")
    phone.driver.back()
    closed(phone)
    assert at_table(phone)
    phone.driver.back()
    phone.wait(lambda: left(phone), "the page before")


@pytest.mark.parametrize("how", ["cross", "beside", "back"])
def test_the_history_does_not_grow_with_each_sheet(phone: Any, how: str) -> None:
    before = entries(phone)
    for _ in range(3):
        open_menu(phone)
        if how == "cross":
            phone.tap(".sheet .close")
        elif how == "beside":
            phone.driver.execute_script("document.querySelector('.veil').click()")
        else:
            phone.driver.back()
        closed(phone)
    assert entries(phone) == before + 1
    phone.driver.back()
    phone.wait(lambda: left(phone), "the page before")


def test_the_page_under_a_sheet_stays_where_it_was_scrolled_to(phone: Any) -> None:
    phone.driver.execute_script("document.querySelector('main').style.minHeight = '5000px'")
    open_menu(phone)
    phone.driver.execute_script("""
        new MutationObserver((_, closing) => {
          if (document.querySelector('.sheet')) return;
          closing.disconnect();
          scrollTo(0, 900);
        }).observe(document.body, { subtree: true, childList: true });""")
    phone.tap(".sheet .close")
    closed(phone)
    phone.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert phone.driver.execute_script("return [scrollY, history.scrollRestoration]") == [900, "auto"]


def test_a_sheet_that_opens_while_another_closes_has_its_place_in_the_history(phone: Any) -> None:
    open_menu(phone)
    phone.driver.execute_script("""
        const open = new MutationObserver(() => {
          if (document.querySelector('.sheet')) return;
          open.disconnect();
          document.querySelector('button.menu').click();
          window.again = true;
        });
        open.observe(document.body, { subtree: true, childList: true });
        document.querySelector('.sheet .close').click();""")
    phone.wait(lambda: phone.driver.execute_script("return window.again && history.state !== null"), "the menu again")
    phone.one(MENU)
    phone.driver.back()
    closed(phone)
    assert at_table(phone)


def test_forward_opens_nothing_and_the_next_back_leaves_the_page(phone: Any) -> None:
    open_menu(phone)
    phone.driver.back()
    closed(phone)
    phone.driver.forward()
    closed(phone)
    assert at_table(phone)
    phone.driver.back()
    phone.wait(lambda: left(phone), "the page before")


def test_after_loading_the_page_anew_under_a_sheet_one_back_leaves_it(phone: Any) -> None:
    open_menu(phone)
    phone.driver.refresh()
    phone.wait(lambda: at_table(phone), "the table")
    closed(phone)
    open_menu(phone)
    phone.driver.back()
    closed(phone)
    phone.driver.back()
    phone.wait(lambda: left(phone), "the page before")


def test_back_from_a_page_that_a_sheet_led_to_shows_the_table(phone: Any) -> None:
    open_menu(phone)
    phone.driver.get(f"{phone.url}board")
    phone.driver.back()
    phone.wait(lambda: at_table(phone), "the table")
    if not phone.all(MENU):  # the browser has not kept the page as it was
        closed(phone)


def test_a_qr_code_that_arrives_at_an_open_page_joins_and_leaves_no_secret_in_the_history(desk: Any) -> None:
    phone = desk.phone()
    phone.tap(".join")
    phone.one(".sheet.for-join")
    phone.driver.execute_script("location.hash = '#join=1234'")
    phone.one(".who-are-you [data-seat]")
    closed(phone)
    assert phone.driver.current_url == phone.url


def test_back_closes_a_sheet_of_the_boxs_page(desk: Any) -> None:
    phone = desk.phone()
    phone.driver.get(f"{desk.url}box")
    phone.tap(".go")
    phone.one(".sheet.for-join")
    phone.driver.back()
    closed(phone)
    assert phone.driver.current_url.endswith("/box")
