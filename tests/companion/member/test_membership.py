"""A table joins by an invitation, whatever answers."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.member.errors import ClubError
from companion.member.invitation import LONGEST_CLUB_TITLE, Admission, ClubInvitation, JoinClub, proof
from companion.member.membership import Membership, join_club, read_membership, write_membership
from tests.fakes.club_table import ClubTable

SECRET = "0" * 32


class QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that has read enough is no error."""


class AnyHub:
    """It knows the invitation's secret, and answers what the test wants."""

    def __init__(self) -> None:
        self.asked: list[JoinClub] = []
        self.club, self.title, self.authority, self.lost = "club-1", "Club", "", 0
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hub.asked.append(msgspec.json.decode(body, type=JoinClub))
                hub.lost -= 1
                if hub.lost < 0:
                    content = msgspec.json.encode(hub.admission(hub.asked[-1].table))
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)

            def log_message(self, *_: object) -> None: ...

        self.server = QuietServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def admission(self, table: str) -> Admission:
        found = Admission(
            club=self.club,
            title=self.title,
            broker="mqtt://:1883",
            authority=self.authority,
            username="u",
            proof="0" * 64,
        )
        return replace(found, proof=proof(SECRET, *found.said(table)))

    def invite(self) -> ClubInvitation:
        return ClubInvitation(f"http://127.0.0.1:{self.server.server_port}", "1a2b3c4d", SECRET)


@pytest.fixture
def hub() -> Iterator[AnyHub]:
    made = AnyHub()
    yield made
    made.server.shutdown()
    made.server.server_close()


def join(hub: AnyHub, folder: Path, since: int = 0) -> Membership:
    return join_club(hub.invite(), folder, "Window", random.Random(since), since)


def test_the_second_try_after_a_lost_answer_is_the_same_table(hub: AnyHub, tmp_path: Path) -> None:
    hub.lost = 1
    with pytest.raises(ClubError):
        join(hub, tmp_path)
    assert read_membership(tmp_path) is None
    membership = join(hub, tmp_path, 1)
    assert [each.table for each in hub.asked] == [membership.table] * 2
    assert membership == read_membership(tmp_path)


def test_what_was_played_before_is_not_for_the_club(hub: AnyHub, tmp_path: Path) -> None:
    write_membership(tmp_path, replace(join(hub, tmp_path, 70), consent=("Ana",)))
    again = join(hub, tmp_path, 90)
    assert (again.since, again.consent) == (90, ("Ana",))
    hub.club = "club-2"
    elsewhere = join(hub, tmp_path, 150)
    assert (elsewhere.since, elsewhere.consent) == (150, ()), "nobody was asked about this club"


def test_at_the_command_line_the_journal_says_what_was_played(hub: AnyHub, tmp_path: Path) -> None:
    table = ClubTable(tmp_path, ("Ana", "Ben"), random.Random(1))
    table.play(1)
    row = table.table.last_row()
    table.close()
    assert join_club(hub.invite(), tmp_path, "Window", random.Random(1)).since == row > 0
    (tmp_path / "journal.sqlite3").write_text("This is no journal, but a text.")
    with pytest.raises(ClubError, match="cannot be read"):
        join_club(hub.invite(), tmp_path, "Window", random.Random(1))


@pytest.mark.parametrize("spoil", ["no title", "long title", "huge", "home"])
def test_a_hub_that_is_none_is_refused(hub: AnyHub, tmp_path: Path, spoil: str) -> None:
    """In the club of the id "home" everybody would be named."""
    hub.title = {"no title": "", "long title": "T" * (LONGEST_CLUB_TITLE + 1)}.get(spoil, "Club")
    hub.authority = "A" * 3_000_000 if spoil == "huge" else ""
    hub.club = "home" if spoil == "home" else "club-1"
    with pytest.raises(ClubError):
        join(hub, tmp_path)
    assert read_membership(tmp_path) is None


def read_again(folder: Path, **spoilt: str) -> Membership | None:
    written = Membership(club="club-1", title="Club", table="t-1", name="Window", broker="mqtt://127.0.0.1")
    write_membership(folder, replace(written, **spoilt))
    return read_membership(folder)


@pytest.mark.parametrize(("title", "read"), [("T" * 1000, "T" * LONGEST_CLUB_TITLE), ("", "club-1"), (" \n", "club-1")])
def test_an_older_file_with_any_title_can_be_read(tmp_path: Path, title: str, read: str) -> None:
    found = read_again(tmp_path, title=title)
    assert found.title == read


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 200_000, b"{}"])
def test_a_file_that_cannot_be_read_is_spoilt(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "club.json").write_bytes(content)
    with pytest.raises(ClubError, match="cannot be read"):
        read_membership(tmp_path)


def test_a_file_that_names_no_club_is_spoilt(tmp_path: Path) -> None:
    with pytest.raises(ClubError, match="names no club"):
        read_again(tmp_path, club="home")


def test_an_older_file_tells_all_that_was_played(tmp_path: Path) -> None:
    (tmp_path / "club.json").write_text(
        '{"club": "club-1", "title": "Club", "table": "t-1", "name": "Window", "broker": "mqtt://x", "more": 1}'
    )
    found = read_membership(tmp_path)
    assert found.since == 0
