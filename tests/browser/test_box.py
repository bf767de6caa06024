"""The page of the box in every language: nothing too wide, too small, or hard to read; and what the host does there."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.browser import catalogs, chromium, fits
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web import create_app
from web.access.access import Access
from web.stream.server import Server

pytestmark = pytest.mark.browser


class BoxPage:
    """A phone that looks at the page of the box."""

    def __init__(self, driver: webdriver.Chrome, url: str) -> None:
        self.driver = driver
        self.url = url

    def open(self, language: str = "en", *, joins: bool = False) -> None:
        self.driver.get(f"{self.url}box")
        self.driver.execute_script("localStorage.setItem('perudo-language', arguments[0])", language)
        self.driver.get("about:blank")
        self.driver.get(f"{self.url}box{'#join=1234' if joins else ''}")
        self.wait(lambda: self.all("main .facts") and not self.all(".connecting"), "the page")

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    @property
    def text(self) -> str:
        return str(self.driver.execute_script("return document.querySelector('#app').innerText"))

    def wait(self, so: Callable[[], Any], what: str) -> None:
        until = time.monotonic() + 20
        while not so():
            assert time.monotonic() < until, f"waited for {what}; the page says: {self.text}"
            time.sleep(0.05)

    def tap(self, selector: str) -> None:
        self.wait(lambda: self.all(selector), selector)
        self.driver.execute_script("arguments[0].click()", self.all(selector)[0])


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(STATES["seating"])


@pytest.fixture
def box(
    table: FakeTable, serve: Callable[[Flask], Server], open_browser: Callable[..., webdriver.Chrome]
) -> Iterator[BoxPage]:
    with serve(create_app(table, access=Access(code="1234"))) as server:
        page = BoxPage(open_browser(), server.url)
        yield page
        assert chromium.complaints(page.driver) == []
        page.driver.execute_script("localStorage.clear()")


def test_the_page_of_the_box_fits_a_phone_in_every_language(box: BoxPage, axe: Callable[..., list[str]]) -> None:
    box.open(joins=True)
    faults: dict[str, list[str]] = {}
    texts = set()
    for language in catalogs.LANGUAGES:
        theme = "light" if language in ("fr", "it") else "dark"
        features = [{"name": "prefers-color-scheme", "value": theme}]
        box.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        box.open(language)
        texts.add(box.text)
        if lines := [*fits.misfits(box.driver), *(axe(box.driver) if language in ("nl", "it") else [])]:
            faults[language] = lines
        if folder := os.environ.get("PERUDO_PICTURES"):
            box.driver.save_screenshot(str(Path(folder) / f"box-{language}.png"))
    assert faults == {}
    assert len(texts) == len(catalogs.LANGUAGES)


def test_a_stranger_is_told_to_join_and_the_host_is_not(box: BoxPage) -> None:
    box.open()
    assert "join with the table" in box.text
    box.open(joins=True)
    box.wait(lambda: "join with the table" not in box.text, "being the host")
    assert "Only the host" not in box.text
