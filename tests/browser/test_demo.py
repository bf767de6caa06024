"""`perudo demo` as a process, and two rounds played through its page in a real Chromium."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.page import Page
from tests.proof.box import Box

pytestmark = pytest.mark.browser


@pytest.fixture
def demo() -> Iterator[tuple[str, str]]:
    """The address and the code that it prints."""
    with Box("--seed", "1", command=("demo",)) as box:
        yield f"http://{box.host}:{box.port}/", box.code
        assert box.stop() == 0, box.errors()
        assert "Traceback" not in box.errors()


def judged(page: Any) -> str:
    """Wait for the verdict, answering what the page asks. Returns the sentence."""

    def there() -> bool:
        if page.phase == "checking" and page.all(".question .facebutton"):
            page.tap(".question .facebutton")
        return page.phase in {"verdict", "over"}

    page.wait(there, "the verdict")
    return str(page.texts(".sentence")[0])


def test_two_rounds_are_played_through_the_page(demo: tuple[str, str], open_browser: Callable[..., Any]) -> None:
    url, code = demo
    page = Page(open_browser(worker=True), url, "the table's tablet", code)
    assert page.phase == "bidding"
    before = len(page.all(".mini"))
    for number in (1, 2):
        page.wait(lambda number=number: f"Round {number}" in page.text)
        page.tap(".facebutton[data-face='5']")
        page.tap(".bidbutton")
        page.wait(lambda: page.all(".bidsign.huge"))
        page.press("dudo")
        page.wait(lambda: page.phase == "reading", "cups up")
        page.wait(lambda: page.all(".live.seen"), "the live picture")
        sentence = judged(page)
        assert "loses a die" in sentence
        page.unfold()
        drawn = page.driver.execute_script(
            "const image = new Image(); image.src = document.querySelector('.picture image').getAttribute('href');"
            "return image.decode().then(() => image.naturalWidth)"
        )
        assert drawn == 1280
        assert len(page.all(".picture .boxed")) == 21 - number
        assert page.too_wide() == []
        page.tap(".dock .next")
        page.in_phase("bidding")
    assert len(page.all(".mini")) == before - 2
    assert page.complaints() == []
    assert page.elsewhere() == []
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{url}healthz", timeout=5) as answer:
        assert answer.status == 200
