"""`perudo demo` as a process, and two rounds played through its page in a real Chromium."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

READ_WITHIN = 60.0
"""Seconds for painting, settling and reading; two busy cores need some of them."""


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The address and the code that it prints."""
    command = [sys.executable, "-m", "companion.cli", "demo", "--host", "127.0.0.1", "--port", "0"]
    command += ["--seed", "1", "--state", str(tmp_path / "state")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), process.stderr and process.stderr.read()
        yield url, process.stdout.readline().strip().removeprefix("Table code: ")
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=15)
        assert process.returncode == 0, errors
        assert "Traceback" not in errors
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.communicate()


def judged(page: Any) -> str:
    """Wait for the verdict, answering what the page asks. Returns the sentence."""

    def there() -> bool:
        if page.phase == "checking" and page.all(".question .facebutton"):
            page.tap(".question .facebutton")
        return page.phase in {"verdict", "over"}

    page.wait(there, "the verdict", within=READ_WITHIN)
    return str(page.one(".sentence").text)


def test_two_rounds_are_played_through_the_page(
    demo: tuple[str, str], open_browser: Callable[..., Any], page_type: Any
) -> None:
    url, code = demo
    page = page_type(open_browser(worker=True), url, "the table's tablet", code)
    assert page.phase == "bidding"
    before = len(page.all(".mini"))
    for number in (1, 2):
        page.wait(lambda number=number: f"Round {number}" in page.text)
        page.tap(".facebutton[data-face='5']")
        page.tap(".bidbutton")
        page.wait(lambda: page.all(".bidsign.huge"))
        page.tap(".panel [data-button='dudo']")
        page.wait(lambda: page.phase == "reading", "cups up")
        page.wait(lambda: page.all(".live.seen"), "the live picture")
        sentence = judged(page)
        assert "loses a die" in sentence
        drawn = page.driver.execute_script(
            "const image = new Image(); image.src = document.querySelector('.picture image').getAttribute('href');"
            "return image.decode().then(() => image.naturalWidth)"
        )
        assert drawn == 1280
        assert len(page.all(".picture .boxed")) == 21 - number
        assert page.too_wide() <= 0
        page.tap(".dock .next")
        page.in_phase("bidding")
    assert len(page.all(".mini")) == before - 2
    assert page.complaints() == []
    assert page.elsewhere() == []
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{url}healthz", timeout=5) as answer:
        assert answer.status == 200
