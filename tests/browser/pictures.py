"""Pictures of the page and the score board in every look, in the dark and the light theme, at several sizes.

python -m tests.browser.pictures FOLDER [SIZE or STATE or LOOK ...]
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

from tests.browser import chromium
from tests.browser.looks import COMPANY, LOOKS
from tests.browser.page import Page
from tests.browser.site import Site
from tests.fakes.states import STATES
from web.stream.server import make_server

SIZES = {
    "phone": chromium.PHONE,
    "small": (320, 568),
    "tablet": (820, 1180),
    "desk": chromium.DESK,
    "board": (1280, 720),
    "board-hd": (1920, 1080),
    "board-tablet": (1024, 768),
}


def main(folder: Path, names: list[str]) -> None:
    """Take the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = [size for size in SIZES if size in names] or list(SIZES)
    wanted = [name for name in names if name not in SIZES]
    for size in sizes:
        with tempfile.TemporaryDirectory() as pictures:
            driver = chromium.start(SIZES[size])
            site = Site(Path(pictures), lambda app: make_server(app, "127.0.0.1", 0), lambda *_, driver=driver: driver)
            try:
                for theme in ("dark", "light"):
                    site.restart()
                    board = "board" in size
                    page = Page(driver, f"{site.url}board#join=1234") if board else site.phone("Ben", company=COMPANY)
                    page.wear(theme)
                    _take_states(page, site, folder, f"{size}-{theme}", wanted)
                    for look, (state, seat, *taps) in () if board else LOOKS.items():
                        if not wanted or look in wanted:
                            site.restart()
                            site.table.show(STATES[state])
                            site.phone(seat, company=COMPANY).tap_each(*taps)
                            driver.save_screenshot(str(folder / f"{look}-{size}-{theme}.png"))
            finally:
                driver.quit()
                site.pull_the_plug()


def _take_states(page: Page, site: Site, folder: Path, suffix: str, wanted: list[str]) -> None:
    """Every state with its sheets: the screen, and the whole page if that is longer."""
    driver = page.driver
    for state in [name for name in STATES if not wanted or name in wanted]:
        site.show(page, state)
        for sheet in site.sheets(page, state) if "board" not in suffix else ():
            driver.save_screenshot(str(folder / f"{state}-{sheet}-{suffix}.png"))
        page.still()
        driver.save_screenshot(str(folder / f"{state}-{suffix}.png"))
        tall = driver.execute_script("return document.documentElement.scrollHeight > innerHeight + 4")
        if tall and suffix.endswith("dark"):
            whole = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
            (folder / f"{state}-{suffix}-whole.png").write_bytes(base64.b64decode(whole["data"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
