"""A fake table without a game. It shows the states it is given and records its commands.

For tests of the page and the API, and for pictures of every state. The states are in `tests.fakes.states`.
"""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from companion.engine import DEFAULT_RULESET, CallKind
from companion.messages.message import Dice, Message, Rounds
from companion.table.commands import Actor, CallDudo, Command
from companion.table.game.decide import speaker
from companion.table.game.events import GameOpened
from companion.table.journal.saved_games import SavedGame, summary_of
from companion.table.past.game_summary import GameSummary
from companion.table.past.highlights import Bluff, DiceCurve, Highlights, LuckyCall, Taking
from companion.table.past.statistics import (
    BidStatistics,
    CallStatistics,
    CameraStatistics,
    PlayerStatistics,
    Statistics,
)
from companion.table.past.story import Story
from companion.table.state.listener import Listener
from companion.table.state.state import State, Turn
from hardware.camera.protocol import BaseCamera, CameraError, Frame

HIGHLIGHTS = Highlights(
    winner="Ana",
    bluff=Bluff(player="Dorothea-Valentina", round=4, count=6, face=5, likely=0.087),
    call=LuckyCall(player="Ben", kind=CallKind.CALZA, bidder="Cid", round=7, count=4, face=1, likely=0.21),
    curves=(
        DiceCurve("Ana", "red", (5, 5, 5, 4, 4, 4, 3, 3, 3, 3, 3)),
        DiceCurve("Ben", "blue", (5, 4, 4, 4, 4, 3, 3, 4, 3, 2, 0)),
        DiceCurve("Cid", "green", (5, 5, 4, 4, 3, 3, 3, 2, 2, 1, 0)),
        DiceCurve("Dorothea-Valentina", "yellow", (5, 5, 5, 5, 5, 5, 5, 4, 3, 0, 0)),
    ),
    takings=(Taking("Ana", "Ben", 4), Taking("Ana", "Dorothea-Valentina", 3), Taking("Ben", "Cid", 2)),
)


class FakePastGames:
    """A fake of `companion.table.journal.past_games.PastGames`, with the games it is given."""

    def __init__(self) -> None:
        self.games: list[SavedGame] = []

    def ready(self) -> list[GameSummary]:
        """All of them."""
        return list(map(summary_of, self.games))

    def game(self, key: str) -> SavedGame | None:
        """The one of that name."""
        return next((each for each in self.games if each.key == key), None)


class FakeTable:
    """A fake of `companion.table.Table`. `commands` has the commands it was given, oldest first."""

    def __init__(self, state: State, pictures: Path | None = None) -> None:
        self.pictures = pictures
        self.commands: list[Command] = []
        self.refuse: Exception | None = None
        """Raised by every command while it is set."""
        self.acted: list[Actor] = []
        """Who gave each command."""
        self.then: dict[type[Command], State] = {}
        """Command -> the state that is shown after it."""
        self.left = 20.0
        """The seconds left of `turn`."""
        self.past = FakePastGames()
        self._lock = threading.Lock()
        self._version = 1
        self._state = replace(state, version=1)
        self._listeners: list[Listener] = []

    def show(self, state: State) -> None:
        """Become `state`, as a new version, and tell everybody who listens."""
        with self._lock:
            self._version += 1
            self._state = replace(state, version=self._version)
            for listener in self._listeners:
                listener.put(self._state)

    def state(self) -> State:
        """The present state."""
        return self._state

    def state_with_all_dice(self) -> State:
        """The state in which every hidden number of dice is three."""
        known = [player if player.dice is not None else replace(player, dice=3) for player in self._state.players]
        return replace(self._state, players=tuple(known))

    house = DEFAULT_RULESET
    open_lost = True

    def named_rules(self) -> tuple[GameOpened, ...]:
        """None."""
        return ()

    def story(self) -> Story:
        """A short story."""
        players = tuple(
            PlayerStatistics(
                name=name, games=1, won=0, rounds=6, bids=7, highest=(9, 4), called=BidStatistics(2, 1, 0.9, 9, 8.3),
                dudos=CallStatistics(3, 2, 1.4), calzas=CallStatistics(0, 2, 1.4), lost=2, regained=0, palifico=0,
            )
            for name in ("Ana", "Dorothea-Valentina")
        )  # fmt: skip
        lines = (
            Message("{player} left the table with {dice}.", player="Dorothea-Valentina", dice=Dice(4)),
            Message("{player} won the game after {rounds}.", player="Ana", rounds=Rounds(1)),
        )
        return Story(
            highlights=HIGHLIGHTS,
            game=1,
            story=tuple(map(str, lines)),
            said=tuple(line.parts for line in lines),
            statistics=Statistics(1, 0, 6, players, CameraStatistics()),
        )

    def turn(self) -> Turn:
        """`left` seconds."""
        return Turn(version=self._version, seconds=self._state.turn_seconds, left=self.left)

    def hidden_games(self) -> dict[int, int]:
        """The game of the state, with all pictures there are, while its dice are hidden."""
        return {self._state.game: 10**9} if self._state.hides_dice else {}

    def past_version(self) -> int:
        """That of the state."""
        return self._version

    def attach(self, listener: Listener) -> None:
        """Tell `listener` of the present state and of every later one, as the real table does."""
        with self._lock:
            self._listeners.append(listener)
            listener.put(self._state)

    def close(self) -> None:
        """Close every listener, as a stopping table does."""
        for listener in self._listeners:
            listener.close()

    def do(self, command: Command, by: Actor) -> State:
        """Record `command` and who gave it, after checking who may speak for whom. No command is stale."""
        self.acted.append(by)
        player = speaker(command)
        by.check_speaks_for(self._state.turn if player is None and isinstance(command, CallDudo) else player)
        if self.refuse is not None:
            raise self.refuse
        self.commands.append(command)
        if type(command) in self.then:
            self.show(self.then[type(command)])
        return self._state


class FakePanel:
    """A panel without pins; `pressed` has its presses and releases, oldest first."""

    def __init__(self) -> None:
        self.pressed: list[tuple[str, str]] = []

    def press(self, button: str) -> None:
        self.pressed.append((button, "press"))

    def release(self, button: str) -> None:
        self.pressed.append((button, "release"))


class FakeCamera(BaseCamera):
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
    def size(self) -> tuple[int, int]:
        return self.image.shape[1], self.image.shape[0]

    def close(self) -> None:
        pass
