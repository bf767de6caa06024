"""What a table can be asked to do, command by command."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from companion.engine import Ruleset
from companion.engine.rulebooks import base, differences
from companion.table import commands
from companion.table.state.state import Live, State
from vision.reading import Box


def spoken_by(command: commands.Command) -> str | None:
    """Whose bid or call `command` is, where it says so."""
    match command:
        case commands.MakeBid(player) | commands.CallDudo(player) | commands.CallCalza(player):
            return player
        case commands.NameCaller(player):
            return player
        case _:
            return None


class Commands(ABC):
    """The commands of `companion.table.Table`. Each returns the state after it.

    They raise `TableError` or `companion.engine.EngineError`, both with `code` and `message`; then nothing has changed.
    """

    _rng: random.Random
    """Draws starters."""
    _live: Live
    """Knows what is played at this table unless something else is asked for."""

    @abstractmethod
    def _carry_out(self, command: commands.Command) -> State:
        """Carry `command` out, or raise."""

    def new_game(
        self,
        players: Sequence[tuple[str, str]],
        ruleset: Ruleset | str | None = None,
        calza: bool | None = None,
        starter: str | None = None,
        abandon: bool = False,
        *,
        dice: Mapping[str, int] | None = None,
        open_lost: bool | None = None,
        roll: bool = False,
    ) -> State:
        """Open a game of `players`, (name, colour) clockwise. `starter` None draws one; with `roll` the players roll
        for it under the camera. `dice` says who starts with fewer than five; `open_lost` whether everybody may see how
        many dice the others have left.

        `ruleset` is a ruleset, exactly as it is; or the id of a book, with this table's house rules if they are made
        for it. `ruleset`, `calza` and `open_lost` None are this table's. A game that is being played is ended only
        with `abandon`.
        """
        house = self._live.house
        if ruleset is None or ruleset == base(house).id:
            ruleset = house
        book, rules = (ruleset, {}) if isinstance(ruleset, str) else (base(ruleset).id, differences(ruleset))
        if calza is None:
            calza = self._live.calza
        if open_lost is None:
            open_lost = self._live.open_lost
        if starter is None and players:
            starter = self._rng.choice([name for name, _ in players])
        return self._carry_out(
            commands.OpenGame(players, book, calza, starter or "", abandon, rules, dice or {}, open_lost, roll)
        )

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
        return self._carry_out(commands.NameCaller(player))

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
        return self._carry_out(commands.AskReading())

    def by_hand(self, dice: Mapping[str, Sequence[int]]) -> State:
        """Say what each player's dice show, without the camera."""
        return self._carry_out(commands.CountByHand(dice))

    def next(self) -> State:
        """On to the next round."""
        return self._carry_out(commands.OpenRound())

    def count_now(self, call: str) -> State:
        """Have the dice counted: who said `call` ("dudo" or "calza"), and on what bid, is told afterwards."""
        return self._carry_out(commands.AskCount(call))

    def tell(self, call: str, caller: str, bidder: str, count: int, face: int) -> State:
        """Say, after the count, what was called, by whom, and on what bid."""
        return self._carry_out(commands.TellCall(call, caller, bidder, count, face))

    def leave(self, player: str, concede: bool = False) -> State:
        """A player leaves the table, or gives the game up."""
        return self._carry_out(commands.LeaveGame(player, concede))

    def come_back(self, player: str) -> State:
        """A player who left plays on."""
        return self._carry_out(commands.ComeBack(player))

    def pause(self) -> State:
        """Have a break."""
        return self._carry_out(commands.Pause())

    def resume(self) -> State:
        """Go on after a break."""
        return self._carry_out(commands.Resume())

    def end_game(self) -> State:
        """End the game before anybody has won."""
        return self._carry_out(commands.EndGame())
