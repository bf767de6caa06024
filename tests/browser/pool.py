"""Browsers that one test after the other has: to start one takes longer than most tests do.

A browser is given on only when it is as good as new. What is in `HARMLESS` leaves nothing behind that `wiped` does not
take away; a browser that was told anything else, or has a second window, is closed and another one started in its
place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from selenium import webdriver
from selenium.common.exceptions import WebDriverException

from tests.browser import chromium

Kind = tuple[tuple[int, int], int, bool]
"""The size of the page and of its letters, and whether it may register a service worker."""

HARMLESS: Final = frozenset({
    "Emulation.setDeviceMetricsOverride",
    "Emulation.setEmulatedMedia",
    "Input.dispatchTouchEvent",
    "Input.synthesizeTapGesture",
    "Network.clearBrowserCookies",
    "Network.clearBrowserCache",
    "Page.captureScreenshot",
    "Storage.clearDataForOrigin",
})  # fmt: skip


class Pool:
    """Opens browsers and keeps them for the next who wants one of the same kind."""

    def __init__(self, folder: Path) -> None:
        """Every browser has a profile of its own in `folder`."""
        self._folder = folder
        self._idle: dict[Kind, list[webdriver.Chrome]] = {}
        self._kinds: dict[webdriver.Chrome, Kind] = {}
        self._told: dict[webdriver.Chrome, set[str]] = {}
        self._started = 0

    def take(
        self, size: tuple[int, int] = chromium.PHONE, font: int = chromium.FONT, *, worker: bool = False
    ) -> webdriver.Chrome:
        """A browser that nobody has, as good as new."""
        idle = self._idle.setdefault((size, font, worker), [])
        return idle.pop() if idle else self._start(size, font, worker)

    def give_back(self, driver: webdriver.Chrome) -> None:
        """Keep it for the next, or close it."""
        try:
            if self._told[driver] <= HARMLESS and len(driver.window_handles) == 1:
                self._wipe(driver)
                self._idle[self._kinds[driver]].append(driver)
                return
        except WebDriverException:
            pass  # it crashed, or its page cannot be left: the next one gets another
        driver.quit()

    def close(self) -> None:
        """Close those that nobody has."""
        for idle in self._idle.values():
            while idle:
                idle.pop().quit()

    def _start(self, size: tuple[int, int], font: int, worker: bool) -> webdriver.Chrome:
        self._started += 1
        driver = chromium.start(self._folder / f"profile-{self._started}", size, font, worker=worker)
        told: set[str] = set()
        send = driver.execute_cdp_cmd

        def noted(command: str, arguments: dict[str, Any]) -> Any:
            told.add(command)
            return send(command, arguments)

        driver.execute_cdp_cmd = noted  # type: ignore[method-assign]
        self._kinds[driver], self._told[driver] = (size, font, worker), told
        return driver

    def _wipe(self, driver: webdriver.Chrome) -> None:
        driver.get("about:blank")
        driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
        chromium.resize(driver, self._kinds[driver][0])
        driver.get_log("browser")
