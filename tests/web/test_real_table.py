"""The API over the real table and its journal on disk: a round by hand, and refusals in the table's own words."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.table import Journal, Table
from companion.table.past.story import Story, latest_story
from web.answer_cache import MOST_WAITING

SEATS = [{"name": "Ana", "colour": "red"}, {"name": "Ben", "colour": "blue"}]


@pytest.fixture
def real(tmp_path: Path, make_app: Callable[..., Flask]) -> Iterator[FlaskClient]:
    with Table(Journal(tmp_path)) as table:
        yield make_app(table).test_client().join()  # type: ignore[attr-defined]


def post(client: FlaskClient, path: str, body: Any) -> Any:
    return client.post(f"/api/v1/{path}", json=body)


def start(client: FlaskClient, **more: Any) -> Any:
    return post(client, "game", {"players": SEATS, "ruleset": "asmodee-fr", "starter": "Ana", **more})


def test_a_round_is_played_and_counted_by_hand(real: FlaskClient) -> None:
    assert start(real).json["phase"] == "bidding"
    assert post(real, "bid", {"player": "Ana", "count": 4, "face": 5}).json["turn"] == "Ben"
    assert post(real, "dudo", {}).json["phase"] == "reading"
    judged = post(real, "byhand", {"dice": {"Ana": [5, 5, 1, 2, 3], "Ben": [5, 2, 2, 3, 6]}}).json
    assert (judged["phase"], judged["verdict"]["count"], judged["verdict"]["loses"]) == ("verdict", 4, "Ben")
    after = post(real, "next", {}).json
    assert (after["phase"], after["round"], after["turn"]) == ("bidding", 2, "Ben")
    assert real.get("/api/v1/state").json == after


@pytest.mark.parametrize(
    ("path", "body", "status", "code", "message"),
    [
        ("bid", {"player": "Ben", "count": 4, "face": 5}, 409, "not-your-turn", "It is "),
        ("bid", {"player": "Zoë", "count": 4, "face": 5}, 409, "unknown-player", "Zoë"),
        ("bid", {"player": "Ana", "count": 4, "face": 1}, 409, "illegal-bid", "."),
        ("dudo", {"player": "Ana"}, 409, "no-bid", "."),
        ("next", {}, 409, "wrong-phase", "Not now: "),
        ("dice/3", {"face": 2}, 409, "wrong-phase", "Not now: "),
        ("game", {"players": SEATS, "ruleset": "web-fr"}, 409, "game-on", "A game is being played."),
        ("game", {"players": SEATS, "ruleset": "x", "abandon": True}, 400, "bad-ruleset", "There is no ruleset 'x'"),
        ("game", {"players": SEATS[:1], "ruleset": "web-fr", "abandon": True}, 400, "bad-player", "2 to 6 players."),
    ],
)
def test_refusals_are_sentences(real: FlaskClient, path: str, body: Any, status: int, code: str, message: str) -> None:
    before = start(real).json
    answer = post(real, path, body)
    assert (answer.status_code, answer.json["error"]) == (status, code)
    assert message in answer.json["message"]
    assert answer.json["message"][0].isupper()
    assert answer.json["message"].endswith(".")
    assert real.get("/api/v1/state").json == before


def test_no_tap_waits_while_a_story_is_worked_out(real: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    start(real)
    begun, go_on = threading.Event(), threading.Event()

    def slow_story(*asked: Any) -> Story:
        begun.set()
        assert go_on.wait(60)
        return latest_story(*asked)

    monkeypatch.setattr("companion.table.table.latest_story", slow_story)
    strangers = [FlaskClient(real.application, real.application.response_class) for _ in range(3)]
    with ThreadPoolExecutor() as threads:
        stories = [threads.submit(stranger.get, "/api/v1/story") for stranger in strangers]
        assert begun.wait(60)
        assert post(real, "bid", {"player": "Ana", "count": 2, "face": 5}).json["turn"] == "Ben"
        assert not any(story.done() for story in stories)
        go_on.set()
        assert {story.result(30).status_code for story in stories} == {200}
    assert "2 fives" in real.get("/api/v1/story").text, "nobody is told what was true before the bid"


def test_many_strangers_that_ask_for_a_story_keep_no_phone_of_the_table_from_it(
    real: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(real)
    go_on = threading.Event()

    def slow_story(*asked: Any) -> Story:
        assert go_on.wait(60)
        return latest_story(*asked)

    monkeypatch.setattr("companion.table.table.latest_story", slow_story)
    strangers = [FlaskClient(real.application, real.application.response_class) for _ in range(MOST_WAITING + 1)]
    with ThreadPoolExecutor(len(strangers) + 1) as threads:
        asked = [threads.submit(stranger.get, "/api/v1/story") for stranger in strangers]
        refused, waiting = wait(asked, 30, FIRST_COMPLETED)
        (answer,) = (each.result() for each in refused)
        assert (answer.status_code, answer.json["error"], answer.headers["Retry-After"]) == (503, "busy", "1")
        host = threads.submit(real.get, "/api/v1/story")
        refused_at_once = wait([host], 0.5).done
        go_on.set()
        assert not refused_at_once, "it waits"
        assert {each.result(30).status_code for each in (host, *waiting)} == {200}


def test_a_story_is_worked_out_once_for_each_state(real: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    start(real, open_lost=False)
    counted = Mock(side_effect=latest_story)
    monkeypatch.setattr("companion.table.table.latest_story", counted)
    post(real, "bid", {"player": "Ana", "count": 4, "face": 5})
    assert len({real.get("/api/v1/story").data for _ in range(3)}) == 1
    assert counted.call_count == 1
    post(real, "dudo", {})
    post(real, "byhand", {"dice": {"Ana": [5, 5, 1, 2, 3], "Ben": [5, 2, 2, 3, 6]}})
    assert "Ben lost a die" in real.get("/api/v1/story").text
    post(real, "next", {})
    assert (real.get("/api/v1/story").json or {})["story"] == [], "hidden again"
    assert counted.call_count == 3


def test_without_a_camera_the_health_check_fails_and_says_why(real: FlaskClient) -> None:
    answer = real.get("/healthz")
    assert answer.status_code == 503
    assert "Count the dice by hand" in answer.json["reasons"][0]
