"""What the engine refuses, and why.

    EngineError (Exception)
    ├── UnreadableError (ValueError)        cannot be read
    │   └── BadRecordError                  bad-record
    └── NotAllowedError (RuntimeError)      can be read, but is against the rules or out of turn
        ├── UnknownPlayerError              unknown-player
        ├── WrongPhaseError                 wrong-phase
        ├── EliminatedPlayerError           eliminated-player
        ├── NotYourTurnError                not-your-turn
        ├── NoBidError                      no-bid
        ├── IllegalBidError                 illegal-bid
        ├── CalzaNotAllowedError            calza-not-allowed
        └── DiceMismatchError               dice-mismatch

If several errors apply, the first one in this tree is raised, as the game record prescribes.
"""

from __future__ import annotations

from typing import ClassVar

from companion.messages.english import in_words, number
from companion.messages.message import Faces, Message, Param


class EngineError(Exception):
    """The engine refused an event. Nothing has changed.

    `msgid` is the English sentence with `{placeholders}`, and `params` are their values, so that a page can translate
    it.
    """

    code: ClassVar[str]
    """The error's name in the game record."""

    def __init__(self, msgid: str, **params: Param) -> None:
        super().__init__(msgid, params)
        self.msgid = msgid
        self.params = params

    @property
    def message(self) -> str:
        """The English sentence, without a capital or a full stop."""
        return self.msgid.format(**{name: _word(value) for name, value in self.params.items()})

    @property
    def sentence(self) -> Message:
        """`message` as a whole sentence that a page can translate."""
        text = self.message
        stop = "" if text.endswith((".", "!", "?")) else "."
        return Message.with_text(text[:1].upper() + text[1:] + stop, self.msgid, self.params)

    def __str__(self) -> str:
        return self.message


def _word(value: Param) -> Param:
    match value:
        case int():
            return number(value)
        case Faces(count, face):
            return in_words(count, face)
        case _:
            return value


class UnreadableError(EngineError, ValueError):
    """The input is not an event."""


class BadRecordError(UnreadableError):
    """A field is missing, has the wrong type or is out of range, or the line is in the wrong place."""

    code = "bad-record"


class NotAllowedError(EngineError, RuntimeError):
    """A well-formed event that is not allowed in this position."""


class UnknownPlayerError(NotAllowedError):
    """A name that is not in the game."""

    code = "unknown-player"


class WrongPhaseError(NotAllowedError):
    """A call before the reveal it has to wait for, a reveal without a call, or any event after the game."""

    code = "wrong-phase"


class EliminatedPlayerError(NotAllowedError):
    """A bid or call by a player without dice."""

    code = "eliminated-player"


class NotYourTurnError(NotAllowedError):
    """A bid or dudo out of turn."""

    code = "not-your-turn"


class NoBidError(NotAllowedError):
    """Dudo or calza before the first bid of the round."""

    code = "no-bid"


class IllegalBidError(NotAllowedError):
    """A bid that the ruleset does not allow after the last one."""

    code = "illegal-bid"


class CalzaNotAllowedError(NotAllowedError):
    """Calza is switched off, or not allowed for this caller or in this round."""

    code = "calza-not-allowed"


class DiceMismatchError(NotAllowedError):
    """A reveal with the wrong number of dice for a player."""

    code = "dice-mismatch"
