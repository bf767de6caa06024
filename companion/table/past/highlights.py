"""The highlights of a game: the best bluff, the luckiest call, the dice round by round, who took whose. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.engine import Bid, CallKind, Outcome
from companion.engine.odds import Odds, odds
from companion.messages.sentence import Value
from companion.table.commands import Count, Share
from companion.table.past.games import Dice, Game, Round
from companion.table.past.statistics import DIGITS

UNLIKELY: Final = 0.5
"""A bid or call at least this probable, given the player's own dice, is neither a bluff nor luck."""


class Bluff(Value, frozen=True, kw_only=True):
    """A bid that did not hold, and that nobody called."""

    player: str
    round: Count
    count: Count
    face: Count
    likely: Share
    """The probability that it held, given the bidder's own dice alone."""


class LuckyCall(Value, frozen=True, kw_only=True):
    """A dudo or calza that was right."""

    player: str
    kind: CallKind
    bidder: str
    round: Count
    count: Count
    """The count of the bid."""
    face: Count
    likely: Share
    """The probability that it was right, given the caller's own dice alone."""


class DiceCurve(Value, frozen=True):
    """How many dice a player had, round by round."""

    name: str
    colour: str | None
    """None in an imported game, whose record has no colours."""
    dice: tuple[Count, ...]
    """At the start of each round with a bid, and at the end of the game."""


class Taking(Value, frozen=True):
    """Dice that a player lost to another: to a right dudo, or by a wrong call on the other's bid."""

    by: str
    of: str
    dice: Count


class Highlights(Value, frozen=True, kw_only=True):
    """The highlights of a game."""

    winner: str | None
    bluff: Bluff | None
    """The boldest one: the least likely to hold. None if none was unlikely."""
    call: LuckyCall | None
    """The luckiest one: the least likely to be right. None if none was unlikely."""
    curves: tuple[DiceCurve, ...]
    """In the order of the game's players."""
    takings: tuple[Taking, ...]
    """Most dice first."""


def highlights(game: Game) -> Highlights:
    """The highlights of a game. The first of equal bluffs or calls counts."""
    rounds = [each for each in game.rounds if each.dice is not None and each.outcome is not None]
    return Highlights(
        winner=game.winner,
        bluff=min((bluff for each in rounds for bluff in _bluffs(each)), key=lambda bluff: bluff.likely, default=None),
        call=min((call for each in rounds for call in _right_call(each)), key=lambda call: call.likely, default=None),
        curves=_curves(game),
        takings=_takings([each.outcome for each in rounds if each.outcome is not None]),
    )


def _bluffs(played: Round) -> Iterator[Bluff]:
    dice = played.dice or {}
    for made in played.bids[:-1]:
        bid = made.bid
        tally = sum(_matches(bid, faces, wild=played.wild) for faces in dice.values())
        likely = float(_own_odds(played, bid, made.player, dice).holds)
        if tally < bid.count and likely < UNLIKELY and not made.assumed:
            yield Bluff(
                player=made.player,
                round=played.start.round,
                count=bid.count,
                face=bid.face,
                likely=round(likely, DIGITS),
            )


def _right_call(played: Round) -> Iterator[LuckyCall]:
    outcome = played.outcome
    if outcome is None or not outcome.correct:
        return
    chances = _own_odds(played, outcome.bid, outcome.caller, played.dice or {})
    likely = float(1 - chances.holds if outcome.call is CallKind.DUDO else chances.exact)
    if likely >= UNLIKELY:
        return
    yield LuckyCall(
        player=outcome.caller,
        kind=outcome.call,
        bidder=outcome.bid.player,
        round=played.start.round,
        count=outcome.bid.count,
        face=outcome.bid.face,
        likely=round(likely, DIGITS),
    )


def _own_odds(played: Round, bid: Bid, player: str, dice: Dice) -> Odds:
    """The odds of `bid` for `player`, who sees their own dice."""
    own = dice.get(player, ())
    unseen = sum(map(len, dice.values())) - len(own)
    missing = bid.count - _matches(bid, own, wild=played.wild)
    return odds(missing, bid.face, unseen, wild=played.wild)


def _matches(bid: Bid, faces: Sequence[int], *, wild: bool) -> int:
    return sum(bid.matches(face, wild=wild) for face in faces)


def _curves(game: Game) -> tuple[DiceCurve, ...]:
    starts = {each.start.round: each.start.dice for each in game.rounds}  # if a round was opened again, its last start
    counts = list(starts.values())
    if game.rounds and (outcome := game.rounds[-1].outcome) is not None:
        end = dict(counts[-1])
        for player, change in ((outcome.loses, -outcome.lost), (outcome.gains, 1)):
            if player is not None:
                end[player] += change
        counts.append(end)
    return tuple(
        DiceCurve(player, game.colours.get(player), tuple(dice.get(player, 0) for dice in counts))
        for player in game.players
    )


def _takings(outcomes: Sequence[Outcome]) -> tuple[Taking, ...]:
    taken: Counter[tuple[str, str]] = Counter()
    for outcome in outcomes:
        if outcome.loses is not None:
            other = outcome.bid.player if outcome.loses == outcome.caller else outcome.caller
            taken[other, outcome.loses] += outcome.lost
    return tuple(Taking(by, of, dice) for (by, of), dice in taken.most_common())
