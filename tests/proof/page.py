"""The page in a real Chromium: the taps that everything takes, and how soon a bid is painted on another phone.

Taps are counted by the page's own pointer events. A bid is timed from the click on one phone to the first frame after
its drawing on the other, by the clock of this machine. A reveal is looked at in every frame that the browser draws.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from companion.box.process import Phone
from tests.browser import chromium
from tests.browser.page import TABLET, Page
from tests.proof.box import Box
from tests.proof.report import Report, percentile, spread
from vision.evaluation.document_section import write_between

MOST_TAPS = {
    "from the QR code to having joined": 1,
    "from the QR code to the first bid, six fours": 4,
    "an opening of six fours": 3,
    "a dudo (held)": 1,
    "the next round": 1,
    "a die put right": 2,
}
SOON = 0.12
"""Seconds from a bid's tap to its picture on another phone, on a quiet machine, for 95 % of the bids."""
LONGEST_HOLE = 0.1
"""Seconds between the press of DUDO and the end of the show in which nothing of the table is drawn, at most."""
HOLES = """
    window.hole = { longest: 0, since: 0, frames: 0, slowest: 0, last: performance.now() };
    const drawn = () => {
        const some = '.bidding .bidsign, .cups .cupped, .live.seen, .face, .tiles, .outcome, .b-bid';
        const all = document.querySelectorAll(some);
        return [...all].some((e) => { const at = e.getBoundingClientRect(); return at.width > 0 && at.height > 0; });
    };
    const look = () => {
        const now = performance.now(), hole = window.hole;
        hole.frames += 1;
        hole.slowest = Math.max(hole.slowest, now - hole.last);
        if (drawn()) hole.since = 0;
        else {
            hole.since = hole.since || hole.last;
            hole.longest = Math.max(hole.longest, now - hole.since);
        }
        hole.last = now;
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);"""
FAILED = """return performance.getEntriesByType('resource')
    .filter((e) => e.name.includes('/frame.jpg') && e.responseStatus >= 500).length"""
SHOW = 2.5
"""Seconds that the show lasts."""
MARKS = "<!-- taps -->", "<!-- /taps -->"
GAME = {
    "players": [{"name": "Ana", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    "ruleset": "asmodee-fr",
    "starter": "Ana",
    "abandon": True,
}
COUNT = """
    window.taps = 0;
    document.addEventListener('pointerdown', (event) => { if (event.isTrusted) window.taps += 1; }, true);"""
CLICKED = """
    document.addEventListener('click', (event) => {
        if (event.target.closest('.bidbutton')) window.clicked = performance.timeOrigin + performance.now();
    }, true);"""
PAINTED = """
    window.painted = 0;
    new MutationObserver(() => {
        if (window.painted || !document.querySelector('.standing .bidsign')) return;
        requestAnimationFrame(() => setTimeout(() => {
            window.painted = window.painted || performance.timeOrigin + performance.now();
        }));
    }).observe(document.body, { childList: true, subtree: true });"""


@contextlib.contextmanager
def _game() -> Iterator[tuple[Box, Phone]]:
    with Box() as box, contextlib.closing(box.phone(role="table")) as host:
        host.change("game", GAME)
        yield box, host


def _taps(page: Page) -> int:
    return int(page.driver.execute_script("const taps = window.taps; window.taps = 0; return taps"))


def count_taps() -> dict[str, int]:
    """The taps of `MOST_TAPS` in a game of two."""
    with _game() as (box, host), chromium.start() as driver:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNT})
        page = Page(driver, f"http://{box.host}:{box.port}/#join={box.code}")
        page.tap(".who-are-you [data-seat='Ana']")
        page.wait(lambda: not page.all(".sheet"), "having joined")
        found = {"from the QR code to having joined": _taps(page)}
        page.tap(".bids button[data-face='4']")
        page.tap(".counts [data-count='6']")
        page.tap(".bidbutton:not([aria-disabled])")
        page.wait(lambda: host.state()["bid"], "the bid")
        opening = _taps(page)
        found["from the QR code to the first bid, six fours"] = sum(found.values()) + opening
        found["an opening of six fours"] = opening
        page.wait(lambda: page.all(".callrow .dudo:not([aria-disabled])"), "Ben's turn")
        page.hold(".callrow .dudo")
        page.wait(lambda: host.state()["phase"] == "verdict", "the verdict")
        found["a dudo (held)"] = _taps(page)
        page.tap(".face")
        page.tap(".sheet .facebutton:not(.chosen)")
        page.wait(lambda: host.state()["undo"]["kind"] == "die", "the correction")
        found["a die put right"] = _taps(page)
        page.wait(lambda: not page.all(".sheet"), "the sheet to close")
        page.tap(".dock .next")
        page.in_phase("bidding")
        found["the next round"] = _taps(page)
        return found


