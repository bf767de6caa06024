"""Legal bids. `legal_counts` alone decides which counts may be bid on a face."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.engine.errors import IllegalBidError
from companion.engine.events import Bid
from companion.engine.ruleset import Raises, Ruleset
from companion.messages.english import PACO
from companion.messages.message import Faces


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts that may be bid on one face, from `lowest` to `highest`."""

    lowest: int | None = None
    """None if the face may not be bid."""
    highest: int | None = None
    """None if there is no upper limit."""
    refusal: IllegalBidError | None = None
    """Why other counts are illegal; None if every count is legal, or nobody is on turn."""
    above: IllegalBidError | None = None
    """Why counts above `highest` are illegal, if `refusal` does not say it."""

    def __contains__(self, count: int) -> bool:
        return self.lowest is not None and self.lowest <= count and (self.highest is None or count <= self.highest)

    def check(self, count: int) -> IllegalBidError | None:
        """Why `count` is illegal; None if it is legal."""
        if count in self:
            return None
        too_many = self.highest is not None and count > self.highest
        return self.above if too_many and self.above is not None else self.refusal

    def up_to(self, dice: int) -> Counts:
        """These counts without those above the dice in play."""
        above = IllegalBidError("no bid may be above the number of dice in play: {dice}", dice=dice)
        if self.lowest is None or (self.highest is not None and self.highest <= dice):
            return self
        return Counts(refusal=above) if self.lowest > dice else replace(self, highest=dice, above=above)


def other_sort_after(
    ruleset: Ruleset, previous: Bid | None, other_sort: Bid | None, bid: Bid, *, wild: bool
) -> Bid | None:
    """The round's last bid of the other sort than `bid` (on pacos or not), which the next bid of that sort must
    outrank.

    `other_sort` is the same before `bid`, after `previous`. None if no bid has to be outranked.
    """
    if previous is None or not wild or not ruleset.outranks_own_sort:
        return None
    return previous if (bid.face == PACO) != (previous.face == PACO) else other_sort


def legal_counts(
    ruleset: Ruleset,
    previous: Bid | None,
    face: int,
    *,
    wild: bool,
    palifico: bool,
    locked: bool,
    other_sort: Bid | None = None,
) -> Counts:
    """The counts that may be bid on `face` after `previous`, which is None if the bid opens the round.

    `wild`: pacos are wild in this round. `palifico`: it is a palifico round. `locked`: in it, the bidder must keep the
    face. `other_sort`: the result of `other_sort_after` for `previous`.
    """
    if previous is None:
        return _opening_counts(ruleset, face, palifico=palifico)
    bid, least = Faces(previous.count, previous.face), previous.count + 1
    if face == previous.face:
        error = IllegalBidError("after {bid} the same face needs at least {least} dice", bid=bid, least=least)
        return Counts(least, None, error)
    if palifico and locked:
        error = IllegalBidError("in this palifico round the face is locked: bid more dice than {bid}", bid=bid)
        return Counts(refusal=error)
    if not wild:
        return _plain_counts(ruleset, previous, face, palifico=palifico)
    if face == PACO:
        least = ruleset.half_rounded.least(previous.count)
        error = IllegalBidError("after {bid} a bid on pacos needs at least {least} of them", bid=bid, least=least)
        return _outranking(ruleset, other_sort, face, Counts(least, None, error))
    if previous.face == PACO:
        least = ruleset.leaving_pacos.least(previous.count)
        error = IllegalBidError("after {bid} another face needs at least {least} dice", bid=bid, least=least)
        return _outranking(ruleset, other_sort, face, Counts(least, None, error))
    return _plain_counts(ruleset, previous, face, palifico=False)


def _outranking(ruleset: Ruleset, before: Bid | None, face: int, counts: Counts) -> Counts:
    """`counts` without those that do not outrank `before`, the last bid of the same sort."""
    if before is None or counts.lowest is None:
        return counts
    bid, least = Faces(before.count, before.face), before.count + (face <= before.face)
    if ruleset.raises is Raises.HIGHER_FACE and face != before.face:
        if face > before.face:
            return counts
        return Counts(refusal=IllegalBidError("after {bid} in this round, the face may not be lower", bid=bid))
    if least <= counts.lowest:
        return counts
    error = IllegalBidError("after {bid} in this round, this face needs at least {least} dice", bid=bid, least=least)
    return Counts(least, None, error)


def _opening_counts(ruleset: Ruleset, face: int, *, palifico: bool) -> Counts:
    plain = ruleset.opens_on_pacos or not ruleset.pacos_wild
    if face != PACO or plain or (palifico and ruleset.palifico_opens_on_pacos):
        return Counts(1)
    if palifico:
        return Counts(refusal=IllegalBidError("not even a palifico may open a round on pacos"))
    return Counts(refusal=IllegalBidError("you may not open a round on pacos"))


def _plain_counts(ruleset: Ruleset, previous: Bid, face: int, *, palifico: bool) -> Counts:
    """A change of face in the plain order, in which a paco that is not wild is the lowest face."""
    bid, count = Faces(previous.count, previous.face), previous.count
    if ruleset.raises is Raises.ANY_FACE and face > previous.face:
        error = IllegalBidError("after {bid} a higher face needs at least {least} dice", bid=bid, least=count)
        return Counts(count, None, error)
    if ruleset.raises is Raises.ANY_FACE:
        least = count + 1
        error = IllegalBidError("after {bid} a lower face needs at least {least} dice", bid=bid, least=least)
        return Counts(least, None, error)
    if ruleset.raises is Raises.HIGHER_FACE and face > previous.face:
        return Counts(1)
    if face > previous.face:
        error = IllegalBidError("after {bid} a higher face must keep the count of {count}", bid=bid, count=count)
        return Counts(count, count, error)
    if face == PACO and palifico:
        error = IllegalBidError(
            "in a palifico round pacos are the lowest face, and after {bid} the face may not go down", bid=bid
        )
        return Counts(refusal=error)
    return Counts(refusal=IllegalBidError("after {bid} the face may not go down", bid=bid))
