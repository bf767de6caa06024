"""Browsers that tests share one after another, since starting one takes longer than most tests.

A browser is reused only in its original state, except for the cached files of the page, which no test changes. `wipe`
removes what a page left behind and reverts the commands in `RESET`; those in `HARMLESS` leave nothing behind. A browser
that got any other command, or has a second window, is closed and replaced by a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from selenium import webdriver
from selenium.common.exceptions import WebDriverException

from tests.browser import chromium

Kind = tuple[bool, int, bool, bool]
"""Whether a browser is a phone's, its font size, whether its pages may register a service worker, and whether it is
more than `chromium.SHELL`.
"""

HARMLESS: Final = frozenset({
    "Emulation.setDeviceMetricsOverride",
    "Input.dispatchMouseEvent",
    "Input.dispatchTouchEvent",
    "Input.synthesizeTapGesture",
    "Network.clearBrowserCookies",
    "Network.clearBrowserCache",
    "Network.enable",
    "Network.setCookie",
    "Page.captureScreenshot",
    "Page.removeScriptToEvaluateOnNewDocument",
    "Page.resetNavigationHistory",
    "Storage.clearDataForOrigin",
})  # fmt: skip
RESET: Final[Mapping[str, dict[str, Any]]] = {
    "Emulation.setEmulatedMedia": {"media": "", "features": []},
    "Emulation.setTouchEmulationEnabled": {"enabled": False},
    "Emulation.setUserAgentOverride": {"userAgent": ""},
    "Network.setBlockedURLs": {"urls": []},
}
"""A command -> the arguments that revert it."""
_ADD_SCRIPT: Final = "Page.addScriptToEvaluateOnNewDocument"


@dataclass
class _Use:
    """The kind of a browser, and the commands it got since it was last reset."""

    kind: Kind
    commands: set[str] = field(default_factory=set)
    scripts: set[str] = field(default_factory=set)
    """Identifiers of the scripts that run in every new page."""


class Pool:
    """Opens browsers, and keeps them for the next test that needs one of the same kind."""

    def __init__(self) -> None:
        self._idle: dict[Kind, list[webdriver.Chrome]] = {}
        self._uses: dict[webdriver.Chrome, _Use] = {}

    def take(
        self,
        size: tuple[int, int] = chromium.PHONE,
        font: int = chromium.FONT,
        *,
        worker: bool = False,
        whole: bool = False,
    ) -> webdriver.Chrome:
        """A free browser in its original state."""
        kind = chromium.is_phone(size), font, worker, whole
        idle = self._idle.setdefault(kind, [])
        if not idle:
            return self._start(size, kind)
        driver = idle.pop()
        chromium.resize(driver, size)
        return driver

    def give_back(self, driver: webdriver.Chrome) -> None:
        """Keep it for the next, or close it."""
        try:
            self.wipe(driver)
            use = self._uses[driver]
            if use.commands <= HARMLESS and len(driver.window_handles) == 1:
                self._idle[use.kind].append(driver)
                return
        except WebDriverException:
            pass  # it crashed, or its page cannot be left
        driver.quit()

    def close(self) -> None:
        """Close the free browsers."""
        for idle in self._idle.values():
            while idle:
                idle.pop().quit()

    def _start(self, size: tuple[int, int], kind: Kind) -> webdriver.Chrome:
        _, font, worker, whole = kind
        driver = chromium.start(size, font, worker=worker, whole=whole)
        use = self._uses[driver] = _Use(kind)
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
        """Remove the pages of a browser and everything they stored."""
        use = self._uses[driver]
        driver.get("about:blank")
        driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        if use.kind[2]:  # its tests are about what a browser stores
            driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        for command in use.commands & RESET.keys():
            driver.execute_cdp_cmd(command, RESET[command])
        for script in use.scripts:
            driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        use.scripts.clear()
        use.commands -= {*RESET, _ADD_SCRIPT}
        driver.get_log("browser")
