"""Every address of docs/reference/api.md: the command it gives the table, and the words of its refusals."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.engine import RULESETS, BadRecordError, NotYourTurnError
from companion.engine.rulebooks import RULE_FIELDS
from companion.table import commands
from companion.table.errors import JournalError, NotAllowedNowError, UnreadableCommandError
from hardware.camera.protocol import Frame
from tests.browser.looks import table_picture
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from tests.fakes.states import STATES
from tests.fakes.table import FakeCamera, FakePanel, FakeTable
from web.errors import RequestError
from web.pictures import LiveFrame

TWO = [{"name": "Ana", "colour": "red"}, {"name": "Ben", "colour": "blue"}]


def post(client: FlaskClient, path: str, body: Any, **headers: str) -> Any:
    return client.post(f"/api/v1/{path}", json=body, headers=headers)


def test_the_state_is_the_tables_own(client: FlaskClient, table: FakeTable) -> None:
    answer = client.get("/api/v1/state")
    assert answer.status_code == 200
    assert answer.json == in_json(table.state())
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "body", "command"),
    [
        (
            "game",
            {"players": TWO, "ruleset": "asmodee-fr", "calza": False, "starter": "Ben"},
            new_game([("Ana", "red"), ("Ben", "blue")], "asmodee-fr", False, "Ben"),
        ),
        (
            "game",
            {
                "players": TWO,
                "ruleset": "web-fr",
                "abandon": True,
                "dice": {"Ben": 3},
                "open_lost": False,
                "roll": True,
            },
            new_game(
                [("Ana", "red"), ("Ben", "blue")],
                "web-fr",
                calza=True,
                starter=None,
                abandon=True,
                dice={"Ben": 3},
                open_lost=False,
                roll=True,
            ),
        ),
        ("bid", {"player": "Ana", "count": 5, "face": 4}, commands.MakeBid(player="Ana", count=5, face=4)),
        ("dudo", {"player": "Ben"}, commands.CallDudo(player="Ben")),
        ("dudo", {}, commands.CallDudo()),
        ("calza", {"player": "Cid"}, commands.CallCalza(player="Cid")),
        ("calza", {}, commands.CallCalza()),
        ("caller", {"player": "Cid"}, commands.NameCaller(player="Cid")),
        (
            "dice",
            {"box": [1, 2, 30, 40.5], "face": 3, "colour": "red"},
            commands.AddDie(box=(1.0, 2.0, 30.0, 40.5), face=3, colour="red"),
        ),
        ("dice/7", {"face": 3}, commands.SetDie(die=7, face=3)),
        ("dice/7", {"colour": "red"}, commands.SetDie(die=7, colour="red")),
        ("dice/7", {"face": 1, "colour": "blue"}, commands.SetDie(die=7, face=1, colour="blue")),
        ("dice/7/strike", {}, commands.StrikeDie(die=7)),
        ("again", {}, commands.AskReading()),
        ("byhand", {"dice": {"Ana": [1, 2], "Ben": []}}, commands.CountByHand(dice={"Ana": [1, 2], "Ben": []})),
        ("next", {}, commands.OpenRound()),
        ("count", {"call": "calza"}, commands.AskCount(call="calza")),
        (
            "tell",
            {"call": "dudo", "caller": "Ben", "bidder": "Ana", "count": 5, "face": 4},
            commands.TellCall(call="dudo", caller="Ben", bidder="Ana", count=5, face=4),
        ),
        ("undo", {"step": 3}, commands.Undo(step=3)),
        ("redo", {"step": 3}, commands.Redo(step=3)),
        ("leave", {"player": "Ana"}, commands.LeaveGame(player="Ana", concede=False)),
        ("leave", {"player": "Ana", "concede": True}, commands.LeaveGame(player="Ana", concede=True)),
        ("back", {"player": "Ana"}, commands.ComeBack(player="Ana")),
        ("pause", {}, commands.Pause()),
        ("resume", {}, commands.Resume()),
        ("end", {}, commands.EndGame()),
    ],
)
def test_every_command_reaches_the_table_and_returns_the_new_state(
    client: FlaskClient, table: FakeTable, path: str, body: Any, command: commands.Command
) -> None:
    table.then[type(command)] = STATES["reading"]
    answer = post(client, path, body)
    assert (answer.status_code, answer.json["phase"], answer.json["version"]) == (200, "reading", 2)
    assert table.commands == [command]


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        ("bid", {"player": "Ana", "count": 5}, "missing required field `face`"),
        ("bid", {"player": "Ana", "count": 5, "face": 7}, "`int` <= 6 - at `$.face`"),
        ("bid", {"player": "Ana", "count": 0, "face": 4}, "`int` >= 1 - at `$.count`"),
        ("bid", {"player": "Ana", "count": True, "face": 4}, "got `bool` - at `$.count`"),
        ("bid", {"player": "Ana", "count": "5", "face": 4}, "got `str` - at `$.count`"),
        ("bid", {"player": "Ana", "count": 5.0, "face": 4}, "got `float` - at `$.count`"),
        ("bid", {"player": 3, "count": 5, "face": 4}, "got `int` - at `$.player`"),
        ("bid", {"player": "  ", "count": 5, "face": 4}, "length >= 1 - at `$.player`"),
        ("bid", {"player": "A" * 25, "count": 5, "face": 4}, "length <= 24 - at `$.player`"),
        ("bid", {"player": "A\u202en", "count": 5, "face": 4}, "cannot be shown"),
        ("bid", {"player": "A\ud800", "count": 5, "face": 4}, "cannot be read"),
        ("bid", {"player": "Ana", "count": 5, "face": 4, "secret": 1}, "unknown field `secret`"),
        ("bid", [], "Expected `object`, got `array`"),
        ("bid", "Ana", "Expected `object`, got `str`"),
        ("next", {"x": 1}, "unknown field `x`"),
        ("dudo", {"player": 1}, "got `int` - at `$.player`"),
        ("caller", {}, "missing required field `player`"),
        ("dice/1", {}, "Say what the die is"),
        ("dice/1", {"die": 2, "face": 3}, "die is in the address"),
        ("dice/1", {"face": None}, "got `null` - at `$.face`"),
        ("dice/1", {"colour": "pink"}, "red|"),
        ("dice", {"box": [1, 2, 0, 4], "face": 1, "colour": "red"}, "> 0.0 - at `$.box[2]`"),
        ("dice", {"box": [1, 2, 3], "face": 1, "colour": "red"}, "of length 4, got 3 - at `$.box`"),
        ("dice", {"box": [1, 2, 3, 10**400], "face": 1, "colour": "red"}, "out of range - at `$.box[3]`"),
        ("dice", {"box": [1, 2, 3, True], "face": 1, "colour": "red"}, "got `bool` - at `$.box[3]`"),
        ("game", {"players": "Ana", "ruleset": "x"}, "Expected `array`, got `str` - at `$.players`"),
        ("game", {"players": [{"name": "Ana"}], "ruleset": "x"}, "missing required field `colour` - at `$.players[0]`"),
        ("game", {"players": TWO, "ruleset": "x", "calza": 1}, "`bool`, got `int`"),
        ("game", {"players": TWO, "ruleset": "x", "starter": 1}, "got `int` - at `$.starter`"),
        ("byhand", {"dice": {"Ana": [7]}}, "`int` <= 6 - at `$.dice[...][0]`"),
        ("byhand", {"dice": {"Ana": [1] * 21}}, "length <= 20 - at `$.dice[...]`"),
        ("byhand", {"dice": {"Ana": [1], " Ana": [1]}}, "a name is there twice"),
        ("byhand", {"dice": [1]}, "Expected `object`, got `array` - at `$.dice`"),
    ],
)
def test_an_unreadable_body_is_refused(client: FlaskClient, table: FakeTable, path: str, body: Any, says: str) -> None:
    answer = post(client, path, body)
    assert answer.status_code == 400
    assert answer.json["error"] == "unreadable"
    assert says in answer.json["message"]
    assert table.commands == []


@pytest.mark.parametrize(
    ("data", "kind", "refusal"),
    [
        *[
            pytest.param(data, "application/json", (400, "unreadable"), id=f"{data[:10]!r}")
            for data in (b"", b"{", b"[" * 9000, b'{"x": NaN}', b"\xff", b"1" * 9000)
        ],
        *[(b"{}", kind, (415, "content_type")) for kind in ("text/plain", "application/x-www-form-urlencoded", None)],
        pytest.param(b'{"x": "' + b"y" * 17_000 + b'"}', "application/json", (413, "too_large"), id="long"),
    ],
)
def test_only_json_of_some_length_is_read(
    client: FlaskClient, table: FakeTable, data: bytes, kind: str | None, refusal: tuple[int, str]
) -> None:
    answer = client.post("/api/v1/next", data=data, content_type=kind)
    assert (answer.status_code, answer.json["error"]) == refusal
    assert set(answer.json) == {"error", "message"}
    assert table.commands == []


@pytest.mark.parametrize(
    ("refused", "status", "code", "message"),
    [
        (UnreadableCommandError("unknown-die", "There is no die 7."), 400, "unknown-die", "There is no die 7."),
        (BadRecordError("there is no ruleset {name}", name="x"), 400, "bad-record", "There is no ruleset x."),
        (NotAllowedNowError("wrong-phase", "Not now."), 409, "wrong-phase", "Not now."),
        (NotYourTurnError("it is {name}'s turn", name="Ben"), 409, "not-your-turn", "It is Ben's turn."),
        (JournalError("The disk is full."), 503, "journal", "The disk is full."),
    ],
)
def test_a_refusal_of_the_table_is_sent_in_its_own_words(
    client: FlaskClient, table: FakeTable, refused: Exception, status: int, code: str, message: str
) -> None:
    table.refuse = refused
    answer = post(client, "next", {})
    body = answer.json
    assert (body.pop("said", None) is not None) == (code == "not-your-turn")
    assert (answer.status_code, body) == (status, {"error": code, "message": message})


def test_an_unexpected_exception_is_answered_with_a_sentence_and_no_traceback(
    app: Flask, client: FlaskClient, table: FakeTable, caplog: pytest.LogCaptureFixture
) -> None:
    app.testing = False
    table.refuse = ZeroDivisionError("secret")
    answer = post(client, "next", {})
    assert (answer.status_code, answer.json["error"]) == (500, "internal")
    assert "secret" not in answer.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    "path", ["nothing", "/state", "state/", "dice/x", "dice/-1/strike", "", "pictures/..%2fstate.jpg"]
)
def test_an_unknown_address_is_reported_in_json(client: FlaskClient, method: str, path: str) -> None:
    answer = getattr(client, method)(f"/api/v1/{path}")
    assert answer.status_code in {404, 405}
    assert set(answer.json) == {"error", "message"}


def test_a_change_is_never_a_get(client: FlaskClient) -> None:
    answer = client.get("/api/v1/next")
    assert (answer.status_code, answer.json["error"]) == (405, "method")
    assert "POST" in answer.headers["Allow"]


def test_the_virtual_panel_is_pressed_and_released(client: FlaskClient, panel: FakePanel) -> None:
    for action in ("press", "release"):
        assert post(client, f"panel/dudo/{action}", {}).status_code == 200
    assert panel.pressed == [("dudo", "press"), ("dudo", "release")]
    assert post(client, "panel/bell/press", {}).status_code == 404
    assert post(client, "panel/dudo/hold", {}).status_code == 404


def test_a_real_panel_is_not_pressed_by_a_page(table: FakeTable, make_app: Callable[..., Flask]) -> None:
    answer = post(make_app(table).test_client().join(), "panel/dudo/press", {})
    assert (answer.status_code, answer.json["error"]) == (404, "not_found")


def test_a_judged_picture_is_cached_by_the_browser_for_ever(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "3.jpg").write_bytes(b"\xff\xd8picture")
    stream = client.get("/api/v1/events")
    run = stream.headers["X-Perudo-Run"]
    stream.close()
    answer = client.get(f"/api/v1/pictures/3.jpg?run={run}")
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/jpeg", b"\xff\xd8picture")
    assert "immutable" in answer.headers["Cache-Control"]
    answer.close()
    missing = client.get("/api/v1/pictures/4.jpg")
    assert (missing.status_code, missing.json["error"]) == (404, "not_found")
    assert missing.json["message"] == "This picture is not kept, or not any more."
    assert "immutable" not in missing.headers["Cache-Control"]


@pytest.mark.parametrize("name", ["3.jpg", "3-clip.jpg"])
def test_a_picture_is_not_shown_while_the_number_of_dice_is_hidden(
    client: FlaskClient, table: FakeTable, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(b"\xff\xd8picture")
    run = client.application.extensions["feed"].run
    table.show(replace(STATES["verdict-wrong"], open_lost=False))
    with client.get(f"/api/v1/pictures/{name}?run={run}") as answer:
        assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/jpeg", b"\xff\xd8picture")
        assert answer.headers["Cache-Control"] == "no-store", "shown now, and not cached"
    table.show(STATES["bidding-hidden"])
    answer = client.get(f"/api/v1/pictures/{name}?run={run}")
    assert (answer.status_code, answer.json["error"]) == (403, "hidden")
    assert answer.json["message"] == "How many dice lie under the cups is hidden now."


def test_the_dice_of_a_reading_are_cut_out_of_its_picture_for_who_may_see_it(
    client: FlaskClient, table: FakeTable, tmp_path: Path
) -> None:
    shown = STATES["verdict-wrong"]
    cv2.imwrite(str(tmp_path / "3.jpg"), table_picture())
    table.show(shown)
    ids = ",".join(str(die.id) for die in shown.reading.dice)
    answer = client.get(f"/api/v1/pictures/3/dice.jpg?dice={ids}")
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    strip = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert strip.shape == (96, 96 * len(shown.reading.dice), 3)
    middles = [tuple(map(int, strip[48, 96 * n + 36])) for n in range(len(shown.reading.dice))]
    for die, (blue, green, red) in zip(shown.reading.dice, middles, strict=True):
        assert {"red": red, "blue": blue}.get(die.colour, 255) > max(80, green), die
    assert len(answer.data) < 3000 * len(shown.reading.dice)
    for other in ("", "0", "0,0", ids + ",99", "x"):
        assert client.get(f"/api/v1/pictures/3/dice.jpg?dice={other}").status_code == 404
    assert client.get(f"/api/v1/pictures/2/dice.jpg?dice={ids}").status_code == 404
    (tmp_path / "3.jpg").write_bytes(b"no picture")
    table.show(replace(shown, reading=replace(shown.reading, dice=shown.reading.dice[:2])))
    assert client.get("/api/v1/pictures/3/dice.jpg?dice=0,1").status_code == 404
    table.show(replace(STATES["bidding-hidden"], reading=shown.reading))
    assert client.get(f"/api/v1/pictures/3/dice.jpg?dice={ids}").status_code == 403


def test_a_picture_from_before_a_restart_is_requested_again(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "3.jpg").write_bytes(b"\xff\xd8picture")
    for query in ("", "?run=0000"):
        answer = client.get(f"/api/v1/pictures/3.jpg{query}")
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer.headers["ETag"]
        answer.close()


def test_the_live_frame_is_a_small_jpeg(client: FlaskClient, camera: FakeCamera) -> None:
    answer = client.get("/api/v1/frame.jpg")
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    decoded = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert decoded.shape == (720, 960, 3)


@pytest.mark.parametrize("name", sorted(STATES))
def test_while_dice_may_lie_under_cups_only_the_hosts_phone_sees_the_table(
    app: Flask, client: FlaskClient, stranger: FlaskClient, table: FakeTable, name: str
) -> None:
    table.show(STATES[name])
    others = [stranger, app.test_client().join(seat="watching"), app.test_client().join()]
    closed = STATES[name].phase in ("bidding", "asking", "verdict")
    for other in others:
        answer = other.get("/api/v1/frame.jpg")
        assert answer.status_code == (403 if closed else 200)
        if closed:
            assert answer.json["error"] == "hidden"
            assert answer.json["said"], "a sentence that the page can translate"
    assert client.get("/api/v1/frame.jpg").status_code == 200, "so that the camera can be aimed"


def test_a_frame_asked_for_before_the_cups_were_down_is_not_shown_after(
    stranger: FlaskClient, table: FakeTable, camera: FakeCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.show(STATES["checking"])
    slow = camera.frame

    def frame(after: float = 0.0) -> Any:
        table.show(STATES["bidding"])
        return slow(after)

    monkeypatch.setattr(camera, "frame", frame)
    assert stranger.get("/api/v1/frame.jpg").status_code == 403


def test_many_phones_cost_one_frame_or_one_failure(client: FlaskClient, camera: FakeCamera, clock: FakeClock) -> None:
    camera.error = "The camera's cable is out."
    answer = client.get("/api/v1/frame.jpg")
    assert (answer.status_code, answer.json["message"]) == (503, "The camera's cable is out.")
    camera.error = None
    assert client.get("/api/v1/frame.jpg").status_code == 503
    assert camera.taken == 0
    clock.now += 1.1
    assert [client.get("/api/v1/frame.jpg").status_code for _ in range(5)] == [200] * 5
    assert camera.taken == 1
    clock.now += 0.11
    client.get("/api/v1/frame.jpg")
    assert camera.taken == 2


def test_where_something_keeps_moving_is_marked_in_the_picture(camera: FakeCamera, clock: FakeClock) -> None:
    pictures = [LiveFrame(camera, clock).get(), LiveFrame(camera, clock, lambda: (0.25, 0.5, 0.5, 0.25)).get()]
    plain, marked = (cv2.imdecode(np.frombuffer(each, np.uint8), cv2.IMREAD_COLOR) for each in pictures)
    assert marked is not None
    y, x = np.nonzero(cv2.absdiff(plain, marked).max(axis=-1) > 60)
    height, width = plain.shape[:2]
    corners = (x.min() / width, y.min() / height, x.max() / width, y.max() / height)
    assert corners == pytest.approx((0.25, 0.5, 0.75, 0.75), abs=0.05)


def test_nobody_queues_for_a_slow_camera(camera: FakeCamera, clock: FakeClock) -> None:
    live = LiveFrame(camera, clock)
    first = live.get()
    clock.now += 0.5
    waiting, go_on = threading.Event(), threading.Event()

    def slow(after: float = 0.0) -> Frame:
        waiting.set()
        assert go_on.wait(60)
        return Frame(camera.image[::2, ::2], clock())

    camera.frame = slow  # type: ignore[method-assign]
    slowly: list[bytes] = []
    thread = threading.Thread(target=lambda: slowly.append(live.get()))
    thread.start()
    assert waiting.wait(60)
    assert live.get() == first
    go_on.set()
    thread.join(60)
    assert slowly[0] != first


def test_only_some_wait_for_a_hanging_camera(
    camera: FakeCamera, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.pictures.MOST_FRAME_WAITING", 0)
    live = LiveFrame(camera, clock)
    hangs, go_on = threading.Event(), threading.Event()

    def hanging(after: float = 0.0) -> Frame:
        hangs.set()
        assert go_on.wait(60)
        return Frame(camera.image, clock())

    camera.frame = hanging  # type: ignore[method-assign]
    with ThreadPoolExecutor() as threads:
        first = threads.submit(live.get)
        assert hangs.wait(60)
        with pytest.raises(RequestError, match="has not answered"):
            live.get()  # at once
        go_on.set()
        assert first.result(30)


def test_the_choices_are_the_engines_own(client: FlaskClient) -> None:
    choices = client.get("/api/v1/choices").json
    assert [book["id"] for book in choices["rulesets"]] == list(RULESETS)
    assert (choices["ruleset"] in RULESETS, choices["open_lost"]) == (True, True)
    assert (choices["colours"][0], choices["players"]) == ("red", [2, 6])
    hasbro = next(book for book in choices["rulesets"] if book["id"] == "hasbro-1994")
    assert (hasbro["roll"], hasbro["open_lost"], hasbro["values"]["raises"]) == (True, False, "any-face")
    assert [rule["rule"] for rule in choices["rules"]] == list(RULE_FIELDS)
    assert all(rule["example"]["sentence"] and len(rule["values"]) >= 2 for rule in choices["rules"])


def test_the_health_check_reports_camera_and_journal(client: FlaskClient, table: FakeTable) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json["ok"]) == (200, True)
    table.show(STATES["reading-no-camera"])
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json["ok"]) == (503, False)
    assert "plugged in" in answer.json["reasons"][0]
    table.show(STATES["journal-full"])
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json["reasons"]) == (503, [STATES["journal-full"].journal.sentence])
    assert "the disk is full" in answer.json["reasons"][0]


def test_the_states_of_the_fakes_are_those_of_the_documentation() -> None:
    contract = (Path(__file__).parents[2] / "docs" / "reference" / "api.md").read_text()
    example = json.loads(contract.split("```json\n")[1].split("```")[0])
    for name in STATES:
        state = in_json(STATES[name])
        # House rules, robots, a club, bids and corrections are there only where there are some.
        assert set(state) - {"rules", "robots", "club", "bids", "corrections"} == set(example) - {
            "bids",
            "corrections",
        }, name
        for part in ("call", "reading", "verdict", "asking", "waiting", "camera", "panel"):
            if state[part] is not None:
                assert set(state[part]) - {"said"} == set(example[part]), (name, part)
