"""The headers a change needs, who may make it, and that a tap counts once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from companion.table import Journal, Table
from companion.table.commands import Actor, Command, MakeBid, OpenRound
from companion.table.errors import NotAllowedNowError
from hardware.panel.debounce import Push
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from tests.fakes.states import STATES
from tests.fakes.table import FakePanel, FakeTable
from web.access.access import Access
from web.access.idempotency import ANSWERS_A_PHONE, Answer, Answers, UnderWayError
from web.access.tap import CHANGE_WAIT, CHANGES_AT_ONCE, PHONES_OF_ONE_ADDRESS
from web.errors import RequestError

BID = {"player": "Ben", "count": 5, "face": 4}


@pytest.fixture
def phone(app: Flask) -> Callable[..., Any]:
    """A function that joins as a new phone with a seat."""
    app.test_client().join()  # type: ignore[attr-defined]  # join as host first, so that the others have only their own rights
    return lambda seat=None: app.test_client().join(seat=seat)  # type: ignore[attr-defined]


def post(client: FlaskClient, path: str, body: Any = None, **headers: str | None) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(f"/api/v1/{path}", json={} if body is None else body, headers=named)


def refused(answer: Any, status: int, code: str) -> bool:
    return (answer.status_code, answer.json["error"]) == (status, code) and answer.json["message"].endswith(".")


# Required headers


def test_a_stranger_can_watch_but_change_nothing(stranger: FlaskClient, table: FakeTable) -> None:
    for path in ("state", "events", "me", "story", "choices", "qr.svg"):
        answer = stranger.get(f"/api/v1/{path}")
        assert answer.status_code == 200, path
        answer.close()
    answer = post(stranger, "next")
    assert refused(answer, 401, "join-first")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert table.commands == []


def test_every_change_needs_a_phone_that_joined(app: Flask, stranger: FlaskClient) -> None:
    changes = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    assert len(changes) > 20
    for rule in changes:
        if rule.rule != "/api/v1/join":
            path = rule.rule.replace("<int:die>", "1").replace("<button>", "dudo").replace("<action>", "press")
            assert refused(stranger.post(path, json={}), 401, "join-first"), rule.rule


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"X_Perudo_CSRF": None}, 403, "csrf"),
        ({"X_Perudo_CSRF": "x"}, 403, "csrf"),
        ({"X_Perudo_CSRF": "\xe9"}, 403, "csrf"),
        ({"Idempotency_Key": None}, 400, "idempotency-key"),
        ({"Idempotency_Key": "short"}, 400, "idempotency-key"),
        ({"Idempotency_Key": "x" * 65}, 400, "idempotency-key"),
        ({"Idempotency_Key": "with a space"}, 400, "idempotency-key"),
        ({"X_Perudo_Version": None}, 400, "version"),
        ({"X_Perudo_Version": "-1"}, 400, "version"),
        ({"X_Perudo_Version": "seven"}, 400, "version"),
        ({"X_Perudo_Version": "9" * 19}, 400, "version"),
    ],
)
def test_a_missing_header_is_named(
    phone: Any, table: FakeTable, headers: dict[str, str | None], status: int, code: str
) -> None:
    client = phone("Ben")
    assert refused(post(client, "next", **headers), status, code)
    assert table.commands == []
    assert post(client, "next").status_code == 200


def test_another_phones_csrf_token_is_invalid(phone: Any) -> None:
    ana, ben = phone("Ana"), phone("Ben")
    assert refused(post(ana, "next", X_Perudo_CSRF=ben.csrf), 403, "csrf")


def test_a_program_needs_no_csrf_token(app: Flask, phone: Any, access: Access, table: FakeTable) -> None:
    program = phone()
    joined = program.post("/api/v1/join", json={"code": access.code}).json
    other = FlaskClient(app, app.response_class)
    headers = {
        "Authorization": f"Bearer {joined['token']}",
        "Idempotency-Key": "a-key-of-mine",
        "X-Perudo-Version": "1",
    }
    assert other.post("/api/v1/next", json={}, headers=headers).status_code == 200
    assert table.acted[-1].id == joined["phone"]
    headers["Authorization"] += "x"
    assert refused(other.post("/api/v1/next", json={}, headers=headers), 401, "join-first")


def test_the_seats_and_the_panel_have_no_version(phone: Any, panel: FakePanel) -> None:
    client = phone()
    for path, body in (("seat", {"role": "player", "player": "Ben"}), ("panel/dudo/press", {})):
        assert post(client, path, body, X_Perudo_Version=None).status_code == 200
    assert panel.pressed == [("dudo", "press")]


# Who may make it


def test_the_table_knows_who_taps_and_on_which_version(phone: Any, table: FakeTable) -> None:
    ben, other = phone("Ben"), phone()
    post(ben, "bid", BID)
    post(other, "next", X_Perudo_Version="0")
    assert [(by.name, by.version) for by in table.acted] == [("Ben", 1), ("another phone", 0)]
    assert [by.id for by in table.acted] == [ben.name, other.name]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("bid", BID),
        ("dudo", {"player": "Ben"}),
        ("dudo", {}),
        ("calza", {"player": "Ben"}),
        ("caller", {"player": "Ben"}),
    ],
)
def test_only_the_players_own_phone_may_bid_and_call(phone: Any, table: FakeTable, path: str, body: Any) -> None:
    table.show(STATES["bidding"])
    ana, tablet, nobody = phone("Ana"), phone("table"), phone()
    for client in (ana, tablet, nobody):  # while Ben has no phone, anybody's will do
        assert post(client, path, body).status_code == 200
    ben = phone("Ben")
    for client in (ana, tablet, nobody):
        answer = post(client, path, body)
        assert refused(answer, 403, "not-yours")
        assert answer.json["message"] == "Only Ben's own phone can say that."
    assert post(ben, path, body).status_code == 200
    assert len(table.commands) == 4


def test_the_host_may_speak_for_anybody(client: FlaskClient, app: Flask) -> None:
    app.test_client().join(seat="Ben")  # type: ignore[attr-defined]
    assert post(client, "bid", BID).status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("next", {}),
        ("undo", {"step": 1}),
        ("pause", {}),
        ("dice/1", {"face": 2}),
        ("calza", {}),
        ("leave", {"player": "Ben"}),
        ("tell", {"call": "dudo", "caller": "Ben", "bidder": "Ana", "count": 5, "face": 4}),
    ],
)
def test_all_else_is_for_every_phone_that_does_not_only_watch(
    phone: Any, table: FakeTable, path: str, body: Any
) -> None:
    phone("Ben")
    assert post(phone("Ana"), path, body).status_code == 200
    watching = phone("watching")
    answer = post(watching, path, body)
    assert refused(answer, 403, "watching")
    assert len(table.commands) == 1
    assert post(watching, "panel/dudo/press").status_code == 403
    assert post(watching, "seat", {"role": "table"}).status_code == 200
    assert post(watching, path, body).status_code == 200


# A tap counts once


def test_a_tap_sent_twice_counts_once(phone: Any, table: FakeTable) -> None:
    ben = phone("Ben")
    table.then[MakeBid] = STATES["reading"]
    first = post(ben, "bid", BID, Idempotency_Key="12345678")
    again = post(ben, "bid", BID, Idempotency_Key="12345678")
    assert (again.status_code, again.data, again.content_type) == (200, first.data, first.content_type)
    assert len(table.commands) == 1
    assert post(ben, "bid", BID, Idempotency_Key="another one".replace(" ", "-")).status_code == 200
    assert len(table.commands) == 2


def test_a_repeated_tap_gets_the_same_refusal(phone: Any, table: FakeTable) -> None:
    ben = phone("Ben")
    table.refuse = NotAllowedNowError("wrong-phase", "Not now.")
    first = post(ben, "next", Idempotency_Key="12345678")
    table.refuse = None
    again = post(ben, "next", Idempotency_Key="12345678")
    assert (first.status_code, again.status_code, again.data) == (409, 409, first.data)
    assert table.commands == []


def test_a_repeated_refusal_says_again_when_to_retry(phone: Any, table: FakeTable) -> None:
    ben = phone("Ben")
    table.refuse = RequestError("Not now.", code="busy", headers={"Retry-After": "7"})
    for _ in range(2):
        assert post(ben, "next", Idempotency_Key="12345678").headers["Retry-After"] == "7"


def test_two_phones_may_have_the_same_key(phone: Any, table: FakeTable) -> None:
    for client in (phone("Ana"), phone("Ben")):
        assert post(client, "next", Idempotency_Key="12345678").status_code == 200
    assert len(table.commands) == 2


def test_a_key_is_valid_for_one_tap_only(phone: Any, table: FakeTable) -> None:
    ben = phone("Ben")
    post(ben, "next", Idempotency_Key="12345678")
    for path, body in (("pause", {}), ("bid", BID)):
        assert refused(post(ben, path, body, Idempotency_Key="12345678"), 400, "idempotency-key")
    assert len(table.commands) == 1


def test_a_repeated_tap_waits_for_the_one_under_way(phone: Any, table: FakeTable) -> None:
    ben, begun, go_on = phone("Ben"), threading.Event(), threading.Event()
    commands_done: list[Command] = []

    def slowly(command: Command, by: Actor) -> Any:
        begun.set()
        assert go_on.wait(60)
        commands_done.append(command)
        return table.state()

    table.do = slowly  # type: ignore[method-assign]
    answers: list[Any] = []
    taps = [
        threading.Thread(
            target=lambda: answers.append(post(ben, "next", Idempotency_Key="12345678", X_Perudo_Version="1"))
        )
        for _ in range(3)
    ]
    for tap in taps:
        tap.start()
    assert begun.wait(60)
    go_on.set()
    for tap in taps:
        tap.join(60)
    assert commands_done == [OpenRound()]
    assert [answer.status_code for answer in answers] == [200, 200, 200]


def test_no_repetition_waits_for_ever_for_a_tap_without_an_answer() -> None:
    once = Answers(wait=0.0)
    assert once.begin("k3f9", "12345678", "next") is None
    with pytest.raises(UnderWayError):
        once.begin("k3f9", "12345678", "next")


def test_a_tap_under_way_is_not_forgotten_for_newer_ones() -> None:
    once = Answers(wait=0.0)
    once.begin("k3f9", "the first", "dudo")
    for number in range(2 * ANSWERS_A_PHONE):
        once.begin("k3f9", f"tap {number}", "next")
        once.finish("k3f9", f"tap {number}", Answer(200, b""))
    with pytest.raises(UnderWayError):
        once.begin("k3f9", "the first", "dudo")


TAPS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, ANSWERS_A_PHONE - 1), st.integers(0, 1)), max_size=60)
"""Taps: the phone, its key, and whether it is answered before or after the next one is sent."""


@given(TAPS)
def test_each_tap_counts_once_in_any_order_and_however_often_it_is_sent(taps: list[tuple[int, int, int]]) -> None:
    once, accepted = Answers(wait=0.0), set()
    under_way: list[tuple[str, str]] = []
    answers: dict[tuple[str, str], Answer] = {}

    def answer(tap: tuple[str, str]) -> None:
        answers[tap] = Answer(200, f"{tap} was number {len(answers)}".encode())
        once.finish(*tap, answers[tap])

    for phone, key, later in taps:
        tap = (f"phone{phone}", f"key{key}")
        try:
            before = once.begin(*tap, "what was tapped")
        except UnderWayError:
            assert tap in under_way
            continue
        if before is not None:
            assert before == answers[tap]
            continue
        assert tap not in accepted
        accepted.add(tap)
        if later:
            under_way.append(tap)
        else:
            answer(tap)
            while under_way:
                answer(under_way.pop())
    assert accepted == {(f"phone{phone}", f"key{key}") for phone, key, _ in taps}


@given(st.lists(st.integers(0, 400), max_size=300))
def test_only_a_limited_number_of_answers_is_remembered(taps: list[int]) -> None:
    once = Answers(wait=0.0)
    for tap in taps:
        if once.begin(f"phone{tap % 100}", f"key{tap}", "") is None:
            once.finish(f"phone{tap % 100}", f"key{tap}", Answer(200, b""))
    assert len(once) <= 64 * ANSWERS_A_PHONE


# With the real table


@pytest.fixture
def players() -> int:
    return 3


@pytest.fixture
def played(tmp_path: Path, players: int) -> Iterator[Table]:
    company = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")][:players]
    with Table(Journal(tmp_path), clock=FakeClock(step=1.0)) as table:
        table.do(new_game(company, "asmodee-fr", starter="Ana"))
        yield table


@pytest.fixture
def real(played: Table, make_app: Callable[..., Flask]) -> Callable[..., Any]:
    """A function that joins as a new phone with a seat; none is the host's."""
    app = make_app(played)
    app.test_client().join()  # type: ignore[attr-defined]
    return lambda seat=None: app.test_client().join(seat=seat)  # type: ignore[attr-defined]


