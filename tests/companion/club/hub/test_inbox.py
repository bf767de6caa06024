"""Tables, good and bad, at one hub: a bad one stops no other. Without a network."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.club.hub.hub import Hub
from companion.club.hub.mailbox import TableMessage
from companion.club.hub.store import Store
from companion.club.hub.tables import LobbyFeed
from companion.club.lobby.app import create_lobby
from companion.club.tournament.commands import CloseTournament, DrawRound, JoinTournament, OpenTournament
from companion.member.errors import ClubError
from companion.member.payloads import Acknowledgement, EventMessage, Online, PayloadError, TableState, decode, encode
from companion.member.topics import TableTopics
from companion.table.game.table_position import Phase
from tests.fakes.club_broker import FakeBroker, FakeMember, NoCredentials
from tests.fakes.club_records import club_record
from tests.fakes.club_store import stored_keys
from tests.wait import wait_until
from web.access.access import Access


class World:
    """A hub whose broker is a double."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.start()

    def start(self) -> None:
        self.broker, self.store = FakeBroker(), Store(self.folder)
        self.hub = Hub(self.store, self.broker, NoCredentials(), ("mqtt://:1883", ""), rng=random.Random(1))
        self.hub.start()

    def stop(self) -> None:
        self.hub.stop()
        self.store.close()

    def send(self, table: str, kind: str, payload: bytes) -> None:
        self.broker.publish_as_table(f"{TableTopics(self.hub.club, table).base}/{kind}", payload)

    def acks(self, table: str) -> list[Acknowledgement]:
        topic = TableTopics(self.hub.club, table).ack
        return [decode(payload, Acknowledgement) for at, payload in self.broker.published if at == topic]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.stop()


def record(table: str, number: int, **more: object) -> EventMessage:
    what = replace(club_record(f"{table}.a/{number}", "Ana", "Ben"), **more)
    return EventMessage(run="a", seq=number, before=None, at="", what=what)


