"""What of a repeated error is in the log: the first, and how many there were."""

from __future__ import annotations

import io
import itertools
import logging

import pytest

from companion.repeated_errors import AGAIN_AFTER, RepeatedErrors


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What the second of two handlers, each with its filter, writes of a log whose records are a second apart."""
    text, log = io.StringIO(), logging.getLogger("a part of the box")
    monkeypatch.setattr(log, "propagate", False)
    monkeypatch.setattr(
        log, "handlers", handlers := [logging.StreamHandler(io.StringIO()), logging.StreamHandler(text)]
    )
    times = itertools.count(1_000_000)

    def a_second_later(record: logging.LogRecord) -> bool:
        record.created = next(times)
        return True

    monkeypatch.setattr(log, "filters", [a_second_later])
    for handler in handlers:
        handler.addFilter(RepeatedErrors())
    return text


def fail(why: str, what: str = "") -> None:
    logging.getLogger("a part of the box").error("it failed%s", what, exc_info=OSError(why))


def warn(*words: str) -> None:
    for word in words:
        logging.getLogger("a part of the box").warning("The button is %s", word)


def test_an_error_that_repeats_is_logged_once_and_an_hour_later_with_its_count(logged: io.StringIO) -> None:
    for number in range(int(AGAIN_AFTER)):
        fail("Too many open files", f" for guest {number}")
    assert logged.getvalue().count("OSError") == 1
    fail("Too many open files")
    assert logged.getvalue().count("OSError") == 2
    assert f"it failed (the error before this one: {AGAIN_AFTER - 1:.0f} times more)\n" in logged.getvalue()


def test_what_comes_and_goes_is_logged_each_time(logged: io.StringIO) -> None:
    warn("gone", "gone", "there", "gone")
    assert logged.getvalue().splitlines() == [
        "The button is gone",
        "The button is there (the error before this one: 1 times more)",
        "The button is gone",
    ]


def test_another_error_of_the_same_place_is_logged(logged: io.StringIO) -> None:
    fail("Too many open files")
    fail("No space left on device")
    assert logged.getvalue().count("OSError") == 2
