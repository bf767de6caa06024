"""The feed and the streams, without a network: who has a place, what is sent and when."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from companion.table.state.state import PublicPlayer, State
from tests.fakes.clock import FakeClock
from tests.fakes.phone_connection import FakePhoneConnection
from tests.fakes.states import STATES
from tests.wait import wait_until
from web.access.phones import PLAYER, SHARED, WATCHING, PhonePresence, Presence
from web.stream.stream import (
    BEHIND,
    HEARTBEAT_COMMENT,
    PHONES_OWN,
    RETRY,
    STATES_KEPT,
    STRANGERS,
    Client,
    Feed,
    Streams,
)

SOME_STATE = STATES["bidding"]


def filled(feed: Feed, versions: range) -> Feed:
    for version in versions:
        feed.put(replace(SOME_STATE, version=version))
    return feed


def place(feed: Feed, phone: str | None = None, last: str = "", address: str = "") -> Client:
    client = feed.enter(phone, last, address)
    assert client is not None
    return client


def versions(data: bytes) -> list[int]:
    return [int(version) for version in re.findall(rb"^id: 0a-(\d+)$", data, re.MULTILINE)]


NEWEST = STATES_KEPT + 2


@pytest.mark.parametrize(
    ("last", "first"),
    [("0a-1", NEWEST), ("0a-2", 3), (f"0a-{NEWEST - 1}", NEWEST)]
    + [(last, NEWEST) for last in ("0b-3", "nonsense", "-", "3", "0a-", "0a-99", "0a-" + "9" * 30)],
)
def test_a_phone_that_missed_too_much_or_was_elsewhere_gets_the_whole_state(last: str, first: int) -> None:
    feed = filled(Feed("0a", limit=3), range(1, NEWEST + 1))
    assert versions(feed.next(place(feed, last=last)))[0] == first


def test_a_state_is_encoded_once_for_its_answer_and_all_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    feed = filled(Feed("0a", limit=3), range(1, 3))
    newest, sent = replace(SOME_STATE, version=2), feed.next(place(feed))
    monkeypatch.setattr("web.stream.stream.json_bytes", lambda _: b"encoded again")
    assert b"data: " + feed.state_json(newest) + b"\n" in sent
    assert feed.state_json(replace(SOME_STATE, version=1)) == b"encoded again", "an older one is not kept"


def test_a_phone_that_falls_behind_gets_only_the_newest_state() -> None:
    feed = filled(Feed("0a", limit=1), range(1, 2))
    client = place(feed)
    feed.next(client)
    for new in (range(2, 2 + BEHIND), range(20, 21 + BEHIND)):
        filled(feed, new)
        assert versions(feed.next(client)) == (list(new) if len(new) <= BEHIND else [new[-1]])
    assert feed.next(client) == b""


def test_once_dice_are_hidden_their_earlier_numbers_are_not_sent() -> None:
    def state(dice: int | None) -> State:
        players = (PublicPlayer("Ana", "red", dice), PublicPlayer("Ben", "blue", 0))
        return replace(STATES["bidding"], open_lost=False, players=players)

    feed = Feed("0a", limit=9)
    for version, dice in enumerate((None, None, 4, 3, None, None), 1):
        feed.put(replace(state(dice), version=version))
    for last, sent in (("0a-2", [6]), ("0a-3", [6]), ("0a-4", [5, 6]), ("0a-5", [6])):
        assert versions(feed.next(place(feed, "ana1", last))) == sent


def test_whoever_is_in_stays_in_and_one_too_many_at_an_address_or_of_a_phone_is_refused() -> None:
    feed = Feed("0a", limit=200)
    own = [place(feed, "ana1", address=f"10.0.0.{n}") for n in range(PHONES_OWN)]
    strangers = [place(feed, address="10.0.0.1") for _ in range(STRANGERS)]
    assert feed.enter("ana1", address="10.0.0.99") is None
    assert feed.enter(None, address="10.0.0.1") is None
    others = [place(feed, address="10.0.0.2"), place(feed, "ben2", address="10.0.0.1")]
    assert not any(map(feed.ended, (*own, *strangers, *others)))


def test_one_phone_cannot_take_every_place() -> None:
    feed = Feed("0a", limit=12)
    for _ in range(50):
        feed.enter("evil")
        feed.enter(None, address="10.0.0.1")
    assert feed.enter("ana1") is not None
    assert feed.enter(None, address="10.0.0.2") is None  # strangers give way


def seated(feed: Feed, *rows: tuple[str, str | None]) -> Feed:
    """A feed that knows these phones and their roles; the first is the host's."""
    present = [PhonePresence(phone, role, None, host=not n) for n, (phone, role) in enumerate(rows)]
    feed.sit(Presence({}, tuple(present)))
    return feed


def test_in_a_full_feed_host_and_players_come_before_those_who_watch() -> None:
    feed = seated(Feed("0a", limit=3), ("host", WATCHING), ("ana1", PLAYER), ("dad2", SHARED), ("tv33", WATCHING))
    watching = [place(feed, phone) for phone in ("tv33", "tv44", "tv55")]
    assert feed.enter("tv66") is None, "the newest of those who watch is refused"
    assert feed.enter(None) is None
    host, ana, dad = (place(feed, phone) for phone in ("host", "ana1", "dad2"))
    assert all(map(feed.ended, watching))
    assert feed.enter("mum7") is None
    assert place(feed, "host"), "a player's page that is loaded again takes the place of the one before"
    assert [feed.ended(client) for client in (host, ana, dad)] == [True, False, False]


