"""What a table's journal tells its club: always the same, and in the end what the journal says."""

from __future__ import annotations

import random
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from companion.club.books.books import result_of
from companion.engine.record import replay
from companion.member.events import EventFold, beginning_for
from companion.member.outbox import WINDOW, JournalLine, Outbox, journal_lines, last_row, runs_in
from companion.member.payloads import (
    CorrectionEvent,
    EventMessage,
    GameEvent,
    RecordEvent,
    RoundEvent,
    VerdictEvent,
    VoidEvent,
    decode,
    encode,
)
from companion.table import Journal, Table, commands
from companion.table.game.new_game import GameDefaults
from companion.table.journal.past_games import PastGames
from companion.table.journal.saved_games import saved_games
from companion.table.past.games import Ending
from tests.companion.table.journal.test_past_games import some_lines
from tests.fakes.club_table import ClubTable
from tests.fakes.new_game import new_game

EVERYBODY = ("Ana", "Ben", "Cid")


def told(folder: Path, consent: tuple[str, ...] = EVERYBODY, since: int = 0) -> list[EventMessage]:
    fold = EventFold("t-1")
    return list(chain.from_iterable(fold.step(line, consent) for line in journal_lines(folder, since)))


def played(folder: Path, seed: int, games: int = 4, trouble: float = 0.15) -> list[EventMessage]:
    table = ClubTable(folder, EVERYBODY, random.Random(seed), trouble=trouble)
    table.play(games)
    table.close()
    return told(folder)


@pytest.mark.parametrize("seed", range(3))
def test_the_records_in_the_end_are_the_games_of_the_journal(tmp_path: Path, seed: int) -> None:
    books: dict[str, RecordEvent] = {}
    for message in played(tmp_path, seed):
        match message.what:
            case RecordEvent() as record:
                books[record.game] = record
            case VoidEvent(game=game, round=None):
                books.pop(game, None)
    ended = [record for record in books.values() if record.ending is not Ending.PLAYING]
    saved = [each.game for each in saved_games(tmp_path) if each.game.ending is not Ending.PLAYING]
    assert [(each.record, each.winner) for each in saved] == [
        (record.record, record.places[0][0] if record.places else None) for record in ended
    ]


@pytest.mark.parametrize("seed", range(3))
def test_the_last_word_on_every_verdict_is_the_one_that_stands(tmp_path: Path, seed: int) -> None:
    verdicts = {}
    for message in played(tmp_path, seed):
        if isinstance(message.what, VerdictEvent | CorrectionEvent):
            verdicts[message.what.game, message.what.round] = message.what.verdict
        elif isinstance(message.what, VoidEvent) and message.what.round is None:
            verdicts = {key: each for key, each in verdicts.items() if key[0] != message.what.game}
    standing = [
        (each.outcome.caller, each.outcome.count, each.outcome.correct)
        for saved in saved_games(tmp_path)
        for each in saved.game.rounds
        if each.outcome is not None
    ]
    assert [(each.caller, each.count, each.correct) for each in verdicts.values() if each is not None] == standing


def test_a_new_process_tells_the_same_under_the_same_numbers(tmp_path: Path) -> None:
    """Whenever it is started, and with a new start of the program in between."""
    first = played(tmp_path, 7, games=2)
    table = ClubTable(tmp_path, EVERYBODY, random.Random(8))
    table.play(2)
    table.close()
    both = told(tmp_path)
    assert both[: len(first)] == first
    assert len({message.key for message in both}) == len(both)
    assert {message.run.split("-")[0] for message in both} == {"1", "2"}
    assert [message.before for message in both] == [None, *(message.key for message in both[:-1])]


def test_without_consent_no_name_leaves_the_table(tmp_path: Path) -> None:
    played(tmp_path, 3)
    for message in told(tmp_path, consent=("Ben",)):
        text = encode(message).decode()
        assert "Ana" not in text, text
        assert "Cid" not in text, text
        assert encode(decode(text.encode(), EventMessage)).decode() == text
        if isinstance(message.what, RecordEvent):
            assert [player.named for player in message.what.players] == [False, True, False]
            for part in message.what.record:
                assert all(step.error is None for step in replay(part))


def test_consent_changes_no_number(tmp_path: Path) -> None:
    played(tmp_path, 4)
    assert [each.key for each in told(tmp_path, ())] == [each.key for each in told(tmp_path)]


