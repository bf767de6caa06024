"""The errors of the engine.

    EngineError (Exception)
    ├── UnreadableError (ValueError)        the input cannot be read
    │   └── BadRecordError                  bad-record
    └── NotAllowedError (RuntimeError)      it can be read, but is against the rules or out of turn
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
    """The error's name in a game record."""

    def __init__(self, msgid: str, **params: Param) -> None:
        super().__init__(msgid, params)
        self.msgid = msgid
        self.params = params

    @property
    def message(self) -> str:
        """The English sentence, without a capital letter or a full stop."""
        return self.msgid.format(**{name: _word(value) for name, value in self.params.items()})

    @property
    def sentence(self) -> Message:
        """`message` as a complete sentence that a page can translate."""
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
    """The input is no event."""


class BadRecordError(UnreadableError):
    """A field is missing, has the wrong type or is out of range, or the line is in the wrong place."""

    code = "bad-record"


class NotAllowedError(EngineError, RuntimeError):
    """A well-formed event is not allowed in this position."""


class UnknownPlayerError(NotAllowedError):
    """The game has no player of that name."""

    code = "unknown-player"


class WrongPhaseError(NotAllowedError):
    """A call comes before the reveal it must wait for, a reveal without a call, or any event after the game."""

    code = "wrong-phase"


class EliminatedPlayerError(NotAllowedError):
    """A player without dice bids or calls."""

    code = "eliminated-player"


class NotYourTurnError(NotAllowedError):
    """A player bids or says dudo out of turn."""

    code = "not-your-turn"


class NoBidError(NotAllowedError):
    """A player says dudo or calza before the first bid of the round."""

    code = "no-bid"


class IllegalBidError(NotAllowedError):
    """The ruleset does not allow the bid after the last one."""

    code = "illegal-bid"


class CalzaNotAllowedError(NotAllowedError):
    """Calza is switched off, or not allowed for this caller or in this round."""

    code = "calza-not-allowed"


class DiceMismatchError(NotAllowedError):
    """A reveal has the wrong number of dice for a player."""

    code = "dice-mismatch"
