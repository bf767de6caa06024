"""The OpenAPI document has every address, and every answer follows it. `conftest.app` checks the answers of all other
tests against it too.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from companion import engine
from companion.table import Journal, State, Table
from companion.table.state.state import PublicPlayer
from tests.fakes.parts import box_parts
from tests.fakes.public_state import in_json
from tests.fakes.reader import laid_out
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.errors import REFUSALS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def document(client: FlaskClient) -> dict[str, Any]:
    return dict(client.get("/api/v1/openapi.json").json or {})


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in it."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(each)


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def test_the_document_has_exactly_the_addresses_there_are(app: Flask, document: dict[str, Any]) -> None:
    there = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) & {"GET", "POST", "PUT", "PATCH", "DELETE"}
        if rule.rule.startswith("/api/") or rule.rule in ("/healthz", "/metrics")
    }
    assert there == {(path, method) for path, method, _ in operations(document)}


def test_the_document_is_well_formed(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    for part in parts(document):
        if isinstance(part.get("$ref"), str):
            target: Any = document
            for step in part["$ref"].removeprefix("#/").split("/"):
                target = target[step]
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(names)) == len(names)
    tags = {tag["name"] for tag in document["tags"]}
    for path, _, operation in operations(document):
        assert set(operation["tags"]) <= tags
        expected = re.findall(r"{(\w+)}", path)
        documented = [each["name"] for each in operation.get("parameters", ()) if each.get("in") == "path"]
        assert documented == expected, path
    used = {part["$ref"] for part in parts(document) if isinstance(part.get("$ref"), str)}
    for kind in ("schemas", "responses", "parameters", "headers"):
        for name in document["components"][kind]:
            if name != "Presence":  # used by the stream, which OpenAPI describes only as text
                assert f"#/components/{kind}/{name}" in used, name


def test_every_change_needs_the_headers_of_the_documentation(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        headers = {each.get("$ref", "").rpartition("/")[2] for each in operation.get("parameters", ())} - {""}
        if method == "GET" or path == "/api/v1/join":
            assert headers == set()
            assert "security" not in operation
        else:
            seating = re.search("/(seat|phones|host|panel|calibration|photos|demo|box)", path) is not None
            assert headers == {"Csrf", "Key"} | (set() if seating else {"Version"}), path
            assert {"400", "401", "403", "409", "413", "415", "500"} <= set(operation["responses"])


def test_every_refusal_code_is_documented() -> None:
    listed = {word for _, says in REFUSALS.values() for word in re.findall(r"`([a-z_-]+)`", says)} | set(REFUSALS)
    raised = {
        kind.code
        for name in engine.__all__
        if isinstance(kind := getattr(engine, name), type) and issubclass(kind, engine.EngineError)
        if hasattr(kind, "code")
    }
    for path in (
        *(ROOT / "web").rglob("*.py"),
        *(ROOT / "companion" / "table").rglob("*.py"),
        *(ROOT / "companion" / "features").rglob("*.py"),
        *(ROOT / "companion" / "camera").glob("*.py"),
        *(ROOT / "companion" / "club" / "lobby").glob("*.py"),
    ):
        for call in ast.walk(ast.parse(path.read_text())):
            name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
            if name == "RequestError":
                codes = (keyword.value for keyword in call.keywords if keyword.arg == "code")
                raised |= {code.value for code in codes if isinstance(code, ast.Constant)}
            elif name in ("NotAllowedNowError", "UnreadableCommandError"):
                raised.add(call.args[0].value)  # type: ignore[attr-defined]
            elif path.name == "errors.py" and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                raised |= {each.value for each in call.args if isinstance(each, ast.Constant)} & {
                    "not-yours",
                    "journal",
                }
    raised |= {feature.refuses[1] for feature in box_parts(FakeTable(STATES["seating"])).features if feature.refuses}
    not_by_http = {"late-reading", "file-there", "folder-taken"}
    assert raised - not_by_http <= listed
    assert listed - raised <= {"unreadable", "not_found", "method", "too_large", "content_type", "internal", "refused",
                             "bad-player", "journal", "notice"}  # fmt: skip


@pytest.mark.parametrize("name", STATES)
def test_every_state_of_the_pictures_is_a_state(name: str, described: Any) -> None:
    assert described.mistakes(in_json(STATES[name]), {"$ref": "#/components/schemas/State"}) == []


def test_the_fields_of_a_state_are_the_documented_ones(document: dict[str, Any]) -> None:
    shape = document["components"]["schemas"]["State"]
    assert set(shape["properties"]) == set(State.__struct_fields__)
    assert set(shape["properties"]) - set(shape["required"]) == {"rules", "robots", "club", "bids", "corrections"}


def test_every_answer_of_a_game_is_as_described(tmp_path: Path, make_app: Callable[..., Flask], described: Any) -> None:
    """A game with a roll, a correction, calza, a count without bids, breaks, a player who leaves, and its end."""
    states: list[dict[str, Any]] = []

    class Listener:
        def put(self, state: State) -> None:
            states.append(in_json(state))

        def close(self) -> None:
            pass

    ticks = itertools.count(step=10)  # no calls are simultaneous
    with Table(Journal(tmp_path), clock=lambda: float(next(ticks))) as table:
        phone = make_app(table).test_client().join()
        table.attach(Listener())

        def do(path: str, **body: Any) -> dict[str, Any]:
            answer = phone.post(f"/api/v1/{path}", json=body)
            assert answer.status_code == 200, (path, answer.json)
            return dict(answer.json)

        def read(**dice: list[int]) -> None:
            request = table.reveal_wanted()
            table.take_reading(request.reveal, laid_out(dice), b"\xff\xd8a jpeg")

        colours = {"Ana": "red", "Ben": "blue", "Cid": "green"}
        company = [{"name": name, "colour": colour} for name, colour in colours.items()]
        do("game", players=company, ruleset="asmodee-fr", roll=True, dice={"Ana": 2, "Ben": 2, "Cid": 3})
        do("byhand", dice={"Ana": [6], "Ben": [2], "Cid": [3]})
        do("bid", player="Ana", count=2, face=4)
        do("pause")
        do("resume")
        assert phone.post("/api/v1/bid", json={"player": "Ana", "count": 1, "face": 4}).status_code == 409
        do("bid", player="Ben", count=3, face=4)
        step = do("dudo", player="Cid")["undo"]["step"]
        do("undo", step=step)
        do("redo", step=step)
        read(red=[4, 4], blue=[4], green=[2, 6, 6, 6])
        do("dice/0", face=5)
        do("dice/6/strike")
        assert do("dice", box=[10, 10, 20, 20], face=3, colour="blue")["phase"] == "verdict"
        assert do("byhand", dice={"Ana": [4, 4], "Ben": [4, 3], "Cid": [2, 2, 6]})["verdict"]["loses"] == "Cid"
        do("next")
        do("bid", player="Cid", count=2, face=5)
        do("bid", player="Ana", count=3, face=5)
        assert do("calza")["phase"] == "asking"
        do("caller", player="Ben")
        do("again")
        assert do("byhand", dice={"Ana": [5, 5], "Ben": [5, 2], "Cid": [2, 3]})["verdict"]["gains"] == "Ben"
        do("next")
        do("count", call="dudo")
        do("byhand", dice={"Ana": [2, 2], "Ben": [2, 2, 2], "Cid": [2, 2]})
        assert do("tell", call="dudo", caller="Cid", bidder="Ben", count=9, face=2)["verdict"]["loses"] == "Ben"
        do("next")
        do("leave", player="Cid")
        do("back", player="Cid")
        do("end")
        for address in ("state", "story", "choices", "rules", "rules?compare=web-fr", "me"):
            assert phone.get(f"/api/v1/{address}").status_code == 200
        phone.get("/healthz")
    assert len(states) > 25
    for state in states:
        assert described.mistakes(state, {"$ref": "#/components/schemas/State"}) == []


def test_the_events_of_the_stream_follow_the_document(client: FlaskClient, described: Any) -> None:
    answer = client.get("/api/v1/events", buffered=False)
    text = b"".join(itertools.islice(answer.response, 2)).decode()
    answer.close()
    events = dict(re.findall(r"event: (\w+)\n(?:id: .*\n)?data: (.*)\n", text))
    assert described.mistakes(json.loads(events["state"]), {"$ref": "#/components/schemas/State"}) == []
    assert described.mistakes(json.loads(events["seats"]), {"$ref": "#/components/schemas/Presence"}) == []


def test_names_are_text_everywhere(client: FlaskClient, table: FakeTable) -> None:
    name = "<b>Ana</b>&amp;"
    table.show(replace(STATES["bidding"], players=(PublicPlayer(name, "red", 5),)))
    assert client.post("/api/v1/seat", json={"role": "player", "player": name}).json["player"] == name
    answer = client.post("/api/v1/seat", json={"role": "player", "player": "<script>"})
    assert answer.content_type == "application/json"
    assert answer.json["message"] == "Nobody called <script> plays at this table."