def test_the_slower_phone_is_told_who_was_faster_and_may_tap_again(real: Callable[..., Any]) -> None:
    ana, tablet = real("Ana"), real("table")
    version = str(ana.get("/api/v1/state").json["version"])
    assert post(ana, "bid", {"player": "Ana", "count": 6, "face": 4}, X_Perudo_Version=version).status_code == 200
    answer = post(tablet, "count", {"call": "dudo"}, X_Perudo_Version=version)
    assert refused(answer, 409, "stale")
    assert answer.json["message"] == "Ana was faster: 6 fours. Look, and tap again if you still want to."
    assert answer.json["said"][0]["params"]["who"] == "Ana"
    assert post(tablet, "count", {"call": "dudo"}).json["phase"] == "reading"


def test_a_future_version_is_refused(real: Callable[..., Any]) -> None:
    ana = real("Ana")
    later = str(ana.get("/api/v1/state").json["version"] + 1)
    assert refused(post(ana, "pause", X_Perudo_Version=later), 400, "version")


@pytest.mark.parametrize("players", [2])
def test_a_call_without_a_name_needs_the_phone_of_the_player_it_is_for(real: Callable[..., Any]) -> None:
    ana, ben = real("Ana"), real("Ben")
    assert post(ana, "bid", {"player": "Ana", "count": 5, "face": 4}).status_code == 200
    assert ana.get("/api/v1/state").json["may"] == {"bid": ["Ben"], "dudo": ["Ben"], "calza": ["Ben"]}
    for call in ("calza", "dudo"):
        assert refused(post(ana, call), 403, "not-yours"), call
    assert post(ben, "calza").json["call"] == {"kind": "calza", "player": "Ben"}


