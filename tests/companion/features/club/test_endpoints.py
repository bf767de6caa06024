"""The club on the page of the box: only the host's phone joins, names and leaves; a refusal is a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fakes.club_desk import USED_UP, FakeClubDesk
from tests.fakes.table import FakeTable

JOIN = {"address": "http://192.168.1.5/join/1a2b3c4d#0123456789abcdef0123456789abcdef", "name": "Window"}


@pytest.fixture
def club() -> FakeClubDesk:
    return FakeClubDesk()


@pytest.fixture
def app(table: FakeTable, club: FakeClubDesk, make_app: Callable[..., Any]) -> Any:
    return make_app(table, club=club)


def test_the_hosts_phone_joins_names_and_leaves(app: Any) -> None:
    host = app.test_client().join(seat="table")
    none = {"title": "", "table": "", "online": False, "refused": False, "taken_over": False, "names": []}
    assert host.get("/api/v1/box").json["club"] == none
    assert host.post("/api/v1/box/club", json=JOIN).json["club"]["title"] == "Zur Kanne"
    named = host.post("/api/v1/box/club/names", json={"names": ["Ana", " Élise "]}).json["club"]
    assert named == none | {"title": "Zur Kanne", "table": "Window", "online": True, "names": ["Ana", "Élise"]}
    assert host.post("/api/v1/box/club/leave", json={}).json["club"]["title"] == ""


def test_a_refusal_of_the_club_is_a_sentence(app: Any) -> None:
    host = app.test_client().join(seat="table")
    host.post("/api/v1/box/club", json=JOIN)
    answer = host.post("/api/v1/box/club", json=JOIN)
    assert (answer.json["error"], answer.json["message"]) == ("club", USED_UP)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [("Ana", "got `str` - at `$.names`"), ([1], "got `int` - at `$.names[0]`"), (["\n"], "length >= 1")],
)
def test_what_is_no_list_of_names_is_not_read(app: Any, names: object, sentence: str) -> None:
    host = app.test_client().join(seat="table")
    answer = host.post("/api/v1/box/club/names", json={"names": names})
    assert answer.status_code == 400
    assert sentence in answer.json["message"]


def test_nobody_else_changes_anything(app: Any, club: FakeClubDesk) -> None:
    app.test_client().join(seat="table")
    guest = app.test_client().join(seat="table")
    for path, body in (("", JOIN), ("/names", {"names": []}), ("/leave", {})):
        assert app.test_client().post(f"/api/v1/box/club{path}", json=body).status_code == 401
        assert guest.post(f"/api/v1/box/club{path}", json=body).json["error"] == "not-host"
    assert club.joined == []
