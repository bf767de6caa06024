"""Robots at the demo's table. They act like phones, at a human pace, and know only what a player knows."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from companion.engine import Bid, Call, Dudo, EngineError, Position
from companion.robots import ROBOTS, PlayerView, Strength
from companion.table import Table
from companion.table.commands import Actor, AskReading, CallCalza, CallDudo, Command, MakeBid, OpenRound
from companion.table.errors import TableError
from companion.table.game.history import History, steps_of_round
from companion.table.game.table_position import Phase
from companion.table.state.state import RobotStrength, Round, State

log = logging.getLogger(__name__)

THINKING_TIME: Final = (1.2, 2.8)
"""The least and most seconds that a robot thinks: long enough to read the previous bid."""
ALONE_THINKING_TIME: Final = (0.4, 0.9)
"""The same in seconds if only robots are left, since those who are out wait for the end of the game."""
VERDICT_TIME: Final = 3.0
"""Seconds for which a verdict is shown if only robots are left; the one by which a person is out waits for a tap."""
UNSURE_TIME: Final = 8.0
"""Seconds after which robots on their own ask for another reading of uncertain dice."""
STEP_EVERY: Final = 0.1
"""Seconds between two looks at the table."""

STRENGTHS: Final[tuple[RobotStrength, ...]] = ("easy", "medium", "hard")


def robots_for(state: State, count: int) -> dict[str, RobotStrength]:
    """Robots of mixed strengths for the last `count` players."""
    names = [player.name for player in state.players][-count:] if count else []
    return {name: STRENGTHS[n % len(STRENGTHS)] for n, name in enumerate(names)}


class RobotPlayers:
    """Plays the seats given to robots as long as no phone has them.

    During a round each player is played either by a robot or by a person: somebody who sits down after the first bid
    plays from the next round on, and no robot continues with dice that a phone has seen. Otherwise one guest with
    several phones could see all dice.
    """

    def __init__(
        self,
        table: Table,
        peek: Callable[[str], tuple[int, ...]],
        taken: Callable[[], Mapping[str, str | None]],
        *,
        luck: random.Random,
        count: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """peek: a player's own dice; empty if there are none to see (`VirtualTable.peek`).

        taken: player -> the phone on that seat, or None. count: the number of robots at the start. `clock` returns
        seconds.
        """
        self._count = count
        self._table = table
        self._peek = peek
        self._taken = taken
        self._luck = luck
        self._clock = clock
        self._lock = threading.Lock()
        self._wanted: dict[str, RobotStrength] = {}
        self._company = False
        """True if a phone has taken a seat."""
        self._round: Round | None = None
        """The last round, the players whom robots play until its end, and those whose dice a phone has seen in it."""
        self._kept: set[str] = set()
        self._seen: set[str] = set()
        self._situation: object = None
        """The last situation in which the robots had to decide."""
        self._due: float | None = None
        self._released: object = None
        """The situation in which somebody told the waiting robots to continue."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="robots", daemon=True)

    def start(self) -> None:
        self.give_seats(robots_for(self._table.state(), self._count))
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread. Can be called twice."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def give_seats(self, wanted: Mapping[str, RobotStrength]) -> None:
        """Let robots play these players, and no others."""
        with self._lock:
            self._wanted = dict(wanted)
        self._follow()

    def peek(self, player: str) -> tuple[int, ...] | None:
        """The dice that a player sees under their own cup; empty while there are none to see.

        None if a robot plays the player until the end of the round.
        """
        self._follow()
        with self._lock:
            if player in self._kept:
                return None
            dice = self._peek(player)
            if dice:
                self._seen.add(player)
            return dice

    def hurry(self) -> None:
        """Make the thinking robot act now; after an undo, let the robots continue."""
        state = self._table.state()
        with self._lock:
            self._released = _situation(state)
            if self._due is not None:
                self._due = self._clock()

    def step(self) -> None:
        """Act if it is time to."""
        playing = self._follow()
        history, state = self._table.history()
        with self._lock:
            situation = _situation(state)
            if situation != self._situation:
                self._situation = situation
                self._due = None if (pause := self._pause(state, playing)) is None else self._clock() + pause
            if self._due is None or self._clock() < self._due or not playing or self._waits(state, playing):
                return
            command = self._command(history, state, playing)
            if command is None:
                return
            name, what = command
            self._due = None
        if what is None:
            return
        try:
            self._table.do(what, Actor(f"robot {name}", name, state.version, robot=True))
        except (TableError, EngineError) as error:
            # Somebody was faster. The next decision may look the same as this one.
            log.info("%s, a robot, was refused: %s", name, error)
            with self._lock:
                self._situation = None

    def _run(self) -> None:
        while not self._stop.wait(STEP_EVERY):
            try:
                self.step()
            except Exception:
                log.exception("the robots could not play")

    def _follow(self) -> dict[str, RobotStrength]:
        """Publish and return the players whom robots play: those without a phone, and those whose phone came during the
        round.
        """
        taken = self._taken()
        state = self._table.state()
        with self._lock:
            if state.game_round != self._round:
                self._round, self._kept, self._seen = state.game_round, set(), set()
            self._company = any(taken.values())
            free = {player.name for player in state.players if taken.get(player.name) is None} - self._seen
            playing = {
                player.name: self._wanted[player.name]
                for player in state.players
                if player.name in self._wanted.keys() & (free | self._kept)
            }
            if state.bid is not None:
                self._kept |= playing.keys()
        self._table.set_robots(playing)
        return playing

    def _waits(self, state: State, playing: Mapping[str, RobotStrength]) -> bool:
        """True if the robots are waiting for people.

        They wait in a break and, until somebody acts or tells them to continue, after an undo and before the first bid
        of a game in which nobody has sat down yet.
        """
        early = state.round == 1 and state.bid is None and not self._company and not _alone(state, playing)
        return state.paused or ((state.redo is not None or early) and self._released != _situation(state))

    def _pause(self, state: State, playing: Mapping[str, RobotStrength]) -> float | None:
        """Seconds until a robot acts in this state; None if none does."""
        alone = _alone(state, playing)
        match state.phase:
            case Phase.BIDDING:
                return self._luck.uniform(*(ALONE_THINKING_TIME if alone else THINKING_TIME))
            case Phase.VERDICT if alone and (state.verdict is None or state.verdict.eliminated in {None, *playing}):
                return VERDICT_TIME
            case Phase.CHECKING if alone:
                return UNSURE_TIME
            case Phase.ROLLING if state.opening is not None and set(state.opening.rolling) <= playing.keys():
                return self._luck.uniform(*THINKING_TIME)
        return None

    def _command(
        self, history: History, state: State, playing: Mapping[str, RobotStrength]
    ) -> tuple[str, Command | None] | None:
        """Who does what next; None while that is open."""
        somebody = next(iter(playing))
        if state.phase is Phase.VERDICT:
            return somebody, OpenRound()
        if state.phase is not Phase.BIDDING:
            return somebody, AskReading()
        game = history.position.game
        if game is None or game.turn is None:
            return None
        callers = [name for name in _may_call(game) if name in playing]
        dice = {name: self._peek(name) for name in callers}
        if not all(dice.values()):
            return None  # the dice are still being thrown
        bids = history.position.bids
        known = _seen_last(history, game)
        for name in callers:
            view = PlayerView(name, dice[name], known, bids)
            robot = ROBOTS[Strength(playing[name])]
            call = robot.decide(view, self._luck) if name == game.turn else robot.interject(view, self._luck)
            if call is not None:
                return name, as_command(call)
        return somebody, None


