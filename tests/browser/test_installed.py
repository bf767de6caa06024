"""The page as a program of the phone: light at first, there while the box is off, and never older than the box."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from companion.table import commands
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


def kept(page: Any) -> dict[str, list[str]]:
    """Cache -> what it holds."""
    found: dict[str, list[str]] = json.loads(page.driver.execute_async_script(KEPT))
    return found


def kept_by_the_browser(page: Any) -> None:
    page.wait(lambda: page.driver.execute_script(RULED), "the service worker")


@pytest.fixture
def phone(desk: Any) -> Any:
    """A phone that only looks. That requests fail while the box is off is no complaint of the page."""
    return desk.phone(None, worker=True)


def test_the_first_load_is_light(phone: Any) -> None:
    sizes = phone.driver.execute_script("""
        return performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
          .map((e) => [new URL(e.name).pathname, e.encodedBodySize])""")
    assert len(sizes) > 20
    assert sum(size for _, size in sizes) <= MOST_BYTES, sorted(sizes, key=lambda each: each[1])


def test_a_box_that_is_off_is_said_and_the_page_comes_back_by_itself(
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
    phone.wait(lambda: phone.all(".stage"), "the table")
    assert not phone.all(".rest.off")


def test_only_the_shell_is_kept_and_no_answer_of_the_table(phone: Any, desk: Any) -> None:
    kept_by_the_browser(phone)
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    phone.tap(".icon.menu")
    phone.tap(".menu [data-item='rules']")
    phone.wait(lambda: phone.all(".rulebook"))
    build = phone.driver.execute_script("return document.documentElement.dataset.build")
    phone.wait(lambda: f"/static/{build}/menu/rules.js" in kept(phone)[f"perudo-{build}"])
    held = kept(phone)
    assert list(held) == [f"perudo-{build}"]
    for path in held[f"perudo-{build}"]:
        assert path in pages.PAGES or path.startswith(f"/static/{build}/")


def newer(files: dict[str, pages.StaticFile]) -> dict[str, pages.StaticFile]:
    """The page of another build, whose files lie in other folders too."""

    def moved(file: pages.StaticFile) -> pages.StaticFile:
        data = file.data.replace(b'"../game/', b'"../table/')
        return file if data == file.data else pages.packed(data, file.mimetype)

    found = {name.replace("game/", "table/"): moved(file) for name, file in files.items()}
    found["table/app.js"] = pages.packed(found["table/app.js"].data + b"\nwindow.newer = true;\n", "text/javascript")
    return found


def test_a_newer_page_takes_the_place_of_the_old_one(phone: Any, desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
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
    phone.wait(lambda: list(kept(phone)) == ["perudo-newer"], "the older one to be forgotten")
    phone.wait(lambda: phone.all(".stage"))
    assert build != "newer"
    desk.pull_the_plug()
    phone.driver.refresh()
    phone.wait(lambda: phone.all(".rest.off"))
    assert phone.driver.execute_script("return window.newer")


def test_on_plain_http_nothing_is_missed(desk: Any, open_browser: Callable[..., Any], page_type: Any) -> None:
    """The way most phones come: by a name in the Wi-Fi, without a certificate, where browsers allow less."""
    url = desk.url.replace("127.0.0.1", "perudo.local")
    page = page_type(open_browser(worker=True), url, "the table's tablet")
    assert not page.driver.execute_script("return window.isSecureContext")
    desk.table.do(commands.MakeBid("Ana", 3, 4))
    page.hold(".callrow .dudo")
    page.wait(lambda: page.phase in {"reading", "checking"}, "the call")
    page.tap(".icon.menu")
    page.tap(".menu [data-item='settings']")
    page.wait(lambda: page.all(".settings"))
    # What the browser itself remarks on a header that means nothing without a certificate is no fault.
    assert [said for said in page.complaints() if "Cross-Origin-Opener-Policy" not in said] == []
    assert page.elsewhere() == []
