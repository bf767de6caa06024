"""What a table may say: nothing that a page or a terminal could not show."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import asdict

from companion.club.hub.tables import LobbyFeed
from companion.member.payloads import EventMessage, Online, PayloadError, decode, encode
from tests.fakes.club_records import club_record

RECORD = club_record("t-1.a/10", "Ana", "Zoë")


def spoilt(**changes: Any) -> bytes:
    what = {**json.loads(encode(RECORD)), **changes}
    return json.dumps({"run": "a", "seq": 10, "before": None, "at": "2026-11-24T19:30:00Z", "what": what}).encode()


def players(name: str) -> list[dict[str, Any]]:
    return [{**asdict(RECORD.players[0]), "name": name}, asdict(RECORD.players[1])]


def test_a_record_is_read() -> None:
    assert decode(spoilt(), EventMessage).what == RECORD
    for name in ("José", "(red)", "नि\u200dता", "Ana-Lena O'Hara"):
        assert decode(spoilt(players=players(name)), EventMessage).what.players[0].name == name


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "t-1.a/10\n"},
        {"game": "t-1.a/10 "},
        {"began": "2026\x1b[31m"},
        {"ruleset": "book\u202e"},
        {"record": [["\x07"]]},
        *(
            {"players": players(name)}
            for name in ("Ana\n", " Ana", "A\u202ena", "A\x00na", "\u200dAna", "A" * 25, "\u0301")
        ),
    ],
    ids=str,
)
def test_what_cannot_be_shown_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(PayloadError):
        decode(spoilt(**changes), EventMessage)


@pytest.mark.parametrize("run", ["a\n", "", "a b"])
def test_a_run_has_no_line_end(run: str) -> None:
    with pytest.raises(PayloadError):
        decode(spoilt().replace(b'"run": "a"', b'"run": ' + json.dumps(run).encode()), EventMessage)


def test_a_tables_name_can_be_shown() -> None:
    with pytest.raises(PayloadError):
        decode(json.dumps({"online": True, "name": "Door\u202e"}).encode(), Online)


def test_a_table_has_the_name_under_which_it_joined() -> None:
    feed = LobbyFeed()
    feed.know("t-1", "Window")
    for table, said in (("t-1", "Door"), ("t-2", "Window"), ("t-3", "Cellar"), ("t-3", "Attic")):
        feed.set_online(table, Online(online=True, name=said))
    assert {each.table: each.name for each in feed.tables()} == {"t-1": "Window", "t-2": "t-2", "t-3": "Cellar"}
