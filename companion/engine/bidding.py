"""Which bids are legal: for a face, from how many dice to how many.

Everything about legality of bids follows from `opening_counts` and `raising_counts`; nothing else decides it.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine.errors import IllegalBidError
from companion.engine.events import Bid
from companion.engine.ruleset import Raises, Ruleset
from companion.messages.english import PACO


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts that may be bid on one face: every one from `lowest` to `highest`."""

    lowest: int
    highest: int | None = None
    """None when there is no upper limit."""

    def __contains__(self, count: int) -> bool:
        return self.lowest <= count and (self.highest is None or count <= self.highest)


def opening_counts(ruleset: Ruleset, face: int, *, palifico: bool) -> Counts | None:
    """What may be bid on `face` to open a round; None when the round may not be opened on it."""
    if face == PACO and not (palifico and ruleset.palifico_opens_on_pacos):
        return None
    return Counts(1)


def raising_counts(ruleset: Ruleset, on: Bid, face: int, *, palifico: bool, locked: bool) -> Counts | None:
    """What may be bid on `face` after the bid `on`; None when that face may not be bid.

    `palifico` says whether the round is one, `locked` whether this bidder must then keep the face.
    """
    if face == on.face:
        return Counts(on.count + 1)
    if palifico:
        return None if locked else _plain(ruleset.raises, on, face)
    if face == PACO:
        return Counts((on.count + 1) // 2)  # half, rounded up
    if on.face == PACO:
        return Counts(2 * on.count + 1)
    return _plain(ruleset.raises, on, face)


def _plain(raises: Raises, on: Bid, face: int) -> Counts | None:
    """A change of face in the plain order of faces; in a palifico round the paco is the lowest of them."""
    higher = face > on.face
    if raises is Raises.ANY_FACE:
        return Counts(on.count if higher else on.count + 1)
    return Counts(on.count, on.count) if higher else None


def refusal(bid: Bid, on: Bid | None, counts: Counts | None, *, palifico: bool, locked: bool) -> IllegalBidError:
    """Why `bid` is illegal after the bid `on` (None: it would open the round), as a sentence for the player."""
    if on is None:
        if palifico:
            return IllegalBidError("under these rules not even a palifico may open a round on pacos")
        return IllegalBidError("a round may not be opened on pacos")
    if bid.face == on.face:
        return IllegalBidError(
            "after {bid} a bid on the same face needs at least {least} dice", bid=on, least=on.count + 1
        )
    if palifico and locked:
        return IllegalBidError("in this palifico round the face is locked: bid more dice than {bid}", bid=on)
    if counts is None:
        if bid.face == PACO:
            return IllegalBidError(
                "in a palifico round pacos are the lowest face, and after {bid} the face may not go down", bid=on
            )
        return IllegalBidError("after {bid} the face may not go down", bid=on)
    if counts.highest is not None:
        return IllegalBidError(
            "after {bid} a bid on a higher face must keep the count of {count}", bid=on, count=on.count
        )
    if palifico or PACO not in (bid.face, on.face):
        if bid.face > on.face:
            return IllegalBidError(
                "after {bid} a bid on a higher face needs at least {least} dice", bid=on, least=counts.lowest
            )
        return IllegalBidError(
            "after {bid} a bid on a lower face needs at least {least} dice", bid=on, least=counts.lowest
        )
    if bid.face == PACO:
        return IllegalBidError("after {bid} a bid on pacos needs at least {least} of them", bid=on, least=counts.lowest)
    return IllegalBidError("after {bid} a bid on another face needs at least {least} dice", bid=on, least=counts.lowest)
