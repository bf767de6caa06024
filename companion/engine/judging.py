"""Counts dice and judges calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain

from companion.engine.events import Bid, CallKind, Calza, Dudo, Reveal
from companion.engine.ruleset import DudoCosts, RightCalza, Ruleset
from companion.messages.english import PACO


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a call, and its effect on the players' dice."""

    call: CallKind
    caller: str
    bid: Bid
    wild: bool
    """Pacos counted as the bid's face."""
    faces: int
    """The number of dice that show the bid's own face."""
    pacos: int
    """The number of wild pacos; 0 if pacos are not wild or the bid is on pacos."""
    correct: bool
    """The caller was right."""
    loses: str | None
    gains: str | None
    eliminated: str | None
    lost: int = 0
    """The number of dice that `loses` loses."""
    uncertain: int = 0
    """The number of dice that may show other faces; they cannot change the verdict."""
    uncertain_matches: int = 0
    """The number of these in the tally."""

    @property
    def count(self) -> int:
        """The tally: the number of dice that match the bid."""
        return self.faces + self.pacos

    @property
    def least(self) -> int:
        """The number of matching dice if no uncertain die matches."""
        return self.count - self.uncertain_matches

    @property
    def most(self) -> int:
        """The number of matching dice if all uncertain dice match."""
        return self.least + self.uncertain


def judge(
    ruleset: Ruleset,
    call: Dudo | Calza,
    bid: Bid,
    reveal: Reveal,
    counts: Mapping[str, int],
    *,
    wild: bool,
) -> Outcome:
    """Judge `call` on `bid`, given the faces revealed and how many dice each player has before the verdict."""
    shown = list(chain.from_iterable(reveal.dice.values()))
    pacos = shown.count(PACO) if wild and bid.face != PACO else 0
    outcome = judge_tally(ruleset, call, bid, shown.count(bid.face), pacos, counts, wild=wild)
    uncertain = list(chain.from_iterable(reveal.uncertain.values()))
    matches = sum(bid.matches(face, wild=wild) for face in uncertain)
    return replace(outcome, uncertain=len(uncertain), uncertain_matches=matches)


def judge_tally(
    ruleset: Ruleset,
    call: Dudo | Calza,
    bid: Bid,
    faces: int,
    pacos: int,
    counts: Mapping[str, int],
    *,
    wild: bool,
) -> Outcome:
    """Like `judge`, given the number of dice that show the bid's own face and the number of wild pacos."""
    count = faces + pacos
    correct = count < bid.count if isinstance(call, Dudo) else count == bid.count
    loses = gains = None
    if not correct:
        loses = call.player
    elif isinstance(call, Dudo) or ruleset.right_calza is RightCalza.BIDDER_LOSES:
        loses = bid.player
    elif counts[call.player] < ruleset.dice_each:
        gains = call.player
    if loses is None:
        return Outcome(call.kind, call.player, bid, wild, faces, pacos, correct, None, gains, None)
    difference = isinstance(call, Dudo) and ruleset.dudo_costs is DudoCosts.DIFFERENCE
    lost = min(max(1, abs(count - bid.count)) if difference else 1, counts[loses])
    eliminated = loses if lost == counts[loses] else None
    return Outcome(call.kind, call.player, bid, wild, faces, pacos, correct, loses, None, eliminated, lost)
