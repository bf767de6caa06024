"""Reviews a game: what could be known at each decision, what each was worth, and luck and skill.

Probabilities of winning are for players of equal strength (`companion.review.win_chance`). Every decision changes
everybody's: the difference between the call made and the best one is skill, everything else is luck. So the two add up
to the whole way from a player's probability at the start to the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np

from companion.engine import FACES, Bid, Call, CallKind, Calza
from companion.review.beliefs import Beliefs
from companion.review.bid_model import Style
from companion.review.bid_probabilities import Numbers, at_least, chance, tail
from companion.review.hands import matches_of
from companion.review.models import Models, fitted_models
from companion.review.rounds import PlayedCall, PlayedRound, played_rounds
from companion.review.trust import Trust
from companion.review.win_chance import chances_of_winning, is_fitted
from companion.review.worth import Stakes, choices

BLUFF: Final = 0.5
"""A bid with a lower probability of holding, given the bidder's own dice, is a bluff."""
ERROR: Final = 0.02
"""Least cost, in probability of winning, of an error; smaller differences are within the models' accuracy."""
BLUNDER: Final = 0.05
"""Least cost of a blunder."""
JOKER: Final = 0.1
"""Largest probability of a joker: a very lucky result of a dudo or calza."""


class DecisionGrade(StrEnum):
    """How much a decision cost. The words are backgammon's."""

    FINE = "fine"
    ERROR = "error"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """A possible choice of a player."""

    call: Call | None
    """None means saying nothing."""
    wins: float
    """The player's probability of winning after it."""


@dataclass(frozen=True, slots=True, eq=False)
class ReviewedDecision:
    """A bid or call, with what could be known when it was made."""

    decision: PlayedCall
    dice: tuple[int, ...]
    """The faces that the player held."""
    heard: tuple[Bid, ...]
    """The bids of the round before it."""
    own: float
    """The probability that the bid holds, or for a calza that it is exact, given the player's own dice only."""
    bids: float
    """The same, given the round's bids before the decision too."""
    true: bool
    """It held, or was exact."""
    options: tuple[Option, ...]
    """Best first, including the choice made. Empty if the round has too many players to be weighed."""

    @property
    def bid(self) -> Bid:
        """The bid that was made, or called."""
        call = self.decision.call
        bid = call if isinstance(call, Bid) else self.decision.position.bid
        assert bid is not None  # a call needs one
        return bid

    @property
    def made(self) -> Option:
        return next(each for each in self.options if each.call == self.decision.call)

    @property
    def loss(self) -> float:
        """The cost of the decision in probability of winning: 0 for the best one, or if nothing is weighed."""
        return self.options[0].wins - self.made.wins if self.options else 0.0

    @property
    def grade(self) -> DecisionGrade:
        if self.loss >= BLUNDER:
            return DecisionGrade.BLUNDER
        return DecisionGrade.ERROR if self.loss >= ERROR else DecisionGrade.FINE

    @property
    def likely(self) -> float:
        """The probability of what the reveal showed, given what could be known."""
        return self.bids if self.true else 1 - self.bids

    @property
    def joker(self) -> bool:
        """True for a call with a very lucky result, for its player or the bidder."""
        return not isinstance(self.decision.call, Bid) and self.likely <= JOKER

    @property
    def bluff(self) -> bool:
        """True for a bid that the player's own dice do not support."""
        return isinstance(self.decision.call, Bid) and self.own < BLUFF

    def to_json(self) -> dict[str, object]:
        """A line of `perudo review --json`."""
        call = self.decision.call
        weighed = self.options and {
            "loss": self.loss,
            "grade": self.grade,
            "best": _option_json(self.options[0]),
            "options": [_option_json(option) for option in self.options],
        }
        return {
            "line": self.decision.line,
            "round": self.decision.position.round,
            "player": call.player,
            "decision": _kind(call),
            "bid": _bid_json(self.bid),
            "p_own": self.own,
            "p_bids": self.bids,
            "true": self.true,
            "joker": self.joker,
            **(weighed or {}),
        }


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """How a player did in a game."""

    won: int
    """1 or 0."""
    luck: float
    skill: float
    """In chance of winning; with `luck` the result less the chance at the start. Over all players each sums to 0."""
    bids: int
    bluffs: int
    brier: float | None
    """The mean square of what `ReviewedDecision.bids` was off at the player's decisions; None without one."""


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """The review of a game."""

    decisions: tuple[ReviewedDecision, ...]
    players: Mapping[str, PlayerReview]
    chances: tuple[Mapping[str, float], ...]
    """Each player's chance of winning at the start of each round that is weighed, and at the end."""

    @property
    def unweighed(self) -> int:
        """The number of rounds, the first ones, with too many players to be weighed."""
        return len({each.decision.position.round for each in self.decisions if not each.options})

    def to_json(self) -> Iterator[dict[str, object]]:
        """The lines of `perudo review --json`."""
        for decision in self.decisions:
            yield decision.to_json()
        names = PlayerReview.__slots__
        yield {
            "players": {player: {name: getattr(each, name) for name in names} for player, each in self.players.items()}
        }


