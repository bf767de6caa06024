"""A fake of the table: its rules and history, with no disk, camera, thread or clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from companion.table import commands
from companion.table.game import events
from companion.table.game.corrections import signed
from companion.table.game.decide import decide
from companion.table.game.history import History
from companion.table.game.new_game import STANDARD_DEFAULTS, GameDefaults
from companion.table.game.table_position import TablePosition
from companion.table.state.public_state import RuntimeStatus, public_state
from companion.table.state.state import State
from tests.fakes.reader import laid_out

NOTHING_LIVE = RuntimeStatus()


@dataclass
class FakeDesk:
    """A fake table: commands in, events out."""

    history: History = field(default_factory=History)
    defaults: GameDefaults = STANDARD_DEFAULTS
    lines: list[tuple[events.Event, ...]] = field(default_factory=list)
    """What a journal would hold: the events of each command."""

    @property
    def position(self) -> TablePosition:
        """The table now."""
        return self.history.position

    def state(self, live: RuntimeStatus = NOTHING_LIVE) -> State:
        """What phones and the panel show."""
        return public_state(self.history, live, 1)

    @property
    def happened(self) -> list[events.Event]:
        """All events in order."""
        return list(chain.from_iterable(self.lines))

    def do(self, *given: commands.Command, by: commands.Actor = commands.SOMEBODY) -> TablePosition:
        """Carry commands out. Raises what `companion.table.game.decide.decide` raises."""
        for command in given:
            self.take(signed(decide(self.history, command, self.defaults), by))
        return self.position

    def take(self, line: tuple[events.Event, ...]) -> TablePosition:
        """Apply the events of one command."""
        self.history = self.history.after(line)
        self.lines.append(line)
        return self.position

    def read(self, faces: Mapping[str, Sequence[int]], **more: Sequence[tuple[str, int]]) -> TablePosition:
        """The camera reads these dice; see `laid_out`."""
        return self.do(commands.TakeReading(self.position.reveals, laid_out(faces, **more), True))  # type: ignore[arg-type]

    def undo(self) -> TablePosition:
        """Take the last step back."""
        return self.take((events.Undone(),))

    def redo(self) -> TablePosition:
        """Redo the step that was undone."""
        return self.take((events.Redone(),))
