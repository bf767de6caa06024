"""The README's picture: the running demo on three phones, at the bid, at the cups and at the verdict.

python -m tests.browser.readme_picture docs/page.png
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from tests.browser import chromium

SEED = 7
BIDS = ((3, 4), (2, 1), (6, 5))
"""Count and face."""
GAP = 24
LONGEST = 60.0
"""Seconds to wait for a verdict."""


def shot(driver: webdriver.Chrome) -> np.ndarray:
    """What the browser shows, BGR."""
    data = np.frombuffer(driver.get_screenshot_as_png(), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


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


def play(url: str, code: str, driver: webdriver.Chrome) -> list[np.ndarray]:
    """Three bids, the phone's dudo, and the pictures on the way."""
    program = Program(url, code)
    state = program.ask("state")
    names = [player["name"] for player in state["players"]]
    caller = names[(names.index(state["turn"]) + len(BIDS)) % len(names)]
    driver.implicitly_wait(10)
    driver.get(f"{url}#join={code}")
    driver.find_element(By.CSS_SELECTOR, f".who-are-you [data-seat='{caller}']").click()
    for count, face in BIDS:
        state = program.ask("state")
        bid = {"player": state["turn"], "count": count, "face": face}
        program.ask("bid", bid, state["version"])
    time.sleep(1.5)
    pictures = [shot(driver)]
    ActionChains(driver).click_and_hold(driver.find_element(By.CSS_SELECTOR, ".call.dudo")).pause(1).release().perform()
    driver.find_element(By.CSS_SELECTOR, ".live.seen")  # the cups in the camera picture
    time.sleep(0.3)
    pictures.append(shot(driver))
    until = time.monotonic() + LONGEST
    while program.ask("state")["phase"] != "verdict":
        if time.monotonic() > until:
            raise TimeoutError("no verdict: look at the demo")
        time.sleep(0.2)
    time.sleep(3.0)
    pictures.append(shot(driver))
    return pictures


def main(out: Path) -> None:
    """Start the demo, play, and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "companion.cli", "demo", "--host", "127.0.0.1", "--port", "0"]
        command += ["--seed", str(SEED), "--state", str(Path(folder) / "state")]
        demo = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert demo.stdout is not None
            url = demo.stdout.readline().strip()
            code = demo.stdout.readline().strip().removeprefix("Table code: ")
            driver = chromium.start(Path(folder) / "profile", (360, 740))
            try:
                pictures = play(url, code, driver)
            finally:
                driver.quit()
        finally:
            demo.terminate()
            demo.communicate(timeout=15)
    edged = [cv2.copyMakeBorder(p, GAP, GAP, GAP, 0, cv2.BORDER_CONSTANT, value=(58, 56, 54)) for p in pictures]
    whole = cv2.copyMakeBorder(np.hstack(edged), 0, 0, 0, GAP, cv2.BORDER_CONSTANT, value=(58, 56, 54))
    small = cv2.resize(whole, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(out), small, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
