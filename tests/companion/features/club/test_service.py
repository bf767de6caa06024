"""A table's place in a club: joining and leaving while it runs, and a game that waits for nobody."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.config.sections import ClubConfig
from companion.features.club import service as table_club
from companion.features.club.service import TableClub
from companion.member import connection
from companion.member.errors import ClubError
from companion.member.membership import Membership, read_membership, write_membership
from companion.member.payloads import Assignment
from companion.messages.message import Message
from tests.companion.club.club_world import ClubHub, ClubWorld
from tests.companion.club.mosquitto import mosquitto
from tests.fakes.club_table import ClubTable
from tests.wait import wait_until

pytestmark = pytest.mark.programs("mosquitto")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ClubWorld]:
    with ClubWorld(tmp_path) as made:
        yield made


@pytest.fixture
def played(tmp_path: Path) -> Iterator[ClubTable]:
    """A table in no club."""
    with closing(ClubTable(tmp_path, ("Ana", "Ben"), random.Random(1), trouble=0.0)) as table:
        yield table


@pytest.fixture
def club(tmp_path: Path, played: ClubTable) -> Iterator[TableClub]:
    with closing(TableClub(tmp_path, played.table, ClubConfig(), random.Random(1))) as club:
        yield club


def online(world: ClubWorld) -> list[bool]:
    """Whether each table is there, as the lobby has it."""
    return [each["online"] for each in world.hub.get("tables")["tables"]]


def names_in_the_lobby(world: ClubWorld) -> list[str]:
    """The players, once the lobby shows that a game has begun."""
    shown = [each["state"] for each in world.hub.get("tables")["tables"]]
    return [player["name"] for state in shown if state and state["phase"] == "bidding" for player in state["players"]]


def test_a_game_waits_for_no_broker_that_is_not_there(tmp_path: Path, played: ClubTable, club: TableClub) -> None:
    nowhere = Membership(club="club-1", title="Club", table="t-1", name="Window", broker="mqtt://127.0.0.1:9")
    write_membership(tmp_path, nowhere)
    club.follow()
    assert played.play(1).winner is not None
    shown = played.table.state().club
    assert shown is None or not shown.online
    assert (club.state().title, club.state().online, club.state().refused) == ("Club", False, False)


def test_a_table_that_is_told_while_it_runs_joins_and_leaves(world: ClubWorld, tmp_path: Path) -> None:
    """`perudo club join` writes the file; nothing is started anew."""
    table = world.member("window")
    membership = read_membership(table.folder)
    assert membership is not None
    club = TableClub(table.folder, table.played.table, ClubConfig(), random.Random(1))
    club.follow()
    wait_until(lambda: (now := table.played.table.state().club) is not None and now.online)
    wait_until(lambda: online(world) == [True])
    club.leave()
    assert table.played.table.state().club is None
    assert club.state().title == ""
    wait_until(lambda: online(world) == [])
    world.admit(table)
    write_membership(table.folder, membership)
    club.follow()
    wait_until(lambda: online(world) == [True])
    club.close()


def test_who_agrees_is_named_from_then_on(world: ClubWorld) -> None:
    table = world.member("window", consent=())
    table.connect()
    table.played.act()
    wait_until(lambda: any(each["state"] for each in world.hub.get("tables")["tables"]))
    kept = table.desk._consent
    table.desk.set_names(("Ana",))
    assert table.desk._consent is kept, "two that write one file would lose what the other has written"

    def names() -> list[str]:
        state = world.hub.get("tables")["tables"][0]["state"]
        return [each["name"] for each in state["players"]]

    wait_until(lambda: names() == ["Ana", "(blue)", "(green)"])
    assert table.desk.state().names == ("Ana",)


def test_after_a_restart_a_new_hub_gets_the_names_of_then(world: ClubWorld) -> None:
    table = world.member("window", consent=()).connect()
    table.desk.set_names(("Ana",))
    table.played.play(1)
    table.desk.set_names(())
    table.close()
    world.hub.close()
    world.hub = ClubHub(world.folder / "another", world.broker)
    table.played = ClubTable(table.folder, ("Ana", "Ben", "Cid"), table.rng, trouble=0.0)
    table.disconnect()
    table.connect()
    wait_until(lambda: world.hub.get("games")["games"])
    assert [each["name"] for each in world.hub.get("games")["games"][0]["players"]] == ["Ana", "(blue)", "(green)"]


def test_an_assignment_is_written_down_and_the_connection_stays(world: ClubWorld) -> None:
    table = world.member("window", consent=()).connect()
    publisher = table.desk._publisher
    world.hub.hub.assign(table.id, Assignment(tournament="Cup", round="Round 1", players=("Ana",)))
    wait_until(lambda: (now := table.played.table.state().club) is not None and now.assignment)
    assert b'"Ana"' in (table.folder / "consent.json").read_bytes()
    table.desk.follow()
    assert table.desk._publisher is publisher


def test_names_that_cannot_be_kept_are_not_agreed(world: ClubWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise ClubError("The disk is full.")

    table = world.member("window", consent=()).connect()
    with monkeypatch.context() as patched:
        patched.setattr(table_club, "write_membership", full)
        with pytest.raises(ClubError, match="The disk is full"):
            table.desk.set_names(("Ana",))
    table.played.act()
    wait_until(lambda: names_in_the_lobby(world))
    assert names_in_the_lobby(world) == ["(red)", "(blue)", "(green)"]


def test_a_title_names_nobody(world: ClubWorld) -> None:
    """In no club is who has its id, not who has no title."""
    table = world.member("window", consent=())
    write_membership(table.folder, replace(table.membership, title=""))
    table.connect()
    table.played.act()
    wait_until(lambda: names_in_the_lobby(world))
    assert names_in_the_lobby(world) == ["(red)", "(blue)", "(green)"]
    assert table.desk.state().title == world.hub.hub.club


def test_a_table_that_joins_by_another_invitation_leaves_its_old_place(world: ClubWorld) -> None:
    table = world.member("window").connect()
    write_membership(table.folder, replace(table.membership, table="t-door", name="door"))
    table.desk.follow()
    wait_until(lambda: [each["table"] for each in world.hub.get("tables")["tables"]] == ["t-door"])


def test_a_broker_that_refuses_the_table_is_no_broker_that_is_away(tmp_path: Path, club: TableClub) -> None:
    with mosquitto(tmp_path / "broker", "allow_anonymous false\n") as broker:
        taken_out = Membership(club="club-1", title="Club", table="t-1", name="Window", broker=str(broker))
        write_membership(tmp_path, replace(taken_out, username="t-1", password="old"))
        club.follow()
        wait_until(lambda: club.state().refused)
        assert not club.state().online


def test_a_spoilt_file_is_in_the_log_and_the_game_goes_on(
    tmp_path: Path, played: ClubTable, club: TableClub, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "club.json").write_text("{")
    club.follow()
    assert "club.json cannot be read" in caplog.text
    assert played.play(1).winner is not None
    with pytest.raises(ClubError, match="An invitation is an address") as refused:
        club.join("nonsense", "Window")
    assert isinstance(refused.value.sentence, Message)


def test_without_the_part_for_clubs_a_table_says_so_once_and_plays(
    tmp_path: Path,
    played: ClubTable,
    club: TableClub,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_club, "has_club_part", lambda: False)
    write_membership(tmp_path, Membership(club="club-1", title="Club", table="t-1", name="Window", broker="mqtt://h"))
    for _ in range(3):
        club.follow()
    assert caplog.text.count("The part for clubs is not installed") == 1
    assert not club.state().online
    assert played.play(1).winner is not None


def test_a_table_in_no_club_refuses_what_needs_one(club: TableClub) -> None:
    club.follow()
    for act in (club.leave, lambda: club.set_names(("Ana",))):
        with pytest.raises(ClubError, match="in no club"):
            act()


def test_at_home_a_broker_is_enough(world: ClubWorld, tmp_path: Path) -> None:
    """No club: everybody is named, and Home Assistant finds the table; its id stays over restarts."""
    heard: dict[str, bytes] = {}
    world.hub.connection._heard = heard.__setitem__
    world.hub.connection.subscribe("homeassistant/#")
    world.hub.connection.subscribe("perudo/v1/home/#")
    played = ClubTable(tmp_path / "home", ("Ana", "Ben"), random.Random(1), trouble=0.0)
    config = ClubConfig(home_assistant=True, broker=str(world.broker))
    for _ in range(2):
        club = TableClub(tmp_path / "home", played.table, config, random.Random(1))
        club.follow()
        wait_until(lambda: any(topic.startswith("homeassistant/device/perudo-home-") for topic in heard))
        played.act()
        wait_until(lambda: any(topic.endswith("/home") and b"Ana" in payload for topic, payload in heard.items()))
        club.close()
    assert len([topic for topic in heard if topic.startswith("homeassistant/device/")]) == 1
    assert played.table.state().club is None, "the players are in no club"
    played.close()


def test_two_boxes_at_one_place_know_it_as_does_the_lobby(world: ClubWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "TAKEN_OVER_DELAY", 1)
    first = world.member("window").connect()
    assert not first.desk.state().taken_over
    copied = world.member("copied", seed=2)
    write_membership(copied.folder, first.membership)  # of the same card
    copied.connect()
    wait_until(lambda: first.desk.state().taken_over and copied.desk.state().taken_over)
    wait_until(lambda: [each["taken_over"] for each in world.hub.get("tables")["tables"]] == [True])
    copied.close()
    wait_until(lambda: first.desk.state().online)
    assert first.desk.state().taken_over
    monkeypatch.setattr(connection, "TAKEN_OVER_SECONDS", 0.0)  # they have passed
    wait_until(lambda: [each["taken_over"] for each in world.hub.get("tables")["tables"]] == [False])
    assert not first.desk.state().taken_over
