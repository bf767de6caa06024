"""The rules of Perudo as pure functions: no input or output, no clock, no randomness.

Apply events to a `Position` to play a game. A `Ruleset` holds the rules on which the rulebooks differ. Only pure parts
of the standard library are imported.
"""

from companion.engine.errors import (
    BadRecordError,
    CalzaNotAllowedError,
    DiceMismatchError,
    EliminatedPlayerError,
    EngineError,
    IllegalBidError,
    NoBidError,
    NotAllowedError,
    NotYourTurnError,
    UnknownPlayerError,
    UnreadableError,
    WrongPhaseError,
)
from companion.engine.events import (
    FEWEST_PLAYERS,
    MOST_DICE,
    MOST_PLAYERS,
    Bid,
    Call,
    CallKind,
    Calza,
    Direction,
    Dudo,
    Event,
    GameStarted,
    Reveal,
    Together,
)
from companion.engine.judging import Outcome
from companion.engine.position import GamePhase, Position
from companion.engine.rulebooks import DEFAULT_RULESET, RULESETS, house_rules
from companion.engine.ruleset import LockedFace, Raises, Ruleset
from companion.messages.english import FACES, PACO

__all__ = [
    "DEFAULT_RULESET",
    "FACES",
    "FEWEST_PLAYERS",
    "MOST_DICE",
    "MOST_PLAYERS",
    "PACO",
    "RULESETS",
    "BadRecordError",
    "Bid",
    "Call",
    "CallKind",
    "Calza",
    "CalzaNotAllowedError",
    "DiceMismatchError",
    "Direction",
    "Dudo",
    "EliminatedPlayerError",
    "EngineError",
    "Event",
    "GamePhase",
    "GameStarted",
    "IllegalBidError",
    "LockedFace",
    "NoBidError",
    "NotAllowedError",
    "NotYourTurnError",
    "Outcome",
    "Position",
    "Raises",
    "Reveal",
    "Ruleset",
    "Together",
    "UnknownPlayerError",
    "UnreadableError",
    "WrongPhaseError",
    "house_rules",
]
