"""The state of a game between two events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from companion.engine.bidding import Counts, legal_counts, other_sort_after
from companion.engine.errors import (
    BadRecordError,
    CalzaNotAllowedError,
    DiceMismatchError,
    EliminatedPlayerError,
    EngineError,
    IllegalBidError,
    NoBidError,
    NotYourTurnError,
    UnknownPlayerError,
    WrongPhaseError,
)
from companion.engine.events import Bid, Call, CallKind, Calza, Direction, Dudo, Event, GameStarted, Reveal, Together
from companion.engine.judging import Outcome, judge, judge_tally
from companion.engine.rulebooks import differences
from companion.engine.ruleset import CalzaBy, Cups, DudoBy, LockedFace, OpensAfterDudo, Ruleset
from companion.messages.english import FACES, PACO


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
    GamePhase.REVEAL: "a call was made: reveal the dice first",
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
    """This game is played with calza."""
    phase: GamePhase
    round: int
    """From 1."""
    turn: str | None
    """The next player to bid or say dudo; None outside bidding."""
    starter: str
    """The opener of this round."""
    due: str
    """The opener of this round if it is no palifico round; if they have no dice, the next player who has."""
    palifico: str | None
    """The palifico of this round; None in a normal one."""
    bid: Bid | None
    """The last bid of the round."""
    dice_by_seat: tuple[int, ...]
    """The number of dice of each player, in the order of `players`."""
    former_palificos: frozenset[str]
    """Everybody who has been palifico in this game, or started it with one die."""
    all_dice: int
    """The most dice that all players of this game could have."""
    calza_said: frozenset[str] = frozenset()
    """Everybody who has said calza in this game."""
    direction: Direction = Direction.CLOCKWISE
    """The direction of bidding round the table."""
    other_sort: Bid | None = None
    """The round's last bid of the other sort than `bid`, if the next bid of that sort must outrank it."""
    tame: bool = False
    """Pacos are no longer wild in this round because it was opened on them."""
    loser: str | None = None
    """The player who lost dice by the last verdict, or starts the game as its palifico; else None."""
    winner: str | None = None
    call: Dudo | Calza | None = None
    """The call on the bid, in phase reveal."""
    outcome: Outcome | None = None
    """The outcome of the last event if it was a reveal."""

    @classmethod
    def start(cls, game: GameStarted) -> Self:
        """The first position of `game`."""
        counts = tuple(game.ruleset.dice_each if game.dice is None else game.dice[player] for player in game.players)
        former = game.former_palificos
        if former is None:
            former = frozenset(player for player, count in zip(game.players, counts, strict=True) if count == 1)
        return cls(
            ruleset=game.ruleset,
            players=game.players,
            calza=game.calza,
            phase=GamePhase.BIDDING,
            round=game.first_round,
            turn=game.starter,
            starter=game.starter,
            due=game.starter,
            palifico=game.palifico,
            bid=None,
            dice_by_seat=counts,
            former_palificos=former if game.palifico is None else former | {game.palifico},
            all_dice=game.all_dice or len(game.players) * game.ruleset.dice_each,
            direction=game.direction,
            calza_said=game.calza_said,
            loser=game.palifico,
        )

    def __str__(self) -> str:
        """The position in a line, for logs and bug reports:

        "asmodee-fr, round 2, reveal: Ana 5, Ben 1, Cid 0; Ana opens as palifico; Ana 5x4; Ben dudo"
        """
        house = "".join(f" {rule}={value}" for rule, value in differences(self.ruleset).items())
        parts = [
            ", ".join(f"{player} {count}" for player, count in self.dice.items()),
            f"{self.starter} opens" + " as palifico" * (self.palifico is not None),
        ]
        if self.bid is not None:
            let_pass = ", let pass" * self.bid.accepted
            parts.append(f"{self.bid.player} {self.bid.count}x{self.bid.face}{let_pass}")
        if self.call is not None:
            parts.append(f"{self.call.player} {self.call.kind}")
        if self.turn is not None:
            parts.append(f"{self.turn} on turn")
        return f"{self.ruleset.id}{house}, round {self.round}, {self.phase}: {'; '.join(parts)}"

    @property
    def dice(self) -> dict[str, int]:
        """The number of dice of each player, clockwise; 0 if eliminated."""
        return dict(zip(self.players, self.dice_by_seat, strict=True))

    @property
    def wild(self) -> bool:
        """True if pacos count as the bid's face in this round."""
        return self.palifico is None and self.ruleset.pacos_wild and not self.tame

    def tamed_by(self, opening: Bid) -> bool:
        """True if opening the round with this bid stops pacos from being wild in it."""
        return self.wild and opening.face == PACO and not self.ruleset.opened_on_pacos_wild

    def apply(self, event: Event) -> Self:
        """The position after `event`. Raises the `EngineError` that `check` returns, with a note of the position."""
        if isinstance(event, Together):
            event = self._standing_call(event)
        if (error := self.check(event)) is not None:
            error.add_note(f"{event} in: {self}")
            raise error
        match event:
            case Bid():
                after = self if event.direction is None else replace(self, direction=event.direction)
                if self.bid is None:
                    after = replace(after, tame=self.tamed_by(event))
                other = other_sort_after(self.ruleset, self.bid, self.other_sort, event, wild=self.wild)
                return replace(after, bid=event, other_sort=other, turn=after._after(event.player)[0], outcome=None)
            case Dudo() | Calza():
                return replace(self, phase=GamePhase.REVEAL, turn=None, call=event, outcome=None)
            case Reveal():
                assert self.call is not None  # phase reveal
                assert self.bid is not None
                return self._after_verdict(judge(self.ruleset, self.call, self.bid, event, self.dice, wild=self.wild))
        raise AssertionError("a game begins once")

    def apply_kept(self, event: Event) -> Self:
        """Like `apply`, for an event of an old game: whatever the rules allowed then stands.

        An older program let a bid be lower than the round's last one of its own sort, and another player open after
        dice had been corrected.
        """
        error = self.check(event)
        if self.other_sort is not None and isinstance(error, IllegalBidError):
            return replace(self, other_sort=None).apply(event)
        if self.bid is None and isinstance(error, NotYourTurnError) and isinstance(event, Bid):
            return replace(self, turn=event.player, starter=event.player).apply(event)
        return self.apply(event)

    def check(self, event: Event) -> EngineError | None:
        """Why `event` is not allowed now; None if it is. `companion.engine.errors` lists the reasons in order."""
        match event:
            case Together():
                return self.check(self._standing_call(event))
            case GameStarted():
                return BadRecordError("a game has begun already")
            case Reveal():
                return self._check_reveal(event)
            case _:
                return self._check_call(event)

    def is_legal(self, bid: Bid) -> bool:
        return self.check(bid) is None

    def counts(self, face: int, *, one_die: bool = False) -> Counts:
        """The counts that the player on turn may bid on `face`; with `one_die`, as if they had one die."""
        if self.turn is None:
            return Counts()
        may_change_face = (
            self.ruleset.locked_face_changed_by is LockedFace.FORMER_PALIFICO
            and self.turn != self.palifico
            and (one_die or self.dice[self.turn] == 1)
        )
        counts = legal_counts(
            self.ruleset,
            self.bid,
            face,
            wild=self.wild,
            palifico=self.palifico is not None,
            locked=not may_change_face,
            other_sort=self.other_sort,
        )
        return counts if self.ruleset.bids_above_dice else counts.up_to(sum(self.dice_by_seat))

    def lowest_bids(self) -> dict[int, int | None]:
        """The lowest count the player on turn may bid on each face 1 to 6; None if no count is legal.

        Higher counts are legal too, unless `counts(face).highest` says otherwise.
        """
        return {face: self.counts(face).lowest for face in FACES}

    def may_dudo(self) -> tuple[str, ...]:
        """The players who may say dudo now, the player on turn first."""
        if self.bid is None:
            return ()
        return tuple(player for player in self._after(self.bid.player) if self.check(Dudo(player)) is None)

    def may_calza(self) -> tuple[str, ...]:
        """The players who may say calza now, in playing order from the bidder."""
        if self.bid is None:
            return ()
        return tuple(player for player in self._after(self.bid.player) if self.check(Calza(player)) is None)

    def order_of_play(self, first: str) -> tuple[str, ...]:
        """The players with dice in playing order, starting with `first`, who has dice."""
        return (first, *self._after(first)[:-1])

    def reveal_order(self) -> tuple[str, ...]:
        """The order in which cups are lifted in phase reveal; empty if all at once."""
        if self.call is None or self.ruleset.cups is Cups.TOGETHER:
            return ()
        left = self._after(self.call.player)
        return left if isinstance(self.call, Dudo) else (self.call.player, *left[:-1])

    def without(self, player: str) -> Self:
        """The position after `player` has left or given up, and their dice are out of the game.

        Our decision, because no rulebook covers it: the round's bids are void and it is opened again, by the same
        player or the next one with dice. It stays a palifico round unless the leaver was the palifico. The last player
        to stay wins.

        Raises `UnknownPlayerError`, `EliminatedPlayerError` for a player without dice, and `WrongPhaseError` outside
        bidding.
        """
        if (error := self._check_player(player)) is not None:
            raise error
        after = replace(self, dice_by_seat=self._with_dice(player, 0), outcome=None)
        left = after._after(player)
        if len(left) == 1:
            return replace(after, phase=GamePhase.OVER, turn=None, winner=left[0])
        opener = after._opener() if player == self.starter else self.starter
        palifico = None if player == self.palifico else self.palifico
        after = replace(after, turn=opener, starter=opener, palifico=palifico)
        return replace(after, bid=None, other_sort=None, tame=False)

    def reopened(self) -> Self:
        """The round before its first bid. Our decision, as in `without`: no rulebook covers it."""
        after = replace(self, phase=GamePhase.BIDDING, turn=self.starter, call=None, outcome=None)
        return replace(after, bid=None, other_sort=None, tame=False)

    def with_dice(self, player: str, dice: int, *, begun: bool = False) -> Self:
        """The position in which `player`, who may be out, had another number of dice all along. The bids stand.

        Before the first bid, unless the round has `begun` anyway, that number decides if the round is palifico and who
        opens it. After it, a palifico round can only end, if the palifico has more than one die.

        Raises `UnknownPlayerError`, `WrongPhaseError` once the game is over, or if the round has begun and the player
        is out, and `BadRecordError` for fewer than one die or more than `ruleset.dice_each`.
        """
        if player not in self.players:
            raise _unknown(player)
        if self.phase is GamePhase.OVER:
            raise WrongPhaseError(_NOT_NOW[self.phase])
        begun = begun or self.bid is not None
        if begun and not self.dice[player]:
            raise WrongPhaseError("a bid has been made: {player} can come back in the next round", player=player)
        self._check_dice_count(player, dice)
        palifico, former = self.palifico, self.former_palificos
        if player == palifico or self.round == 1:
            former = former | {player} if dice == 1 else former - {player}
        if player == palifico and dice > 1:
            palifico = None
        after = replace(
            self,
            dice_by_seat=self._with_dice(player, dice),
            palifico=palifico,
            former_palificos=former,
            outcome=None,
        )
        if begun or (player != self.loser and self.dice[player]):
            return after
        return after._with_palifico(former - {self.palifico})

    def with_newcomer(self, player: str, dice: int, seat: int) -> Self:
        """The position with a new player who sits down in `seat` with `dice` dice.

        Raises `WrongPhaseError` if the round has a bid, and `BadRecordError` for a name already in use, too many
        players or an impossible number of dice.
        """
        if self.phase is not GamePhase.BIDDING or self.bid is not None:
            raise WrongPhaseError("a bid has been made: {player} can join in the next round", player=player)
        players = (*self.players[:seat], player, *self.players[seat:])
        counts = (*self.dice_by_seat[:seat], dice, *self.dice_by_seat[seat:])
        GameStarted(self.ruleset, players, self.starter, self.calza)  # checks the players
        self._check_dice_count(player, dice)
        former = self.former_palificos | {player} if dice == 1 else self.former_palificos
        more = self.all_dice + self.ruleset.dice_each
        return replace(self, players=players, dice_by_seat=counts, former_palificos=former, all_dice=more, outcome=None)

    def _check_dice_count(self, player: str, dice: int) -> None:
        most = self.ruleset.dice_each
        if not 1 <= dice <= most:
            raise BadRecordError("{player} can have one to {most} dice", player=player, most=most)

    def with_player(self, player: str, dice: int, *, palifico: bool = False) -> Self:
        """The position after `player` has come back with `dice` dice; as the `palifico`, who opens this round, if they
        left as that.

        Raises `WrongPhaseError` if the round has a bid or the player has dice.
        """
        if self.bid is not None:
            raise WrongPhaseError("a bid has been made: {player} can come back in the next round", player=player)
        if self.dice[player]:
            raise WrongPhaseError("{player} is playing already", player=player)
        due = self._opener()  # computed before the player has dice again
        back = replace(self, dice_by_seat=self._with_dice(player, dice), due=due, outcome=None)
        return replace(back, turn=player, starter=player, palifico=player) if palifico else back

    def _with_dice(self, player: str, dice: int) -> tuple[int, ...]:
        return tuple(dice if name == player else count for name, count in self.dice.items())

    def _after(self, player: str) -> tuple[str, ...]:
        """The players with dice in playing order, starting with `player`'s neighbour; `player` comes last."""
        count, seat = len(self.players), self.players.index(player)
        step = 1 if self.direction is Direction.CLOCKWISE else -1
        seats = ((seat + step * k) % count for k in range(1, count + 1))
        return tuple(self.players[each] for each in seats if self.dice_by_seat[each])

    def _check_player(self, player: str) -> EngineError | None:
        """Why `player` may not do anything now."""
        if player not in self.players:
            return _unknown(player)
        if self.phase is not GamePhase.BIDDING:
            return WrongPhaseError(_NOT_NOW[self.phase])
        if not self.dice[player]:
            return EliminatedPlayerError("{player} has no dice left", player=player)
        return None

    def _check_call(self, call: Call) -> EngineError | None:
        if (error := self._check_player(call.player)) is not None:
            return error
        if isinstance(call, Bid) and call.accepted:
            return self._check_direction(call)
        anyone = isinstance(call, Calza) or (isinstance(call, Dudo) and self.ruleset.dudo_by is DudoBy.ANYONE)
        if not anyone and call.player != self.turn:
            return NotYourTurnError("it is {turn}'s turn, not {player}'s", turn=str(self.turn), player=call.player)
        if isinstance(call, Bid):
            return self._check_bid(call)
        if self.bid is None:
            return NoBidError("there is no bid in this round yet")
        if isinstance(call, Calza):
            return self._check_calza(call, self.bid)
        if call.player == self.bid.player:
            return NotYourTurnError("{player} cannot doubt a bid of their own", player=call.player)
        return None

    def _check_bid(self, bid: Bid) -> EngineError | None:
        return self.counts(bid.face).check(bid.count) or self._check_direction(bid)

    def _check_direction(self, bid: Bid) -> EngineError | None:
        if bid.direction is not None and not self.ruleset.opener_chooses_direction:
            return IllegalBidError("in this game nobody chooses which way round the bids go")
        if bid.direction is not None and self.bid is not None:
            return IllegalBidError("only the opening bid says which way round the bids go")
        return None

    def _check_calza(self, call: Calza, bid: Bid) -> EngineError | None:
        rules = self.ruleset
        if not self.calza:
            return CalzaNotAllowedError("this game is played without calza")
        if call.player == bid.player:
            return CalzaNotAllowedError("the bidder may not say calza")
        if rules.calza_by is CalzaBy.NOT_NEXT and call.player == self.turn:
            return CalzaNotAllowedError("the player whose turn it is may not say calza")
        if rules.calza_by is CalzaBy.ON_TURN and call.player != self.turn:
            return CalzaNotAllowedError("only the player whose turn it is may say calza")
        if self.palifico is not None and not rules.calza_in_palifico:
            return CalzaNotAllowedError("nobody may say calza in a palifico round")
        if rules.calza_once and call.player in self.calza_said:
            return CalzaNotAllowedError("{player} has said calza in this game already", player=call.player)
        if rules.calza_to_half and 2 * sum(self.dice_by_seat) < self.all_dice:
            return CalzaNotAllowedError("fewer than half of the dice are left: nobody may say calza now")
        if not rules.calza_with_two and sum(map(bool, self.dice_by_seat)) <= 2:
            return CalzaNotAllowedError("nobody may say calza with two players left")
        return None

    def _check_reveal(self, reveal: Reveal) -> EngineError | None:
        for player in (*reveal.dice, *reveal.uncertain):
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

    def _standing_call(self, together: Together) -> Call:
        """The one of these calls that counts; the first if none is allowed."""
        for call in together.calls:
            allowed = self.check(replace(call, accepted=False) if isinstance(call, Bid) else call) is None
            if call.player == self.turn and not isinstance(call, Calza) and allowed:
                return call
        others: list[Call] = [*map(Dudo, self.may_dudo()), *map(Calza, self.may_calza())]
        if self.turn is not None:  # a call overrides a bid that was let pass, but not a refused one
            passed = [call for call in together.calls if isinstance(call, Bid) and self.check(call) is None]
            order = self.order_of_play(self.turn)
            others += sorted(passed, key=lambda bid: order.index(bid.player))
        return next((call for call in others if call in together.calls), together.calls[0])

    def after_tally(self, count: int) -> Self:
        """The position after a reveal if it is only known that `count` dice match the bid.

        Raises `WrongPhaseError` outside reveal.
        """
        if self.call is None or self.bid is None or self.phase is not GamePhase.REVEAL:
            raise WrongPhaseError(_NOT_NOW[self.phase])
        return self._after_verdict(judge_tally(self.ruleset, self.call, self.bid, count, 0, self.dice, wild=self.wild))

    def turning_points(self, least: int, most: int) -> tuple[int, ...]:
        """The tallies above `least`, up to `most`, whose verdict differs from that of one die fewer.

        If empty, the verdict does not depend on the tally. Raises `WrongPhaseError` outside reveal.
        """
        verdicts = [_without_tally(self.after_tally(count)) for count in range(least, most + 1)]
        return tuple(least + n for n in range(1, len(verdicts)) if verdicts[n] != verdicts[n - 1])

    def _after_verdict(self, outcome: Outcome) -> Self:
        counts = tuple(
            count - outcome.lost * (player == outcome.loses) + (player == outcome.gains)
            for player, count in self.dice.items()
        )
        said = self.calza_said | {outcome.caller} if outcome.call is CallKind.CALZA else self.calza_said
        after = replace(self, dice_by_seat=counts, call=None, outcome=outcome, calza_said=said)
        after = replace(after, loser=outcome.loses, due=self._due(outcome))
        left = after._after(after.due)
        if len(left) == 1:
            return replace(after, phase=GamePhase.OVER, winner=left[0])
        return replace(
            after,
            phase=GamePhase.BIDDING,
            round=self.round + 1,
            bid=None,
            other_sort=None,
            tame=False,
        )._with_palifico(self.former_palificos)

    def _due(self, outcome: Outcome) -> str:
        """The opener of the round after this verdict, if it is no palifico round and they have dice."""
        if outcome.loses is None or outcome.call is CallKind.CALZA:
            return outcome.caller
        if self.ruleset.opens_after_dudo is OpensAfterDudo.WINNER:
            return outcome.caller if outcome.correct else outcome.bid.player
        return outcome.loses

    def _opener(self) -> str:
        """The opener of the round, if it is no palifico round."""
        return self.due if self.dice[self.due] else self._after(self.due)[0]

    def _with_palifico(self, former: frozenset[str]) -> Self:
        """Make the round the palifico's if `loser` is one; `former` have been palifico before."""
        fell = self.loser is not None and self.dice[self.loser] == 1
        may = self.ruleset.palifico_again or self.loser not in former
        if not (fell and may and self.ruleset.has_palifico_rounds(sum(map(bool, self.dice_by_seat)))):
            opener, palifico = self._opener(), None
        else:
            opener = palifico = str(self.loser)
            former = former | {palifico}
        return replace(self, turn=opener, starter=opener, palifico=palifico, former_palificos=former)


def _without_tally(after: Position) -> Position:
    """The position after a verdict, reduced to what is the same for all tallies with that verdict."""
    assert after.outcome is not None
    return replace(after, outcome=replace(after.outcome, faces=0))


def _unknown(player: str) -> UnknownPlayerError:
    return UnknownPlayerError("there is no {player} in this game", player=player)
