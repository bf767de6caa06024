"""A table that plays no game: it shows the states it is given and remembers what it was told.

For tests of the page and the API, and for pictures of every state. The states are in `tests.fakes.states`.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from companion.messages.message import Dice, Message, Rounds, to_json
from companion.table.game.freshness import Who
from companion.table.past.statistics import Called, Calls, Camera, Player, Statistics
from hardware.camera.protocol import CameraError, FixedExposure, Frame, FrameSizes
from web.port import Listener

State = dict[str, Any]


class FakeTable:
    """Stands where `companion.table.Table` stands. `commands` is what it was told, oldest first."""

    def __init__(self, state: State) -> None:
        self.commands: list[tuple[str, dict[str, Any]]] = []
        self.refuse: Exception | None = None
        """Raised by every command while it is set."""
        self.acted: list[tuple[Who, int | None]] = []
        """Who gave each command, and the version they had seen."""
        self.then: dict[str, State] = {}
        """Command -> the state that is shown after it."""
        self._speaks: Callable[[str], None] | None = None
        self._lock = threading.Lock()
        self._version = 1
        self._state: dict[str, Any] = {**state, "version": 1}
        self._listeners: list[Listener] = []

    def show(self, state: State) -> None:
        """Become `state`, as a new version, and tell everybody who listens."""
        with self._lock:
            self._version += 1
            self._state = {**state, "version": self._version}
            for listener in self._listeners:
                listener.put((self._version, self._state))

    def state(self) -> State:
        """What is shown now."""
        return self._state

    @contextlib.contextmanager
    def acting(self, who: Who, seen: int | None = None, speaks: Callable[[str], None] | None = None) -> Iterator[None]:
        """Remember who acts, and have it checked who may speak for whom. Nothing is ever stale here."""
        self.acted.append((who, seen))
        self._speaks = speaks
        try:
            yield
        finally:
            self._speaks = None

    def story(self) -> State:
        """A short one."""
        players = tuple(
            Player(
                name=name, games=1, won=0, rounds=6, bids=7, highest=(9, 4), called=Called(2, 1, 0.9, 9, 8.3),
                dudos=Calls(3, 2, 1.4), calzas=Calls(0, 2, 1.4), lost=2, regained=0, palifico=0,
            )
            for name in ("Ana", "Dorothea-Valentina")
        )  # fmt: skip
        lines = (
            Message("{player} left the table with {dice}.", player="Dorothea-Valentina", dice=Dice(4)),
            Message("{player} won the game after {rounds}.", player="Ana", rounds=Rounds(1)),
        )
        story = {"story": list(map(str, lines)), "said": list(map(to_json, lines))}
        return {"game": 1, **story, "statistics": Statistics(1, 0, 6, players, Camera()).to_json(), "company": None}

    def attach(self, listener: Listener) -> None:
        """Tell `listener` of the present state and of every later one, as the real table does."""
        with self._lock:
            self._listeners.append(listener)
            listener.put((self._version, self._state))

    def close(self) -> None:
        """Close every listener, as a table does that stops."""
        for listener in self._listeners:
            listener.close()

    def new_game(
        self,
        players: Sequence[tuple[str, str]],
        ruleset: str,
        calza: bool,
        starter: str | None,
        abandon: bool,
        *,
        dice: Mapping[str, int],
        open_lost: bool | None,
        roll: bool,
    ) -> None:
        self._told(
            "new_game",
            players=players,
            ruleset=ruleset,
            calza=calza,
            starter=starter,
            abandon=abandon,
            dice=dice,
            open_lost=open_lost,
            roll=roll,
        )

    def bid(self, player: str, count: int, face: int) -> None:
        self._said_by(player)
        self._told("bid", player=player, count=count, face=face)

    def dudo(self, player: str | None) -> None:
        self._said_by(player or self._state["turn"])
        self._told("dudo", player=player)

    def calza(self, player: str | None) -> None:
        self._said_by(player)
        self._told("calza", player=player)

    def caller(self, player: str) -> None:
        self._said_by(player)
        self._told("caller", player=player)

    def add_die(self, box: tuple[float, float, float, float], face: int, colour: str) -> None:
        self._told("add_die", box=box, face=face, colour=colour)

    def set_die(self, die: int, face: int | None, colour: str | None) -> None:
        self._told("set_die", die=die, face=face, colour=colour)

    def strike_die(self, die: int) -> None:
        self._told("strike_die", die=die)

    def again(self) -> None:
        self._told("again")

    def by_hand(self, dice: Mapping[str, Sequence[int]]) -> None:
        self._told("by_hand", dice=dice)

    def next(self) -> None:
        self._told("next")

    def count_now(self, call: str) -> None:
        self._told("count_now", call=call)

    def tell(self, call: str, caller: str, bidder: str, count: int, face: int) -> None:
        self._told("tell", call=call, caller=caller, bidder=bidder, count=count, face=face)

    def undo(self, step: int) -> None:
        self._told("undo", step=step)

    def redo(self, step: int) -> None:
        self._told("redo", step=step)

    def leave(self, player: str, concede: bool) -> None:
        self._told("leave", player=player, concede=concede)

    def come_back(self, player: str) -> None:
        self._told("come_back", player=player)

    def pause(self) -> None:
        self._told("pause")

    def resume(self) -> None:
        self._told("resume")

    def end_game(self) -> None:
        self._told("end_game")

    def _said_by(self, player: str | None) -> None:
        if player is not None and self._speaks is not None:
            self._speaks(player)

    def _told(self, command: str, **what: Any) -> None:
        if self.refuse is not None:
            raise self.refuse
        self.commands.append((command, what))
        if command in self.then:
            self.show(self.then[command])


class FakePanel:
    """A panel without pins; `pressed` is what was done to it, oldest first."""

    def __init__(self) -> None:
        self.pressed: list[tuple[str, str]] = []

    def press(self, button: str) -> None:
        self.pressed.append((button, "press"))

    def release(self, button: str) -> None:
        self.pressed.append((button, "release"))


class FakeCamera(FixedExposure):
    """A camera that sees `image`, or fails with `error`; `taken` counts its frames."""

    def __init__(self, width: int = 1280, height: int = 960) -> None:
        self.image = np.full((height, width, 3), (38, 74, 46), np.uint8)
        self.error: str | None = None
        self.taken = 0

    @property
    def name(self) -> str:
        return "fake camera"

    @property
    def sensor(self) -> bool:
        return False

    def frame(self, after: float = 0.0) -> Frame:
        if self.error is not None:
            raise CameraError(self.error)
        self.taken += 1
        return Frame(self.image, after)

    @property
    def sizes(self) -> FrameSizes:
        return FrameSizes.of(self.image.shape[1], self.image.shape[0])

    def close(self) -> None:
        pass