def test_who_called_is_told_by_the_callers_phone_unless_the_button_asks(
    played: Table, real: Callable[..., Any]
) -> None:
    ana, ben = real("Ana"), real("Ben")
    post(ana, "bid", {"player": "Ana", "count": 5, "face": 4})
    assert post(real("table"), "calza").json["phase"] == "asking"
    assert refused(post(ana, "caller", {"player": "Ben"}), 403, "not-yours")
    assert post(ben, "caller", {"player": "Ben"}).json["phase"] == "reading"
    post(ben, "undo", {"step": played.state().undo.step})
    post(ben, "undo", {"step": played.state().undo.step})
    assert played.push("calza", Push.DOWN).phase == "asking"
    assert post(ana, "caller", {"player": "Ben"}).json["call"] == {"kind": "calza", "player": "Ben"}


# Allowances


def test_the_hosts_phone_waits_for_nothing(app: Flask) -> None:
    host = app.test_client().join()  # type: ignore[attr-defined]
    assert 429 not in {post(host, "next", X_Perudo_Version="1").status_code for _ in range(CHANGES_AT_ONCE + 2)}


def test_a_phone_has_an_allowance_of_changes(phone: Callable[..., Any], app: Flask, clock: FakeClock) -> None:
    def tap(phone: Any) -> Any:
        return post(phone, "next", X_Perudo_Version="1")

    ben, cid = phone(seat="Ben"), phone(seat="Cid")
    said = [tap(ben).status_code for _ in range(CHANGES_AT_ONCE - 1)]  # and one for the seat
    assert 429 not in said, "nobody taps more at once"
    answer = tap(ben)
    assert refused(answer, 429, "slow-down")
    assert answer.headers["Retry-After"] == "1"
    assert tap(cid).status_code == 200, "each phone has its own"
    clock.sleep(CHANGE_WAIT)
    assert [tap(ben).status_code for _ in range(2)] == [200, 429]
    more = [phone() for _ in range(PHONES_OF_ONE_ADDRESS)]
    taken = sum(tap(each).status_code != 429 for each in more for _ in range(CHANGES_AT_ONCE))
    assert taken < CHANGES_AT_ONCE * PHONES_OF_ONE_ADDRESS, "all the phones of one address share one too"
