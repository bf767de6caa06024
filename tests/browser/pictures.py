"""Pictures of the page and the score board in every state, in the dark and the light theme, at several sizes.

    python tests/browser/pictures.py FOLDER [SIZE or STATE or LOOK ...]

A fake table shows each state of `tests.fakes.states` in a real Chromium.
"""

from __future__ import annotations

import base64
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
from selenium import webdriver

from calibration.palette import SRGB
from tests.browser import chromium
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakePanel, FakeTable
from web import create_app
from web.access.access import Access, cookie
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
CODE = "1234"
SHEETS = {
    "die": ("checking", "[data-die='3']"),
    "closer": ("checking", ".tool.in", ".tool.in"),
    "add": ("checking", ".tool.add"),
    "hand": ("checking", ".checking .row .plain:last-child"),
    "calza": ("bidding", ".icon.menu", ".menu [data-item='calza']"),
    "others": ("bidding", ".icon.menu", ".menu [data-item='others']"),
    "menu": ("bidding-away", ".icon.menu"),
    "leave": ("bidding-away", ".icon.menu", ".menu [data-item='leave']"),
    "leaving": ("bidding-away", ".icon.menu", ".menu [data-item='leave']", ".menu .who"),
    "void": ("bidding", ".icon.menu", ".menu [data-item='void']"),
    "card": ("bidding", "button[data-about='Ana']"),
    "card-away": ("bidding-away", "button[data-about='Dorothea-Valentina']"),
    "newcomer": ("bidding-away", ".icon.menu", ".menu [data-item='join']"),
    "newcomer-later": ("bidding", ".icon.menu", ".menu [data-item='join']"),
    "whose-dice": ("bidding-away", ".icon.menu", ".menu [data-item='dice']"),
    "jump": ("bidding", "button[data-about='Cid']", ".sheet button[data-item='jump']", ".bids button[data-face='6']"),
    "too-low": ("bidding", ".bids button[data-face='6']", "button[data-step='-1']"),
    "end": ("bidding-away", ".icon.menu", ".menu [data-item='end']"),
    "game": ("bidding", ".icon.menu", ".menu [data-item='game']"),
    "seats": ("bidding", ".icon.menu", ".menu [data-item='game']", ".gameform .more"),
    "count": ("opening", ".talk"),
    "story": ("over", ".story"),
    "undo": ("verdict-wrong", ".undo"),
    "round": ("palifico", "button.rule"),
    "why": ("verdict-palifico", ".why"),
    "book": ("verdict-right", ".why", ".sheet [data-page='book']"),
    "shared": ("verdict-calza", ".why", ".sheet [data-page='shared']"),
    "settings": ("seating-again", ".icon.menu", ".menu [data-item='settings']"),
    "set-up": ("over-assigned", ".assigned .go"),
    "told": (
        "telling",
        ".telling [data-value='Dorothea-Valentina']",
        ".telling [data-face='2']",
        ".telling [data-step='1']",
    ),
}
"""Sheets: the state they are opened over, and the taps that open them."""
NOBODY, NO_SEAT, WATCHING, TABLET = "", "no seat", "watching", "table"
LOOKS = {
    "stranger": ("bidding", NOBODY),
    "watching": ("bidding", WATCHING),
    "join": ("bidding", NOBODY, ".pad .join", "button[data-digit='1']", "button[data-digit='9']"),
    "join-wrong": ("bidding", NOBODY, ".pad .join", *["button[data-digit='1']"] * 4),
    "join-slow": ("bidding", NOBODY, ".pad .join", *["button[data-digit='1']"] * 16),
    "who-are-you": ("opening", NO_SEAT),
    "who-sits": ("bidding", "Dorothea-Valentina", ".seatchip"),
    "hand": ("bidding", "Dorothea-Valentina", ".seatchip", "button[data-hand='Cid']"),
    "host": ("bidding", "Dorothea-Valentina", ".seatchip", ".who-are-you .link"),
    "not-yours": ("bidding", "Dorothea-Valentina"),
    "not-yours-why": ("bidding", "Dorothea-Valentina", ".callrow .dudo"),
    "for-another": ("bidding", "Dorothea-Valentina", ".pad .instead", ".bids button[data-face='5']"),
    "own-turn": ("opening", "Ana"),
    "tablet": ("bidding", TABLET),
    "turned": ("bidding", TABLET, ".turnround"),
    "lost": ("verdict-wrong", "Ben"),
    "palifico": ("verdict-palifico", "Cid"),
    "won": ("over", "Ana"),
    "out": ("verdict-out", "Cid"),
    "chosen": ("bidding", "Ben", ".bids button[data-face='4']"),
    "face-why": ("bidding", "Ben", ".bids button[data-face='3']"),
    "hold-early": ("bidding", "Ben", ".callrow .dudo"),
    "holding": ("bidding", "Ben", "hold .callrow .dudo"),
}
"""Looks of phones: the state, the owner (`NOBODY`: not joined), and the taps. Ana and Ben each have a phone, this one
or another."""
ENTER = (
    "new (arguments[0].startsWith('[') ? KeyboardEvent : MouseEvent)"
    "(arguments[0].startsWith('[') ? 'keydown' : 'click', {key: 'Enter', bubbles: true})"
)
DOWN = "new PointerEvent('pointerdown', {button: 0, pointerId: 1, width: 20, height: 20, bubbles: true})"
OVERLAPS = """
    const rect = (e) => e.getBoundingClientRect();
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const pictures = [...document.querySelectorAll(`${arguments[0]} svg.tilepicture, ${arguments[0]}.picture`)];
    return pictures.flatMap((picture) => {
      const badges = [...picture.querySelectorAll('.badge .tag')].filter((e) => e.getClientRects().length).map(rect);
      const dice = [...picture.querySelectorAll('.boxed .box')].map(rect);
      const others = (n) => badges.filter((_, other) => other !== n);
      return badges.flatMap((badge, n) => [...dice, ...others(n)].filter((other) => over(badge, other)).map((other) =>
        `${[badge.x, badge.y, badge.width]} covers ${[other.x, other.y, other.width]}`));
    })"""
