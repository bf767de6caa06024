"""What a table tells its hub: nothing from before it joined, and no name before it was agreed."""

from __future__ import annotations

import logging
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.member.events import EVENTS_OF_A_LINE, EventFold
from companion.member.membership import Membership
from companion.member.outbox import WINDOW, journal_lines, run_name
from companion.member.payloads import (
    Acknowledgement,
    Assignment,
    EventKey,
    EventMessage,
    GameEvent,
    Online,
    RecordEvent,
    encode,
)
from companion.member.publisher import ANEW_SECONDS, Publisher
from companion.member.topics import TableTopics
from companion.table import Journal, Table
from tests.fakes.club_hub import PLAYERS, OneTableHub

some = st.lists(st.sampled_from(PLAYERS), unique=True).map(tuple)
drawn = st.lists(st.sampled_from((*PLAYERS, "Dora")), unique=True, min_size=1).map(tuple)
steps = st.one_of(
    st.tuples(st.just("play"), st.integers(1, 60)),
    st.tuples(st.just("play away"), st.integers(1, 60)),
    st.tuples(st.just("agree"), some),
    st.tuples(st.just("assign"), st.one_of(st.none(), drawn)),
    st.tuples(st.just("assign while away"), st.one_of(st.none(), drawn)),
    st.tuples(st.just("restart"), st.none()),
    st.tuples(st.just("put back"), st.booleans()),
    st.tuples(st.just("anew"), st.none()),
)


Row = tuple[str, int]
"""A start of the program, and a row of the journal: a journal that is put back repeats rows."""


def began(message: EventMessage) -> Row:
    """The row in which its game began."""
    run, _, number = message.what.game.partition(".")[2].rpartition("/")
    return run, int(number) // EVENTS_OF_A_LINE


class Witness:
    """Who might be named in each row, as somebody who looks on would write it down."""

    def __init__(self, hub: OneTableHub) -> None:
        self.hub = hub
        self.agreed: dict[Row, frozenset[str]] = {}
        self.entered: dict[Row, frozenset[str]] = {}
        self.told: dict[object, EventMessage] = {}
        self.seen = 0
        self.known: frozenset[str] = frozenset()
        """Who is to play here next, as the table knows."""
        self.look_up()

    def look_up(self) -> None:
        """Another journal may be there."""
        self.last, self.run = self.hub.played.table.last_row(), run_name(*self.hub.played.table.start)

    def note(self) -> None:
        row = self.hub.played.table.last_row()
        for each in range(self.last + 1, row + 1):
            self.agreed[self.run, each], self.entered[self.run, each] = frozenset(self.hub.agreed), self.known
        self.last = row

    def check(self) -> None:
        for message in self.hub.heard[self.seen :]:
            assert began(message) in self.entered, "it began before the table joined"
            may = self.agreed[message.run, message.seq // EVENTS_OF_A_LINE] | self.entered[began(message)]
            text = encode(message).decode()
            assert {name for name in PLAYERS if f'"{name}"' in text or f"{name} " in text} <= may, text
            if isinstance(message.what, GameEvent | RecordEvent):
                named = {each.name for each in message.what.players if each.named}
                assert named == may & {*PLAYERS}, "who agreed is named"
            assert self.told.setdefault(message.key, message) == message, "it was told otherwise before"
        self.seen = len(self.hub.heard)
        self.check_state()

    def check_state(self) -> None:
        """What the phones see follows the present consent."""
        state = self.hub.state
        number = state.game
        its = [each for each in self.hub.events if isinstance(each.what, GameEvent) and each.what.number == number]
        may = frozenset(self.hub.agreed) | (self.entered[began(its[-1])] if its else set())
        assert {each.name for each in state.players if each.named} == may & {each.name for each in state.players}


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(0, 1), st.lists(steps, max_size=14))
def test_no_name_leaves_the_table_before_it_was_agreed(seed: int, earlier: int, doings: list) -> None:
    with OneTableHub(seed, since_games=earlier) as hub:
        witness = Witness(hub)
        for doing, what in [*doings, ("anew", None), ("restart", None), ("anew", None)]:
            match doing:
                case "play" | "play away":
                    if doing == "play away":
                        hub.disconnect()
                    for _ in range(what):
                        hub.played.act()
                        witness.note()
                        if doing == "play":
                            hub.settle()
                    if doing == "play away":
                        hub.connect()
                case "agree":
                    hub.agree(what)
                case "assign":
                    hub.assign(what)
                case "assign while away":
                    hub.disconnect()
                    hub.retained = None if what is None else Assignment(tournament="Cup", round="2", players=what)
                    hub.connect()
                case "restart":
                    hub.restart()
                case "put back":
                    hub.put_back(new=what)
                    hub.ask_anew()
                case "anew":
                    hub.ask_anew()
            witness.look_up()
            witness.known = frozenset(() if hub.retained is None else hub.retained.players)
            witness.check()
        assert [each.before for each in hub.events] == [None, *(each.key for each in hub.events)][: len(hub.events)]
        if "put back" not in [doing for doing, _ in doings]:
            assert list(witness.told) == [each.key for each in hub.events], "everything that was told is told anew"


