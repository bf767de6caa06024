"""The only owner of the game: commands in, one at a time; events out, on disk before anyone is told.

Where the disk fails they are kept in memory instead, and everyone is told that as well.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Final

import msgspec

from companion import engine
from companion.engine import EngineError, Ruleset
from companion.messages.message import Message
from companion.table.actor import BOX, PANEL, SOMEBODY, Actor
from companion.table.commands import Command, NameCaller, TakeReading
from companion.table.errors import JournalError, NotAllowedNowError, TableError
from companion.table.game import events, sentences
from companion.table.game.decide import decide, decide_together, speaker
from companion.table.game.freshness import Decision, Decisions, decision_name
from companion.table.game.history import History
from companion.table.game.new_game import GameDefaults
from companion.table.game.plausibility import Expected
from companion.table.game.position import Phase, TablePosition
from companion.table.journal.journal import Journal
from companion.table.past.story import Story, latest_story
from companion.table.presses import Presses
from companion.table.state.public_state import Live, hides_dice, public_state
from companion.table.state.public_state import now as now_of
from companion.table.state.public_state import players as players_of
from companion.table.state.signs import Signs, signs
from companion.table.state.state import CalibrationStatus, CameraStatus, Notice, State, Waiting
from companion.table.state.subscription import Listener, Subscription
from hardware.panel.debounce import Push
from vision.reading import Reading

log = logging.getLogger(__name__)

VERSIONS: Final = 1_000_000
"""Versions set aside for each start of the program, so that they go on growing over a restart."""


TOGETHER: Final = 0.4
"""Seconds within which two calls were made on the same instant."""

NOTHING_SAID: Final = (events.Paused, events.Resumed, events.Undone, events.Redone)
"""At the table nothing was bid or called then."""


@dataclass(frozen=True, slots=True)
class RevealWanted:
    """The dice are to be read."""

    reveal: int
    """The number of the request; a reading must name it."""
    players: tuple[Expected, ...]


class Table:
    """The game at this table. Every method may be called from any thread.

    Nothing is waited for under its lock but its own journal, and what is called under it (a listener's `put`) must not
    call the table from another thread, nor take a lock under which the table is called.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        rng: random.Random | None = None,
        demo: bool = False,
        house: Ruleset = engine.DEFAULT_RULESET,
        calza: bool = True,
        open_lost: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take up the game where `journal` left it. `rng` draws starters; `demo` is told to the page; `clock` gives
        monotonic seconds, by which calls of the same instant are told.

        `house`, `calza` and `open_lost` are what a new game is played by when nothing else is asked for. `house` is a
        book, or a book with house rules; then a game asked for by that book's id has these house rules too. A game
        that was begun by other rules goes on by those.

        Raises `JournalError` when the journal cannot be understood.
        """
        self._journal = journal
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._listeners: list[Listener] = []
        self._closed = False
        history = History()
        for line in journal.lines():
            try:
                history = history.after(line)
            except (AssertionError, EngineError, LookupError, ValueError) as error:
                raise JournalError(f"The journal in {journal.folder} does not fit together: {error}.") from error
        if history.position.phase is Phase.READING:
            log.info("the reveal that was being read is started again")
        self._history = history
        self._clock = clock
        self._stepped = float("-inf")
        """When the last step was made."""
        self._said = float("-inf")
        """When the last step was made that was neither a break nor took anything back."""
        self._live = Live(demo=demo, house=house, calza=calza, open_lost=open_lost)
        self._version = journal.start * VERSIONS
        self._defaults = GameDefaults(house, open_lost, (rng or random.SystemRandom()).choice)
        self._decisions = Decisions(self._version)
        self._presses = Presses()
        self._state = self._public()

    @property
    def _position(self) -> TablePosition:
        return self._history.position

    # What is so

    def state(self) -> State:
        """The whole public state."""
        with self._lock:
            return self._state

    def state_with_all_dice(self) -> State:
        """The same with the number of everybody's dice, also while it is hidden. For who throws them: never sent."""
        with self._lock:
            return msgspec.structs.replace(self._state, players=players_of(self._position, all_dice=True))

    def subscribe(self) -> Subscription:
        """A place to hear of every new state; the present one comes first. Close it in the end."""
        with self._lock:
            subscription = Subscription((self._version, self._state), self._unsubscribe)
            if self._closed:
                subscription.close()
            else:
                self._listeners.append(subscription)
            return subscription

    def attach(self, listener: Listener) -> None:
        """Tell `listener` of the present state and of every later one, until the table closes."""
        with self._lock:
            listener.put((self._version, self._state))
            if self._closed:
                listener.close()
            else:
                self._listeners.append(listener)

    def story(self) -> Story:
        """The game that is played, or was played last, told and counted, with all games of its company.

        While the number of dice under the cups is hidden, nothing of this game: who lost how many is in it.
        """
        with self._lock:
            lines = self._journal.lines()
            hidden = hides_dice(self._position)
        return latest_story(lines, hidden=hidden)

    @property
    def pictures(self) -> Path:
        """The folder of the judged pictures, each named `<reading's id>.jpg`."""
        return self._journal.pictures

    def signs(self, address: str = "", code: str = "", *, refused: bool = True) -> Signs:
        """What the panel shows; `address` and `code` are what a phone needs to join. `refused` is whether it says why
        the last press was refused, if it was."""
        with self._lock:
            now = replace(now_of(self._live), address=address, code=code)
            return signs(self._position, now if refused else replace(now, refused=""))

    def mend(self) -> None:
        """See to the journal while nothing happens: what could not be written is written once it can be.

        To be called every few seconds.
        """
        with self._lock:
            if not self._closed:
                self._journal.mend()
                if self._journal.trouble != self._live.journal:
                    self._tell()

    # Commands

    def do(self, command: Command, by: Actor = SOMEBODY) -> State:
        """Carry out `command`, and give the state after it.

        Raises `TableError` or `companion.engine.EngineError`, both with `code` and `message`; then nothing has changed.
        That is `NotAllowedNowError` ("stale") where somebody else has decided anything since the version `by` saw, and
        `NotYoursError` for a bid or call that another phone is to make.
        """
        with self._lock:
            if self._closed:
                raise NotAllowedNowError("closed", Message("The program is stopping."))
            player = speaker(command)
            if not self._heard_aloud(command):
                by.check_speaks_for(player)
            done = self._same_instant(command, by)
            self._decisions.check(command, by, self._version, but_last=done is not None)
            if done is None:
                done = decide(self._history, command, self._defaults)
            if player is None:
                by.check_speaks_for(speaker(command, done))
            return self._append(done, by)

    def push(self, button: str, push: Push) -> State:
        """A finger pushed a button of the panel, "dudo" or "calza": `companion.table.presses` says what that means."""
        with self._lock:
            before = self._history.steps
            waiting = self._live.waiting
            given_up = waiting is not None and waiting.code == "given-up" and self._wanted()
            now, stepped = self._clock(), self._stepped
            try:
                command = self._presses.command(
                    button, push, self._history, now=now, stepped=stepped, given_up=given_up
                )
            except TableError as error:
                return self._notice(error)
            state = self._state if command is None else self.do_at_panel(command)
            if push is Push.DOWN and self._history.steps > before:
                self._presses.record_step(self._history.steps)
            return state

    def do_at_panel(self, command: Command) -> State:
        """Carry out `command` for the panel, which cannot say why it is refused: the state's `notice` says it."""
        with self._lock:
            try:
                return self.do(command, PANEL)
            except (TableError, EngineError) as error:
                return self._notice(error)

    # The reveal

    def reveal_wanted(self) -> RevealWanted | None:
        """What the camera is to read now, None when nothing."""
        with self._lock:
            if not self._wanted():
                return None
            return RevealWanted(self._position.reveals, self._position.expected())

    def wait_for_reveal(self, timeout: float) -> RevealWanted | None:
        """As `reveal_wanted`, waiting up to `timeout` seconds for it, or until the table closes."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._wanted(), timeout)
            return None if self._closed else self.reveal_wanted()

    def _wanted(self) -> bool:
        return self._position.phase is Phase.READING and not self._position.paused

    def take_reading(self, reveal: int, reading: Reading, jpeg: bytes | None) -> State:
        """Take a settled, confirmed reading for request `reveal`, with the picture it was read from as JPEG.

        Raises `NotAllowedNowError` with the code "late-reading" when nobody waits for it any more.
        """
        with self._lock:
            if jpeg is not None and self._position.phase is Phase.READING:
                now = self._position.reading
                try:
                    self._journal.keep_picture(self._position.readings + 1, jpeg, [now.id] if now is not None else [])
                except JournalError as error:
                    log.warning("%s", error.message)
                    jpeg = None
            return self.do(TakeReading(reveal, reading, jpeg is not None), BOX)

    def wait_says(self, reveal: int, waiting: Waiting | None) -> None:
        """Tell what reveal `reveal` waits for."""
        with self._lock:
            if self._position.reveals == reveal and waiting != self._live.waiting:
                self._tell(waiting=waiting)

    def camera_says(self, camera: CameraStatus) -> None:
        """Tell how the camera is."""
        with self._lock:
            if camera != self._live.camera:
                self._tell(camera=camera)

    def calibration_says(self, calibration: CalibrationStatus) -> None:
        """Tell what the readings rest on."""
        with self._lock:
            if calibration != self._live.calibration:
                self._tell(calibration=calibration)

    def panel_says(self, virtual: bool | None, sentence: str = "") -> None:
        """Tell whether there is a panel (None: none, and `sentence` says why), and whether it is a virtual one."""
        with self._lock:
            self._tell(panel=virtual, panel_sentence=sentence)

    def close(self) -> None:
        """Tell nobody anything more, and close the journal. Safe to call twice."""
        with self._changed:
            self._closed = True
            listeners, self._listeners = self._listeners, []
            self._changed.notify_all()
            for listener in listeners:
                listener.close()
            self._journal.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Inside

    def _notice(self, error: TableError | EngineError) -> State:
        log.info("the panel was refused: %s", error)
        return self._tell(notice=Notice(code=error.code, sentence=error.said, number=self._version + 1))

    def _heard_aloud(self, command: Command) -> bool:
        """Whether it is asked who said calza because somebody pressed the button: whoever heard it may answer."""
        last = self._history.last
        return isinstance(command, NameCaller) and last is not None and last.number == self._presses.step

    def _same_instant(self, command: Command, by: Actor) -> tuple[events.Event, ...] | None:
        """What is done when the bid was called a moment ago and `command` is a call on it as well; None otherwise.

        The rules say which call is heard (`companion.engine.Together`). Where it is the later one, the earlier is
        taken back for it; where it is the earlier one, the later is refused.
        """
        if self._clock() - self._said > TOGETHER or self._decisions.last_seen_by(by):
            return None
        return decide_together(self._history, command)

    def _append(self, done: tuple[events.Event, ...], by: Actor) -> State:
        after = self._history.after(done)
        self._journal.append(done)
        # On disk, or told to be in memory only: from here on it has happened, and may be told.
        if after.position.reveals != self._position.reveals:
            waiting: Waiting | None = Waiting(code="moving", sentence=sentences.MOVING)
        else:
            waiting = self._live.waiting if after.position.phase is Phase.READING else None
        self._decisions.add(Decision(self._version + 1, by, decision_name(done, self._history, by), done[0]))
        self._history = after
        self._stepped = self._clock()
        if not all(isinstance(event, NOTHING_SAID) for event in done):
            self._said = self._stepped
        return self._tell(notice=None, waiting=waiting)

    def _tell(self, **live: object) -> State:
        with self._changed:
            self._live = replace(self._live, **live)  # type: ignore[arg-type]
            self._version += 1
            self._state = self._public()
            for listener in self._listeners:
                listener.put((self._version, self._state))
            self._changed.notify_all()
            return self._state

    def _public(self) -> State:
        reading = self._position.reading
        pictured = reading is not None and reading.picture and self._journal.has_picture(reading.id)
        self._live = replace(self._live, journal=self._journal.trouble, pictured=pictured)
        return public_state(self._history, self._live, self._version)

    def _unsubscribe(self, subscription: Subscription) -> None:
        with self._lock:
            if subscription in self._listeners:
                self._listeners.remove(subscription)
