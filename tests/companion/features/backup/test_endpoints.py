"""`/api/v1/box/backup.zip` and `/api/v1/box/restore`: what the host's phone gets, and nobody else."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.box.restart import Restart
from companion.features.backup.service import Backups
from companion.table.journal.saved_games import saved_games
from tests.fakes.clock import FakeClock
from tests.fakes.played_box import played_box
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from vision.image_file import LARGEST_PHOTO
from web.stream.server import make_server

BINARY = "application/octet-stream"


@pytest.fixture
def restart() -> Restart:
    return Restart()


@pytest.fixture
def backups(tmp_path: Path, clock: FakeClock, restart: Restart) -> Backups:
    played_box(tmp_path / "state")
    return Backups(tmp_path / "state", program="0.1.0", name=lambda: "attic", restart=restart, clock=clock)


@pytest.fixture
def app(table: FakeTable, backups: Backups, make_app: Callable[..., Flask]) -> Flask:
    table.show(STATES["seating"])
    return make_app(table, backups=backups)


@pytest.fixture
def host(client: FlaskClient) -> FlaskClient:
    return client


@pytest.fixture
def guest(app: Flask, host: FlaskClient) -> FlaskClient:
    return app.test_client().join(seat="table")  # type: ignore[attr-defined, no-any-return]


def post(phone: FlaskClient, path: str, **body: object) -> Any:
    return phone.post(f"/api/v1/box/{path}", json=body)


def taken(phone: FlaskClient, query: str = "") -> bytes:
    with contextlib.closing(phone.get(f"/api/v1/box/backup.zip{query}")) as answer:
        assert answer.status_code == 200
        return bytes(answer.get_data())


def send(phone: FlaskClient, data: bytes, of: int = 1, number: int = 1, **more: Any) -> Any:
    where = f"/api/v1/box/restore/abcdefgh?of={of}&number={number}"
    return phone.post(where, **{"data": data, "content_type": BINARY, **more})


def test_the_host_takes_the_box_away_as_one_file(host: FlaskClient, backups: Backups) -> None:
    answer = host.get("/api/v1/box/backup.zip")
    assert answer.status_code == 200
    assert answer.mimetype == "application/zip"
    assert "filename=perudo-attic-" in answer.headers["Content-Disposition"]
    assert answer.headers["Cache-Control"] == "no-store"
    data = answer.get_data()
    answer.close()
    assert answer.content_length == len(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert "access.json" not in archive.namelist()
    with zipfile.ZipFile(io.BytesIO(taken(host, "?secrets=1"))) as archive:
        assert "access.json" in archive.namelist()


def test_what_is_made_first_is_what_is_taken(host: FlaskClient, backups: Backups) -> None:
    assert post(host, "backup", secrets=False).get_json()["backup"]["step"] in ("making", "idle")
    backups.wait()
    now = host.get("/api/v1/box").get_json()["backup"]
    assert (now["step"], now["trouble"]) == ("idle", None)
    answer = host.get("/api/v1/box/backup.zip")
    answer.close()
    assert answer.content_length == now["file"]["bytes"]
    assert now["file"]["name"] in answer.headers["Content-Disposition"]


PATHS = [
    ("backup", {"secrets": False}),
    ("backup/cancel", {}),
    ("backup/back", {}),
    ("restore", {"rename": False, "configure": False}),
]


@pytest.mark.parametrize(("path", "body"), PATHS)
def test_only_the_hosts_phone_may(guest: FlaskClient, path: str, body: dict[str, object], backups: Backups) -> None:
    answer = post(guest, path, **body)
    assert (answer.status_code, answer.get_json()["error"]) == (403, "not-host")
    assert send(guest, b"x").get_json()["error"] == "not-host"
    backups.wait()
    assert backups.state().file is None


def test_a_stranger_gets_no_file(stranger: FlaskClient, guest: FlaskClient) -> None:
    assert stranger.get("/api/v1/box/backup.zip").status_code == 401
    assert guest.get("/api/v1/box/backup.zip?secrets=1").status_code == 403


def test_a_backup_is_sent_offered_and_put_in_place(host: FlaskClient, backups: Backups, restart: Restart) -> None:
    data = taken(host)
    half = len(data) // 2
    assert send(host, data[:half], 2, 1).get_json()["backup"]["step"] == "arriving"
    assert send(host, data[half:], 2, 2).status_code == 200
    backups.wait()
    offer = host.get("/api/v1/box").get_json()["backup"]["offer"]
    assert (offer["description"]["games"], offer["description"]["name"]) == (2, "attic")
    answer = post(host, "restore", rename=False, configure=False)
    assert (answer.status_code, answer.get_json()["backup"]["step"]) == (200, "restarting")
    assert restart.due


def test_nothing_is_restored_during_a_game(
    host: FlaskClient, table: FakeTable, backups: Backups, restart: Restart
) -> None:
    send(host, taken(host))
    backups.wait()
    table.show(STATES["bidding"])
    for path, body in (("restore", {"rename": False, "configure": False}), ("backup/back", {})):
        answer = post(host, path, **body)
        assert (answer.status_code, answer.get_json()["error"]) == (409, "wrong-phase")
    assert not restart.due
    assert taken(host), "but a backup is made"
    backups.wait()
    table.show(STATES["over"])
    assert post(host, "restore", rename=False, configure=False).status_code == 200


def test_refusals_are_sentences(host: FlaskClient, backups: Backups) -> None:
    answer = post(host, "restore", rename=False, configure=False)
    assert (answer.status_code, answer.get_json()["error"]) == (409, "not-now")
    assert answer.get_json()["message"].endswith(".")
    assert post(host, "backup/back").get_json()["error"] == "not-now"
    send(host, b"no backup")
    backups.wait()
    trouble = host.get("/api/v1/box").get_json()["backup"]["trouble"]
    assert trouble["said"][0]["msgid"] == "This file is not a backup of a Perudo box."
    assert post(host, "backup/cancel").get_json()["backup"]["trouble"] is None


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("abcdefgh?of=0&number=1", 400),
        ("abcdefgh?of=1&number=2", 400),
        ("abcdefgh?of=5000&number=1", 400),
        ("abcdefgh", 400),
        ("..%2f..%2fx?of=1&number=1", 404),
        ("short?of=1&number=1", 400),
    ],
)
def test_a_piece_that_is_none_is_refused(app: Flask, host: FlaskClient, query: str, status: int) -> None:
    answer = host.post(f"/api/v1/box/restore/{query}", data=b"x", content_type=BINARY)
    assert answer.status_code == status


def test_a_piece_has_a_type_and_a_length(host: FlaskClient, backups: Backups) -> None:
    assert send(host, b"x", content_type="text/plain").get_json()["error"] == "content_type"
    assert send(host, b"").get_json()["error"] == "unreadable"
    assert send(host, bytes(LARGEST_PHOTO + 1)).get_json()["error"] == "too_large"
    assert send(host, bytes(LARGEST_PHOTO), 2).status_code == 200
    assert backups.state().step == "arriving"


def test_over_the_real_server(app: Flask, backups: Backups, tmp_path: Path) -> None:
    """The server lets a piece's long body in; a backup leaves it in pieces."""
    with (
        make_server(app, "127.0.0.1", 0) as server,
        contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as phone,
    ):
        ask: Callable[..., Any] = phone.request
        ask("POST", "/api/v1/join", json.dumps({"code": "1234"}), {"Content-Type": "application/json"})
        bearer = {"Authorization": f"Bearer {json.loads(phone.getresponse().read())['token']}"}
        ask("GET", "/api/v1/box/backup.zip", headers=bearer)
        data = phone.getresponse().read()
        (tmp_path / "backup.zip").write_bytes(data)
        padded = data + bytes(LARGEST_PHOTO - len(data)) if len(data) < LARGEST_PHOTO else data
        headers = {**bearer, "Content-Type": BINARY, "Idempotency-Key": "12345678"}
        ask("POST", "/api/v1/box/restore/abcdefgh?of=2&number=1", padded[:LARGEST_PHOTO], headers)
        answer = phone.getresponse()
        assert (answer.status, json.loads(answer.read())["backup"]["step"]) == (200, "arriving")
        ask("POST", "/api/v1/box/restore/abcdefgh?of=1&number=1", data, {**headers, "Idempotency-Key": "12345679"})
        assert json.loads(phone.getresponse().read())["backup"]["step"] in ("arriving", "checking", "offered")
        backups.wait()
        assert backups.state().step == "offered"
        assert len(saved_games(tmp_path / "state/restore.draft/state")) == 2
