"""The only owner of the game: takes one command at a time, and writes its events to disk before publishing them.

If the disk fails, events stay in memory, and the state says so.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import msgspec

from companion.engine import DiceMismatchError, EngineError, Ruleset
from companion.messages.message import Message
from companion.table.commands import (
    BOX,
    PANEL,
    SOMEBODY,
    Actor,
    CallCalza,
    CallDudo,
    Command,
    CountByHand,
    MakeBid,
    NameCaller,
    Pause,
    TakeReading,
    Undo,
    with_plain_names,
)
from companion.table.errors import JournalError, NotAllowedNowError, TableError, TooSoonError
from companion.table.game import events, sentences
from companion.table.game.corrections import signed, turned
from companion.table.game.decide import decide, decide_together, speaker
from companion.table.game.freshness import Decision, Decisions, decision_name, undone_by
from companion.table.game.history import History, hidden_games
from companion.table.game.judged_dice import JudgedReading, judged_readings
from companion.table.game.new_game import STANDARD_DEFAULTS, GameDefaults
from companion.table.game.table_position import Phase, TablePosition
from companion.table.game.table_reading import PlayerDice
from companion.table.journal.journal import Journal
from companion.table.journal.past_games import PastGames
from companion.table.journal.saved_games import number_imported
from companion.table.past.story import Story, latest_story
from companion.table.presses import Presses
from companion.table.state.listener import Listener
from companion.table.state.public_state import RuntimeStatus, public_state
from companion.table.state.public_state import players as players_of
from companion.table.state.state import (
    CalibrationStatus,
    CameraStatus,
    Clip,
    ClubStatus,
    Notice,
    RobotStrength,
    Round,
    State,
    Turn,
    Waiting,
    clock_runs,
)
from hardware.panel.debounce import Push
from vision.reading import Reading

log = logging.getLogger(__name__)

VERSIONS: Final = 1_000_000
"""Versions reserved for each start of the program, so that they grow across restarts."""

MOST_NAMED_RULES: Final = 12
"""The most named house rules offered for a new game."""
SAME_INSTANT: Final = 0.4
"""Calls within this many seconds count as simultaneous."""

MOST_MISCOUNTS: Final = 3
"""The most wrong counts by hand in one round while numbers of dice are hidden: further ones would be guesses."""

BETWEEN_BREAKS: Final = 20.0
"""Seconds between two breaks, except the host's: breaks must not keep anybody from bidding."""

SILENT_EVENTS: Final = (events.Paused, events.Resumed, events.Undone, events.Redone)
"""Events without a bid or call."""


@dataclass(frozen=True, slots=True)
class RevealRequest:
    """A request to read the dice."""

    reveal: int
    """The number of the request, to be given with the reading."""
    players: tuple[PlayerDice, ...]
    round: Round | None
    """The round that is judged; None in an opening roll."""

    @property
    def expected(self) -> dict[str, int]:
        """Colour -> dice in play."""
        return {player.colour: player.dice for player in self.players}


