"""The last lines of the log: what is kept, for how long, and that the screen shows no more than before."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from companion.features.health.recent_log import LONGEST_LOG_LINE, RECENT_LINES, recent_log

log = logging.getLogger("companion.somewhere")


@pytest.fixture
def screen() -> Iterator[io.StringIO]:
    """What a program that shows warnings shows."""
    root = logging.getLogger()
    before, text = root.level, io.StringIO()
    handler = logging.StreamHandler(text)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    yield text
    root.removeHandler(handler)
    root.setLevel(before)


def test_lines_of_interest_are_kept_that_the_screen_does_not_show(screen: io.StringIO) -> None:
    with recent_log() as recent:
        log.info("no camera at %s", "pi")
        log.debug("a detail")
        log.warning("the camera hangs")
    log.warning("afterwards")
    first, second = recent.lines
    assert first.endswith(" INFO companion.somewhere: no camera at pi")
    assert second.endswith(" WARNING companion.somewhere: the camera hangs")
    assert screen.getvalue() == "the camera hangs\nafterwards\n"
    log.info("as before")
    logging.getLogger().setLevel(logging.INFO)
    log.info("whoever says --verbose later")
    assert screen.getvalue().splitlines()[2:] == ["whoever says --verbose later"]


def test_a_traceback_is_lines_and_only_the_last_lines_are_kept() -> None:
    with recent_log() as recent:
        for number in range(RECENT_LINES):
            log.info("line %d", number)
        try:
            int("no such die")
        except ValueError:
            log.exception("the reveal went wrong")
    assert len(recent.lines) == RECENT_LINES
    assert recent.lines[-1].startswith("ValueError: invalid literal")
    assert any(line.endswith("the reveal went wrong") for line in recent.lines)
    traceback = next(n for n, line in enumerate(reversed(recent.lines)) if line.endswith("the reveal went wrong")) + 1
    assert recent.lines[0].endswith(f"line {traceback}"), "the oldest made room"


def test_a_name_from_outside_draws_nothing_and_takes_no_room() -> None:
    with recent_log() as recent:
        log.info("%s joined", "\x1b[31mAna\r")
        log.info("x" * 10_000)
    assert "\\x1b[31mAna\\r joined" in recent.lines[0]
    assert len(recent.lines[1]) == LONGEST_LOG_LINE
