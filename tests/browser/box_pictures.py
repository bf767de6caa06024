"""Pictures of the box's page for docs: a card to print, choosing the Wi-Fi, the camera and the buttons on a phone.

python -m tests.browser.box_pictures
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
from selenium import webdriver

from companion.box.restart import Restart
from companion.cli.cards import page
from companion.config.settings_file import SettingsFile
from companion.features.camera.service import CameraSetup
from companion.features.wifi.own_network import OwnNetwork
from companion.features.wifi.service import Wifi
from hardware.camera.protocol import Image
from tests.browser import chromium
from tests.browser.box_page import BoxPage
from tests.browser.sheet_table import thrown
from tests.fakes.button_box import ButtonBox
from tests.fakes.networks import FakeNetworks
from tests.fakes.parts import box_parts
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakeTable
from vision.drawn.table_scene import TableScene, render_table
from web.access.access import Access
from web.app import create_app
from web.stream.server import make_server

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
OWN = OwnNetwork("Perudo-1A2B", "kmnpqrst23")
PHONE = (360, 640)


REST = """
    const done = arguments[0];
    document.fonts.ready.then(() => Promise.all(document.getAnimations().map((each) => each.finished))).then(done);"""
"""Done once nothing moves any more."""
CORNERS = """
    const box = document.querySelector(arguments[0]).getBoundingClientRect();
    return [box.left, box.top, box.right, box.bottom].map((each) => each * devicePixelRatio);"""
PHONE_CAMERA = "http://192.168.1.20:8080/video"


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        driver = chromium.start()
        try:
            card(driver, Path(folder))
            chromium.resize(driver, PHONE)
            choosing_wifi(driver)
            choosing_devices(driver, Path(folder))
        finally:
            driver.quit()


def card(driver: webdriver.Chrome, folder: Path) -> None:
    cards = folder / "cards.html"
    cards.write_text(page(1, "http://perudo.local/", "4711", OWN), encoding="utf-8")
    chromium.resize(driver, (1280, 720))
    driver.get(cards.as_uri())
    driver.execute_script("document.body.style.zoom = 1.5")
    save("card.png", screen(driver, ".card"))


def choosing_wifi(driver: webdriver.Chrome) -> None:
    networks = FakeNetworks()
    networks.around = {"Home": "achtung1", "Café du Port": "", "Upstairs": "achtung2"}
    wifi = Wifi(networks, OWN, in_use=lambda: True)
    wifi.step()  # it looks around before its own network is open
    wifi.open_own()
    wifi.step()
    app = create_app(box_parts(FakeTable(STATES["seating"]), access=Access(code="4711"), wifi=wifi))
    with make_server(app, "127.0.0.1", 0) as server:
        phone = BoxPage(driver, server.url)
        phone.load("box")
        phone.one(".network")
        save("wifi.png", screen(driver))


def choosing_devices(driver: webdriver.Chrome, folder: Path) -> None:
    """An old phone on a stand, and two big buttons."""
    camera = FakeCamera()
    camera.image = render_table(TableScene(thrown()), (1280, 720))
    settings = SettingsFile(folder / "perudo.toml")
    cameras = CameraSetup(None, lambda _: camera, settings, Restart(), found=lambda: {"pi": ""})
    with closing(ButtonBox(folder)) as box:
        app = create_app(
            box_parts(
                FakeTable(STATES["seating"]), access=Access(code="4711"), camera_setup=cameras, buttons=box.open()
            )
        )
        with make_server(app, "127.0.0.1", 0) as server:
            phone = BoxPage(driver, server.url)
            phone.load("box#join=4711")
            phone.open_sheet("othercamera")
            phone.write(".sheet input", PHONE_CAMERA)
            named = screen(driver, ".sheet")
            phone.tap("button.tryaddress")
            phone.wait(
                lambda: driver.execute_script("return document.querySelector('.seen')?.naturalWidth"), "a picture"
            )
            save("camera.webp", beside(named, screen(driver, ".sheet")))
            phone.tap(".sheet > header .icon")
            phone.tap("button.learn")
            box.hears("key for DUDO")
            phone.ask()
            asked = screen(driver, ".card.buttons")
            box.tap(box.new)
            box.hears("key for CALZA")
            box.tap(box.old)
            box.ends()
            phone.ask()
            save("buttons.webp", beside(asked, screen(driver, ".card.buttons")))


def screen(driver: webdriver.Chrome, part: str = "body") -> Image:
    """What the phone shows of an element, once its sheets and fonts have come to rest."""
    driver.execute_async_script(REST)
    picture = cv2.imdecode(np.frombuffer(driver.get_screenshot_as_png(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    left, top, right, bottom = map(int, driver.execute_script(CORNERS, part))
    return np.asarray(picture[max(0, top) : bottom, max(0, left) : right], np.uint8)


def beside(*pictures: Image) -> Image:
    """Pictures beside each other, on white."""
    height = max(len(each) for each in pictures)
    padded = [
        cv2.copyMakeBorder(each, 0, height - len(each), 12, 12, cv2.BORDER_CONSTANT, value=(255, 255, 255))
        for each in pictures
    ]
    return np.asarray(np.hstack(padded), np.uint8)


def save(name: str, picture: Image) -> None:
    quality = [cv2.IMWRITE_PNG_COMPRESSION, 9] if name.endswith(".png") else [cv2.IMWRITE_WEBP_QUALITY, 60]
    cv2.imwrite(str(PICTURES / name), picture, quality)


if __name__ == "__main__":
    main()