@pytest.mark.parametrize(
    ("there", "comes", "gives_way"),
    [
        (("tv33", "tv44", "tv55"), "ana1", [False, False, True]),
        (("tv33", "tv33", "tv33"), "tv44", [False, False, True]),
        ((None, None, None), "ana1", [False, False, True]),
    ],
    ids=["the newest who watches, to a player", "a second stream, to who has none", "a stranger, to who joined"],
)
def test_in_a_full_feed_gives_way(there: tuple[str | None, ...], comes: str, gives_way: list[bool]) -> None:
    feed = seated(Feed("0a", limit=3), ("host", SHARED), ("ana1", PLAYER), ("tv33", WATCHING))
    clients = [place(feed, phone) for phone in there]
    place(feed, comes)
    assert [feed.ended(client) for client in clients] == gives_way


class Room:
    """Streams on a clock of their own."""

    def __init__(self) -> None:
        self.clock = FakeClock(0.0)
        self.feed = filled(Feed("0a", limit=9), range(1, 2))
        self.streams = Streams(self.feed, heartbeat=10.0, unread_for=20.0, clock=self.clock)

    def listen(self, *, slow: bool = False) -> FakePhoneConnection:
        connection, client = FakePhoneConnection(slow=slow), place(self.feed)
        self.streams.add(client, connection, lambda: self.feed.leave(client))
        return connection

    def wait(self, seconds: float) -> None:
        self.clock.sleep(seconds)
        self.streams.turn()


def run(scenario: Callable[[Room], None]) -> None:
    async def main() -> None:
        scenario(Room())

    asyncio.run(main())


def test_there_is_a_heartbeat_after_ten_seconds_of_silence() -> None:
    def scenario(room: Room) -> None:
        phone = room.listen()
        assert phone.received[0].startswith(RETRY)
        assert versions(phone.received.pop()) == [1]
        room.wait(9.9)
        assert phone.received == []
        room.wait(0.1)
        room.wait(9.9)
        assert phone.received == [HEARTBEAT_COMMENT]
        room.wait(0.1)
        assert phone.received == [HEARTBEAT_COMMENT] * 2

    run(scenario)


def test_a_phone_that_reads_nothing_for_twenty_seconds_loses_its_place() -> None:
    def scenario(room: Room) -> None:
        deaf, phone = room.listen(slow=True), room.listen()
        for version, seconds in ((2, 10.0), (3, 9.9)):
            room.feed.put(replace(SOME_STATE, version=version))
            room.wait(seconds)
        assert (len(deaf.received), deaf.end) == (1, ""), "it is sent nothing more until it has read"
        assert versions(b"".join(phone.received)) == [1, 2, 3], "and delays nobody"
        room.wait(0.1)
        assert (deaf.end, phone.end, room.feed.count) == ("cut off", "", 1)

    run(scenario)


def test_a_slow_phone_keeps_its_place_and_gets_the_newest_state() -> None:
    async def main() -> None:
        room = Room()
        slow = room.listen(slow=True)
        filled(room.feed, range(2, 20))
        room.wait(15.0)
        slow.read()
        await asyncio.sleep(0)  # what waits for the phone runs
        assert [versions(data) for data in slow.received] == [[1], [19]]
        room.wait(15.0)
        assert slow.end == ""

    asyncio.run(main())


def test_a_stream_that_ends_is_finished_unless_its_phone_does_not_read() -> None:
    def scenario(room: Room) -> None:
        phones = [room.listen(), room.listen(slow=True)]
        room.feed.close()
        room.streams.turn()
        assert [phone.end for phone in phones] == ["finished", "cut off"]
        assert room.feed.count == 0

    run(scenario)


@pytest.fixture
def serving() -> Callable[..., None]:
    """Runs `serve` of `streams` until `done`."""

    def run_until(streams: Streams, begin: Callable[[], None], done: Callable[[], bool]) -> None:
        async def main() -> None:
            task = asyncio.create_task(streams.serve())
            await asyncio.sleep(0)  # it begins
            begin()
            await asyncio.to_thread(wait_until, done)
            task.cancel()

        asyncio.run(main())

    return run_until


def test_without_news_there_are_heartbeats_and_phones_that_are_gone_are_noticed(serving: Callable[..., None]) -> None:
    looked: list[str] = []
    feed, phone = Feed("0a", limit=9), FakePhoneConnection()
    streams = Streams(feed, heartbeat=0.0, unread_for=9.0, clock=lambda: 0.0, look=lambda: looked.append("looked"))
    serving(
        streams,
        lambda: streams.add(place(feed), phone, lambda: None),
        lambda: len(looked) >= 2 and phone.received.count(HEARTBEAT_COMMENT) >= 2,
    )


def test_the_seats_follow_a_new_company_once_for_all_listeners(serving: Callable[..., None]) -> None:
    followed: list[int] = []
    feed = Feed("0a", limit=9)
    streams = Streams(
        feed, heartbeat=9.0, unread_for=9.0, clock=lambda: 0.0, follow=lambda state: followed.append(state.version)
    )
    phones = [FakePhoneConnection() for _ in range(3)]

    def begin() -> None:
        for phone in phones:
            streams.add(place(feed), phone, lambda: None)
        filled(feed, range(1, 3))

    serving(streams, begin, lambda: all(versions(phone.received[-1]) for phone in phones))
    assert followed == [2]
    assert [versions(b"".join(phone.received)) for phone in phones] == [[2]] * 3
