"""Derives the club's events from a table's journal.

The same lines give the same events with the same numbers, in any process and any number of times, so nothing about
published events has to be stored. A correction or an undo gives an event with the new state. Games that began before
the table joined give none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from companion.engine import EngineError, Position
from companion.engine.rulebooks import differences
from companion.member.outbox import JournalLine
from companion.member.payloads import (
    LARGEST_PAYLOAD,
    CorrectionEvent,
    EventKey,
    EventMessage,
    GameEvent,
    RecordEvent,
    RoundEvent,
    TableEvent,
    VerdictEvent,
    VoidEvent,
    encode,
)
from companion.member.player_names import PlayerNames
from companion.member.records import places_of, with_names
from companion.table.errors import DamagedJournalError
from companion.table.game import events
from companion.table.game.history import History, hidden_games
from companion.table.game.table_position import Phase, TablePosition
from companion.table.game.table_reading import by_player
from companion.table.journal.kept_summaries import beginning_games_before
from companion.table.journal.saved_games import journal_file, open_for_reading
from companion.table.past.game_replay import GameBeginning
from companion.table.past.games import Ending, Game, latest_game

EVENTS_OF_A_LINE: Final = 10
"""Numbers reserved for each row of the journal: a command has at most five events."""

LARGEST_RECORD_EVENT: Final = LARGEST_PAYLOAD - 4096
"""In bytes; the message around it is smaller than the rest."""
GAMES_BEFORE: Final = 3
"""The number of games replayed before an event's game: one more than events can refer to."""
GAMES_TO_UNDO: Final = 2
"""Steps of this game and of the previous one can be undone."""


@dataclass
class _GameSent:
    """What was sent about a game."""

    id: str
    began: str
    public: bool
    """The club is told about it."""
    entered: frozenset[str]
    """Players who had entered the tournament game that was due when it began."""
    clock_set: bool
    verdicts: dict[int, Position | None] = field(default_factory=dict)
    """Round -> the position after its verdict, as last sent; None if the verdict was undone."""
    round: Position | None = None
    """The position before the first bid of the round that was last sent."""
    record: Game | None = None
    """The game as in its last record."""
    held: tuple[Game, str] | None = None
    """A game with hidden dice, and when it ended: its record waits until no undo can reopen it."""

    def names(self, colours: Mapping[str, str], consent: Collection[str]) -> PlayerNames:
        return PlayerNames(colours, self.entered.union(consent))