def _situation(state: State) -> object:
    """The situation on which the robots decide: no robot thinks again while it stays the same."""
    undone = state.redo.step if state.redo else None
    reading = state.reading.id if state.reading else None
    done = state.undo.step if state.undo else None
    return state.game, state.phase, state.round, done, undone, reading, state.paused, dict(state.robots)


def _alone(state: State, playing: Mapping[str, RobotStrength]) -> bool:
    """True if only robots have dice left."""
    return {player.name for player in state.players if player.dice != 0} <= playing.keys()


def _seen_last(history: History, game: Position) -> Position:
    """`game` with the numbers of dice that everybody saw; hidden ones as they were before this round."""
    opened = game
    if history.position.hides_dice:
        for step in steps_of_round(history):
            opened = step.before.game or opened
    seen = {name: opened.dice.get(name, count) if count else 0 for name, count in game.dice.items()}
    return replace(game, dice_by_seat=tuple(seen.values()))


def _may_call(game: Position) -> list[str]:
    """The players who may speak now: those who may call out of turn, in playing order, then the player on turn."""
    waiting = dict.fromkeys((*game.may_dudo(), *game.may_calza()))
    return [*(name for name in waiting if name != game.turn), *([game.turn] if game.turn else [])]


def as_command(call: Call) -> Command:
    """The command that a player's tap for this call sends."""
    match call:
        case Bid(player, count, face, direction):
            return MakeBid(player, count, face, direction)
        case Dudo(player):
            return CallDudo(player)
        case _:
            return CallCalza(call.player)