def until_over(hub: OneTableHub) -> None:
    hub.played.play(1)
    hub.settle()


def names(hub: OneTableHub) -> list[list[str]]:
    """The players of each game, as it began."""
    return [[player.name for player in each.what.players] for each in hub.events if isinstance(each.what, GameEvent)]


COLOURS = ["(red)", "(blue)", "(green)"]


def test_what_was_played_before_the_table_joined_is_not_told() -> None:
    with OneTableHub(1, since_games=1, trouble=0.0) as hub:
        hub.played.act()
        hub.played.act()
        until_over(hub)
        assert hub.events[0].before is None
        assert [each.what.number for each in hub.events if isinstance(each.what, GameEvent)] == [3]


def test_a_game_that_goes_on_while_the_table_joins_is_not_told() -> None:
    with OneTableHub(1, trouble=0.0) as hub:
        hub.played.act()
        hub.membership = replace(hub.membership, since=hub.played.table.last_row())
        hub.restart()
        until_over(hub)
        assert hub.events == []
        hub.played.act()
        hub.settle()
        assert names(hub) == [COLOURS]


def test_who_agrees_is_not_named_in_earlier_games_that_are_told_anew() -> None:
    with OneTableHub(1, trouble=0.0) as hub:
        until_over(hub)
        hub.agree(("Ana",))
        until_over(hub)
        hub.agree(())
        until_over(hub)
        wanted = [COLOURS, ["Ana", "(blue)", "(green)"], COLOURS]
        assert names(hub) == wanted
        hub.ask_anew()
        assert names(hub) == wanted
        hub.restart()
        hub.ask_anew()
        assert names(hub) == wanted


def test_a_hub_that_guesses_names_gets_none_of_an_older_game() -> None:
    with OneTableHub(1, trouble=0.0) as hub:
        until_over(hub)
        hub.played.act()  # a game goes on
        hub.settle()
        hub.assign(("Ana", "Ben", "Cid", "Dora"))
        assert [each.name for each in hub.state.players] == COLOURS
        hub.ask_anew()
        assert names(hub) == [COLOURS, COLOURS]
        until_over(hub)
        assert all(b"Ana" not in encode(each) for each in hub.heard)


def test_an_assignment_that_goes_leaves_its_game_as_it_is() -> None:
    with OneTableHub(1, trouble=0.0) as hub:
        hub.assign(("Ana", "Ben"))
        hub.played.act()
        hub.settle()
        hub.assign(None)
        assert [each.name for each in hub.state.players] == ["Ana", "Ben", "(green)"]
        hub.restart()
        assert [each.name for each in hub.state.players] == ["Ana", "Ben", "(green)"]
        until_over(hub)
        until_over(hub)
        wanted = [["Ana", "Ben", "(green)"], COLOURS]
        assert names(hub) == wanted
        hub.ask_anew()
        assert names(hub) == wanted
        record = next(each.what for each in hub.events if isinstance(each.what, RecordEvent))
        assert [each.named for each in record.players] == [True, True, False]


def test_a_backup_of_the_journal_that_is_put_back_tells_what_is_new_alone() -> None:
    with OneTableHub(1, since_games=2, trouble=0.0) as hub:
        hub.put_back(new=False)  # it is from before the table joined
        until_over(hub)
        assert [each.what.number for each in hub.events if isinstance(each.what, GameEvent)] == [3]
        hub.agree(("Ana",))
        hub.put_back(new=False)  # and the one with four games again
        hub.ask_anew()
        assert hub.events == [], "the third game of this journal was before the table joined"
        until_over(hub)
        assert [each.what.number for each in hub.events if isinstance(each.what, GameEvent)] == [5]
        assert names(hub) == [["Ana", "(blue)", "(green)"]]


