"""What the engine refuses, and why.

    EngineError (Exception)
    ├── UnreadableError (ValueError)        it cannot be read: there is nothing to judge
    │   └── BadRecordError                  bad-record
    └── NotAllowedError (RuntimeError)      it was read, and the rules or the moment do not allow it
        ├── UnknownPlayerError              unknown-player
        ├── WrongPhaseError                 wrong-phase
        ├── EliminatedPlayerError           eliminated-player
        ├── NotYourTurnError                not-your-turn
        ├── NoBidError                      no-bid
        ├── IllegalBidError                 illegal-bid
        ├── CalzaNotAllowedError            calza-not-allowed
        └── DiceMismatchError               dice-mismatch

The order of the tree is the order of the game record: where several apply, the first is given.
"""

from __future__ import annotations

from typing import ClassVar

from companion.messages.english import number
from companion.messages.message import CountAndFace, Faces, Message, Param


class EngineError(Exception):
    """Something the engine refuses. Nothing was changed.

    `msgid` is the English sentence with `{names}` in it and `params` what they stand for, so that a page can say
    the same in another language: text as it is, numbers as `int`, bids as `Bid`.
    """

    code: ClassVar[str]
    """The word the game record uses for this error."""

    def __init__(self, msgid: str, **params: object) -> None:
        super().__init__(msgid, params)
        self.msgid = msgid
        self.params = params

    @property
    def message(self) -> str:
        """The sentence for a player, in English, without a full stop."""
        said = {name: number(value) if isinstance(value, int) else value for name, value in self.params.items()}
        return self.msgid.format(**said)

    @property
    def said(self) -> Message:
        """The same as a whole sentence, for a page."""
        text = self.message
        return Message.worded(
            text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else "."),
            self.msgid,
            {name: _param(value) for name, value in self.params.items()},
        )

    def __str__(self) -> str:
        return self.message


def _param(value: object) -> Param:
    if isinstance(value, CountAndFace):
        return Faces(value.count, value.face)
    return value if isinstance(value, int | str) else str(value)


class UnreadableError(EngineError, ValueError):
    """What was given cannot be read as an event at all."""


class BadRecordError(UnreadableError):
    """Not an event: a field is missing, of the wrong type or out of range, or the line stands in the wrong place."""

    code = "bad-record"


class NotAllowedError(EngineError, RuntimeError):
    """A well-formed event that is not allowed here and now."""


class UnknownPlayerError(NotAllowedError):
    """A name that is not in the game."""

    code = "unknown-player"


class WrongPhaseError(NotAllowedError):
    """A call while dice are to be revealed, a reveal while bids are made, or anything once the game is over."""

    code = "wrong-phase"


class EliminatedPlayerError(NotAllowedError):
    """A bid or call by a player without dice."""

    code = "eliminated-player"


class NotYourTurnError(NotAllowedError):
    """A bid or dudo by a player who is not on turn."""

    code = "not-your-turn"


class NoBidError(NotAllowedError):
    """Dudo or calza before the first bid of the round."""

    code = "no-bid"


class IllegalBidError(NotAllowedError):
    """A bid that the ruleset does not allow here."""

    code = "illegal-bid"


class CalzaNotAllowedError(NotAllowedError):
    """Calza switched off, not this caller's to say, or not in this round."""

    code = "calza-not-allowed"


class DiceMismatchError(NotAllowedError):
    """A reveal whose dice are not as many as the players have."""

    code = "dice-mismatch"
