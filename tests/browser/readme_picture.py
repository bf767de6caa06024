"""The README's moving picture: a round of the running demo on the board and on the phone of who calls.

python -m tests.browser.readme_picture docs/round.webp
"""

from __future__ import annotations

import io
import json
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from tests.browser import chromium

SEED = 7
BIDS = ((3, 4), (2, 1), (6, 5))
"""Count and face."""
PHONE, BOARD = (360, 740), (1280, 720)
SIZE = (1280, 720)
"""Of the whole picture, in pixels."""
GAP = 28
GROUND = (54, 56, 58)
QUALITY = 82
LARGEST = 3_000_000
"""Bytes."""
LONGEST = 60.0
"""Seconds to wait for a verdict."""

SLOWLY = 0.1
"""The speed at which the pages move while they are recorded: pictures of them take their time."""
PREPARED = f"""
    if (location.protocol === 'http:') localStorage.setItem('perudo-font', 'figtree');
    const later = window.setTimeout;
    window.setTimeout = (then, delay, ...given) => later(then, delay > 2000 ? delay / {SLOWLY} : delay, ...given);"""
"""A phone that has been here before has the font. What comes seconds after a verdict comes as much later as the verdict
takes longer."""

READ, HELD, CUPS, VERDICT = 1.3, 0.6, 2.6, 4.5
"""Seconds for a bid, for holding DUDO, for the cups, and for the verdict once nothing moves."""
SHOW = 2.7
"""Seconds that a verdict's show lasts."""


class Program:
    """A program that has joined the table, and plays for those without a phone."""

    def __init__(self, url: str, code: str) -> None:
        self._url = url
        self._token = ""
        self._token = self.ask("join", {"code": code})["token"]

    def ask(self, path: str, body: dict[str, Any] | None = None, version: int = 0) -> dict[str, Any]:
        """One request of the API; a change is made on the state of `version`."""
        headers = {"Content-Type": "application/json"}
        if body is not None:
            headers |= {"Idempotency-Key": secrets.token_hex(8), "X-Perudo-Version": str(version)}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self._url}api/v1/{path}", data, headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            content: dict[str, Any] = json.load(answer)
            return content