def time_bids(bids: int) -> list[float]:
    """Seconds from the tap of a bid on one phone to its picture on another, for each of `bids`."""
    seconds = []
    with _game() as (box, host), chromium.start() as one, chromium.start() as other:
        url = f"http://{box.host}:{box.port}/"
        ana, ben = Page(one, url, "Ana", box.code), Page(other, url, "Ben", box.code)
        one.execute_script(CLICKED)
        for _ in range(bids):
            ana.tap(".bids button[data-face='4']")
            ana.wait(lambda: ana.all(".bidbutton:not([aria-disabled])"), "a bid to send")
            other.execute_script(PAINTED)
            ana.tap(".bidbutton")
            painted = ben.wait(lambda: other.execute_script("return window.painted"), "the bid")
            seconds.append((painted - one.execute_script("return window.clicked")) / 1000)
            host.change("undo", {"step": host.state()["undo"]["step"]})
            for page in (ana, ben):
                page.wait(lambda page=page: not page.all(".standing .bidsign"), "the bid to be taken back")
    return seconds


@dataclass(frozen=True, slots=True)
class Reveal:
    """What a screen showed from the press of DUDO to the end of the show."""

    hole: float
    """Seconds, the longest without anything of the table."""
    failed: int
    """Live pictures that the box could not give. One that comes too late, when cups are down again, is refused: 403."""


def watch_reveals(reveals: int) -> dict[str, list[Reveal]]:
    """Each of `reveals` on a phone and on the board, with motion."""
    found: dict[str, list[Reveal]] = {"phone": [], "board": []}
    with _game() as (box, host), chromium.start() as one, chromium.start() as two:
        ana = Page(one, f"http://{box.host}:{box.port}/", TABLET, box.code)
        chromium.resize(two, (1280, 720))
        two.get(f"http://{box.host}:{box.port}/board#join={box.code}")
        motion = {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]}
        for driver in (one, two):
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", motion)
        for _ in range(reveals):
            host.change("bid", {"player": host.state()["turn"], "count": 3, "face": 4})
            ana.wait(lambda: ana.all(".callrow .dudo:not([aria-disabled])"), "a bid to call")
            time.sleep(SHOW)  # the views of a reveal are loaded while people think
            for driver in (one, two):
                driver.execute_script("performance.clearResourceTimings()")
                driver.execute_script(HOLES)
            ana.hold(".callrow .dudo")
            ana.wait(lambda: host.state()["phase"] == "verdict", "the verdict")
            time.sleep(SHOW)
            for name, driver in (("phone", one), ("board", two)):
                hole = driver.execute_script("return window.hole.longest") / 1000
                found[name].append(Reveal(hole, driver.execute_script(FAILED)))
            host.change("next", {})
            ana.in_phase("bidding")
    return found


@click.command()
@click.option("--bids", default=60, show_default=True, help="Bids to time.")
@click.option("--reveals", default=5, show_default=True, help="Reveals to watch.")
@click.option("--figures", type=click.Path(path_type=Path), help="Write the figures into this document.")
def attack(bids: int, reveals: int, figures: Path | None) -> None:
    """Play in Chromium: count the taps that everything takes, time bids between phones, and watch reveals."""
    report = Report()
    taps = count_taps()
    for name, most in MOST_TAPS.items():
        report.check(name, taps[name] <= most, f"{taps[name]} taps, {most} at most")
    seconds = time_bids(bids)
    report.check("a bid is painted on another phone", percentile(seconds, 95) <= SOON, spread(seconds))
    seen = watch_reveals(reveals)
    for screen, each in seen.items():
        hole, failed = max(one.hole for one in each), sum(one.failed for one in each)
        said = f"the longest hole {hole * 1000:.0f} ms, {failed} live pictures failed"
        report.check(f"{reveals} reveals on the {screen}", hole <= LONGEST_HOLE and not failed, said)
    if figures is not None:
        lines = ["| what | taps |", "|---|---|", *(f"| {name} | {taps[name]} |" for name in MOST_TAPS)]
        machine = f"{bids} bids, both browsers and the box on one machine"
        after = f"A bid is painted on another phone after {spread(seconds)} ({machine})."
        holes = max(one.hole for each in seen.values() for one in each)
        show = (
            f"From the press of DUDO to the end of the show no screen is empty for longer than {holes * 1000:.0f} ms."
        )
        write_between(figures, *MARKS, "\n".join([*lines, "", after, show]))
    report.end()
