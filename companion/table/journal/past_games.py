"""The games of a running table, at a cost that does not grow with the number of games ever played.

The summary of a final game is read from its row. Games that an undo can still change, and games without a row, are
replayed from the events; the latter then get a row.
"""

from __future__ import annotations

import logging
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.kept_database import connect
from companion.table.errors import DamagedJournalError, JournalError
from companion.table.journal.disk import FileIdentity, identity
from companion.table.journal.event_rows import replay_rows
from companion.table.journal.kept_summaries import (
    KeptSummary,
    beginning_before,
    keep_summaries,
    kept_summaries,
)
from companion.table.journal.saved_games import (
    SavedGame,
    exists,
    imported_game,
    journal_file,
    open_for_reading,
    readable_records,
    saved_games,
    summary_of,
)
from companion.table.journal.schema import WRITE_PATIENCE
from companion.table.past.game_replay import GameReplay, ReplayedGame
from companion.table.past.game_summary import GameSummary

log = logging.getLogger(__name__)

AT_ONCE: Final = 10
"""Games per call of `catch_up`: a second or two of a Pi's processor."""
TIMES_AT_ONCE: Final = 3
"""The factor by which more games are handled when somebody is waiting."""


class PastGames:
    """The games in one state folder, whose journal must be open in this process. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._path = folder, journal_file(folder)
        self._lock = threading.Lock()

    def summaries(self) -> list[GameSummary]:
        """Every game, imported ones first, oldest first; in a damaged journal, those that can be read.

        Raises `JournalError`.
        """
        with self._lock:
            return self._summaries(sys.maxsize)[0]

    def ready(self) -> list[GameSummary] | None:
        """Like `summaries`, after writing some missing rows; None while many games lack one, as after an update."""
        with self._lock:
            for _ in range(TIMES_AT_ONCE):
                found, more = self._summaries(AT_ONCE)
                if not more:
                    return found
        return None

    def catch_up(self) -> bool:
        """Write rows for the next games without one; return False if that is impossible or they were the last."""
        try:
            with self._lock:
                return self._summaries(AT_ONCE)[1]
        except JournalError as error:
            log.warning("what past games come to is not reckoned: %s", error.message)
            return False

    def game(self, key: str) -> SavedGame | None:
        """The game with this `SavedGame.key`; None if there is none. Raises `JournalError`."""
        imported, number = key.startswith("r"), key.removeprefix("r")
        if not (number.isascii() and number.isdecimal() and len(number) < 10) or not exists(self._path):
            return None
        with open_for_reading(self._path) as database:
            if imported:
                return next(iter(self._records(database, f"id = {number}")), None)
            replay = GameReplay(beginning_before(database, int(number)))
            try:
                for final in replay_rows(database, replay, str(self._path)):
                    if final.number == int(number):
                        return _saved(final)
            except (DamagedJournalError, sqlite3.DatabaseError):
                found = saved_games(self._folder, log.warning)
                return next((each for each in found if each.key == key), None)
        return next((_saved(each) for each in replay.games() if each.number == int(number)), None)

    def _summaries(self, most: int) -> tuple[list[GameSummary], bool]:
        """The games, and whether `most`, the limit for adding missing rows, was reached."""
        if not exists(self._path):
            return [], False
        read = identity(self._path)
        with open_for_reading(self._path) as database:
            try:
                kept = kept_summaries(database)
                try:
                    new, rest = self._missing(database, kept, most)
                    anew = False
                except DamagedJournalError:
                    if not kept:
                        raise
                    log.warning("what the games come to is reckoned anew: the rows may be what is wrong")
                    kept, anew = [], True
                    new, rest = self._missing(database, kept, most)
            except (DamagedJournalError, sqlite3.DatabaseError):
                whole = saved_games(self._folder, log.warning)
                return list(map(summary_of, whole)), False
        if new or anew:
            self._write(new, read, anew=anew)
        found = [each for each, _ in [*kept, *new]]
        return [
            *(each for each in found if each.imported),
            *(each for each in found if not each.imported),
            *rest,
        ], len(new) >= most

    def _missing(
        self, database: sqlite3.Connection, kept: list[KeptSummary], most: int
    ) -> tuple[list[KeptSummary], list[GameSummary]]:
        """The games without a row: those that should get one, and those that are not final."""
        known = ", ".join(str(each.number) for each, _ in kept if each.imported)
        records = self._records(database, f"id NOT IN ({known})")
        new: list[KeptSummary] = [(summary_of(each), None) for each in records]
        last = kept[-1] if kept and not kept[-1][0].imported else None
        replay = GameReplay(None if last is None else last[1])
        for final in replay_rows(database, replay, str(self._path)):
            if last is None or final.number > last[0].number:
                new.append((summary_of(_saved(final)), final.beginning))
                if len(new) >= most:
                    return new, []
        return new, [summary_of(_saved(each)) for each in replay.games()]

    def _records(self, database: sqlite3.Connection, which: str) -> list[SavedGame]:
        found, damage = readable_records(database, self._path, which)
        for each in damage:
            log.warning("%s", each)
        return list(map(imported_game, found))

    def _write(self, new: list[KeptSummary], read: FileIdentity, *, anew: bool) -> None:
        uri = f"{self._path.absolute().as_uri()}?mode=rw"
        try:
            with closing(connect(uri, uri=True, isolation_level=None, timeout=WRITE_PATIENCE)) as database:
                if identity(self._path) == read:
                    keep_summaries(database, new, anew=anew)
        except sqlite3.Error as error:
            log.warning("what %d games come to is not kept, and is reckoned again: %s", len(new), error)


def _saved(game: ReplayedGame) -> SavedGame:
    return SavedGame(game.game, game.at, None)
