"""The README's picture: the running demo on three phones, at the bid, at the cups and at the verdict.

python tests/browser/readme_picture.py docs/page.png
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import chromium
import cv2
import numpy as np
from selenium import webdriver

SEED = 7
GAP = 24
LONGEST = 60.0
"""Seconds to wait for a verdict."""


def shot(driver: webdriver.Chrome) -> np.ndarray:
    """What the browser shows, BGR."""
    data = np.frombuffer(driver.get_screenshot_as_png(), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


def ask(url: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """One request of the API."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        state: dict[str, Any] = json.load(answer)
        return state


def play(url: str, driver: webdriver.Chrome) -> list[np.ndarray]:
    """Three bids, dudo, and the pictures on the way."""
    for count, face in ((3, 4), (2, 1), (6, 5)):
        state = ask(url, "api/v1/state")
        ask(url, "api/v1/bid", {"player": state["turn"], "count": count, "face": face})
    driver.get(url)
    time.sleep(1.5)
    pictures = [shot(driver)]
    ask(url, "api/v1/dudo", {})
    time.sleep(1.2)
    pictures.append(shot(driver))
    until = time.monotonic() + LONGEST
    while ask(url, "api/v1/state")["phase"] != "verdict":
        if time.monotonic() > until:
            raise TimeoutError("no verdict: look at the demo")
        time.sleep(0.2)
    time.sleep(2.5)
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
            driver = chromium.start(Path(folder) / "profile", (360, 740))
            try:
                pictures = play(url, driver)
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
