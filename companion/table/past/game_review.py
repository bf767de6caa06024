"""The review of a game: the chances of winning round by round, the decisions that mattered most, and more. Pure.

`companion.review` computes it for each part of the game's record. A new part begins when somebody leaves or joins, a
number of dice is corrected or a round is voided; chances start over there, and the difference is neither luck nor
skill.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from companion.engine import Bid, Call, Calza
from companion.messages.sentence import Value
from companion.review.review import DecisionGrade, Option, Review, ReviewedDecision, review
from companion.table.commands import BidCount, Count, DieFace, Share
from companion.table.past.games import Game
from companion.table.past.highlights import UNLIKELY
from companion.table.past.statistics import DIGITS

MOST_PUZZLES: Final = 5
PUZZLE_CALLS: Final = 4
"""The number of calls that a puzzle offers."""
CLEAR: Final = 0.02
"""The least lead in the chance of winning that a puzzle's best call must have: less may be a computing error."""
FIFTHS: Final = 5
REMEMBERED: Final = 256
"""Reviews kept in memory: each takes seconds on a Pi, and anybody may ask for any of them repeatedly."""


class CallType(StrEnum):
    """What a player may do."""

    BID = "bid"
    DUDO = "dudo"
    CALZA = "calza"
    PASS = "pass"
    """Say nothing, for a player who is not on turn."""


class HeardBid(Value, frozen=True):
    """A bid that was made."""

    player: str
    count: BidCount
    face: DieFace


class PossibleCall(Value, frozen=True):
    """A call that a player made, or could have made."""

    kind: CallType
    count: BidCount | None
    """The count of the bid that is made or called; None for a pass."""
    face: DieFace | None
    wins: Share
    """The player's chance of winning afterwards."""


class Decision(Value, frozen=True, kw_only=True):
    """A bid or call, and what could have been known."""

    round: Count
    player: str
    made: PossibleCall
    bidder: str
    """The player who made the bid."""
    own: Share
    """The chance that the bid holds, or is exact for a calza, given the player's own dice alone."""
    bids: Share
    """The same, given also the round's bids."""
    true: bool
    """True if it did."""
    grade: DecisionGrade
    best: PossibleCall


class LuckiestReveal(Value, frozen=True, kw_only=True):
    """The judged call with the least likely result."""

    round: Count
    player: str
    """The player whom it favoured."""
    caller: str
    kind: CallType
    bid: HeardBid
    right: bool
    """True if the call was right."""
    likely: Share
    """The chance of that result, given the caller's own dice and the bids."""
    joker: bool
    """True if it was a joker: very lucky."""


class CalibrationPoint(Value, frozen=True):
    """Decisions with similar probabilities of coming true."""

    decisions: Count
    likely: Share
    """The mean probability of their bids, given the player's own dice and the bids."""
    came: Share
    """The share that came true."""


class ReviewedPlayer(Value, frozen=True, kw_only=True):
    """How a player did."""

    name: str
    luck: float
    skill: float
    """In chance of winning. `luck` and `skill` together make up the change of the chance from start to end, in each
    part of the record.
    """
    errors: Count
    blunders: Count
    bids: Count
    bluffs: Count
    """Bids that were more likely to fail than to hold, given the bidder's own dice alone."""
    calibration: tuple[CalibrationPoint, ...]
    """By fifths of the probability, without those that contain no decisions."""


class RoundChances(Value, frozen=True):
    """The chances of winning at the start of a round."""

    round: Count | None
    """None: after the last round of the game."""
    wins: tuple[Share, ...]
    """In the order of the game's players."""


class Puzzle(Value, frozen=True, kw_only=True):
    """A position of the game, and some calls, one of which is clearly the best."""

    round: Count
    player: str
    """The player who decides."""
    hand: tuple[DieFace, ...]
    """The player's dice."""
    dice: tuple[tuple[str, Count], ...]
    """The number of dice of each player who has any, in playing order from the opener of the round."""
    bids: tuple[HeardBid, ...]
    """The round's bids so far."""
    wild: bool
    """True if pacos are wild."""
    calls: tuple[PossibleCall, ...]
    """Bids first, lowest first."""
    best: Count
    """The index of the best call in `calls`."""
    made: Count
    """The index of the call that the player made."""


class GameReview(Value, frozen=True, kw_only=True):
    """The review of a game. Empty if no round was revealed."""

    players: tuple[ReviewedPlayer, ...]
    """In the order of the game's players."""
    decisions: tuple[Decision, ...]
    """Every dudo and calza, and the bids that cost something; the costliest first, ties in their order of play."""
    luckiest: LuckiestReveal | None
    """None if none was unlikely."""
    rounds: tuple[RoundChances, ...]
    puzzles: tuple[Puzzle, ...]
    unweighed: Count
    """The number of rounds with more than six players, whose chances of winning are not known. `rounds`, `puzzles`,
    losses, luck and skill do not include them.
    """


def game_review(game: Game) -> GameReview:
    """The review of a game that has ended. Cached as long as the game's record does not change."""
    return _reckoned(game.players, game.record)


