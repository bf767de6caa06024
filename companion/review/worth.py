"""Computes the value of each call: the probabilities of winning after it, for a player who knows their dice and the
bids.

The dice settle dudo and calza, with the probabilities of `companion.review.beliefs`. The next player doubts or raises a
bid as the `BidModel` says, or in a duel, for the review, as is worse for the bidder; who loses the die after that raise
is as in games of robots. Calza and calls out of turn are not anticipated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.engine import FACES, Bid, Call, Calza, Dudo, GamePhase, Position
from companion.engine.ruleset import DudoCosts
from companion.review.beliefs import Beliefs
from companion.review.bid_model import bids_after, holding
from companion.review.bid_probabilities import Numbers, at_least, softmax
from companion.review.hands import all_hands, match_chances, matches_of
from companion.review.models import Models
from companion.review.win_chance import MOST_FITTED, WinningModel, chances_of_winning

SHY: Final = 0.25
"""Bids with a lower probability are not weighed if there are others."""
BETWEEN: Final = 0.65
"""Bids near this probability are weighed first."""
MOST_WEIGHED: Final = 10
"""The most bids that are weighed."""


@dataclass(frozen=True, slots=True, eq=False)
class WeighedCall:
    """A call, or saying nothing, and its value."""

    call: Call | None
    """None: a player out of turn says nothing."""
    wins: Numbers
    """Each player's probability of winning after it, by seat."""


class Stakes:
    """The stakes of a round: the probabilities of winning after each of its possible ends."""

    def __init__(self, position: Position, model: WinningModel) -> None:
        """`position`: any position of the round's bidding."""
        self._position = position
        self._model = model
        self._known: dict[tuple[str, int], Numbers] = {}

    def loses(self, player: str, dice: int = 1) -> Numbers:
        """Each player's probability of winning after `player` has lost this many dice."""
        return self._settled(player, dice)

    def gains(self, player: str) -> Numbers:
        """The same after a correct calza by `player`."""
        return self._settled(player, 0)

    def _settled(self, player: str, lost: int) -> Numbers:
        if (player, lost) not in self._known:
            other = next(name for name in self._position.order_of_play(player) if name != player)
            call, bid, tally = Dudo(other), Bid(player, max(1, lost), 2), 0
            if not lost:
                call, bid, tally = Calza(player), Bid(other, 1, 2), 1  # type: ignore[assignment]
            judged = replace(self._position, phase=GamePhase.REVEAL, turn=None, bid=bid, call=call)
            self._known[player, lost] = chances_of_winning(self._model, judged.after_tally(tally))
        return self._known[player, lost]

    def of_call(self, call: Dudo | Calza, bid: Bid, tallies: Numbers) -> Numbers:
        """The probabilities of winning after `call` on `bid`, weighted by `tallies`.

        `tallies`: the probability that 0, 1, ... dice match.
        """
        if isinstance(call, Calza):
            exact = float(tallies[bid.count]) if bid.count < len(tallies) else 0.0
            return self.gains(call.player) * exact + self.loses(call.player) * (float(tallies.sum()) - exact)
        if self._position.ruleset.dudo_costs is DudoCosts.ONE:
            right = float(tallies[: bid.count].sum())
            return self.loses(bid.player) * right + self.loses(call.player) * (float(tallies.sum()) - right)
        total = np.zeros(len(self._position.players))
        for tally, chance in enumerate(tallies):
            loser = bid.player if tally < bid.count else call.player
            total += chance * self.loses(loser, max(1, abs(tally - bid.count)))
        return total


def choices(
    models: Models,
    stakes: Stakes,
    position: Position,
    beliefs: Beliefs,
    player: str,
    dice: Sequence[int],
    made: Call | None = None,
    *,
    best_reply: bool = False,
) -> list[WeighedCall]:
    """The choices of `player`, who holds `dice`, in `position`, including `made` if given.

    `beliefs` are those after the round's bids so far. Of the bids, those near the lowest on each face are weighed.
    `best_reply`: a bid in a duel is worth at most its value when doubted, because the opponent's best reply is at least
    as good for them. The strong robot assumes people's usual replies instead.
    """
    bounded = best_reply and sum(map(bool, position.dice_by_seat)) == 2
    look = _Look(models, stakes, position, beliefs, player, matches_of(dice, wild=position.wild), bounded=bounded)
    found: list[WeighedCall] = []
    if position.bid is not None:
        tallies = look.tallies(position.bid.face)
        calls: list[Dudo | Calza] = [Dudo(player), Calza(player)]
        found += [
            WeighedCall(call, stakes.of_call(call, position.bid, tallies))
            for call in calls
            if call == made or position.check(call) is None
        ]
    if player == position.turn or isinstance(made, Bid):
        found += look.bids(made if isinstance(made, Bid) else None)
    elif position.bid is not None:
        found.append(WeighedCall(None, look.standing(position.bid)))
    return found


