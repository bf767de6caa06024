"""A table without camera or page at which whole games are played by drawn players, on a real journal on the disk."""

from __future__ import annotations

import random
from pathlib import Path

from companion.engine import EngineError
from companion.table import Journal, Table
from companion.table.commands import (
    CallCalza,
    CallDudo,
    CountByHand,
    EndGame,
    LeaveGame,
    MakeBid,
    NewPlayer,
    OpenGame,
    OpenRound,
    Redo,
    Undo,
    VoidRound,
)
from companion.table.errors import TableError
from companion.table.game.table_position import Phase
from companion.table.state.state import State

COLOURS = ("red", "blue", "green", "yellow", "black", "white")


class ClubTable:
    """One table: `act` does the next thing that players might do."""

    def __init__(self, folder: Path, names: tuple[str, ...], rng: random.Random, *, trouble: float = 0.1) -> None:
        """`trouble`: the share of steps that are undone, corrected, voided, or in which somebody leaves."""
        self.journal = Journal(folder)
        self._seconds = 0.0
        self.table = Table(self.journal, clock=lambda: self._seconds)
        self.folder, self.names, self.rng, self.trouble = folder, names, rng, trouble

    def close(self) -> None:
        self.table.close()
        self.journal.close()

    def act(self) -> State:
        """One command; the state after it. A command that is refused changes nothing."""
        state = self.table.state()
        self._seconds += 5.0
        if self.rng.random() < self.trouble and (changed := self._disturb(state)) is not None:
            return changed
        match state.phase:
            case Phase.SEATING | Phase.OVER:
                players = [NewPlayer(*each) for each in zip(self.names, COLOURS, strict=False)]
                return self.table.do(OpenGame(players, "asmodee-fr"))
            case Phase.BIDDING:
                return self._bid(state)
            case Phase.READING | Phase.CHECKING:
                return self._count(state)
            case Phase.VERDICT:
                return self.table.do(OpenRound())
        raise AssertionError(f"nobody knows what to do in {state.phase}")

    def play(self, games: int) -> State:
        """Play until so many more games have been won."""
        state = self.table.state()
        while games:
            before, state = state, self.act()
            games -= state.winner is not None and before.winner is None
        return state

    def _bid(self, state: State) -> State:
        turn = state.turn
        assert turn is not None
        dice = sum(player.dice or 0 for player in state.players)
        if state.bid is not None and self.rng.random() < state.bid.count / (dice * 0.6 + 1):
            if state.may.calza and self.rng.random() < 0.2:
                return self.table.do(CallCalza(self.rng.choice(state.may.calza)))
            return self.table.do(CallDudo(turn))
        faces = [face for face, lowest in state.lowest.items() if lowest is not None]
        face = self.rng.choice(faces)
        lowest = state.lowest[face]
        assert lowest is not None
        return self.table.do(MakeBid(turn, lowest, face))

    def _count(self, state: State) -> State:
        dice = {each.name: each.dice or 0 for each in state.players}
        at_call = self.table.history()[0].position.game_at_call
        if at_call is not None:
            dice = dict(at_call.dice)
        faces = {name: sorted(self.rng.choices(range(1, 7), k=count)) for name, count in dice.items() if count}
        return self.table.do(CountByHand(faces))

    def _disturb(self, state: State) -> State | None:
        choices: list[object] = []
        if state.undo is not None:
            choices += [Undo(state.undo.step)] * 4
        if state.redo is not None:
            choices += [Redo(state.redo.step)] * 2
        if state.phase is Phase.BIDDING:
            choices.append(VoidRound())
            choices.append(LeaveGame(self.rng.choice(state.players).name, concede=self.rng.random() < 0.5))
        if state.phase is Phase.VERDICT:
            choices += ["again"] * 3
        if self.rng.random() < 0.05:
            choices.append(EndGame())
        if not choices:
            return None
        choice = self.rng.choice(choices)
        try:
            return self._count(state) if choice == "again" else self.table.do(choice)  # type: ignore[arg-type]
        except (TableError, EngineError):
            return None
