"""A browser, driven as its user would."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.browser import chromium, fits

ABLE = """
    const able = [...document.querySelectorAll(arguments[0])].find((element) => !element.matches(":disabled"));
    if (!able) return null;
    for (let each = able; each; each = each.parentNode) each._since = 0; // as if it had been looked at first
    able.scrollIntoView({block: 'center', behavior: 'instant'});
    return able;"""
"""The first matching element that can be tapped, scrolled into view. It is not too new for a tap (`core/dom.js`)."""


class Screen:
    """A browser that shows a page of the box or of the lobby at `url`."""

    patience = 15.0
    """Seconds after which a test gives up; two busy cores may be slow."""

    def __init__(self, driver: webdriver.Chrome, url: str) -> None:
        self.driver = driver
        self.url = url
        self._expected: list[str] = []

    def wait(self, so: Callable[[], Any], what: str = "", within: float | None = None) -> Any:
        """The result of `so`, as soon as it is true; `within` so many seconds instead of its `patience`."""
        until = time.monotonic() + (within or self.patience)
        while True:
            # An element that was redrawn since it was found is looked for again.
            with contextlib.suppress(StaleElementReferenceException):
                if result := so():
                    return result
            assert time.monotonic() < until, f"waited for {what or so}; the page says: {self.text}"
            time.sleep(0.03)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str, within: float | None = None) -> WebElement:
        """Wait for the first matching element."""
        element: WebElement = self.wait(lambda: self.all(selector), selector, within)[0]
        return element

    def texts(self, selector: str) -> list[str]:
        """What stands in these elements."""
        script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText)"
        return list(self.driver.execute_script(script, selector))

    def tap(self, selector: str) -> None:
        """Tap the first matching element that can be tapped."""

        def tapped() -> bool:
            able = self.driver.execute_script(ABLE, selector)
            if able:
                able.click()
            return bool(able)

        self.wait(tapped, selector)

    def wear(self, theme: str) -> None:
        """Switch to the theme "dark" or "light"."""
        features = [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def speak(self, language: str) -> None:
        """Choose a language: pages that are opened from now on are in it."""
        self.driver.execute_script("localStorage.setItem('perudo-language', arguments[0])", language)

    @property
    def text(self) -> str:
        return str(self.driver.execute_script("return document.querySelector('#app, #board').innerText"))

    def misfits(self, *, sheets: bool = False) -> list[str]:
        """What does not fit a phone and a thumb; with `sheets` also sheets whose content is too wide."""
        return fits.misfits(self.driver, sheets=sheets)

    def too_wide(self) -> int:
        """The pixels by which the page is wider than the screen."""
        return fits.too_wide(self.driver)

    def elsewhere(self) -> list[str]:
        """Addresses of other hosts that the page has requested."""
        addresses = self.driver.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
        here = urljoin(self.url, "/")
        return [name for name in addresses if not name.startswith(here)]

    def picture(self, name: str) -> None:
        """Save a picture of what is shown, for a person to look at, if `PERUDO_PICTURES` names a folder."""
        if folder := os.environ.get("PERUDO_PICTURES"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.driver.save_screenshot(str(Path(folder) / f"{name}.png"))

    def expects(self, *lines: str) -> None:
        """Lines on the browser's console with one of these are no complaints: "status of 404"."""
        self._expected += lines

    def complaints(self) -> list[str]:
        """Other errors on the browser's console."""
        return [line for line in chromium.complaints(self.driver) if not any(each in line for each in self._expected)]