class _Look:
    """How one player sees the round."""

    def __init__(
        self,
        models: Models,
        stakes: Stakes,
        position: Position,
        beliefs: Beliefs,
        player: str,
        own: npt.NDArray[np.intp],
        *,
        bounded: bool,
    ) -> None:
        self._models, self._stakes, self._position, self._beliefs = models, stakes, position, beliefs
        self._player, self._own, self._bounded = player, own, bounded

    def tallies(self, face: int) -> Numbers:
        """The probability that 0, 1, ... dice match, including the player's own."""
        column = FACES.index(face)
        return self._with_own(self._beliefs.matches(without=(self._player,))[column], column)

    def bids(self, made: Bid | None) -> list[WeighedCall]:
        """The bids worth weighing, and `made`."""
        weighed = self._weighed(made)
        following = self._position.order_of_play(self._player)[1]
        if made is not None and made.direction is not None:
            following = self._position.apply(made).turn or following
        rest = self._beliefs.matches(without=(self._player, following))
        own = self._beliefs.ways(self._player, also=made)
        return [WeighedCall(bid, self._worth(bid, self._beliefs.after(bid, own), following, rest)) for bid in weighed]

    def standing(self, bid: Bid) -> Numbers:
        """The probabilities of winning if only the player on turn answers `bid`."""
        following = self._position.turn
        assert following is not None  # there is a bid to answer
        rest = self._beliefs.matches(without=(self._player, following))
        return self._worth(bid, self._beliefs, following, rest)

    def _with_own(self, others: Numbers, column: int) -> Numbers:
        return np.concatenate([np.zeros(int(self._own[column])), others])

    def _weighed(self, made: Bid | None) -> list[Bid]:
        tails = at_least(self._beliefs.matches(without=(self._player,)))
        bids = bids_after(self._position, self._position.bid, made, self._position.other_sort)
        holds = holding(bids, self._own[None], tails)[0]
        able = {}
        for count, column, chance in zip(bids.counts, bids.columns, holds, strict=True):
            bid = Bid(self._player, int(count), FACES[column])
            if (made is None or (bid.count, bid.face) != (made.count, made.face)) and self._position.is_legal(bid):
                able[bid] = float(chance)
        likely = [bid for bid, chance in able.items() if chance >= SHY]
        # A bid with a high probability is raised, and one with a low probability doubted: those in between matter.
        weighed = sorted(likely, key=lambda bid: abs(able[bid] - BETWEEN))[:MOST_WEIGHED]
        if not weighed and able:
            weighed = [max(able, key=able.__getitem__)]
        return weighed if made is None else [*weighed, made]

    def _worth(self, bid: Bid, after: Beliefs, following: str, rest: Numbers) -> Numbers:
        """The probabilities of winning after `bid`, with `following` on turn.

        `after`: what everybody knows then. `rest`: the probability that 0, 1, ... dice of all except these two match.
        """
        position, stakes = self._position, self._stakes
        hands = all_hands(position.dice[following], wild=position.wild)
        replies, chosen = after.choices(following, others=match_chances([rest, after.matches_by_player[self._player]]))
        chosen = after.hands(following)[:, None] * chosen
        column = FACES.index(bid.face)
        doubting = chosen[:, -1] @ hands.counted[column]
        worth = stakes.of_call(Dudo(following), bid, self._with_own(np.convolve(doubting, rest[column]), column))

        holds = holding(replies, hands.matches + self._own, at_least(rest))
        raised = chosen[:, :-1].sum(axis=0)
        seen = (chosen[:, :-1] * holds).sum(axis=0) / raised
        order = position.order_of_play(following)
        lost = raised @ self._losers(len(order), seen)
        worth = np.asarray(worth + lost @ np.array([stakes.loses(name) for name in order]))
        if not self._bounded:
            return worth
        doubted = stakes.of_call(
            Dudo(following), bid, self._with_own(after.matches_by_player[following][column], column)
        )
        return min(worth, doubted, key=lambda wins: float(wins[position.players.index(self._player)]))

    def _losers(self, players: int, holds: Numbers) -> Numbers:
        """Who loses after bids with these probabilities of holding: bids x players, in playing order from the
        bidder."""
        weights = self._models.losers[min(players, MOST_FITTED)]
        if (more := players - len(weights)) > 0:  # players in the middle are alike
            middle = len(weights) // 2
            weights = np.insert(weights, middle, np.repeat(weights[middle : middle + 1], more, axis=0), axis=0)
        worth = np.stack([np.ones_like(holds), holds, holds**2], axis=1) @ weights.T
        return softmax(worth)