"""The badges of a picture that lie over a die or over another badge."""
PIPS = {1: "c", 2: "ai", 3: "aci", 4: "agbi", 5: "agcbi", 6: "agbidf"}
SPOTS = {"a": (-1, -1), "b": (1, -1), "c": (0, 0), "d": (-1, 0), "f": (1, 0), "g": (-1, 1), "i": (1, 1)}


def table_picture() -> np.ndarray:
    """A drawing, BGR, of the table in the states, on which boxes can be seen to lie on dice."""
    image = np.full((960, 1280, 3), (52, 84, 40), np.uint8)
    image = np.clip(image + np.random.default_rng(1).normal(0, 6, image.shape), 0, 255).astype(np.uint8)
    for die in STATES["verdict-wrong"].reading.dice:
        x, y, w, h = map(int, die.box)
        red, green, blue = SRGB[die.colour]
        cv2.rectangle(image, (x + 4, y + 6), (x + w - 2, y + h), (20, 34, 18), -1)
        cv2.rectangle(image, (x + 2, y + 2), (x + w - 6, y + h - 6), (blue, green, red), -1)
        for spot in PIPS[die.face]:
            dx, dy = SPOTS[spot]
            centre = (x + w // 2 - 2 + dx * 13, y + h // 2 - 2 + dy * 13)
            cv2.circle(image, centre, 5 if die.face > 1 else 12, (235, 240, 240), -1 if die.face > 1 else 3)
    return image


def main(folder: Path, names: list[str]) -> None:
    """Take the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    table, camera = FakeTable(STATES["seating"]), FakeCamera()
    camera.image = table_picture()
    sizes = [size for size in SIZES if size in names] or list(SIZES)
    names = [name for name in names if name not in SIZES]
    with tempfile.TemporaryDirectory() as folder_name:
        cv2.imwrite(str(Path(folder_name) / "3.jpg"), camera.image)

        @contextlib.contextmanager
        def served() -> Iterator[tuple[str, Access]]:
            access = Access(code=CODE, rng=random.Random(1))
            app = create_app(table, access=access, panel=FakePanel(), camera=camera, pictures=Path(folder_name))
            with make_server(app, "127.0.0.1", 0) as server:
                yield server.url, access

        for size in sizes:
            with tempfile.TemporaryDirectory() as profile:
                driver = chromium.start(profile, SIZES[size])
                try:
                    for theme in ("dark", "light"):
                        prefix = f"{size}-{theme}"
                        wear(driver, theme)
                        with served() as (url, access):
                            if "board" in size:
                                driver.get(f"{url}board#join={CODE}")
                            else:
                                become(driver, url, access, "Ben")
                            take(driver, table, folder, prefix, names)
                            driver.get("about:blank")
                        for look, (state, seat, *taps) in LOOKS.items() if "board" not in size else ():
                            if not names or look in names:
                                table.show(STATES[state])
                                with served() as (url, access):
                                    become(driver, url, access, seat)
                                    tap(driver, *taps)
                                    driver.save_screenshot(str(folder / f"{look}-{prefix}.png"))
                                    driver.get("about:blank")
                finally:
                    driver.quit()


def wear(driver: webdriver.Chrome, theme: str) -> None:
    """Show everything in one theme, without motion."""
    features = {"prefers-color-scheme": theme, "prefers-reduced-motion": "reduce"}
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": name, "value": value} for name, value in features.items()]}
    )


def role_of(seat: str) -> tuple[str, ...]:
    """What a phone chooses for this seat: a role, and the player."""
    return (seat,) if seat in (WATCHING, TABLET) else ("player", seat)


def become(driver: webdriver.Chrome, url: str, access: Access, seat: str) -> None:
    """Open the page as the phone of `seat`. Ana and Ben have phones too."""
    driver.get(url)
    driver.delete_all_cookies()
    if seat != NOBODY:
        phone = access.phones.join()
        if seat != NO_SEAT:
            access.phones.sit(phone, *role_of(seat))
        driver.add_cookie({"name": cookie(str(urlsplit(url).port)), "value": access.token(phone)})
    for other in {"Ana", "Ben"} - {seat}:
        access.phones.sit(access.phones.join(), "player", other)
    driver.get(url)
    time.sleep(1.0)


def tap(driver: webdriver.Chrome, *selectors: str) -> None:
    """Tap these in order; "hold ..." presses without letting go."""
    for selector in selectors:
        if selector.startswith("hold "):
            script = f"document.querySelector(arguments[0]).dispatchEvent({DOWN})"
        else:
            script = f"document.querySelector(arguments[0]).dispatchEvent({ENTER})"
        driver.execute_script(script, selector.removeprefix("hold "))
        time.sleep(0.35)


def take(driver: webdriver.Chrome, table: FakeTable, folder: Path, prefix: str, names: list[str]) -> None:
    """Take every state in one theme: the screen, and the whole page if that is longer."""
    for name, state in STATES.items():
        if names and name not in names:
            continue
        table.show(state)
        time.sleep(0.6)
        driver.execute_script("window.scrollTo(0, 0)")
        for sheet, (shown_in, *selectors) in SHEETS.items():
            if shown_in == name and "board" not in prefix:
                tap(driver, *selectors)
                driver.save_screenshot(str(folder / f"{name}-{sheet}-{prefix}.png"))
                driver.execute_script("document.querySelectorAll('.icon.close').forEach(e => e.click())")
                time.sleep(0.2)
        driver.save_screenshot(str(folder / f"{name}-{prefix}.png"))
        tall = driver.execute_script("return document.documentElement.scrollHeight > innerHeight + 4")
        if tall and prefix.endswith("dark"):
            whole = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})

            (folder / f"{name}-{prefix}-whole.png").write_bytes(base64.b64decode(whole["data"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