def review(lines: Iterable[bytes | str], models: Models | None = None) -> Review:
    """Review a record. Rounds that were never revealed are skipped.

    Raises the `companion.engine.EngineError` of the first line that is refused.
    """
    rounds = list(played_rounds(lines))
    if not rounds:
        return Review((), {}, ())
    models = models or fitted_models()
    trust = Trust(rounds, models.bids)
    players = rounds[0].start.players
    skill = np.zeros(len(players))
    decisions: list[ReviewedDecision] = []
    for place, played in enumerate(rounds):
        styles = trust.without(place, played.dice)
        for decision, gained in _decisions(played, models, styles):
            decisions.append(decision)
            skill += gained
    starts = [*(each.start for each in rounds), rounds[-1].end]
    wins = [chances_of_winning(models.winning, each) for each in starts if is_fitted(each)]
    luck = wins[-1] - wins[0] - skill if wins else skill
    found = {}
    for seat, player in enumerate(players):
        own = [each for each in decisions if each.decision.call.player == player]
        found[player] = PlayerReview(
            won=int(rounds[-1].end.winner == player),
            luck=float(luck[seat]),
            skill=float(skill[seat]),
            bids=sum(isinstance(each.decision.call, Bid) for each in own),
            bluffs=sum(each.bluff for each in own),
            brier=sum((each.bids - each.true) ** 2 for each in own) / len(own) if own else None,
        )
    curve = tuple(dict(zip(players, map(float, each), strict=True)) for each in wins)
    return Review(tuple(decisions), found, curve)


def _decisions(
    played: PlayedRound, models: Models, styles: Mapping[str, Mapping[Style, float]]
) -> Iterator[tuple[ReviewedDecision, Numbers]]:
    """The round's decisions, and how each changed everybody's probability of winning compared with the best one."""
    beliefs = Beliefs.start(played.seen, models.bids, styles)
    stakes = Stakes(played.seen, models.winning)
    heard: tuple[Bid, ...] = ()
    for decision in played.decisions:
        call, position = decision.call, decision.position
        player, dice = call.player, played.dice[call.player]
        seat = position.players.index(player)
        options: tuple[Option, ...] = ()
        gained = np.zeros(len(position.players))
        if is_fitted(position):
            found = choices(models, stakes, position, beliefs, player, dice, made=call, best_reply=True)
            found.sort(key=lambda choice: -choice.wins[seat])
            made = next(choice for choice in found if choice.call == call)
            options = tuple(Option(choice.call, float(choice.wins[seat])) for choice in found)
            gained = made.wins - found[0].wins
        yield _reviewed(played, decision, heard, beliefs, options), gained
        if isinstance(call, Bid):
            beliefs = beliefs.after(call)
            heard = (*heard, call)


def _reviewed(
    played: PlayedRound, decision: PlayedCall, heard: tuple[Bid, ...], beliefs: Beliefs, options: tuple[Option, ...]
) -> ReviewedDecision:
    call, position = decision.call, decision.position
    bid = call if isinstance(call, Bid) else position.bid
    assert bid is not None  # a call needs one
    dice, wild = played.dice[call.player], position.wild
    column = FACES.index(bid.face)
    row = at_least(beliefs.matches(without=(call.player,)))[column]
    need = bid.count - int(matches_of(dice, wild=wild)[column])
    own, bids = chance(position, call.player, dice, bid), tail(row, need)
    tally = sum(bid.matches(face, wild=wild) for faces in played.dice.values() for face in faces)
    true = tally >= bid.count
    if isinstance(call, Calza):
        own -= chance(position, call.player, dice, replace(bid, count=bid.count + 1))
        bids -= tail(row, need + 1)
        true = tally == bid.count
    return ReviewedDecision(decision, dice, heard, own, bids, true, options)


def _kind(call: Call | None) -> str:
    match call:
        case None:
            return "pass"
        case Bid():
            return "bid"
        case Calza():
            return CallKind.CALZA
        case _:
            return CallKind.DUDO


def _bid_json(bid: Bid) -> dict[str, object]:
    return {"player": bid.player, "count": bid.count, "face": bid.face}


def _option_json(option: Option) -> dict[str, object]:
    bid = {"bid": _bid_json(option.call)} if isinstance(option.call, Bid) else {}
    return {"decision": _kind(option.call), **bid, "wins": option.wins}
