"""The books on disk: every event once, in whatever order and however often it comes."""

from __future__ import annotations

import random
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from companion.club.books.books import proven
from companion.club.hub.books import ClubBooks
from companion.club.hub.store import DATABASE_FILE, INVITATION_HOURS, METADATA, Store
from companion.member.errors import ClubError, NotAllowedInClubError
from companion.member.invitation import parse_invitation
from companion.member.payloads import Acknowledgement, EventKey, EventMessage
from companion.messages.message import Message
from tests.companion.member.test_outbox import messages
from tests.fakes.club_records import club_record
from tests.fakes.club_store import stored_keys


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path)
    yield made
    made.close()


def test_events_are_taken_once_from_each_table_and_acknowledged(store: Store) -> None:
    first, second, third = messages(3)
    taken = store.take([("t-1", first), ("t-1", second), ("t-1", first)])
    assert [message for _, message in taken.new] == [first, second]
    taken = store.take([("t-1", second), ("t-1", third)])
    assert [message for _, message in taken.new] == [third]
    assert taken.acks == {"t-1": Acknowledgement(key=third.key)}
    assert stored_keys(store, "t-1") == [first.key, second.key, third.key]
    assert len(store.take([("t-2", each) for each in (first, second, third)]).new) == 3, "of the same numbers"


def test_an_event_whose_forerunner_is_missing_is_asked_for_again(store: Store) -> None:
    first, _, third = messages(3)
    store.take([("t-1", first)])
    taken = store.take([("t-1", third)])
    assert taken.new == ()
    assert taken.acks == {"t-1": Acknowledgement(key=first.key, missing=True)}


def test_a_table_that_lost_its_last_evening_begins_another_branch(store: Store) -> None:
    """A backup was put back: what was in the books stays, what is new is added."""
    old, restored = messages(4), messages(2)
    store.take([("t-1", each) for each in old])
    new = messages(2, run="2-b")
    new[0] = type(new[0])(run="2-b", seq=0, before=restored[-1].key, at="", what=new[0].what)
    taken = store.take([("t-1", each) for each in (*restored, *new)])
    assert [message for _, message in taken.new] == new
    assert stored_keys(store, "t-1") == [each.key for each in (*old, *new)]


def test_the_books_are_there_after_a_restart(tmp_path: Path) -> None:
    every = messages(3)
    first = Store(tmp_path)
    first.take([("t-1", each) for each in every])
    first.close()
    again = Store(tmp_path)
    assert again.cursors() == {"t-1": EventKey("1-a", 2)}
    assert again.take([("t-1", every[2])]).new == ()
    again.close()


def test_an_invitation_is_for_one_table(store: Store) -> None:
    invitation = store.invite("http://10.0.0.1:8080", random.Random(1))
    assert parse_invitation(str(invitation)) == invitation
    assert store.invitation_secret(invitation.id) == invitation.secret
    store.admit(invitation.id, "t-1", "Window")
    store.admit(invitation.id, "t-1", "Window")  # the answer was lost
    with pytest.raises(NotAllowedInClubError, match="has been used"):
        store.admit(invitation.id, "t-1", "Window", heard=True)  # somebody has listened, and sends the same once more
    with pytest.raises(NotAllowedInClubError, match="Every table needs one of its own"):
        store.admit(invitation.id, "t-2", "Door")
    assert store.members() == {"t-1": "Window"}


def test_nobody_takes_another_tables_place(store: Store) -> None:
    first, second = (store.invite("http://10.0.0.1:8080", random.Random(n)) for n in (1, 2))
    store.admit(first.id, "t-1", "Window")
    with pytest.raises(NotAllowedInClubError, match="in the club already"):
        store.admit(second.id, "t-1", "Thief")
    store.remove("t-1")
    store.admit(second.id, "t-1", "Window")


def test_a_game_that_cannot_be_read_does_not_count_and_keeps_nothing_from_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(tmp_path)
    for n in range(3):
        record = club_record(f"t-1.a/{n}", "Ana", "Ben")
        store.take([("t-1", EventMessage(run="a", seq=n, before=None, at="", what=record))])
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
        database.execute("UPDATE event SET body = '{' WHERE seq = 1")
        database.commit()
    assert [each.record.game for each in store.records()] == ["t-1.a/0", "t-1.a/2"]
    assert store.record("t-1", "t-1.a/1") is None
    assert "cannot be read" in caplog.text
    store.close()


