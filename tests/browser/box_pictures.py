"""The pictures of docs/first-evening.md: a card to print, and choosing the Wi-Fi on a phone.

python -m tests.browser.box_pictures
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import cv2

from companion.box.wifi.own_network import OwnNetwork
from companion.box.wifi.wifi import Wifi
from companion.cli.cards import page
from tests.browser import chromium
from tests.fakes.networks import FakeNetworks
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.access.access import Access
from web.app import create_app
from web.parts import Parts
from web.stream.server import make_server

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
OWN = OwnNetwork("Perudo-1A2B", "kmnpqrst23")
PHONE = (360, 640)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    networks = FakeNetworks()
    networks.around = {"Home": "achtung1", "Café du Port": "", "Upstairs": "achtung2"}
    wifi = Wifi(networks, OWN, in_use=lambda: True)
    wifi.open_own()
    wifi.step()
    app = create_app(Parts(FakeTable(STATES["seating"]), access=Access(code="4711"), wifi=wifi))
    with tempfile.TemporaryDirectory() as folder, make_server(app, "127.0.0.1", 0) as server:
        driver = chromium.start(Path(folder) / "profile")
        try:
            cards = Path(folder) / "cards.html"
            cards.write_text(page(1, "http://perudo.local/", "4711", OWN), encoding="utf-8")
            chromium.resize(driver, (460, 400))
            driver.get(cards.as_uri())
            save(driver.get_screenshot_as_png(), "card.png", driver.execute_script(
                "const r = document.querySelector('.card').getBoundingClientRect();"
                "return [r.left, r.top, r.right, r.bottom].map((each) => each * devicePixelRatio)"
            ))  # fmt: skip
            chromium.resize(driver, PHONE)
            driver.get(f"{server.url}box")
            until = time.monotonic() + 10
            while not driver.find_elements("css selector", ".network") and time.monotonic() < until:
                time.sleep(0.1)
            save(driver.get_screenshot_as_png(), "wifi.png")
        finally:
            driver.quit()


def save(png: bytes, name: str, box: list[float] | None = None) -> None:
    """Write a picture; `box` is the part of it in pixels: left, top, right, bottom."""
    import numpy as np

    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    if box is not None:
        left, top, right, bottom = map(int, box)
        picture = picture[top:bottom, left:right]
    cv2.imwrite(str(PICTURES / name), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main()