@lru_cache(maxsize=REMEMBERED)
def _reckoned(players: tuple[str, ...], record: tuple[tuple[str, ...], ...]) -> GameReview:
    parts = [found for found in map(review, record) if found.decisions]
    decisions = [each for found in parts for each in found.decisions]
    calls = [each for each in decisions if not isinstance(each.decision.call, Bid)]
    shown = [
        each
        for each in decisions
        if each.options and (not isinstance(each.decision.call, Bid) or each.grade is not DecisionGrade.FINE)
    ]
    return GameReview(
        players=tuple(_player(name, parts) for name in players if any(name in found.players for found in parts)),
        decisions=tuple(map(_decision, sorted(shown, key=lambda each: -each.loss))),
        luckiest=min(
            (_reveal(each) for each in calls if each.likely < UNLIKELY), key=lambda each: each.likely, default=None
        ),
        rounds=tuple(_rounds(players, parts)),
        puzzles=tuple(_puzzles(parts)),
        unweighed=sum(part.unweighed for part in parts),
    )


def _share(chance: float) -> float:
    return round(min(1.0, max(0.0, chance)), DIGITS)


def _heard(bid: Bid) -> HeardBid:
    return HeardBid(bid.player, bid.count, bid.face)


def _possible(option: Option, bid: Bid | None) -> PossibleCall:
    """The call of an option. `bid` is the bid that stands."""
    call = option.call
    named = call if isinstance(call, Bid) else bid
    if call is None or named is None:
        return PossibleCall(_type(call), None, None, _share(option.wins))
    return PossibleCall(_type(call), named.count, named.face, _share(option.wins))


def _type(call: Call | None) -> CallType:
    if call is None:
        return CallType.PASS
    return CallType.BID if isinstance(call, Bid) else CallType(call.kind)


def _decision(each: ReviewedDecision) -> Decision:
    standing = each.decision.position.bid
    return Decision(
        round=each.decision.position.round,
        player=each.decision.call.player,
        made=_possible(each.made, standing),
        bidder=each.bid.player,
        own=_share(each.own),
        bids=_share(each.bids),
        true=each.true,
        grade=each.grade,
        best=_possible(each.options[0], standing),
    )


def _reveal(each: ReviewedDecision) -> LuckiestReveal:
    call = each.decision.call
    right = each.true == isinstance(call, Calza)
    return LuckiestReveal(
        round=each.decision.position.round,
        player=call.player if right else each.bid.player,
        caller=call.player,
        kind=_type(call),
        bid=_heard(each.bid),
        right=right,
        likely=_share(each.likely),
        joker=each.joker,
    )


def _player(name: str, parts: Sequence[Review]) -> ReviewedPlayer:
    found = [part.players[name] for part in parts if name in part.players]
    own = [each for part in parts for each in part.decisions if each.decision.call.player == name]
    return ReviewedPlayer(
        name=name,
        luck=round(sum(each.luck for each in found), DIGITS),
        skill=round(sum(each.skill for each in found), DIGITS),
        errors=sum(each.grade == DecisionGrade.ERROR for each in own),
        blunders=sum(each.grade == DecisionGrade.BLUNDER for each in own),
        bids=sum(each.bids for each in found),
        bluffs=sum(each.bluffs for each in found),
        calibration=tuple(_calibration(own)),
    )


def _calibration(own: Sequence[ReviewedDecision]) -> Iterator[CalibrationPoint]:
    for fifth in range(FIFTHS):
        found = [each for each in own if min(int(each.bids * FIFTHS), FIFTHS - 1) == fifth]
        if found:
            likely = sum(each.bids for each in found) / len(found)
            came = sum(each.true for each in found) / len(found)
            yield CalibrationPoint(len(found), _share(likely), _share(came))


def _rounds(players: Sequence[str], parts: Iterable[Review]) -> Iterator[RoundChances]:
    end: tuple[RoundChances, ...] = ()
    for part in parts:
        numbers = list(dict.fromkeys(each.decision.position.round for each in part.decisions if each.options))
        shares = [tuple(_share(chances.get(name, 0.0)) for name in players) for chances in part.chances]
        yield from map(RoundChances, numbers, shares)
        end = tuple(RoundChances(None, each) for each in shares[-1:])
    yield from end


def _puzzles(parts: Iterable[Review]) -> Iterator[Puzzle]:
    found = []
    for part in parts:
        for each in part.decisions:
            options = _offered(each) if each.options else []
            if len(options) == PUZZLE_CALLS and options[0].wins - options[1].wins >= CLEAR:
                found.append((options[0].wins - options[1].wins, each, options))
    found.sort(key=lambda one: -one[0])
    for _, each, options in found[:MOST_PUZZLES]:
        position = each.decision.position
        wild = position.wild
        calls = sorted(options, key=lambda option: _height(option.call))
        yield Puzzle(
            round=position.round,
            player=each.decision.call.player,
            hand=tuple(sorted(each.dice)),
            dice=tuple((name, position.dice[name]) for name in position.order_of_play(position.starter)),
            bids=tuple(map(_heard, each.heard)),
            wild=wild,
            calls=tuple(_possible(option, position.bid) for option in calls),
            best=calls.index(options[0]),
            made=calls.index(each.made),
        )


def _offered(each: ReviewedDecision) -> list[Option]:
    """The calls that a puzzle offers, best first: the best one, the one made, dudo, calza, and then the next best."""
    options = each.options
    wanted = [options[0], each.made, *(option for option in options if not isinstance(option.call, Bid)), *options]
    kept = list(dict.fromkeys(wanted))[:PUZZLE_CALLS]
    return sorted(kept, key=lambda option: -option.wins)


def _height(call: Call | None) -> tuple[int, int, int]:
    """The sort key of calls: bids, then dudo, calza and pass."""
    if isinstance(call, Bid):
        return 0, call.count, call.face
    return list(CallType).index(_type(call)), 0, 0