def test_a_table_whose_events_no_database_takes_stops_no_other(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = world.store.take

    def take(messages: list[tuple[str, EventMessage]]) -> object:
        if any(table == "t-bad" for table, _ in messages):
            raise ClubError("The disk says no.")
        return real(messages)

    monkeypatch.setattr(world.store, "take", take)
    for number in range(20):
        world.send("t-bad", "event", encode(record("t-bad", number)))
        world.send("t-good", "event", encode(record("t-good", number)))
    wait_until(lambda: len(stored_keys(world.store, "t-good")) == 20)
    assert world.acks("t-bad") == []
    assert world.acks("t-good")[-1].key == record("t-good", 19).key


@pytest.mark.parametrize(
    ("field", "value"), [("seq", 2**53), ("seq", 2**70), ("seq", -1), ("run", "a" * 65), ("at", "x" * 41)]
)
def test_an_event_out_of_bounds_is_none(world: World, field: str, value: object) -> None:
    with pytest.raises(PayloadError):
        decode(encode(replace(record("t-1", 1), **{field: value})), EventMessage)


def test_a_table_writes_of_its_own_games_alone(world: World) -> None:
    stranger = record("t-12", 1)
    world.send("t-1", "event", encode(stranger))
    world.send("t-1", "event", encode(record("t-1", 2)))
    wait_until(lambda: world.acks("t-1"))
    assert [each.key for each in world.acks("t-1")] == [record("t-1", 2).key]
    assert [each.game for each in world.hub.books.games()] == ["t-1.a/2"]


def test_a_table_that_says_goodbye_is_asked_for_nothing(world: World) -> None:
    world.send("t-1", "online", encode(Online(online=True)))
    wait_until(lambda: len(world.acks("t-1")) == 1)
    world.send("t-1", "online", encode(Online(online=False)))
    wait_until(lambda: [each.online for each in world.hub.tables()] == [False])
    world.send("t-1", "event", encode(record("t-1", 2)))
    wait_until(lambda: any(each.key for each in world.acks("t-1")))
    assert [each.missing for each in world.acks("t-1")] == [True, False]


def test_a_table_that_was_removed_changes_nothing_and_is_asked_for_nothing(world: World) -> None:
    world.send("t-1", "event", encode(record("t-1", 1)))
    world.send("t-1", "online", encode(Online(online=True)))
    wait_until(lambda: len(world.acks("t-1")) == 2)
    world.hub.remove("t-1", games=True)
    for _ in range(2):
        before = len(world.acks("t-1"))
        world.send("t-1", "online", encode(Online(online=True)))
        world.send("t-1", "event", encode(record("t-1", 2)))
        world.send("t-2", "online", encode(Online(online=True)))
        world.send("t-2", "event", encode(record("t-2", 1)))
        wait_until(lambda: any(each.key for each in world.acks("t-2")))
        assert len(world.acks("t-1")) == before
        assert [each.table for each in world.hub.tables()] == ["t-2"]
        assert [each.game for each in world.hub.books.games()] == ["t-2.a/1"]
        assert [*world.store.members()] == ["t-2"]
        world.stop()
        world.start()


def test_two_boxes_at_one_table_are_told_until_one_of_them_says_that_it_is_alone(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    def told(session: str, **said: bool) -> list[bool]:
        """Who comes after another one ends its connection: what the lobby has, and what the box is told."""
        world.send("t-1", "online", encode(Online(online=False)))
        wait_until(lambda: [each.online for each in world.hub.tables()] in ([], [False]))
        before = len(world.acks("t-1"))
        world.send("t-1", "online", encode(Online(online=True, session=session, **said)))
        wait_until(lambda: len(world.acks("t-1")) > before)
        return [*(each.taken_over for each in world.hub.tables()), world.acks("t-1")[-1].taken_over]

    assert told("a") == [False, False]
    assert told("a") == [False, False], "its connection was lost"
    assert told("b") == [False, False], "it was started anew"
    assert told("c") == [False, False]
    assert told("b") == [True, True], "and nobody starts an earlier session"
    assert told("c") == [True, True]
    assert told("c", taken_over=True) == [True, False], "it may have lost its connection"
    assert told("c") == [False, False], "nothing was heard of the other for a while"
    assert caplog.text.count("table t-1 has two boxes") == 1
    assert [told(""), told("")] == [[False, False]] * 2, "an older program says no session"
    assert told("b", taken_over=True) == [True, True]
    world.send("t-1", "online", encode(Online(online=False)))
    wait_until(lambda: not world.hub.tables()[0].online)
    assert world.hub.tables()[0].taken_over, "a will says nothing of it"


def test_what_comes_together_with_a_tables_goodbye_is_in_the_books(world: World) -> None:
    world.send("t-1", "online", encode(Online(online=True)))
    wait_until(lambda: world.acks("t-1"))
    last = TableMessage("t-1", "event", encode(record("t-1", 1)))
    world.hub._inbox._take([TableMessage("t-1", "online", b""), last])
    assert [each.game for each in world.hub.books.games()] == ["t-1.a/1"]
    assert world.hub.tables() == []


def test_a_record_that_is_entered_while_its_table_goes_is_not_in_the_books(world: World) -> None:
    world.send("t-1", "event", encode(record("t-1", 1)))
    wait_until(lambda: world.acks("t-1"))
    world.hub.feed.know("t-1", "Window")
    world.hub.remove("t-1", games=True)
    world.hub.books.extend([("t-1", record("t-1", 1).what)])
    assert world.hub.books.games() == []


@pytest.mark.parametrize("dice", [61, 300_000, 2**53])
def test_nobody_has_more_dice_than_a_page_can_draw(tmp_path: Path, dice: int) -> None:
    member = FakeMember(FakeBroker(), "club", "t-1", "Window", tmp_path, ("Ana", "Ben"))
    member.act_until(lambda state: state.phase is Phase.BIDDING)
    state = member.state()
    member.close()
    many = replace(state, players=tuple(replace(each, dice=dice) for each in state.players))
    with pytest.raises(PayloadError):
        decode(encode(many), TableState)


def test_a_record_that_cannot_be_read_is_in_the_books_without_its_story(world: World) -> None:
    world.send("t-1", "event", encode(record("t-1", 1, record=((),))))
    world.send("t-1", "event", encode(record("t-1", 2, record=(("nonsense",),))))
    wait_until(lambda: len(world.hub.books.games()) == 2)
    world.hub.books.set_name("Ana", "Anna")
    client = create_lobby(world.hub, Access(code="1")).test_client()
    for number in (1, 2):
        answer = client.get(f"/api/v1/games/t-1.a/{number}")
        assert (answer.status_code, answer.json["story"]) == (200, [])
        assert [each["name"] for each in answer.json["result"]["players"]] == ["Anna", "Ben"]
        assert client.get(f"/api/v1/reviews/t-1.a/{number}").json == {}


def test_a_tournaments_result_that_could_not_be_written_comes_later(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.send("t-1", "online", encode(Online(online=True)))
    wait_until(world.hub.tables)
    world.hub.tournaments.open(OpenTournament("Cup", table_size=4))
    world.hub.tournaments.do(1, JoinTournament(("Ana", "Ben", "Cid", "Dora")))
    world.hub.tournaments.do(1, DrawRound(1))

    def full(*_: object) -> None:
        raise ClubError("The disk is full.")

    monkeypatch.setattr(world.store, "add_tournament_events", full)
    played = club_record("t-1.a/1", "Ana", "Ben", "Cid", "Dora")
    world.send("t-1", "event", encode(EventMessage(run="a", seq=1, before=None, at="", what=played)))
    wait_until(world.hub.books.games)
    world.stop()
    world.start()
    found = world.hub.tournaments.one(1)
    assert found.rounds[0].tables[0].places == (("Ana",), ("Ben",), ("Cid",), ("Dora",))


def test_a_television_shows_a_tournament_until_something_newer_is_played(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 11, 24, 23, 30, tzinfo=UTC)
    monkeypatch.setattr(world.store, "_now", lambda moved: (now + moved).isoformat())
    shown, seq = world.hub.tournaments, count(1)

    def winners() -> list[tuple[str, str]]:
        return [(each.game, each.players[0].name) for each in world.hub.books.games()]

    def ends(game: int, *names: str) -> None:
        played = club_record(f"t-1.a/{game}", *names)
        world.send("t-1", "event", encode(EventMessage(run="a", seq=next(seq), before=None, at="", what=played)))
        wait_until(lambda: (played.game, names[0]) in winners())

    world.send("t-1", "online", encode(Online(online=True)))
    wait_until(world.hub.tables)
    shown.open(OpenTournament("Cup", table_size=4))
    shown.do(1, JoinTournament(("Ana", "Ben", "Cid", "Dora")))
    assert shown.current() is None, "nothing is drawn"
    shown.do(1, DrawRound(1))
    ends(1, "Ana", "Ben", "Cid", "Dora")
    wait_until(lambda: shown.current().rounds[0].tables[0].places)
    assert shown.current() == shown.one(1), "an open one"
    now += timedelta(days=7)
    assert shown.current() is None, "a league's evening is over"
    shown.do(1, JoinTournament(("Emil",)))
    assert shown.current() == shown.one(1), "the next evening"
    shown.open(OpenTournament("Another", table_size=4))
    shown.do(1, CloseTournament())
    shown.do(2, JoinTournament(("Ana", "Ben", "Cid", "Dora")))
    now += timedelta(hours=11)
    assert shown.current() == shown.one(1), "who has won, for this evening"
    now += timedelta(hours=2)
    assert shown.current() is None, "the evening is over"
    now -= timedelta(hours=2)
    ends(1, "Ben", "Ana", "Cid", "Dora")
    assert shown.current() is not None, "a correction is nothing new"
    now += timedelta(minutes=9)
    ends(2, "Ana", "Ben")
    assert shown.current() is None


def test_a_full_lobby_gives_the_place_of_who_has_most() -> None:
    feed = LobbyFeed(limit=4)
    greedy = [feed.enter("10.0.0.9") for _ in range(4)]
    assert feed.enter("10.0.0.9") is None, "its own streams stay"
    guest = feed.enter("10.0.0.5")
    assert [each is not None and feed.ended(each) for each in greedy] == [True, False, False, False]
    assert not feed.ended(guest)
