"""The past games over the API: the list, the story of each, and statistics; never the game that is being played."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.table import Journal, Table
from companion.table.commands import CallDudo, CountByHand, EndGame, MakeBid, OpenRound, Undo
from companion.table.journal.saved_games import import_record
from companion.table.past import game_review
from companion.table.past.games import Game
from tests.fakes.new_game import new_game
from tests.fakes.past_games import past_games
from tests.fakes.table import FakeTable
from tests.wait import wait_until
from web.answer_cache import MOST_FOR_ONE

SEATS = [("Ana", "red"), ("Ben", "blue")]


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Table]:
    with Table(Journal(tmp_path, now=lambda: "2026-11-01T20:00:00.000+00:00")) as table:
        yield table


@pytest.fixture
def stranger(real: Table, make_app: Callable[..., Flask]) -> FlaskClient:
    return make_app(real).test_client()


def begin(table: Table, **more: Any) -> None:
    table.do(new_game(SEATS, starter="Ana", abandon=True, **more))


def round_lost_by_ben(table: Table) -> None:
    table.do(MakeBid("Ana", 2, 5))
    table.do(CallDudo("Ben"))
    table.do(CountByHand({"Ana": (5, 5, 2, 2, 3), "Ben": (2, 2, 3, 3, 4)}))


def whole_game(table: Table) -> None:
    begin(table)
    round_lost_by_ben(table)
    table.do(EndGame())


def get(client: FlaskClient, path: str) -> Any:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json


def numbers(client: FlaskClient) -> list[str]:
    return [game["game"] for game in get(client, "games")["games"]]


def test_a_game_is_past_once_it_has_ended_and_no_longer_when_that_is_undone(real: Table, stranger: FlaskClient) -> None:
    assert get(stranger, "games") == {"games": [], "page": 1, "pages": 1}
    assert get(stranger, "statistics")["statistics"]["games"] == 0
    begin(real)
    round_lost_by_ben(real)
    assert numbers(stranger) == []
    assert get(stranger, "statistics")["companies"] == []
    assert stranger.get("/api/v1/games/1").status_code == 404
    ended = real.do(EndGame())
    (game,) = get(stranger, "games")["games"]
    assert (game["game"], game["begun"], game["rounds"], game["winner"]) == (
        "1",
        "2026-11-01T20:00:00.000+00:00",
        1,
        None,
    )
    assert game["clock_set"]
    assert (game["ending"], game["book"], game["imported"]) == ("ended", "Classic", False)
    real.do(Undo(ended.undo.step))
    assert numbers(stranger) == []


def test_the_game_that_hides_its_dice_is_nowhere(real: Table, stranger: FlaskClient) -> None:
    begin(real)
    round_lost_by_ben(real)
    begin(real, open_lost=False)
    round_lost_by_ben(real)
    real.do(OpenRound())
    assert numbers(stranger) == ["1"]
    found = get(stranger, "statistics")
    assert [player["lost"] for player in found["statistics"]["players"]] == [0, 1], (
        "the second game's lost die is hidden"
    )
    assert [len(curve["points"]) for curve in found["curves"]] == [1, 1]
    assert stranger.get("/api/v1/games/2").status_code == 404
    real.do(EndGame())
    assert numbers(stranger) == ["1"], "an undo would go on with it"
    for open_now in (["1"], ["3", "2", "1"]):
        begin(real)
        round_lost_by_ben(real)
        assert numbers(stranger) == open_now
        story = real.story().company
        assert story.games == len(open_now) + 1


def test_while_an_older_versions_games_are_counted_the_page_says_so(
    real: Table, stranger: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(9):
        begin(real)
        round_lost_by_ben(real)
    monkeypatch.setattr("companion.table.journal.past_games.AT_ONCE", 1)
    answer = stranger.get("/api/v1/games")
    assert (answer.status_code, answer.json["error"], answer.headers["Retry-After"]) == (503, "busy", "10")
    told = real.story()
    assert (len(told.story) > 0, told.company) == (True, None), "the story is there without the others"
    assert stranger.get("/api/v1/choices").status_code == 200
    while real.past.catch_up():
        pass
    assert numbers(stranger) == [str(number) for number in range(8, 0, -1)]


def test_a_game_ended_before_its_first_bid_is_none(real: Table, stranger: FlaskClient) -> None:
    begin(real)
    begin(real)
    round_lost_by_ben(real)
    begin(real)
    real.do(EndGame())
    assert numbers(stranger) == ["2"], "the others keep their numbers"
    assert get(stranger, "statistics")["statistics"]["games"] == 1
    story = real.story()
    assert story.company.games == 1


def test_a_past_game_has_its_story_and_its_record(real: Table, stranger: FlaskClient) -> None:
    whole_game(real)
    told = get(stranger, "games/1")
    assert "Ben called dudo" in told["story"][1]
    assert len(told["said"]) == len(told["story"])
    assert [json.loads(line)["event"] for line in told["record"][0]] == ["game", "bid", "dudo", "reveal"]
    assert [player["lost"] for player in told["statistics"]["players"]] == [0, 1]
    assert stranger.get("/api/v1/games/7").json["error"] == "not_found"


def test_a_game_imported_meanwhile_is_in_the_list_at_once(real: Table, stranger: FlaskClient, tmp_path: Path) -> None:
    assert get(stranger, "games")["games"] == []
    (record,) = past_games(1)[0].game.record
    import_record(tmp_path, "theirs.jsonl", "\n".join(record).encode())
    assert [game["game"] for game in get(stranger, "games")["games"]] == ["r1"]


def test_the_list_has_pages_newest_first_imported_games_last(
    real: Table, stranger: FlaskClient, tmp_path: Path
) -> None:
    (record,) = past_games(1)[0].game.record
    import_record(tmp_path, "theirs.jsonl", "\n".join(record).encode())
    for _ in range(21):
        begin(real)
        round_lost_by_ben(real)
    real.do(EndGame())
    first, second = get(stranger, "games"), get(stranger, "games?page=2")
    assert [game["game"] for game in first["games"]] == [str(number) for number in range(21, 1, -1)]
    assert [(game["game"], game["imported"]) for game in second["games"]] == [("1", False), ("r1", True)]
    assert (first["pages"], second["page"]) == (2, 2)
    assert stranger.get("/api/v1/games?page=3").status_code == 404
    for wrong in ("0", "-1", "x", "²", "1e3", ""):
        assert stranger.get(f"/api/v1/games?page={wrong}").status_code == 400, wrong


def test_a_game_is_reviewed_once_however_many_ask_and_whatever_else_is_played(
    real: Table, stranger: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reckoned = Mock(wraps=game_review.review)
    monkeypatch.setattr(game_review, "review", reckoned)
    begin(real, dice={"Ana": 4, "Ben": 5})  # as no other test does
    real.do(MakeBid("Ana", 2, 5))
    real.do(CallDudo("Ben"))
    judged = real.do(CountByHand({"Ana": (5, 5, 2, 3), "Ben": (2, 2, 3, 3, 4)}))
    assert judged.undo is not None
    real.do(EndGame())
    first = get(stranger, "games/1/review")
    whole_game(real)
    import_record(tmp_path, "theirs.jsonl", past_games(1)[0].game.record[0][0].encode())
    assert [get(stranger, "games/1/review") for _ in range(2)] == [first, first]
    assert reckoned.call_count == 1
    begin(real, dice={"Ana": 4, "Ben": 5})
    real.do(MakeBid("Ana", 2, 5))
    real.do(CallDudo("Ben"))
    real.do(CountByHand({"Ana": (5, 5, 2, 3), "Ben": (2, 2, 3, 3, 6)}))
    real.do(EndGame())
    get(stranger, "games/3/review")
    assert reckoned.call_count == 2, "another game"


def test_one_phone_keeps_none_from_a_review(
    real: Table, stranger: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole_game(real)
    begun, go_on = threading.Semaphore(0), threading.Event()

    def slow(game: Game) -> game_review.GameReview:
        begun.release()
        assert go_on.wait(60)
        return game_review.game_review(game)

    monkeypatch.setattr("web.past_games.game_review", slow)
    app = stranger.application

    def ask(address: str) -> int:
        answer = app.test_client().get("/api/v1/games/1/review", environ_base={"REMOTE_ADDR": address})
        return answer.status_code

    with ThreadPoolExecutor(2 * MOST_FOR_ONE) as threads:
        asked = [threads.submit(ask, "10.0.0.7") for _ in range(2 * MOST_FOR_ONE)]
        assert begun.acquire(timeout=60)
        wait_until(lambda: sum(each.done() for each in asked) == MOST_FOR_ONE)
        other = threads.submit(ask, "10.0.0.8")
        go_on.set()
        assert other.result(60) == 200
        assert sorted(each.result(60) for each in asked) == [200] * MOST_FOR_ONE + [503] * MOST_FOR_ONE


def test_a_past_game_is_reviewed_but_not_while_another_is_played(real: Table, stranger: FlaskClient) -> None:
    begin(real)
    round_lost_by_ben(real)
    assert stranger.get("/api/v1/games/1/review").status_code == 409  # whether or not there is such a game
    real.do(EndGame())
    found = get(stranger, "games/1/review")
    assert [(each["name"], each["bids"]) for each in found["players"]] == [("Ana", 1), ("Ben", 0)]
    assert [each["round"] for each in found["rounds"]] == [1, None]
    begin(real)
    refused = stranger.get("/api/v1/games/1/review")
    assert (refused.status_code, refused.json["error"]) == (409, "wrong-phase")
    assert "is over" in refused.json["message"]
    real.do(EndGame())
    assert stranger.get("/api/v1/games/99/review").status_code == 404


def test_statistics_are_those_of_one_company_and_the_curves_add_up(client: FlaskClient, table: FakeTable) -> None:
    table.past.games = [*past_games(5, ("Ana", "Ben")), *past_games(3, ("Ana", "Ben", "Cid"))[2:]]
    found = get(client, "statistics?company=5")
    assert found["company"] == ["Ana", "Ben"]
    assert [(each["players"], each["games"]) for each in found["companies"]] == [
        (["Ana", "Ben", "Cid"], 1),
        (["Ana", "Ben"], 5),
    ]
    for player, curve in zip(found["statistics"]["players"], found["curves"], strict=True):
        last = curve["points"][-1]
        good = sum(player[kind]["right"] - player[kind]["expected"] for kind in ("dudos", "calzas"))
        assert (curve["name"], last["number"], last["won"]) == (player["name"], 5, player["won"])
        assert last["luck"] == pytest.approx(player["called"]["luck"], abs=0.01)
        assert last["calls"] == pytest.approx(good, abs=0.01)
    everybody = get(client, "statistics")
    assert (everybody["company"], everybody["statistics"]["games"]) == (None, 6)
    assert client.get("/api/v1/statistics?company=99").status_code == 404


def test_the_journal_is_read_again_only_once_a_game_has_ended(
    real: Table, stranger: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(real)
    round_lost_by_ben(real)
    begin(real)
    counted = Mock(wraps=real.past.ready)
    monkeypatch.setattr(real.past, "ready", counted)
    paths = ("games", "statistics", "statistics?company=1")
    for path in paths * 2:
        get(stranger, path)
    round_lost_by_ben(real)
    assert numbers(stranger) == ["1"]
    assert counted.call_count == len(paths)
    real.do(EndGame())
    assert numbers(stranger) == ["2", "1"]
    assert counted.call_count == len(paths) + 1