class Desk:
    def __init__(self, folder: Path) -> None:
        self.folder, self.seconds = folder, 0.0
        self.journal = Journal(folder)
        self.clock_set = True
        self.table = Table(
            self.journal, defaults=GameDefaults(clock_set=lambda: self.clock_set), clock=lambda: self.seconds
        )
        self.fold, self.read = EventFold("t-1"), 0

    def do(self, command: commands.Command) -> list[object]:
        """What the club is told of it."""
        self.seconds += 10
        self.table.do(command)
        return self.news()

    def undo(self) -> list[object]:
        step = self.table.state().undo
        return self.do(commands.Undo(step.step))

    def news(self) -> list[object]:
        found: list[object] = []
        for line in journal_lines(self.folder, self.read):
            found += [message.what for message in self.fold.step(line, ("Ana", "Ben"))]
            self.read = line.seq
        return found

    def close(self) -> None:
        self.table.close()
        self.journal.close()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


ANA_WINS = {"Ana": [1], "Ben": [2]}


def duel(desk: Desk) -> list[object]:
    """Ana and Ben with a die each, on Ana's bid of one five."""
    opened = desk.do(new_game([("Ana", "red"), ("Ben", "blue")], starter="Ana", dice={"Ana": 1, "Ben": 1}))
    desk.do(commands.MakeBid("Ana", 1, 5))
    desk.do(commands.CallDudo("Ben"))
    return opened


def test_a_game_is_told_from_its_opening_to_its_record(desk: Desk) -> None:
    game, opened = duel(desk)
    assert isinstance(game, GameEvent)
    assert isinstance(opened, RoundEvent)
    assert (opened.round, opened.opener, [each.dice for each in opened.players]) == (1, "Ana", [1, 1])
    verdict, record = desk.do(commands.CountByHand(ANA_WINS))
    assert isinstance(verdict, VerdictEvent)
    assert isinstance(record, RecordEvent)
    assert verdict.dice == {"Ana": (1,), "Ben": (2,)}
    assert verdict.verdict.sentence.endswith("Ben loses the last die and is out. Ana has won the game.")
    assert (record.game, record.places, record.ending) == (game.game, (("Ana",), ("Ben",)), Ending.WON)
    desk.close()


def test_the_record_of_a_game_that_began_before_the_clock_was_set_says_so(desk: Desk) -> None:
    for known in (False, True):
        desk.clock_set = known
        duel(desk)
        desk.clock_set = True
        _, record = desk.do(commands.CountByHand(ANA_WINS))
        assert isinstance(record, RecordEvent)
        assert record.clock_set == known
        result = result_of("t-1", record)
        assert result.clock_set == known
    desk.close()


def test_the_end_of_a_game_that_is_corrected_is_told_again(desk: Desk) -> None:
    duel(desk)
    desk.do(commands.CountByHand(ANA_WINS))
    correction, record = desk.do(commands.CountByHand({"Ana": [2], "Ben": [3]}))
    assert isinstance(correction, CorrectionEvent)
    assert isinstance(record, RecordEvent)
    assert correction.verdict.winner == "Ben"
    assert record.places == (("Ben",), ("Ana",))
    taken_back = desk.undo()
    assert [type(each) for each in taken_back] == [CorrectionEvent, RecordEvent]
    none, playing = desk.undo()
    assert isinstance(none, CorrectionEvent)
    assert isinstance(playing, RecordEvent)
    assert none.verdict is None
    assert (playing.ending, playing.record) == (Ending.PLAYING, ())
    desk.close()


def test_a_game_without_a_bid_is_in_no_books(desk: Desk) -> None:
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")]))
    assert desk.do(commands.EndGame()) == []
    desk.close()


def test_an_opening_that_is_undone_is_taken_back(desk: Desk) -> None:
    game, _ = desk.do(new_game([("Ana", "red"), ("Ben", "blue")]))
    assert isinstance(game, GameEvent)
    assert desk.undo() == [VoidEvent(game=game.game, round=None)]
    desk.close()