@pytest.mark.parametrize(
    ("damage", "again"),
    [
        ("UPDATE proven_places SET version = version", 0),
        ("UPDATE proven_places SET version = version + 1", 2),
        ("UPDATE proven_places SET places = '[7]' WHERE event = 2", 1),
        ("DELETE FROM proven_places", 2),
    ],
)
def test_the_lines_of_a_record_are_replayed_once(
    store: Store, tmp_path: Path, damage: str, again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [club_record("t-1.a/1", "Ana", "Ben"), club_record("t-1.a/2", "Ana", "Cid", "Ben")]
    for number, record in enumerate(records):
        said = replace(record, places=(("Ben",),))
        store.take([("t-1", EventMessage(run="a", seq=number, before=None, at="", what=said))])
    assert [each.record for each in store.records()] == records
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
        database.execute(damage)
        database.commit()
    counted = Mock(side_effect=proven)
    monkeypatch.setattr("companion.club.hub.store.proven", counted)
    for _ in range(2):
        assert [each.record for each in store.records()] == records
    assert counted.call_count == again
    store.remove("t-1", games=True)
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
        assert database.execute("SELECT * FROM proven_places").fetchall() == []


def test_a_table_does_not_say_who_has_won(store: Store) -> None:
    record = club_record("t-1.a/1", "Ana", "Ben")
    said = EventMessage(run="a", seq=1, before=None, at="", what=replace(record, places=(("Ben",), ("Ana",))))
    store.take([("t-1", said)])
    at_once = ClubBooks(Store(Path(), "sqlite://"))
    at_once.extend([("t-1", said.what)])
    for books in (at_once, ClubBooks(store)):
        (result,) = books.games()
        assert {player.name: player.place for player in result.players} == {"Ana": 1, "Ben": 2}


def test_an_invitation_expires(tmp_path: Path) -> None:
    now = [datetime(2026, 11, 24, tzinfo=UTC)]
    store = Store(tmp_path, now=lambda moved: (now[0] + moved).isoformat(timespec="milliseconds"))
    invitation = store.invite("http://10.0.0.1:8080", random.Random(1))
    now[0] += timedelta(hours=INVITATION_HOURS, seconds=1)
    with pytest.raises(NotAllowedInClubError, match="Ask for a new one"):
        store.invitation_secret(invitation.id)
    store.close()


def test_a_database_that_cannot_be_used_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "club.sqlite3").write_bytes(b"no database" * 1000)
    with pytest.raises(ClubError, match="database cannot be used"):
        Store(tmp_path)
    with pytest.raises(ClubError, match="database cannot be used"):
        Store(tmp_path, f"sqlite:///{tmp_path}/nowhere/club.sqlite3")


def test_only_the_folder_of_its_own_file_is_shut_to_others(tmp_path: Path) -> None:
    for url, mode in ((f"sqlite:///{tmp_path}/elsewhere.sqlite3", 0o755), (None, 0o700)):
        tmp_path.chmod(0o755)
        Store(tmp_path, url).close()
        assert stat.S_IMODE(tmp_path.stat().st_mode) == mode


@pytest.mark.parametrize("url", ["books", "postgresql+nothing://x/y", "postgresql+psycopg://hub:sec@ret@host:port/y"])
def test_a_url_that_is_none_is_a_sentence_without_its_password(tmp_path: Path, url: str) -> None:
    with pytest.raises(ClubError, match=r"A database's URL is .*\.$") as refused:
        Store(tmp_path, url)
    assert "ret@host" not in str(refused.value)


def test_books_that_cannot_be_written_are_a_sentence(store: Store, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
        for table in METADATA.tables:
            database.execute(f"DROP TABLE {table}")
    for write in (
        lambda: store.take([("t-1", messages(1)[0])]),
        lambda: store.invite("http://10.0.0.1:8080", random.Random(1)),
        lambda: store.admit("1a2b3c4d", "t-1", "Window"),
        lambda: store.remove("t-1"),
        lambda: store.set("title", "The Crown"),
        lambda: store.add_tournament_events(1, [b"{}"]),
    ):
        with pytest.raises(ClubError, match=r"^The club's books cannot be written: no such table: \w+\.$") as refused:
            write()
        assert isinstance(refused.value.sentence, Message)


def test_settings_are_made_once(store: Store) -> None:
    assert store.setting("club", lambda: "one") == "one"
    assert store.setting("club", lambda: "two") == "one"
    store.set("club", "three")
    assert store.setting("club", lambda: "four") == "three"
