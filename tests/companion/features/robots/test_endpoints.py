"""The demo's own addresses: a phone sees its player's dice alone, and robots are given their seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.table.state.state import RobotStrength
from tests.fakes.clock import FakeClock
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.access.access import Access
from web.access.phones import AWAY_AFTER

DICE = {"Ana": (1, 2, 2, 5, 6), "Ben": (3, 3, 4)}


class FakeDemoPlayers:
    """A fake of `companion.features.robots.robot_players.RobotPlayers`."""

    def __init__(self) -> None:
        self.wanted: Mapping[str, RobotStrength] = {}
        self.hurried = 0

    def give_seats(self, wanted: Mapping[str, RobotStrength]) -> None:
        self.wanted = wanted

    def hurry(self) -> None:
        self.hurried += 1

    def peek(self, player: str) -> tuple[int, ...] | None:
        return None if player == "Cid" else DICE.get(player, ())


@pytest.fixture
def players() -> FakeDemoPlayers:
    return FakeDemoPlayers()


@pytest.fixture
def demo(
    table: FakeTable, access: Access, players: FakeDemoPlayers, make_app: Callable[..., Flask], clock: FakeClock
) -> Flask:
    return make_app(table, access=access, robots=players, clock=clock)


def joined(app: Flask, **seat: str) -> FlaskClient:
    """A phone that has joined, and taken a seat if one is given."""
    phone = app.test_client()
    phone.join()  # type: ignore[attr-defined]
    if seat:
        assert phone.post("/api/v1/seat", json=seat).status_code == 200
    return phone


def look(phone: FlaskClient) -> Any:
    answer = phone.get("/api/v1/demo/dice")
    return answer.json if answer.status_code == 200 else (answer.status_code, (answer.json or {})["error"])


def test_a_phone_sees_the_dice_of_its_own_player(demo: Flask) -> None:
    ana, ben = joined(demo, role="player", player="Ana"), joined(demo, role="player", player="Ben")
    assert look(ana) == {"player": "Ana", "dice": [1, 2, 2, 5, 6]}
    assert look(ben) == {"player": "Ben", "dice": [3, 3, 4]}
    assert ana.get("/api/v1/demo/dice").headers["Cache-Control"] == "no-store"
    assert ana.get("/api/v1/demo/dice?player=Ben").json == look(ana)


def test_a_phone_that_changes_its_seat_sees_one_players_dice_a_round(demo: Flask, table: FakeTable) -> None:
    table.show(STATES["bidding"])
    phone = joined(demo, role="player", player="Ana")
    assert look(phone) == {"player": "Ana", "dice": [1, 2, 2, 5, 6]}
    assert phone.post("/api/v1/seat", json={"role": "player", "player": "Ben"}).status_code == 200
    refused = phone.get("/api/v1/demo/dice")
    assert refused.status_code == 403
    assert refused.json["message"].startswith("This phone has seen Ana's dice in this round.")
    assert look(joined(demo, role="player", player="Ana")) == {"player": "Ana", "dice": [1, 2, 2, 5, 6]}
    table.show(replace(STATES["bidding"], round=STATES["bidding"].round + 1))
    assert look(phone) == {"player": "Ben", "dice": [3, 3, 4]}


def test_who_sits_down_while_a_robot_plays_sees_dice_from_the_next_round_on(demo: Flask) -> None:
    refused = joined(demo, role="player", player="Cid").get("/api/v1/demo/dice")
    assert (refused.status_code, refused.json["error"]) == (403, "not-yours")
    assert refused.json["message"].startswith("A robot plays this round for Cid.")


@pytest.mark.parametrize("seat", [{}, {"role": "table"}, {"role": "watching"}])
def test_whoever_has_no_seat_sees_no_dice(demo: Flask, seat: dict[str, str]) -> None:
    assert look(joined(demo, **seat)) == (403, "not-yours")


def test_a_stranger_sees_no_dice(demo: Flask) -> None:
    assert look(demo.test_client()) == (401, "join-first")


def test_a_phone_whose_seat_another_took_sees_no_dice(demo: Flask, clock: FakeClock) -> None:
    asleep = joined(demo, role="player", player="Ana")
    clock.sleep(AWAY_AFTER + 1)
    joined(demo, role="player", player="Ana")
    assert look(asleep) == (403, "not-yours")


def test_robots_are_given_seats_and_hurried(demo: Flask, players: FakeDemoPlayers) -> None:
    phone = joined(demo, role="table")
    wanted = {"Ben": "hard", "Cid": "easy"}
    assert phone.post("/api/v1/demo/robots", json={"players": wanted}).status_code == 200
    assert players.wanted == wanted
    assert phone.post("/api/v1/demo/hurry", json={}).status_code == 200
    assert players.hurried == 1


@pytest.mark.parametrize("body", [{}, {"players": []}, {"players": {"Ben": "best"}}, {"players": {"Ben": 3}}])
def test_what_is_no_strength_is_refused(demo: Flask, players: FakeDemoPlayers, body: dict[str, Any]) -> None:
    phone = joined(demo, role="table")
    assert phone.post("/api/v1/demo/robots", json=body).status_code == 400
    assert players.wanted == {}


@pytest.mark.parametrize("path", ["robots", "hurry"])
def test_only_phones_that_act_command_robots(demo: Flask, path: str) -> None:
    body = {"players": {}} if path == "robots" else {}
    assert demo.test_client().post(f"/api/v1/demo/{path}", json=body).status_code == 401
    assert joined(demo, role="watching").post(f"/api/v1/demo/{path}", json=body).status_code == 403


def test_a_box_has_none_of_this(app: Flask) -> None:
    phone = joined(app, role="player", player="Ana")
    assert look(phone) == (404, "not_found")
    assert phone.post("/api/v1/demo/robots", json={"players": {}}).status_code == 404
    assert phone.post("/api/v1/demo/hurry", json={}).status_code == 404
