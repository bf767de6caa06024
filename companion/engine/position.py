"""The state of a game between two events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from companion.engine.bidding import Counts, opening_counts, raising_counts, refusal
from companion.engine.errors import (
    BadRecordError,
    CalzaNotAllowedError,
    DiceMismatchError,
    EliminatedPlayerError,
    EngineError,
    NoBidError,
    NotYourTurnError,
    UnknownPlayerError,
    WrongPhaseError,
)
from companion.engine.events import MOST_DICE, Bid, Call, Calza, Dudo, Event, GameStarted, Reveal, Together
from companion.engine.judging import Outcome, judge
from companion.engine.ruleset import CalzaBy, Cups, LockedFace, Ruleset
from companion.messages.english import FACES


class GamePhase(StrEnum):
    """What the game is waiting for."""

    BIDDING = "bidding"
    """A bid, or a call on the last one."""
    REVEAL = "reveal"
    """The dice, after a call."""
    OVER = "over"
    """Nothing: only the winner has dice."""


_NOT_NOW = {
    GamePhase.BIDDING: "nobody has called dudo or calza yet",
    GamePhase.REVEAL: "a call was made: the dice are to be revealed first",
    GamePhase.OVER: "the game is over",
}
"""Why an event of another phase is refused."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game between two events. Immutable: `apply` returns the next position.

    A reveal leads to the start of the next round. Once the game is over, `round`, `starter`, `palifico`, `wild` and
    `bid` are those of the last round.
    """

    ruleset: Ruleset
    players: tuple[str, ...]
    """Clockwise, including those without dice."""
    calza: bool
    """Whether this game is played with calza."""
    phase: GamePhase
    round: int
    """From 1."""
    turn: str | None
    """The next to bid or say dudo; None outside bidding."""
    starter: str
    """The opener of this round."""
    palifico: str | None
    """The palifico of this round; None in a normal one."""
    bid: Bid | None
    """The last bid of the round."""
    dice_by_seat: tuple[int, ...]
    """How many dice each player has, in the order of `players`."""
    former_palificos: frozenset[str]
    """Everyone who has been palifico in this game, or started it with one die."""
    winner: str | None = None
    call: Dudo | Calza | None = None
    """The call on the bid, in phase reveal."""
    outcome: Outcome | None = None
    """The outcome of the last event if it was a reveal."""

    @classmethod
    def start(cls, game: GameStarted) -> Self:
        """The first position of `game`."""
        counts = tuple(MOST_DICE if game.dice is None else game.dice[player] for player in game.players)
        return cls(
            ruleset=game.ruleset,
            players=game.players,
            calza=game.calza,
            phase=GamePhase.BIDDING,
            round=1,
            turn=game.starter,
            starter=game.starter,
            palifico=game.palifico,
            bid=None,
            dice_by_seat=counts,
            former_palificos=frozenset(
                player for player, count in zip(game.players, counts, strict=True) if count == 1
            ),
        )

    @property
    def dice(self) -> dict[str, int]:
        """How many dice each player has, clockwise; 0 if eliminated."""
        return dict(zip(self.players, self.dice_by_seat, strict=True))

    @property
    def wild(self) -> bool:
        """Whether pacos count as the bid's face in this round."""
        return self.palifico is None

    def public_dice(self, *, lost_dice_open: bool) -> dict[str, int | None]:
        """How many dice each player has, or None where that is secret.

        If the lost dice are hidden, everybody knows only who is out and that the palifico has one die.
        """
        public = {player for player, count in self.dice.items() if count == 0} | {self.palifico}
        return {player: count if lost_dice_open or player in public else None for player, count in self.dice.items()}

    def apply(self, event: Event) -> Self:
        """The position after `event`. Raises the `EngineError` that `check` returns."""
        if isinstance(event, Together):
            call = self._standing_call(event)
            if isinstance(call, EngineError):
                raise call
            return self.apply(call)
        if (error := self.check(event)) is not None:
            raise error
        if isinstance(event, Bid):
            seat = self.players.index(event.player)
            return replace(self, bid=event, turn=_next(self.players, self.dice_by_seat, seat), outcome=None)
        if isinstance(event, Reveal):
            return self._after_reveal(event)
        assert isinstance(event, Dudo | Calza)  # check() refuses a second game
        return replace(self, phase=GamePhase.REVEAL, turn=None, call=event, outcome=None)

    def check(self, event: Event) -> EngineError | None:
        """Why `event` is not allowed now; None if it is. `companion.engine.errors` lists the reasons in order."""
        if isinstance(event, Together):
            call = self._standing_call(event)
            return call if isinstance(call, EngineError) else None
        if isinstance(event, GameStarted):
            return BadRecordError("a game has begun already")
        if isinstance(event, Reveal):
            return self._check_reveal(event)
        return self._check_call(event)

    def is_legal(self, bid: Bid) -> bool:
        return self.check(bid) is None

    def counts(self, face: int) -> Counts | None:
        """The counts that the player on turn may bid on `face`; None if there are none."""
        if self.phase is not GamePhase.BIDDING:
            return None
        palifico = self.palifico is not None
        if self.bid is None:
            return opening_counts(self.ruleset, face, palifico=palifico)
        return raising_counts(self.ruleset, self.bid, face, palifico=palifico, locked=self._locked)

    def lowest_bids(self) -> dict[int, int | None]:
        """The lowest count the player on turn may bid on each face 1 to 6; None if no count is legal.

        Higher counts are legal too, unless `counts(face).highest` says otherwise.
        """
        counts = {face: self.counts(face) for face in FACES}
        return {face: None if allowed is None else allowed.lowest for face, allowed in counts.items()}

    def legal_bids(self, most: int) -> Iterator[Bid]:
        """Every legal bid of the player on turn for up to `most` dice, by face. The rules set no limit."""
        for face in FACES:
            allowed = self.counts(face)
            if allowed is None or self.turn is None:
                continue
            highest = most if allowed.highest is None else min(most, allowed.highest)
            for count in range(allowed.lowest, highest + 1):
                yield Bid(self.turn, count, face)

    def may_dudo(self) -> tuple[str, ...]:
        """The players who may say dudo now: the player on turn, once there is a bid."""
        return () if self.turn is None or self.bid is None else (self.turn,)

    def may_calza(self) -> tuple[str, ...]:
        """The players who may say calza now, clockwise from the bidder's left."""
        if self.bid is None:
            return ()
        clockwise = self._clockwise(self.players.index(self.bid.player) + 1)
        return tuple(player for player in clockwise if self.check(Calza(player)) is None)

    def reveal_order(self) -> tuple[str, ...]:
        """The order in which cups are lifted in phase reveal; empty if all at once."""
        if self.call is None or self.ruleset.cups is Cups.TOGETHER:
            return ()
        clockwise = self._clockwise(self.players.index(self.call.player) + isinstance(self.call, Dudo))
        dice = self.dice
        return tuple(player for player in clockwise if dice[player])

    def without(self, player: str) -> Self:
        """The position after `player` has left or given up, with the player's dice out of the game.

        Our decision: no rulebook covers it. The round's bids are void and it is opened again, by the same player or
        the next one clockwise with dice. It stays a palifico round unless it was the leaver's. The last player to stay
        wins.

        Raises `UnknownPlayerError`, `EliminatedPlayerError` for a player without dice, and `WrongPhaseError` outside
        bidding.
        """
        self._check_seat(player)
        if not self.dice[player]:
            raise EliminatedPlayerError("{player} has no dice left", player=player)
        counts = self._with_dice(player, 0)
        alive = [name for name, count in zip(self.players, counts, strict=True) if count]
        if len(alive) == 1:
            return replace(self, phase=GamePhase.OVER, turn=None, dice_by_seat=counts, winner=alive[0], outcome=None)
        opener = self.starter
        if player == opener:
            opener = _next(self.players, counts, self.players.index(player))
        palifico = None if player == self.palifico else self.palifico
        return replace(
            self, turn=opener, starter=opener, palifico=palifico, bid=None, dice_by_seat=counts, outcome=None
        )

    def with_player(self, player: str, dice: int) -> Self:
        """The position after `player`, who had left, is back with `dice` dice.

        Raises `UnknownPlayerError`, and `WrongPhaseError` if the round has a bid or the player has dice.
        """
        self._check_seat(player)
        if self.bid is not None:
            raise WrongPhaseError("a bid has been made: {player} can come back in the next round", player=player)
        if self.dice[player]:
            raise WrongPhaseError("{player} is playing already", player=player)
        return replace(self, dice_by_seat=self._with_dice(player, dice), outcome=None)

    def _check_seat(self, player: str) -> None:
        if player not in self.players:
            raise _unknown(player)
        if self.phase is not GamePhase.BIDDING:
            raise WrongPhaseError(_NOT_NOW[self.phase])

    def _with_dice(self, player: str, dice: int) -> tuple[int, ...]:
        return tuple(dice if name == player else count for name, count in self.dice.items())

    def _clockwise(self, seat: int) -> tuple[str, ...]:
        return self.players[seat:] + self.players[:seat]

    @property
    def _locked(self) -> bool:
        """Whether the player on turn must keep the face of the bid."""
        if self.palifico is None or self.turn is None:
            return False
        if self.ruleset.locked_face_changed_by is LockedFace.NOBODY:
            return True
        return self.turn == self.palifico or self.dice[self.turn] != 1

    def _check_call(self, call: Call) -> EngineError | None:
        player = call.player
        if player not in self.players:
            return _unknown(player)
        if self.phase is not GamePhase.BIDDING:
            return WrongPhaseError(_NOT_NOW[self.phase])
        if not self.dice[player]:
            return EliminatedPlayerError("{player} has no dice left", player=player)
        if not isinstance(call, Calza) and player != self.turn:
            return NotYourTurnError("it is {turn}'s turn, not {player}'s", turn=self.turn, player=player)
        if isinstance(call, Bid):
            return self._check_bid(call)
        if self.bid is None:
            return NoBidError("there is no bid in this round yet")
        return self._check_calza(call, self.bid) if isinstance(call, Calza) else None

    def _check_bid(self, bid: Bid) -> EngineError | None:
        counts = self.counts(bid.face)
        if counts is not None and bid.count in counts:
            return None
        return refusal(bid, self.bid, counts, palifico=self.palifico is not None, locked=self._locked)

    def _check_calza(self, call: Calza, bid: Bid) -> EngineError | None:
        rules = self.ruleset
        if not self.calza:
            return CalzaNotAllowedError("this game is played without calza")
        if call.player == bid.player:
            return CalzaNotAllowedError("the bidder may not say calza")
        if rules.calza_by is CalzaBy.NOT_NEXT and call.player == self.turn:
            return CalzaNotAllowedError("the player whose turn it is may not say calza under these rules")
        if rules.calza_by is CalzaBy.ON_TURN and call.player != self.turn:
            return CalzaNotAllowedError("only the player whose turn it is may say calza under these rules")
        if self.palifico is not None and not rules.calza_in_palifico:
            return CalzaNotAllowedError("calza may not be said in a palifico round under these rules")
        if not rules.calza_with_two and sum(map(bool, self.dice_by_seat)) <= 2:
            return CalzaNotAllowedError("calza may not be said with two players left under these rules")
        return None

    def _check_reveal(self, reveal: Reveal) -> EngineError | None:
        for player in reveal.dice:
            if player not in self.players:
                return _unknown(player)
        if self.phase is not GamePhase.REVEAL:
            return WrongPhaseError(_NOT_NOW[self.phase])
        for player, count in self.dice.items():
            shown = len(reveal.dice.get(player, ()))
            if shown != count:
                return DiceMismatchError(
                    "dice of {player}: {shown} shown, {left} expected", player=player, shown=shown, left=count
                )
        return None

    def _standing_call(self, together: Together) -> Call | EngineError:
        """The one of these calls that stands, or why none does."""
        for call in together.calls:
            if not isinstance(call, Calza) and call.player == self.turn and self.check(call) is None:
                return call
        allowed = [call for call in together.calls if isinstance(call, Calza) and self.check(call) is None]
        if not allowed:
            error = self.check(together.calls[0])
            assert error is not None  # a legal first call would stand
            return error
        assert self.bid is not None  # there is no calza without a bid
        bidder, seats = self.players.index(self.bid.player), len(self.players)
        return min(allowed, key=lambda call: (self.players.index(call.player) - bidder) % seats)

    def _after_reveal(self, reveal: Reveal) -> Self:
        assert self.call is not None  # phase reveal
        assert self.bid is not None
        outcome = judge(self.call, self.bid, reveal.dice, self.dice, wild=self.wild)
        counts = tuple(
            count - (player == outcome.loses) + (player == outcome.gains) for player, count in self.dice.items()
        )
        alive = [player for player, count in zip(self.players, counts, strict=True) if count]
        if len(alive) == 1:
            return replace(self, phase=GamePhase.OVER, dice_by_seat=counts, winner=alive[0], call=None, outcome=outcome)
        opener = outcome.loses or outcome.caller
        seat = self.players.index(opener)
        if not counts[seat]:
            opener = _next(self.players, counts, seat)
        palifico = outcome.loses if outcome.loses is not None and counts[seat] == 1 else None
        if palifico in self.former_palificos and not self.ruleset.palifico_again:
            palifico = None
        return replace(
            self,
            phase=GamePhase.BIDDING,
            round=self.round + 1,
            turn=opener,
            starter=opener,
            palifico=palifico,
            bid=None,
            dice_by_seat=counts,
            former_palificos=self.former_palificos if palifico is None else self.former_palificos | {palifico},
            call=None,
            outcome=outcome,
        )


def _next(players: tuple[str, ...], dice: tuple[int, ...], seat: int) -> str:
    """The next player clockwise from `seat` who has dice."""
    for step in range(1, len(players) + 1):
        after = (seat + step) % len(players)
        if dice[after]:
            return players[after]
    raise AssertionError("a game has a player with dice")


def _unknown(player: str) -> UnknownPlayerError:
    return UnknownPlayerError("there is no {player} in this game", player=player)