def beginning_for(folder: Path, since: EventKey | None) -> GameBeginning | None:
    """Where to begin to get the events after `since`; None for the journal's beginning. Raises `JournalError`."""
    path = journal_file(folder)
    if since is None or not path.exists():
        return None
    with open_for_reading(path) as database:
        return beginning_games_before(database, since.seq // EVENTS_OF_A_LINE, GAMES_BEFORE)


class EventFold:
    """The events of one journal, computed line by line."""

    def __init__(self, table: str, since: int = 0, beginning: GameBeginning | None = None) -> None:
        """`since`: the last row of the journal when the table joined. `beginning`: where the lines begin, if not at the
        journal's beginning; events are right from two games later on.
        """
        self._table, self._since = table, since
        self._history = History() if beginning is None else beginning.history
        self._games: dict[int, _GameSent] = {}
        """Number -> the game; after an undo, the latest with this number."""
        self._before: EventKey | None = None

    def step(
        self, line: JournalLine, consent: Collection[str], entered: Collection[str] = ()
    ) -> tuple[EventMessage, ...]:
        """The events of `line`, the successor of the last one. `consent`: players who agreed to be named; `entered`:
        others who may be named in a game that begins with it.

        Raises `DamagedJournalError` for lines that contradict each other.
        """
        first = line.seq * EVENTS_OF_A_LINE
        try:
            before, self._history = self._history, self._history.after(line.events)
            found = self._events(line, before, consent, entered)
        except (AssertionError, EngineError, LookupError, ValueError) as error:
            raise DamagedJournalError(f"The journal does not fit together at line {line.seq}: {error}.") from error
        messages = []
        for seq, what in enumerate(found, start=first):
            messages.append(EventMessage(run=line.run, seq=seq, before=self._before, at=line.at, what=what))
            self._before = messages[-1].key
        return tuple(messages)

    def entered(self, position: TablePosition) -> frozenset[str]:
        """Players who may be named, besides those who agreed, in the game of `position`; empty if the lines differ."""
        now = self._history.position
        if not now.games or (now.games, now.opened) != (position.games, position.opened):
            return frozenset()
        return self._games[now.games].entered

    def _events(
        self, line: JournalLine, before: History, consent: Collection[str], entered: Collection[str]
    ) -> list[TableEvent]:
        old, now = before.position, self._history.position
        found: list[TableEvent] = []
        if now.games > old.games:
            if old.games in self._games:
                found += self._end(before, line.at, consent, last=False)
            name = f"{self._table}.{line.run}/{line.seq * EVENTS_OF_A_LINE + len(found)}"
            self._games[now.games] = _GameSent(
                name, line.at, line.seq > self._since, frozenset(entered), now.opened is None or now.opened.clock_set
            )
            found += self._begin(now, consent)
        elif now.games < old.games and self._games[old.games].public:
            found.append(VoidEvent(game=self._games[old.games].id, round=None))
        if not now.games:
            return found
        found += self._no_longer_held(consent)
        for number in [each for each in self._games if each <= now.games - GAMES_TO_UNDO]:
            del self._games[number]
        game = self._games[now.games]
        if not game.public:
            return found
        names = game.names(now.colours, consent)
        if isinstance(line.events[0], events.RoundVoided) and old.game is not None:
            found.append(VoidEvent(game=game.id, round=old.game.round))
        found += self._verdict(game, now, names)
        found += self._end(self._history, line.at, consent, last=True)
        found += self._round(game, now, names)
        return found

    def _begin(self, now: TablePosition, consent: Collection[str]) -> list[TableEvent]:
        """The event of a new game."""
        game, opened = self._games[now.games], now.opened
        assert opened is not None
        if not game.public:
            return []
        names = game.names(now.colours, consent)
        dice = dict(zip(opened.players, opened.dice or (opened.rulebook.dice_each,) * len(opened.players), strict=True))
        began = GameEvent(
            game=game.id,
            number=now.games,
            players=tuple(names.player(name, dice[name]) for name in opened.players),
            ruleset=opened.ruleset,
            rules=dict(opened.rules),
            calza=opened.calza,
        )
        return [began]

    def _round(self, game: _GameSent, now: TablePosition, names: PlayerNames) -> list[TableEvent]:
        """The event of a new round, unless it was sent before."""
        if now.phase is not Phase.BIDDING or now.game is None or now.game.bid is not None:
            return []
        if now.game == game.round:
            return []
        game.round, hidden = now.game, now.hides_dice
        opened = RoundEvent(
            game=game.id,
            round=now.game.round,
            opener=names.of(now.game.starter),
            palifico=names.maybe(now.game.palifico),
            players=tuple(names.player(name, None if hidden else dice) for name, dice in now.game.dice.items()),
        )
        return [opened]

    def _verdict(self, game: _GameSent, now: TablePosition, names: PlayerNames) -> list[TableEvent]:
        """The event of a verdict that differs from what was sent."""
        at_call = now.game_at_call or now.game
        if at_call is None:
            return []
        number = at_call.round
        first = number not in game.verdicts
        if game.verdicts.get(number) == now.verdict:
            return []
        game.verdicts[number] = now.verdict
        verdict = names.verdict(now.verdict)
        dice = {} if verdict is None else {names.of(player): faces for player, faces in _dice(now).items() if faces}
        if first and verdict is not None:
            return [VerdictEvent(game=game.id, round=number, verdict=verdict, dice=dice)]
        return [CorrectionEvent(game=game.id, round=number, verdict=verdict, dice=dice)]

    def _end(self, history: History, at: str, consent: Collection[str], *, last: bool) -> list[TableEvent]:
        """The record of a game that ended, or whose end was undone."""
        sent = self._games[history.position.games]
        if not sent.public:
            return []
        over = not last or history.position.phase is Phase.OVER
        sent.held = None
        in_books = sent.record is not None and sent.record.ending is not Ending.PLAYING
        if not over and not in_books:
            return []
        played = latest_game(history, last=last)
        assert played is not None, "an ended game has steps"
        if sent.record == played or played.abandoned:
            return []
        if over and played.number in hidden_games(self._history):
            sent.held = played, at
            return []
        return self._record(sent, played, at, consent)

    def _no_longer_held(self, consent: Collection[str]) -> list[TableEvent]:
        """The records of games that no undo can reopen any more."""
        held = {number: sent for number, sent in self._games.items() if sent.held is not None}
        hidden = hidden_games(self._history) if held else {}  # slow: it looks at every step of two games
        found: list[TableEvent] = []
        for number, sent in held.items():
            if sent.held is not None and number not in hidden:
                found += self._record(sent, *sent.held, consent)
                sent.held = None
        return found

    def _record(self, sent: _GameSent, played: Game, at: str, consent: Collection[str]) -> list[TableEvent]:
        sent.record = played
        names, playing = sent.names(played.colours, consent), played.ending is Ending.PLAYING
        record = RecordEvent(
            game=sent.id,
            began=sent.began,
            ended=at,
            ending=played.ending,
            players=tuple(names.player(name, None) for name in played.players),
            places=tuple(map(names.all, places_of(played))),
            rounds=played.round_count,
            ruleset=played.ruleset.id,
            rules=differences(played.ruleset),
            calza=played.calza,
            record=() if playing else tuple(with_names(part, names.of) for part in played.parts),
            clock_set=sent.clock_set,
        )
        # A game of days: even without its record it is in the books, and later events need not wait.
        return [record if len(encode(record)) < LARGEST_RECORD_EVENT else replace(record, record=())]


def _dice(position: TablePosition) -> dict[str, tuple[int, ...]]:
    """The faces that the verdict was based on."""
    if position.by_hand is not None:
        return position.by_hand
    assert position.reading is not None
    return by_player(position.reading, position.expected())
