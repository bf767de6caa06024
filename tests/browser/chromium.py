"""Debian's Chromium, headless, as a phone or a desk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selenium import webdriver

from tests.wait import WAIT_PATIENCE

BROWSER = Path("/usr/bin/chromium")
SHELL = Path("/usr/bin/chromium-headless-shell")
"""The same without windows, which needs less of the processor. Raspberry Pi OS has none."""
DRIVER = Path("/usr/bin/chromedriver")
PHONE = (360, 640)
DESK = (1280, 720)
FONT = 16

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page that seems to be hidden draws no frames, and its timers wait.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--hide-scrollbars",
    "--force-prefers-reduced-motion",
    "--no-proxy-server",
    "--host-resolver-rules=MAP *.local 127.0.0.1",  # the name of the box, which no other host answers to
    # One process for the pages of all tests: starting one for each takes as long as loading the page.
    "--process-per-site",
    "--disable-site-isolation-trials",
    "--disable-features=SpareRendererForSitePerProcess,BackForwardCache,IsolateOrigins,site-per-process,"
    # Hidden pages of the address bar, which take half the time of a start.
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
)
NO_WORKER = "delete Navigator.prototype.serviceWorker"
"""Runs in every page that should not cache its shell: fetching it takes longer than many tests."""
FIRST_VISIT = "document.fonts.load = () => new Promise(() => {})"
"""Runs in the same pages: a phone's first visit, however long the test takes. Debian's own letters are wide ones."""


def start(
    size: tuple[int, int] = PHONE,
    font: int = FONT,
    *,
    worker: bool = False,
    whole: bool = False,
    flags: tuple[str, ...] = (),
) -> webdriver.Chrome:
    """A browser with a new profile, whose page has `size` CSS pixels.

    `font` is the font size in pixels that the user has set in the browser; `worker`, whether a page may register a
    service worker, and load the font for its next visit; `whole`, whether it must be more than `SHELL`, which has no
    tabs that sleep and knows no certificates of its user; `flags` are more of its command line.
    """
    options = webdriver.ChromeOptions()
    options.binary_location = str(SHELL if SHELL.exists() and not whole else BROWSER)
    for flag in (*FLAGS, f"--blink-settings=defaultFontSize={font}", *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    driver.set_script_timeout(2 * WAIT_PATIENCE)  # the scripts themselves give up before
    if not worker:
        for script in (NO_WORKER, FIRST_VISIT):
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    resize(driver, size)
    return driver


def complaints(driver: webdriver.Chrome) -> list[str]:
    """Errors on the browser's console, but for a live picture that was asked for just when the cups came down."""
    lines = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    return [line for line in lines if not ("/frame.jpg" in line and "status of 403" in line)]


def is_phone(size: tuple[int, int]) -> bool:
    """Whether a page of this size is a phone's. No browser is both: touches are not heard for a while after that."""
    return size[0] < 800


def resize(driver: webdriver.Chrome, size: tuple[int, int]) -> None:
    """Give the page another size in CSS pixels, and its screen too: `screen.width` is what was asked for."""
    width, height = size
    phone = is_phone(size)
    metrics: dict[str, Any] = {"width": width, "height": height, "deviceScaleFactor": 1.5 if phone else 1}
    metrics |= {"screenWidth": width, "screenHeight": height}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**metrics, "mobile": phone})
