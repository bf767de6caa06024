"""What managers do to the club: tables that go, and names in the books."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.member.connection import Connection
from companion.member.errors import NotAllowedInClubError
from companion.member.invitation import JoinClub, proof
from companion.member.topics import TableTopics, hub_topic
from tests.companion.club.club_manager import ClubManager
from tests.companion.club.club_world import ClubWorld
from tests.wait import wait_until

pytestmark = pytest.mark.programs("mosquitto")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ClubWorld]:
    with ClubWorld(tmp_path) as made:
        yield made


def ranked(world: ClubWorld) -> set[str]:
    return {each["name"] for each in world.hub.get("ranking")["players"]}


def kept(world: ClubWorld, table: str) -> list[str]:
    """The topics of a table of which the broker keeps a message."""
    heard: list[str] = []
    club = world.hub.hub.club
    guest = Connection(world.broker, client_id="guest")

    def up(there: bool) -> None:
        if there:
            guest.subscribe(f"{TableTopics(club, table).base}/#")
            guest.subscribe(hub_topic(club))

    guest.open(lambda topic, _: heard.append(topic), up)
    wait_until(lambda: hub_topic(club) in heard)
    guest.close()
    return heard[:-1]


def test_only_a_manager_does_it(world: ClubWorld) -> None:
    client = world.hub.client
    assert client.get("/api/v1/names").status_code == 403
    assert client.post("/api/v1/names", json={"name": "Ana", "wanted": ""}).status_code == 403
    assert client.post("/api/v1/tables/t-window/remove", json={}).status_code == 403


def test_a_table_that_is_taken_out_is_in_the_lobby_no_longer_and_its_games_stay(world: ClubWorld) -> None:
    table = world.member("window").connect()
    table.played.play(1)
    wait_until(lambda: world.hub.get("games")["games"])
    table.disconnect()
    wait_until(lambda: not world.hub.get("tables")["tables"][0]["online"])
    phone = ClubManager(world.hub.client)
    assert phone.post("tables/t-window/remove", {})["tables"] == []
    assert phone.post("tables/t-window/remove", {}, 409)["message"] == "The club has no table t-window."
    wait_until(lambda: kept(world, "t-window") == [])
    world.hub.restart()
    assert world.hub.get("tables")["tables"] == []
    assert len(world.hub.get("games")["games"]) == 1


@pytest.mark.parametrize("games", [False, True])
def test_a_table_that_was_taken_out_is_not_listened_to_until_it_joins_again(world: ClubWorld, games: bool) -> None:
    table = world.member("window").connect()
    table.played.play(1)
    wait_until(lambda: world.hub.get("games")["games"])
    before = 0 if games else 1
    ClubManager(world.hub.client).post("tables/t-window/remove", {"games": games})
    table.played.play(1)  # this broker has no passwords, and the table is still connected
    table.disconnect()
    table.connect()
    world.hub.restart()
    world.member("door", "Dora", "Eve").connect().played.play(1)
    wait_until(lambda: len(world.hub.get("games")["games"]) > before)
    assert [each["table"] for each in world.hub.get("games")["games"]] == ["t-door", *["t-window"] * before]
    assert [each["name"] for each in world.hub.get("tables")["tables"]] == ["door"]
    world.admit(table)
    table.disconnect()
    table.connect()
    wait_until(lambda: len(world.hub.get("games")["games"]) == 3)  # each once
    assert [each["name"] for each in world.hub.get("tables")["tables"]] == ["door", "window"]


def test_a_table_goes_with_its_games(world: ClubWorld) -> None:
    table = world.member("window").connect()
    table.played.play(1)
    door = world.member("door", "Dora", "Eve").connect()
    door.played.play(1)
    wait_until(lambda: len(world.hub.get("games")["games"]) == 2)
    game = world.hub.get("games?table=t-window")["games"][0]["game"]
    phone = ClubManager(world.hub.client)
    phone.post("tables/t-window/count", {"counts": False})
    phone.post("tables/t-window/remove", {"games": True})
    for _ in range(2):
        assert ranked(world) == {"Dora", "Eve"}
        assert [each["table"] for each in world.hub.get("games")["games"]] == ["t-door"]
        assert world.hub.client.get(f"/api/v1/games/{game}").status_code == 404
        assert world.hub.client.get("/api/v1/players/Ana").status_code == 404
        assert world.hub.get("club")["left_out"] == [], "should it join again, its games count"
        world.hub.restart()


def test_all_games_of_a_table_are_left_out_also_those_to_come_until_they_count_again(world: ClubWorld) -> None:
    table = world.member("window", "Ana", "Ben").connect()
    table.played.play(2)
    world.member("door", "Dora", "Eve").connect().played.play(1)
    wait_until(lambda: len(world.hub.get("games")["games"]) == 3)
    before = world.hub.get("ranking")
    client, path = world.hub.client, "tables/t-window/count"
    assert client.post(f"/api/v1/{path}", json={"counts": False}).status_code == 403
    phone = ClubManager(client)
    first = world.hub.get("games?table=t-window")["games"][1]["game"]
    assert phone.post(path, {"counts": False})["left_out"] == ["t-window"]
    assert ranked(world) == {"Dora", "Eve"}
    refused = phone.post(f"games/{first}/count", {"counts": True}, 409)["message"]
    assert refused == "No game of this table counts. On the page of its games, count them all again first."
    world.hub.restart()
    table.played.play(1)
    wait_until(lambda: len(world.hub.get("games?table=t-window")["games"]) == 3)
    assert [each["result"]["left_out"] for each in world.hub.get("players/Ana")["played"]] == [True] * 3
    assert ranked(world) == {"Dora", "Eve"}
    phone = ClubManager(world.hub.client)
    latest = world.hub.get("games?table=t-window")["games"][0]["game"]
    phone.post(f"games/{latest}/count", {"counts": False})
    phone.post("tables/t-window/remove", {})  # what a manager said of its games holds all the same
    assert world.hub.get("club")["left_out"] == ["t-window"]
    assert phone.post(path, {"counts": True})["left_out"] == []
    assert world.hub.get("ranking") == before, "the game that was left out by itself still is"
    assert phone.post("tables/t-7/count", {"counts": False}, 409)["message"] == "The club has no table t-7."


def test_two_spellings_become_one_player_also_after_a_restart_and_in_games_to_come(world: ClubWorld) -> None:
    world.member("window", "Ana", "Ben").connect().played.play(1)
    door = world.member("door", "Anna", "Dora", seed=2).connect()
    door.played.play(1)
    wait_until(lambda: ranked(world) == {"Ana", "Ben", "Anna", "Dora"})
    assert ClubManager(world.hub.client).post("names", {"name": "Anna", "wanted": "Ana"})["names"] == {"Anna": "Ana"}
    assert ranked(world) == {"Ana", "Ben", "Dora"}
    assert len(world.hub.get("players/Ana")["played"]) == 2
    world.hub.restart()
    door.played.play(1)
    wait_until(lambda: len(world.hub.get("games")["games"]) == 3)
    assert ranked(world) == {"Ana", "Ben", "Dora"}
    assert ClubManager(world.hub.client).post("names", {"name": "Anna", "wanted": "Anna"})["names"] == {}
    assert ranked(world) == {"Ana", "Ben", "Anna", "Dora"}


def test_a_game_is_left_out_until_it_counts_again_and_a_name_that_is_taken_out_is_nowhere(world: ClubWorld) -> None:
    table = world.member("window", "Ana", "Ben").connect()
    table.played.play(1)
    wait_until(lambda: ranked(world) == {"Ana", "Ben"})
    game = world.hub.get("games")["games"][0]["game"]
    assert world.hub.client.post(f"/api/v1/games/{game}/count", json={"counts": False}).status_code == 403
    phone = ClubManager(world.hub.client)
    assert phone.post(f"games/{game}/count", {"counts": False})["result"]["left_out"]
    assert ranked(world) == set()
    world.hub.restart()
    assert ranked(world) == set()
    phone = ClubManager(world.hub.client)
    assert not phone.post(f"games/{game}/count", {"counts": True})["result"]["left_out"]
    assert ranked(world) == {"Ana", "Ben"}
    assert phone.post("games/t-1.a/7/count", {"counts": True}, 409)["message"] == "This club has no such game."
    phone.post("names", {"name": "Ana", "wanted": ""})
    assert ranked(world) == {"Ben"}
    client = world.hub.client
    assert client.get("/api/v1/players/Ana").status_code == 404
    for path in ("games", f"games/{game}", f"reviews/{game}", "players/Ben", "ranking"):
        assert "Ana" not in client.get(f"/api/v1/{path}").get_data(as_text=True), path
    assert world.hub.get("games?player=Ana")["games"] == []


def test_two_tables_have_two_names(world: ClubWorld) -> None:
    world.member("window").connect()
    wait_until(lambda: world.hub.get("tables")["tables"])
    invitation = world.hub.hub.invite("http://127.0.0.1:8100")
    said = JoinClub(invitation.id, "t-0000000a", "window", "0" * 64).said()
    asked = JoinClub(invitation.id, "t-0000000a", "window", proof(invitation.secret, *said))
    with pytest.raises(NotAllowedInClubError, match="Another table of the club is called window"):
        world.hub.hub.join(asked)
