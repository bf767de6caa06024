"""Answers that take long: worked out once, one at a time, and never older than what they tell of."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest

from web import answer_cache
from web.answer_cache import AnswerCache
from web.errors import RequestError


class Slow:
    """Something that takes until `go_on` is set to work out, and then counts from 1."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.times = 0
        self.at_once = 0
        self.most_at_once = 0

    def __call__(self) -> bytes:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.begun.set()
        assert self.go_on.wait(60)
        self.times += 1
        self.at_once -= 1
        return b"%d" % self.times


def test_an_answer_is_kept_until_its_version_changes() -> None:
    cache, count = AnswerCache(), itertools.count()
    version = [1]

    def ask(name: str) -> bytes:
        return cache.get(name, lambda: b"%d" % next(count), lambda: version[0])

    assert [ask("a"), ask("a"), ask("b"), ask("a"), ask("b")] == [b"0", b"0", b"1", b"0", b"1"]
    version[0] = 2
    assert [ask("a"), ask("a")] == [b"2", b"2"]
    version[0] = 1  # another version is another one, in whatever order they come
    assert ask("a") == b"3"


@pytest.mark.parametrize(
    ("names", "answers"), [(["story"] * answer_cache.MOST_WAITING, {b"1"}), (["story", "qr.svg"], {b"1", b"2"})]
)
def test_each_answer_is_worked_out_once_and_no_two_at_a_time(names: list[str], answers: set[bytes]) -> None:
    cache, slow = AnswerCache(), Slow()
    with ThreadPoolExecutor(answer_cache.MOST_WAITING) as threads:
        asked = [threads.submit(cache.get, name, slow) for name in names]
        assert slow.begun.wait(60)
        slow.go_on.set()
        assert {each.result(30) for each in asked} == answers
    assert (slow.times, slow.most_at_once) == (len(answers), 1)


def test_who_asks_after_a_change_gets_no_answer_from_before_it() -> None:
    cache, slow, version = AnswerCache(), Slow(), [1]
    with ThreadPoolExecutor() as threads:
        first = threads.submit(cache.get, "story", slow, lambda: version[0])
        assert slow.begun.wait(60)
        version[0] = 2
        later = threads.submit(cache.get, "story", slow, lambda: version[0])
        slow.go_on.set()
        assert (first.result(30), later.result(30)) == (b"1", b"2")


def test_a_known_answer_waits_for_no_other() -> None:
    cache, slow = AnswerCache(), Slow()
    cache.get("qr.svg", lambda: b"known")
    with ThreadPoolExecutor() as threads:
        story = threads.submit(cache.get, "story", slow)
        assert slow.begun.wait(60)
        assert cache.get("qr.svg", Mock(side_effect=AssertionError)) == b"known"
        slow.go_on.set()
        story.result(30)


def test_so_many_may_wait_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_cache, "MOST_WAITING", 1)
    cache, slow = AnswerCache(), Slow()
    with ThreadPoolExecutor() as threads:
        first = threads.submit(cache.get, "story", slow)
        assert slow.begun.wait(60)
        with pytest.raises(RequestError) as refused:
            cache.get("story", slow)
        assert (refused.value.code, refused.value.headers) == ("busy", {"Retry-After": "1"})
        joined = threads.submit(cache.get, "story", slow, joined=True)  # strangers do not keep it out
        slow.go_on.set()
        assert (first.result(30), joined.result(30)) == (b"1", b"1")


def test_a_failure_is_not_kept_and_gives_its_place_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_cache, "MOST_WAITING", 1)
    cache = AnswerCache()
    failing: Callable[[], bytes] = Mock(side_effect=OSError)
    for _ in range(2):
        with pytest.raises(OSError):  # noqa: PT011
            cache.get("story", failing)
    assert cache.get("story", lambda: b"found") == b"found"


def test_a_guest_who_asks_for_ever_new_answers_fills_no_memory() -> None:
    cache = AnswerCache()
    for number in range(10 * answer_cache.MOST_KEPT):
        cache.get(number, bytes)
    assert len(cache._answers) == answer_cache.MOST_KEPT