class Table:
    """The game at this table. Thread-safe.

    Listeners are called while the table is locked: their `put` must not wait for another thread that uses the table,
    nor take a lock that is held while the table is called.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        defaults: GameDefaults = STANDARD_DEFAULTS,
        demo: bool = False,
        learn: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Continue the game in `journal`. `defaults` are for new games; `clock` returns monotonic seconds.

        learn: True if judged dice are kept as examples, which the page says.
        """
        self._journal = journal
        self.past = PastGames(journal.folder)
        """The games of this table and the imported ones, read from disk without the table's lock."""
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._listeners: list[Listener] = []
        self._closed = False
        history = journal.history
        if history.position.phase is Phase.READING:
            log.info("the reveal that was being read is started again")
        self._history = history
        self._clock = clock
        self._stepped = float("-inf")
        """The time of the last step."""
        self._called = float("-inf")
        """The time of the last step that was neither a break nor an undo or redo."""
        self._resumed = float("-inf")
        """The time of the end of the last break."""
        self._live = RuntimeStatus(demo=demo, learn=learn, defaults=defaults)
        self._version = journal.start * VERSIONS
        self._past_version = 0
        self._turn: object = None
        """Whose turn it is, and after what bid; None if no clock runs."""
        self._turn_began = float("-inf")
        self._decisions = Decisions(self._version)
        self._presses = Presses()
        self._miscounts: Counter[Round] = Counter()
        self._state = self._public({})

    @property
    def _position(self) -> TablePosition:
        return self._history.position

    # State

    def state(self) -> State:
        with self._lock:
            return self._state

    def state_with_all_dice(self) -> State:
        """The state with everybody's number of dice, even if it is hidden. For the demo's dice; never sent."""
        with self._lock:
            return msgspec.structs.replace(self._state, players=players_of(self._position, all_dice=True))

    def history(self) -> tuple[History, State]:
        """The history with its public state. For the demo's robots; never sent."""
        with self._lock:
            return self._history, self._state

    @property
    def start(self) -> tuple[int, str]:
        """The number and time of this start of the program, as in the journal."""
        return self._journal.start, self._journal.start_time

    def last_row(self) -> int:
        """The number of the journal's last row; 0 before the first."""
        with self._lock:
            return self._journal.last_row

    def attach(self, listener: Listener) -> None:
        """Send `listener` the current state and every new one, until the table closes."""
        with self._lock:
            listener.put(self._state)
            if self._closed:
                listener.close()
            else:
                self._listeners.append(listener)

    def detach(self, listener: Listener) -> None:
        """Send `listener` no more states. Can be called twice."""
        with self._lock:
            self._listeners = [each for each in self._listeners if each is not listener]

    def story(self) -> Story:
        """The story and statistics of the current or last game, omitted while numbers of dice are hidden.

        The table is not locked while they are computed.
        """
        with self._lock:
            history = self._history
        try:
            past = self.past.ready()
        except JournalError as error:
            log.warning("the story is without its company's statistics: %s", error.message)
            past = None
        return latest_story(history, past, hidden_games(history))

    def hidden_games(self) -> dict[int, int]:
        """The games whose dice are hidden (`companion.table.game.history.hidden_games`)."""
        with self._lock:
            return hidden_games(self._history)

    def past_version(self) -> int:
        """A number that grows whenever the finished or imported games may have changed.

        Raises `JournalError`.
        """
        imported = number_imported(self._journal.folder)  # another program may have imported some
        with self._lock:
            return self._past_version + imported

    def turn(self) -> Turn:
        """The time left for this turn. A break or a restart of the program starts it again."""
        with self._lock:
            if self._turn is None:
                return Turn(version=self._version)
            seconds = self._state.turn_seconds
            left = max(0.0, self._turn_began + seconds - self._clock())
            return Turn(version=self._version, seconds=seconds, left=round(left, 1))

    @property
    def house(self) -> Ruleset:
        """This table's own rules: a book, perhaps with house rules."""
        return self._live.defaults.house

    @property
    def open_lost(self) -> bool:
        """True if new games show everybody how many dice the others have, unless the command says otherwise."""
        return self._live.defaults.open_lost

    def named_rules(self) -> tuple[events.GameOpened, ...]:
        """The last game with each name of house rules, latest first, at most `MOST_NAMED_RULES`; none while past games
        are being summarized again.

        Raises `JournalError`.
        """
        named: dict[str, events.GameOpened] = {}
        for each in reversed(self.past.ready() or []):
            if each.named is not None and len(named) < MOST_NAMED_RULES:
                named.setdefault(each.named.rules_name, each.named)
        return tuple(named.values())

    def judged_readings(self) -> list[JudgedReading]:
        """The latest readings with final verdicts, oldest first."""
        with self._lock:
            history = self._history
        return judged_readings(history)

    @property
    def pictures(self) -> Path:
        """The folder of judged pictures, named `<reading id>.jpg`."""
        return self._journal.pictures.folder

    def flush(self) -> None:
        """Retry failed writes to the journal. Call it every few seconds."""
        with self._lock:
            if not self._closed:
                self._journal.flush()
                if self._journal.trouble != self._live.journal:
                    self._publish()

    # Commands

    def do(self, command: Command, by: Actor = SOMEBODY) -> State:
        """Carry out `command` and return the new state.

        Raises `TableError` or `companion.engine.EngineError` if the command is refused: for example
        `NotAllowedNowError` ("stale") if somebody else has decided something since the version that `by` saw, or
        `NotYoursError` for a bid or call that belongs to another phone.
        """
        with self._lock:
            if self._closed:
                raise NotAllowedNowError("closed", Message("The program is stopping."))
            command = with_plain_names(command)
            player = speaker(command)
            if not self._answers_button(command):
                by.check_speaks_for(player, self._live.robots)
            new_events = self._same_instant(command, by)
            self._decisions.check(command, by, self._version, but_last=new_events is not None)
            if new_events is None:
                new_events = self._decide(command, by)
            if isinstance(command, Pause) and not by.host:
                self._check_break()
            if player is None:
                by.check_speaks_for(speaker(command, new_events), self._live.robots)
            return self._append(new_events, by)

    def push(self, button: str, push: Push) -> State:
        """Handle a push of the panel's "dudo" or "calza" button, or of both (see `companion.table.presses`)."""
        with self._lock:
            before = self._history.steps
            waiting = self._live.waiting
            given_up = waiting is not None and waiting.code == "given-up" and self._wanted()
            now, stepped = self._clock(), self._stepped
            command = self._presses.command(button, push, self._history, now=now, stepped=stepped, given_up=given_up)
            state = self._state if command is None else self.do_at_panel(command)
            if push is Push.DOWN and self._history.steps > before:
                self._presses.record_step(self._history.steps)
            if push is Push.HELD and isinstance(command, Undo):
                return self.push(button, push)  # each of the two presses may have made a step
            if push is Push.HELD and self._history.steps > before:
                self._presses.record_voiding(self._history.steps)
            return state

    def do_at_panel(self, command: Command) -> State:
        """Carry out `command` for the panel; a refusal becomes the state's `notice`."""
        with self._lock:
            try:
                return self.do(command, PANEL)
            except (TableError, EngineError) as error:
                log.info("the panel was refused: %s", error)
                return self._publish(notice=Notice(code=error.code, sentence=error.sentence, number=self._version + 1))

    # Reveals

    def reveal_wanted(self) -> RevealRequest | None:
        """The reading that is needed now, or None."""
        with self._lock:
            if not self._wanted():
                return None
            return RevealRequest(self._position.reveals, self._position.expected(), self._state.game_round)

    def covered_round(self) -> Round | None:
        """The round in which the cups are down now, or None."""
        with self._lock:
            return self._state.game_round if self._position.phase is Phase.BIDDING else None

    def wait_for_reveal(self, timeout: float) -> RevealRequest | None:
        """Like `reveal_wanted`, but wait up to `timeout` seconds for a request, or until the table closes."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._wanted(), timeout)
            return None if self._closed else self.reveal_wanted()

    def _wanted(self) -> bool:
        return self._position.phase is Phase.READING and not self._position.paused

    def take_reading(self, reveal: int, reading: Reading, jpeg: bytes | None) -> State:
        """Take a confirmed reading for request `reveal`, with its picture as JPEG.

        Raises `NotAllowedNowError` ("late-reading") if it is no longer needed.
        """
        with self._lock:
            if jpeg is not None and self._position.phase is Phase.READING:
                try:
                    self._journal.keep_picture(self._position.readings + 1, jpeg)
                except JournalError as error:
                    log.warning("%s", error.message)
                    jpeg = None
            return self.do(TakeReading(reveal, reading, jpeg is not None), BOX)

    def keep_clip(self, reading: int, clip: Clip, jpeg: bytes) -> None:
        """Save the clip of a reading, as JPEG, if the reading is the latest and its picture is kept."""
        with self._lock:
            latest = self._position.reading
            if self._closed or latest is None or latest.id != reading or not self._live.pictured:
                return
            try:
                self._journal.pictures.keep_clip(reading, jpeg)
            except OSError as error:
                log.warning("the clip of reading %d is not kept: %s", reading, error)
            else:
                self._publish(clip=(reading, clip))

    def set_waiting(self, reveal: int, waiting: Waiting | None) -> None:
        """Publish what a reveal waits for, if it is the current one."""
        with self._lock:
            if self._position.reveals == reveal and waiting != self._live.waiting:
                self._publish(waiting=waiting)

    def set_camera(self, camera: CameraStatus) -> None:
        with self._lock:
            if camera != self._live.camera:
                self._publish(camera=camera)

    def set_calibration(self, calibration: CalibrationStatus) -> None:
        with self._lock:
            if calibration != self._live.calibration:
                self._publish(calibration=calibration)

    def set_club(self, club: ClubStatus | None) -> None:
        with self._lock:
            if club != self._live.club:
                self._publish(club=club)

    def set_repaired(self) -> None:
        """Publish that the journal was damaged, until something happens at the table."""
        with self._lock:
            number = self._version + 1
            self._publish(notice=Notice(code="repaired", sentence=sentences.REPAIRED, number=number))

    def set_robots(self, robots: Mapping[str, RobotStrength]) -> None:
        """Publish the players whom robots play. Nobody else may then bid or call for them."""
        with self._lock:
            if robots != self._live.robots:
                self._publish(robots=dict(robots))

    def set_panel(self, virtual: bool | None, sentence: str = "") -> None:
        """Publish whether the panel is virtual. None: there is no panel, and `sentence` says why."""
        with self._lock:
            self._publish(panel=virtual, panel_sentence=sentence)

    def close(self) -> None:
        """Close the listeners and the journal. Can be called twice."""
        with self._changed:
            self._closed = True
            listeners, self._listeners = self._listeners, []
            self._changed.notify_all()
            for listener in listeners:
                listener.close()
            self._journal.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Internals

    def _answers_button(self, command: Command) -> bool:
        """True if `command` says who pressed CALZA: anybody who heard it may answer."""
        last = self._history.last
        return isinstance(command, NameCaller) and last is not None and last.number == self._presses.step

    def _same_instant(self, command: Command, by: Actor) -> tuple[events.Event, ...] | None:
        """The events if `command` and the last bid or call were simultaneous; else None.

        The rules decide which of the two stands (`companion.engine.Together`). The earlier one is undone, or the later
        one refused.
        """
        late = self._clock() - self._called > SAME_INSTANT
        if late and self._position.phase is Phase.ASKING and isinstance(command, MakeBid | CallDudo | CallCalza):
            raise NotAllowedNowError("wrong-phase", sentences.ASKING)
        if late or self._decisions.is_up_to_date(by):
            return None
        return decide_together(self._history, command)

    def _check_break(self) -> None:
        """Raise `TooSoonError` if a break has only just ended."""
        wait = self._resumed + BETWEEN_BREAKS - self._clock()
        if wait > 0:
            raise TooSoonError(sentences.break_again(math.ceil(wait)), math.ceil(wait))

    def _decide(self, command: Command, by: Actor) -> tuple[events.Event, ...]:
        """The events of `command`. While numbers of dice are hidden, wrong counts by hand are limited and announced."""
        position, this_round = self._position, self._state.game_round
        if not isinstance(command, CountByHand) or not position.hides_dice or this_round is None:
            return decide(self._history, command, self._live.defaults)
        if self._miscounts[this_round] >= MOST_MISCOUNTS and not by.host:
            raise NotAllowedNowError("miscounted", sentences.MISCOUNTED)
        try:
            return decide(self._history, command, self._live.defaults)
        except DiceMismatchError:
            self._miscounts[this_round] += 1
            told = sentences.miscount(by.name)
            self._publish(notice=Notice(code="miscount", sentence=told, number=self._version + 1))
            raise

    def _append(self, new_events: tuple[events.Event, ...], by: Actor) -> State:
        new_events = signed(new_events, by)
        after = self._history.after(new_events)
        self._journal.append(new_events)
        # On disk, or known to be only in memory: from here on it has happened and can be published.
        if after.position.reveals != self._position.reveals:
            waiting: Waiting | None = Waiting(code="moving", sentence=sentences.MOVING)
        else:
            waiting = self._live.waiting if after.position.phase is Phase.READING else None
        what = decision_name(new_events, self._history, by)
        self._decisions.add(Decision(self._version + 1, by, what, new_events[0]))
        undone = undone_by(by.name, new_events, self._history)
        if undone:
            undone = Message.sequence(undone, turned(self._position.verdict, after.position.verdict))
        if Phase.OVER in {self._position.phase, after.position.phase} or after.position.games != self._position.games:
            self._past_version += 1
        self._history = after
        self._stepped = self._clock()
        if isinstance(new_events[0], events.Resumed):
            self._resumed = self._stepped
        if not all(isinstance(event, SILENT_EVENTS) for event in new_events):
            self._called = self._stepped
        told = Notice(code=new_events[0].kind, sentence=undone, number=self._version + 1) if undone else None
        return self._publish(notice=None, undone=told, waiting=waiting)

    def _publish(self, **live: object) -> State:
        with self._changed:
            self._version += 1
            self._state = self._public(live)
            for listener in self._listeners:
                listener.put(self._state)
            self._changed.notify_all()
            return self._state

    def _public(self, live: Mapping[str, object]) -> State:
        reading = self._position.reading
        pictured = reading is not None and reading.picture and self._journal.pictures.has(reading.id)
        self._live = replace(self._live, **{**live, "journal": self._journal.trouble, "pictured": pictured})  # type: ignore[arg-type]
        state = public_state(self._history, self._live, self._version)
        turn = (state.game, state.round, state.turn, state.bid) if clock_runs(state) else None
        if turn != self._turn:
            self._turn, self._turn_began = turn, self._clock()
        return state
