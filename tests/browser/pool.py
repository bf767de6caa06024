"""Browsers that one test after the other has: to start one takes longer than most tests do.

A browser is given on only when it is as good as new, but for the files of the page in its cache, which no build
changes. `wipe` takes away what a page left behind and takes back what `RESET` names; what is in `HARMLESS` leaves
nothing behind. A browser that was told anything else, or has a second window, is closed and another one started in its
place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from selenium import webdriver
from selenium.common.exceptions import WebDriverException

from tests.browser import chromium

Kind = tuple[tuple[int, int], int, bool]
"""The size of the page and of its letters, and whether it may register a service worker."""

HARMLESS: Final = frozenset({
    "Emulation.setDeviceMetricsOverride",
    "Input.dispatchTouchEvent",
    "Input.synthesizeTapGesture",
    "Network.clearBrowserCookies",
    "Network.clearBrowserCache",
    "Page.captureScreenshot",
    "Page.removeScriptToEvaluateOnNewDocument",
    "Storage.clearDataForOrigin",
})  # fmt: skip
RESET: Final[Mapping[str, dict[str, Any]]] = {
    "Emulation.setEmulatedMedia": {"media": "", "features": []},
    "Emulation.setTouchEmulationEnabled": {"enabled": False},
    "Emulation.setUserAgentOverride": {"userAgent": ""},
}
"""A command -> the arguments with which it takes itself back."""
_ADD_SCRIPT: Final = "Page.addScriptToEvaluateOnNewDocument"


@dataclass
class _Use:
    """What a browser was started as, and what it was told since it was as good as new."""

    kind: Kind
    commands: set[str] = field(default_factory=set)
    scripts: set[str] = field(default_factory=set)
    """Those that run in every new page, by what the browser calls them."""


class Pool:
    """Opens browsers and keeps them for the next who wants one of the same kind."""

    def __init__(self, folder: Path) -> None:
        """Every browser has a profile of its own in `folder`."""
        self._folder = folder
        self._idle: dict[Kind, list[webdriver.Chrome]] = {}
        self._uses: dict[webdriver.Chrome, _Use] = {}
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
            self.wipe(driver)
            use = self._uses[driver]
            if use.commands <= HARMLESS and len(driver.window_handles) == 1:
                self._idle[use.kind].append(driver)
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
        use = self._uses[driver] = _Use((size, font, worker))
        send = driver.execute_cdp_cmd

        def noted(command: str, arguments: dict[str, Any]) -> Any:
            use.commands.add(command)
            answer = send(command, arguments)
            if command == _ADD_SCRIPT:
                use.scripts.add(answer["identifier"])
            return answer

        driver.execute_cdp_cmd = noted  # type: ignore[method-assign]
        return driver

    def wipe(self, driver: webdriver.Chrome) -> None:
        """Make a browser forget its pages, and what they kept."""
        use = self._uses[driver]
        driver.get("about:blank")
        driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        size, _, worker = use.kind
        if worker:  # its tests are about what a browser keeps
            driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        for command in use.commands & RESET.keys():
            driver.execute_cdp_cmd(command, RESET[command])
        for script in use.scripts:
            driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        use.scripts.clear()
        use.commands -= {*RESET, _ADD_SCRIPT}
        chromium.resize(driver, size)
        driver.get_log("browser")