def test_a_record_that_waited_is_not_told_once_the_game_has_gone_on(desk: Desk) -> None:
    company = [("Ana", "red"), ("Ben", "blue")]
    game, _ = desk.do(new_game(company, open_lost=False, starter="Ana", dice={"Ana": 1, "Ben": 1}))
    desk.do(commands.MakeBid("Ana", 1, 5))
    desk.do(commands.EndGame())
    desk.undo()
    desk.do(commands.CallDudo("Ben"))
    _, record = desk.do(commands.CountByHand(ANA_WINS))
    assert (record.game, record.ending) == (game.game, Ending.WON)
    told = [each for _ in range(3) for each in desk.do(new_game(company, starter="Ana", abandon=True))]
    assert not any(isinstance(each, RecordEvent) for each in told)
    desk.close()


def test_of_a_game_that_began_before_the_table_joined_nothing_is_taken_back(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    duel(desk)
    desk.do(commands.CountByHand(ANA_WINS))
    desk.do(new_game([("Ana", "red"), ("Ben", "blue")]))
    desk.fold, desk.read = EventFold("t-1", since=desk.read), 0
    assert desk.news() == []
    assert desk.undo() == []
    desk.close()


def test_hidden_dice_stay_hidden(desk: Desk) -> None:
    _, opened = desk.do(new_game([("Ana", "red"), ("Ben", "blue")], open_lost=False))
    assert isinstance(opened, RoundEvent)
    assert [each.dice for each in opened.players] == [None, None]
    desk.close()


def test_the_record_of_hidden_dice_waits_until_no_undo_can_bring_the_game_back(desk: Desk) -> None:
    company = [("Ana", "red"), ("Ben", "blue")]
    game, _ = desk.do(new_game(company, open_lost=False, starter="Ana"))
    desk.do(commands.MakeBid("Ana", 1, 5))
    assert desk.do(commands.LeaveGame("Ben", concede=True)) == [], "Ana has won, and two undos bring the game back"
    desk.undo()
    desk.do(commands.LeaveGame("Ben", concede=True))
    told = desk.do(new_game(company, starter="Ana", abandon=True))
    assert [type(each) for each in told] == [GameEvent, RoundEvent]
    desk.do(commands.MakeBid("Ana", 1, 5))
    told = desk.do(new_game(company, starter="Ana", abandon=True))
    assert [each.game for each in told if isinstance(each, RecordEvent)][1:] == [game.game]
    (held,) = (each for each in told if isinstance(each, RecordEvent) and each.game == game.game)
    assert (held.ending, held.places) == (Ending.WON, (("Ana",), ("Ben",)))
    desk.close()


def test_what_is_not_on_disk_is_not_told(tmp_path: Path) -> None:
    assert list(journal_lines(tmp_path, 0)) == []


def test_every_start_has_its_last_row(tmp_path: Path) -> None:
    assert (last_row(tmp_path), runs_in(tmp_path)) == (0, {})
    played(tmp_path, 1, games=1)
    row = last_row(tmp_path)
    played(tmp_path, 1, games=0)
    played(tmp_path, 1, games=1)
    lines = list(journal_lines(tmp_path, 0))
    assert list(runs_in(tmp_path).values()) == [row, row, last_row(tmp_path)] == [row, row, lines[-1].seq]
    assert lines[-1].run == list(runs_in(tmp_path))[-1]


def test_lines_after_a_row_are_read_alone(tmp_path: Path) -> None:
    played(tmp_path, 1, games=1)
    lines = list(journal_lines(tmp_path, 0))
    assert list(journal_lines(tmp_path, lines[4].seq)) == lines[5:]
    assert all(isinstance(line, JournalLine) for line in lines)


@pytest.mark.parametrize("seed", range(2))
def test_the_events_after_any_other_follow_from_the_last_games_before_it(tmp_path: Path, seed: int) -> None:
    with closing(Journal(tmp_path)) as journal:
        for line in some_lines(random.Random(seed), 120):
            journal.append(line)
    every = told(tmp_path)
    PastGames(tmp_path).summaries()
    read = []
    for number in range(0, len(every), 7):
        since = every[number].key
        beginning = beginning_for(tmp_path, since)
        first = 0 if beginning is None else beginning.row - 1
        fold, outbox = EventFold("t-1", 0, beginning), Outbox(since)
        for line in journal_lines(tmp_path, first):
            outbox.add(fold.step(line, EVERYBODY))
        assert outbox.due(0.0) == every[number + 1 :][:WINDOW]
        read.append(first)
    assert read[0] == 0 < read[-1]
