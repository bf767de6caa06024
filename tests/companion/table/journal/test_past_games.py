"""What games come to, kept in the database, is what a replay of every event gives, whatever is undone or spoilt."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

from companion.table import Journal
from companion.table.game import events
from companion.table.game.events import Events
from companion.table.game.history import History
from companion.table.journal import past_games
from companion.table.journal.past_games import PastGames
from companion.table.journal.saved_games import import_record, journal_file, saved_games, summary_of
from companion.table.past.game_summary import GameSummary
from tests.fakes.past_games import random_game


def by_full_replay(folder: Path) -> list[GameSummary]:
    """Imported games first; without those of no bid."""
    return sorted(map(summary_of, saved_games(folder)), key=lambda each: not each.imported)


def listed(folder: Path) -> list[GameSummary]:
    return [each for each in PastGames(folder).summaries() if not each.abandoned]


def opening(number: int) -> Events:
    name, seats = f"House {number}", (("Ana", "Ben"), ("red", "blue"))
    return (events.GameOpened(*seats, "asmodee-fr", True, "Ana", open_lost=number > 0, first_to=3, rules_name=name),)


def bid(count: int) -> Events:
    return (events.BidMade("Ana" if count % 2 else "Ben", count, 5),)


def some_lines(luck: random.Random, count: int) -> list[Events]:
    """Games that begin, are won, are ended and are undone, as far back as a table allows it."""
    history = History()
    lines: list[Events] = []
    while len(lines) < count:
        last, now = history.last, history.position
        wanted: list[Events] = [opening(luck.randrange(3))] * 2
        if last is not None and last.undoable:
            wanted += [(events.Undone(),)] * 5
        if history.undone is not None:
            wanted += [(events.Redone(),)] * 12
        game = now.game
        if game is not None and game.winner is None and now.phase == "bidding":
            bids = [(face, least) for face, least in game.lowest_bids().items() if least]
            face, least = luck.choice(bids)
            wanted += [(events.BidMade(str(game.turn), least, face),)] * 6 + [(events.GameEnded(),)]
            if game.bid is not None:
                loser = {name: dice for name, dice in game.dice.items() if dice}
                shown = tuple((name, (2,) * dice) for name, dice in loser.items())
                called = (events.DudoCalled(str(game.turn)), events.CountedByHand(shown), events.Judged(shown))
                wanted += [called] * 6
        elif now.phase == "verdict":
            wanted += [(events.RoundOpened(),)] * 6
        line = luck.choice(wanted)
        history = history.after(line)
        lines.append(line)
    return lines


@pytest.mark.parametrize("seed", range(12))
def test_the_rows_say_what_a_replay_of_every_event_says(
    tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    luck = random.Random(seed)
    history = History()
    journal = Journal(tmp_path)
    for number, line in enumerate(some_lines(luck, 120)):
        journal.append(line)
        history = history.after(line)
        if number == 60:
            record = random_game(1, ("Ana", "Cid"), luck).record[0]
            import_record(tmp_path, "theirs", "\n".join(record).encode())
        if luck.random() < 0.1:
            if luck.random() < 0.5:
                assert listed(tmp_path) == by_full_replay(tmp_path)
            else:
                PastGames(tmp_path).catch_up()
            journal.close()
            journal = Journal(tmp_path)
            assert journal.history == history
    journal.close()
    assert listed(tmp_path) == by_full_replay(tmp_path)
    for each in saved_games(tmp_path):
        assert PastGames(tmp_path).game(each.key) == each
    assert not caplog.records, "nothing was read again because of a row"


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder with five games, three of which have rows."""
    with closing(Journal(tmp_path)) as journal:
        for number in range(1, 6):
            for line in (opening(number), bid(1), bid(2)):
                journal.append(line)
    assert len(listed(tmp_path)) == 5
    return tmp_path


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(journal_file(folder))) as database:
        database.execute(statement)
        database.commit()


def summarised(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Counts the games that are reckoned."""
    counted = Mock(wraps=summary_of)
    monkeypatch.setattr(past_games, "summary_of", counted)
    return counted


def test_a_game_is_reckoned_once(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = summarised(monkeypatch)
    assert listed(played) == by_full_replay(played)
    assert counted.call_count == 2, "those that an undo can still change"


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE summary SET version = version + 1",
        "UPDATE summary SET body = substr(body, 2) WHERE number = 3",
        "UPDATE summary SET body = CAST(x'ff00' AS TEXT) WHERE number = 1",
        "UPDATE summary SET beginning = 'null' WHERE number = 3",
        "UPDATE summary SET beginning = replace(beginning, '\"row\":7', '\"row\":8')",
        "UPDATE summary SET number = 9 WHERE number = 2",
        "DELETE FROM summary WHERE number = 2",
        "DROP TABLE summary",
    ],
)
def test_rows_that_are_spoilt_or_of_another_version_are_made_anew(
    played: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(played, damage)
    whole = by_full_replay(played)
    with closing(Journal(played)) as journal:
        assert journal.history.position.games == 5
        for each in saved_games(played):
            assert PastGames(played).game(each.key) == each
        counted = summarised(monkeypatch)
        assert listed(played) == whole
        assert counted.call_count > 2
        counted.reset_mock()
        assert listed(played) == whole
        assert counted.call_count == 2, "the rows are there again"


def test_an_older_journal_gets_its_rows_a_few_games_at_a_time(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change(played, "DELETE FROM summary")
    monkeypatch.setattr(past_games, "AT_ONCE", 2)
    counted = summarised(monkeypatch)
    games, told = PastGames(played), Mock()
    Journal(played, slow=told).close()
    assert told.call_count == 3, "a start that replays many games says so"
    assert [games.catch_up(), games.catch_up()] == [True, False]
    told.reset_mock()
    Journal(played, slow=told).close()
    assert told.call_count == 1, "now it replays the last ones only"
    counted.reset_mock()
    assert listed(played) == by_full_replay(played)
    assert counted.call_count == 2


def test_where_nothing_can_be_written_the_games_are_reckoned_again(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(played, "DELETE FROM summary")
    monkeypatch.setattr(past_games, "keep_summaries", Mock(side_effect=sqlite3.OperationalError("read-only")))
    assert listed(played) == listed(played) == by_full_replay(played)


def test_of_a_journal_that_is_damaged_what_can_be_read_is_listed(played: Path) -> None:
    change(played, "DROP TRIGGER event_fixed")
    change(played, "UPDATE event SET body = 'x' WHERE seq = 11")
    assert [each.number for each in listed(played)] == [1, 2, 3, 5]
    games = PastGames(played)
    found = games.game("3")
    assert found.game.number == 3
    assert [games.game(key) for key in ("4", "77", "r1", "x", "²")] == [None] * 5
