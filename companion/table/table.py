"""The only owner of the game: commands in, one at a time; events out, on disk before anyone is told."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Final

from companion import engine
from companion.engine import EngineError, Ruleset
from companion.engine.rulebooks import base, differences
from companion.table import commands, sentences
from companion.table.check import Expected
from companion.table.decide import decide
from companion.table.errors import JournalError, NotAllowedNowError, TableError, UnreadableCommandError
from companion.table.journal import Journal
from companion.table.lamps import panel_lamps
from companion.table.position import Phase, TablePosition, evolve
from companion.table.public import CameraStatus, Live, Notice, State, Waiting, public_state
from companion.table.subscription import Subscription
from hardware.panel import Lamp
from vision.reading import Box, Reading

log = logging.getLogger(__name__)

VERSIONS: Final = 1_000_000
"""Versions set aside for each start of the program, so that they go on growing over a restart."""


@dataclass(frozen=True, slots=True)
class RevealWanted:
    """The dice are to be read."""

    reveal: int
    """The number of the request; a reading must name it."""
    players: tuple[Expected, ...]


class Table:
    """The game at this table. Every method may be called from any thread.

    The command methods carry out one command and return the state after it. They raise `TableError` or
    `companion.engine.EngineError`, both with `code` and `message`; then nothing has changed.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        rng: random.Random | None = None,
        demo: bool = False,
        house: Ruleset = engine.DEFAULT_RULESET,
        calza: bool = True,
    ) -> None:
        """Take up the game where `journal` left it. `rng` draws starters; `demo` is told to the page.

        `house` and `calza` are what a new game is played by when nothing else is asked for. `house` is a book, or a
        book with house rules; then a game asked for by that book's id has these house rules too. A game that was
        begun by other rules goes on by those.

        Raises `JournalError` when the journal cannot be understood.
        """
        self._journal = journal
        self._rng = rng or random.SystemRandom()
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._subscriptions: list[Subscription] = []
        self._closed = False
        position = TablePosition()
        for event in journal.events():
            try:
                position = evolve(position, event)
            except (AssertionError, EngineError) as error:
                raise JournalError(f"The journal in {journal.folder} does not fit together: {error}.") from error
        if position.phase is Phase.READING:
            log.info("the reveal that was being read is started again")
        self._position = position
        self._live = Live(demo=demo, house=house, calza=calza)
        self._version = journal.start * VERSIONS
        self._state = public_state(position, self._live, self._version)

    # What is so

    def state(self) -> State:
        """The whole public state, as in docs/api.md. Shared: do not change it."""
        with self._lock:
            return self._state

    def subscribe(self) -> Subscription:
        """A place to hear of every new state; the present one comes first. Close it in the end."""
        with self._lock:
            subscription = Subscription((self._version, self._state), self._unsubscribe)
            if self._closed:
                subscription.close()
            else:
                self._subscriptions.append(subscription)
            return subscription

    @property
    def pictures(self) -> Path:
        """The folder of the judged pictures, each named `<reading's id>.jpg`."""
        return self._journal.pictures

    def lamps(self) -> dict[str, Lamp]:
        """What the panel's lamps show, by the panel's names."""
        with self._lock:
            return panel_lamps(self._position)

    # Commands

    def new_game(
        self,
        players: Sequence[tuple[str, str]],
        ruleset: Ruleset | str | None = None,
        calza: bool | None = None,
        starter: str | None = None,
        abandon: bool = False,
    ) -> State:
        """Open a game of `players`, (name, colour) clockwise. `starter` None draws one.

        `ruleset` is a ruleset, exactly as it is; or the id of a book, with this table's house rules if they are made
        for it. `ruleset` and `calza` None are this table's. A game that is being played is ended only with `abandon`.
        """
        house = self._live.house
        if ruleset is None or ruleset == base(house).id:
            ruleset = house
        book, rules = (ruleset, {}) if isinstance(ruleset, str) else (base(ruleset).id, differences(ruleset))
        if calza is None:
            calza = self._live.calza
        with self._lock:
            if starter is None and players:
                starter = self._rng.choice([name for name, _ in players])
            return self._carry_out(commands.NewGame(players, book, calza, starter or "", abandon, rules))

    def bid(self, player: str, count: int, face: int) -> State:
        """Bid `count` dice showing `face`."""
        return self._carry_out(commands.MakeBid(player, count, face))

    def dudo(self, player: str | None = None) -> State:
        """Doubt the bid; None is the player on turn."""
        return self._carry_out(commands.CallDudo(player))

    def calza(self, player: str | None = None) -> State:
        """Say that the bid is exact; None asks who did, when several may."""
        return self._carry_out(commands.CallCalza(player))

    def caller(self, player: str) -> State:
        """Answer who said calza."""
        return self._carry_out(commands.SayCaller(player))

    def set_die(self, die: int, face: int | None = None, colour: str | None = None) -> State:
        """Say what a die of the reading is."""
        return self._carry_out(commands.SetDie(die, face, colour))

    def add_die(self, box: Box, face: int, colour: str) -> State:
        """Add a die the camera missed; `box` is x, y, width, height in pixels of the picture."""
        return self._carry_out(commands.AddDie(box, face, colour))

    def strike_die(self, die: int) -> State:
        """Say that something is not a die."""
        return self._carry_out(commands.StrikeDie(die))

    def again(self) -> State:
        """Read the dice once more."""
        return self._carry_out(commands.Again())

    def by_hand(self, dice: Mapping[str, Sequence[int]]) -> State:
        """Say what each player's dice show, without the camera."""
        return self._carry_out(commands.CountByHand(dice))

    def next(self) -> State:
        """On to the next round."""
        return self._carry_out(commands.NextRound())

    def press(self, button: str) -> State:
        """A button of the panel was pressed: "dudo" is the player on turn, "calza" is whoever may.

        A panel cannot say why a press is refused, so this never raises for that: the state's `notice` says it.
        """
        commanded: dict[str, commands.Command] = {"dudo": commands.CallDudo(), "calza": commands.CallCalza()}
        try:
            if button not in commanded:
                raise UnreadableCommandError("unknown-button", f"There is no button {button!r}.")
            return self._carry_out(commanded[button])
        except (TableError, EngineError) as error:
            log.info("the press of %s was refused: %s", button, error)
            text = error.message
            return self._tell(notice=Notice(error.code, f"{text[0].upper()}{text[1:].removesuffix('.')}."))

    # The reveal

    def reveal_wanted(self) -> RevealWanted | None:
        """What the camera is to read now, None when nothing."""
        with self._lock:
            if self._position.phase is not Phase.READING:
                return None
            return RevealWanted(self._position.reveals, self._position.expected())

    def wait_for_reveal(self, timeout: float) -> RevealWanted | None:
        """As `reveal_wanted`, waiting up to `timeout` seconds for it, or until the table closes."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._position.phase is Phase.READING, timeout)
            return None if self._closed else self.reveal_wanted()

    def take_reading(self, reveal: int, reading: Reading, jpeg: bytes | None) -> State:
        """Take a settled, confirmed reading for request `reveal`, with the picture it was read from as JPEG.

        Raises `NotAllowedNowError` with the code "late-reading" when nobody waits for it any more.
        """
        with self._lock:
            if jpeg is not None and self._position.phase is Phase.READING:
                try:
                    self._journal.keep_picture(self._position.readings + 1, jpeg)
                except JournalError:
                    log.exception("the judged picture is lost; the reading goes on without it")
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

    def panel_says(self, virtual: bool | None, sentence: str = "") -> None:
        """Tell whether there is a panel (None: none, and `sentence` says why), and whether it is a virtual one."""
        with self._lock:
            self._tell(panel=virtual, panel_sentence=sentence)

    def close(self) -> None:
        """Tell nobody anything more, and close the journal. Safe to call twice."""
        with self._changed:
            self._closed = True
            subscriptions, self._subscriptions = self._subscriptions, []
            self._changed.notify_all()
            for subscription in subscriptions:
                subscription.close()
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
            if self._closed:
                raise NotAllowedNowError("closed", "The program is stopping.")
            events = decide(self._position, command)
            after = self._position
            for event in events:
                after = evolve(after, event)
            self._journal.append(events)
            # On disk: from here on it has happened, and may be told.
            if after.reveals != self._position.reveals:
                waiting: Waiting | None = Waiting("moving", sentences.MOVING)
            else:
                waiting = self._live.waiting if after.phase is Phase.READING else None
            self._position = after
            return self._tell(notice=None, waiting=waiting)

    def _tell(self, **live: object) -> State:
        with self._changed:
            self._live = replace(self._live, **live)  # type: ignore[arg-type]
            self._version += 1
            self._state = public_state(self._position, self._live, self._version)
            for subscription in self._subscriptions:
                subscription.put((self._version, self._state))
            self._changed.notify_all()
            return self._state

    def _unsubscribe(self, subscription: Subscription) -> None:
        with self._lock:
            if subscription in self._subscriptions:
                self._subscriptions.remove(subscription)
