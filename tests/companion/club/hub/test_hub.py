"""Tables, a broker and a hub together: what happens at a table is in the books, once, whoever was away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.member.connection import Connection
from companion.member.events import EventFold
from companion.member.outbox import journal_lines
from companion.member.payloads import EventKey
from tests.companion.club.club_world import ClubWorld, Member
from tests.fakes.club_store import stored_keys
from tests.wait import wait_until

pytestmark = pytest.mark.programs("mosquitto")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ClubWorld]:
    with ClubWorld(tmp_path) as made:
        yield made


def keys(member: Member) -> list[EventKey]:
    """What the journal says was to be told."""
    fold = EventFold(member.id)
    return [each.key for line in journal_lines(member.folder, 0) for each in fold.step(line, ())]


def in_the_books(world: ClubWorld, member: Member) -> bool:
    return stored_keys(world.hub.store, member.id) == keys(member)


def test_a_game_is_in_the_books_and_its_players_are_ranked(world: ClubWorld) -> None:
    table = world.member("window").connect()
    winner = table.played.play(1).winner
    wait_until(lambda: in_the_books(world, table))
    wait_until(lambda: world.hub.get("ranking")["players"])
    ranked = world.hub.get("ranking")["players"]
    assert ranked[0]["name"] == winner
    assert {each["name"] for each in ranked} == {"Ana", "Ben", "Cid"}
    assert all(each["provisional"] for each in ranked)


def test_a_hub_that_was_away_asks_for_what_it_missed(world: ClubWorld) -> None:
    table = world.member("window").connect()
    table.played.play(1)
    wait_until(lambda: in_the_books(world, table))
    world.hub.close()
    table.played.play(1)
    world.hub = type(world.hub)(world.folder / "hub", world.broker)
    wait_until(lambda: in_the_books(world, table))
    wait_until(lambda: len(world.hub.get("games")["games"]) == 2)


def test_a_hub_whose_backup_was_put_back_gets_again_what_it_lost(world: ClubWorld) -> None:
    table = world.member("window").connect()
    table.played.play(1)
    wait_until(lambda: in_the_books(world, table))
    world.hub.close()
    backup = (world.folder / "hub" / "club.sqlite3").read_bytes()
    world.hub = type(world.hub)(world.folder / "hub", world.broker)
    table.played.play(1)
    wait_until(lambda: in_the_books(world, table))
    world.hub.close()
    for path in (world.folder / "hub").glob("club.sqlite3*"):
        path.unlink()
    (world.folder / "hub" / "club.sqlite3").write_bytes(backup)
    world.hub = type(world.hub)(world.folder / "hub", world.broker)
    wait_until(lambda: in_the_books(world, table))


def test_the_lobby_shows_each_table(world: ClubWorld) -> None:
    window = world.member("window").connect()
    world.member("door", "Dora", "Eve").connect()
    window.played.act()
    wait_until(lambda: [each["state"] is not None for each in world.hub.get("tables")["tables"]] == [True, True])
    wait_until(lambda: world.hub.get("tables")["tables"][1]["state"]["phase"] == "bidding")
    door, shown = world.hub.get("tables")["tables"]
    assert (door["name"], shown["name"]) == ("door", "window")
    assert [(each["name"], each["dice"]) for each in shown["state"]["players"]] == [("Ana", 5), ("Ben", 5), ("Cid", 5)]
    window.disconnect()
    wait_until(lambda: not world.hub.get("tables")["tables"][1]["online"])


def test_only_those_who_agreed_are_named(world: ClubWorld) -> None:
    table = world.member("window", consent=("Ben",)).connect()
    table.played.play(1)
    wait_until(lambda: in_the_books(world, table))
    wait_until(lambda: world.hub.get("games")["games"])
    assert [each["name"] for each in world.hub.get("games")["games"][0]["players"]] == ["(red)", "Ben", "(green)"]
    assert [each["name"] for each in world.hub.get("ranking")["players"]] == ["Ben"]


def test_what_is_no_message_of_a_table_is_left_alone(world: ClubWorld, caplog: pytest.LogCaptureFixture) -> None:
    table = world.member("window").connect()
    evil = Connection(world.broker, client_id="t-evil")
    evil.open(lambda *_: None, lambda _: None)
    wait_until(evil.client.is_connected)
    for kind, payload in (
        ("event", b"nonsense"),
        ("state", b'{"version": -1}'),
        ("online", b"\xff"),
        (
            "event",
            b'{"run":"1-a","seq":1,"before":null,"at":"","what":{"event":"void","game":"t-door.1-a/1","round":1}}',
        ),
    ):
        evil.publish(f"perudo/v1/{world.hub.hub.club}/t/t-evil/{kind}", payload, qos=1)
    evil.close()
    table.played.play(1)
    wait_until(lambda: in_the_books(world, table))
    assert stored_keys(world.hub.store, "t-evil") == []
    assert "t-evil sends what cannot be read" in caplog.text
