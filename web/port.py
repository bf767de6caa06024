"""What the web needs of the rest of the house, as small Protocols. `companion.table.Table` is the real one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

State = Mapping[str, Any]
"""The public state, exactly as docs/api.md describes it."""


class Subscription(Protocol):
    """One client's place: the newest state it has not been told yet."""

    @property
    def open(self) -> bool:
        """False once the table or the client has closed it."""

    def get(self, block: bool = True, timeout: float | None = None) -> tuple[int, State]:
        """The version and the state; raises `queue.Empty` after `timeout` seconds, or when it is closed."""

    def close(self) -> None:
        """Listen no more. Safe to call twice."""


class Table(Protocol):
    """The only owner of the game. Refusals are errors of `companion.table` and `companion.engine`."""

    def state(self) -> State: ...
    def subscribe(self) -> Subscription: ...

    def new_game(
        self, players: Sequence[tuple[str, str]], ruleset: str, calza: bool, starter: str | None, abandon: bool
    ) -> object: ...
    def bid(self, player: str, count: int, face: int) -> object: ...
    def dudo(self, player: str | None) -> object: ...
    def calza(self, player: str | None) -> object: ...
    def caller(self, player: str) -> object: ...
    def add_die(self, box: tuple[float, float, float, float], face: int, colour: str) -> object: ...
    def set_die(self, die: int, face: int | None, colour: str | None) -> object: ...
    def strike_die(self, die: int) -> object: ...
    def again(self) -> object: ...
    def by_hand(self, dice: Mapping[str, Sequence[int]]) -> object: ...
    def next(self) -> object: ...


class Panel(Protocol):
    """The virtual panel: fingers for the real pins that the real button code reads."""

    def press(self, button: str) -> None: ...
    def release(self, button: str) -> None: ...
