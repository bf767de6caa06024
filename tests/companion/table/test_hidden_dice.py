"""With hidden lost dice, nothing in the public state gives away how many dice are under a cup."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import RULESETS, EngineError
from companion.messages.sentence import json_bytes
from companion.table import Journal, State, Table, commands
from companion.table.commands import Actor
from companion.table.errors import TableError
from companion.table.game import sentences
from companion.table.game.new_game import GameDefaults
from companion.table.past.story import Story
from companion.table.state.state import Waiting
from hardware.panel.debounce import Push
from tests.fakes.clock import FakeClock
from tests.fakes.new_game import new_game
from tests.fakes.public_state import in_json
from tests.fakes.reader import laid_out

COMPANY = [("Ana", "red"), ("Ben", "blue"), ("Cid", "green")]
FULL = {"red": [4, 4, 1, 2, 3], "blue": [6, 6, 5, 4, 1], "green": [2, 2, 2, 3, 5]}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with opened(tmp_path) as table:
        yield table


@contextmanager
def opened(folder: Path, **dice: int) -> Iterator[Table]:
    with Table(Journal(folder), defaults=GameDefaults(draw=random.Random(1).choice)) as table:
        table.do(new_game(COMPANY, starter="Ana", open_lost=False, dice=dice))
        yield table


def counts(state: State) -> dict[str, int | None]:
    return {player.name: player.dice for player in state.players}


def judged(table: Table) -> State:
    request = table.reveal_wanted()
    return table.take_reading(request.reveal, laid_out(FULL), b"a picture")


def to_one_die(table: Table, **others: int) -> State:
    """Ana, who has two dice, loses one; the others have so many. The state of the round after."""
    table.do(commands.MakeBid("Ana", 9, 4))
    table.do(commands.CallDudo("Ben"))
    table.do(commands.CountByHand({"Ana": [2, 2], **{name: [2] * count for name, count in others.items()}}))
    return table.do(commands.OpenRound())


def test_the_number_of_dice_is_public_only_while_they_lie_open(table: Table) -> None:
    unknown = {"Ana": None, "Ben": None, "Cid": None}
    assert counts(table.state()) == unknown
    table.do(commands.MakeBid("Ana", 9, 4))
    assert counts(table.push("calza", Push.DOWN)) == unknown  # asking
    assert counts(table.do(commands.CallDudo("Ben"))) == unknown  # not counted yet
    assert counts(judged(table)) == {"Ana": 4, "Ben": 5, "Cid": 5}
    assert counts(table.do(commands.OpenRound())) == unknown


def test_a_count_that_is_undone_tells_nothing(table: Table) -> None:
    unknown = dict.fromkeys(("Ana", "Ben", "Cid"))
    state = table.do(commands.AskCount("dudo"))
    assert counts(state) == unknown
    table.set_waiting(
        table.reveal_wanted().reveal, Waiting(code="missing", sentence=sentences.missing("Ana", "red", 0, 5))
    )
    assert "5" not in table.state().waiting.sentence
    with pytest.raises(EngineError) as refused:
        table.do(commands.CountByHand({"Ana": [1], "Ben": [2] * 5, "Cid": [3] * 5}))
    assert refused.value.message == "somebody has another number of dice"
    assert counts(table.do(commands.Undo(table.state().undo.step))) == unknown


def test_three_wrong_counts_are_told_to_all_and_then_only_the_host_counts(table: Table) -> None:
    ben, host = Actor("b2c3", "Ben"), Actor("k3f9", "Ana", host=True)

    def guess(by: Actor, **dice: int) -> str:
        try:
            return table.do(commands.CountByHand({name: [2] * count for name, count in dice.items()}), by).phase
        except (EngineError, TableError) as error:
            return error.code

    right = {"Ana": 5, "Ben": 5, "Cid": 5}
    table.do(commands.AskCount("dudo"), ben)
    assert guess(ben, **right, Zoe=1) == "unknown-player", "whether or not the others' are right"
    said = [guess(ben, Ana=5, Ben=5, Cid=wrong) for wrong in (1, 2)]
    told = table.state().notice
    assert told.sentence == "Ben counted by hand, but somebody has another number of dice."
    for command in (commands.Undo(table.state().undo.step), commands.VoidRound(), commands.AskCount("dudo")):
        table.do(command, ben)
    said += [guess(ben, Ana=5, Ben=5, Cid=wrong) for wrong in (3, 4)]
    assert said == ["dice-mismatch"] * 3 + ["miscounted"], "an undo or another round of bids gives no new tries"
    assert guess(ben, **right) == "miscounted"
    assert counts(table.state()) == dict.fromkeys(right)
    assert guess(host, **right) == "telling"


def test_what_all_have_seen_is_not_hidden_again_in_that_round(tmp_path: Path) -> None:
    with opened(tmp_path, Ben=3, Cid=2) as table:
        seen = {"Ana": 5, "Ben": 3, "Cid": 2}
        table.do(commands.AskCount("dudo"))
        table.do(commands.CountByHand({name: [2] * count for name, count in seen.items()}))
        table.do(commands.Undo(table.state().undo.step))
        assert counts(table.do(commands.Undo(table.state().undo.step))) == seen, "one phone has seen no more than all"
        assert counts(table.do(commands.VoidRound())) == seen
        table.do(commands.MakeBid("Ana", 9, 4))
        table.do(commands.CallDudo("Ben"))
        table.do(commands.CountByHand({name: [2] * count for name, count in seen.items()}))
        assert set(counts(table.do(commands.OpenRound())).values()) == {None}
        assert table.hidden_games() == {1: 0}
    with Table(Journal(tmp_path)) as again:
        assert set(counts(again.state()).values()) == {None}


PROBES = st.lists(
    st.one_of(
        st.builds(commands.MakeBid, st.sampled_from(["Ana", "Ben", "Cid"]), st.integers(1, 20), st.integers(1, 6)),
        st.builds(commands.CallDudo, st.sampled_from([None, "Ana", "Ben", "Cid"])),
        st.builds(commands.CallCalza, st.sampled_from([None, "Ana", "Ben", "Cid"])),
        st.builds(commands.NameCaller, st.sampled_from(["Ana", "Ben", "Cid", "Zoe"])),
        st.builds(commands.AskCount, st.sampled_from(["dudo", "calza"])),
        st.builds(lambda cid: commands.CountByHand({"Ana": [2] * 2, "Cid": [2] * cid}), st.integers(0, 6)),
        st.just(commands.CountByHand({"Zoe": [1]})),
        st.builds(commands.LeaveGame, st.sampled_from(["Ben", "Cid"]), st.booleans()),
        st.builds(commands.ComeBack, st.sampled_from(["Ana", "Ben", "Cid"])),
        st.builds(commands.JoinGame, st.just("Dora"), st.just("white"), st.integers(2, 6), st.just("Ben")),
        st.builds(commands.SetPlayerDice, st.just("Ana"), st.integers(1, 6)),
        st.sampled_from([commands.VoidRound(), commands.OpenRound(), commands.Pause(), commands.Resume()]),
        st.sampled_from([commands.EndGame(), commands.AskReading(), commands.StrikeDie(1), "undo", "redo"]),
    ),
    min_size=1,
    max_size=12,
).map(lambda probes: [commands.AskCount("dudo"), *probes] if isinstance(probes[0], commands.CountByHand) else probes)


@settings(max_examples=40)
@given(
    book=st.sampled_from(sorted(RULESETS)),
    some=st.tuples(*[st.integers(2, 5)] * 2),
    other=st.tuples(*[st.integers(2, 5)] * 2),
    palifico=st.booleans(),
    probes=PROBES,
)
def test_whatever_is_tried_two_tables_that_differ_only_under_the_cups_answer_alike(
    tmp_path_factory: pytest.TempPathFactory,
    book: str,
    some: tuple[int, int],
    other: tuple[int, int],
    palifico: bool,
    probes: list[commands.Command | str],
) -> None:
    answers: list[object] = []
    for ben, cid in (some, other):
        with Table(Journal(tmp_path_factory.mktemp("state")), clock=FakeClock()) as table:
            dice = {"Ana": 2, "Ben": ben, "Cid": cid}
            table.do(new_game(COMPANY, book, starter="Ana", open_lost=False, dice=dice))
            if palifico:
                assert to_one_die(table, Ben=ben, Cid=cid).palifico == "Ana"
            said: list[object] = []
            for probe in probes:
                state = table.state()
                step = {"undo": state.undo, "redo": state.redo}.get(str(probe))
                try:
                    if not isinstance(probe, str):
                        table.do(probe)
                    elif step is not None and state.phase != "seating":
                        table.do((commands.Undo if probe == "undo" else commands.Redo)(step.step))
                except (EngineError, TableError) as error:
                    said.append(f"{error.code} {error.sentence}")
                # With how many dice a game was opened was said aloud: the company plays so again.
                said.append(json_bytes(msgspec.structs.replace(table.state(), company=None)))
            answers.append((said, table.hidden_games(), json_bytes(table.story()), table.turn()))
    assert answers[0] == answers[1]


def test_who_is_out_and_who_is_palifico_is_public(tmp_path: Path) -> None:
    with opened(tmp_path, Ana=2) as table:
        to_one_die(table, Ben=5, Cid=5)
        assert counts(table.state()) == {"Ana": 1, "Ben": None, "Cid": None}
        assert counts(table.do(commands.LeaveGame("Cid", concede=True))) == {"Ana": 1, "Ben": None, "Cid": 0}


def test_the_dice_of_a_player_who_left_stay_hidden(table: Table) -> None:
    assert in_json(table.do(commands.LeaveGame("Cid")).away) == [{"name": "Cid", "dice": None}]
    assert counts(table.do(commands.ComeBack("Cid")))["Cid"] is None


def test_the_story_of_the_game_waits_until_the_dice_lie_open(table: Table) -> None:
    table.do(commands.MakeBid("Ana", 9, 4))
    table.do(commands.CallDudo("Ben"))
    judged(table)
    assert table.story().statistics is not None
    table.do(commands.OpenRound())
    company = table.story().company
    assert table.story() == Story(game=1, company=replace(company, games=0, rounds=0))


def test_a_game_won_because_the_others_gave_up_reveals_nothing(table: Table) -> None:
    table.do(commands.LeaveGame("Ben", concede=True))
    state = table.do(commands.LeaveGame("Cid", concede=True))
    assert state.winner == "Ana"
    assert counts(state) == {"Ana": None, "Ben": 0, "Cid": 0}
    assert table.story().story == ()
    assert table.hidden_games() == {1: 0}


def test_a_game_that_an_undo_brings_back_is_hidden_and_so_is_one_to_be_done_again(table: Table) -> None:
    table.do(commands.MakeBid("Ana", 9, 4))
    table.do(commands.CallDudo("Ben"))
    judged(table)
    assert table.hidden_games() == {}, "the dice lie open"
    table.do(commands.OpenRound())
    assert table.hidden_games() == {1: 1}
    table.do(new_game(COMPANY, starter="Ana", abandon=True))
    assert table.hidden_games() == {1: 1}
    table.do(new_game(COMPANY, starter="Ana", open_lost=False, abandon=True))
    assert table.hidden_games() == {3: 1}
    table.do(commands.MakeBid("Ana", 9, 4))
    for _ in range(2):
        table.do(commands.Undo(table.state().undo.step))
    assert table.state().game == 2
    assert table.state().undo is None, "the first game has ended for good"
    assert table.hidden_games() == {3: 1}, "it can be done again"
    table.do(commands.MakeBid("Ana", 9, 4))
    assert table.hidden_games() == {}


def test_the_virtual_table_knows_all_counts(tmp_path: Path) -> None:
    with opened(tmp_path, Ben=2) as table:
        assert counts(table.state_with_all_dice()) == {"Ana": 5, "Ben": 2, "Cid": 5}