def test_an_assignment_that_was_taken_back_while_the_table_was_away_is_gone() -> None:
    with OneTableHub(1, trouble=0.0) as hub:
        hub.assign(PLAYERS)
        hub.disconnect()
        hub.retained = None
        hub.restart()
        assert hub.shown is None
        hub.played.act()
        hub.settle()
        assert names(hub) == [COLOURS]


def test_what_cannot_be_read_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with OneTableHub(1) as hub, caplog.at_level(logging.WARNING):
        for _ in range(100):
            hub.say(hub.topics.ack, b"junk")
            hub.say(hub.topics.assign, b"junk")
        assert len(caplog.records) == 2
        hub.say(hub.topics.ack, encode(Acknowledgement(key=None)))
        hub.say(hub.topics.ack, b"junk")
        hub.say(hub.topics.ack, b"junk")
        assert len(caplog.records) == 3


def test_the_journal_is_told_anew_every_ten_seconds_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    with OneTableHub(1, trouble=0.0) as hub:
        until_over(hub)
        begun: list[object] = []
        begin = hub.publisher._begin
        monkeypatch.setattr(hub.publisher, "_begin", lambda since: (begun.append(since), begin(since)))
        hub.seconds += ANEW_SECONDS
        for each in range(50):
            hub.say(hub.topics.ack, encode(Acknowledgement(key=EventKey("9-z", each), missing=True)))
            hub.step()
        assert len(begun) == 1
        hub.seconds += ANEW_SECONDS - 1
        hub.step()
        assert len(begun) == 1
        hub.seconds += 1
        hub.step()
        assert begun[1:] == [EventKey("9-z", 49)], "what was asked for meanwhile comes then"


def test_a_start_makes_the_events_of_the_last_games_again_and_of_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    with OneTableHub(1, trouble=0.0) as hub:
        hub.played.play(8)
        hub.settle()
        read = Mock(side_effect=journal_lines)
        monkeypatch.setattr("companion.member.publisher.journal_lines", read)
        heard = len(hub.heard)
        hub.restart()
        assert len(hub.heard) == heard
        assert all(since > 0 for (_, since), _ in read.call_args_list)
        until_over(hub)
        whole = EventFold("t-1")
        every = [each for line in journal_lines(hub.folder, 0) for each in whole.step(line, ())]
        assert list(map(encode, hub.events)) == list(map(encode, every))
        hub.events = [replace(each, run="9-z") for each in hub.events]  # those of another journal
        read.reset_mock()
        heard = len(hub.heard)
        hub.connect()
        assert [since > 0 for (_, since), _ in read.call_args_list][:2] == [True, False], "it gets all of this one"
        assert [each.seq for each in hub.heard[heard:]] == [each.seq for each in every[:WINDOW]]


class FakeConnection:
    def __init__(self) -> None:
        self.subscribed: list[str] = []
        self.taken_over = False

    def subscribe(self, topic: str) -> None:
        self.subscribed.append(topic)

    def publish(self, *_: object, **__: object) -> None:
        pass

    def give_way(self) -> None:
        self.taken_over = True


@pytest.mark.parametrize("online", [True, False])
def test_at_home_a_second_box_is_noticed_and_an_earlier_start_is_not(tmp_path: Path, online: bool) -> None:
    """Two boxes with the files of one end each other's connection. What the other said, or its will, is retained."""
    home = Membership(club="home", title="", table="t-1", name="Window", broker="mqtt://x")
    line, topic = FakeConnection(), TableTopics("home", "t-1").online
    with Table(Journal(tmp_path)) as table:
        publisher = Publisher(home, None, table, tmp_path, line, lambda *_: None, session="mine")  # type: ignore[arg-type]
        publisher._connected(True)
        assert topic in line.subscribed
        publisher._heard(topic, encode(Online(online=online, session="earlier")))
        assert not publisher.taken_over
        publisher._connected(False)
        publisher._connected(True)
        for session in ("mine", ""):
            publisher._heard(topic, encode(Online(online=online, session=session)))
        assert not publisher.taken_over
        publisher._heard(topic, encode(Online(online=online, session="another")))
        assert publisher.taken_over
