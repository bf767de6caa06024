"""The page as an installed app: small to load, available while the box is off, and never older than the box."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from companion.table import commands
from tests.browser.page import Page
from web import page as pages

pytestmark = pytest.mark.browser

MOST_BYTES = 80_000
OFF = "The box is off, or you are on another Wi-Fi"
RULED = "return navigator.serviceWorker && navigator.serviceWorker.controller !== null"
KEPT = """
    const done = arguments[0];
    caches.keys().then(async (names) => {
      const found = {};
      for (const name of names) {
        const requests = await (await caches.open(name)).keys();
        found[name] = requests.map((request) => new URL(request.url).pathname);
      }
      done(JSON.stringify(found));
    });
"""

NAMES = "caches.keys().then(arguments[0])"


def caches_of(page: Any) -> dict[str, list[str]]:
    """Cache -> the addresses in it."""
    addresses: dict[str, list[str]] = json.loads(page.driver.execute_async_script(KEPT))
    return addresses


def kept_by_the_browser(page: Any) -> None:
    page.wait(lambda: page.driver.execute_script(RULED), "the service worker")


@pytest.fixture
def phone(desk: Any) -> Any:
    """A phone that has not joined. Failed requests while the box is off are no fault of the page."""
    return desk.phone(worker=True)


def test_the_first_load_is_small(phone: Any) -> None:
    sizes = phone.driver.execute_script("""
        return performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
          .filter((e) => !e.name.includes("/fonts/")) // fetched once the page is drawn
          .map((e) => [new URL(e.name).pathname, e.encodedBodySize])""")
    assert len(sizes) > 20
    assert sum(size for _, size in sizes) <= MOST_BYTES, sorted(sizes, key=lambda each: each[1])


def test_a_first_visit_has_the_font_of_the_design(phone: Any) -> None:
    phone.wait(lambda: "figtree" in phone.one("html").get_attribute("class"), "the font")


def test_the_page_says_that_the_box_is_off_and_comes_back_by_itself(
    phone: Any, desk: Any, axe: Callable[[Any], list[str]]
) -> None:
    kept_by_the_browser(phone)
    desk.pull_the_plug()
    phone.driver.refresh()
    phone.wait(lambda: phone.all(".rest.off"), "the page that says so")
    assert phone.one(".rest.off h1").text == OFF
    assert "This page comes back by itself." in phone.text
    assert phone.misfits() == []
    assert axe(phone) == []
    phone.tap(".rest.off button")
    phone.wait(lambda: phone.all(".rest.off"), "the same page after another try")
    desk.plug_in()
    phone.wait(lambda: phone.all(".seatchip.join"), "the way in")
    assert not phone.all(".rest.off")


def test_only_the_shell_is_cached_and_no_answer_of_the_table(phone: Any, desk: Any) -> None:
    kept_by_the_browser(phone)
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    phone.menu("rules")
    phone.wait(lambda: phone.all(".rulebook"))
    build = phone.driver.execute_script("return document.documentElement.dataset.build")
    phone.wait(lambda: f"/static/{build}/menu/rules.js" in caches_of(phone)[f"perudo-{build}"])
    caches = caches_of(phone)
    assert list(caches) == [f"perudo-{build}"]
    for path in caches[f"perudo-{build}"]:
        assert path in pages.PAGES or path.startswith(f"/static/{build}/")


def newer(files: dict[str, pages.StaticFile]) -> dict[str, pages.StaticFile]:
    """The page of another build, with its files in other folders."""

    def moved(file: pages.StaticFile) -> pages.StaticFile:
        data = file.data.replace(b'"../game/', b'"../table/')
        return file if data == file.data else pages.packed(data, file.mimetype)

    renamed = {name.replace("game/", "table/"): moved(file) for name, file in files.items()}
    renamed["table/app.js"] = pages.packed(
        renamed["table/app.js"].data + b"\nwindow.newer = true;\n", "text/javascript"
    )
    return renamed


def test_a_newer_page_replaces_the_old_one(phone: Any, desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_by_the_browser(phone)
    build, files = pages.load()
    desk.pull_the_plug()
    monkeypatch.setattr(pages, "load", lambda: ("newer", newer(files)))
    for address, page in pages.PAGES.items():
        styles = tuple(style.replace("game/", "table/") for style in page.styles)
        other = dataclasses.replace(page, module=page.module.replace("game/", "table/"), styles=styles)
        monkeypatch.setitem(pages.PAGES, address, other)
    desk.plug_in()
    phone.wait(lambda: phone.driver.execute_script("return window.newer"), "the newer page")
    # By their names alone: to open a cache that was forgotten meanwhile would make it again.
    phone.wait(lambda: phone.driver.execute_async_script(NAMES) == ["perudo-newer"], "the older one to be forgotten")
    phone.wait(lambda: phone.all(".seatchip.join"))
    assert build != "newer"
    desk.pull_the_plug()
    phone.driver.refresh()
    phone.wait(lambda: phone.all(".rest.off"))
    assert phone.driver.execute_script("return window.newer")


def test_the_page_works_on_plain_http(desk: Any, open_browser: Callable[..., Any]) -> None:
    """As most phones do: by a name in the Wi-Fi, without a certificate, where browsers allow less."""
    url = desk.url.replace("127.0.0.1", "perudo.local")
    page = Page(open_browser(worker=True), url, "the table's tablet")
    assert not page.driver.execute_script("return window.isSecureContext")
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    page.hold(".callrow .dudo")
    page.wait(lambda: page.phase in {"reading", "checking"}, "the call")
    page.menu("settings")
    page.wait(lambda: page.all(".settings"))
    # The browser remarks on a header that needs a certificate, which is no fault.
    assert [line for line in page.complaints() if "Cross-Origin-Opener-Policy" not in line] == []
    assert page.elsewhere() == []