class Film:
    """What the board and a phone show, frame by frame."""

    def __init__(self, board: webdriver.Chrome, phone: webdriver.Chrome) -> None:
        self._board, self._phone = board, phone
        self.frames: list[Image.Image] = []
        self.milliseconds: list[int] = []

    def still(self, seconds: float) -> None:
        """One frame, shown for so long."""
        frame = self._frame()
        if self.frames and frame.tobytes() == self.frames[-1].tobytes():
            self.milliseconds[-1] += round(1000 * seconds)
        else:
            self.frames.append(frame)
            self.milliseconds.append(round(1000 * seconds))

    def moving(self, seconds: float, going: Callable[[], bool]) -> None:
        """As many frames as can be had while it is `going`, shown within so many seconds."""
        taken = [self._frame()]
        while going():
            taken.append(self._frame())
        self.frames += taken
        self.milliseconds += [round(1000 * seconds / len(taken))] * len(taken)

    def save(self, out: Path) -> None:
        """Write the picture. Raises `ValueError` if it is larger than a README's may be."""
        first, *others = self.frames
        first.save(
            out, save_all=True, append_images=others, duration=self.milliseconds, loop=0, quality=QUALITY, method=6
        )
        size, seconds = out.stat().st_size, sum(self.milliseconds) / 1000
        print(f"{out}: {size / 1e6:.2f} MB, {len(self.frames)} frames, {seconds:.1f} s")
        if size > LARGEST:
            raise ValueError(f"{size} bytes; {LARGEST} at most")

    def _frame(self) -> Image.Image:
        canvas = Image.new("RGB", SIZE, GROUND)
        high = SIZE[1] - 2 * GAP
        phone = _shot(self._phone, (round(high * PHONE[0] / PHONE[1]), high))
        wide = SIZE[0] - 3 * GAP - phone.width
        board = _shot(self._board, (wide, round(wide * BOARD[1] / BOARD[0])))
        canvas.paste(board, (GAP, (SIZE[1] - board.height) // 2))
        canvas.paste(phone, (SIZE[0] - GAP - phone.width, GAP))
        return canvas


def _shot(driver: webdriver.Chrome, size: tuple[int, int]) -> Image.Image:
    shown = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    return shown.resize(size, Image.Resampling.LANCZOS)


def _until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + LONGEST
    while not true():
        if time.monotonic() > until:
            raise TimeoutError("it did not come: look at the demo")
        time.sleep(0.1)


def play(url: str, code: str, board: webdriver.Chrome, phone: webdriver.Chrome) -> Film:
    """Three bids, the phone's dudo, the cups and the verdict."""
    program = Program(url, code)
    state = program.ask("state")
    names = [player["name"] for player in state["players"]]
    caller = names[(names.index(state["turn"]) + len(BIDS)) % len(names)]
    phone.get(f"{url}#join={code}")
    phone.find_element(By.CSS_SELECTOR, ".firstscreen [data-item='who']").click()
    phone.find_element(By.CSS_SELECTOR, f".who-are-you [data-seat='{caller}']").click()
    board.get(f"{url}board")
    board.find_element(By.CSS_SELECTOR, ".b-turn")
    film = Film(board, phone)

    def drawn() -> bool:
        version = str(program.ask("state")["version"])
        shown = "return document.querySelector('main').dataset.version === arguments[0]"
        return all(driver.execute_script(shown, version) for driver in (board, phone))

    time.sleep(3.0)  # the views of a reveal are loaded, and the greeting is gone
    film.still(READ)
    for count, face in BIDS:
        state = program.ask("state")
        program.ask("bid", {"player": state["turn"], "count": count, "face": face}, state["version"])
        _until(drawn)
        time.sleep(0.5)
        film.still(READ)
    dudo = phone.find_element(By.CSS_SELECTOR, ".call.dudo")
    ActionChains(phone).click_and_hold(dudo).perform()
    film.moving(HELD, lambda: program.ask("state")["phase"] == "bidding")
    ActionChains(phone).release().perform()
    for driver in (board, phone):
        driver.execute_cdp_cmd("Animation.enable", {})
        driver.execute_cdp_cmd("Animation.setPlaybackRate", {"playbackRate": SLOWLY})
    film.moving(CUPS, lambda: program.ask("state")["phase"] != "verdict")
    over = time.monotonic() + SHOW / SLOWLY
    film.moving(SHOW, lambda: time.monotonic() < over)
    film.still(VERDICT)
    return film


@contextmanager
def demo(folder: Path) -> Iterator[tuple[str, str]]:
    """A running demo that keeps its state in `folder`: its address and code."""
    command = [sys.executable, "-m", "companion.cli", "demo", "--host", "127.0.0.1", "--port", "0"]
    command += ["--seed", str(SEED), "--state", str(folder / "state")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process.stdout.readline().strip().removeprefix("Table code: ")
    finally:
        process.terminate()
        process.communicate(timeout=15)


def main(out: Path) -> None:
    """Start the demo, play, and write the picture."""
    wanted = {"prefers-reduced-motion": "no-preference", "prefers-color-scheme": "dark"}
    media = {"features": [{"name": name, "value": value} for name, value in wanted.items()]}
    with tempfile.TemporaryDirectory() as name, demo(Path(name)) as (url, code):
        drivers: list[webdriver.Chrome] = []
        try:
            for size in (BOARD, PHONE):
                drivers.append(chromium.start(size))
                drivers[-1].implicitly_wait(10)
                drivers[-1].execute_cdp_cmd("Emulation.setEmulatedMedia", media)
                drivers[-1].execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": PREPARED})
            play(url, code, *drivers).save(out)
        finally:
            for driver in drivers:
                driver.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
