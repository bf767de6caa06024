"""Joining: the code, the token, the seats, and what the host may."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.table.state.state import PublicPlayer
from tests.fakes.clock import FakeClock
from tests.fakes.states import STATES
from tests.fakes.table import FakeTable
from web.access import wrong_codes
from web.access.access import Access, cookie
from web.access.invitation import address_for, qr_svg
from web.access.phones import AWAY_AFTER

Phones = Any


def post(client: FlaskClient, path: str, body: Any) -> Any:
    return client.post(f"/api/v1/{path}", json=body)


@pytest.fixture
def phone(app: Flask) -> Any:
    """A function that joins as a new phone with a seat."""
    return lambda seat=None: app.test_client().join(seat=seat)


def me(client: FlaskClient) -> dict[str, Any]:
    answer = client.get("/api/v1/me")
    assert answer.status_code == 200
    return dict(answer.json or {})


def test_a_stranger_sees_the_seats_but_not_the_code(stranger: FlaskClient, access: Access) -> None:
    answer = stranger.get("/api/v1/me")
    names = [player.name for player in STATES["bidding"].players]
    assert access.code not in answer.text
    assert answer.json == {
        "phone": None,
        "joined": False,
        "role": None,
        "player": None,
        "host": False,
        "dice": None,
        "csrf": None,
        "code": None,
        "seats": dict.fromkeys(names),
        "phones": [],
        "addresses": ["http://localhost/"],
    }


def test_the_code_joins_and_the_cookie_is_hidden_from_scripts(stranger: FlaskClient, access: Access) -> None:
    answer = post(stranger, "join", {"code": access.code})
    assert (answer.status_code, answer.json["joined"], answer.json["host"]) == (200, True, True)
    assert answer.json["code"] == access.code
    set_cookie = answer.headers["Set-Cookie"]
    assert set_cookie.startswith(f"{cookie('80')}=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(set_cookie.split("; "))
    assert me(stranger)["phone"] == answer.json["phone"]


def test_a_phone_that_got_no_answer_and_joins_again_is_one_phone(stranger: FlaskClient, access: Access) -> None:
    def join(key: str, address: str = "192.168.1.9") -> Any:
        stranger.delete_cookie(cookie("80"))  # the answer was lost, and the cookie with it
        headers, at = {"Idempotency-Key": key} if key else {}, {"REMOTE_ADDR": address}
        return stranger.post("/api/v1/join", json={"code": access.code}, headers=headers, environ_base=at).json["phone"]

    first = join("12345678")
    assert join("12345678") == first
    assert join("12345678", "fd00::9") == first, "a browser may take the other address of the box, and then its own"
    assert len({first, join("another1"), join(""), join("")}) == 4
    assert me(stranger)["host"] is False


def test_a_program_sends_its_token_as_a_bearer(app: Flask, stranger: FlaskClient, access: Access) -> None:
    joined = post(stranger, "join", {"code": access.code}).json
    program = app.test_client().get("/api/v1/me", headers={"Authorization": f"Bearer {joined['token']}"})
    assert (program.json or {})["phone"] == joined["phone"]
    assert "Set-Cookie" not in program.headers


def test_a_wrong_code_is_refused(stranger: FlaskClient, access: Access) -> None:
    answer = post(stranger, "join", {"code": "0000"})
    assert (answer.status_code, answer.json["error"]) == (403, "wrong-code")
    assert "Set-Cookie" not in answer.headers
    assert not me(stranger)["joined"]


def test_after_wrong_codes_even_the_right_one_waits(stranger: FlaskClient, access: Access, clock: FakeClock) -> None:
    for _ in range(3):
        assert post(stranger, "join", {"code": "0000"}).status_code == 403
    answer = post(stranger, "join", {"code": access.code})
    assert (answer.status_code, answer.json["error"], answer.headers["Retry-After"]) == (429, "slow-down", "2")
    assert answer.json["message"] == "Too many wrong codes. Wait 2 s, then try again."
    clock.now += 2.0
    assert post(stranger, "join", {"code": access.code}).status_code == 200


def test_a_phone_that_joins_again_is_the_same_phone_and_needs_the_code(phone: Phones) -> None:
    client = phone("Ana")
    before = me(client)
    assert post(client, "join", {"code": "1234"}).json["phone"] == before["phone"]
    refused = post(client, "join", {"code": "0000"})
    assert (refused.status_code, refused.json["error"]) == (403, "wrong-code")
    assert me(client) == before


@pytest.mark.parametrize("header", [{"Origin": "http://localhost"}, {"Sec-Fetch-Site": "same-origin"}])
def test_a_page_gets_its_cookie_and_no_token_that_scripts_can_read(
    stranger: FlaskClient, access: Access, header: dict[str, str]
) -> None:
    for _ in range(2):
        answer = stranger.post("/api/v1/join", json={"code": access.code}, headers=header)
        assert answer.status_code == 200
        assert "token" not in (answer.json or {})
    assert "token" in post(stranger, "join", {"code": access.code}).json


def test_two_tables_on_one_host_do_not_share_cookies(stranger: FlaskClient, access: Access) -> None:
    names = set()
    for port in (8000, 8001):
        base = f"http://localhost:{port}"
        answer = stranger.post("/api/v1/join", json={"code": access.code}, base_url=base)
        names.add(answer.headers["Set-Cookie"].partition("=")[0])
    assert names == {"perudo_phone_8000", "perudo_phone_8001"}
    phones = {stranger.get("/api/v1/me", base_url=f"http://localhost:{port}").json["phone"] for port in (8000, 8001)}
    assert len(phones) == 2


def test_the_key_of_a_join_is_valid_for_a_minute(stranger: FlaskClient, access: Access, clock: FakeClock) -> None:
    def join(key: str) -> Any:
        stranger.delete_cookie(cookie("80"))
        return stranger.post("/api/v1/join", json={"code": access.code}, headers={"Idempotency-Key": key})

    for key in ("short", "with a space", "x" * 65):
        refused = join(key)
        assert (refused.status_code, refused.json["error"]) == (400, "idempotency-key")
    first = join("12345678").json["phone"]
    clock.now += 59
    assert join("12345678").json["phone"] == first
    clock.now += 1
    assert join("12345678").json["phone"] != first


def test_one_address_joins_new_phones_only_slowly(stranger: FlaskClient, access: Access, clock: FakeClock) -> None:
    def join() -> Any:
        stranger.delete_cookie(cookie("80"))
        return post(stranger, "join", {"code": access.code})

    answers = [join() for _ in range(wrong_codes.FREE_JOINS)]
    assert {answer.status_code for answer in answers} == {200}
    refused = join()
    assert (refused.status_code, refused.json["error"], refused.headers["Retry-After"]) == (429, "slow-down", "10")
    assert refused.json["message"] == "Too many phones have joined from here. Wait 10 s, then try again."
    clock.now += 10
    assert join().status_code == 200


def test_a_seat_belongs_to_one_phone(phone: Phones) -> None:
    ana, other = phone("Ana"), phone()
    answer = post(other, "seat", {"role": "player", "player": "Ana"})
    assert (answer.status_code, answer.json["error"]) == (409, "seat-taken")
    assert "Ana" in answer.json["message"]
    assert me(other)["role"] is None
    assert post(ana, "seat", {"role": "player", "player": "Ana"}).status_code == 200
    assert post(ana, "seat", {"role": "watching"}).json["seats"]["Ana"] is None
    assert post(other, "seat", {"role": "player", "player": "Ana"}).json["player"] == "Ana"


def test_a_phone_is_told_its_own_number_of_dice_alone_where_they_are_hidden(phone: Phones, table: FakeTable) -> None:
    table.show(STATES["bidding-hidden"])
    ana, tablet = phone("Ana"), phone()
    post(tablet, "seat", {"role": "table"})
    assert (me(ana)["dice"], me(tablet)["dice"]) == (3, None)
    assert {player["dice"] for player in ana.get("/api/v1/state").json["players"]} <= {None, 0, 1}
    post(ana, "seat", {"role": "watching"})
    assert me(ana)["dice"] is None


def test_there_is_no_seat_for_a_player_who_is_not_in_the_game(phone: Phones) -> None:
    answer = post(phone(), "seat", {"role": "player", "player": "Zoë"})
    assert (answer.status_code, answer.json["error"]) == (409, "unknown-player")


@pytest.mark.parametrize(
    "body", [{}, {"role": "host"}, {"role": "player"}, {"role": "watching", "player": "Ana"}, {"role": 1}]
)
def test_an_unknown_role_is_refused(phone: Phones, body: Any) -> None:
    assert post(phone(), "seat", body).status_code == 400


def test_the_host_hands_a_seat_to_another_phone(phone: Phones) -> None:
    host, ana, new = phone(), phone("Ana"), phone()
    name = me(new)["phone"]
    refused = post(new, "seat/hand", {"player": "Ana", "phone": name})
    assert (refused.status_code, refused.json["error"]) == (403, "not-host")
    assert post(host, "seat/hand", {"player": 7}).status_code == 400
    assert post(host, "seat/hand", {"player": "Ana", "phone": name}).json["seats"]["Ana"] == name
    assert (me(new)["player"], me(ana)["player"], me(ana)["role"]) == ("Ana", None, None)
    assert {each["phone"]: each["had"] for each in me(new)["phones"]}[me(ana)["phone"]] == "Ana", "it is her second"


def test_the_host_hands_over_the_hosts_part(phone: Phones) -> None:
    host, other = phone(), phone()
    assert post(other, "host", {"host": me(other)["phone"]}).status_code == 403
    assert post(host, "host", {"host": me(other)["phone"]}).json["host"] is False
    assert me(other)["host"] is True


@pytest.mark.parametrize("path", ["host", "seat/hand"])
def test_who_may_not_is_told_so_whatever_is_sent(phone: Phones, path: str) -> None:
    phone("Ana")
    refused = phone("Ben").post(f"/api/v1/{path}", data=b"not even JSON")
    assert (refused.status_code, refused.json["error"]) == (403, "not-host")


def test_the_host_lets_a_phone_only_watch_and_act_again(phone: Phones, clock: FakeClock) -> None:
    host, ben = phone(), phone(seat="Ben")
    its = me(ben)["phone"]
    held = post(host, "phones/hold", {"phone": its}).json
    assert {each["phone"]: each["held"] for each in held["phones"]}[its] is True
    assert post(ben, "next", {}).json["error"] == "watching"
    answer = post(ben, "seat", {"role": "table"})
    assert (answer.status_code, answer.json["error"]) == (403, "held")
    assert post(ben, "phones/hold", {"phone": its, "held": False}).json["error"] in ("watching", "not-host")
    clock.now += AWAY_AFTER
    assert post(ben, "host", {"host": its}).json["error"] == "held", "nor while the host is away"
    post(host, "phones/hold", {"phone": its, "held": False})
    assert post(ben, "seat", {"role": "player", "player": "Ben"}).status_code == 200


def test_the_host_turns_a_phone_out_for_the_evening(app: Flask, phone: Phones, access: Access) -> None:
    host, ben = phone(), phone(seat="Ben")
    assert post(ben, "phones/out", {"phone": me(host)["phone"]}).json["error"] == "not-host"
    there = {"REMOTE_ADDR": "192.168.1.66"}
    ben.post("/api/v1/seat", json={"role": "player", "player": "Ben"}, environ_base=there)
    its = me(ben)["phone"]
    left = post(host, "phones/out", {"phone": its}).json
    assert its not in {each["phone"] for each in left["phones"]}
    assert left["seats"]["Ben"] is None
    assert post(ben, "next", {}).json["error"] == "join-first"
    for code in (access.code, access.invitation):
        answer = app.test_client().post("/api/v1/join", json={"code": code}, environ_base=there)
        assert (answer.status_code, answer.json["error"]) == (403, "turned-out")
    assert app.test_client().post("/api/v1/join", json={"code": access.code}).status_code == 200
    for path in ("phones/out", "phones/hold"):
        assert post(host, path, {"phone": me(host)["phone"]}).json["error"] == "unknown-phone"


def test_whoever_shares_an_address_with_a_phone_that_is_out_may_join(app: Flask, phone: Phones, access: Access) -> None:
    host, ben, cid = phone(), phone(), phone()
    proxy = {"REMOTE_ADDR": "192.168.1.1"}
    for each, player in ((ben, "Ben"), (cid, "Cid")):
        each.post("/api/v1/seat", json={"role": "player", "player": player}, environ_base=proxy)
    post(host, "phones/out", {"phone": me(ben)["phone"]})
    assert app.test_client().post("/api/v1/join", json={"code": access.code}, environ_base=proxy).status_code == 200


def test_another_phone_can_replace_a_host_who_is_long_gone(phone: Phones, clock: FakeClock) -> None:
    phone()
    other = phone()
    clock.now += 119
    assert post(other, "host", {"host": me(other)["phone"]}).status_code == 403
    clock.now += 1
    assert post(other, "host", {"host": me(other)["phone"]}).json["host"] is True


def test_a_seat_ends_with_the_player_who_had_it_and_not_while_nobody_plays(phone: Phones, table: FakeTable) -> None:
    ana, ben = phone("Ana"), phone("Ben")
    table.show(STATES["seating"])
    assert me(ana)["seats"] == {}
    table.show(STATES["bidding"])
    assert me(ana)["player"] == "Ana"
    table.show(replace(STATES["bidding"], game=2, players=(PublicPlayer("Ben", "red", 5),)))
    assert (me(ana)["role"], me(ben)["player"]) == (None, "Ben")
    table.show(STATES["bidding"])
    assert me(ana)["seats"]["Ana"] is None


def test_who_has_the_qr_code_joins_however_many_guess_the_digits(stranger: FlaskClient, access: Access) -> None:
    def join(code: str) -> int:
        stranger.delete_cookie(cookie("80"))
        return int(post(stranger, "join", {"code": code}).status_code)

    while join("0000") == 403:  # this address waits now
        pass
    for number in range(wrong_codes.NEWCOMER_CODES):  # and so does every newcomer
        access.wrong_codes.wait(f"10.0.0.{number}", right=False)
    assert access.wrong_codes.wait("10.0.1.1", right=True) > 0
    while access.wrong_codes.join("127.0.0.1") == 0.0:  # and as many phones as may have joined from here
        pass
    assert join(access.code) == 429
    assert {join(access.invitation) for _ in range(3)} == {200}
    assert me(stranger)["joined"]
    assert join(access.code) == 429, "an invitation takes no pause back"


def test_a_forged_address_gets_no_guesses_of_its_own(stranger: FlaskClient, access: Access) -> None:
    answers = []
    for number in range(6):
        address = f"10.0.0.{number}"
        headers = {"X-Forwarded-For": address, "X-Real-IP": address, "Forwarded": f"for={address}"}
        answers.append(stranger.post("/api/v1/join", json={"code": "0000"}, headers=headers).status_code)
    assert answers == [403] * 3 + [429] * 3


def test_a_wrong_invitation_counts_as_a_wrong_code(stranger: FlaskClient, access: Access) -> None:
    for wrong in ("0" * 32, access.invitation[:-1], access.invitation.upper()):
        refused = post(stranger, "join", {"code": wrong})
        assert (refused.status_code, refused.json["error"]) == (403, "wrong-code")
    assert post(stranger, "join", {"code": access.code}).status_code == 429


def test_the_invitation_is_in_the_qr_code_and_in_no_other_answer(
    app: Flask, phone: Phones, stranger: FlaskClient, access: Access
) -> None:
    joined = stranger.post("/api/v1/join", json={"code": access.invitation}, headers={"Origin": "http://localhost"})
    assert access.invitation not in joined.text + str(joined.headers)
    host = phone("Ana")
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.arguments and not rule.rule.endswith("/events"):
            for client in (host, stranger):
                assert access.invitation.encode() not in client.get(rule.rule).data, rule.rule


def test_the_qr_code_invites_only_for_phones_that_joined(phone: Phones, stranger: FlaskClient, access: Access) -> None:
    unknown, joined = stranger.get("/api/v1/qr.svg?code=1"), phone().get("/api/v1/qr.svg?code=1")
    assert unknown.data == stranger.get("/api/v1/qr.svg").data == qr_svg("http://localhost/")
    assert joined.data == qr_svg(f"http://localhost/#join={access.invitation}")
    assert joined.mimetype == "image/svg+xml"
    assert joined.headers["Cache-Control"] == "no-store"


def test_the_qr_code_has_a_numeric_address_and_no_host_name() -> None:
    addresses = ["http://10.0.0.5:80/", "http://box.local:80/"]
    assert address_for("http://192.168.1.5:80/", addresses) == "http://192.168.1.5:80/"
    assert address_for("http://[fd00::5]:80/", addresses) == "http://[fd00::5]:80/"
    hosts = ("box.local:80", "127.0.0.1:80", "[::1]:80", "[fe80::5]:80", "localhost")
    for mine in (f"http://{host}/" for host in hosts):
        assert address_for(mine, addresses) == addresses[0]
    assert address_for("http://localhost/", []) == "http://localhost/"
