"""The only owner of the game: commands in, one at a time; events out, on disk before anyone is told.

Where the disk fails they are kept in memory instead, and everyone is told that as well.
"""

from __future__ import annotations

import contextlib
import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from companion import engine
from companion.engine import EngineError, Ruleset
from companion.messages.message import Message
from companion.table import commands
from companion.table.asking import spoken_by
from companion.table.errors import JournalError, NotAllowedNowError
from companion.table.game import events, sentences
from companion.table.game.decide import called_by, decide, together
from companion.table.game.freshness import BOX, SOMEBODY, Decision, Decisions, Who, what
from companion.table.game.history import History
from companion.table.game.plausibility import Expected
from companion.table.game.position import Phase, TablePosition
from companion.table.journal.journal import Journal
from companion.table.past.story import told_and_counted
from companion.table.presses import Presses
from companion.table.state.signs import Signs, signs
from companion.table.state.state import CalibrationStatus, CameraStatus, Live, State, Waiting, hides_dice, public_state
from companion.table.state.state import now as now_of
from companion.table.state.state import players as players_of
from companion.table.state.subscription import Listener, Subscription
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


class Table(Presses):
    """The game at this table. Every method may be called from any thread.

    Nothing is waited for under its lock but its own journal, and what is called under it (a listener's `put`, the
    `speaks` of `acting`) must not call the table from another thread, nor take a lock under which the table is called.
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
        self._rng = rng or random.SystemRandom()
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
        self._decided = Decisions(self._version)
        self._who = SOMEBODY
        """Who is deciding: while the lock is held for somebody in particular."""
        self._seen: int | None = None
        """The version that was seen by who is deciding; None asks for nothing."""
        self._speaks: Callable[[str], None] | None = None
        """Refuses players for whom who is deciding may not speak; None refuses nobody."""
        self._state = self._public()

    @property
    def _position(self) -> TablePosition:
        return self._history.position

    # What is so

    def state(self) -> State:
        """The whole public state, as in docs/reference/api.md. Shared: do not change it."""
        with self._lock:
            return self._state

    def state_with_all_dice(self) -> State:
        """The same with the number of everybody's dice, also while it is hidden. For who throws them: never sent."""
        with self._lock:
            return {**self._state, "players": players_of(self._position, all_dice=True)}

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

    def story(self) -> dict[str, Any]:
        """The game that is played, or was played last, told and counted, with all games of its company:
        docs/reference/api.md.

        While the number of dice under the cups is hidden, nothing of this game: who lost how many is in it.
        """
        with self._lock:
            lines = self._journal.lines()
            hidden = hides_dice(self._position)
        return told_and_counted(lines, hidden=hidden)

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

    @contextlib.contextmanager
    def acting(self, who: Who, seen: int | None = None, speaks: Callable[[str], None] | None = None) -> Iterator[None]:
        """The commands given within are `who`'s, made on the state of version `seen`. Nobody comes in between.

        With `seen` they raise `NotAllowedNowError` ("stale") where somebody else has decided anything since that
        version, and `UnreadableCommandError` ("version") where it is still to come. `speaks` is called with the player
        whose bid or call it turns out to be, before it is made, and raises what it likes where `who` may not speak for
        that player. It is called under the table's lock.
        """
        with self._lock:
            before = self._who, self._seen, self._speaks
            self._who, self._seen, self._speaks = who, seen, speaks
            try:
                yield
            finally:
                self._who, self._seen, self._speaks = before

    def undo(self, step: int) -> State:
        """Take back the last step, which must be number `step`: two taps shall not take back two."""
        with self._lock:
            self._check_fresh(None)
            last = self._history.last
            if last is None or last.number != step or self._position.paused:
                raise NotAllowedNowError("stale", Message("That is no longer the last thing that was done."))
            return self._append((events.Undone(),))

    def redo(self, step: int) -> State:
        """Do again the step taken back last, which must be number `step`."""
        with self._lock:
            self._check_fresh(None)
            undone = self._history.undone
            if undone is None or undone.number != step or self._position.paused:
                raise NotAllowedNowError(
                    "stale", Message("There is nothing to be done again, or it was something else.")
                )
            return self._append((events.Redone(),))

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
        with self.acting(BOX):
            if jpeg is not None and self._position.phase is Phase.READING:
                now = self._position.reading
                try:
                    self._journal.keep_picture(self._position.readings + 1, jpeg, [now.id] if now is not None else [])
                except JournalError as error:
                    log.warning("%s", error.message)
                    jpeg = None
            return self._carry_out(commands.TakeReading(reveal, reading, jpeg is not None))

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

    def _carry_out(self, command: commands.Command) -> State:
        with self._lock:
            self._check_open()
            self._check_speaker(spoken_by(command), command)
            instead = self._same_instant(command)
            self._check_fresh(command, but_last=instead is not None)
            done = decide(self._position, command) if instead is None else instead
            self._check_speaker(called_by(done), command)
            return self._append(done)

    def _check_speaker(self, player: str | None, command: commands.Command) -> None:
        """Refuse a bid or a call of `player` by somebody who may not speak for that player."""
        if player is None or self._speaks is None or isinstance(command, commands.TellCall):
            return  # what was called before a count is told by whoever remembers
        if isinstance(command, commands.NameCaller) and self._panel_asks():
            return  # somebody pressed the button and said so aloud; whoever heard it may answer
        self._speaks(player)

    def _check_fresh(self, command: commands.Command | None, but_last: bool = False) -> None:
        """Refuse a command made on what is no longer so. None is undo or redo."""
        if self._seen is not None:
            self._decided.check(self._who, self._seen, self._version, command, but_last)

    def _check_open(self) -> None:
        if self._closed:
            raise NotAllowedNowError("closed", Message("The program is stopping."))

    def _same_instant(self, command: commands.Command) -> tuple[events.Event, ...] | None:
        """What is done when the bid was called a moment ago and `command` is a call on it as well; None otherwise.

        The rules say which call is heard (`companion.engine.Together`). Where it is the later one, the earlier is
        taken back for it; where it is the earlier one, the later is refused.
        """
        step = self._history.last
        if step is None or self._position.paused or self._clock() - self._said > TOGETHER:
            return None
        if self._seen is not None and self._decided.saw_last(self._seen):
            return None  # it is known to have been said after the other, and on it
        return together(step, self._position, command)

    def _append(self, done: tuple[events.Event, ...]) -> State:
        with self._lock:
            self._check_open()
            after = self._history.after(done)
            self._journal.append(done)
            # On disk, or told to be in memory only: from here on it has happened, and may be told.
            if after.position.reveals != self._position.reveals:
                waiting: Waiting | None = Waiting("moving", sentences.MOVING)
            else:
                waiting = self._live.waiting if after.position.phase is Phase.READING else None
            decided = what(done, self._history, self._who)
            self._history = after
            self._stepped = self._clock()
            if not all(isinstance(event, NOTHING_SAID) for event in done):
                self._said = self._stepped
            self._decided.add(Decision(self._version + 1, self._who, decided, done[0]))
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
