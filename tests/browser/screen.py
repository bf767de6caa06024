"""A browser, driven as its user would."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.browser import chromium, fits
from tests.wait import wait_until

TAPPED_AT = """
    const [selector, done] = arguments;
    const place = () => {
      const able = [...document.querySelectorAll(selector)].find((element) => !element.matches(":disabled"));
      if (!able) return null;
      for (let each = able; each; each = each.parentNode) each._since = 0; // as if it had been looked at first
      able.scrollIntoView({block: 'center', behavior: 'instant'});
      const [box] = able.getClientRects();
      if (!box) return null;
      const at = [box.x + box.width / 2, box.y + box.height / 2];
      return able.contains(document.elementFromPoint(...at)) ? at : null;
    };
    requestAnimationFrame(() => { // what has changed is drawn
      const before = place();
      requestAnimationFrame(() => done(before && String(place()) === String(before) ? before : null));
    });"""
"""Where a finger taps the first matching element that can be tapped, in view, at rest and covered by nothing. It is not
too new for a tap (`core/dom.js`).
"""

ALL = "return [...document.querySelectorAll(arguments[0])]"
"""A fifth of the time that the driver's own search takes."""


class Screen:
    """A browser that shows a page of the box or of the lobby at `url`."""

    def __init__(self, driver: webdriver.Chrome, url: str) -> None:
        self.driver = driver
        self.url = url
        self._expected: list[str] = []

    def wait(self, so: Callable[[], Any], what: str = "") -> Any:
        """The result of `so`, as soon as it is true."""

        def result() -> Any:
            # An element that was redrawn since it was found is looked for again.
            with contextlib.suppress(StaleElementReferenceException):
                return so()

        return wait_until(result, lambda: f"{what or so}; the page says: {self.text}")

    def all(self, selector: str) -> list[WebElement]:
        found: list[WebElement] = self.driver.execute_script(ALL, selector)
        return found

    def one(self, selector: str) -> WebElement:
        """Wait for the first matching element."""
        element: WebElement = self.wait(lambda: self.all(selector), selector)[0]
        return element

    def texts(self, selector: str) -> list[str]:
        """What stands in these elements."""
        script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText)"
        return list(self.driver.execute_script(script, selector))

    def tap(self, selector: str) -> None:
        """Tap the first matching element that can be tapped."""

        x, y = self.wait(lambda: self.driver.execute_async_script(TAPPED_AT, selector), selector)
        for kind in ("mousePressed", "mouseReleased"):  # a third of the time of the driver's own click
            event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def write(self, selector: str, text: str) -> None:
        """Type `text` over what stands in a field."""
        # By keys: the page hears of no `clear()`, and puts back what stood there when it is drawn next.
        self.one(selector).send_keys(Keys.CONTROL, "a", Keys.NULL, text or Keys.DELETE)

    def wear(self, theme: str) -> None:
        """Switch to the theme "dark" or "light": the browser prefers it, and it is chosen, as a table is green."""
        features = [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.execute_script("dispatchEvent(new CustomEvent('perudo-theme', { detail: arguments[0] }))", theme)
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")  # it hears

    def speak(self, language: str) -> None:
        """Choose a language: pages that are opened from now on are in it."""
        self.driver.execute_script("localStorage.setItem('perudo-language', arguments[0])", language)

    @property
    def text(self) -> str:
        return str(self.driver.execute_script("return document.querySelector('#app, #board').innerText"))

    def wait_for_fonts(self) -> None:
        """Wait until the text on the screen has its own font, whose widths are other than the system's."""
        self.driver.execute_async_script("document.fonts.ready.then(() => arguments[0]())")

    def misfits(self) -> list[str]:
        """What does not fit a phone and a thumb."""
        self.wait_for_fonts()
        return list(self.driver.execute_script(fits.MISFITS))

    def too_wide(self) -> list[str]:
        """What is wider than the screen, or than its sheet."""
        self.wait_for_fonts()
        return list(self.driver.execute_script(fits.TOO_WIDE))

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
