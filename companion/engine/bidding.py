"""Legal bids. `opening_counts` and `raising_counts` alone decide which counts may be bid on a face."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine.errors import IllegalBidError
from companion.engine.events import Bid
from companion.engine.ruleset import Raises, Ruleset
from companion.messages.english import PACO


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts that may be bid on one face, from `lowest` to `highest`."""

    lowest: int
    highest: int | None = None
    """None if there is no upper limit."""

    def __contains__(self, count: int) -> bool:
        return self.lowest <= count and (self.highest is None or count <= self.highest)


def opening_counts(ruleset: Ruleset, face: int, *, palifico: bool) -> Counts | None:
    """The counts that may open a round on `face`; None if the face may not open one."""
    if face == PACO and not (palifico and ruleset.palifico_opens_on_pacos):
        return None
    return Counts(1)


def raising_counts(ruleset: Ruleset, previous: Bid, face: int, *, palifico: bool, locked: bool) -> Counts | None:
    """The counts that may be bid on `face` after `previous`; None if the face may not be bid.

    `palifico`: this is a palifico round. `locked`: the bidder must keep the face.
    """
    if face == previous.face:
        return Counts(previous.count + 1)
    if palifico:
        return None if locked else _plain(ruleset.raises, previous, face)
    if face == PACO:
        return Counts((previous.count + 1) // 2)  # half, rounded up
    if previous.face == PACO:
        return Counts(2 * previous.count + 1)
    return _plain(ruleset.raises, previous, face)


def _plain(raises: Raises, previous: Bid, face: int) -> Counts | None:
    """A change of face in the plain order; in a palifico round the paco is the lowest face."""
    higher = face > previous.face
    if raises is Raises.ANY_FACE:
        return Counts(previous.count if higher else previous.count + 1)
    return Counts(previous.count, previous.count) if higher else None


def refusal(bid: Bid, previous: Bid | None, counts: Counts | None, *, palifico: bool, locked: bool) -> IllegalBidError:
    """Why `bid` is illegal after `previous` (None if it would open the round)."""
    if previous is None:
        if palifico:
            return IllegalBidError("under these rules not even a palifico may open a round on pacos")
        return IllegalBidError("a round may not be opened on pacos")
    if bid.face == previous.face:
        return IllegalBidError(
            "after {bid} a bid on the same face needs at least {least} dice", bid=previous, least=previous.count + 1
        )
    if palifico and locked:
        return IllegalBidError("in this palifico round the face is locked: bid more dice than {bid}", bid=previous)
    if counts is None:
        if bid.face == PACO:
            return IllegalBidError(
                "in a palifico round pacos are the lowest face, and after {bid} the face may not go down", bid=previous
            )
        return IllegalBidError("after {bid} the face may not go down", bid=previous)
    if counts.highest is not None:
        return IllegalBidError(
            "after {bid} a bid on a higher face must keep the count of {count}", bid=previous, count=previous.count
        )
    if palifico or PACO not in (bid.face, previous.face):
        if bid.face > previous.face:
            return IllegalBidError(
                "after {bid} a bid on a higher face needs at least {least} dice", bid=previous, least=counts.lowest
            )
        return IllegalBidError(
            "after {bid} a bid on a lower face needs at least {least} dice", bid=previous, least=counts.lowest
        )
    if bid.face == PACO:
        return IllegalBidError(
            "after {bid} a bid on pacos needs at least {least} of them", bid=previous, least=counts.lowest
        )
    return IllegalBidError(
        "after {bid} a bid on another face needs at least {least} dice", bid=previous, least=counts.lowest
    )
