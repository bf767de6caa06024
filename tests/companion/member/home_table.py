"""A table that is played without camera and disk, and what Home Assistant is told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from companion.member.home_state import HomeEvent, HomeEventType, HomeState, HomeView
from companion.member.payloads import TableState
from companion.member.player_names import table_state
from companion.table.commands import Command, CountByHand
from companion.table.state.public_state import RuntimeStatus
from companion.table.state.state import CameraStatus
from tests.fakes.desk import FakeDesk
from tests.fakes.new_game import new_game

COMPANY = (("Ana", "red"), ("Ben", "blue"), ("Cid", "green"))
NAMES = tuple(name for name, _ in COMPANY)
GAME = new_game(COMPANY, starter="Ana")
LIVE = RuntimeStatus(camera=CameraStatus(ok=True, name="fake camera"))


@dataclass
class HomeTable:
    """A fake table whose every state goes through a `HomeView`."""

    desk: FakeDesk = field(default_factory=FakeDesk)
    view: HomeView = field(default_factory=HomeView)
    live: RuntimeStatus = LIVE
    consent: tuple[str, ...] = NAMES
    published: list[HomeState] = field(default_factory=list)
    events: list[HomeEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.look()

    @property
    def state(self) -> TableState:
        return table_state(self.desk.position, self.desk.state(self.live), self.consent)

    @property
    def home(self) -> HomeState:
        return self.view.home

    def do(self, *given: Command) -> list[HomeEventType]:
        """Carry commands out. The types of the events that came of them."""
        return [event for command in given for event in self._after(lambda command=command: self.desk.do(command))]

    def undo(self) -> list[HomeEventType]:
        return self._after(self.desk.undo)

    def redo(self) -> list[HomeEventType]:
        return self._after(self.desk.redo)

    def count(self, face: int = 3, **other: int) -> list[HomeEventType]:
        """Count by hand: all dice show `face`, except those of players in `other`."""
        dice = {player.name: [other.get(player.name, face)] * player.dice for player in self.desk.position.expected()}
        return self.do(CountByHand(dice))

    def camera(self, *, ok: bool) -> None:
        self.live = replace(self.live, camera=CameraStatus(ok=ok, name="fake camera"))
        self.look()

    def restart(self) -> None:
        self.view = HomeView()
        self.look()

    def look(self) -> list[HomeEventType]:
        home, events = self.view.step(self.state)
        if home is not None:
            self.published.append(home)
        self.events += events
        return [event.event_type for event in events]

    def _after(self, act: Callable[[], object]) -> list[HomeEventType]:
        act()
        return self.look()
