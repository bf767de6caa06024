"""Pictures from phones, over HTTP: what is taken, once, and what is refused."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Callable
from unittest.mock import Mock

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from calibration.image import jpeg
from companion.camera.photos import MOST_PER_ROUND, Photos
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from vision.image_file import LARGEST_PHOTO
from web.stream.server import make_server

PICTURE = jpeg(np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8), 90)
READING = STATES["reading"]
ROUND = READING.round
HERE = f"/api/v1/photos/dice?set=abcdefgh&round={ROUND}"


def resized(data: bytes, width: int, height: int) -> bytes:
    """The picture with another size in its header."""
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + height.to_bytes(2, "big") + width.to_bytes(2, "big") + data[at + 9 :]


@pytest.fixture
def photos() -> Photos:
    return Photos()


@pytest.fixture
def app(table: FakeTable, photos: Photos, make_app: Callable[..., Flask]) -> Flask:
    """The dice are to be read."""
    table.show(READING)
    return make_app(table, photos=photos)


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    return app.test_client().join(seat="Ana")  # type: ignore[attr-defined, no-any-return]


def test_a_picture_is_taken_and_counts_once_however_often_it_is_sent(phone: FlaskClient, photos: Photos) -> None:
    wanted = (READING.game, ROUND or 0)
    for again in (False, True):
        answer = phone.post(HERE, data=PICTURE, content_type="image/jpeg", headers={"Idempotency-Key": "12345678"})
        assert (answer.status_code, answer.headers.get("X-Perudo-Again") == "1") == (200, again)
        assert photos.take(wanted) == (() if again else (PICTURE,))


def test_a_request_decodes_no_picture(phone: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cv2.imdecode", Mock(side_effect=AssertionError("the reader decodes it, once")))
    assert phone.post(HERE, data=PICTURE, content_type="image/jpeg").status_code == 200


def test_the_pictures_of_a_set_are_read_together(phone: FlaskClient, photos: Photos) -> None:
    for number in (2, 1):
        assert photos.take((READING.game, ROUND or 0)) == ()
        answer = phone.post(f"{HERE}&of=2&number={number}", data=PICTURE + b"%d" % number, content_type="image/jpeg")
        assert answer.status_code == 200
    assert photos.take((READING.game, ROUND or 0)) == (PICTURE + b"1", PICTURE + b"2")


@pytest.mark.parametrize(
    ("data", "kind", "query", "refused"),
    [
        (b"GIF89a", "image/gif", "", (415, "content_type")),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "image/jpeg", "", (400, "bad-photo")),
        (b"", "image/jpeg", "", (400, "bad-photo")),
        (b"\x00\x00\x00\x18ftypheic" + bytes(40), "image/jpeg", "", (400, "bad-photo")),
        (PICTURE[: len(PICTURE) // 2], "image/jpeg", "", (400, "bad-photo")),
        (PICTURE[:300], "image/jpeg", "", (400, "bad-photo")),
        (resized(PICTURE, 40_000, 40_000), "image/jpeg", "", (413, "too_large")),
        (PICTURE + bytes(LARGEST_PHOTO), "image/jpeg", "", (413, "too_large")),
        (PICTURE, "image/jpeg", "&of=7", (400, "unreadable")),
        (PICTURE, "image/jpeg", "&of=2&number=3", (400, "unreadable")),
        (PICTURE, "image/jpeg", "&set=!", (400, "unreadable")),
    ],
    ids=[
        *("gif", "png", "empty", "heic", "truncated", "only a head", "bomb", "large"),
        *("too many", "no such number", "no set"),
    ],
)
def test_what_is_no_picture_of_the_dice_is_refused(
    phone: FlaskClient, photos: Photos, data: bytes, kind: str, query: str, refused: tuple[int, str]
) -> None:
    address = f"/api/v1/photos/dice?round={ROUND}{query}" + ("" if "set" in query else "&set=abcdefgh")
    answer = phone.post(address, data=data, content_type=kind)
    assert (answer.status_code, answer.json["error"]) == refused
    assert answer.json["message"].startswith("The box cannot read HEIC pictures") is (b"ftypheic" in data)
    assert photos.take((READING.game, ROUND or 0)) == ()


def test_a_picture_is_taken_only_of_a_round_whose_dice_are_to_be_read(phone: FlaskClient, table: FakeTable) -> None:
    for state, address in (
        (READING, f"/api/v1/photos/dice?set=abcdefgh&round={(ROUND or 0) + 1}"),
        (READING, HERE.replace("dice", "before")),
        (STATES["bidding"], f"/api/v1/photos/dice?set=abcdefgh&round={STATES['bidding'].round}"),
    ):
        table.show(state)
        answer = phone.post(address, data=PICTURE, content_type="image/jpeg")
        assert (answer.status_code, (answer.json or {})["error"]) == (409, "late-photo")


def test_the_table_before_the_cups_go_up_may_be_taken_too(phone: FlaskClient, table: FakeTable, photos: Photos) -> None:
    table.show(STATES["bidding"])
    of = STATES["bidding"]
    answer = phone.post(f"/api/v1/photos/before?set=abcdefgh&round={of.round}", data=PICTURE, content_type="image/jpeg")
    assert answer.status_code == 200
    assert photos.before((of.game, of.round or 0)) == (PICTURE,)
    assert photos.before((of.game, (of.round or 0) + 1)) == ()


def test_strangers_send_nothing_and_a_round_has_so_many_pictures(phone: FlaskClient, photos: Photos) -> None:
    stranger = FlaskClient(phone.application, phone.application.response_class)
    answer = stranger.post(HERE, data=PICTURE, content_type="image/jpeg")
    assert (answer.status_code, (answer.json or {})["error"]) == (401, "join-first")
    for _ in range(MOST_PER_ROUND):
        assert phone.post(HERE, data=PICTURE, content_type="image/jpeg").status_code == 200
    answer = phone.post(HERE, data=PICTURE, content_type="image/jpeg")
    assert (answer.status_code, (answer.json or {})["error"]) == (409, "too-many-photos")


def test_the_server_reads_long_pictures_only(app: Flask, photos: Photos, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = PICTURE + bytes(500_000)
    with make_server(app, "127.0.0.1", 0) as server:

        def post(path: str, data: bytes, *, size: int | None = None, **headers: str) -> tuple[int, dict[str, str]]:
            """Send a body, or only its head: a server that reads no body may close before it has come."""
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as connection:
                length = {} if size is None else {"Content-Length": str(size)}
                connection.request("POST", path, data, {"Idempotency-Key": "12345678", **headers, **length})
                answer = connection.getresponse()
                return answer.status, json.loads(answer.read())

        _, me = post("/api/v1/join", b'{"code": "1234"}', **{"Content-Type": "application/json"})
        auth = {"Authorization": f"Bearer {me['token']}", "Content-Type": "image/jpeg"}
        assert post("/api/v1/seat", b'{"role": "table"}', **{**auth, "Content-Type": "application/json"})[0] == 200
        auth["Idempotency-Key"] = "87654321"
        assert post(HERE, picture, **auth)[0] == 200
        assert photos.take((READING.game, ROUND or 0)) == (picture,)
        assert post(HERE, picture, **{"Content-Type": "image/jpeg"})[0] == 401
        tap = {**auth, "Content-Type": "application/json", "X-Perudo-Version": "1", "Idempotency-Key": "another-one"}
        assert post("/api/v1/next", b"", size=len(picture), **tap)[0] == 413
        monkeypatch.setattr("web.stream.server.MOST_PHOTO_BODIES", 0)
        status, refusal = post(HERE, b"", size=len(picture), **{**auth, "Idempotency-Key": "as-others-do"})
        assert (status, refusal["error"]) == (503, "busy")
        assert post(HERE, b"", size=LARGEST_PHOTO + 1, **auth)[0] == 413
