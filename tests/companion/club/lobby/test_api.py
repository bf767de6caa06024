"""The lobby's API: what it answers is what it says it answers; a table joins; who runs the tournaments."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from companion.club.lobby.document import ENDPOINTS, lobby_document
from companion.member.errors import ClubError, NotAllowedInClubError
from companion.member.invitation import ClubInvitation, JoinClub, parse_invitation, proof
from companion.member.membership import join_club, read_membership
from companion.messages.message import Message, parts_of
from companion.messages.sentence import json_bytes
from tests.companion.club.club_manager import ClubManager
from tests.companion.club.club_world import LOBBY, ClubWorld
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from tests.wait import wait_until
from web.access.access import Access
from web.access.invitation import qr_svg
from web.app import create_app
from web.errors import IDEMPOTENCY_KEY, REPEATED
from web.parts import Parts
from web.stream.server import Server, make_server

pytestmark = pytest.mark.programs("mosquitto")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ClubWorld]:
    with ClubWorld(tmp_path) as made:
        yield made


@pytest.fixture
def client(world: ClubWorld) -> FlaskClient:
    return world.hub.client


def mistakes(value: object, kind: str) -> list[str]:
    """Where an answer is not what the OpenAPI document says."""
    document = lobby_document()
    schema = {"$ref": f"#/components/schemas/{kind}", "components": document["components"]}
    return [each.message for each in Draft202012Validator(schema).iter_errors(value)]


def played(world: ClubWorld) -> str:
    table = world.member("window").connect()
    table.played.play(1)
    wait_until(lambda: world.hub.get("games")["games"])
    return str(world.hub.get("games")["games"][0]["game"])


def test_every_answer_is_as_described(world: ClubWorld, client: FlaskClient) -> None:
    game = played(world)
    opened = ClubManager(client).open_tournament()
    named = {"{path:name}": "Ana", "{path:game}": game, "{int:tournament}": str(opened)}
    for each in ENDPOINTS:
        if each.method == "GET":
            path = each.path
            for field, value in named.items():
                path = path.replace(field, quote(value))
            answer = client.get(f"/api/v1/{path}")
            assert answer.status_code == 200, (path, answer.get_data())
            assert mistakes(answer.json, each.answers.__name__) == [], path
    document = client.get("/api/v1/openapi.json").json
    assert document["paths"]["/games/{game}"]["get"]["parameters"][0]["name"] == "game"


def test_the_document_has_exactly_the_addresses_there_are(client: FlaskClient) -> None:
    served = {
        (rule.rule, method)
        for rule in client.application.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/v1") and rule.rule not in ("/api/v1/openapi.json", "/api/v1/events")
    }
    assert served == {(each.rule, each.method) for each in ENDPOINTS}


def test_a_game_has_its_record_its_story_and_its_review(world: ClubWorld) -> None:
    game = played(world)
    answer = world.hub.get(f"games/{quote(game)}")
    assert answer["record"]["record"][0][0].startswith('{"event": "game"')
    assert answer["story"][0].startswith("Ana, Ben and Cid played by the rules of")
    review = world.hub.get(f"reviews/{quote(game)}")
    assert {each["name"] for each in review["players"]} == {"Ana", "Ben", "Cid"}


def test_games_of_a_table_and_of_a_player(world: ClubWorld) -> None:
    played(world)
    door = world.member("door", "Dora", "Ana", seed=2).connect()
    door.played.play(1)
    wait_until(lambda: len(world.hub.get("games")["games"]) == 2)
    assert [each["table"] for each in world.hub.get("games?table=t-door")["games"]] == ["t-door"]
    assert [each["table"] for each in world.hub.get("games?player=Ana")["games"]] == ["t-door", "t-window"]
    assert [each["table"] for each in world.hub.get("games?player=Ben")["games"]] == ["t-window"]
    assert world.hub.get("games?player=Nobody")["games"] == []


@pytest.mark.parametrize("path", ["games/t-1.1/1", "players/Nobody", "reviews/x", "nothing"])
def test_what_is_not_there_is_a_sentence(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 404
    assert mistakes(answer.json, "Refusal") == []


def test_another_name_of_the_host_is_refused(client: FlaskClient) -> None:
    """DNS rebinding."""
    assert client.get("/api/v1/tables", headers={"Host": "evil.example"}).status_code == 403
    shown = client.get("/", headers={"Host": "club.example", "Accept": "text/html"})
    assert (shown.status_code, f'<a href="{LOBBY}">' in shown.text) == (403, True)


def test_a_television_finds_the_lobby_as_it_finds_a_table_and_shows_a_code(client: FlaskClient) -> None:
    assert client.get("/board").headers["Location"] == "/?board"
    answer = client.get("/qr.svg", headers={"Host": "192.168.1.9:8100"})
    assert (answer.mimetype, answer.data) == ("image/svg+xml", qr_svg("http://192.168.1.9:8100/"))
    assert client.get("/qr.svg", headers={"Host": "localhost:8100"}).data == qr_svg(LOBBY), "which a phone reaches"


# Joining


@pytest.fixture
def served(world: ClubWorld) -> Iterator[Server]:
    with make_server(world.hub.client.application, "127.0.0.1", 0) as server:
        yield server


def test_a_table_joins_by_its_invitation_once(world: ClubWorld, served: Server, tmp_path: Path) -> None:
    invitation = world.hub.hub.invite(served.url.rstrip("/"))
    membership = join_club(invitation, tmp_path / "table", "Window", random.Random(1))
    assert read_membership(tmp_path / "table") == membership
    assert (membership.title, membership.broker) == ("Summer club", str(world.broker))
    again = join_club(invitation, tmp_path / "table", "Window", random.Random(2))
    assert again.table == membership.table, "an answer that was lost can be asked for again"
    with pytest.raises(NotAllowedInClubError, match="Every table needs one of its own"):
        join_club(invitation, tmp_path / "other", "Door", random.Random(3))
    assert read_membership(tmp_path / "other") is None


def test_an_invitation_that_was_not_copied_whole_is_refused(world: ClubWorld, served: Server, tmp_path: Path) -> None:
    invitation = world.hub.hub.invite(served.url.rstrip("/"))
    wrong = ClubInvitation(invitation.hub, invitation.id, "0" * 32)
    with pytest.raises(NotAllowedInClubError, match="copy all of it"):
        join_club(wrong, tmp_path / "table", "Window", random.Random(1))
    unknown = ClubInvitation(invitation.hub, "00000000", invitation.secret)
    with pytest.raises(NotAllowedInClubError, match="Ask for a new one"):
        join_club(unknown, tmp_path / "table", "Window", random.Random(1))
    join_club(invitation, tmp_path / "table", "Window", random.Random(1))


@pytest.mark.parametrize(
    "sentence",
    [
        Message("This invitation has been used. Every table needs one of its own."),
        Message("The broker refuses a credential for {user}: {reason}.", user="perudo.t-1", reason="Internal error"),
        Message.sequence(Message("The hub refuses ({status}).", status=7), Message("This table is in no club.")),
        "An older hub says this.",
    ],
)
def test_a_table_can_translate_what_the_hub_refuses(
    world: ClubWorld, served: Server, tmp_path: Path, sentence: str
) -> None:
    def refuse(_: JoinClub) -> NoReturn:
        raise NotAllowedInClubError(sentence)

    world.hub.hub.join = refuse  # type: ignore[method-assign]
    with pytest.raises(NotAllowedInClubError) as refused:
        join_club(world.hub.hub.invite(served.url.rstrip("/")), tmp_path / "table", "Window", random.Random(1))
    assert refused.value.sentence == sentence
    assert parts_of(refused.value.sentence) == parts_of(sentence)


def test_the_secret_of_an_invitation_is_in_no_request(world: ClubWorld, client: FlaskClient) -> None:
    invitation = world.hub.hub.invite("http://127.0.0.1:8100")
    said = JoinClub(invitation.id, "t-0000000a", "Window", "0" * 64).said()
    body = json_bytes(JoinClub(invitation.id, "t-0000000a", "Window", proof(invitation.secret, *said)))
    assert invitation.secret.encode() not in body
    answer = client.post("/api/v1/join", data=body, content_type="application/json")
    assert answer.status_code == 200
    assert mistakes(answer.json, "Admission") == []
    assert invitation.secret.encode() not in answer.get_data()


def test_somebody_else_in_the_hubs_place_is_noticed(served: Server, tmp_path: Path, world: ClubWorld) -> None:
    """Who answers must know the secret, too."""
    invitation = world.hub.hub.invite(served.url.rstrip("/"))
    world.hub.hub.title = "Another club"  # as somebody between the two would have it
    honest = world.hub.hub.join

    def forged(asked: JoinClub) -> object:
        answer = honest(asked)
        return type(answer)(
            **{name: getattr(answer, name) for name in answer.__struct_fields__} | {"broker": "mqtt://evil"}
        )

    world.hub.hub.join = forged  # type: ignore[method-assign,assignment]
    with pytest.raises(ClubError, match="is not the hub that wrote the invitation"):
        join_club(invitation, tmp_path / "table", "Window", random.Random(1))
    assert read_membership(tmp_path / "table") is None


def test_a_table_is_no_hub(tmp_path: Path) -> None:
    app = create_app(Parts(FakeTable(STATES["seating"]), access=Access(code="1234")))
    with make_server(app, "127.0.0.1", 0) as table:
        invitation = ClubInvitation(table.url.rstrip("/"), "00000000", "0" * 32)
        with pytest.raises(ClubError, match="is not a hub"):
            join_club(invitation, tmp_path, "Window", random.Random(1))


def test_nobody_answers(tmp_path: Path) -> None:
    with pytest.raises(ClubError, match="does not answer"):
        join_club(ClubInvitation("http://127.0.0.1:9", "00000000", "0" * 32), tmp_path, "Window", random.Random(1))


# Who runs the tournaments


def test_only_a_manager_changes_tournaments(client: FlaskClient) -> None:
    assert client.post("/api/v1/tournaments", json={"title": "Cup"}).status_code == 403
    phone = ClubManager(client)
    assert client.post("/api/v1/tournaments", json={"title": "Cup"}).json["error"] == "csrf"
    assert phone.post("tournaments", {"title": ""}, 400)["error"] == "unreadable"
    assert phone.post("tournaments", {"title": "Cup", "colour": "red"}, 400)["message"].startswith(
        "The body cannot be read"
    )
    number = phone.open_tournament()
    assert phone.post("tournaments/99/close", {}, 404)["error"] == "not_found"
    assert phone.post(f"tournaments/{number}/draw", {"round": 1}, 409)["said"] == [
        {"msgid": "A round needs {players} players or more.", "params": {"players": 3}}
    ]
    twice = phone.post(f"tournaments/{number}/join", {"names": ["Ana", "ana"]}, 400)
    assert twice["said"] == [{"msgid": "{player} is named twice.", "params": {"player": "ana"}}]


def test_a_change_with_a_key_counts_once(client: FlaskClient) -> None:
    phone = ClubManager(client)
    opened = phone.post("tournaments", {"title": "Cup"}, key="the-first-tap")
    assert phone.post("tournaments", {"title": "Cup"}, key="the-first-tap") == opened
    assert phone.post("tournaments", {"title": "Cup"}, key="another-tap")["tournament"] == 2
    for _ in range(2):
        assert phone.post("tournaments/1/join", {"names": ["Ana"]}, key="ana-joins")["entrants"] == {"Ana": True}
        assert phone.post("tournaments/1/draw", {"round": 1}, 409, key="too-early")["error"] == "club"
    assert phone.post("tournaments/1/join", {"names": ["Ben"]}, 400, key="ana-joins")["error"] == "idempotency-key"
    assert phone.post("tournaments", {"title": "Cup"}, 400, key="short")["error"] == "idempotency-key"
    assert phone.post("tournaments", {"title": "Cup"})["tournament"] == 3, "a program need not send one"
    again = client.post(
        "/api/v1/tournaments", json={"title": "Cup"}, headers={**phone.headers, IDEMPOTENCY_KEY: "the-first-tap"}
    )
    assert again.headers[REPEATED] == "1"
    assert again.headers["Cache-Control"] == "no-store"


def test_a_key_is_no_way_round_the_code(client: FlaskClient) -> None:
    sent = {"json": {"title": "Cup"}, "headers": {IDEMPOTENCY_KEY: "the-first-tap"}}
    assert client.post("/api/v1/tournaments", **sent).status_code == 403
    phone = ClubManager(client)
    phone.post("tournaments", {"title": "Cup"}, key="the-first-tap")
    assert client.post("/api/v1/tournaments", **sent).json["error"] == "csrf"


def test_a_round_is_drawn_shown_at_the_tables_played_and_counted(world: ClubWorld, client: FlaskClient) -> None:
    tables = {name: world.member(name, consent=(), seed=n).connect() for n, name in enumerate(("door", "window"))}
    wait_until(lambda: len(world.hub.get("tables")["tables"]) == 2)
    phone = ClubManager(client)
    number = phone.open_tournament(table_size=4, rounds=2)
    phone.post(f"tournaments/{number}/join", {"names": ["Ana", "Ben", "Cid", "Dora", "Eve", "Finn", "Gil", "Hana"]})
    drawn = phone.post(f"tournaments/{number}/draw", {"round": 1})
    assert mistakes(drawn, "TournamentAnswer") == []
    assert [each["table"] for each in drawn["rounds"][0]["tables"]] == ["t-door", "t-window"]
    for n, table in enumerate(tables.values()):
        wait_until(lambda table=table: (now := table.played.table.state().club) is not None and now.assignment)
        seated = drawn["rounds"][0]["tables"][n]["players"]
        assert list(table.played.table.state().club.assignment.players) == seated
        table.played.names = tuple(seated)
        table.played.play(1)
    wait_until(lambda: all(each["places"] for each in world.hub.get(f"tournaments/{number}")["rounds"][0]["tables"]))
    after = world.hub.get(f"tournaments/{number}")
    assert [each["score"] for each in after["standings"]][:2] == [1.0, 1.0]
    assert after["next"][0]["action"] == "draw"
    assert {each["name"] for each in world.hub.get("ranking")["players"]} == set(after["entrants"]), "they are named"
    wait_until(lambda: all(table.played.table.state().club.assignment is None for table in tables.values()))
    again = phone.post(f"tournaments/{number}/draw", {"round": 2})
    assert len(again["rounds"]) == 2


def test_a_name_is_taken_out_and_a_tournament_too(world: ClubWorld, client: FlaskClient) -> None:
    phone = ClubManager(client)
    assert [phone.open_tournament(table_size=4) for _ in range(2)] == [1, 2]
    phone.post("tournaments/2/join", {"names": ["Ana", "Bne", "Cid", "Dora"]})
    assert phone.post("tournaments/2/join/back", {"name": "Bne"})["entrants"] == dict.fromkeys(
        ["Ana", "Cid", "Dora"], True
    )
    phone.post("tournaments/1/join", {"names": ["Ana", "Cid", "Dora"]})
    phone.post("tournaments/1/draw", {"round": 1})
    assert "has been drawn already" in phone.post("tournaments/1/join/back", {"name": "Ana"}, 409)["message"]
    assert "A round has been drawn" in phone.post("tournaments/1/remove", {}, 409)["message"]
    left = phone.post("tournaments/2/remove", {})
    assert mistakes(left, "TournamentsAnswer") == []
    assert [each["tournament"] for each in left["tournaments"]] == [1]
    assert phone.post("tournaments/2/remove", {}, 404)["error"] == "not_found"
    assert phone.post("tournaments/2/join", {"names": ["Eve"]}, 404)["error"] == "not_found"
    world.hub.restart()
    phone = ClubManager(world.hub.client)
    assert [each["tournament"] for each in world.hub.get("tournaments")["tournaments"]] == [1]
    assert phone.open_tournament() == 3, "its number is not another's"


def test_who_did_not_play_is_said(client: FlaskClient) -> None:
    phone = ClubManager(client)
    number = phone.open_tournament(table_size=4)
    phone.post(f"tournaments/{number}/join", {"names": list("ABCD")})
    table = phone.post(f"tournaments/{number}/draw", {"round": 1})["rounds"][0]["tables"][0]
    assert table["absent"] == []
    away, *there = table["players"]
    body = {"round": 1, "table": 1, "places": [[name] for name in there], "absent": [away]}
    (after,) = phone.post(f"tournaments/{number}/result", body)["rounds"][0]["tables"]
    assert (after["players"], after["absent"]) == (there, [away])


def test_tables_can_be_given_other_numbers(world: ClubWorld, client: FlaskClient) -> None:
    for name in ("door", "window"):
        world.member(name).connect()
    wait_until(lambda: len(world.hub.get("tables")["tables"]) == 2)
    phone = ClubManager(client)
    number = phone.open_tournament(table_size=4)
    phone.post(f"tournaments/{number}/join", {"names": list("ABCDEFGH")})
    phone.post(f"tournaments/{number}/draw", {"round": 1})
    placed = phone.post(f"tournaments/{number}/tables", {"tables": ["t-window", "t-door"]})
    assert [each["table"] for each in placed["rounds"][0]["tables"]] == ["t-window", "t-door"]
    assert "no table t-moon" in phone.post(f"tournaments/{number}/tables", {"tables": ["t-moon"]}, 409)["message"]
    assert "one number" in phone.post(f"tournaments/{number}/tables", {"tables": ["t-door", "t-door"]}, 409)["message"]


def test_a_tournament_is_there_after_a_restart_and_shown_at_the_tables_again(
    world: ClubWorld, client: FlaskClient
) -> None:
    table = world.member("window", consent=()).connect()
    wait_until(lambda: world.hub.get("tables")["tables"])
    phone = ClubManager(client)
    number = phone.open_tournament(table_size=4)
    phone.post(f"tournaments/{number}/join", {"names": list("ABCD")})
    before = phone.post(f"tournaments/{number}/draw", {"round": 1})
    world.hub.restart()
    assert world.hub.get(f"tournaments/{number}") == before
    wait_until(lambda: (now := table.played.table.state().club) is not None and now.assignment)


def test_an_evening_of_forty_eight_players(client: FlaskClient) -> None:
    """From one phone; results entered by hand, people who come late and go home."""
    phone = ClubManager(client)
    number = phone.open_tournament(rounds=5)
    names = [f"Player {n}" for n in range(1, 49)]
    phone.post(f"tournaments/{number}/join", {"names": names[:46]})
    for round_number in range(1, 6):
        drawn = phone.post(f"tournaments/{number}/draw", {"round": round_number})
        tables = drawn["rounds"][-1]["tables"]
        seated = [name for table in tables for name in table["players"]]
        assert len(seated) == len(set(seated)) == sum(drawn["entrants"].values())
        assert {len(table["players"]) for table in tables} <= {4, 5, 6}
        for table in tables:
            places = [[name] for name in sorted(table["players"], key=lambda name: int(name[7:]))]
            body = {"round": round_number, "table": table["number"], "places": places}
            answer = phone.post(f"tournaments/{number}/result", body)
        if round_number == 1:
            phone.post(f"tournaments/{number}/join", {"names": names[46:]})
        if round_number == 3:
            phone.post(f"tournaments/{number}/leave", {"name": "Player 30"})
    assert answer["standings"][0]["name"] == "Player 1"
    closed = phone.post(f"tournaments/{number}/close", {})
    assert closed["next"][0]["sentence"].startswith("The tournament is closed. Player 1 has won.")


def test_the_code_makes_a_manager_and_a_wrong_one_does_not(client: FlaskClient) -> None:
    assert client.get("/api/v1/club").json["manager"] is False
    wrong = client.post("/api/v1/manage", json={"code": "0000"})
    assert (wrong.status_code, wrong.json["error"]) == (403, "wrong-code")
    answer = client.post("/api/v1/manage", json={"code": "4711"})
    assert answer.status_code == 200
    assert answer.json["manager"] is True
    assert client.get("/api/v1/club").json["csrf"] == answer.json["csrf"]


def test_a_manager_invites_a_table_from_the_page(world: ClubWorld, client: FlaskClient, tmp_path: Path) -> None:
    assert client.post("/api/v1/invitations", json={}).status_code == 403
    answer = ClubManager(client).post("invitations", {})
    assert mistakes(answer, "InvitationAnswer") == []
    assert answer["qr"].startswith(("<?xml", "<svg"))
    invitation = parse_invitation(answer["address"])
    assert invitation.host == "localhost"
    with make_server(world.hub.client.application, "127.0.0.1", 0) as server:
        here = ClubInvitation(server.url.rstrip("/"), invitation.id, invitation.secret)
        assert join_club(here, tmp_path / "table", "Window", random.Random(1)).title == "Summer club"


def test_codes_cannot_be_tried_one_after_the_other(client: FlaskClient) -> None:
    statuses = [client.post("/api/v1/manage", json={"code": f"{n:04}"}).status_code for n in range(40)]
    assert 429 in statuses


def test_a_tournament_of_hundreds_is_read_and_what_is_longer_is_refused(client: FlaskClient) -> None:
    manager = ClubManager(client)
    cup = b'{"title": "Summer Cup"}'
    for blanks, status in ((40_000, 200), (70_000, 413)):
        answer = client.post(
            "/api/v1/tournaments", data=cup + b" " * blanks, content_type="application/json", headers=manager.headers
        )
        assert answer.status_code == status
